"""The figure of a study: its rows as points, computed beside what was published."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...core.registry import Registry
from ...questions.study import StudyAnswer
from ...studies.result import Row, StudyResult
from .style import LIGHT, Theme, one_axes, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class StudyFigure:
    """A study that is drawn in its own way.  ``name``: the study's; ``draw``: from its result and the theme to a
    figure.  The entry stands beside the function that draws it."""

    name: str
    draw: Callable[[StudyResult, Theme], Figure]


STUDY_FIGURES: Registry[StudyFigure] = Registry("figure", StudyFigure, rooms=[str(__package__)])
"""By the name of the study; every other study is drawn from its ``chart``."""


def plot_study(result: StudyResult, path: str | Path, *, theme: Theme = LIGHT) -> None:
    """Write ``study_figure`` into a file.  Raises InputError as that and ``write_figure`` do."""
    write_figure(path, partial(study_figure, result), theme=theme)


def answer_figure(answer: StudyAnswer, theme: Theme) -> Figure:
    return study_figure(answer.result, theme)


def study_figure(result: StudyResult, theme: Theme) -> Figure:
    """Every series of the study's ``chart``: exact values as filled marks, samples with their intervals, and what was
    published, where it is a number, as crosses.  Raises InputError for a study that is a table only."""
    own = STUDY_FIGURES.own.get(result.name)
    if own is not None:
        return own.draw(result, theme)
    chart = result.chart
    series: dict[str, list[Row]] = {}
    for row in result.rows:
        if "series" in row.data and "x" in row.data and not isinstance(row.computed, str):
            series.setdefault(str(row.data["series"]), []).append(row)
    if chart is None or not series:
        raise InputError(f"study {result.name} is a table; it has no figure to draw")
    title = "\n".join(textwrap.wrap(result.title, 72))
    figure, axes = one_axes(title, across=chart.across, up=chart.up, size=(7.4, 4.6))
    quoted = False
    drawn: list[list[tuple[float, float]]] = []
    every = [float(_values(row)[0]) for rows in series.values() for row in rows]
    near = 0.01 * (max(every) - min(every))
    for k, (name, rows) in enumerate(series.items()):
        rows = sorted(rows, key=lambda row: float(Fraction(str(row.data["x"]))))
        look = {"label": name, "marker": theme.marker(k), "markersize": 4, "linewidth": 1.1, **theme.look(k)}
        points = [(float(Fraction(str(row.data["x"]))), float(_values(row)[0])) for row in rows]
        if any(_alike(points, other, near) for other in drawn):  # hollow marks around those that are there, no line
            look |= {"markerfacecolor": "none", "markersize": 9, "linestyle": "none"}
        drawn.append(points)
        xs = [float(Fraction(str(row.data["x"]))) for row in rows]
        best, low, high = (list(map(float, x)) for x in zip(*map(_values, rows), strict=True))
        arms = [[b - a for a, b in zip(low, best, strict=True)], [c - b for b, c in zip(best, high, strict=True)]]
        if any(sum(x) for x in arms):
            axes.errorbar(xs, best, yerr=arms, capsize=2, **look)
        else:
            axes.plot(xs, best, **look)
        printed = [(x, y) for x, row in zip(xs, rows, strict=True) if (y := _published(row)) is not None]
        if printed:
            label = None if quoted else "published"
            axes.plot(*zip(*printed, strict=True), "x", color=theme.ink, markersize=7, label=label, zorder=5)
            quoted = True
    if chart.logarithmic:
        axes.set_yscale("log")
    axes.legend(fontsize=7, frameon=False)
    return figure


def _alike(one: list[tuple[float, float]], two: list[tuple[float, float]], most: float) -> bool:
    """Do two series lie on one another, but for ``most``?"""
    near = (x == u and abs(y - v) <= most for (x, y), (u, v) in zip(one, two, strict=False))
    return len(one) == len(two) and all(near)


def _values(row: Row) -> tuple[Fraction, Fraction, Fraction]:
    """(best, low, high)."""
    if isinstance(row.computed, tuple):
        low, high = row.computed
        best = Fraction(str(row.data["best"])) if "best" in row.data else (low + high) / 2
        return best, min(low, best), max(high, best)
    value = Fraction(row.computed)
    return value, value, value


def _published(row: Row) -> float | None:
    try:
        return float(row.published)
    except ValueError:
        return None
