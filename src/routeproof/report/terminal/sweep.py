"""Trials and sweeps for the terminal: intervals; a row for every combination of values, seeds together in one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import median
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Interval
from ...core.display import estimate_text, outward_text, percent_text, trials_text
from ...core.escape import printable
from ...core.vocabulary import name_of_quantity
from ...questions.simulate.wired import RepeatedAnswer
from .parts import number_table, quiet, title
from .table import claims_table

_TOGETHER = "seed"
_LEFT_OUT = ("erased", "declared_faulty", "faults", "survivors_connected", "swaps", "moves", "cancellations",
             "hang_ups", "calls_in_progress", "requests", "together_calls")  # fmt: skip
_MOST_ROWS = 200


def trials_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The intervals of trials, or of trials at every point of a sweep."""
    notes = map(Text, answer.notes)
    if answer.variables:
        return [*sweep_parts(answer), *notes]
    claims = answer.claims()
    count = claims[0].value.trials if isinstance(claims[0].value, Interval) else 0
    return [
        title(f"{printable(answer.topology)}: {trials_text(count)}"),
        claims_table(claims),
        *notes,
        quiet("a trial alone: its number in the place of {trial}, without --trials"),
    ]


def sweep_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The table; values of the variable ``seed`` share a row: least, median and most."""
    variables, claims = answer.variables, answer.claims()
    names = [x for x in variables if x != _TOGETHER]
    quantities = [x for x in dict.fromkeys(c.quantity for c in claims) if x not in _LEFT_OUT]
    rows: dict[tuple[str, ...], dict[str, list[Any]]] = {}
    for claim in claims:
        row = rows.setdefault(tuple(claim.about["point"][x] for x in names), {})
        row.setdefault(claim.quantity, []).append(claim.value)
    cells = [
        [*map(printable, key), *(_values(row.get(x, [])) for x in quantities)]
        for key, row in list(rows.items())[:_MOST_ROWS]
    ]
    count = len(variables.get(_TOGETHER, ()))
    runs = len({tuple(c.about["point"].items()) for c in claims})
    sampled = [x.value for x in claims if isinstance(x.value, Interval)]
    said = f"{runs} runs, each EXHAUSTED: it can be run again and gives the same numbers"
    if len(sampled) == len(claims):
        least, most = min(x.trials for x in sampled), max(x.trials for x in sampled)
        said = f"{runs} points, each of {least if least == most else f'{least} to {most}'} trials"
    parts: list[RenderableType] = [title(printable(answer.topology)), Text(said)]
    if sampled:
        words = "; of several seeds, their best estimates" if count > 1 else ""
        which = "all" if len(sampled) == len(claims) else "probabilities"
        confidences = ", ".join(percent_text(x) for x in sorted({x.confidence for x in sampled}))
        parts.append(Text(f"{which} SAMPLED, no proof: {confidences} intervals, each by itself{words}"))
    parts.append(number_table([*names, *map(name_of_quantity, quantities)], cells, gap=2))
    if len(rows) > _MOST_ROWS:
        parts.append(Text(f"{len(rows) - _MOST_ROWS} more rows are in the report (--json)"))
    if count > 1:
        words = f"least .. most (median) of {count} seeds; these runs only, no interval for others is claimed"
        parts.append(Text(words))
    return parts


def _values(found: Sequence[Any]) -> str:
    sampled = [x for x in found if isinstance(x, Interval)]
    if len(sampled) == 1:
        return outward_text(sampled[0].low, sampled[0].high)
    if sampled:
        best = [x.best for x in sampled]
        return f"{estimate_text(min(best))} .. {estimate_text(max(best))} ({estimate_text(median(best))})"
    numbers = [x for x in found if isinstance(x, Fraction)]
    if len(set(numbers)) < 2:
        return str(numbers[0]) if numbers else ""
    middle = median(numbers)
    text = str(middle) if middle.denominator == 1 else f"{float(middle):.1f}"
    return f"{min(numbers)} .. {max(numbers)} ({text})"
