"""Numbers for turns: every pair of channels of which the second leaves the node that the first enters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import Int64
from ...core.network import Network


@dataclass(frozen=True, eq=False)
class TurnNumbers:
    """The turn from channel a to channel b has the number ``start[a] + rank[b]``; that of terminal t, which begins
    with channel b, ``inject[t] + rank[b]``, after all others.  All int64; ``count`` numbers in all.
    """

    network: Network
    rank: Int64
    start: Int64
    inject: Int64
    count: int

    @cached_property
    def first(self) -> Int64:
        """int64, shape (count,): the first channel of every turn, C + t for terminal t."""
        begin = np.concatenate([self.start, self.inject, [self.count]])
        return np.repeat(np.arange(len(begin) - 1), np.diff(begin))

    @cached_property
    def second(self) -> Int64:
        """int64, shape (count,): the second channel."""
        network = self.network
        low, order = network.out_channels
        begin = np.concatenate([self.start, self.inject])
        node = np.concatenate([network.head, network.source])
        at: Int64 = low[node[self.first]] + np.arange(self.count) - begin[self.first]
        return order[at].astype(np.int64)


def turn_numbers(network: Network) -> TurnNumbers:
    """The numbers of a network's turns."""
    low, order = network.out_channels
    degree = np.diff(low)
    rank = np.empty(network.num_channels, dtype=np.int64)
    rank[order] = np.arange(network.num_channels) - low[network.tail[order]]
    length = np.concatenate([degree[network.head], degree[network.source]])
    begin = np.cumsum(length) - length
    return TurnNumbers(network, rank, begin[: network.num_channels], begin[network.num_channels :], int(length.sum()))
