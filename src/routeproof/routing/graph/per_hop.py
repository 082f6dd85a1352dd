"""Minimal routing per hop: at every node, one of the channels that come nearer to the destination; and its kernels."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, partial
from math import gcd
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.exact_arrays import concatenate, grown, times
from ...core.loads import PairBlock, UniformBounds
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.search_kernels import reach
from ...machine.compiled import njit
from ..base.delivery import check_connected
from ..base.pair_table import ChannelLoads, check_table_size
from ..base.routing import RoutingByChannel

_MAX_NODES = 16_000


class MinimalPerHop(RoutingByChannel):
    """Uniform over the productive channels at every hop; parallel channels are choices of their own.  Or, with a
    ``weight`` of every channel (int64 (C,), positive), in proportion to it.

    The incremental form of random minimal routing, whose only state is the destination (Towles & Dally 2002,
    sec. 3.5, last paragraphs).  It differs from the uniform choice among shortest paths (``minimal:choice=per-path``).
    For one node u and destination d, the probability that a packet passes u is propagated backwards over the
    sources in order of distance; all channels out of u share it.  Integers over a scale per pair that provably fit
    int64; destinations where none fits are done with Python integers.  Only pairs with terminals are listed.
    """

    in_full = False
    of_network = True
    crosses_once = True
    remade: Literal["", "per-hop"] = "per-hop"

    def __init__(self, network: Network, name: str = "minimal:choice=per-hop", weight: Int64 | None = None) -> None:
        super().__init__(network, name)
        self.weight: Int64 = np.ones(network.num_channels, dtype=np.int64) if weight is None else weight
        self._last: tuple[int, Int32, Int32, Rationals] | None = None
        self._room = 1 << 16
        check_connected(network, self._tables[0].T)

    @cached_property
    def _incoming(self) -> tuple[Int64, Int32, Int64]:
        """(offset, tail, weight): those of the channels that arrive at v are tail[offset[v]:offset[v + 1]]."""
        offset, channel = self.network.in_channels
        return offset, self.network.tail[channel], self.weight[channel]

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[np.int16], Int32, Int64]:

        network = self.network
        size = network.num_nodes
        check_table_size(network, self.name, "keeps", _MAX_NODES, 2 + 2 + 4 + 8)
        hops = np.full((size, size), -1, dtype=np.int16)
        choices = np.zeros((size, size), dtype=np.int32)
        need = np.zeros((size, size), dtype=np.int64)
        in_offset, in_tail, _ = self._incoming
        out_offset, out_channel = network.out_channels
        leaving = (out_offset, network.head[out_channel], self.weight[out_channel])
        fill = hop_tables.for_steps(2 * size * network.num_channels)
        fill(in_offset, in_tail, leaving, network.demand > 0, hops, choices, need)
        return hops, choices, need

    @cached_property
    def _wide(self) -> npt.NDArray[np.bool_]:
        """bool, shape (N,): destinations whose probabilities do not fit int64."""
        hops, _, need = self._tables
        return np.asarray(((hops >= 0) & (need == 0)).any(axis=1))

    @cached_property
    def _distance(self) -> npt.NDArray[np.int16]:
        """Hops from node to destination, int16 (N, N): what is read of one node lies together."""
        return np.ascontiguousarray(self._tables[0].T)

    def _loads_on(self, channel: int) -> ChannelLoads:
        far, weight = self._distance, int(self.weight[channel])
        u, v = int(self.network.tail[channel]), int(self.network.head[channel])
        row, column, load = self._out_of(u)
        keep = (far[v] + 1 == far[u])[column]
        return row[keep], column[keep], load[keep] if weight == 1 else times(load[keep], Fraction(weight))

    def _out_of(self, u: int) -> tuple[Int32, Int32, Rationals]:
        """(row, column, load of a productive channel out of u of weight 1) for all pairs that can visit u."""
        last = self._last  # channels mostly come ordered by tail
        if last is not None and last[0] == u:
            return last[1:]

        network = self.network
        is_row = network.supply > 0
        columns = np.nonzero((network.demand > 0) & ~self._wide)[0]
        run = loads_out_of.for_steps(len(columns) * network.num_channels // 5)
        while True:
            row, column = np.empty(self._room, dtype=np.int32), np.empty(self._room, dtype=np.int32)
            num, den = np.empty(self._room, dtype=np.int64), np.empty(self._room, dtype=np.int64)
            count = run(u, self._incoming, is_row, columns, self._tables, row, column, num, den)
            if count <= len(row):
                break
            self._room = 2 * count
        row, column, load = row[:count].copy(), column[:count].copy(), Rationals(num[:count].copy(), den[:count].copy())
        if self._wide.any():
            row, column, load = self._with_wide(u, row, column, load)
        self._last = (u, row, column, load)
        return row, column, load

    def _with_wide(self, u: int, row: Int32, column: Int32, load: Rationals) -> tuple[Int32, Int32, Rationals]:
        """The same with the destinations added that need Python integers."""
        network = self.network
        hops, choices, _ = self._tables
        in_offset, in_tail, in_weight = self._incoming
        more: list[tuple[int, int]] = []
        values: list[Fraction] = []
        for d in np.nonzero((network.demand > 0) & self._wide)[0].tolist():
            if d == u or hops[d, u] < 0:
                continue
            amount = {u: Fraction(1, int(choices[d, u]))}
            queue = [u]
            for w in queue:  # grows while it is walked: by distance, so amounts are complete when their turn comes
                if network.supply[w]:
                    more.append((w, d))
                    values.append(amount[w])
                here = slice(in_offset[w], in_offset[w + 1])
                for s, weight in zip(in_tail[here].tolist(), in_weight[here].tolist(), strict=True):
                    if hops[d, s] == hops[d, w] + 1:
                        if s not in amount:
                            amount[s] = Fraction(0)
                            queue.append(s)
                        amount[s] += amount[w] * weight / int(choices[d, s])
        flat = np.array(more, dtype=np.int32).reshape(-1, 2)
        row, column = np.concatenate([row, flat[:, 0]]), np.concatenate([column, flat[:, 1]])
        load = concatenate([load, Rationals.of(values)])
        order = np.lexsort((column, row))
        return row[order], column[order], load[order]

    def uniform_bounds(self) -> UniformBounds | None:
        from .uniform_bounds import bounds_by_destination

        hops, choices, _ = self._tables
        return bounds_by_destination(self.network, hops, choices, self.weight)

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:

        network = self.network
        sources = np.asarray(rows, dtype=np.int32).reshape(-1)
        sinks = np.asarray(columns, dtype=np.int32).reshape(-1)
        if self._wide[sinks].any():
            return self._pair_loads_wide(sources, sinks)
        kernel = loads_of_pairs.for_steps(len(sources) * network.num_channels)
        run = partial(kernel, sources, sinks, (*network.out_channels, self.weight), network.head, self._tables)
        _, offset, (channel,), load = grown(len(sources), 64, run)
        order = np.lexsort((channel, members(offset)))
        return PairBlock(offset, channel[order], load[order])

    def _pair_loads_wide(self, sources: Int32, sinks: Int32) -> PairBlock:
        network = self.network
        hops, choices, _ = self._tables
        out_offset, out_channel = network.out_channels
        offset, channel = [0], []
        load: list[Fraction] = []
        for s, d in zip(sources.tolist(), sinks.tolist(), strict=True):
            found: dict[int, Fraction] = {}
            amount = {s: Fraction(1)}
            queue = [s] if s != d and hops[d, s] >= 0 else []
            for w in queue:
                if w == d:
                    continue
                share = amount[w] / int(choices[d, w])
                for c in out_channel[out_offset[w] : out_offset[w + 1]].tolist():
                    v = int(network.head[c])
                    if hops[d, v] >= 0 and hops[d, v] + 1 == hops[d, w]:
                        found[c] = share * int(self.weight[c])
                        if v not in amount:
                            amount[v] = Fraction(0)
                            queue.append(v)
                        amount[v] += found[c]
            for c in sorted(found):
                channel.append(c)
                load.append(found[c])
            offset.append(len(channel))
        return PairBlock(np.array(offset, dtype=np.int64), np.array(channel, dtype=np.int32), Rationals.of(load))


_LIMIT = np.int64(1) << 62


@njit(cache=True, nogil=True)
def hop_tables(in_offset, in_tail, leaving, wanted, hops, choices, need):  # type: ignore[no-untyped-def]
    """Fill, for every destination d with ``wanted[d]``: hops (int16, -1 unreachable), choices and need.

    choices[d, v]: the weight of the channels out of v that come nearer to d.  need[d, v]: an integer that every
    probability of a packet from v to d is a multiple of 1 over; 0 where it would pass 2**62.
    """
    out_offset, out_head, out_weight = leaving
    num_nodes = hops.shape[0]
    queue = np.empty(num_nodes, dtype=np.int32)
    start = np.empty(1, dtype=np.int32)
    not_counted = np.empty(0, dtype=np.int64)
    for d in range(num_nodes):
        if not wanted[d]:
            continue
        need[d, d] = 1
        start[0] = d
        last = reach(in_offset, in_tail, start, 0, hops[d], not_counted, queue)
        for t in range(1, last):
            s = queue[t]
            common = 1
            count = 0
            for p in range(out_offset[s], out_offset[s + 1]):
                w = out_head[p]
                if hops[d, w] >= 0 and hops[d, w] + 1 == hops[d, s]:
                    count += out_weight[p]
                    if common == 0 or need[d, w] == 0:
                        common = 0
                        continue
                    factor = need[d, w] // gcd(common, need[d, w])
                    common = 0 if factor > _LIMIT // common else common * factor
            choices[d, s] = count
            need[d, s] = 0 if common == 0 or count > _LIMIT // common else common * count


@njit(cache=True, nogil=True)
def loads_out_of(u, arriving, is_row, columns, tables, row, column, num, den):  # type: ignore[no-untyped-def]
    """The load of a productive channel of weight 1 out of u, for every pair that can visit u, by row, then column.

    Returns how many entries there are; when they are more than there is room for, the arrays hold rubbish.
    """
    in_offset, in_tail, in_weight = arriving
    hops, choices, need = tables
    num_nodes = hops.shape[0]
    room = len(row)
    amount = np.zeros(num_nodes, dtype=np.int64)
    queue = np.empty(num_nodes, dtype=np.int32)
    found_row = np.empty(room, dtype=np.int32)
    found_column = np.empty(room, dtype=np.int32)
    found_num = np.empty(room, dtype=np.int64)
    start = np.zeros(num_nodes + 1, dtype=np.int64)
    at = np.int64(0)
    for d in columns:
        if d == u or hops[d, u] < 0:
            continue
        amount[u] = need[d, u] // choices[d, u]
        queue[0] = u
        first = 0
        last = 1
        while first < last:
            w = queue[first]
            first += 1
            if is_row[w]:
                if at < room:
                    found_row[at] = w
                    found_column[at] = d
                    found_num[at] = amount[w]
                start[w + 1] += 1
                at += 1
            for p in range(in_offset[w], in_offset[w + 1]):
                s = in_tail[p]
                if hops[d, s] == hops[d, w] + 1:
                    if amount[s] == 0:
                        queue[last] = s
                        last += 1
                    # The share of this channel out of s, in units of 1 / need[d, s].
                    amount[s] += amount[w] * in_weight[p] * (need[d, s] // choices[d, s] // need[d, w])
        for t in range(last):
            amount[queue[t]] = 0
    if at <= room:
        for v in range(num_nodes):
            start[v + 1] += start[v]
        for t in range(at):
            s = found_row[t]
            place = start[s]
            start[s] += 1
            scale = need[found_column[t], s]
            common = gcd(found_num[t], scale)
            row[place] = s
            column[place] = found_column[t]
            num[place] = found_num[t] // common
            den[place] = scale // common
    return at


@njit(cache=True, nogil=True)
def loads_of_pairs(rows, columns, leaving, head, tables, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """Loads of all channels for pairs (rows[k], columns[k]), as long as they fit; returns the number of pairs done.

    Within a pair, channels come in no order: a sort compiled here would take seconds to compile.
    """
    out_offset, out_channel, weight = leaving
    hops, choices, need = tables
    amount = np.zeros(len(hops), dtype=np.int64)
    queue = np.empty(len(hops), dtype=np.int32)
    at = np.int64(0)
    for k in range(len(rows)):
        s = rows[k]
        d = columns[k]
        if s != d and hops[d, s] >= 0:
            scale = need[d, s]
            amount[s] = scale
            queue[0] = s
            first = 0
            last = 1
            while first < last:
                w = queue[first]
                first += 1
                if w == d:
                    continue
                if at + out_offset[w + 1] - out_offset[w] > len(channel):
                    return k
                share = amount[w] // choices[d, w]
                common = gcd(share, scale)
                for p in range(out_offset[w], out_offset[w + 1]):
                    c = out_channel[p]
                    v = head[c]
                    if hops[d, v] >= 0 and hops[d, v] + 1 == hops[d, w]:
                        channel[at] = c
                        num[at] = share // common * weight[c]
                        den[at] = scale // common
                        at += 1
                        if amount[v] == 0:
                            queue[last] = v
                            last += 1
                        amount[v] += share * weight[c]
            for t in range(last):
                amount[queue[t]] = 0
        offset[k + 1] = at
    return len(rows)
