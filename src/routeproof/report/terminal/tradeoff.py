"""Tradeoff curves for people: corners as a table, curve and routings as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ...core.rounded import estimate_text, outward_text, percent_text
from ...core.vocabulary.units import OF_CAPACITY, OF_MINIMAL
from ..figures.style import (
    LIGHT,
    Theme,
    one_axes,
    write_figure,
)
from .escape import printable
from .numbers import decimal_text, fraction_text, seconds_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from ...design.average_tradeoff import AverageCurve, CurvePoint
    from ...design.tradeoff import Tradeoff

__all__ = ["NamedPoint", "average_tradeoff_parts", "draw_average_tradeoff", "draw_tradeoff", "tradeoff_parts"]


@dataclass(frozen=True)
class NamedPoint:
    """A routing beside the curve: worst-case load and average path length in hops."""

    name: str
    load: Fraction
    length: Fraction


def tradeoff_parts(
    curve: Tradeoff, points: Sequence[NamedPoint], capacity: Fraction | None, *, seconds: float
) -> list[RenderableType]:
    """Title, the corners of the curve, and how far above it each named routing lies."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

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
    return [*page, Text(), Text(f"time  {seconds_text(seconds)}", style="dim")]


def average_tradeoff_parts(
    curve: AverageCurve, points: Sequence[CurvePoint], capacity: Fraction | None, *, seconds: float
) -> list[RenderableType]:
    """Title, the points of the curve and the named routings: average case on both samples, and path length."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

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
        Text(f"time  {seconds_text(seconds)}", style="dim"),
    ]


def draw_average_tradeoff(
    curve: AverageCurve,
    points: Sequence[CurvePoint],
    capacity: Fraction | None,
    path: str,
    *,
    lines: Sequence[Sequence[CurvePoint]] = (),
    theme: Theme = LIGHT,
) -> None:
    """Figure 6 of Towles, Dally & Boyd: average-case throughput on the curve's own sample (line) and on a fresh one
    (dashed); the named routings on the fresh one."""
    write_figure(path, lambda look: _average_figure(curve, points, capacity, lines, look), theme=theme)


def _average_figure(
    curve: AverageCurve,
    points: Sequence[CurvePoint],
    capacity: Fraction | None,
    lines: Sequence[Sequence[CurvePoint]],
    theme: Theme,
) -> Figure:
    figure, axes = _axes(curve.network.name, "average-case throughput", capacity)
    unit = float(capacity or 1)
    up = [float(x.length / curve.minimal) for x in curve.points]
    own = [x.inside.best / unit for x in curve.points]
    fresh = [x.fresh.best / unit for x in curve.points]
    beside = [*points, *(x for line in lines for x in line)]
    top = max([*up, *(float(x.length / curve.minimal) for x in beside)]) * 1.08
    axes.fill([*own, 0.0, 0.0, own[0]], [*up, up[-1], top, top], color=theme.faint, zorder=0)
    axes.plot(own, up, color=theme.series[0], zorder=2, label="best, own sample")
    axes.plot(fresh, up, "--", color=theme.series[0], zorder=2, label="the same, fresh sample")
    marks = [(x.fresh.best / unit, float(x.length / curve.minimal), x.routing.name) for x in points]
    _mark(axes, marks, theme)
    for line in lines:
        places = [(x.fresh.best / unit, float(x.length / curve.minimal)) for x in line]
        _dash(axes, places, f"{line[0].routing.name} to {line[-1].routing.name}")
    axes.legend(loc="upper left")
    axes.set_xlim(left=0)
    axes.set_ylim(0.97, top)
    return figure


def _axes(title: str, across: str, capacity: Fraction | None) -> tuple[Figure, Axes]:
    unit = "" if capacity is None else ", fraction of capacity"
    return one_axes(printable(title, limit=70), across=f"{across}{unit}", up=f"average path length, {OF_MINIMAL}")


def _dash(axes: Axes, places: Sequence[tuple[float, float]], name: str) -> None:
    """Interpolations of two routings, as in Figure 5."""
    across, up = [x for x, _ in places], [y for _, y in places]
    axes.plot(across, up, ":", zorder=2, label=printable(name, limit=40))


def _mark(axes: Axes, places: Sequence[tuple[float, float, str]], theme: Theme) -> None:
    """A mark for each routing; those in one place share it and its label."""
    names: dict[tuple[float, float], list[str]] = {}
    for x, y, name in places:
        names.setdefault((x, y), []).append(name)
    for k, ((x, y), here) in enumerate(names.items()):
        marker = theme.markers[k % len(theme.markers)]
        axes.plot([x], [y], marker, color=theme.series[1], markersize=5, zorder=3)
        label = printable(", ".join(here), limit=40)
        axes.annotate(label, (x, y), textcoords="offset points", xytext=(5, 4), color=theme.ink)


def draw_tradeoff(
    curve: Tradeoff,
    points: Sequence[NamedPoint],
    capacity: Fraction | None,
    path: str,
    *,
    lines: Sequence[Sequence[NamedPoint]] = (),
    theme: Theme = LIGHT,
) -> None:
    """Figure 1 of Towles, Dally & Boyd: worst-case throughput across, path length upwards; the region that is possible
    is grey; with ``lines``, interpolations of two routings, Figure 5.  Raises InputError where the picture cannot be
    drawn."""
    write_figure(path, lambda look: _tradeoff_figure(curve, points, capacity, lines, look), theme=theme)


def _tradeoff_figure(
    curve: Tradeoff,
    points: Sequence[NamedPoint],
    capacity: Fraction | None,
    lines: Sequence[Sequence[NamedPoint]],
    theme: Theme,
) -> Figure:
    figure, axes = _axes(curve.network.name, "worst-case throughput", capacity)
    unit = capacity or Fraction(1)
    across, up = [], []
    for a, b in zip(curve.points, curve.points[1:], strict=False):
        for step in range(20):
            load = a.load + (b.load - a.load) * Fraction(step, 20)
            across.append(float(1 / load / unit))
            up.append(float((curve.least_length(load) or curve.minimal) / curve.minimal))
    last = curve.points[-1]
    across.append(float(1 / last.load / unit))
    up.append(float(last.length / curve.minimal))
    beside = [*points, *(x for line in lines for x in line)]
    top = max([*up, *(float(p.length / curve.minimal) for p in beside)]) * 1.08
    axes.fill([*across, 0.0, 0.0, across[0]], [*up, up[-1], top, top], color=theme.faint, zorder=0)
    axes.plot(across, up, color=theme.series[0], zorder=2)
    marks = [(float(1 / x.load / unit), float(x.length / curve.minimal), x.name) for x in points]
    _mark(axes, marks, theme)
    for line in lines:
        places = [(float(1 / x.load / unit), float(x.length / curve.minimal)) for x in line]
        _dash(axes, places, f"{line[0].name} to {line[-1].name}")
    if lines:
        axes.legend(loc="upper left")
    axes.set_xlim(left=0)
    axes.set_ylim(0.97, top)
    return figure
