"""Designed routings: the best oblivious routing for a worst case, an average case or capacity.

What solves the programs is the room ``optimum``; here stand the question and what is claimed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from ..core.claim import Claim
from ..core.errors import InputError
from ..core.network import Network
from ..core.vocabulary import is_factor
from ..demand_sets.demand_set import DemandSet
from ..formats.demands.description import demands_subject
from ..optimum.average_case import AverageCaseDesign, design_average_case
from ..optimum.capacity import UniformDesign, capacity_if_possible, design_capacity, uniform_claims
from ..optimum.claims import average_case_claims, design_claims
from ..optimum.design import Design
from ..optimum.entries import fitted
from ..optimum.over import design_over
from ..optimum.restricted import design_restricted
from ..routing.base.routing import Routing
from ..routing.named.described import describe_paths
from ..routing.path_sets.names import path_set, virtual_channels_of
from ..routing.path_sets.path_set import PathSet
from ..worst.capacity import capacity
from ..worst.deadlock.channels import virtual_channels
from ..worst.over import worst_over
from .answer import ALONE, RoutingAnswer, Setting, timed
from .worst_case import answer_worst_case

Made = TypeVar("Made", covariant=True)
_FEW_NODES = 64


@dataclass(frozen=True, kw_only=True)
class DesignQuestion:
    """What every design by a linear program may be asked.

    - ``shortest``: among the best routings, one with the shortest average path;
    - ``path_length``: the average path is at most this multiple of the shortest possible average;
    - ``paths``: use the paths of this set only (``routing.path_sets``), None for all; where it is for a number of
      virtual channels, so many are proved to suffice;
    - ``entries``: weights that fit tables of so many entries (``optimum.entries``), for the worst case with ``paths``;
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``time_limit``: seconds of solving.
    """

    shortest: bool = False
    path_length: Fraction | None = None
    paths: PathSet | None = None
    entries: int | None = None
    symmetry: str = "auto"
    time_limit: float | None = None

    def options(self) -> dict[str, Any]:
        """As keyword arguments of the functions in ``optimum``; ``entries`` comes after them."""
        return {x.name: getattr(self, x.name) for x in dataclasses.fields(self) if x.name != "entries"}

    def described(self) -> dict[str, Any]:
        """For the subject of a report: what was asked for beside the objective."""
        length = None if self.path_length is None else str(self.path_length)
        paths = None if self.paths is None else self.paths.name
        given: dict[str, Any] = {
            "then": "path-length" if self.shortest else None,
            "path_length": length,
            "paths": paths,
        }
        given["entries"] = self.entries
        return {name: value for name, value in given.items() if value is not None}

    @property
    def virtual_channels(self) -> int | None:
        """How many virtual channels the paths are for, if any."""
        return None if self.paths is None else virtual_channels_of(self.paths.name)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DesignAnswer(RoutingAnswer, Generic[Made]):
    """``routing``: what was designed; ``made``: the design, with what no routing can beat."""

    made: Made


def designed_for(asked: dict[str, Any], paths: PathSet | None = None) -> dict[str, Any]:
    """What the subject of a designed routing holds beside the routing: what it was ``asked`` for, and the set of paths
    where no name makes it again."""
    described = None if paths is None else describe_paths(paths)
    return {"kind": "design", "design": asked, **({} if described is None else {"paths": described})}


@timed
def answer_design_worst_case(
    network: Network,
    question: DesignQuestion,
    *,
    solver: str = "auto",
    demands: DemandSet | None = None,
    setting: Setting = ALONE,
) -> DesignAnswer[Design]:
    """The routing with the lowest worst-case load per bandwidth over all permutations, or over the set ``demands``.

    ``solver``: "auto", "simplex", "interior" or "first-order", as in ``optimum.worst_case``, for all paths only.
    Raises InputError for networks that are too large or not connected, and for bad options.
    """
    best = None if demands is not None and is_factor({"demands": demands.text}) else capacity_claim(network)
    made = design_over(network, demands, {**question.options(), "solver": solver}, setting.stage)
    if question.entries is not None:
        made = _fitted(made, question, demands)
    asked = designed_for({"objective": "worst-case", **question.described()}, question.paths)
    more = {**asked, **demands_subject(demands)}
    claims = [*design_claims(made, best), *_virtual_channels(question, made.routing)]
    return DesignAnswer(routing=made.routing, topology=setting.topology, more=more, stated=claims, made=made)


def _fitted(made: Design, question: DesignQuestion, demands: DemandSet | None) -> Design:
    if question.path_length is not None:
        raise InputError("a bound on the path length does not go with tables of few entries: rounding may exceed it")
    if demands is not None and demands.adaptive_load is not None:
        raise InputError(f"tables of few entries are not available yet over {demands.text}")
    return fitted(made, question.entries or 0, lambda routing: worst_over(routing, demands))


@timed
def answer_design_capacity(
    network: Network, question: DesignQuestion, *, setting: Setting = ALONE
) -> DesignAnswer[UniformDesign]:
    """The routing with the best throughput under uniform traffic; all else as in ``answer_design_worst_case``."""
    made = design_capacity(network, stage=setting.stage, **question.options())
    claims = [
        *answer_worst_case(made.routing).stated, *uniform_claims(made), *_virtual_channels(question, made.routing)
    ]  # fmt: skip
    more = designed_for({"objective": "capacity", **question.described()}, question.paths)
    return DesignAnswer(routing=made.routing, topology=setting.topology, more=more, stated=claims, made=made)


@timed
def answer_design_average_case(
    network: Network,
    question: DesignQuestion,
    *,
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    setting: Setting = ALONE,
) -> DesignAnswer[AverageCaseDesign]:
    """The routing with the lowest mean, over ``samples`` random matrices, of the largest load per bandwidth.

    ``model``: of random traffic, see ``topologies.traffic_models``; ``seed`` gives the sample, seed + 1 the fresh one,
    on which the routing is judged.  All else, also errors, as in ``answer_design_worst_case``.
    """
    best = capacity_claim(network)
    with setting.stage("rounds") as progress:
        made = design_average_case(
            network, model=model, count=samples, seed=seed, progress=progress, **question.options()
        )
    sample = {"traffic_model": model, "samples": samples, "seed": seed}
    more = designed_for({"objective": "average-case", **question.described(), **sample}, question.paths)
    claims = [*average_case_claims(made, best), *_virtual_channels(question, made.routing)]
    return DesignAnswer(routing=made.routing, topology=setting.topology, more=more, stated=claims, made=made)


def with_simpler_paths(answer: DesignAnswer[Design], question: DesignQuestion) -> DesignAnswer[Design]:
    """The same answer, with a note where paths of at most two turns are as good and fewer: for people to try.

    They are solved for only where that takes a second or two: an exact design of at most ``_FEW_NODES`` nodes, over all
    paths.
    """
    made, network = answer.made, answer.network
    restricted = question.paths is not None or question.path_length is not None or made.demands is not None
    if restricted or network.num_nodes > _FEW_NODES or made.gap:
        return answer
    try:
        simple = design_restricted(
            network,
            path_set("2turn", network),
            shortest=question.shortest,
            symmetry=question.symmetry,
            time_limit=question.time_limit,
        )
    except InputError:  # another network, or not exact
        return answer
    all_paths, few = _paths_a_pair(made), _paths_a_pair(simple)
    if simple.load != made.load or few >= all_paths:
        return answer
    longer = float(simple.length / made.length - 1)
    note = (
        f"--paths 2turn has the same worst case with paths of at most two turns, {few:.1f} for a pair, where this "
        f"design has {all_paths:.1f}{f'; its average path is {longer:.1%} longer' if longer > 0 else ''}"
    )
    return dataclasses.replace(answer, notes=(*answer.notes, note))


def _paths_a_pair(made: Design) -> float:
    assert made.reduction is not None
    pairs = made.reduction.pairs
    count = sum(x.size * len(made.routing.decomposition(x.source, x.destination)) for x in pairs)
    return count / sum(x.size for x in pairs)


def _virtual_channels(question: DesignQuestion, routing: Routing) -> list[Claim]:
    return [] if question.virtual_channels is None else [virtual_channels(routing).claim()]


def capacity_claim(network: Network) -> Claim | None:
    """The capacity of the network as a claim, by a formula or by a program; None where neither settles it."""
    return capacity(network) or capacity_if_possible(network)
