"""Destination graphs in two other forms: as a tree, and by their slots.

The tree merges paths from their ends, as in Figures 1 to 7 of Hwang, Yao & Dasgupta (sec. 2): the root is node 0; a
level-k edge leads from a level-k vertex to a level-(k - 1) vertex; where two paths agree on their last k steps, those
are drawn once.

Of a slot (step, type) the history of its packets counts (a prefix slot), or their future (a suffix slot), a vector
each. By Lemma B these vectors say everything: a path is a chain of prefix slots, then a chain of suffix slots.

The lemmas of the documentation, with their proofs.  C1 and C2 are the paper's conditions; S_n(u), prefix and suffix as
on that page.

Lemma A (C1 holds if and only if in every slot all packets have one prefix, so a many-one graph of S steps is a set of
vectors grown from {0} to all of Z_t^d, at most one new vector per move type and step). Proof. The first sentence is
C1. Given a graph, let R_n be the prefixes after n steps. A packet that moves at step n + 1 in the slot k has the
prefix p_k of that slot, so only p_k + k can be new: one vector per type. After S steps the prefix of u is u, so R_S
is everything. Conversely let each vector be added once, as p + k with p added before: its path is that of p, then a
wait, then k. Every slot has one prefix.

Lemma B (C2 holds if and only if in every slot all packets share one prefix, or all share one suffix; with p slots of
the first kind and q of the second, t^d <= (1 + p)(1 + q)). Proof. Let a and b of one slot differ in their prefixes, a
and c in their suffixes. By C2 a and b share their suffix, a and c their prefix; so b and c differ in both, against
C2. Call the slots prefix and suffix slots. On the path of u, up to its last prefix slot everything is known from that
slot (p choices, or none: 0); after it there are only suffix slots, and the first of them determines the rest (q
choices, or 0). So u is one of (1 + p)(1 + q) sums.

Lemma C (for d >= 3 a permutation graph of d steps needs (t - 1)^(d - 2) <= d^2 (d - 1) / 6). Proof. A node without a
zero digit must correct one digit at each of the d steps. Step 1 has only prefix slots (the prefix is 0), step d only
suffix slots, so some step k uses a prefix slot and step k + 1 a suffix slot; the two determine the node. For a set A
of k dimensions let x_A be the number of prefix slots of step k whose vectors with their move fill A, and y_A that of
suffix slots of step k + 1 whose vectors with their move fill the other dimensions. Their moves lie in A, or outside
it, so x_A <= k(t - 1) and y_A <= (d - k)(t - 1). Hence for any weights 0 <= w_k <= 1 the number of these nodes is at
most sum_k sum_A x_A y_A <= (t - 1) sum_k [ w_k (d - k) p_k + (1 - w_k) k q_(k+1) ], where p_n and q_n count the slots
of step n and p_n + q_n <= d(t - 1). Take w_n = (n - 1)/(d - 2). Then a prefix slot of step n counts (n - 1)(d - n)/(d
- 2), and a suffix slot of step n counts (1 - w_(n-1))(n - 1) = (d - n)(n - 1)/(d - 2), the same. So (t - 1)^d <= (t -
1) * d(t - 1) * sum_n (n - 1)(d - n)/(d - 2) = (t - 1)^2 d * d(d - 1)/6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Int32, first_true
from ..errors import InputError
from .destination_graph import Cube, DestinationGraph

_FAR = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class SlotForm:
    """``vector``: int32, shape (steps, types + 1): the prefix before, or the suffix after, the move; -1 where unused.

    ``suffix``: bool, the same shape: is it a suffix slot?  A slot whose packets share both is a prefix slot.
    """

    cube: Cube
    vector: npt.NDArray[np.int32]
    suffix: npt.NDArray[np.bool_]


def graph_of_slots(form: SlotForm) -> DestinationGraph:
    """A graph whose paths use these slots only, each node's path with as few moves as the slots allow.

    C2 holds of it, and C1 where there are no suffix slots.  Raises InputError, naming a slot or node, where a slot's
    vector is not made by others or a node is not a sum.
    """
    cube, steps = form.cube, len(form.vector)
    size = cube.num_nodes
    if form.vector.shape != (steps, cube.num_types + 1) or form.suffix.shape != form.vector.shape:
        raise InputError(f"slots have shape {form.vector.shape}; ({steps}, {cube.num_types + 1}) was expected")
    if (form.vector < -1).any() or (form.vector >= size).any():
        raise InputError(f"a slot's vector is outside 0 to {size - 1}")
    heads = _Chains(form, backwards=False)
    tails = _Chains(form, backwards=True)
    moves = np.zeros((size, steps), dtype=np.int16)
    fewest = np.full(size, _FAR, dtype=np.int64)
    way = np.zeros((size, 2), dtype=np.int64)
    b = np.array(tails.vectors)
    late, cost = tails.time[b], tails.moves[b]
    for a in heads.vectors:
        fits = heads.time[a] + late <= steps
        u = cube.add(np.full(len(b), a), b)
        total = np.where(fits, heads.moves[a] + cost, _FAR)
        better = np.nonzero(total < fewest[u])[0]
        fewest[u[better]] = total[better]
        way[u[better], 0], way[u[better], 1] = a, b[better]
    missing = first_true(fewest[1:] == _FAR)
    if missing is not None:
        raise InputError(f"node {cube.label(1 + missing)} is not the sum of a prefix and a later suffix")
    for w in range(1, size):
        for n, k in (*heads.chain(int(way[w, 0])), *tails.chain(int(way[w, 1]))):
            moves[w, n] = k
    return DestinationGraph(cube, moves)


class _Chains:
    """Vectors made by chains of one kind of slots from 0, each by its first slot; ``time`` counts from their end."""

    def __init__(self, form: SlotForm, *, backwards: bool) -> None:
        cube, steps = form.cube, len(form.vector)
        self.steps, self.backwards = steps, backwards
        self.time = np.full(cube.num_nodes, _FAR, dtype=np.int64)  # steps taken, 0 for vector 0
        self.moves = np.full(cube.num_nodes, _FAR, dtype=np.int64)
        self.slot = np.full((cube.num_nodes, 2), -1, dtype=np.int64)
        self.below = np.full(cube.num_nodes, -1, dtype=np.int64)
        self.time[0] = self.moves[0] = 0
        self.vectors = [0]
        mine = (form.vector >= 0) & (form.suffix == backwards)
        for passed in range(1, steps + 1):
            n = steps - passed if backwards else passed - 1
            for k in np.nonzero(mine[n])[0].tolist():
                if k == 0:
                    raise InputError("type 0 stays put; it has no slots")
                v = int(form.vector[n, k])
                if self.time[v] >= passed:
                    raise InputError(
                        f"the slot of move {cube.move_of(k)} at step {n + 1} has the vector {cube.label(v)}, "
                        f"which no chain of {'later' if backwards else 'earlier'} slots makes"
                    )
                w = int(cube.add([v], [int(cube.vector[k])])[0])
                if self.time[w] == _FAR:
                    self.time[w], self.moves[w], self.below[w] = passed, self.moves[v] + 1, v
                    self.slot[w] = n, k
                    self.vectors.append(w)

    def chain(self, vector: int) -> list[tuple[int, int]]:
        """(step from 0, type) of the slots that make the vector."""
        result = []
        while vector:
            result.append((int(self.slot[vector, 0]), int(self.slot[vector, 1])))
            vector = int(self.below[vector])
        return result


@dataclass(frozen=True, eq=False)
class PathTree:
    """Vertices in order of their level, the root first.

    parent, kind, node, level: int32, shape (V,): the vertex above (-1 for the root), the type of the edge that leads
    there (``Cube``; 0 stays put, also for the root), the node that labels the vertex, and its depth.
    start: int32, shape (N,): by node, the vertex where its path begins; the one with the "*" of the paper where others
    have the same label.
    """

    cube: Cube
    parent: Int32
    kind: Int32
    node: Int32
    level: Int32
    start: Int32

    @property
    def num_vertices(self) -> int:
        return len(self.parent)

    def starred(self) -> npt.NDArray[np.bool_]:
        """bool, shape (V,): starts whose label is not theirs alone."""
        alone = np.bincount(self.node, minlength=self.cube.num_nodes)[self.node] == 1
        result = np.zeros(self.num_vertices, dtype=np.bool_)
        result[self.start] = True
        return np.asarray(result & ~alone)


def path_tree(graph: DestinationGraph) -> PathTree:
    """The tree with all agreeing ends merged; waits at the end of a path are not drawn."""
    cube = graph.cube
    number: dict[tuple[int, int], int] = {}
    parent, kind, node, level = [-1], [0], [0], [0]
    start = np.zeros(cube.num_nodes, dtype=np.int32)
    for u in range(1, cube.num_nodes):
        at = 0
        row = graph.moves[u]
        last = int(np.nonzero(row)[0][-1])
        for n in range(last, -1, -1):
            k = int(row[n])
            below = number.get((at, k))
            if below is None:
                below = number[at, k] = len(parent)
                parent.append(at)
                kind.append(k)
                node.append(int(cube.add(node[at], cube.vector[k])))
                level.append(level[at] + 1)
            at = below
        start[u] = at
    order = np.argsort(level, kind="stable")
    place = np.argsort(order)
    above = np.array(parent)[order]
    return PathTree(
        cube,
        np.where(above >= 0, place[above], -1).astype(np.int32),
        np.array(kind, dtype=np.int32)[order],
        np.array(node, dtype=np.int32)[order],
        np.array(level, dtype=np.int32)[order],
        place[start].astype(np.int32),
    )
