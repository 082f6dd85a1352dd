"""Small panels side by side: nodes as dots, wires as thin lines, routes as arrows; for figures made of examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ...studies.result import StudyResult
from .style import Theme, empty_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...core.network import Network

Point = tuple[float, float]
_STUB = 0.42


class Panel(NamedTuple):
    """``draw(axes, data, theme)``, where the data are those of the first row of the study's Figure ``number``."""

    head: str
    number: int
    draw: Callable[[Axes, dict[str, Any], Theme], None]


def drawn_panels(
    title: str, parts: Sequence[Panel], result: StudyResult, theme: Theme, *, across: int, size: tuple[float, float]
) -> Figure:
    """Axes of equal aspect without ticks, ``across`` of them side by side; ``size`` in inches."""
    figure = empty_figure(*size)
    figure.suptitle(title, fontsize=11, fontweight="bold", x=0.01, ha="left")
    down = math.ceil(len(parts) / across)
    for k, part in enumerate(parts):
        axes = figure.add_subplot(down, across, k + 1)
        axes.set_title(part.head, fontsize=8.5, color=theme.ink)
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_axis_off()
        axes.margins(0.1)
        data = next(row.data for row in result.rows if row.label.startswith(f"Figure {part.number}:"))
        part.draw(axes, dict(data), theme)
    return figure


def wires(axes: Axes, lines: Iterable[Sequence[Point]], theme: Theme, **look: Any) -> None:
    """Thin lines behind everything."""
    from matplotlib.collections import LineCollection

    style: dict[str, Any] = {"colors": theme.edge, "linewidths": 0.6, "zorder": 1}
    axes.add_collection(LineCollection([list(line) for line in lines], **(style | look)))
    axes.autoscale_view()


def dots(axes: Axes, points: Sequence[Point], theme: Theme, *, size: float = 6, **look: Any) -> None:
    """Nodes, ``size`` in points across."""
    if points:
        style: dict[str, Any] = {"color": theme.paper, "zorder": 4}
        style |= {"markeredgecolor": theme.quiet, "markeredgewidth": 0.8}
        axes.plot(*zip(*points, strict=True), "o", markersize=size, **(style | look))


def name_dots(axes: Axes, names: Mapping[Point, str], theme: Theme, *, away: Point = (0, 0), size: float = 7) -> None:
    """Names at points, moved ``away`` in points of print."""
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "color": theme.ink, "zorder": 6}
    for at, name in names.items():
        axes.annotate(name, at, away, textcoords="offset points", **look)
        axes.update_datalim([at])
    axes.autoscale_view()


def arrow(axes: Axes, start: Point, end: Point, colour: str, **look: Any) -> None:
    """An arrow between two nodes; ``shrink`` in points."""
    shrink = look.pop("shrink", 3.5)
    style = {"arrowstyle": "-|>,head_width=0.16,head_length=0.32", "color": colour, "linewidth": 1.4}
    style |= {"shrinkA": shrink, "shrinkB": shrink, "zorder": 3}
    axes.annotate("", end, start, arrowprops=style | look)
    axes.update_datalim([start, end])


def route(axes: Axes, nodes: Sequence[Point], colour: str, *, aside: float = 0.0, line: str = "-") -> None:
    """A route from node to node with an arrow's head at its end; hops around a torus are cut into two stubs.

    ``aside``: how far right of the wires it runs, so that two routes on one channel can be told apart.
    """
    steps = [(_way(b[0] - a[0]), _way(b[1] - a[1])) for a, b in pairwise(nodes)]
    corners = []
    for k, at in enumerate(nodes):
        around = {steps[m] for m in (k - 1, k) if 0 <= m < len(steps)}
        corners.append((at[0] + aside * sum(y for _, y in around), at[1] - aside * sum(x for x, _ in around)))
    lines: list[list[Point]] = [[corners[0]]]
    for k, (x, y) in enumerate(steps):
        a, b = nodes[k : k + 2]
        if max(abs(b[0] - a[0]), abs(b[1] - a[1])) > 1:
            (u, v), (s, t) = corners[k : k + 2]
            lines[-1].append((u + _STUB * x, v + _STUB * y))
            lines.append([(s - _STUB * x, t - _STUB * y)])
        lines[-1].append(corners[k + 1])
    for some in lines[:-1]:
        arrow(axes, some[-2], some[-1], colour, linestyle=line, shrink=0)
        axes.plot(*zip(*some, strict=True), color=colour, linewidth=1.4, linestyle=line, zorder=3)
    axes.plot(*zip(*lines[-1][:-1], strict=True), color=colour, linewidth=1.4, linestyle=line, zorder=3)
    arrow(axes, lines[-1][-2], lines[-1][-1], colour, linestyle=line, shrinkA=0, shrinkB=2.5)


def grid_wires(
    axes: Axes, network: Network, theme: Theme, *, part: tuple[int, int, int, int] | None = None
) -> dict[tuple[int, int], Point]:
    """The nodes and wires of a 2-dimensional grid, or of its ``part`` (x from, to, y from, to); returns the nodes.

    A torus's wires around, and all wires that lead out of the part, end in stubs.
    """
    grid = network.grid
    assert grid is not None
    low_x, high_x, low_y, high_y = part or (0, grid.radix[0] - 1, 0, grid.radix[1] - 1)
    places = [(int(x), int(y)) for x, y in grid.coordinates]
    inside = {(x, y): (float(x), float(y)) for x, y in places if low_x <= x <= high_x and low_y <= y <= high_y}
    lines: list[Sequence[Point]] = []
    for u, v in zip(network.tail.tolist(), network.head.tolist(), strict=True):
        a, b = places[u], places[v]
        if a not in inside:
            continue
        step = (_way(b[0] - a[0]), _way(b[1] - a[1]))
        if b in inside and max(abs(b[0] - a[0]), abs(b[1] - a[1])) == 1:
            lines.append([inside[a], inside[b]])
        else:
            lines.append([inside[a], (a[0] + _STUB * step[0], a[1] + _STUB * step[1])])
    wires(axes, lines, theme, colors=theme.faint, linewidths=1.2)
    dots(axes, list(inside.values()), theme)
    return inside


def _way(step: float) -> int:
    """Direction of a hop along a ring: around, if it is longer than one."""
    if abs(step) <= 1:
        return int(step)
    return -1 if step > 0 else 1
