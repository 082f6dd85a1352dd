"""The routing-state transition graph towards one destination, and the expected crossings that it means.

Source: the graph T and the visit probabilities V of Towles & Dally 2002 (SPAA), sec. 3.5.  The paper takes T to be
acyclic; here a strongly connected part that packets leave again is solved as a linear system, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.display import short
from ...core.exact_arrays import concatenate, reduced
from ...core.graph import numbering_or_cycle
from ...core.rational import INT64_MAX, Rationals
from ...core.strangers import is_interrupt
from .user_function import Caller

DELIVERED = -1
_CELLS = 8_000_000  # visit amounts held at once: vertices times sources


@dataclass(frozen=True, eq=False)
class TransitionGraph:
    """Vertex v is (``state[v]``, ``node[v]``); its edges are (target or DELIVERED, channel, numerator, denominator).

    ``parts``: the strongly connected components, every edge between two of them leading to a later one.
    """

    destination: int
    state: list[Any]
    node: list[int]
    edges: list[list[tuple[int, int, int, int]]]
    parts: list[list[int]]


def explore(caller: Caller, start: Any, sources: Iterable[int], destination: int, limit: int) -> TransitionGraph:
    """All that packets from ``sources`` can get to; vertex k is the start of the k-th source.

    Raises InputError for whatever is wrong with the function's answers, for more than ``limit`` vertices, and for a
    loop that packets never leave.
    """
    number: dict[tuple[Any, int], int] = {}
    vertices: list[tuple[Any, int]] = []
    for s in sources:
        caller.check_state(start, s, destination, came_from=start)
        number[start, s] = len(vertices)
        vertices.append((start, s))
    edges: list[list[tuple[int, int, int, int]]] = []
    head = caller.network.head.tolist()
    for at, (state, node) in enumerate(vertices):  # grows while it is walked
        scale, steps = caller(state, node, destination)
        if _place(number, state, node) != at:
            raise caller.fault(state, node, destination, "has changed the state that it was given; return a new one")
        mine = []
        for num, next_state, channel in steps:
            common = math.gcd(num, scale)
            v = head[channel]
            if v == destination and not caller.passes_destination:
                target = DELIVERED
            else:
                try:
                    target = number.setdefault((next_state, v), len(vertices))
                except BaseException as error:  # whatever the state's __hash__ or __eq__ raises
                    if is_interrupt(error):
                        raise
                    caller.check_state(next_state, node, destination, came_from=state)
                    problem = f"state {short(next_state)} cannot be compared: {type(error).__name__}"
                    raise caller.fault(state, node, destination, problem) from error
                if target == len(vertices):
                    vertices.append((next_state, v))
            mine.append((target, channel, num // common, scale // common))
        edges.append(mine)
        if len(vertices) > limit:
            raise caller.fault(
                state, node, destination,
                f"has more than {limit:,} pairs of state and node; raise the limit (states=...) or sample its paths "
                f"(samples=...)",
            )  # fmt: skip
    parts = _components(edges)
    graph = TransitionGraph(destination, [s for s, _ in vertices], [v for _, v in vertices], edges, parts)
    _check_exits(caller, graph)
    return graph


def _place(number: dict[tuple[Any, int], int], state: Any, node: int) -> int | None:
    """The vertex under which ``state`` at ``node`` is known; None where its hash or value is no more what it was."""
    try:
        return number.get((state, node))
    except BaseException as error:  # a user's __hash__ or __eq__ may raise anything
        if is_interrupt(error):
            raise
        return None


def _components(edges: list[list[tuple[int, int, int, int]]]) -> list[list[int]]:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    ends = [(v, edge[0]) for v, mine in enumerate(edges) for edge in mine if edge[0] != DELIVERED]
    tail, head = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    graph = csr_matrix((np.ones(len(tail)), (tail, head)), shape=(len(edges), len(edges)))
    count, label = connected_components(graph, connection="strong")
    if (label[tail] > label[head]).any():  # scipy promises no order
        across = np.flatnonzero(label[tail] != label[head])
        level, _ = numbering_or_cycle(count, label[tail[across]], label[head[across]])
        assert level is not None
        label = np.lexsort((np.arange(count), level)).argsort()[label]
    order = np.argsort(label, kind="stable")
    return [part.tolist() for part in np.split(order, np.flatnonzero(np.diff(label[order])) + 1)]


def _check_exits(caller: Caller, graph: TransitionGraph) -> None:
    """Raise InputError, naming the cycle, where packets can get into a component that they never leave."""
    for part in graph.parts:
        if len(part) == 1:
            continue
        inside = set(part)
        if any(target not in inside for v in part for target, _, _, _ in graph.edges[v]):
            continue
        loop, seen = [part[-1]], {part[-1]: 0}
        while (v := graph.edges[loop[-1]][0][0]) not in seen:
            seen[v] = len(loop)
            loop.append(v)
        loop = loop[seen[v] :]
        names = [f"{graph.node[v]} ({short(graph.state[v], 24)})" for v in loop]
        if len(names) > 8:
            names = [*names[:7], f"... {len(names) - 7} more"]
        first = loop[0]
        raise caller.fault(
            graph.state[first], graph.node[first], graph.destination,
            f"never delivers: packets run for ever in the loop of nodes (states) {' -> '.join([*names, names[0]])}",
        )  # fmt: skip


def crossings(
    graph: TransitionGraph, num_sources: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Rationals]:
    """(source's number, channel, expected crossings of the channel by its packet) for all that are not zero."""
    if any(len(part) > 1 for part in graph.parts):
        return _with_cycles(graph, num_sources)
    order = [part[0] for part in graph.parts]
    # A packet's amount at v is a multiple of need[v], if it starts with a multiple of need at its source.
    need = [1] * len(order)
    for v in reversed(order):
        need[v] = math.lcm(
            *(den * (1 if target == DELIVERED else need[target]) for target, _, _, den in graph.edges[v])
        )
    times: dict[int, int] = {}
    for mine in graph.edges:
        for _, channel, _, _ in mine:
            times[channel] = times.get(channel, 0) + 1
    widest = max(need[:num_sources], default=1)
    kind: Any = np.int64 if widest * max(times.values(), default=1) <= INT64_MAX else object
    return _without_cycles(graph, order, need[:num_sources], sorted(times), kind)


def _without_cycles(
    graph: TransitionGraph, order: list[int], scales: list[int], channels: list[int], kind: Any
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Rationals]:
    """All sources at once, a block of them at a time, in integers of this ``kind``."""
    place = {c: k for k, c in enumerate(channels)}
    block = max(1, _CELLS // (len(order) + len(channels) + 1))
    found = []
    for low in range(0, len(scales), block):
        scale = np.array(scales[low : low + block], dtype=kind)
        amount = np.zeros((len(order), len(scale)), dtype=kind)
        load = np.zeros((len(channels), len(scale)), dtype=kind)
        amount[np.arange(low, low + len(scale)), np.arange(len(scale))] = scale
        for v in order:
            here = amount[v]
            for target, channel, num, den in graph.edges[v]:
                share = here if den == 1 else here // den * num
                load[place[channel]] += share
                if target != DELIVERED:
                    amount[target] += share
        which, source = np.nonzero(load)
        value = reduced(load[which, source], scale[source])
        found.append((source + low, np.array(channels, dtype=np.int64)[which], value))
    return (
        np.concatenate([f[0] for f in found]),
        np.concatenate([f[1] for f in found]),
        concatenate([f[2] for f in found]),
    )


def _with_cycles(
    graph: TransitionGraph, num_sources: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Rationals]:
    """With fractions; every component of several vertices is eliminated once, then solved per source."""

    solver = {}
    first = [0] * len(graph.edges)
    for k, part in enumerate(graph.parts):
        for v in part:
            first[v] = k
        if len(part) > 1:
            inside = set(part)
            solver[k] = Elimination(
                {v: [(t, Fraction(num, den)) for t, _, num, den in graph.edges[v] if t in inside] for v in part}
            )
    entries: list[tuple[int, int]] = []
    values: list[Fraction] = []
    for source in range(num_sources):
        amount: dict[int, Fraction] = {source: Fraction(1)}
        load: dict[int, Fraction] = {}
        for k in range(first[source], len(graph.parts)):
            part = graph.parts[k]
            inflow = {v: amount[v] for v in part if v in amount}
            if not inflow:
                continue
            visits = solver[k].visits(inflow) if k in solver else inflow
            for v, x in visits.items():
                for target, channel, num, den in graph.edges[v]:
                    share = x * Fraction(num, den)
                    load[channel] = load.get(channel, Fraction(0)) + share
                    if target != DELIVERED and first[target] != k:
                        amount[target] = amount.get(target, Fraction(0)) + share
        entries += [(source, channel) for channel in load]
        values += load.values()
    flat = np.array(entries, dtype=np.int64).reshape(-1, 2)
    return flat[:, 0], flat[:, 1], Rationals.of(values)


class Elimination:
    """``moves[v]``: (w, probability) of the steps from v that stay inside; the rest of the probability leaves.

    Vertices are eliminated one by one, the one with the fewest ways through it first; what went in by u and out by w
    becomes a step from u to w.  This is sparse Gaussian elimination of I - P without pivoting, exact in fractions;
    no pivot is zero as long as the outside can be reached from every vertex (the caller's duty).
    """

    def __init__(self, moves: Mapping[int, Iterable[tuple[int, Fraction]]]) -> None:
        out: dict[int, dict[int, Fraction]] = {v: {} for v in moves}
        into: dict[int, set[int]] = {v: set() for v in moves}
        for v, steps in moves.items():
            for w, p in steps:
                out[v][w] = out[v].get(w, Fraction(0)) + p
                into[w].add(v)
        # (vertex, 1 / (1 - probability to come back at once), what it passes on, by whom it is entered)
        self._steps: list[tuple[int, Fraction, list[tuple[int, Fraction]], list[tuple[int, Fraction]]]] = []
        while out:
            v = min(out, key=lambda x: (len(out[x]) * len(into[x]), x))
            stay = out[v].pop(v, Fraction(0))
            into[v].discard(v)
            factor = 1 / (1 - stay)
            passes = [(w, p * factor) for w, p in out.pop(v).items()]
            enters = [(u, out[u].pop(v)) for u in sorted(into.pop(v))]
            for w, _ in passes:
                into[w].discard(v)
            for u, p in enters:
                for w, q in passes:
                    out[u][w] = out[u].get(w, Fraction(0)) + p * q
                    into[w].add(u)
            self._steps.append((v, factor, passes, enters))

    def visits(self, inflow: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """How often each vertex is visited on average, when ``inflow[v]`` walks start at v; zeros left out."""
        waiting = dict(inflow)
        for v, _, passes, _ in self._steps:
            x = waiting.get(v)
            if x:
                for w, q in passes:
                    waiting[w] = waiting.get(w, Fraction(0)) + x * q
        result: dict[int, Fraction] = {}
        for v, factor, _, enters in reversed(self._steps):
            x = waiting.get(v, Fraction(0)) + sum((result[u] * p for u, p in enters if u in result), Fraction(0))
            if x:
                result[v] = x * factor
        return result
