"""What a set of demands admits between ports: the terminals of one node that it treats alike, taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32
from ..core.network import Network
from ..core.symmetry import Automorphism

Cell = tuple[int, int]
"""(row, column)."""


@dataclass(frozen=True, eq=False)
class Ports:
    """Rows send, columns receive; each is one or more terminals of a node, and named by the smallest of them.

    - ``row_of``, ``column_of``: int32 (T,): of which row and column every terminal is, -1 for those that never send
      (receive) over a channel; ``row_node``, ``column_node``: int32 (R,), (K,); ``row_name``, ``column_name``: the
      terminals that name them;
    - ``may``: bool (R, K): whether the row may send to the column, which is at another node;
    - ``low``: what is sent in any case; ``room``: how much more a pair may send (None: no limit of its own);
    - ``sends``, ``receives``, ``total``: how much more than ``low`` rows send, columns receive, and all together; None
      where there is no such limit.
    """

    row_of: Int32
    column_of: Int32
    row_node: Int32
    column_node: Int32
    row_name: Int32
    column_name: Int32
    may: npt.NDArray[np.bool_]
    sends: Sequence[Fraction] | None
    receives: Sequence[Fraction] | None
    total: Fraction | None
    low: Mapping[Cell, Fraction]
    room: Mapping[Cell, Fraction] | None

    @staticmethod
    def of_nodes(network: Network) -> Ports:
        """All permutations: rows and columns are the nodes, as if each were one terminal, and send and receive as many
        packets as they have terminals."""
        nodes = np.arange(network.num_nodes, dtype=np.int32)
        sends, receives = ([Fraction(x) for x in side.tolist()] for side in (network.supply, network.demand))
        apart = nodes[:, None] != nodes[None, :]
        return Ports(nodes, nodes, nodes, nodes, nodes, nodes, apart, sends, receives, None, {}, None)

    def alike(self, network: Network) -> bool:
        """Are rows and columns the nodes, all with one limit, and is nothing else limited?"""
        nodes = np.arange(network.num_nodes)
        same = all(rates is None or (len({*rates}) == 1 and rates[0] > 0) for rates in (self.sends, self.receives))
        limited = self.total is not None or self.room is not None
        return same and not limited and all(np.array_equal(x, nodes) for x in (self.row_node, self.column_node))

    @cached_property
    def by_node(self) -> bool:
        """Has every node at most one row and one column?  Then symmetries move ports along with nodes."""
        return all(len(np.unique(x)) == len(x) for x in (self.row_node, self.column_node))

    def between(self, num_nodes: int) -> npt.NDArray[np.bool_]:
        """bool (N, N): may some row of the one node send to some column of the other?"""
        found = np.zeros((num_nodes, num_nodes), dtype=np.bool_)
        row, column = np.nonzero(self.may)
        found[self.row_node[row], self.column_node[column]] = True
        return found

    @cached_property
    def turned(self) -> bool:
        """Does exchanging senders and receivers leave the set as it is?"""
        alike = np.array_equal(self.row_of, self.column_of) and np.array_equal(self.row_node, self.column_node)
        if not alike or not np.array_equal(self.may, self.may.T) or self.sends != self.receives:
            return False
        return all(
            limits is None or all(limits.get((k, r)) == x for (r, k), x in limits.items())
            for limits in (self.low, self.room)
        )

    def kept_by(self, g: Automorphism) -> bool:
        """Does moving every terminal along with its node leave the set as it is?"""
        if not self.by_node:
            return False
        row, column = (self._moved(nodes, g) for nodes in (self.row_node, self.column_node))
        if row is None or column is None or not np.array_equal(self.may[row][:, column], self.may):
            return False
        for rates, image in ((self.sends, row), (self.receives, column)):
            if rates is not None and any(rates[int(r)] != x for r, x in zip(image, rates, strict=True)):
                return False
        return all(
            limits is None or all(limits.get((int(row[r]), int(column[k]))) == x for (r, k), x in limits.items())
            for limits in (self.low, self.room)
        )

    def rows_moved(self, g: Automorphism) -> tuple[Int32, Int32]:
        """The image of every row and of every column, of an automorphism that keeps the set."""
        row, column = (self._moved(nodes, g) for nodes in (self.row_node, self.column_node))
        assert row is not None
        assert column is not None
        return row, column

    @staticmethod
    def _moved(nodes: Int32, g: Automorphism) -> Int32 | None:
        place = np.full(len(g.node), -1, dtype=np.int32)
        place[nodes] = np.arange(len(nodes), dtype=np.int32)
        found: Int32 = place[g.node[nodes]]
        return None if (found < 0).any() else found
