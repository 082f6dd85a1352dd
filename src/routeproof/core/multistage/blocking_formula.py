"""The question whether a network can block, as clauses: a solution is a blocking state, a refutation excludes it.

A state is a set of calls along disjoint paths.  It blocks if, for some input and some output that make no call, every
path between them meets a call.  Every state can be reached call by call, so a network without such a state is
nonblocking in the strict sense: whatever paths were chosen, every call gets through.

Variables: idle input i, idle output j, vertex v used, vertex v reached, edge e used by a call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import members
from .call_graph import CallGraph

__all__ = ["BlockingFormula", "blocking_formula"]


@dataclass(frozen=True)
class BlockingFormula:
    """``clauses`` over variables 1 .. ``num_variables``; the variable of edge k is ``first_edge`` + k."""

    num_variables: int
    clauses: list[list[int]]
    first_edge: int
    tail: list[int]
    head: list[int]


def blocking_formula(graph: CallGraph) -> BlockingFormula:
    """The clauses of ``graph``; parallel edges count once."""
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
