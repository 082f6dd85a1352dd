"""Sweeps for the terminal: a row for every combination of values; seeds together, as least, median and most."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...answers.simulate.wired import RepeatedAnswer
from ...core.claim import Interval
from ...core.rounded import estimate_text, percent_text
from ...core.vocabulary import name_of_quantity
from .escape import printable
from .numbers import interval_text

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["sweep_parts"]

_TOGETHER = "seed"
_LEFT_OUT = ("erased", "declared_faulty", "faults", "survivors_connected", "swaps", "moves", "cancellations",
             "hang_ups", "calls_in_progress", "requests", "together_calls")  # fmt: skip
_MOST_ROWS = 200


def sweep_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The table; values of the variable ``seed`` share a row."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    variables, claims = answer.variables, answer.claims()
    names = [x for x in variables if x != _TOGETHER]
    quantities = [x for x in dict.fromkeys(c.quantity for c in claims) if x not in _LEFT_OUT]
    rows: dict[tuple[str, ...], dict[str, list[Any]]] = {}
    for claim in claims:
        point = claim.about["point"]
        row = rows.setdefault(tuple(point[x] for x in names), {})
        row.setdefault(claim.quantity, []).append(claim.value)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name in [*names, *map(name_of_quantity, quantities)]:
        table.add_column(name, justify="right")
    for key, row in list(rows.items())[:_MOST_ROWS]:
        table.add_row(*map(printable, key), *(_values(row.get(x, [])) for x in quantities))
    count = len(variables.get(_TOGETHER, ()))
    runs = len({tuple(c.about["point"].items()) for c in claims})
    sampled = [x.value for x in claims if isinstance(x.value, Interval)]
    said = f"{runs} runs, each EXHAUSTED: it can be run again and gives the same numbers"
    if len(sampled) == len(claims):
        least, most = min(x.trials for x in sampled), max(x.trials for x in sampled)
        said = f"{runs} points, each of {least if least == most else f'{least} to {most}'} trials"
    parts: list[RenderableType] = [Text(printable(answer.topology), style="bold"), Text(said)]
    if sampled:
        words = "; of several seeds, their best estimates" if count > 1 else ""
        which = "all" if len(sampled) == len(claims) else "probabilities"
        confidences = ", ".join(percent_text(x) for x in sorted({x.confidence for x in sampled}))
        parts.append(Text(f"{which} SAMPLED, no proof: {confidences} intervals, each by itself{words}"))
    parts.append(table)
    if len(rows) > _MOST_ROWS:
        parts.append(Text(f"{len(rows) - _MOST_ROWS} more rows are in the report (--json)"))
    if count > 1:
        parts.append(
            Text(f"least .. most (median) of {count} seeds; these runs only, no interval for others is claimed")
        )
    return parts


def _values(found: Sequence[Any]) -> str:
    sampled = [x for x in found if isinstance(x, Interval)]
    if len(sampled) == 1:
        return interval_text(sampled[0])
    if sampled:
        best = sorted(x.best for x in sampled)
        median = (best[(len(best) - 1) // 2] + best[len(best) // 2]) / 2
        return f"{estimate_text(best[0])} .. {estimate_text(best[-1])} ({estimate_text(median)})"
    numbers = sorted(x for x in found if isinstance(x, Fraction))
    if not numbers:
        return ""
    low, high = numbers[0], numbers[-1]
    if low == high:
        return str(low)
    middle = (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2
    text = str(middle) if middle.denominator == 1 else f"{float(middle):.1f}"
    return f"{low} .. {high} ({text})"
