"""Figures of tradeoff curves: throughput across, path length upwards, routings as marks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ...answers.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from ...core.vocabulary.quantity import OF_MINIMAL
from ..terminal.escape import printable
from .style import LIGHT, Theme, one_axes, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["average_tradeoff_figure", "draw_average_tradeoff", "draw_tradeoff", "tradeoff_figure"]


def draw_average_tradeoff(answer: AverageTradeoffAnswer, path: str | Path, *, theme: Theme = LIGHT) -> None:
    """Figure 6 of Towles, Dally & Boyd: average-case throughput on the curve's own sample (line) and on a fresh one
    (dashed); the named routings on the fresh one."""
    write_figure(path, lambda look: average_tradeoff_figure(answer, look), theme=theme)


def average_tradeoff_figure(answer: AverageTradeoffAnswer, theme: Theme) -> Figure:
    """As ``draw_average_tradeoff`` writes it."""
    curve, points, lines, capacity = answer.curve, answer.points, answer.lines, answer.capacity
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


def draw_tradeoff(answer: TradeoffAnswer, path: str | Path, *, theme: Theme = LIGHT) -> None:
    """Figure 1 of Towles, Dally & Boyd: worst-case throughput across, path length upwards; the region that is possible
    is grey; interpolations of two routings as lines, Figure 5.  Raises InputError where the picture cannot be
    drawn."""
    write_figure(path, lambda look: tradeoff_figure(answer, look), theme=theme)


def tradeoff_figure(answer: TradeoffAnswer, theme: Theme) -> Figure:
    """As ``draw_tradeoff`` writes it."""
    curve, points, lines, capacity = answer.curve, answer.points, answer.lines, answer.capacity
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
