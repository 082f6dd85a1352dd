"""Claims as a table for the terminal.  Grades are never printed alike; names from files are made harmless first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim, Grade, Interval
from .escape import printable
from .numbers import decimal_text, fraction_text, interval_text

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

__all__ = ["claims_table", "grade_text", "quantity_text", "reasons"]

_NAMES = {
    "worst_case_load": "worst-case channel load",
    "worst_case_throughput": "worst-case throughput",
    "worst_case_throughput_of_capacity": "  as a fraction of capacity",
    "capacity": "capacity",
    "throughput": "throughput",
    "throughput_of_capacity": "  as a fraction of capacity",
    "average_path_length": "average path length",
    "average_path_length_of_minimal": "  relative to shortest paths",
}
_UNITS = {
    "packets per cycle and terminal": "packets/cycle",
    "packets per cycle and unit of bandwidth": "load/bandwidth",
    "factor on the rates": "of the rates",
}
_LOOKS = {Grade.PROVED: "bold green", Grade.EXHAUSTED: "bold cyan", Grade.SAMPLED: "bold yellow"}


def claims_table(claims: Sequence[Claim], *, verdict: str | None = None) -> Table:
    """One row a claim: quantity, exact value, decimals, unit, grade; ``verdict`` adds a column that says so."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("quantity", no_wrap=True)
    table.add_column("exact", justify="right", overflow="fold")
    table.add_column("decimal", justify="right", no_wrap=True)
    table.add_column("unit", overflow="fold")
    table.add_column("grade", no_wrap=True)
    if verdict:
        table.add_column("", no_wrap=True)
    for claim in claims:
        exact, decimal = _value_texts(claim)
        cells = [Text(quantity_text(claim)), Text(exact), Text(decimal), Text(unit_text(claim)), grade_text(claim)]
        if verdict:
            cells.append(Text(verdict, style="green"))
        table.add_row(*cells)
    return table


def reasons(claims: Sequence[Claim]) -> list[Text]:
    """A line for every claim that says "false": why."""
    from rich.text import Text

    found = []
    for claim in claims:
        witness = claim.evidence.data.get("witness")
        if claim.value == "false" and isinstance(witness, str):
            found.append(Text(f"not {quantity_text(claim)}: {printable(witness, limit=400)}"))
    return found


def quantity_text(claim: Claim) -> str:
    """``throughput under tornado``: the quantity in words, and what it is about."""
    name = _NAMES.get(claim.quantity, claim.quantity.replace("_", " "))
    if name.startswith(" "):  # it stands below the quantity that it belongs to
        return name
    return printable(f"{name}{_about_text(claim.about)}", limit=70)


def _about_text(about: Mapping[str, Any]) -> str:
    traffic = about.get("traffic")
    usual = {"traffic": traffic, "model": "balanced", "paths": "own"}
    rest = {key: value for key, value in about.items() if key not in usual or value != usual[key]}
    words = ""
    if isinstance(traffic, str):
        words = f" under {traffic} traffic" if traffic == "uniform" else f" under {traffic}"
    return words + "".join(f", {value if key == 'model' else f'{key} {value}'}" for key, value in rest.items())


def unit_text(claim: Claim) -> str:
    """The unit, short enough for a table."""
    return _UNITS.get(claim.unit, printable(claim.unit, limit=30))


def grade_text(claim: Claim) -> Text:
    from rich.text import Text

    words = claim.grade.value
    if isinstance(claim.value, Interval):
        x = claim.value
        words += f", no proof: {x.confidence:.0%} interval, {x.trials} trials, seed {x.seed}"
    return Text(words, style=_LOOKS[claim.grade])


def _value_texts(claim: Claim) -> tuple[str, str]:
    relation = "" if claim.relation == "==" else f"{claim.relation} "
    value = claim.value
    if isinstance(value, Interval):
        return f"{relation}{interval_text(value)}", f"about {value.best:.4f}"
    if isinstance(value, Fraction):
        decimal = "" if value.denominator == 1 else decimal_text(value)
        return f"{relation}{fraction_text(value)}", decimal
    return f"{relation}{printable(value)}", ""
