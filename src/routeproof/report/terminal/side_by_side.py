"""A wide table of numbers that no terminal cuts: its groups of columns go below each other where they do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table

__all__ = ["side_by_side"]

Group = Mapping[str, Sequence[str]]


def side_by_side(head: str, names: Sequence[str], groups: Sequence[Group]) -> RenderableType:
    """One row for each of ``names``, which stand under ``head``; ``groups``: columns by their heads, a cell a row.

    Where the terminal is too narrow, first the heads take two lines, then the groups stand below each other, each
    with the names again, and only then long names are folded; numbers and words are never broken before that.
    """
    return _SideBySide(head, tuple(names), tuple(groups))


@dataclass(frozen=True)
class _SideBySide:
    head: str
    names: tuple[str, ...]
    groups: tuple[Group, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.measure import Measurement
        from rich.text import Text

        def fitting(groups: Sequence[Group]) -> Table | None:
            for two_lines in (False, True):
                table = self._table(groups, two_lines=two_lines)
                if Measurement.get(console, options.update(width=1000), table).maximum <= options.max_width:
                    return table
            return None

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
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column(self.head, overflow="fold", no_wrap=not fold)
        columns = [(name, cells) for group in groups for name, cells in group.items()]
        for name, _ in columns:
            broken = name.replace(" ", "\n").replace("-", "-\n") if two_lines else name
            table.add_column(Text(broken), justify="right", overflow="fold", no_wrap=not fold)
        for k, name in enumerate(self.names):
            table.add_row(Text(name), *(Text(cells[k]) for _, cells in columns))
        return table
