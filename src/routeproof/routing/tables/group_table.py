"""Tables of next-hop groups, for fabrics of a thousand switches: equal groups are held once, and so are equal visits.

What packets load is worked out channel by channel: nothing of size channels x pairs is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members, offsets_of
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.symmetry import Automorphism, check_automorphism
from ...formats.documents.packed_ints import pack_ints
from ...formats.documents.routing import network_entry
from ...machine.memory import check_memory, free_memory
from ..base.pair_table import PairTable
from ..base.routing import Dependency, Ends, Routing
from ..dependencies.channels import turn_numbers
from .group_kernels import (
    LIMIT,
    count_loads,
    fill_loads,
    fill_visits,
    mark_group_turns,
    number_visits,
    pair_crossings,
    same_under,
)

Group = tuple[tuple[int, int], ...]
_MOST_PATHS = 100_000  # of a pair
_COMPARED = 20_000_000  # pair loads that are compared with those of the way back
_ROW_BYTES = 12
MOST_WEIGHT = 1 << 40
_MOST_ROWS = 4_000_000_000


class UnevenWeightsError(InputError):
    """Probabilities whose common denominator passes 62 bits."""


@dataclass(frozen=True, eq=False)
class GroupTable:
    """``group``: int32 (N, D), the number of the group of node v for column d, -1 for none; group g has the channels
    ``channel[start[g]:start[g + 1]]``, ascending, with ``weight``, positive."""

    group: Int32
    start: Int64
    channel: Int32
    weight: Int64

    @staticmethod
    def of(shape: tuple[int, int], found: Mapping[tuple[int, int], Group]) -> GroupTable:
        """From groups, (channel, weight) by ascending channel, by (node, column).

        Raises UnevenWeightsError for a weight above ``MOST_WEIGHT``.
        """
        number: dict[Group, int] = {}
        group = np.full(shape, -1, dtype=np.int32)
        for (v, d), entries in found.items():
            group[v, d] = number.setdefault(entries, len(number))
        if any(w > MOST_WEIGHT for entries in number for _, w in entries):
            raise UnevenWeightsError(f"a next-hop group has weights above {MOST_WEIGHT}")
        start = offsets_of([len(x) for x in number])
        pairs = np.array([pair for x in number for pair in x], dtype=np.int64).reshape(-1, 2)
        return GroupTable(group, start, pairs[:, 0].astype(np.int32), pairs[:, 1].copy())

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def total(self) -> Int64:
        """int64 (G,): the sum of the weights of every group."""
        return np.add.reduceat(self.weight, self.start[:-1]) if len(self) else np.zeros(0, dtype=np.int64)

    def entries(self, node: int, column: int) -> list[tuple[int, int]]:
        """(channel, weight) of the group there, which must be one."""
        part = slice(int(self.start[self.group[node, column]]), int(self.start[self.group[node, column] + 1]))
        return list(zip(self.channel[part].tolist(), self.weight[part].tolist(), strict=True))


class _Visits(NamedTuple):
    """As ``group_kernels`` says it: ``number`` int32 (N, D); of visit k the rows ``row[begin[k]:begin[k + 1]]``."""

    number: Int32
    begin: Int64
    row: Int32
    num: Int64
    den: Int64

    @property
    def kept(self) -> tuple[Int64, Int32, Int64, Int64]:
        return self.begin, self.row, self.num, self.den


class GroupTableRouting(Routing):
    """At every node a packet for a column takes one of the channels of its group, in proportion to their weights.

    ``column_of``: int32 (T,), the column of every terminal as a destination, of one node each; None: columns are nodes.

    Raises InputError for a node that packets come to without a group, and for a cycle; UnevenWeightsError where 62 bits
    do not hold a probability.
    """

    has_explicit_paths = True
    crosses_once = True

    def __init__(self, network: Network, name: str, table: GroupTable, column_of: Int32 | None = None) -> None:
        ends = Ends.of(network)
        if column_of is not None:
            node = np.zeros(table.group.shape[1], dtype=np.int32)
            node[column_of] = network.sink
            ends = Ends(ends.row_of, column_of.astype(np.int32), ends.row_node, node, by_node=False)
        super().__init__(network, name, ends)
        self.table = table
        self.used = np.unique(self.column_of).astype(np.int64)
        self._visits = self._visited()

    def _visited(self) -> _Visits:
        network, table = self.network, self.table
        what = f"{self.name} on {network.name}"
        if int(np.diff(table.start).max(initial=1)) > LIMIT // MOST_WEIGHT:
            raise InputError(f"{what}: a group of more than {LIMIT // MOST_WEIGHT:,} channels")
        check_memory(8 * table.group.size, what)
        number = np.full(table.group.shape, -1, dtype=np.int32)
        first, order = network.in_channels
        incoming = (first, order.astype(np.int64), network.tail[order].astype(np.int64))
        sends = network.supply > 0
        steps = 20.0 * len(self.used) * network.num_channels
        status, d, v, *found = number_visits.for_steps(steps)(
            table.group, table.start, table.channel, network.head, incoming, self.used, self.column_node, sends, number
        )
        if status < 0:
            at = network.label(int(v))
            why = f"node {at} has no group" if status == -1 else f"they may go round in a cycle at {at}"
            end = network.label(int(self.column_node[int(d)]))
            raise InputError(f"routing {self.name}: packets for node {end} do not arrive: {why}")
        free = free_memory()
        most = _MOST_ROWS if free is None else free // (2 * _ROW_BYTES)
        of = (members(table.start), table.weight, table.total)
        status, begin, row, num, den = fill_visits.for_steps(steps)(tuple(found), of, sends, most)
        if status == -2:
            check_memory(3 * _ROW_BYTES * most, what)
            raise InputError(f"{what} would not fit into memory")
        v_of, d_of = np.nonzero(number >= 0)
        pair = np.unique(number[v_of, d_of].astype(np.int64) * len(table) + table.group[v_of, d_of])
        parts, share = den[pair // len(table)] if status == 0 else np.zeros(0, np.int64), table.total[pair % len(table)]
        if status == -1 or (parts > LIMIT // share).any():
            raise UnevenWeightsError(f"{what}: probabilities whose common denominator has more than 62 bits")
        self._denominators: list[int] = np.unique(parts * share).tolist()
        size = int(begin[-1])
        return _Visits(number, begin, row[:size].copy(), num[:size].copy(), den)

    @property
    def denominators(self) -> list[int]:
        return self._denominators

    @property
    def entries(self) -> int:
        return int(self.table.total.max(initial=0))

    @cached_property
    def _count(self) -> Int64:
        """int64 (C,): how many pairs load each channel."""
        count, table, visits = np.zeros(self.network.num_channels, dtype=np.int64), self.table, self._visits
        run = count_loads.for_steps(10.0 * table.group.size)
        run(table.group, visits.number, self.used, table.start, table.channel, visits.begin, count)
        return count

    def expected_loads(self, channel: int) -> int:
        return int(self._count[channel])

    @property
    def _groups(self) -> tuple[Int64, Int32, Int64, Int64]:
        return self.table.start, self.table.channel, self.table.weight, self.table.total

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        offset = offsets_of(self._count[asked])
        size = int(offset[-1])
        row, column = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
        num, den = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        tables = (self.table.group, self._visits.number)
        run = fill_loads.for_steps(4.0 * size + 10.0 * len(asked) * len(self.used))
        run(asked, offset, self.network.tail, tables, self.used, self._groups, self._visits.kept, row, column, num, den)
        if rows is not None:
            keep = rows[row]
            length = np.bincount(members(offset)[keep], minlength=len(asked))
            offset, row, column, num, den = offsets_of(length), row[keep], column[keep], num[keep], den[keep]
        return LoadBlock(asked, offset, row, column, Rationals(num, den))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        asked = np.asarray(rows, dtype=np.int64).reshape(-1), np.asarray(columns, dtype=np.int64).reshape(-1)
        offset = np.zeros(len(asked[0]) + 1, dtype=np.int64)
        tables = (self.table.group, self._visits.number)
        run = pair_crossings.for_steps(20.0 * len(asked[0]) * self.network.num_nodes)
        none = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        run(*asked, tables, self._groups, self._visits.kept, offset, *none)
        size = int(offset[-1])
        channel, num, den = (
            np.empty(size, dtype=np.int32),
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
        )
        run(*asked, tables, self._groups, self._visits.kept, offset, channel, num, den)
        order = np.lexsort((channel, members(offset)))
        return PairBlock(offset, channel[order], Rationals(num[order], den[order]))

    def check(self) -> None:
        """Nothing: that every packet arrives was found when the tables were walked."""

    def respects(self, g: Automorphism) -> bool:
        """Groups are compared, wherever packets come; raises InputError if ``g`` is no automorphism of the network."""
        if not self.by_node:
            return False
        check_automorphism(self.network, g)
        table, image = self.table, np.full(len(self.table), -1, dtype=np.int64)
        run = same_under.for_steps(3.0 * table.group.size)
        tables = (table.group, self._visits.number)
        return bool(run(g.node, g.channel, tables, table.start, table.channel, table.weight, self.used, image))

    def respects_reversal(self) -> bool:
        """All pair loads are compared where they are not very many."""
        reverse = self.network.reverse
        if reverse is None or not self.by_node or int(self._count.sum()) > _COMPARED:
            return False
        table = self._loads
        return table.equals_image(reverse[table.channel], table.column, table.row)

    @cached_property
    def _loads(self) -> PairTable:
        block = self.channel_loads(np.arange(self.network.num_channels))
        return PairTable.of_block(block, self.network.num_nodes, len(self.column_node))

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        end, head = int(self.column_node[column]), self.network.head
        found: list[tuple[Fraction, list[int]]] = []
        todo: list[tuple[Fraction, int, list[int]]] = [(Fraction(1), int(self.row_node[row]), [])]
        while todo:
            weight, v, path = todo.pop()
            if v == end:
                found.append((weight, path))
                continue
            group = self.table.entries(v, column)
            total = sum(w for _, w in group)
            todo += [(weight * Fraction(w, total), int(head[c]), [*path, c]) for c, w in reversed(group)]
            if len(todo) + len(found) > _MOST_PATHS:
                raise InputError(f"{self.name} has more than {_MOST_PATHS:,} paths for a pair, too many to write out")
        return found

    def group(self, node: int, column: int) -> Sequence[tuple[int, int]]:
        return self.table.entries(node, column) if self.table.group[node, column] >= 0 else ()

    def group_numbers(self) -> tuple[Int32, Sequence[Sequence[tuple[int, int]]]]:
        pairs = list(zip(self.table.channel.tolist(), self.table.weight.tolist(), strict=True))
        start = self.table.start.tolist()
        return self.table.group, [pairs[a:b] for a, b in pairwise(start)]

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:  # noqa: ARG002  # quick
        """A channel into a node waits for those of the node's group, if a packet from somewhere takes it."""
        table, visits, turns = self.table, self._visits, turn_numbers(self.network)
        row, column = (np.full(turns.count, -1, dtype=np.int32) for _ in range(2))
        run = mark_group_turns.for_steps(50.0 * table.group.size)
        run(
            (table.group, visits.number), self.used, self.column_node, self.network.head, table.start, table.channel,
            (visits.begin, visits.row), (turns.start, turns.rank), row, column,
        )  # fmt: skip
        made = np.flatnonzero(row >= 0)
        first, second = (x[made].astype(np.int32) for x in (turns.first, turns.second))
        yield first, second, row[made], column[made]

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # the table tells them
        """The table, packed: what ``groups.read_group_table`` reads."""
        table = self.table
        entry = {
            "columns": "node" if self.by_node else pack_ints(self.column_of),
            "group": pack_ints(table.group.ravel()),
            "size": pack_ints(np.diff(table.start)),
            "channel": pack_ints(table.channel),
            "weight": pack_ints(table.weight),
        }
        return {"group_table": entry}

    def document(self) -> dict[str, Any]:
        """By node: the groups, one by one (``files.documents`` reads it)."""
        if not self.by_node:
            return super().document()
        listed: list[Sequence[Any]] = []
        for v, d in zip(*(x.tolist() for x in np.nonzero(self._visits.number >= 0)), strict=True):
            group = self.table.entries(v, d)
            listed.append([v, d, [c for c, _ in group], [w for _, w in group]])
        return {"format": "routeproof/routing", "network": network_entry(self.network), "groups": listed}
