"""Designed routings: the best oblivious routing for a worst case, an average case or capacity.

What solves the programs is the room ``optimum``; here stand the question and what is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..core.claim import Claim
from ..core.errors import InputError
from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..machine.deadlines import OutOfTimeError, ended_in_time, was_interrupted
from ..optimum.capacity import capacity_if_possible
from ..optimum.design import Design
from ..optimum.entries import fitted
from ..optimum.restricted import design_restricted
from ..optimum.tables.exchange import Improved
from ..routing.named.described import describe_paths
from ..routing.path_sets.names import path_set, virtual_channels_of
from ..routing.path_sets.path_set import PathSet
from ..worst.capacity import capacity
from ..worst.deadlock.channels import VirtualChannels, virtual_channels
from ..worst.over import worst_over
from ..worst.scan.exact import WorstCase
from .answer import RoutingAnswer, Setting, Shown
from .worst_case import WorstCaseAnswer

Made = TypeVar("Made", covariant=True)
_FEW_NODES, _FEW_CELLS = 64, 12_000  # classes of pairs times channels: about a second of a program of two turns
_SHARE = 0.1  # of the time limit, for the capacity


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DesignAnswer(RoutingAnswer, Generic[Made]):
    """``routing``: what was designed; ``made``: the design, with what no routing can beat; ``lanes``: virtual
    channels that free it of deadlock, where few were asked for."""

    shown = Shown("terminal.designed:parts_of_design")

    made: Made
    lanes: VirtualChannels | None = None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TablesAnswer(DesignAnswer[Any]):
    """``made``: the search's result; ``judged``: its worst case and all else; ``before``: the worst case of the
    routing that the search began with; ``bound``: in words, what is known of the best oblivious routing."""

    shown = Shown("terminal.designed:tables_parts", page="terminal.designed:tables_page")

    made: Improved
    judged: WorstCaseAnswer
    before: WorstCase
    bound: str

    @property
    def measure(self) -> str:
        """What is kept low."""
        return "oblivious ratio" if self.before.model.about == {"demands": "routable"} else "worst-case load"


def designed_for(asked: dict[str, Any], paths: PathSet | None = None) -> dict[str, Any]:
    """What the subject of a designed routing holds beside the routing: what it was ``asked`` for, and the set of paths
    where no name makes it again."""
    described = None if paths is None else describe_paths(paths)
    return {"kind": "design", "design": asked, **({} if described is None else {"paths": described})}


def described(program: Mapping[str, Any]) -> dict[str, Any]:
    """For the subject of a report: what was asked for beside the objective."""
    length, paths = program["path_length"], program["paths"]
    given = {
        "then": "path-length" if program["shortest"] else None,
        "path_length": None if length is None else str(length),
        "paths": None if paths is None else paths.name,
    }
    return {name: value for name, value in given.items() if value is not None}


def answer_of(
    made: Any,
    claims: Sequence[Claim],
    more: dict[str, Any],
    program: Mapping[str, Any],
    setting: Setting,
    lanes: VirtualChannels | None = None,
) -> DesignAnswer[Any]:
    """With a claim, where the paths are for a number of virtual channels or have ``lanes``, that so many suffice."""
    paths, stated = program["paths"], [*claims]
    if lanes is None and paths is not None and virtual_channels_of(paths.name) is not None:
        lanes = virtual_channels(made.routing)
    stated += [] if lanes is None else [lanes.claim()]
    return DesignAnswer(
        routing=made.routing, topology=setting.topology, more=more, stated=stated, made=made, lanes=lanes
    )


def fitted_tables(
    made: Design, entries: int, program: Mapping[str, Any], demands: DemandSet | None, members: int | None = None
) -> Design:
    if program["path_length"] is not None:
        raise InputError("a bound on the path length does not go with tables of few entries: rounding may exceed it")
    if demands is not None and demands.adaptive_load is not None:
        raise InputError(f"tables of few entries are not available yet over {demands.text}")
    return fitted(made, entries, lambda routing: worst_over(routing, demands), members=members)


def with_simpler_paths(answer: DesignAnswer[Design], program: Mapping[str, Any]) -> DesignAnswer[Design]:
    """The same answer, with a note where paths of at most two turns are as good and fewer: for people to try.

    They are solved for only where that takes a second or two, in what is left of the time: an exact design of few
    nodes and a small program, over all paths, that has no name.
    """
    made, network, limit = answer.made, answer.network, program["time_limit"]
    restricted = any(x is not None for x in (program["paths"], program["path_length"], made.demands))
    if restricted or made.gap or made.reduction is None or made.known:
        return answer
    if network.num_nodes > _FEW_NODES or len(made.reduction.pairs) * network.num_channels > _FEW_CELLS:
        return answer
    try:
        with ended_in_time(None if limit is None else max(limit - answer.seconds, 0.0)):
            simple = design_restricted(
                network, path_set("2turn", network), shortest=program["shortest"], symmetry=program["symmetry"]
            )
    except (InputError, OutOfTimeError):  # another network, or not exact
        return answer
    all_paths, few = _paths_a_pair(made), _paths_a_pair(simple)
    if simple.load != made.load or few >= all_paths:
        return answer
    longer = float(simple.length / made.length - 1)
    note = (
        f"--paths 2turn has the same worst case with paths of at most two turns, {few:.1f} for a pair, where this "
        f"design has {all_paths:.1f}{f'; its average path is {longer:.1%} longer' if longer > 0 else ''}"
    )
    return replace(answer, notes=(*answer.notes, note))


def _paths_a_pair(made: Design) -> float:
    assert made.reduction is not None
    pairs = made.reduction.pairs
    count = sum(x.size * len(made.routing.decomposition(x.source, x.destination)) for x in pairs)
    return count / sum(x.size for x in pairs)


def capacity_claim(network: Network, *, seconds: float | None = None) -> Claim | None:
    """The capacity of the network as a claim, by a formula or by a program; None where neither settles it, in a part of
    so many ``seconds``."""
    most = None if seconds is None else _SHARE * seconds
    try:
        with ended_in_time(most):
            return capacity(network) or capacity_if_possible(network, seconds=most)
    except KeyboardInterrupt as error:
        if type(error) is not OutOfTimeError and not was_interrupted():
            raise
    return None  # whoever asks goes on: what is known by then is the answer
