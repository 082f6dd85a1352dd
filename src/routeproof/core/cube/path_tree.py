"""A destination graph as a tree: paths merged from their ends, as in Figures 1 to 7 of Hwang, Yao & Dasgupta.

Source: sec. 2.  The root is node 0; a level-k edge leads from a level-k vertex to a level-(k - 1) vertex; where two
paths agree on their last k steps, those are drawn once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Int32
from .destination_graph import Cube, DestinationGraph


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
