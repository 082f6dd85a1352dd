"""Extended channel dependencies of an escape routing beside fully adaptive minimal routing.

Source: Duato 1993 (IEEE Trans. Parallel Distrib. Syst. 4(12)) and 1995 (6(10)).  At every node a packet may take any
channel of a shortest path on the adaptive lanes, or what the escape routing has there, on the escape lanes.  An escape
lane depends on another if some packet can take the one, then adaptive lanes or none, and then ask for the other:
indirect and direct dependencies.  No channel has both kinds of lanes in common, so there are no cross dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.graph import hops_from
from ...graphs.shortest import hops_to_all
from ..base.delivery import Bundle, gathered
from ..base.routing import Routing

_MOST_ESCAPES = 4_000_000


@dataclass(frozen=True, eq=False)
class Escape:
    """``routing`` as a function of node and column: a packet to column ``column[m]`` may escape over ``channel[m]``
    (int64, sorted), which is on one of the routing's paths to this column.

    ``hops``: (N, N): [d, v] is the distance from v to d.
    """

    routing: Routing
    column: Int64
    channel: Int64
    hops: Int64

    def dependencies(self, lane: Int64) -> tuple[Int64, Int64, Int64]:
        """(first, second, column): the first escape lane depends on the second, for packets to this column, among
        others; lane l of channel c has the number l * C + c.  Sorted, without doubles.

        ``lane``: int64, shaped like ``channel``.
        """
        network, size = self.routing.network, self.routing.network.num_channels
        count = size * (int(lane.max(initial=0)) + 1)
        key: Int64 = np.zeros(0, dtype=np.int64)
        column = key
        for end, part in self.parts():
            c = self.channel[part]
            to, head, tail = self.hops[end], network.head[c], network.tail[c]
            between = self.hops[np.ix_(tail, head)].T  # [a, b]: from the end of a to where b begins
            a, b = np.nonzero((between >= 0) & (between + to[tail] == to[head][:, None]))
            vertex = lane[part] * size + c
            new = np.unique(vertex[a] * count + vertex[b])
            new = new[~np.isin(new, key, assume_unique=True)]
            key = np.concatenate([key, new])
            column = np.concatenate([column, np.full(len(new), self.column[part.start])])
        order = np.argsort(key)
        return key[order] // count, key[order] % count, column[order]

    def on_lanes(self, lane: Int64) -> Iterator[tuple[Bundle, Int64]]:
        """The routing's paths with the lanes of their hops; ``lane`` as in ``dependencies``."""
        size = self.routing.network.num_channels
        known = self.column * size + self.channel
        for bundle in gathered(self.routing.bundles()):
            wanted = bundle.column[:, None].astype(np.int64) * size + bundle.channel
            yield bundle, lane[np.searchsorted(known, wanted)]

    def parts(self) -> Iterator[tuple[int, slice]]:
        """The node and the escapes of every column that has some."""
        begin = [*np.flatnonzero(np.diff(self.column, prepend=-1)).tolist(), len(self.column)]
        for start, stop in pairwise(begin):
            yield int(self.routing.column_node[self.column[start]]), slice(start, stop)


def escape_of(routing: Routing) -> Escape:
    """Raises InputError where the routing's paths are not known or not all shortest, and where it has no escape at a
    node that packets of minimal routing can come to."""
    network, name = routing.network, f"--escape {routing.name}"
    if not routing.has_explicit_paths:
        raise InputError(f"{name}: its paths are not known; a routing such as dor was expected")
    size, found = network.num_channels, np.zeros(0, dtype=np.int64)
    for bundle in gathered(routing.bundles()):
        found = np.union1d(found, bundle.column[:, None].astype(np.int64) * size + bundle.channel)
        if len(found) > _MOST_ESCAPES:
            raise InputError(f"{name}: there are more than {_MOST_ESCAPES:,} channels of all destinations")
    column, channel = found // size, found % size
    hops, head, tail = hops_to_all(network).astype(np.int64), network.head, network.tail
    end = routing.column_node[column]
    long = np.flatnonzero(hops[end, head[channel]] + 1 != hops[end, tail[channel]])
    if len(long):
        raise InputError(
            f"{name}: {network.channel_label(int(channel[long[0]]))} is on no shortest path to "
            f"{network.label(int(end[long[0]]))}; packets that escape and come back could go round for ever, so that "
            f"shortest paths were expected"
        )
    for k in np.unique(routing.column_of).tolist():
        x = int(routing.column_node[k])
        on = hops[x, head] + 1 == hops[x, tail]
        lost = hops_from(network.num_nodes, tail[on], head[on], np.unique(network.source)) >= 0
        lost[[x, *tail[channel[column == k]]]] = False
        if lost.any():
            raise InputError(
                f"{name}: it has no path to {network.label(x)} through {network.label(int(np.flatnonzero(lost)[0]))}, "
                f"where packets of adaptive minimal routing can be"
            )
    return Escape(routing, column, channel, hops)
