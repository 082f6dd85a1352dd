"""All pair loads of a routing in one table: by channel and, on request, by pair."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, equal, matches, ragged, reduced, run_starts, summed
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import INT64_MAX, Rationals
from ...core.symmetry import Automorphism
from ...machine.memory import check_memory, check_table

MAX_ENTRIES = 50_000_000
"""Non-zero loads that are held in memory at once."""
_ENTRY_BYTES = 72  # 24, and three times that while they are sorted


Loads = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], npt.NDArray[np.integer], Rationals]


@dataclass(frozen=True, eq=False)
class PairTable:
    """Every non-zero pair load, sorted by channel, then row, then column; each triple once, in lowest terms.

    Entries ``offset[c]:offset[c + 1]`` belong to channel c.  offset: int64 (C + 1,); row, column: int32 (nnz,);
    load: Rationals (nnz,).
    """

    num_rows: int
    num_columns: int
    offset: Int64
    row: Int32
    column: Int32
    load: Rationals

    @staticmethod
    def of_block(block: LoadBlock, num_rows: int, num_columns: int) -> PairTable:
        """From the loads of all channels, in order, as routings give them."""
        return PairTable(num_rows, num_columns, block.offset, block.row, block.column, block.load)

    @staticmethod
    def joined(parts: Sequence[Loads], *, shape: tuple[int, int, int]) -> PairTable:
        """``of`` several parts: (channel, row, column, load) each.  Fastest where pairs come in order, row by row."""
        channel = stacked([part[0] for part in parts], np.int32)
        order = order_of(channel, shape[0])
        ends = [r for _, r, _, _ in parts], [d for _, _, d, _ in parts]
        row, column = (stacked(some, np.int32)[order] for some in ends)
        return PairTable.of(channel[order], row, column, concatenate([x[3] for x in parts])[order], shape=shape)

    @staticmethod
    def of(
        channel: npt.NDArray[np.integer],
        row: npt.NDArray[np.integer],
        column: npt.NDArray[np.integer],
        load: Rationals,
        *,
        shape: tuple[int, int, int],
    ) -> PairTable:
        """From entries in any order, loads of equal (channel, row, column) added up; ``shape`` counts all three.

        Raises InputError when there are more than MAX_ENTRIES of them.
        """
        check_room(len(channel))
        num_channels, num_rows, num_columns = shape
        if num_channels * num_rows * num_columns > INT64_MAX:
            raise InputError(f"{num_channels} channels and {num_rows} x {num_columns} pairs are too many for a table")
        key = (channel.astype(np.int64) * num_rows + row) * num_columns + column
        if len(key) > 1 and not (key[1:] > key[:-1]).all():
            key, load = summed(key, load)
        else:
            load = reduced(load.num, load.den)
        pair = key % (num_rows * num_columns)
        offset = np.searchsorted(key, np.arange(num_channels + 1) * (num_rows * num_columns)).astype(np.int64)
        return PairTable(
            num_rows,
            num_columns,
            offset,
            (pair // num_columns).astype(np.int32),
            (pair % num_columns).astype(np.int32),
            load,
        )

    def __len__(self) -> int:
        return len(self.row)

    @property
    def num_channels(self) -> int:
        return len(self.offset) - 1

    @cached_property
    def channel(self) -> Int32:
        """int32, shape (nnz,)."""
        return np.repeat(np.arange(self.num_channels, dtype=np.int32), np.diff(self.offset))

    @cached_property
    def denominators(self) -> list[int]:
        """The distinct denominators of all loads, ascending."""
        return self.load.denominators()

    @cached_property
    def by_pair(self) -> tuple[Int64, Int64]:
        """(the sorted pair of every entry, its place in the table)."""
        pair = self.row.astype(np.int64) * self.num_columns + self.column
        order = np.argsort(pair, kind="stable")
        return pair[order], order

    def channel_loads(self, channels: npt.ArrayLike, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32)
        length = self.offset[asked + 1] - self.offset[asked]
        at = ragged(self.offset[asked], length)
        if rows is not None:
            keep = rows[self.row[at]]
            length = np.bincount(np.repeat(np.arange(len(asked)), length)[keep], minlength=len(asked))
            at = at[keep]
        return LoadBlock(asked, offsets_of(length), self.row[at], self.column[at], self.load[at])

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        pair, order = self.by_pair
        asked = np.asarray(rows, dtype=np.int64) * self.num_columns + np.asarray(columns, dtype=np.int64)
        at, length = matches(pair, asked)
        return PairBlock(offsets_of(length), self.channel[order[at]], self.load[order[at]])

    def equals_image(self, channel: Int32, row: Int32, column: Int32) -> bool:
        """Is the table unchanged when entry k moves to ``(channel[k], row[k], column[k])``?"""
        order = np.argsort((channel.astype(np.int64) * self.num_rows + row) * self.num_columns + column)
        places = ((channel, self.channel), (row, self.row), (column, self.column))
        same = all(np.array_equal(image[order], own) for image, own in places)
        return same and equal(self.load[order], self.load)


def order_of(numbers: npt.NDArray[np.integer], count: int) -> Int64:
    """What sorts ``numbers``, 0 .. count - 1; equal ones stay in order."""
    few = count <= 1 << 16  # 16 bits are sorted by their digits, much faster
    return np.argsort(numbers.astype(np.uint16) if few else numbers, kind="stable")


class TooManyLoadsError(InputError):
    """A routing whose table of pair loads is not to be held in memory."""


def check_room(entries: int) -> None:
    """Raise TooManyLoadsError, or as ``check_memory``, when a table of so many non-zero loads is not to be held."""
    check_memory(entries * _ENTRY_BYTES, f"a routing of {entries:,} non-zero pair loads")
    if entries > MAX_ENTRIES:
        raise TooManyLoadsError(
            f"this routing has more than {MAX_ENTRIES:,} non-zero pair loads, too many for a table in memory; "
            f"failures and proof files need one; most other questions do without for forwarding tables (dmodk, dumps "
            f"of a fabric) and closed forms (minimal, dor, ...)"
        )


def loads_agree(here: LoadBlock, there: LoadBlock, g: Automorphism) -> bool:
    """Is load(c; i, j) of ``here`` the load(g(c); g(i), g(j)) of ``there``, channel by channel in the order given?"""
    if not np.array_equal(here.offset, there.offset) or (here.base is None) != (there.base is None):
        return False
    if here.base is not None and there.base is not None:
        ends = ((here.base.row, there.base.row), (here.base.column, there.base.column))
        if not all(equal(mine, theirs[:, g.node]) for mine, theirs in ends):
            return False
    block = members(here.offset)
    row, column = g.node[here.row], g.node[here.column]
    order = np.lexsort((column, row, block))
    return (
        np.array_equal(row[order], there.row)
        and np.array_equal(column[order], there.column)
        and equal(here.load[order], there.load)
    )


ChannelLoads = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], Rationals]
"""(row, column, load) of one channel."""


def load_block(channels: Int32, parts: Iterable[ChannelLoads], rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
    """The block of ``channels``, each with its loads in any order, of which ``rows`` count (bool; None: all)."""
    all_rows, all_columns, loads = list[Int32](), list[Int32](), list[Rationals]()
    for row, column, load in parts:
        if rows is not None:
            kept = rows[row]
            row, column, load = row[kept], column[kept], load[kept]
        key = row.astype(np.int64) << 32 | column
        if not (key[1:] > key[:-1]).all():
            order = np.argsort(key)
            row, column, load = row[order], column[order], load[order]
        all_rows.append(row.astype(np.int32, copy=False))
        all_columns.append(column.astype(np.int32, copy=False))
        loads.append(load)
    offset = offsets_of([len(x) for x in loads])
    return LoadBlock(channels, offset, stacked(all_rows, np.int32), stacked(all_columns, np.int32), concatenate(loads))


def merge_terminals(network: Network, table: PairTable) -> PairTable | None:
    """The table by node, or None if two terminals of one node are routed differently."""
    num_nodes = network.num_nodes
    if all(np.array_equal(ends, np.arange(num_nodes)) for ends in (network.source, network.sink)):
        return table
    row, column = network.source[table.row], network.sink[table.column]
    load = table.load
    channel = table.channel
    if int(network.supply.max()) > 1 or int(network.demand.max()) > 1:
        # Each pair of nodes must load a channel through all of its pairs of terminals alike.
        order = np.lexsort((column, row, channel))
        channel, row, column, load = channel[order], row[order], column[order], load[order]
        first = np.flatnonzero((np.diff(np.stack([channel, row, column]), prepend=-1) != 0).any(axis=0))
        length = np.diff(np.append(first, len(row)))
        if not np.array_equal(length, network.supply[row[first]] * network.demand[column[first]]):
            return None
        like = np.repeat(first, length)
        if not (np.array_equal(load.num, load.num[like]) and np.array_equal(load.den, load.den[like])):
            return None
        channel, row, column, load = channel[first], row[first], column[first], load[first]
    return PairTable.of(channel, row, column, load, shape=(table.num_channels, num_nodes, num_nodes))


def stacked(parts: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The parts one after the other; empty if there are none."""
    return np.concatenate(parts) if parts else np.zeros(0, dtype=dtype)


By = Literal["node", "terminal"]


_MAX_BITS = 6000  # numerator and denominator together stay below the 4,000 digits that are read back


def written_loads(table: PairTable, rows: By, columns: By) -> dict[str, Any]:
    """JSON-able ``{"rows", "columns", "loads": [[row, column, [channel, ...], [load, ...]], ...]}``.

    ``rows`` and ``columns`` say what is numbered: "node" or "terminal".  A load is an integer or a fraction string.
    """
    pair, order = table.by_pair
    bounds = [*run_starts(pair).tolist(), len(order)]
    channel = table.channel[order].tolist()
    load = [_written(x) for x in table.load[order].fractions()]
    loads = [
        [int(table.row[order[low]]), int(table.column[order[low]]), channel[low:high], load[low:high]]
        for low, high in itertools.pairwise(bounds)
    ]
    return {"rows": rows, "columns": columns, "loads": loads}


def _written(load: Fraction) -> int | str:
    if load.denominator == 1:
        return int(load)
    if load.denominator.bit_length() > _MAX_BITS:
        raise InputError(
            f"a load with a denominator of {load.denominator.bit_length():,} bits is too long for a report"
        )
    return str(load)


def check_table_size(network: Network, name: str, keeps: str, most: int, each: int) -> None:
    """Raise InputError where tables of ``each`` bytes for every pair of nodes are too large to hold."""
    n = network.num_nodes
    if n > most:
        raise InputError(
            f"{name} {keeps} tables of {n} x {n}; at most {most} nodes are taken "
            f"(tori and meshes of any size: dor, romm, valiant)"
        )
    check_table(n, n, each, f"{name} on {network.name}")
