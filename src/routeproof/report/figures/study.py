"""The figures of studies: rows as points, computed beside what was published; and those drawn in their own way."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.cube.forms import path_tree
from ...core.errors import InputError
from ...core.registry import Registry
from ...formats.documents.destination_graph import graph_from_document
from ...questions.study import StudyAnswer
from ...studies.result import Row, StudyResult
from ..drawing.cubes import digits_legend, tree_inches, tree_on_axes
from .chart import tell
from .style import Theme, empty_figure, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class StudyFigure:
    """A study that is drawn in its own way.  ``name``: the study's; ``draw``: from its result and the theme to a
    figure.  The entry stands beside the function that draws it."""

    name: str
    draw: Callable[[StudyResult, Theme], Figure]


_WIDE = 30  # the largest over the least from which an axis is logarithmic
STUDY_FIGURES: Registry[StudyFigure] = Registry("figure", StudyFigure, rooms=[str(__package__)])
"""By the name of the study; every other study is drawn from its ``chart``."""


def answer_figure(answer: StudyAnswer, theme: Theme) -> Figure:
    return study_figure(answer.result, theme)


def study_figure(result: StudyResult, theme: Theme) -> Figure:
    """Every series of the study's ``chart``: exact values as filled marks, samples with their intervals, and what was
    published, where it is a number, as crosses; without a chart, a line for every published number."""
    own = STUDY_FIGURES.own.get(result.name)
    if own is not None:
        return own.draw(result, theme)
    chart = result.chart
    series: dict[str, list[Row]] = {}
    for row in result.rows:
        if "series" in row.data and "x" in row.data and not isinstance(row.computed, str):
            series.setdefault(str(row.data["series"]), []).append(row)
    if chart is None or not series:
        return beside_published(result, theme)
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
        return float(Fraction(row.published))
    except ValueError:
        return None


def beside_published(result: StudyResult, theme: Theme) -> Figure:
    """One line for every row of which a number was published: ours, sampled ones from end to end, and theirs.  Raises
    InputError for a study without such rows."""
    rows = [(x, y) for x in result.rows if not isinstance(x.computed, str) and (y := _published(x)) is not None]
    if not rows:
        raise InputError(f"study {result.name} is a table; it has no figure to draw")
    title, across = "\n".join(textwrap.wrap(result.title, 72)), "each row in its own unit"
    figure, axes = one_axes(title, across=across, up="", size=(7.5, 1.4 + 0.26 * len(rows)))
    ours = theme.look(0) | {"marker": theme.marker(0), "linestyle": "-"}
    for y, (row, published) in enumerate(rows):
        _, low, high = map(float, _values(row))
        told = f"{row.label}: {row.computed_text()}, published {row.published}"
        ends = [low, high] if low < high else [low]
        tell(axes.plot(ends, [y] * len(ends), label="" if y else "computed", **ours), [told] * 2)
        label = "" if y else "published"
        tell(axes.plot(published, y, "x", color=theme.ink, markersize=7, label=label, zorder=5), [told])
    values = [published for _, published in rows]
    if 0 < _WIDE * min(values) < max(values):
        axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row.label for row, _ in rows])
    axes.invert_yaxis()
    axes.legend(fontsize=7, frameon=False)
    return figure


def topologies_figure(result: StudyResult, theme: Theme) -> Figure:
    """One line for every network: a mark for each routing's worst case, a bar from what is reached to the bound of the
    best oblivious one, a tick for the capacity.  Raises InputError for a study without such numbers."""
    rows = [row for row in result.rows if "topology" in row.data]
    if not rows:
        raise InputError(f"study {result.name} has no figure")
    networks: dict[str, list[Row]] = {}
    for row in rows:
        networks.setdefault(str(row.data["topology"]), []).append(row)
    names = list(dict.fromkeys(str(row.data["routing"]) for row in rows))
    title, across = "Worst cases of common topologies (terminals)", "throughput per terminal in the worst case, exact"
    figure, axes = one_axes(title, across=across, up="", size=(7.5, 1.2 + 0.26 * len(networks)))
    drawn: set[str] = set()
    for y, some in enumerate(networks.values()):
        best, capacity = some[0].data["best_oblivious"], some[0].data["capacity"]
        if best is not None:
            low, high = float(Fraction(best["low"])), float(Fraction(best["high"]))
            label = "best oblivious, certified" if not y else None
            axes.plot([low, high], [y, y], color=theme.edge, linewidth=5, alpha=0.5, solid_capstyle="butt", label=label)
            axes.plot([low, high], [y, y], "|", color=theme.edge, markersize=8)
        if capacity is not None:
            label = None if y else "capacity"
            axes.plot(float(Fraction(capacity)), y, "|", color=theme.ink, markersize=10, label=label)
        for row in some:
            name = str(row.data["routing"])
            k = names.index(name)
            assert isinstance(row.computed, Fraction)
            look = theme.look(k) | {"linestyle": "none", "marker": theme.marker(k)}
            look["fillstyle"] = "full" if k < len(theme.series) else "none"
            axes.plot(float(row.computed), y, label=None if name in drawn else name, **look)
            drawn.add(name)
    axes.set_yticks(range(len(networks)), [f"{x} ({some[0].data['terminals']})" for x, some in networks.items()])
    axes.invert_yaxis()
    axes.set_xscale("log")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


TOPOLOGIES = StudyFigure("topologies", topologies_figure)


_ROWS = (("Figure 1", "Figure 2", "Figure 3"), ("Figure 4", "Figure 7"), ("Figure 5",), ("Figure 6",))


def figure_hwang(result: StudyResult, theme: Theme) -> Figure:
    """Every row's graph as a tree, small ones above, large ones below, each as large as its labels need."""
    graphs = {x.label.partition(" (")[0]: graph_from_document(x.data["graph"], what=x.label) for x in result.rows}
    panels = [
        [(x, graphs[x], path_tree(graphs[x])) for name in names for x in graphs if x.startswith(f"{name}:")]
        for names in _ROWS
    ]
    sizes = [[tree_inches(graph, tree) for _, graph, tree in line] for line in panels]
    widths = [sum(x for x, _ in line) for line in sizes]
    heights = [max(y for _, y in line) + 0.4 for line in sizes]
    figure = empty_figure(max(widths) + 0.5, sum(heights) + 0.9)
    parts: Any = figure.subfigures(len(panels), 1, height_ratios=heights)
    for part, line, size in zip(parts, panels, sizes, strict=True):
        part.set_facecolor(theme.paper)
        axes = part.subplots(1, len(line), width_ratios=[x for x, _ in size], squeeze=False)
        for one, (title, graph, tree) in zip(axes[0], line, strict=True):
            tree_on_axes(one, graph, tree, title, theme)
    digits_legend(figure, max(graph.cube.dimensions for line in panels for _, graph, _ in line), theme)
    return figure


HWANG_YAO_DASGUPTA = StudyFigure("hwang-yao-dasgupta-figures", figure_hwang)
