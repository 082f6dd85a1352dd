"""Shortest distances under whole channel lengths, for the adversaries of many pairs: exact, many searches at once."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.network import Network
from .supporting_line import AdversaryPair

_MOST = 1 << 61
_MOST_NODES = 1 << 14  # between all of which distances are held
_AT_ONCE = 1 << 18  # lengths looked at together


def weighted_distances(network: Network, pairs: Sequence[AdversaryPair], weight: Sequence[int], *, hops: int) -> int:
    """The sum over ``pairs`` of ``weight`` times the shortest distance from source to destination, where a channel of
    pair (i, j) is ``hops`` * s_i * d_j + its traffic long (s_i, d_j: the terminals of the nodes).

    64-bit integers where the longest path fits them (Bellman and Ford's rounds, many pairs together), else Python's.
    Raises VerificationError where there is no path.
    """
    each = [hops * int(network.supply[p.source]) * int(network.demand[p.destination]) for p in pairs]
    longest = max((x + int(p.traffic.max(initial=0)) for x, p in zip(each, pairs, strict=True)), default=0)
    if longest * network.num_nodes >= _MOST:
        return sum(
            members * shortest_distance(network, p.source, p.destination, [x + y for y in p.traffic.tolist()])
            for x, p, members in zip(each, pairs, weight, strict=True)
        )
    order = np.argsort(network.head, kind="stable")
    tail = network.tail[order]
    heads, start = np.unique(network.head[order], return_index=True)
    total = 0
    step = max(1, _AT_ONCE // max(1, network.num_channels))
    for at in range(0, len(pairs), step):
        some = pairs[at : at + step]
        length = np.array([p.traffic[order] for p in some], dtype=np.int64)
        length += np.array(each[at : at + step], dtype=np.int64)[:, None]
        best = np.full((len(some), network.num_nodes), _MOST, dtype=np.int64)
        row = np.arange(len(some))
        best[row, [p.source for p in some]] = 0
        while True:
            before = best[:, heads]
            better = np.minimum(before, np.minimum.reduceat(best[:, tail] + length, start, axis=1))
            if np.array_equal(before, better):
                break
            best[:, heads] = better
        found = best[row, [p.destination for p in some]].tolist()
        for far, pair, members in zip(found, some, weight[at : at + step], strict=True):
            if far >= _MOST:
                raise VerificationError(f"no path leads from node {pair.source} to node {pair.destination}")
            total += members * far
    return total


class Distances(NamedTuple):
    """Between all nodes: ``between[node[i], node[j]]``, int64, -1 where no path leads from i to j.

    Nodes that channels of length 0 join both ways share a number.
    """

    node: Int64
    between: Int64


def all_distances(network: Network, length: Int64) -> Distances:
    """Shortest distances between all nodes under whole channel lengths >= 0.

    Bellman and Ford's rounds, all sources together.  Raises VerificationError for lengths beyond 64-bit sums.
    """
    if len(length) and int(length.max()) * network.num_nodes >= _MOST:
        raise VerificationError("the lengths are too large for 64-bit sums")
    number, node = np.unique(_joined(network, length), return_inverse=True)
    if len(number) > _MOST_NODES:
        raise VerificationError(f"distances between {len(number)} nodes are not held; at most {_MOST_NODES} are")
    tail, head = node[network.tail], node[network.head]
    order = np.argsort(head, kind="stable")
    order = order[(tail != head)[order]]
    tail, long = tail[order], length[order]
    best = np.full((len(number), len(number)), _MOST, dtype=np.int64)
    np.fill_diagonal(best, 0)
    heads, start = np.unique(head[order], return_index=True)
    while len(order):
        before = best[:, heads]
        better = np.minimum(before, np.minimum.reduceat(best[:, tail] + long, start, axis=1))
        if np.array_equal(before, better):
            break
        best[:, heads] = better
    best[best >= _MOST] = -1
    return Distances(node, best)


def _joined(network: Network, length: Int64) -> Int64:
    """(N,): equal numbers for nodes that channels of length 0 join both ways."""
    free = np.flatnonzero(length == 0)
    tail, head = network.tail[free].astype(np.int64), network.head[free].astype(np.int64)
    back = np.isin(tail * network.num_nodes + head, head * network.num_nodes + tail)
    tail, head = tail[back], head[back]
    label = np.arange(network.num_nodes, dtype=np.int64)
    while True:
        before = label.copy()
        np.minimum.at(label, tail, before[head])  # both ways: every channel here has its opposite here
        label = label[label]
        if np.array_equal(before, label):
            return label


def shortest_distance(network: Network, source: int, destination: int, length: Sequence[int]) -> int:
    """The shortest distance under whole channel lengths >= 0; raises VerificationError where there is no path."""
    far = distances(network, length)(source)[destination]
    if far is None:
        raise VerificationError(f"no path leads from node {source} to node {destination}")
    return far


def distances(network: Network, length: Sequence[int]) -> Callable[[int], list[int | None]]:
    """The function from a node to its distances to all nodes, None where no path leads (Dijkstra's algorithm)."""
    offset, order = network.out_channels
    leaving = [
        [(int(network.head[c]), length[c]) for c in order[offset[v] : offset[v + 1]].tolist()]
        for v in range(network.num_nodes)
    ]

    def distances_from(source: int) -> list[int | None]:
        best: list[int | None] = [None] * network.num_nodes
        heap = [(0, source)]
        while heap:
            d, v = heapq.heappop(heap)
            if best[v] is not None:
                continue
            best[v] = d
            for u, x in leaving[v]:
                if best[u] is None:
                    heapq.heappush(heap, (d + x, u))
        return best

    return distances_from
