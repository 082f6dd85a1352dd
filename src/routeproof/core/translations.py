"""Networks that look the same from every node: a commutative group with one translation for every node.

Tori, hypercubes and other Cayley graphs of commutative groups.  Whatever is the same under all translations is given by
what it is at node 0, so nothing has to be held for every node and channel at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Int32
from .network import Network
from .symmetry import Automorphism

_MOST_NODES = 1 << 13


@dataclass(frozen=True, eq=False)
class Translations:
    """A group of symmetries: each is a translation after one that leaves node 0 where it is.

    ``sum[v, w]``: int32 (N, N): where the translation that takes node 0 to v takes w; ``fixing``: generators of those
    symmetries that leave node 0 where it is."""

    network: Network
    sum: Int32
    fixing: tuple[Automorphism, ...]

    @cached_property
    def minus(self) -> Int32:
        """int32 (N,): the translation that takes ``minus[v]`` to 0 is the one that takes 0 to v."""
        return np.asarray(np.argmin(self.sum, axis=1).astype(np.int32))

    @cached_property
    def slot(self) -> Int32:
        """int32 (C,): channels with equal slots are translations of each other."""
        way = self.sum[self.minus[self.network.tail], self.network.head]
        return np.asarray(np.unique(way, return_inverse=True)[1].astype(np.int32).reshape(-1))

    @cached_property
    def channel_at(self) -> Int32:
        """int32 (N, slots): the channel in each slot that leaves each node."""
        result = np.full((self.network.num_nodes, int(self.slot.max()) + 1), -1, dtype=np.int32)
        result[self.network.tail, self.slot] = np.arange(self.network.num_channels)
        return result

    def channels(self, node: int) -> Int32:
        """int32 (C,): where the translation that takes 0 to ``node`` takes every channel."""
        return np.asarray(self.channel_at[self.sum[node, self.network.tail], self.slot])


def translations_of(network: Network, generators: Sequence[Automorphism]) -> Translations | None:
    """The translations in the group that ``generators`` (checked automorphisms) make; None where it has no such form.

    Looked for: generators that leave node 0 where it is, and others that commute and reach every node.  Networks with
    parallel channels, or with more than 8,192 nodes, are left out.
    """
    n = network.num_nodes
    if not n or n > _MOST_NODES or not network.num_channels:
        return None
    ends = network.tail.astype(np.int64) * n + network.head
    if len(np.unique(ends)) != len(ends):
        return None
    moving = [g.node for g in generators if int(g.node[0])]
    fixing = tuple(g for g in generators if not int(g.node[0]))
    if any(not np.array_equal(a[b], b[a]) for k, a in enumerate(moving) for b in moving[:k]):
        return None
    table = np.full((n, n), -1, dtype=np.int32)
    table[0] = np.arange(n)
    queue = [0]
    for v in queue:
        for g in moving:
            u = int(g[v])
            if table[u, 0] < 0:
                table[u] = g[table[v]]
                queue.append(u)
    if len(queue) < n:
        return None
    # The group is what it is said to be if symmetries that fix node 0 take translations to translations.
    for h in fixing:
        back = np.argsort(h.node)
        if any(not np.array_equal(h.node[g[back]], table[h.node[g[0]]]) for g in moving):
            return None
    return Translations(network, table, fixing)
