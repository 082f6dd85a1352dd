"""A figure of curves as data, for a page that draws it itself: every point can be pointed at, and saved as a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .style import LIGHT, Theme, made_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_MOST_POINTS = 20_000
_TOLD = "_routeproof_told"


def tell(lines: Sequence[Line2D], texts: Sequence[str]) -> None:
    """What a page says of every point of these lines, such as its exact value."""
    for line in lines:
        setattr(line, _TOLD, list(texts))


def chart_of(make: Callable[[Theme], Figure]) -> dict[str, Any] | None:
    """The curves of a figure; None where it is drawn with anything else, or has too many points.

    ``panels``: of each the ``title``, ``across`` and ``up``, their ``limits``, which axes are logarithmic (``log``) and
    the names that stand in place of numbers (``ticks``); ``series``: [name, colour, x, y], with ``arms`` (lowest and
    highest), ``told``, and how it looks; ``rules``: lines across the panel; ``areas``; ``notes``: words at a point.
    """
    figure = made_figure(make, LIGHT)
    panels = [_panel(axes) for axes in figure.axes]
    if not panels or any(x is None for x in panels):
        return None
    if sum(len(line["x"]) for x in panels if x is not None for line in x["series"]) > _MOST_POINTS:
        return None
    return {"title": figure.get_suptitle(), "panels": panels}


def _panel(axes: Axes) -> dict[str, Any] | None:
    from matplotlib.collections import LineCollection
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    own = {*axes.spines.values(), axes.xaxis, axes.yaxis, axes.patch, axes.get_legend(), *axes.texts}
    rest = [x for x in axes.get_children() if x not in own and not hasattr(x, "get_fontsize")]
    if not axes.axison or not all(isinstance(x, (Line2D, LineCollection, Polygon)) for x in rest):
        return None
    bars = [x for x in axes.containers if isinstance(x, ErrorbarContainer)]
    arms = {x.lines[0]: x for x in bars if x.lines[0] is not None}
    caps = {cap for x in bars for cap in x.lines[1]}
    if sum(isinstance(x, LineCollection) for x in rest) != sum(len(x.lines[2]) for x in bars):
        return None
    series, rules = [], []
    for line in axes.lines:
        if line in caps:
            continue
        if line.get_transform() is not axes.transData:
            rules.append({"x": _numbers(line.get_xdata())[0], "name": _name(line), "colour": _colour(line.get_color())})
            continue
        name = _name(line) or (str(arms[line].get_label()) if line in arms else "")
        series.append(_series(line, arms.get(line), "" if name.startswith("_") else name))
    return {
        "title": axes.get_title(loc="left") or axes.get_title(),
        "across": axes.get_xlabel(),
        "up": axes.get_ylabel(),
        "limits": [*map(float, (*axes.get_xlim(), *axes.get_ylim()))],
        "log": [axes.get_xscale() == "log", axes.get_yscale() == "log"],
        "ticks": [_named(axes.xaxis), _named(axes.yaxis)],
        "series": series,
        "rules": rules,
        "areas": [_points(x.get_xy()) for x in axes.patches if isinstance(x, Polygon)],
        "notes": [[*map(float, x.xy if hasattr(x, "xy") else x.get_position()), x.get_text()] for x in axes.texts],
    }


def _series(line: Line2D, bars: Any, name: str) -> dict[str, Any]:
    told: list[str] | None = getattr(line, _TOLD, None)
    x, y = _numbers(line.get_xdata()), _numbers(line.get_ydata())
    found: dict[str, Any] = {"name": name, "colour": _colour(line.get_color()), "x": x, "y": y}
    if str(line.get_linestyle()) == "None" or not line.get_linewidth():
        found["marks"] = True
    else:
        found["dash"] = {"-": "", "--": "6 4", "-.": "7 3 2 3", ":": "2 3"}.get(str(line.get_linestyle()), "")
    if str(line.get_marker()) not in ("None", "", " "):
        found["marker"] = str(line.get_marker())
    if bars is not None and bars.lines[2]:
        ends = [x.tolist() for x in bars.lines[2][0].get_segments()]
        found["arms"] = [[a[1], b[1]] for a, b in ends]
    return found if told is None else found | {"told": told}


def _name(line: Line2D) -> str:
    label = str(line.get_label())
    return "" if label.startswith("_") else label


def _named(axis: Any) -> list[tuple[float, str]]:
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    if not isinstance(axis.get_major_formatter(), (FixedFormatter, FuncFormatter)):
        return []
    texts = [x.get_text() for x in axis.get_ticklabels()]
    return list(zip(map(float, axis.get_ticklocs()), texts, strict=True))


def _numbers(values: Any) -> list[float]:
    return [float(x) for x in values]


def _points(ends: Any) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in ends]


def _colour(colour: Any) -> str:
    """The name that it has on a page, which has a dark theme too."""
    from matplotlib.colors import to_hex

    value = to_hex(colour)
    if value in LIGHT.series:
        return f"s{LIGHT.series.index(value) + 1}"
    return "ink" if value == LIGHT.ink else "node-edge"
