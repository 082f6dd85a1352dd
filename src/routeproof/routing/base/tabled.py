"""Routings whose pair loads are all held in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals, parse_fraction
from ...core.symmetry import Automorphism, check_automorphism
from .pair_table import By, PairTable, written_loads
from .routing import Ends, Routing


class TabledRouting(Routing):
    """A routing whose pair loads are all held in a ``PairTable``; rows and columns are nodes or terminals."""

    def __init__(
        self, network: Network, name: str, table: PairTable, *, rows: By = "node", columns: By = "node"
    ) -> None:
        super().__init__(network, name, Ends.of(network, rows, columns))
        self.table = table
        self.rows: By = rows
        self.columns: By = columns

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
        """All entries are compared; raises InputError if ``g`` is not an automorphism of the network."""
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

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        if paths and self.has_explicit_paths:
            return super().written_in_full(paths=True)
        return written_loads(self.table, self.rows, self.columns)


def read_embedded(network: Network, data: Mapping[str, Any]) -> TabledRouting:
    """The routing with the loads that ``written_loads`` wrote.

    Whether it delivers every pair is not yet checked: call its ``check``.  Raises InputError for a number that is
    outside the network, a pair that never enters it or is given twice, and a load that is not a positive number.
    """
    by: dict[str, Literal["node", "terminal"]] = {}
    for what in ("rows", "columns"):
        kind = data.get(what)
        if kind != "node" and kind != "terminal":
            raise InputError(f"'{what}' of a routing is {str(kind)[:40]!r}; 'node' or 'terminal' was expected")
        by[what] = "node" if kind == "node" else "terminal"
    name = data["spec"]
    items = data.get("loads")
    if not isinstance(items, list):
        raise InputError("'loads' of a routing must be a list of [row, column, channels, loads]")
    count = {"node": network.num_nodes, "terminal": network.num_terminals}
    num_rows, num_columns = count[by["rows"]], count[by["columns"]]
    row_node = range(network.num_nodes) if by["rows"] == "node" else network.source.tolist()
    column_node = range(network.num_nodes) if by["columns"] == "node" else network.sink.tolist()
    entries: list[tuple[int, int, int]] = []
    values = []
    seen: set[tuple[int, int]] = set()
    for item in items:
        if not (isinstance(item, list) and len(item) == 4 and all(isinstance(x, list) for x in item[2:])):
            raise InputError(f"{str(item)[:60]!r} is not a pair of it; [row, column, channels, loads] was expected")
        i = _number(item[0], num_rows, "row")
        j = _number(item[1], num_columns, "column")
        if row_node[i] == column_node[j]:
            raise InputError(f"row {i} and column {j} are both on node {row_node[i]}: such a packet enters no channel")
        if (i, j) in seen:
            raise InputError(f"the loads from row {i} to column {j} are given twice")
        seen.add((i, j))
        if len(item[2]) != len(item[3]) or len(set(map(str, item[2]))) != len(item[2]):
            raise InputError(f"from row {i} to column {j}: one load for each channel, each channel once, was expected")
        for c, x in zip(item[2], item[3], strict=True):
            load = parse_fraction(x, what=f"the load from row {i} to column {j}")
            if load <= 0:
                raise InputError(f"the load of channel {c} from row {i} to column {j} is {load}; it must be positive")
            entries.append((_number(c, network.num_channels, "channel"), i, j))
            values.append(load)
    flat = np.array(entries, dtype=np.int64).reshape(-1, 3)
    shape = (network.num_channels, num_rows, num_columns)
    table = PairTable.of(flat[:, 0], flat[:, 1], flat[:, 2], Rationals.of(values), shape=shape)
    return TabledRouting(network, name, table, rows=by["rows"], columns=by["columns"])


def _number(value: object, below: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{what} {str(value)[:40]!r} of a routing is not a number; 0 to {below - 1} was expected")
    if not 0 <= value < below:
        raise InputError(f"{what} {str(value)[:40]} of a routing is outside 0 to {below - 1}")
    return value
