"""What the rounds reached, made exact where its numbers are short enough, else rounded."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from ...core.network import Network
from ...core.rational import as_int_array
from ...core.symmetry import orbit_labels
from ...demand_sets.demand_set import GivenDemands
from ...demand_sets.hull import Routable
from ...formats.documents.packed_ints import pack_ints
from ...graphs.flow_paths import whole_paths
from ...graphs.shortest import EveryPair
from ...kernel.gauges import Flows
from ...lp.exact import ExactPoint, NotExactError, exact_dual, exact_primal, without_common_factor
from ...routing.classes.path_classes import ClassLoads, PathClassRouting
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import ClassSymmetry
from ...symmetry.pair_classes import Reduction
from ..design import Bound
from ..program.flow_program import open_classes
from ..program.flows import classes_from_exact, routing_from_classes
from ..program.path_variables import designed_name, with_paths_of
from ..program.rounding import rounded_flows
from .program import PathRow, RatioProgram
from .rounds import Rounds
from .system import Distances

EXACT_COLUMNS = 8_000  # beyond this rounds take minutes, where an interior point takes seconds
_MOST_BITS = 4_000  # of a denominator
_MOST_SUM = 1 << 53


@dataclass(frozen=True, eq=False)
class Solution:
    """``classes``: what the routing does for one pair of every class; ``flows``: the adversaries, by channel.

    ``length``: (C, C), lengths for every channel, in ``whole`` numbers or not; ``routing``: with explicit paths, where
    these are of a set (then ``classes`` are not asked for); ``gap``: what is left to the optimum, about, relative to
    it; ``interrupted``: by the user, or by the time."""

    program: RatioProgram
    classes: list[ClassLoads]
    flows: dict[int, npt.NDArray[Any]]
    length: npt.NDArray[Any]
    whole: bool
    routing: PathClassRouting | None = None
    gap: float = 0.0
    interrupted: bool = False

    @property
    def reduction(self) -> Reduction:
        return self.program.reduction


def solution_of(program: RatioProgram, rounds: Rounds) -> Solution:
    if rounds.complete and program.base.num_columns <= EXACT_COLUMNS:
        with suppress(NotExactError):
            return _exact(program, rounds)
    feasible = rounds.complete or rounds.interrupted  # what its lengths prove is known at once
    x, gap = rounds.x if feasible else rounds.proposal.x, 0.0 if rounds.complete else float("inf")
    flows = flows_from_floats(program, rounds.rows, rounds.proposal.y)
    return rounded_solution(program, x, flows, gap, interrupted=rounds.interrupted)


def rounded_solution(
    program: RatioProgram, x: Float64, flows: dict[int, npt.NDArray[Any]], gap: float, *, interrupted: bool
) -> Solution:
    """The routing and the lengths near ``x``, by column, with these adversaries."""
    length = np.maximum(x[program.length], 0.0)
    routing, classes = None, list[ClassLoads]()
    if program.variables is not None:
        routing = program.variables.routing_from_floats(designed_name(program.allowed), x)
    else:
        classes = _rounded(program, x)
        routing = _with_paths(program, classes)
    return Solution(
        program, classes, flows, _for_all(program, length), whole=False, routing=routing, gap=gap,
        interrupted=interrupted,
    )  # fmt: skip


def _exact(program: RatioProgram, rounds: Rounds) -> Solution:
    every = program.with_rows(rounds.rows)
    point, dual = exact_primal(every, rounds.proposal), exact_dual(every, rounds.proposal)
    if point.den.bit_length() > _MOST_BITS:
        raise NotExactError("its flows are too long for a report")
    flows = flows_from_exact(program, rounds.rows, dual)
    classes = classes_from_exact(program.reduction, program.flow, point)
    if program.variables is not None:
        routing: PathClassRouting | None = program.variables.routing_from_exact(designed_name(program.allowed), point)
    else:
        routing = _with_paths(program, classes)
    lengths = [without_common_factor(point.num[columns]) for columns in program.length]
    whole = all(int(x.sum()) < _MOST_SUM for x in lengths)
    length = np.stack([x.astype(np.int64 if whole else np.float64) for x in lengths])
    return Solution(program, classes, flows, _for_all(program, length), whole, routing)


def _with_paths(program: RatioProgram, classes: list[ClassLoads]) -> PathClassRouting | None:
    """The paths of the flows, where these are limited to channels."""
    if program.allowed is None:
        return None
    own = routing_from_classes(program.reduction, classes)
    return with_paths_of(own, designed_name(program.allowed), program.allowed)


def _rounded(program: RatioProgram, x: Float64) -> list[ClassLoads]:
    def flows() -> Any:
        for k, (pair, columns) in enumerate(zip(program.reduction.pairs, program.flow, strict=True)):
            variable, count = open_classes(program.reduction.network, pair, program.allowed)
            amount = np.zeros(count)
            live = variable >= 0
            amount[variable[live]] = np.maximum(x[columns[live]], 0.0)
            yield k, variable, amount

    return rounded_flows(program.reduction, flows())


def _for_all(program: RatioProgram, length: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(C, C): from lengths (F, C) of focus channels those of every channel."""
    network = program.reduction.network
    opposite = network.reverse if program.reduction.reversal else None
    number = {c: k for k, c in enumerate(program.focus.tolist())}
    found = np.zeros((network.num_channels, network.num_channels), dtype=length.dtype)
    for c, r in enumerate(program.orbits.rep.tolist()):
        if r in number:
            found[c] = length[number[r]][program.orbits.to[c].node]
    if opposite is not None:
        for c, r in enumerate(program.orbits.rep.tolist()):
            if r not in number:
                found[c] = found[opposite[c]][opposite]
    return found


_LARGEST = 1 << 120
_FINE, _FINEST = 1 << 34, 1 << 40


class FlowAdversary(Bound):
    """Flows against one channel of every class, the weight of hops beside them, and the line that they prove."""

    def __init__(
        self, network: Network, flows: Flows, symmetry: ClassSymmetry, hops: int = 0, paths: PathSet | None = None
    ) -> None:
        self.network, self.flows, self.symmetry = network, dict(flows), symmetry
        given = GivenDemands(self.flows, symmetry.generators, symmetry.reversal)
        self.prove(network, Routable(network.num_terminals).gauge(network, given), hops, paths)

    def data(self) -> dict[str, Any]:
        """As evidence: {"symmetry", "hops", "flows": [{"channel", "flow"}, ...]}."""
        flows = [{"channel": c, "flow": pack_ints(x.ravel(), wide=True)} for c, x in self.flows.items()]
        return {"symmetry": self.symmetry.described(), **self.meant(), "flows": flows}


def flows_from_exact(program: RatioProgram, rows: Sequence[PathRow], dual: ExactPoint) -> dict[int, npt.NDArray[Any]]:
    """The adversaries of exact multipliers; raises NotExactError where they are too long."""
    first = program.base.num_rows
    amounts = [dual.fraction(first + r) / int(program.members[row.focus]) for r, row in enumerate(rows)]
    common = lcm(*(x.denominator for x in amounts))
    if common > _LARGEST:
        raise NotExactError("its multipliers are too long")
    return _flows(program, rows, [int(x * common) for x in amounts])


def flows_from_floats(program: RatioProgram, rows: Sequence[PathRow], y: Float64) -> dict[int, npt.NDArray[Any]]:
    """The adversaries of approximate multipliers, rounded down to whole numbers."""
    focus = [row.focus for row in rows]
    amounts = np.maximum(y[program.base.num_rows :], 0.0) / program.members[focus]
    top = float(amounts.max(initial=0.0))
    scale = float(_FINE) / top if top > 0 else 0.0
    return _flows(program, rows, np.floor(amounts * scale).astype(np.int64).tolist())


def flows_from_arcs(shape: Distances, y: Float64) -> dict[int, npt.NDArray[Any]]:
    """The adversaries of approximate multipliers (F, A), rounded down to whole numbers.  What then leaves a node that
    it does not reach is sent there from the source, and what stays where no terminal receives is not sent."""
    network, program = shape.program.reduction.network, shape.program
    amounts = np.maximum(y, 0.0) / program.members[:, None]
    flow = np.zeros((shape.num_focus, shape.num_nodes, shape.num_channels), dtype=np.int64)
    arcs = np.floor(amounts * (_FINEST / max(float(amounts.max(initial=0.0)), 1e-300))).astype(np.int64)
    flow[:, shape.source[shape.arc_source], shape.arc] = arcs
    paths = EveryPair(network, np.ones((1, shape.num_channels)))
    stays = np.zeros((*flow.shape[:2], shape.num_nodes), dtype=np.int64)
    stays[:, shape.source] = -shape.leaving(arcs.astype(np.float64)).reshape(len(flow), -1, shape.num_nodes)
    for i, v in product(shape.source.tolist(), range(shape.num_nodes)):
        missing = np.maximum(-stays[:, i, v], 0)
        if missing.any():
            flow[:, i, list(paths.path(0, i, v))] += missing[:, None]
    for k, i, v in np.argwhere((stays > 0) & (network.demand == 0)).tolist():
        carried = {e: int(flow[k, i, e]) for e in np.flatnonzero(flow[k, i]).tolist()}
        for width, path in whole_paths(network, carried, i, v, int(stays[k, i, v])):
            flow[k, i, path] -= width
    return {c: flow[k] for k, c in enumerate(program.focus.tolist()) if flow[k].any()}


def _flows(program: RatioProgram, rows: Sequence[PathRow], amounts: Sequence[int]) -> dict[int, npt.NDArray[Any]]:
    """The flows along paths, averaged over the symmetries that fix their channel, all times one whole number."""
    network = program.reduction.network
    nodes, count = network.num_nodes, network.num_channels
    sums = [np.zeros((nodes, count), dtype=object) for _ in program.focus]
    turns = [_turn(program, int(c)) for c in program.focus]
    for row, amount in zip(rows, amounts, strict=True):
        if not amount:
            continue
        own, turn = sums[row.focus], turns[row.focus]
        own[row.source, list(row.path)] += amount if turn is not None else 2 * amount
        if turn is not None:
            node, channel = turn
            own[node[row.destination], channel[list(row.path)]] += amount
    labels, spread, common = [], [], 1
    key = np.arange(nodes * count).reshape(nodes, count)
    for fixing in program.fixing:
        label = orbit_labels(nodes * count, [key[g.channel][:, g.node].ravel() for g in fixing])
        labels.append(label)
        spread.append(np.bincount(label, minlength=nodes * count))
        common = lcm(common, *np.unique(spread[-1][label]).tolist())
    result = {}
    for k, c in enumerate(program.focus.tolist()):
        total = np.zeros(nodes * count, dtype=object)
        used = np.flatnonzero(sums[k].ravel() != 0)
        np.add.at(total, labels[k][used], sums[k].ravel()[used])
        each = [
            int(x) * (common // int(n)) if x else 0 for x, n in zip(total.tolist(), spread[k].tolist(), strict=True)
        ]
        if max(each, default=0) > _LARGEST:
            raise NotExactError("its multipliers are too long")
        if any(each):
            result[c] = as_int_array([each[at] for at in labels[k].tolist()]).reshape(nodes, count)
    return result


def _turn(program: RatioProgram, channel: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]] | None:
    """(nodes, channels): a symmetry that reverses paths and leaves ``channel``, a representative, where it is; None
    where there is none."""
    opposite = program.reduction.network.reverse if program.reduction.reversal else None
    if opposite is None or int(program.orbits.rep[opposite[channel]]) != channel:
        return None
    back = program.orbits.to[int(opposite[channel])]
    return back.channel, back.node[opposite]
