"""Small routings for tests, written without any of the package's own algorithms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from routeproof.core.loads import BaseLoads, LoadBlock, PairBlock
from routeproof.core.network import Network
from routeproof.core.rational import Rationals
from routeproof.routing.base.routing import Routing


class TableRouting(Routing):
    """Pair loads from a dictionary {(row, column): {channel: Fraction}}, rows and columns being nodes by default."""

    def __init__(self, network, table, *, ends=None):
        super().__init__(network, "table", ends=ends)
        self.table = table

    def channel_loads(self, channels, *, rows=None):
        wanted = np.asarray(channels, dtype=np.int32)
        found = []
        offset = [0]
        for c in wanted.tolist():
            some = sorted((i, j, loads[c]) for (i, j), loads in self.table.items() if loads.get(c))
            found += [x for x in some if rows is None or rows[x[0]]]
            offset.append(len(found))
        row = np.array([x[0] for x in found], dtype=np.int32)
        column = np.array([x[1] for x in found], dtype=np.int32)
        load = Rationals.of(x[2] for x in found)
        return LoadBlock(wanted, np.array(offset, dtype=np.int64), row, column, load)

    def pair_loads(self, rows, columns):
        offset, channel, load = [0], [], []
        for i, j in zip(np.asarray(rows).tolist(), np.asarray(columns).tolist(), strict=True):
            some = sorted(self.table.get((i, j), {}).items())
            channel += [c for c, x in some if x]
            load += [x for _, x in some if x]
            offset.append(len(channel))
        return PairBlock(np.array(offset, dtype=np.int64), np.array(channel, dtype=np.int32), Rationals.of(load))


class WithBase(TableRouting):
    """A TableRouting plus base loads: ``row[c][i] + column[c][j]`` for every pair on different nodes."""

    has_base = True

    def __init__(self, network, table, row, column, **more):
        super().__init__(network, table, **more)
        self.row, self.column = row, column
        self.name = "with-base"

    def channel_loads(self, channels, *, rows=None):
        block = super().channel_loads(channels, rows=rows)
        shape = (block.num_channels, -1)

        def matrix(values):
            flat = Rationals.of(x for c in block.channel.tolist() for x in values[c])
            return Rationals(flat.num.reshape(shape), flat.den.reshape(shape))

        return LoadBlock(
            block.channel, block.offset, block.row, block.column, block.load,
            BaseLoads(matrix(self.row), matrix(self.column)),
        )  # fmt: skip

    def pair_loads(self, rows, columns):
        full = {}
        for i, j in zip(np.asarray(rows).tolist(), np.asarray(columns).tolist(), strict=True):
            if self.row_node[i] == self.column_node[j]:
                full[i, j] = {}
                continue
            sparse = self.table.get((i, j), {})
            full[i, j] = {
                c: sparse.get(c, Fraction(0)) + self.row[c][i] + self.column[c][j]
                for c in range(self.network.num_channels)
            }
        return TableRouting(self.network, full).pair_loads(rows, columns)


def shortest_table(network: Network, *, pick=min):
    """{(i, j): {channel: 1}} along one shortest path per pair of nodes, by plain breadth-first search."""
    table = {}
    for i in range(network.num_nodes):
        came = {i: None}
        queue = [i]
        for u in queue:
            leaving = [c for c in range(network.num_channels) if network.tail[c] == u]
            while leaving:
                c = pick(leaving)
                leaving.remove(c)
                v = int(network.head[c])
                if v not in came:
                    came[v] = c
                    queue.append(v)
        for j in came:
            path = {}
            v = j
            while v != i:
                path[came[v]] = Fraction(1)
                v = int(network.tail[came[v]])
            if path:
                table[i, j] = path
    return table


def random_table(network: Network, rng, *, denominators=(1, 2, 3, 5, 7), density=0.5):
    """Arbitrary loads (no paths behind them) for pairs of different nodes."""
    table = {}
    for i in range(network.num_nodes):
        for j in range(network.num_nodes):
            if i != j:
                table[i, j] = {
                    c: Fraction(int(rng.integers(1, 9)), int(rng.choice(denominators)))
                    for c in range(network.num_channels)
                    if rng.random() < density
                }
    return table
