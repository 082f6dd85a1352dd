"""Routings by name whose paths are all written out: what they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from ...machine.memory import check_table
from ..base.bundle import Bundle
from ..base.exact_arrays import concatenate, ragged
from ..base.pair_table import By, PairTable, check_room
from ..base.tabled import TabledRouting

_BUNDLE = 1 << 18


@dataclass(frozen=True, eq=False)
class PathList:
    """Path k: from row ``row[k]`` to column ``column[k]`` over ``channel[offset[k]:offset[k + 1]]``, with its weight.

    row, column: int32 (P,); offset: int64 (P + 1,); channel: int32 (nnz,); weight: Rationals (P,), summing to 1 a pair.
    """

    row: Int32
    column: Int32
    offset: Int64
    channel: Int32
    weight: Rationals

    @staticmethod
    def joined(parts: list[PathList]) -> PathList:
        """The paths of all parts, one part after the other."""
        lengths = np.concatenate([np.diff(part.offset) for part in parts])
        return PathList(
            np.concatenate([part.row for part in parts]),
            np.concatenate([part.column for part in parts]),
            offsets_of(lengths),
            np.concatenate([part.channel for part in parts]),
            concatenate([part.weight for part in parts]),
        )

    def taken(self, which: Int64) -> PathList:
        """The paths ``which``, in that order."""
        length = np.diff(self.offset)[which]
        at = ragged(self.offset[which], length)
        offset = offsets_of(length)
        return PathList(self.row[which], self.column[which], offset, self.channel[at], self.weight[which])


class ListedRouting(TabledRouting):
    """A routing that is all of ``listed``; reports name it, and the name makes it again."""

    in_full = False
    has_explicit_paths = True
    holds_paths = True

    def __init__(
        self, network: Network, name: str, listed: PathList, *, rows: By = "node", columns: By = "node"
    ) -> None:
        length = np.diff(listed.offset)
        check_room(len(listed.channel))
        sizes = [network.num_nodes if by == "node" else network.num_terminals for by in (rows, columns)]
        table = PairTable.of(
            listed.channel,
            np.repeat(listed.row, length),
            np.repeat(listed.column, length),
            Rationals(np.repeat(listed.weight.num, length), np.repeat(listed.weight.den, length)),
            shape=(network.num_channels, sizes[0], sizes[1]),
        )
        super().__init__(network, name, table, rows=rows, columns=columns)
        self.listed = listed
        pair = listed.row.astype(np.int64) * sizes[1] + listed.column
        self._order = np.argsort(pair, kind="stable")
        self._pair = pair[self._order]

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        if int(self.row_node[row]) == int(self.column_node[column]):
            return [(Fraction(1), [])]
        listed = self.listed
        pair = row * len(self.column_node) + column
        low, high = np.searchsorted(self._pair, [pair, pair + 1])
        if low == high:
            raise InputError(f"{self.name} has no path for row {row} and column {column}, where no packets are")
        return [
            (listed.weight.fraction(k), listed.channel[listed.offset[k] : listed.offset[k + 1]].tolist())
            for k in self._order[low:high].tolist()
        ]

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:  # noqa: ARG002  # quick
        """Those of one length together."""
        listed = self.listed
        length = np.diff(listed.offset)
        for hops in np.unique(length[length > 0]).tolist():
            which = np.nonzero(length == hops)[0]
            for at in range(0, len(which), _BUNDLE):
                some = which[at : at + _BUNDLE]
                channel = listed.channel[listed.offset[some][:, None] + np.arange(hops)]
                yield Bundle(listed.row[some], listed.column[some], channel)


_PATH_BYTES = 60  # of one path, while it is made


def listed_next_hops(network: Network, name: str, table: Int32) -> ListedRouting:
    """The routing of ``table`` (int32 (N, T)): the channel by which a packet at a node leaves for a sink terminal.

    Raises InputError where a packet does not arrive.
    """
    sources = np.nonzero(network.supply > 0)[0].astype(np.int32)
    columns = np.arange(network.num_terminals, dtype=np.int32)
    check_table(len(sources), len(columns), _PATH_BYTES, f"{name} on {network.name}")
    row, column = np.repeat(sources, len(columns)), np.tile(columns, len(sources))
    away = row != network.sink[column]
    row, column = row[away], column[away]
    at = row.copy()
    going = np.arange(len(row))
    steps = []
    for _ in range(network.num_nodes):
        if not len(going):
            break
        channel = table[at[going], column[going]]
        lost = np.nonzero(channel < 0)[0]
        if lost.size:
            k = int(going[lost[0]])
            start, end = network.label(int(row[k])), network.label(int(network.sink[column[k]]))
            raise InputError(f"network {network.name}: {name} has no path from node {start} to node {end}")
        steps.append((going, channel))
        at[going] = network.head[channel]
        going = going[at[going] != network.sink[column[going]]]
    return ListedRouting(network, name, from_steps(row, column, steps), columns="terminal")


def from_steps(row: Int32, column: Int32, steps: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> PathList:
    """Paths from their hops: at step n the paths ``steps[n][0]`` cross the channels ``steps[n][1]``; weights are 1."""
    length = np.zeros(len(row), dtype=np.int64)
    for which, _ in steps:
        length[which] += 1
    offset = offsets_of(length)
    channel = np.empty(int(offset[-1]), dtype=np.int32)
    for n, (which, crossed) in enumerate(steps):
        channel[offset[which] + n] = crossed
    return PathList(row, column, offset, channel, Rationals.ones(len(row)))
