"""Tradeoff curves for people: the corners or points, and how far above the curve each routing lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from ...core.rounded import estimate_text, outward_text, percent_text
from ...core.vocabulary.units import OF_CAPACITY, OF_MINIMAL
from .escape import printable
from .numbers import decimal_text, fraction_text, seconds_text

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["average_tradeoff_parts", "tradeoff_parts"]


def tradeoff_parts(answer: TradeoffAnswer) -> list[RenderableType]:
    """Title, the corners of the curve, and how far above it each named routing lies."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    curve, capacity = answer.curve, answer.capacity
    points = [*answer.points, *(x for line in answer.lines for x in line)]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("worst-case load", "throughput", OF_CAPACITY, f"path length, {OF_MINIMAL}", "decimal"):
        table.add_column(name, justify="right")
    for corner in curve.points:
        share = "" if capacity is None else decimal_text(1 / corner.load / capacity)
        length = corner.length / curve.minimal
        load = fraction_text(corner.load), decimal_text(1 / corner.load), share
        table.add_row(*(Text(x) for x in (*load, fraction_text(length), decimal_text(length))))
    page: list[RenderableType] = [
        Text(f"path length against worst case on {printable(curve.network.name, limit=70)}", style="bold"),
        Text(
            f"{len(curve.points)} corners; between them the curve is straight in the load; every number is proved",
            style="dim",
        ),
        Text(),
        table,
    ]
    if points:
        beside = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for name in ("routing", "worst-case load", OF_CAPACITY, f"path length, {OF_MINIMAL}", "above the curve"):
            beside.add_column(name, justify="left" if name == "routing" else "right")
        for point in points:
            least = curve.least_length(point.load)
            above = "" if not least else percent_text(float(point.length / least - 1), 1)
            share = "" if capacity is None else decimal_text(1 / point.load / capacity)
            cells = (point.name, fraction_text(point.load), share, decimal_text(point.length / curve.minimal), above)
            beside.add_row(*(Text(printable(x, limit=50)) for x in cells))
        page += [Text(), beside]
    return [*page, Text(), Text(f"time  {seconds_text(answer.seconds)}", style="dim")]


def average_tradeoff_parts(answer: AverageTradeoffAnswer) -> list[RenderableType]:
    """Title, the points of the curve and the named routings: average case on both samples, and path length."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    curve, capacity = answer.curve, answer.capacity
    points = [*answer.points, *(x for line in answer.lines for x in line)]
    unit = float(capacity or 1)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    what = "throughput" if capacity is None else OF_CAPACITY
    for name in ("routing", f"{what}, fresh sample", f"{what}, own sample", f"path length, {OF_MINIMAL}"):
        table.add_column(name, justify="left" if name == "routing" else "right")
    for label, one in [*(("designed", x) for x in curve.points), *((x.routing.name, x) for x in points)]:
        cells = [label]
        for interval in (one.fresh, one.inside):
            cells.append(estimate_text(interval.best / unit))
            if interval is one.fresh:
                cells[-1] = f"{outward_text(interval.low / unit, interval.high / unit)}, about {cells[-1]}"
        cells.append(decimal_text(one.length / curve.minimal))
        table.add_row(*(Text(printable(x, limit=50)) for x in cells))
    sample = f"{curve.count} matrices, model {curve.model}; seed {curve.seed}, fresh seed {curve.seed + 1}"
    return [
        Text(f"path length against average case on {printable(curve.network.name, limit=70)}", style="bold"),
        Text(f"SAMPLED: {sample}; 99 % intervals of the fresh one", style="dim"),
        Text(),
        table,
        Text(),
        Text("designed: the best that the solver found for its own sample; judge by the fresh one"),
        Text(f"time  {seconds_text(answer.seconds)}", style="dim"),
    ]
