"""The six figures of Maggs, Randomly Wired Multistage Networks, from the rows of the study of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...studies.result import StudyResult
from ...topologies.family import wiring_from_spec
from .panels import Panel, Point, dots, drawn_panels, name_dots, wires
from .study import StudyFigure
from .style import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Data = dict[str, Any]
_APART = 2.4  # levels, in rows


def figure_maggs(result: StudyResult, theme: Theme) -> Figure:
    """Counterparts of Figures 1 to 6, each as the first row of that figure says."""
    parts = (
        Panel("1: 8-input butterfly", 1, _stages),
        Panel("2: logical path to output 011", 2, _logical_path),
        Panel("3: 8-input 2-butterfly", 3, _stages),
        Panel("4: splitter, 4 inputs and all they reach", 4, _splitter),
        Panel("5: nonblocking, two calls and a third", 5, _calls),
        Panel("6: 8-input 2-multi-Beneš network", 6, _stages),
    )
    return drawn_panels("Maggs, networks as in its figures", parts, result, theme, across=3, size=(9.4, 6.4))


def _at(level: float, row: float) -> Point:
    return _APART * level, -row


def _stages(axes: Axes, data: Data, theme: Theme) -> None:
    """All switches and wires; the wires of each merged butterfly in a colour of their own; rows in binary."""
    wiring = wiring_from_spec(data["wiring"])
    count = wiring.inputs
    for copy in range(wiring.multiplicity):
        aside = 0.13 * (copy - (wiring.multiplicity - 1) / 2)
        lines = [
            (_at(level, r + aside), _at(level + 1, int(wiring.wire[level, colour, r]) + aside))
            for level in range(wiring.num_edge_levels)
            for colour in (2 * copy, 2 * copy + 1)
            for r in range(count)
        ]
        wires(axes, lines, theme, colors=theme.series[copy], linewidths=0.8, linestyles=theme.lines[0])
    last = wiring.num_edge_levels
    dots(axes, [_at(level, r) for level in range(last + 1) for r in range(count)], theme, size=4.5)
    name_dots(axes, {_at(last, r): f"{r:0{wiring.log_inputs}b}" for r in range(count)}, theme, away=(13, 0), size=6)
    name_dots(axes, {_at(level, count - 1): str(level) for level in range(last + 1)}, theme, away=(0, -11), size=6)


def _logical_path(axes: Axes, data: Data, theme: Theme) -> None:
    """The blocks of the path, and the wires between them that lead the right way."""
    wiring, blocks = wiring_from_spec(data["wiring"]), data["blocks"]
    for level, rows in enumerate(blocks):
        x, top, low = _APART * level, 0.45 - min(rows), -0.45 - max(rows)
        axes.fill([x - 0.4, x + 0.4, x + 0.4, x - 0.4], [top, top, low, low], color=theme.ramp[1], zorder=0)
    good: list[tuple[Point, Point]] = []
    other: list[tuple[Point, Point]] = []
    for level, (here, there) in enumerate(pairwise(blocks)):
        for image in wiring.wire[level]:
            for r in range(wiring.inputs):
                right = r in here and int(image[r]) in there
                (good if right else other).append((_at(level, r), _at(level + 1, int(image[r]))))
    wires(axes, other, theme, colors=theme.faint, linewidths=0.8)
    wires(axes, good, theme, colors=theme.series[0], linewidths=1.4, zorder=2)
    last = wiring.num_edge_levels
    dots(axes, [_at(level, r) for level in range(last + 1) for r in range(wiring.inputs)], theme, size=4.5)
    name_dots(axes, {_at(last, int(data["goal"])): f"{data['goal']:03b}"}, theme, away=(15, 0))
    words = ["down" if data["goal"] >> wiring.direction_bit(level) & 1 else "up" for level in range(last)]
    below = -float(wiring.inputs)
    name_dots(axes, {(_APART * (level + 0.5), below): word for level, word in enumerate(words)}, theme, size=6.5)


def _splitter(axes: Axes, data: Data, theme: Theme) -> None:
    wiring = wiring_from_spec(data["wiring"])
    size = wiring.inputs
    wide = 9.0
    chosen = set(data["subset"])
    ends = [(0.0, -float(r)) for r in range(size)]
    gap = [1.0 if r < size // 2 else -1.0 for r in range(size)]
    outs = [(wide, gap[r] - r) for r in range(size)]
    lines = [(r, int(image[r])) for image in wiring.wire[0] for r in range(size)]
    wires(axes, [(ends[r], outs[s]) for r, s in lines if r not in chosen], theme, colors=theme.faint)
    wires(axes, [(ends[r], outs[s]) for r, s in lines if r in chosen], theme, colors=theme.series[0], linewidths=1.1)
    near = {s + side * size // 2 for side in (0, 1) for s in data["neighbours"][side]}
    dots(axes, [ends[r] for r in range(size) if r not in chosen], theme, size=5)
    dots(axes, [outs[s] for s in range(size) if s not in near], theme, size=5)
    dots(axes, [ends[r] for r in sorted(chosen)], theme, size=5, color=theme.series[0])
    dots(axes, [outs[s] for s in sorted(near)], theme, size=5, color=theme.series[1])
    for side, word in enumerate(("up", "down")):
        at = outs[size // 4 + side * size // 2]
        name_dots(axes, {at: f"{word}:\n{len(data['neighbours'][side])} of {size // 2}"}, theme, away=(26, 0))
    name_dots(axes, {ends[size // 2]: f"{len(chosen)} of\n{size}"}, theme, away=(-22, 0))


def _calls(axes: Axes, data: Data, theme: Theme) -> None:
    """Three stages of three; calls in progress solid, the one that still goes through dashed."""
    place = [(3.0 * (v // 3), -1.5 * (v % 3)) for v in range(9)]
    wires(axes, [(place[v], place[w]) for v, w in data["edges"]], theme, colors=theme.faint, linewidths=1.2)
    for k, path in enumerate(data["calls"]):
        line = "--" if k == len(data["calls"]) - 1 else "-"
        points = [place[v] for v in path]
        axes.plot(*zip(*points, strict=True), color=theme.series[k], linewidth=2, linestyle=line, zorder=2)
    dots(axes, place, theme, size=8)
    for side, names in enumerate((("Bob", "Ted", "Pat"), ("Alice", "Carol", "Vanna"))):
        at = {place[6 * side + k]: name for k, name in enumerate(names)}
        name_dots(axes, at, theme, away=(-19 + 40 * side, 0))


MAGGS = StudyFigure("maggs-figures", figure_maggs)
