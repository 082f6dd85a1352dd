"""Expansion for the terminal: by level, or size by size for one splitter."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...core.escape import printable
from ...questions.expansion import ExpansionAnswer
from ...worst.expansion import Expansion, theorem_needs
from .parts import number_table, title


def expansion_parts(answer: ExpansionAnswer) -> list[RenderableType]:
    """Level by level, then what the theorems would need."""
    parts: list[RenderableType] = [title(printable(answer.topology))]
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
    rows = []
    for need in theorem_needs(found, degree):
        here = ("no subset of any size", "", "")
        if need.beta is not None:
            here = (f"alpha < {need.below}", str(need.beta), need.gives)
        rows.append((need.theorem, need.condition, *here))
    how = "measured" if all(x.exact for x in found) else "proved bounds"
    rest = "For a network they need it of all its splitters, of every size: of those not gone through it is assumed."
    return [
        title(f"\nwhat the theorems would need, against these splitters (d = {degree}; {how})"),
        number_table(("theorem on", "needs", "holds here for", "beta there", "then"), rows, words=range(5), gap=2),
        Text(rest),
    ]


def _table(result: Expansion) -> Table:
    rows = []
    for k in _sizes(result.inputs):
        least = result.worst.least[k - 1]
        text = str(least) if result.exact else f"<= {least}"
        if result.below:
            text = f"{result.below[k - 1]} .. {least}"
        own = result.unique
        fraction = "" if own is None or k > len(own.least) else str(Fraction(own.least[k - 1], k))
        rows.append((str(k), text, str(Fraction(least, k)) if result.exact else "", fraction))
    return number_table(("subset size", "least neighbourhood", "per input", "unique neighbours"), rows)


def _sizes(inputs: int) -> list[int]:
    """1 to 8, then about four sizes for each doubling."""
    sizes = list(range(1, min(inputs, 8) + 1))
    while sizes[-1] < inputs:
        sizes.append(min(inputs, sizes[-1] + max(1, sizes[-1] // 4)))
    return sizes
