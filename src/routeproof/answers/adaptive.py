"""Ideal adaptive routing over a set of demands: an interval, and what being oblivious costs.

What searches and what bounds is the room ``design.adaptive``; here stand the question and its claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ..core.errors import InputError
from ..core.graph import lost_pair
from ..core.network import Network
from ..core.stage import Stage, silent
from ..demand_sets.demand_set import DemandSet
from ..demand_sets.families import EverySparse, Unbalanced
from ..demand_sets.routable import Routable
from ..demand_sets.transport import permutations
from ..kernel.gauges import proved_load
from ..optimum.adaptive.certified import HardDemand
from ..optimum.adaptive.claims import adaptive_claims
from ..optimum.adaptive.flows import flows_of_extremes
from ..optimum.adaptive.hardest import Demand
from ..optimum.adaptive.result import Adaptive, Oblivious
from ..optimum.adaptive.saturating import saturating_demand
from ..optimum.adaptive.search import hard_demand
from ..optimum.program.interrupts import Deadline, Held, held_interrupts
from ..routing.path_sets.path_set import PathSet
from ..worst.scan.exact import WorstCase
from .answer import ALONE, RoutingAnswer, Setting, timed
from .demands import Options, answer_over, demands_subject
from .design import DesignQuestion, answer_design_worst_case, designed_for
from .designs import can_design

_FIRST_LOOK = 4  # starts without a gain
_SHARE = 0.4  # of the time limit that the oblivious routing may take
_HELP = {
    Unbalanced: "it is a family of sets, one for every rate; hose:FILE says what each terminal sends",
    EverySparse: "it is a family of sets, one for every number of packets; sparse:16 is one of them",
}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AdaptiveAnswer(RoutingAnswer):
    """``found``: the interval with its hard demand; ``routing``: the oblivious routing that bounds it from above."""

    found: Adaptive
    demands: DemandSet


@timed
def answer_adaptive(
    network: Network,
    demands: DemandSet | None = None,
    *,
    paths: PathSet | None = None,
    time_limit: float | None = None,
    solving: Stage | None = None,
    setting: Setting = ALONE,
) -> AdaptiveAnswer:
    """The worst congestion of ideal adaptive routing over the set (all permutations): its rates may depend on the whole
    demand, and there are no queues.

    ``paths``: those that flows and routings may use, None for all; ``time_limit``: seconds for all of it;
    ``solving(name)``: entered for each stage of designing the oblivious routing, which tells in words.  Raises
    InputError for sets of another network, for families of sets, and for networks on which
    a pair of terminals is not connected.
    """
    given = permutations(network.num_terminals) if demands is None else demands
    _check(network, given)
    if paths is not None and not can_design(given):
        raise InputError(f"--paths goes with sets that routings are designed for; {given.text} is not one yet")
    if paths is not None and isinstance(given, Routable):
        raise InputError(
            f"--paths does not go with --demands {given.text} here: that all its demands can be carried is true of all "
            f"paths, not of paths {paths.name}; the best oblivious routing on them: routeproof design --paths"
        )
    deadline = Deadline(time_limit)
    share = None if time_limit is None else time_limit * _SHARE
    question, designing = DesignQuestion(paths=paths, time_limit=share), replace(setting, stage=solving or silent)
    oblivious, worst = _best_oblivious(network, given, question, designing, setting)
    if isinstance(given, Routable):
        found = Adaptive(saturating_demand(network), oblivious, by_definition=True)
    else:
        with held_interrupts() as held:
            found = _searched(network, given, oblivious, worst, paths, deadline, held, setting)
    asked = {} if paths is None else designed_for({"objective": "worst-case", "paths": paths.name}, paths)
    more = {**asked, "kind": "adaptive", **demands_subject(given)}
    claims = adaptive_claims(found, given)
    return AdaptiveAnswer(
        routing=oblivious.routing, topology=setting.topology, more=more, stated=claims, found=found, demands=given
    )  # fmt: skip


def _check(network: Network, demands: DemandSet) -> None:
    if demands.size != network.num_terminals:
        raise InputError(
            f"{demands.text} is about {demands.size} terminals, {network.name} has {network.num_terminals}"
        )
    for family, why in _HELP.items():
        if isinstance(demands, family):
            raise InputError(f"ideal adaptive routing over {demands.text} is no one number: {why}")
    lost = lost_pair(network)
    if lost is not None:
        i, j = map(network.label, lost)
        raise InputError(f"no path leads from node {i} to node {j} of {network.name}: no routing delivers every packet")


def _searched(
    network: Network,
    demands: DemandSet,
    oblivious: Oblivious,
    worst: Sequence[Demand],
    paths: PathSet | None,
    deadline: Deadline,
    held: Held,
    setting: Setting,
) -> Adaptive:
    """A first look for a hard demand; where it does not meet the oblivious routing, every extreme demand of a small
    set, and for other sets a longer search."""
    search = partial(hard_demand, network, demands, paths=paths, most=oblivious.load, held=held, stage=setting.stage)
    hard = search(known=worst, patience=_FIRST_LOOK, time_limit=deadline.left(1.0))
    if hard.load == oblivious.load:
        return Adaptive(hard, oblivious, paths=paths)
    flows = None
    if paths is None and not held.happened:
        with setting.stage("flows of extreme demands") as progress:
            flows = flows_of_extremes(network, demands, lambda: held.happened or deadline.over, progress)
    if flows is not None:
        if flows.load > hard.load:
            hard = HardDemand(flows.worst, flows.length, proved_load(network, flows.worst, flows.length))
        return Adaptive(hard, oblivious, flows if flows.load < oblivious.load else None)
    if held.happened or deadline.over:
        return Adaptive(hard, oblivious, paths=paths)
    longer = search(known=[hard.demand, *worst], time_limit=deadline.left(), seed=1)
    return Adaptive(max(hard, longer, key=lambda x: x.load), oblivious, paths=paths)


def _best_oblivious(
    network: Network, demands: DemandSet, question: DesignQuestion, designing: Setting, setting: Setting
) -> tuple[Oblivious, list[Demand]]:
    """The best oblivious routing over the set, and demands that are worst for it; ``designing`` has the stages.

    Where no method designs for the set, the best one for permutations, judged over the set.
    """
    if can_design(demands):
        answer = answer_design_worst_case(network, question, demands=demands, setting=designing)
        claims = [x for x in answer.stated if x.quantity == "worst_case_load"]
        made = answer.made
        return Oblivious(answer.routing, made.load, made.least_load, claims), [_witness(made.worst)]
    answer = answer_design_worst_case(network, question, setting=designing)
    judged = answer_over(answer.routing, demands, Options("auto", False, setting))
    claims = [x for x in judged.claims if x.quantity == "worst_case_load" and set(x.about) == {"demands"}]
    return Oblivious(answer.routing, judged.worst.load, None, claims), [_witness(judged.worst)]


def _witness(worst: WorstCase) -> Demand:
    """The demand that is worst for the routing, without what a terminal sends to itself."""
    if worst.permutation is not None:
        image = worst.permutation.image.tolist()
        return {(i, j): Fraction(1) for i, j in enumerate(image) if i != j}
    return {(i, j): x for i, j, x in worst.traffic or () if i != j}
