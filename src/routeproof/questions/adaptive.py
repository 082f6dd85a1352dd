"""Ideal adaptive routing over a set of demands: an interval, and what being oblivious costs.

What searches and what bounds is the room ``optimum.adaptive``; here stand the question and its claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..core.errors import InputError
from ..core.spread import silent
from .answer import ALONE, RoutingAnswer, Setting, Shown, timed
from .design.design import Design
from .question import Question, option, question, spelled
from .shared import DEMANDS, JSON_REPORT, TOPOLOGY, seconds

if TYPE_CHECKING:
    from ..core.network import Network
    from ..demand_sets.demand_set import Demand, DemandSet
    from ..machine.deadlines import Deadline, Held
    from ..optimum.adaptive.result import Adaptive as Bounds
    from ..optimum.adaptive.result import Oblivious
    from ..routing.base.routing import Routing
    from ..routing.path_sets.path_set import PathSet
    from ..worst.scan.exact import WorstCase
    from .given_demands import GivenDemands

_FIRST_LOOK = 4  # starts without a gain
_SHARE = 0.4  # of the time limit that the oblivious routing may take


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AdaptiveAnswer(RoutingAnswer):
    """``found``: the interval with its hard demand; ``routing``: the oblivious routing that bounds it from above."""

    shown = Shown("terminal.designed:adaptive_parts")

    found: Bounds
    demands: DemandSet


@question
class Adaptive(Question[AdaptiveAnswer]):
    """How well ideal adaptive routing does in the worst case: an interval, exact where its ends meet.

    Every demand of the set has the best flow of its own: rates may depend on the whole demand, and there are no queues,
    so no adaptive routing does better. The upper end is an oblivious routing, or flows for every extreme demand of a
    small set; the lower end is one demand of the set, with lengths of channels that prove it. Also the price of
    obliviousness: best oblivious over ideal adaptive.

    For example: routeproof adaptive petersen

        >>> import routeproof as rp
        >>> found = rp.adaptive(rp.ring(5))
        >>> found.low, found.high
        (Fraction(6, 5), Fraction(6, 5))

    Raises InputError for families of sets (unbalanced, sparse:all), for sets of another network, and for networks that
    are not connected.
    """

    verb, place, function = "adaptive", 90, "adaptive"
    panel = "Best possible"

    network: Network = spelled(TOPOLOGY)
    _: KW_ONLY
    demands: GivenDemands = spelled(DEMANDS, default=None)
    paths: str | Routing | PathSet | None = option(
        "all|minimal|ROUTING",
        "The paths that flows may use: all; minimal, all shortest; ksp:K, the K shortest; those of a routing.",
        default=None,
        kind=str,
        command_default="all",
        read=lambda given, text: given.paths(text),
    )
    time_limit: float | None = option(
        "SECONDS", "Stop searching then, with the interval reached so far.", default=None, read=seconds
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"ideal adaptive routing on {self.network.name}"

    @timed
    def answer(self, setting: Setting = ALONE) -> AdaptiveAnswer:
        from ..demand_sets.permutations import permutations
        from ..formats.demands.description import demands_subject
        from ..machine.deadlines import Deadline, held_interrupts, was_interrupted
        from ..optimum.adaptive.flows import saturating_demand
        from ..optimum.adaptive.result import Adaptive as Bounds
        from ..optimum.adaptive.result import adaptive_claims
        from ..routing.named.spec import paths_given
        from .designing import designed_for
        from .given_demands import bound_to

        network = self.network
        given = bound_to(network, self.demands) or permutations(network.num_terminals)
        paths = paths_given(self.paths, network)
        _check(network, given)
        if paths is not None and not given.designed_by:
            raise InputError(f"--paths goes with sets that routings are designed for; {given.text} is not one yet")
        if paths is not None and given.adaptive_load is not None:
            raise InputError(
                f"--paths does not go with --demands {given.text} here: that all its demands can be carried is true of "
                f"all paths, not of paths {paths.name}; the best oblivious routing on them: routeproof design --paths"
            )
        deadline = Deadline(self.time_limit)
        share = None if self.time_limit is None else self.time_limit * _SHARE
        asked = Design(network, paths=paths, time_limit=share)
        oblivious, worst = _best_oblivious(given, asked, setting)
        if given.adaptive_load is not None:
            found = Bounds(saturating_demand(network), oblivious, by_definition=True)
        else:
            with held_interrupts() as held:
                held.happened = was_interrupted()
                found = _searched(network, given, oblivious, worst, paths, deadline, held, setting)
        subject = {} if paths is None else designed_for({"objective": "worst-case", "paths": paths.name}, paths)
        more = {**subject, "kind": "adaptive", **demands_subject(given)}
        claims = adaptive_claims(found, given)
        return AdaptiveAnswer(
            routing=oblivious.routing, topology=setting.topology, more=more, stated=claims, found=found, demands=given
        )


def _check(network: Network, demands: DemandSet) -> None:
    from ..core.graph import lost_pair

    demands.check_between(network)
    if demands.is_family:
        raise InputError(f"{demands.text} gives a curve, not one number: {demands.is_family}")
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
) -> Bounds:
    """A first look for a hard demand; where it does not meet the oblivious routing, every extreme demand of a small
    set, and for other sets a longer search."""
    from ..kernel.gauges import proved_load
    from ..optimum.adaptive.flows import HardDemand, flows_of_extremes
    from ..optimum.adaptive.result import Adaptive as Bounds
    from ..optimum.adaptive.search import hard_demand

    search = partial(hard_demand, network, demands, paths=paths, most=oblivious.load, held=held, stage=setting.stage)
    hard = search(known=worst, patience=_FIRST_LOOK, time_limit=deadline.left(1.0))
    if hard.load == oblivious.load:
        return Bounds(hard, oblivious, paths=paths)
    flows = None
    if paths is None and not held.happened:
        with setting.stage("flows of extreme demands") as progress:
            flows = flows_of_extremes(network, demands, lambda: held.happened or deadline.over, progress)
    if flows is not None:
        if flows.load > hard.load:
            hard = HardDemand(flows.worst, flows.length, proved_load(network, flows.worst, flows.length))
        return Bounds(hard, oblivious, flows if flows.load < oblivious.load else None)
    if held.happened or deadline.over:
        return Bounds(hard, oblivious, paths=paths)
    longer = search(known=[hard.demand, *worst], time_limit=deadline.left(), again=True, seed=1)
    return Bounds(max(hard, longer, key=lambda x: x.load), oblivious, paths=paths)


def _best_oblivious(demands: DemandSet, question: Design, setting: Setting) -> tuple[Oblivious, list[Demand]]:
    """The best oblivious routing over the set, and demands that are worst for it.

    Where no method designs for the set, the best one for permutations, judged over the set.
    """
    from ..optimum.adaptive.result import Oblivious
    from ..worst.over import Options, worst_over
    from ..worst.scan.evidence import worst_case_claims

    designing = replace(setting, stage=setting.solving or silent)
    if demands.designed_by:
        answer = replace(question, demands=demands).designed(designing)
        claims = [x for x in answer.stated if x.quantity == "worst_case_load"]
        made = answer.made
        return Oblivious(answer.routing, made.load, made.least_load, claims), [_witness(made.worst)]
    answer = question.designed(designing)
    worst = worst_over(answer.routing, demands, Options(spread=setting.spread, stage=setting.stage))
    claims = [x for x in worst_case_claims(worst) if x.quantity == "worst_case_load" and set(x.about) == {"demands"}]
    return Oblivious(answer.routing, worst.load, None, claims), [_witness(worst)]


def _witness(worst: WorstCase) -> Demand:
    """The demand that is worst for the routing, without what a terminal sends to itself."""
    from fractions import Fraction

    if worst.permutation is not None:
        image = worst.permutation.image.tolist()
        return {(i, j): Fraction(1) for i, j in enumerate(image) if i != j}
    return {(i, j): x for i, j, x in worst.traffic or () if i != j}
