"""A comparison of routings on the terminal: title, sizes, a row for every routing; in a table that is never cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...answers.compare import Comparison, load_claimed
from ...core.claim import Claim
from ...core.vocabulary.quantity import HOPS, OF_CAPACITY, OF_MINIMAL
from .escape import printable
from .numbers import decimal_text, fraction_text
from .parts import bare_table, fits, quiet, title, units_text

_BY_LEVEL = "by level: free of deadlock on the virtual lanes of the service levels given, not if all shared one lane"


def comparison_parts(comparison: Comparison) -> list[RenderableType]:
    """Title, sizes, and one row for every routing."""
    network = comparison.network
    names = [printable(x.name, limit=60) for x in comparison.routings]
    page: list[RenderableType] = [
        title(printable(network.name, limit=70)),
        quiet(f"{units_text(network)}; throughput per terminal, exact; every number is proved"),
        SideBySide("routing", names, _groups(comparison)),
    ]
    if comparison.best is not None:
        page.append(Text(printable(comparison.best, limit=300)))
    if any(x.about.get("lanes") for claims in comparison.by_routing for x in claims):
        page.append(quiet(_BY_LEVEL))
    for name, reason in zip(names, comparison.unjudged, strict=True):
        if reason is not None:
            page.append(Text(f"{name}: {printable(reason, limit=200)}"))
    return page


def _groups(comparison: Comparison) -> list[dict[str, list[str]]]:
    """The columns, in groups that stay together: head and cells, one for every routing."""
    of = [
        {x.quantity: x.value for x in claims if "channel" not in x.about and x.relation != ">="}
        for claims in comparison.by_routing
    ]

    def exact(quantity: str) -> list[str]:
        return [fraction_text(value) if isinstance(value := x.get(quantity), Fraction) else "" for x in of]

    def decimal(quantity: str) -> list[str]:
        return [_decimal(x.get(quantity)) for x in of]

    worst = {"worst case": exact("worst_case_throughput")}
    least = [load_claimed(claims, ">=") for claims in comparison.by_routing]
    if any(least):
        worst["of best"] = [_decimal(x / load_claimed(y)) for x, y in zip(least, comparison.by_routing, strict=True)]
    worst[OF_CAPACITY] = decimal("worst_case_throughput_of_capacity")
    uniform = {"uniform": exact("throughput"), OF_CAPACITY: decimal("throughput_of_capacity")}
    hops = {HOPS: exact("average_path_length"), OF_MINIMAL: decimal("average_path_length_of_minimal")}
    deadlock = {"deadlock-free": [_verdict(claims) for claims in comparison.by_routing]}
    if any("virtual_channels" in x for x in of):
        deadlock["channels"] = [f"{x['virtual_channels']} virtual" if "virtual_channels" in x else "" for x in of]
    return [worst, uniform, hops, deadlock]


def _verdict(claims: Sequence[Claim]) -> str:
    """``yes`` or ``no`` on one lane; where that is no, ``by level`` or ``not by level`` with service levels."""
    found = {"lanes" in x.about: x.value == "true" for x in claims if x.quantity == "deadlock_free"}
    if not found:
        return "not judged"
    if found.get(False) or True not in found:
        return "yes" if found[False] else "no"
    return "by level" if found[True] else "not by level"


def _decimal(value: object) -> str:
    return decimal_text(value) if isinstance(value, Fraction) else "?"


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
