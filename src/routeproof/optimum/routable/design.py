"""The routing with the best oblivious ratio: what it reaches and what no routing can beat, both certified.

The ratio compares a routing with the best that could be done for every demand by itself, so it is at least 1 on every
network; 1 on trees and rings of one direction, where nothing can be chosen.

A network in parts, which single nodes separate, is solved part by part and put together again.  A packet between two
nodes crosses each part at most once, from one fixed node to another.  Where every node that separates parts has
terminals, what can be routed inside a part is all that the part may ever see, so the best ratio of the network is the
largest of its parts', and each part is a smaller program.

Source: Azar, Cohen, Fiat, Kaplan & Raecke 2003 (STOC); Applegate & Cohen 2003 (SIGCOMM); biconnected components,
Hopcroft & Tarjan 1973.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Stage, silent
from ...demand_sets.hull import Routable
from ...formats.documents.packed_ints import pack_ints
from ...machine.deadlines import Deadline, held_interrupts, was_interrupted
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...routing.base.views import dense
from ...routing.classes.path_classes import ClassLoads
from ...routing.classes.symmetric import routing_of_classes
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import ClassSymmetry
from ...symmetry.channel_classes import channel_classes
from ...symmetry.pair_classes import Reduction, check_nodes, reduce
from ...worst.locality import average_path_length, minimal_average
from ...worst.routable.loads import PairLoads, pair_loads
from ...worst.routable.packing import best_lengths
from ...worst.routable.ratio import ObliviousRatio, oblivious_ratio, ratio_claims
from ...worst.scan.exact import WorstCase
from ..design import Bound, Design, NothingReachedError
from ..program.flow_program import flows_of_pairs
from ..program.flows import NAME, routing_of_flows
from .interior import RatioInterior
from .program import RatioProgram, ratio_program
from .rounds import solve_by_rounds
from .solution import EXACT_COLUMNS, FlowAdversary, Solution, flows_from_arcs, rounded_solution, solution_of
from .system import Distances


@dataclass(frozen=True, eq=False)
class Part:
    """``network``, whose nodes and channels are ``node`` and ``channel`` of the whole; ``gate``: int64 (N,), the part's
    node through which each node of the whole reaches it."""

    network: Network
    node: Int64
    channel: Int64
    gate: Int64


def parts_of(network: Network) -> list[Part]:
    """The largest first; one part where nothing separates, or nodes that do have no terminals."""
    import networkx as nx

    graph = nx.Graph(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    blocks, cut = [sorted(x) for x in nx.biconnected_components(graph)], [*nx.articulation_points(graph)]
    if not cut or any(not network.supply[v] or not network.demand[v] for v in cut):
        return [whole_of(network)]
    if any(np.count_nonzero(network.supply[some]) != np.count_nonzero(network.demand[some]) for some in blocks):
        return [whole_of(network)]  # a part is a network of its own, with as many senders as receivers
    found = [_part(network, np.array(some, dtype=np.int64)) for some in sorted(blocks)]
    return sorted((part for part in found if _crossed(part.network)), key=lambda part: -part.network.num_channels)


def whole_of(network: Network) -> Part:
    """The network as its only part."""
    everything = np.arange(network.num_nodes)
    return Part(network, everything, np.arange(network.num_channels), everything)


def _crossed(network: Network) -> bool:
    """Has it two terminals at different nodes, one that sends and one that receives?"""
    senders, receivers = set(network.source.tolist()), set(network.sink.tolist())
    return bool(senders and receivers) and len(senders | receivers) > 1


def _part(network: Network, node: Int64) -> Part:
    number = np.full(network.num_nodes, -1, dtype=np.int64)
    number[node] = np.arange(len(node))
    tail, head = number[network.tail], number[network.head]
    channel = np.flatnonzero((tail >= 0) & (head >= 0))
    senders, receivers = np.flatnonzero(network.supply[node]), np.flatnonzero(network.demand[node])
    own = Network.of(
        f"{network.name} ({len(node)} nodes)", len(node), np.stack([tail[channel], head[channel]], axis=1),
        bandwidth=[network.bandwidth[c] for c in channel.tolist()], source=senders, sink=receivers,
        labels=[network.label(v) for v in node.tolist()],
    )  # fmt: skip
    outside = np.ones(network.num_channels, dtype=np.bool_)
    outside[channel] = False
    gate = number.copy()
    while True:
        before = gate.copy()
        for one, other in ((network.tail, network.head), (network.head, network.tail)):
            reached = outside & (gate[one] >= 0) & (gate[other] < 0)
            gate[other[reached]] = gate[one[reached]]
        if np.array_equal(before, gate):
            return Part(own, node, channel, gate)


def composed_routing(network: Network, parts: Sequence[Part], solved: Sequence[Solution]) -> Routing:
    """The routing that goes through the parts as their solutions do; by pairs of nodes, and reversal if all have it."""
    reversal = all(one.reduction.reversal for one in solved)
    tables = [_loads(one) for one in solved]
    classes = []
    for i in np.flatnonzero(network.supply).tolist():
        for j in np.flatnonzero(network.demand).tolist():
            if i == j or (reversal and i > j):
                continue
            loads: list[tuple[int, int, int]] = []
            for part, table in zip(parts, tables, strict=True):
                u, v = int(part.gate[i]), int(part.gate[j])
                if u != v:
                    loads += [(int(part.channel[c]), x, unit) for c, x, unit in table[u, v]]
            loads.sort()
            den = lcm(*{unit for _, _, unit in loads})
            whole = [x * (den // unit) for _, x, unit in loads]
            classes.append(ClassLoads(i, j, np.array([c for c, _, _ in loads], dtype=np.int32), whole, den))
    return routing_of_classes(network, NAME, classes, ClassSymmetry([], reversal))


def _loads(solved: Solution) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
    """For every pair of a part's nodes the channels that it loads, how much, and in which part of one."""
    reduction = solved.reduction
    count, nodes = reduction.network.num_channels, reduction.network.num_nodes
    place = [np.full(count, -1, dtype=np.int64) for _ in solved.classes]
    values: list[tuple[int, int]] = []
    for one, at in zip(solved.classes, place, strict=True):
        for c, x in zip(one.channel.tolist(), one.load, strict=True):
            at[c] = len(values)
            values.append((x, one.den))
    by_pair = flows_of_pairs(reduction, place, np.arange(count))
    found = {}
    for u in range(nodes):
        for v in range(nodes):
            used = np.flatnonzero(by_pair[:, u, v] >= 0)
            found[u, v] = [(c, *values[at]) for c, at in zip(used.tolist(), by_pair[used, u, v].tolist(), strict=True)]
    return found


def composed_lengths(network: Network, parts: Sequence[Part], solved: Sequence[Solution]) -> npt.NDArray[Any]:
    """(C, C): channels of other parts have no length."""
    whole = all(one.whole for one in solved)
    found = np.zeros((network.num_channels, network.num_channels), dtype=np.int64 if whole else np.float64)
    for part, one in zip(parts, solved, strict=True):
        found[np.ix_(part.channel, part.channel)] = one.length
    return found


def composed_adversary(network: Network, parts: Sequence[Part], solved: Sequence[Solution]) -> FlowAdversary:
    """That of the part which is worst, against the whole."""
    own = [
        FlowAdversary(part.network, one.flows, one.reduction.symmetry) for part, one in zip(parts, solved, strict=True)
    ]
    worst = max(range(len(parts)), key=lambda k: own[k].least_load())
    part, program, reversal = parts[worst], solved[worst].program, all(x.reduction.reversal for x in solved)
    opposite = network.reverse if reversal else None
    flows: dict[int, npt.NDArray[Any]] = {}
    for c, r in enumerate(program.orbits.rep.tolist()):
        at = int(part.channel[c])
        if r not in own[worst].flows or (opposite is not None and int(opposite[at]) in flows):
            continue
        there, flow = program.orbits.to[c], own[worst].flows[r]
        moved = np.zeros((network.num_nodes, network.num_channels), dtype=flow.dtype)
        moved[np.ix_(part.node, part.channel)] = flow[np.ix_(there.channel, there.node)]
        flows[at] = moved
    return FlowAdversary(network, flows, ClassSymmetry([], reversal))


_STOPPED = Fraction(1, 100)  # how exactly a routing is judged that was stopped before its optimum
_LONGER = (0.0, 2.0**-33, 2.0**-31, 2.0**-29)  # than the optimum's: its flows were rounded to 2^-32
_FINE = 1 << 40
_COMPLETE = 1e-7
_BY_ROUNDS = 0.5  # of the time that is left
_BEFORE_LARGEST = 0.25  # of the time that is left, for a smaller part
_ACCURACY, _MOST_ROUNDS = 1e-9, 100
_MOST_WORK = 3e12  # of a round


def design_routable(
    network: Network,
    demands: Routable,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    symmetry: str = "auto",
    solver: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
    proved: Callable[[Bound], None] | None = None,
) -> Design:
    """The routing with the lowest oblivious ratio: exact where its numbers are short enough, else an interval.

    ``symmetry``, ``time_limit``, ``paths`` and ``proved`` as in ``design_worst_case``.  Raises InputError for what it
    cannot do (bounds on path lengths, other solvers), for a missing solver, and for networks that are too large or not
    connected.
    """
    for given, name in ((shortest, "--then path-length"), (path_length is not None, "--path-length")):
        if given:
            raise InputError(
                f"{name} does not go with --demands {demands.text}: its program is solved for the ratio alone"
            )
    if solver not in ("auto", "simplex"):
        raise InputError(f"--solver {solver} does not solve for --demands {demands.text}; auto or simplex was expected")
    check_nodes(network)
    step, deadline = stage or silent, Deadline(time_limit)
    with step("reduction"):
        whole = reduce(network, symmetry=symmetry, within=paths)
        parts = parts_of(network) if paths is None else [whole_of(network)]
    solved: list[Solution] = []
    for part in reversed(parts):  # the largest, which may take all the time, comes last
        own = whole if len(parts) == 1 else reduce(part.network, symmetry=symmetry)
        if own.reversal and not whole.reversal:  # the whole's adversary could not say so
            own = reduce(part.network, symmetry="none")
        until = deadline if part is parts[0] else Deadline(deadline.part(_BEFORE_LARGEST))
        solved.append(_solved(own, paths, until, step))
        if part is not parts[0] and was_interrupted():
            raise KeyboardInterrupt
        if solved[-1].interrupted and time_limit is None:
            deadline = Deadline(0.0)
    solved.reverse()
    gap = max(one.gap for one in solved)
    with step("judging"), held_interrupts():
        if len(parts) == 1:
            routing: Routing = solved[0].routing or routing_of_flows(solved[0].reduction, solved[0].classes)
            length, exact = solved[0].length, solved[0].whole
            adversary = FlowAdversary(network, solved[0].flows, solved[0].reduction.symmetry, paths=paths)
        else:
            routing = composed_routing(network, parts, solved)
            length, exact = composed_lengths(network, parts, solved), all(x.whole for x in solved)
            adversary = composed_adversary(network, parts, solved)
        if proved is not None:
            proved(adversary)
        judged = _bounded(routing, length, whole=exact, near=gap > 0)
    if judged is None:
        judged = _judged(routing, step)
    elif gap > _STOPPED and not was_interrupted():
        with suppress(KeyboardInterrupt):
            judged = min(judged, _judged(routing, step), key=lambda x: x.high or float("inf"))
    with held_interrupts():
        return _design(whole, judged, adversary, demands, complete=gap <= _COMPLETE)


def _solved(own: Reduction, paths: PathSet | None, deadline: Deadline, step: Stage) -> Solution:
    """By rounds where a vertex can be made exact; what these leave undone, by an interior point."""
    with step("program"):
        program = ratio_program(own, paths)
        many = program.base.num_columns > EXACT_COLUMNS
        shape = _distances(program) if many or deadline.left() is not None else None
    if shape is None or not many:
        with step("oblivious ratio") as show:
            limit = deadline if shape is None else Deadline(deadline.part(_BY_ROUNDS))
            found = solve_by_rounds(program, deadline=limit, progress=_shown(show))
        if shape is None or found.complete or found.interrupted or deadline.over:
            with step("rounding"), held_interrupts():
                return solution_of(program, found)
    with step("oblivious ratio") as show:
        method = RatioInterior(shape)
        reached = method.run(_ACCURACY, _MOST_ROUNDS, deadline, _both_ends(show, method))
    with step("rounding"), held_interrupts():
        flows = flows_from_arcs(shape, reached.y)
        return rounded_solution(shape.program, reached.x, flows, reached.gap, interrupted=reached.interrupted)


def _distances(program: RatioProgram) -> Distances | None:
    """For an interior point, which knows no symmetry but reversal; None where there is other, or it would take too
    much."""
    reduction = program.reduction
    if program.allowed is not None:
        return None
    if reduction.generators:
        reduction = reduce(reduction.network, symmetry="translations" if reduction.reversal else "none")
        if reduction.generators:
            return None
    try:
        shape = Distances(program if reduction is program.reduction else ratio_program(reduction))
        check_memory(shape.bytes, "an interior point")
    except InputError:
        return None
    return shape if shape.work <= _MOST_WORK else None


def _shown(show: Any) -> Any:
    if not callable(show):
        return None
    return lambda number, low, _: show(f"oblivious ratio: round {number}, at least {low:.6g}")


def _both_ends(show: Any, method: RatioInterior) -> Callable[[int, float], None] | None:
    def tell(rounds: int, gap: float) -> None:
        high = method.value()
        show(f"oblivious ratio: round {rounds}, about {max(high * (1 - gap), 1.0):.6g} to {high:.6g} (gap {gap:.1e})")

    return tell if callable(show) else None


def _judged(routing: Routing, step: Stage) -> ObliviousRatio:
    show: Any
    with step("judging") as show:
        tell = None if show is None else lambda done, total: show(f"judging: {done} of {total} channels")
        return oblivious_ratio(routing, accuracy=_STOPPED, progress=tell)


def _bounded(routing: Routing, length: npt.NDArray[Any], *, whole: bool, near: bool) -> ObliviousRatio | None:
    """What the lengths (C, C) of every channel prove of the routing: no more than that is known; None where they prove
    nothing.  ``near``: they are not a vertex's."""
    network = routing.network
    routing = dense(routing)
    classes = channel_classes(routing)
    kept, proof, high, worst = list[str](), dict[int, int](), Fraction(0), 0
    for c in classes.focus.tolist():
        loads = pair_loads(routing, c)
        if not len(loads):
            continue
        if whole:
            bound, chosen = loads.bound(length[c]), length[c]
        elif near:
            bound, chosen = _best_bound(loads, length[c])
        else:
            bound, chosen = best_lengths(loads, (length[c],), Fraction(0)) or (None, None)
        if bound is None or chosen is None:
            return None
        proof[c] = len(kept)
        kept.append(pack_ints(np.asarray(chosen)))
        if bound / network.bandwidth[c] > high:
            high, worst = bound / network.bandwidth[c], c
    return ObliviousRatio(routing, Fraction(0), high, worst, (), kept, proof, classes, {})


def _best_bound(loads: PairLoads, length: Float64) -> tuple[Fraction | None, Int64]:
    """What lengths prove that are a little longer where they are any, since flows were rounded."""
    if not length.any():
        return None, length.astype(np.int64)
    scale = _FINE / float(length.max())
    tried = [np.ceil(np.where(length > 0, length + more, 0.0) * scale).astype(np.int64) for more in _LONGER]
    bounds = [(bound, whole) for whole in tried if (bound := loads.bound(whole)) is not None]
    return min(bounds, key=lambda x: x[0], default=(None, tried[0]))


def _design(
    reduction: Reduction, judged: ObliviousRatio, adversary: FlowAdversary, demands: Routable, *, complete: bool
) -> Design:
    routing = judged.routing
    if judged.high is None:
        raise NothingReachedError("interrupted before the routing was judged")
    stated = [x for x in ratio_claims(judged) if x.relation != ">="]
    worst = WorstCase.proved_by(stated, routing, demands, judged.high, judged.channel, {})
    length, minimal = average_path_length(routing), minimal_average(reduction.network)
    return Design(
        reduction, routing, worst, adversary, length, minimal, complete=complete, demands=demands
    )  # fmt: skip
