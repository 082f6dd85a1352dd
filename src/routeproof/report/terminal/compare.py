"""A comparison of routings on the terminal: title, sizes, a row for every routing; in a table that is never cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...core.claim import Claim, Grade, Interval
from ...core.display import decimal_text, estimate_text, fraction_text, outward_text
from ...core.escape import printable
from ...core.vocabulary.quantity import HOPS, OF_CAPACITY, OF_MINIMAL, OF_RATES
from ...questions.compare import Comparison
from ...questions.ranked import by_column, guarantee_claimed, load_claimed
from .parts import bare_table, bars, fits, quiet, title, units_text
from .table import grade_text

_DEADLOCK = "deadlock-free"
_ON_ONE = "deadlock-free: on one virtual channel"
_LONG = 26  # characters of a fraction
_BY_LEVEL = "by level: free of deadlock on the virtual lanes of the service levels given, not if all shared one lane"


def comparison_parts(comparison: Comparison) -> list[RenderableType]:
    """Title, sizes, and one row for every routing."""
    network = comparison.network
    names = [printable(x.name) for x in comparison.routings]
    sampled = [x for claims in comparison.by_routing for x in claims if isinstance(x.value, Interval)]
    other = "other " if sampled else ""
    page: list[RenderableType] = [
        title(printable(network.name)),
        quiet(f"{units_text(network)}; throughput per terminal, exact; every {other}number is proved"),
        SideBySide("routing", names, _groups(comparison)),
        bars("worst case", _bars(names, comparison)),
    ]
    if comparison.demands is not None:
        worst = [x for claims in comparison.by_routing for x in claims if x.quantity == "worst_case_throughput"]
        unit = f"; its throughput is a {OF_RATES}" if any(x.unit == OF_RATES for x in worst) else ""
        page.insert(1, quiet(f"worst case over the demands: {printable(comparison.demands.text)}{unit}"))
    if any(known is not None and not known[1] for known in map(guarantee_claimed, comparison.by_routing)):
        page.append(
            quiet(
                "worst case >=: at least that is guaranteed; how much more is not known exactly, nor which "
                "routing is best"
            )
        )
    if _judges_deadlock(comparison):
        page.append(quiet(_ON_ONE))
    if sampled:
        page.append(grade_text(sampled[0]))
    if comparison.best is not None:
        page.append(Text(printable(comparison.best)))
    page += [Text(printable(x)) for x in comparison.notes]
    if any(x.about.get("lanes") for claims in comparison.by_routing for x in claims):
        page.append(quiet(_BY_LEVEL))
    for name, reason in zip(names, comparison.unjudged, strict=True):
        if reason is not None:
            page.append(Text(f"{name}: {printable(reason)}"))
    if comparison.recommended:
        page.append(Text(printable(comparison.recommended)))
    return page


def comparison_table(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """(heads, rows): the columns of the terminal, with heads that differ; fractions too long to read in decimals."""
    columns: dict[str, Sequence[str]] = {"routing": [x.name for x in comparison.routings]}
    for group in _groups(comparison, lambda x: str(x) if len(str(x)) <= _LONG else decimal_text(x)):
        first = next(iter(group))
        for head, cells in group.items():
            grade = f" ({Grade.SAMPLED.value})" if head.startswith("average ") else ""
            where = " on one virtual channel" if head == _DEADLOCK else ""
            columns[f"{first}, {head}" if head.startswith("of ") else f"{head}{grade}{where}"] = cells
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def comparison_numbers(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """(heads, rows) for programs: every quantity by its name in the report, exact, and in decimals beside it."""
    found = [by_column(claims) for claims in comparison.by_routing]
    rows: list[dict[str, str]] = []
    for routing, claims in zip(comparison.routings, found, strict=True):
        row = {"routing": routing.name}
        for name in dict.fromkeys(x for one in found for x in one):
            value = claims[name].value if name in claims else ""
            row[name] = str(value)
            if isinstance(value, Interval):
                row |= {name: "", **{f"{name} {x}": repr(getattr(value, x)) for x in ("low", "best", "high")}}
            elif isinstance(value, Fraction):
                row[f"{name} (decimal)"] = repr(float(value))
        rows.append(row)
    heads = list(dict.fromkeys(x for row in rows for x in row))
    heads = [x for x in heads if any(row.get(x) for row in rows)]
    return heads, [[row.get(x, "") for x in heads] for row in rows]


def _bars(names: Sequence[str], comparison: Comparison) -> list[tuple[str, Fraction, str]]:
    known = zip(names, map(guarantee_claimed, comparison.by_routing), strict=True)
    return [(name, x[0], f"{'' if x[1] else '>= '}{decimal_text(x[0])}") for name, x in known if x is not None]


def _guarantee(claims: Sequence[Claim], fraction: Callable[[Fraction], str]) -> str:
    known = guarantee_claimed(claims)
    return "" if known is None else f"{'' if known[1] else '>= '}{fraction(known[0])}"


def _groups(comparison: Comparison, fraction: Callable[[Fraction], str] = fraction_text) -> list[dict[str, list[str]]]:
    """The columns, in groups that stay together: head and cells, one for every routing."""
    of = [{name: x.value for name, x in by_column(claims).items()} for claims in comparison.by_routing]

    def exact(quantity: str) -> list[str]:
        return [fraction(value) if isinstance(value := x.get(quantity), Fraction) else "" for x in of]

    def decimal(quantity: str) -> list[str]:
        return [_decimal(x.get(quantity)) for x in of]

    worst = {"worst case": [_guarantee(claims, fraction) for claims in comparison.by_routing]}
    least = [load_claimed(claims, ">=") for claims in comparison.by_routing]
    if any(least) and comparison.demands is None:
        worst["of best"] = [_decimal(x / load_claimed(y)) for x, y in zip(least, comparison.by_routing, strict=True)]
    if any("worst_case_throughput_of_capacity" in x for x in of) or comparison.demands is None:
        worst[OF_CAPACITY] = decimal("worst_case_throughput_of_capacity")
    uniform = {"uniform": exact("throughput"), OF_CAPACITY: decimal("throughput_of_capacity")}
    ratio = [_decimal(x.get("average_path_length_of_minimal")) if "average_path_length" in x else "" for x in of]
    hops = {HOPS: exact("average_path_length"), OF_MINIMAL: ratio}
    under = [x for x in of[0] if x.startswith("throughput under ")]
    given = [{x.removeprefix("throughput under "): exact(x)} for x in under]
    for name in (x for x in of[0] if x.startswith("average_case_")):
        quantity, _, model = name.partition(" under ")
        head = f"average under {model}" + (f", {OF_CAPACITY}" if quantity.endswith("of_capacity") else "")
        given.append({head: [_interval(x.get(name)) for x in of]})
    if any("worst_shift_throughput" in x for x in of):
        given.append({"worst shift": exact("worst_shift_throughput")})
    if not _judges_deadlock(comparison):
        return [worst, uniform, *given, hops]
    deadlock = {_DEADLOCK: [_verdict(claims) for claims in comparison.by_routing]}
    if any("virtual_channels" in x for x in of):
        deadlock["channels"] = [f"{x['virtual_channels']} virtual" if "virtual_channels" in x else "" for x in of]
    return [worst, uniform, *given, hops, deadlock]


def _judges_deadlock(comparison: Comparison) -> bool:
    found = any(x.quantity == "deadlock_free" for claims in comparison.by_routing for x in claims)
    return found or any(comparison.unjudged)


def _verdict(claims: Sequence[Claim]) -> str:
    """``yes`` or ``no`` on one lane; where that is no, ``by level`` or ``not by level`` with service levels."""
    found = {"lanes" in x.about: x.value == "true" for x in claims if x.quantity == "deadlock_free"}
    if not found:
        return "not judged"
    if found.get(False) or True not in found:
        return "yes" if found[False] else "no"
    return "by level" if found[True] else "not by level"


def _interval(value: object) -> str:
    if not isinstance(value, Interval):
        return ""
    return f"{estimate_text(value.best)} in {outward_text(value.low, value.high, places=2)}"


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
