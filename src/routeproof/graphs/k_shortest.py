"""The k shortest simple paths of every pair by the weights of channels, ties by channel numbers: Yen's algorithm.

Source: Yen 1971 (Management Science), with the candidates kept apart as by Lawler 1972: each stands for the paths that
begin alike and then take none of some channels.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import IntArray
from .shortest import cheapest


def k_shortest_by_weight(
    network: Network, k: int, weight: IntArray, name: str
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """(source, destination, channels) of the first ``k`` paths without a node twice between all nodes with terminals:
    by their total ``weight`` (positive integers), then by channel numbers.  A pair may have fewer.

    Raises InputError for a pair without a path.
    """
    search = YenSearch(network, [int(x) for x in weight.tolist()])
    for j in np.nonzero(network.demand)[0].tolist():
        for i in np.nonzero(network.supply)[0].tolist():
            if i == j:
                continue
            some = search.first(i, j, k)
            if not some:
                ends = f"from node {network.label(i)} to node {network.label(j)}"
                raise InputError(f"network {network.name}: {name} finds no path {ends}")
            for path in some:
                yield i, j, path


class YenSearch:
    """The first paths of pairs of ``network``, by ``weight`` (a positive integer a channel)."""

    def __init__(self, network: Network, weight: list[int]) -> None:
        self.tail, self.head, self.weight = network.tail.tolist(), network.head.tolist(), weight
        self._leaving, self._arriving = (
            [some.tolist() for some in np.split(channel, offset[1:-1])]
            for offset, channel in (network.out_channels, network.in_channels)
        )

    def first(self, start: int, goal: int, k: int) -> list[list[int]]:
        """The first ``k`` paths without a node twice, by weight, then by channel numbers; or fewer."""
        result: list[list[int]] = []
        heap: list[tuple[int, list[int], int, frozenset[int]]] = []  # weight, path, where it may leave, channels barred
        self._offer(heap, [], start, goal, frozenset())
        while heap and len(result) < k:
            _, path, since, barred = heapq.heappop(heap)
            result.append(path)
            for n in range(since, len(path)):
                shut = frozenset({path[n]}) | (barred if n == since else frozenset())
                self._offer(heap, path[:n], self.head[path[n - 1]] if n else start, goal, shut)
        return result

    def _offer(
        self,
        heap: list[tuple[int, list[int], int, frozenset[int]]],
        begin: list[int],
        at: int,
        goal: int,
        barred: frozenset[int],
    ) -> None:
        """Put the best path that begins so, and then with none of the barred channels, on the heap."""
        closed = {self.tail[c] for c in begin}

        def back(v: int) -> Iterator[tuple[int, int]]:
            for c in self._arriving[v]:
                u = self.tail[c]
                if u not in closed and not (u == at and c in barred):
                    yield c, u

        far, _ = cheapest(goal, 0, back, lambda d, c: d + self.weight[c], at)
        if at not in far:
            return
        path, v = list(begin), at
        while v != goal:
            c = next(
                c
                for c in self._leaving[v]
                if not (v == at and c in barred)
                and self.head[c] in far
                and self.head[c] != at
                and far[self.head[c]] + self.weight[c] == far[v]
            )
            path.append(c)
            v = self.head[c]
        heapq.heappush(heap, (sum(self.weight[c] for c in path), path, len(begin), barred))
