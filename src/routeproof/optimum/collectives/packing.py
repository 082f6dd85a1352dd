"""Trees packed into links: from every node that emits, trees to all nodes that must receive, whose weights are what it
emits, and which together use no link beyond its capacity.

A tree grows link by link.  As much of it takes a link as every cut can spare; the rest goes on as another tree.

Source: Edmonds 1973 (Edge-disjoint branchings); the growing of whole batches of trees: Tarjan 1974 (Inf. Proc. Letters
3), Berczi & Frank 2010, ForestColl (Zhao et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int64
from ...core.spread import Progress
from ...graphs.max_flow import ENDLESS, FlowGraph
from .links import Links, Pair, Path, Share


@dataclass(frozen=True)
class Tree:
    """``weight`` units go from ``root`` along ``sends``, each a path of channels from a node that has them to one that
    has not; in an order in which they can."""

    root: int
    weight: int
    sends: tuple[Path, ...]


@dataclass(frozen=True)
class _Batch:
    """``weight`` equal trees that are still to grow: the nodes reached, and the links taken."""

    weight: int
    nodes: tuple[int, ...]
    taken: tuple[Pair, ...]


def pack_trees(links: Links, nodes: Sequence[int], supply: Int64, progress: Progress | None = None) -> list[Tree]:
    """Trees to all ``nodes``; from node v, together of the weight ``supply[v]``.

    Every cut between ``nodes`` must carry it.  The links are used up.
    """
    packer = _Packer(links, nodes, supply)
    trees = []
    for done, root in enumerate(v for v in nodes if supply[v]):
        for batch in packer.grow(root):
            trees += _with_paths(links, root, batch)
        if progress is not None:
            progress(done + 1, len(nodes))
    return trees


class _Packer:
    def __init__(self, links: Links, nodes: Sequence[int], supply: Int64) -> None:
        self.place = {v: k for k, v in enumerate(nodes)}
        self.nodes = nodes
        self.pairs = links.pairs()
        self.number = {pair: k for k, pair in enumerate(self.pairs)}
        self.capacity = [links.capacity(x) for x in self.pairs]
        self.out: dict[int, list[int]] = {v: [] for v in nodes}
        for u, v in self.pairs:
            self.out[u].append(v)
        self.left = np.array([supply[v] for v in nodes], dtype=np.int64)

    def grow(self, root: int) -> list[_Batch]:
        """All trees of one root, whole."""
        weight = int(self.left[self.place[root]])
        self.left[self.place[root]] = 0
        waiting, whole = [_Batch(weight, (root,), ())], []
        while waiting:
            whole.append(self._grown(waiting.pop(), waiting))
        return whole

    def _grown(self, batch: _Batch, waiting: list[_Batch]) -> _Batch:
        """One batch with all nodes; what of it cannot take the same links goes to ``waiting``."""
        nodes, reached, taken, weight = list(batch.nodes), set(batch.nodes), list(batch.taken), batch.weight
        graph = self._graph(waiting)
        at = 0
        while len(reached) < len(self.nodes):
            a = nodes[at]
            for b in self.out[a]:
                if b in reached:
                    continue
                k = self.number[a, b]
                amount = self._spare(graph, a, b, min(self.capacity[k], weight), waiting)
                if not amount:
                    continue
                if amount < weight:
                    waiting.append(_Batch(weight - amount, tuple(nodes), tuple(taken)))
                    weight = amount
                self.capacity[k] -= amount
                if waiting and waiting[-1].nodes == tuple(nodes):
                    graph = self._graph(waiting)
                else:
                    graph.capacity[2 * k] -= amount
                nodes.append(b)
                reached.add(b)
                taken.append((a, b))
            at += 1
        return _Batch(weight, tuple(nodes), tuple(taken))

    def _spare(self, graph: FlowGraph, a: int, b: int, most: int, waiting: Sequence[_Batch]) -> int:
        """How much of the link from a to b no cut needs, for the trees that are still to grow; at most ``most``."""
        if not most:
            return 0
        others = int(self.left.sum()) + sum(x.weight for x in waiting)
        flow, _ = graph.least([self.place[b]], most=others + most, fed=[self.place[a]])
        return flow - others

    def _graph(self, waiting: Sequence[_Batch]) -> FlowGraph:
        """The links that are left, fed by what all other trees still have to bring: a waiting batch is a node that
        feeds those which it has reached."""
        size, place = len(self.nodes), self.place
        tail = [place[u] for u, _ in self.pairs]
        head = [place[v] for _, v in self.pairs]
        capacity = list(self.capacity)
        for k, x in enumerate(waiting):
            tail += [size + k] * len(x.nodes)
            head += [place[v] for v in x.nodes]
            capacity += [ENDLESS] * len(x.nodes)
        return FlowGraph(tail, head, capacity, [*self.left.tolist(), *(x.weight for x in waiting)])


def _with_paths(links: Links, root: int, batch: _Batch) -> list[Tree]:
    """The trees of a batch, each with one path for every link: cut where the path of some link changes."""
    pieces: list[tuple[int, list[Path]]] = [(batch.weight, [])]
    for pair in batch.taken:
        shares = links.take(pair, batch.weight)
        cut: list[tuple[int, list[Path]]] = []
        for weight, paths in pieces:
            while weight:
                last = shares.pop()
                used = min(last.amount, weight)
                if used < last.amount:
                    shares.append(Share(last.amount - used, last.path))
                cut.append((used, [*paths, last.path]))
                weight -= used
        pieces = cut
    return [Tree(root, weight, tuple(paths)) for weight, paths in pieces]
