"""Routings whose pair loads are all held in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from .exact_arrays import grouped_sum
from .pair_table import PairTable
from .routing import Routing
from .written_loads import By, written_loads

__all__ = ["TabledRouting"]

Int32 = npt.NDArray[np.int32]


class TabledRouting(Routing):
    """A routing whose pair loads are all held in a ``PairTable``; rows and columns are nodes or terminals."""

    def __init__(
        self, network: Network, name: str, table: PairTable, *, rows: By = "node", columns: By = "node"
    ) -> None:
        super().__init__(network, name)
        self.table = table
        self.rows: By = rows
        self.columns: By = columns

    @property
    def row_of(self) -> Int32:
        return self.network.source if self.rows == "node" else _count(self.network.num_terminals)

    @property
    def column_of(self) -> Int32:
        return self.network.sink if self.columns == "node" else _count(self.network.num_terminals)

    @property
    def row_node(self) -> Int32:
        return _count(self.network.num_nodes) if self.rows == "node" else self.network.source

    @property
    def column_node(self) -> Int32:
        return _count(self.network.num_nodes) if self.columns == "node" else self.network.sink

    @property
    def by_node(self) -> bool:
        return self.rows == "node" and self.columns == "node"

    @property
    def denominators(self) -> list[int]:
        """The distinct denominators of all loads, ascending."""
        return self.table.denominators

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        return self.table.channel_loads(channels, rows)

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        return self.table.pair_loads(rows, columns)

    def pair_table(self) -> PairTable:
        return self.table

    def respects(self, g: Automorphism) -> bool:
        """All entries are compared; raises InputError if ``g`` is no automorphism of the network."""
        if not self.by_node:
            return False
        check_automorphism(self.network, g)
        table = self.table
        return table.equals_image(g.channel[table.channel], g.node[table.row], g.node[table.column])

    def respects_reversal(self) -> bool:
        reverse = self.network.reverse
        if reverse is None or not self.by_node:
            return False
        return self.table.equals_image(reverse[self.table.channel], self.table.column, self.table.row)

    def check(self) -> None:
        """As in ``Routing.check``; the pairs of a row at once."""
        columns = np.unique(self.column_of)
        for i in np.unique(self.row_of).tolist():
            others = columns[self.column_node[columns] != self.row_node[i]]
            if len(others) and not (self._conserves(i, others) and self._gets_there(i, others)):
                super().check()  # names the pair and the node

    def _gets_there(self, row: int, columns: Int32) -> bool:
        """Can packets reach every channel that their pair loads?  A cycle apart from their way carries none."""
        network = self.network
        block = self.table.pair_loads(np.full(len(columns), row), columns)
        pair = np.repeat(np.arange(len(columns)), np.diff(block.offset))
        tail, head = network.tail[block.channel], network.head[block.channel]
        reached = np.zeros((len(columns), network.num_nodes), dtype=np.bool_)
        reached[:, self.row_node[row]] = True
        while True:
            new = reached[pair, tail] & ~reached[pair, head]
            if not new.any():
                return bool(reached[pair, tail].all())
            reached[pair[new], head[new]] = True

    def _conserves(self, row: int, columns: Int32) -> bool:
        network = self.network
        block = self.table.pair_loads(np.full(len(columns), row), columns)
        pair = np.repeat(np.arange(len(columns)), np.diff(block.offset))
        ends = np.arange(len(columns))
        one, start = np.ones(len(columns), dtype=np.int64), np.full(len(columns), self.row_node[row])
        # What leaves a node counts up, what arrives counts down; one unit enters at the row and leaves at the column.
        where = np.concatenate(
            [network.tail[block.channel], network.head[block.channel], start, self.column_node[columns]]
        )
        key = np.concatenate([pair, pair, ends, ends]) * network.num_nodes + where
        num = np.concatenate([block.load.num, -block.load.num, -one, one])
        den = np.concatenate([block.load.den, block.load.den, one, one])
        order = np.argsort(key, kind="stable")
        first = np.nonzero(np.diff(key[order], prepend=-1))[0]
        left = grouped_sum(Rationals(num[order], den[order]), first)
        return not left.num.any()

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        if paths and self.has_explicit_paths:
            return super().written_in_full(paths=True)
        return written_loads(self.table, self.rows, self.columns)


def _count(size: int) -> Int32:
    return np.arange(size, dtype=np.int32)
