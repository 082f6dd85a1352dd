"""Destination graphs in two other forms: as a tree, and by their slots.

The tree merges paths from their ends, as in Figures 1 to 7 of Hwang, Yao & Dasgupta (sec. 2): the root is node 0; a
level-k edge leads from a level-k vertex to a level-(k - 1) vertex; where two paths agree on their last k steps, those
are drawn once.

Of a slot (step, type) the history of its packets counts (a prefix slot), or their future (a suffix slot), a vector
each. Lemma B (see the documentation): C2 holds exactly if in every slot all packets share one prefix or all share one
suffix. So these vectors say everything: a path is a chain of prefix slots, then a chain of suffix slots.
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
