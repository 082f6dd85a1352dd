"""A wide table of numbers that no terminal cuts: its groups of columns go below each other where they do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from .parts import bare_table, fits

__all__ = ["SideBySide"]

Group = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class SideBySide:
    """One row for each of ``names``, which stand under ``head``; ``groups``: columns by their heads, a cell a row.

    Where the terminal is too narrow, first the heads take two lines, then the groups stand below each other, each
    with the names again, and only then long names are folded; numbers and words are never broken before that.
    """

    head: str
    names: Sequence[str]
    groups: Sequence[Group]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        def fitting(groups: Sequence[Group]) -> Table | None:
            tables = (self._table(groups, two_lines=x) for x in (False, True))
            return next((x for x in tables if fits(x, console, options)), None)

        parts: list[list[Group]] = [[]]
        for group in self.groups:
            if parts[-1] and fitting([*parts[-1], group]) is None:
                parts.append([])
            parts[-1].append(group)
        for k, part in enumerate(parts):
            if k:
                yield Text()
            yield fitting(part) or self._table(part, two_lines=True, fold=True)

    def _table(self, groups: Sequence[Group], *, two_lines: bool, fold: bool = False) -> Table:
        table = bare_table()
        table.add_column(self.head, overflow="fold", no_wrap=not fold)
        columns = [(name, cells) for group in groups for name, cells in group.items()]
        for name, _ in columns:
            broken = name.replace(" ", "\n").replace("-", "-\n") if two_lines else name
            table.add_column(Text(broken), justify="right", overflow="fold", no_wrap=not fold)
        for k, name in enumerate(self.names):
            table.add_row(Text(name), *(Text(cells[k]) for _, cells in columns))
        return table
