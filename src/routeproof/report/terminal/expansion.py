"""Expansion for the terminal: by level, or size by size for one splitter."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...analysis.expansion.claims import Expansion
from ...analysis.expansion.needs import theorem_needs
from ...answers.expansion import ExpansionAnswer
from .escape import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

__all__ = ["expansion_parts"]


def expansion_parts(answer: ExpansionAnswer) -> list[RenderableType]:
    """Level by level, then what the theorems would need."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(printable(answer.topology), style="bold")]
    for level, result in answer.found:
        where = "" if level is None else f"level {level}, "
        many = "one splitter" if len(result.splitters) == 1 else f"worst of {len(result.splitters)} splitters"
        grade = "EXHAUSTED: all sets of outputs" if result.exact else "PROVED bounds, not exact"
        parts.append(Text(f"\n{where}{result.inputs} inputs, {many} ({grade})"))
        parts.append(_table(result))
    if answer.found:
        parts += _needs([x for _, x in answer.found], answer.degree)
    return parts


def _needs(found: Sequence[Expansion], degree: int) -> list[RenderableType]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("theorem on", "needs", "holds here for", "beta there", "then"):
        table.add_column(name)
    for need in theorem_needs(found, degree):
        if need.beta is None:
            table.add_row(need.theorem, need.condition, "no subset of any size", "", "")
        else:
            table.add_row(need.theorem, need.condition, f"alpha < {need.below}", str(need.beta), need.gives)
    how = "measured" if all(x.exact for x in found) else "proved bounds"
    return [
        Text(f"\nwhat the theorems would need, against these splitters (d = {degree}; {how})", style="bold"),
        table,
        Text(
            "For a network they need it of all its splitters, of every size: of those not gone through it is assumed."
        ),
    ]


def _table(result: Expansion) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("subset size", "least neighbourhood", "per input", "unique neighbours"):
        table.add_column(name, justify="right")
    for k in _sizes(result.inputs):
        least = result.worst.least[k - 1]
        text = str(least) if result.exact else f"<= {least}"
        if result.below:
            text = f"{result.below[k - 1]} .. {least}"
        own = result.unique
        fraction = "" if own is None or k > len(own.least) else str(Fraction(own.least[k - 1], k))
        table.add_row(str(k), text, str(Fraction(least, k)) if result.exact else "", fraction)
    return table


def _sizes(inputs: int) -> list[int]:
    """1 to 8, then about four sizes for each doubling."""
    sizes = list(range(1, min(inputs, 8) + 1))
    while sizes[-1] < inputs:
        sizes.append(min(inputs, sizes[-1] + max(1, sizes[-1] // 4)))
    return sizes
