"""Networks as those who connect calls see them: places that at most one call can use, and where each leads.

Whether such a network can block is a formula.  A state is a set of calls along disjoint paths.  It blocks if, for some
input and some output that make no call, every path between them meets a call.  Every state can be reached call by call,
so a network without such a state is nonblocking in the strict sense: whatever paths were chosen, every call gets
through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..arrays import Int32, Int64, members
from ..errors import VerificationError


@dataclass(frozen=True, eq=False)
class CallGraph:
    """V vertices without cycles, each of which carries at most one call; T inputs are the first, T outputs the last.

    A call from input i to output j is a path from vertex i to vertex V - T + j.  Vertices are switches where switches
    hold one call (``exclusive`` = "switches"), channels where switches are crossbars ("channels").

    - ``start``: int64, shape (V + 1,); ``head``: int32: vertex v leads to ``head[start[v] : start[v + 1]]``.
    - ``low``, ``high``: int32, shape (V,): no path leads from v to an output below ``low[v]`` or above ``high[v]``.
    - ``level``: int32, shape (V,): increases along every edge.
    - ``split``: int8, shape (V,): 1 for a switch whose edges lead up or down (a splitter's), 0 for one that merges,
      -1 where the rule of busy and blocked switches does not apply; ``side``: int8, the side of every edge, 0 or 1.
    """

    name: str
    terminals: int
    exclusive: str
    start: Int64
    head: Int32
    low: Int32
    high: Int32
    level: Int32
    split: npt.NDArray[np.int8]
    side: npt.NDArray[np.int8]
    load: int = 1

    def __post_init__(self) -> None:
        for array in (self.start, self.head, self.low, self.high, self.level, self.split, self.side):
            array.setflags(write=False)

    @property
    def num_vertices(self) -> int:
        return len(self.level)

    def output(self, j: int) -> int:
        """The vertex of output ``j``."""
        return self.num_vertices - self.terminals + j

    def heads(self, v: int) -> list[int]:
        """Where vertex ``v`` leads, in order of colours or channels."""
        found: list[int] = self.head[self.start[v] : self.start[v + 1]].tolist()
        return found


def check_call_path(graph: CallGraph, path: Sequence[int], used: set[int]) -> tuple[int, int]:
    """(input, output) of a call along ``path``; raises VerificationError unless it is a path of vertices not used."""
    if len(path) < 2 or not all(type(v) is int and 0 <= v < graph.num_vertices for v in path):
        raise VerificationError("a call's path is not a list of places of the network")
    i, j = path[0], path[-1] - (graph.num_vertices - graph.terminals)
    if i >= graph.terminals or j < 0:
        raise VerificationError("a call's path does not lead from an input to an output")
    for v, w in pairwise(path):
        if w not in graph.heads(v):
            raise VerificationError(f"a call's path goes from place {v} to {w}, which are not joined")
    shared = used.intersection(path)
    if shared:
        raise VerificationError(f"two calls use place {min(shared)}")
    return i, j


def is_joined(graph: CallGraph, i: int, j: int, used: set[int]) -> bool:
    """Is there a path from input ``i`` to output ``j`` through vertices not in ``used``?"""
    goal = graph.output(j)
    if i in used or goal in used:
        return False
    seen, waiting = {*used, i}, [i]
    while waiting and goal not in seen:
        ahead = set(graph.heads(waiting.pop())) - seen
        seen |= ahead
        waiting += ahead
    return goal in seen


@dataclass(frozen=True)
class BlockingFormula:
    """``clauses`` over variables 1 .. ``num_variables``; the variable of edge k is ``first_edge`` + k."""

    num_variables: int
    clauses: list[list[int]]
    first_edge: int
    tail: list[int]
    head: list[int]


def blocking_formula(graph: CallGraph) -> BlockingFormula:
    """The clauses of ``graph``; parallel edges count once.  A solution is a blocking state, a refutation excludes it.

    Variables: idle input i, idle output j, vertex v used, vertex v reached, edge e used by a call.
    """
    terminals, vertices = graph.terminals, graph.num_vertices
    edges = np.unique(np.stack([members(graph.start), graph.head.astype(np.int64)], axis=1), axis=0).tolist()
    idle_in = range(1, terminals + 1)
    idle_out = range(terminals + 1, 2 * terminals + 1)
    used = range(2 * terminals + 1, 2 * terminals + 1 + vertices)
    reached = range(used.stop, used.stop + vertices)
    edge = range(reached.stop, reached.stop + len(edges))
    leaving: list[list[int]] = [[] for _ in range(vertices)]
    entering: list[list[int]] = [[] for _ in range(vertices)]
    for k, (v, w) in enumerate(edges):
        leaving[v].append(edge[k])
        entering[w].append(edge[k])
    clauses = [list(idle_in), list(idle_out)]
    last = vertices - terminals
    for v in range(vertices):
        # A vertex in use has one edge in and one edge out in use; inputs have none in, outputs none out.
        for around in [leaving[v]] if v < terminals else [entering[v]] if v >= last else [entering[v], leaving[v]]:
            clauses.append([-used[v], *around])
            clauses += [[-x, used[v]] for x in around]
            clauses += [[-x, -y] for k, x in enumerate(around) for y in around[:k]]
    for t in range(terminals):
        clauses += [[-idle_in[t], -used[t]], [-idle_in[t], reached[t]]]
        clauses += [[-idle_out[t], -used[last + t]], [-idle_out[t], -reached[last + t]]]
    for v, w in edges:
        clauses.append([-reached[v], reached[w]] if w >= last else [-reached[v], used[w], reached[w]])
    return BlockingFormula(edge.stop - 1, clauses, edge.start, [v for v, _ in edges], [w for _, w in edges])
