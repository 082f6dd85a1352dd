"""Loads of packets that choose among next channels at every node, without cycles: exact, all sources together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...core.arrays import Int64, members, offsets_of
from ...core.network import Network
from ...core.rational import INT64_MAX
from .exact_arrays import ragged, reduced
from .pair_table import Loads


def split_loads(
    network: Network, destination: int, channels: Int64, order: Sequence[int], share: Sequence[int] | None
) -> Loads:
    """(channel, row, column, load) of packets from all nodes with sources to one ``destination``.

    ``channels``: those that packets take, by ascending tail; ``order``: the nodes that have some, every one after all
    that its channels lead to.  At a node they are taken in proportion to their ``share`` (positive integers), or, None,
    so that all paths are taken alike.

    ``need[v]``: an integer that every probability of a packet from v is a multiple of 1 over; ``unit[k]``: of these
    parts, how many of a packet at the tail of channel k take it; ``visits[v, u]``: how many of the 1 / ``need[u]``
    parts at u are one of 1 / ``need[v]`` of a packet from v.
    """
    d, near = destination, channels
    first = offsets_of(np.bincount(network.tail[near], minlength=network.num_nodes))
    ends = network.head[near].tolist()
    need = {d: 1}
    unit = [0] * len(near)
    for v in order:
        out = range(int(first[v]), int(first[v + 1]))
        if share is None:
            taken = [need[ends[k]] for k in out]
        else:
            common = math.lcm(*(need[ends[k]] for k in out))
            taken = [common * int(share[k]) for k in out]
        need[v] = sum(taken)
        unit[first[v] : first[v + 1]] = taken
    kind = np.int64 if max(need.values()) <= INT64_MAX else object
    visits = np.zeros((network.num_nodes, network.num_nodes), dtype=kind)
    for v in order:
        for k in range(int(first[v]), int(first[v + 1])):
            if ends[k] != d:
                visits[v] += unit[k] // need[ends[k]] * visits[ends[k]]
        visits[v, v] += 1
    visits[network.supply == 0] = 0
    row, at = np.nonzero(visits)
    entry = ragged(first[at], np.diff(first)[at])
    which = members(offsets_of(np.diff(first)[at]))
    num = visits[row[which], at[which]] * np.array(unit, dtype=kind)[entry]
    scale = np.array([need.get(v, 1) for v in range(network.num_nodes)], dtype=kind)
    return near[entry], row[which], np.full(len(entry), d), reduced(num, scale[row[which]])
