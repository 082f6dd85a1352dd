"""Figures of tradeoff curves: throughput across, path length upwards, routings as marks."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.escape import printable
from ...core.vocabulary.quantity import OF_MINIMAL
from ...questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from .chart import tell
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_STEPS = 20  # of the curve, from corner to corner


class _Mark(NamedTuple):
    """Where a routing stands: throughput across, path length over the minimal upwards."""

    x: float
    y: float
    name: str


def tradeoff_figure(answer: TradeoffAnswer | AverageTradeoffAnswer, theme: Theme) -> Figure:
    """Figure 1 of Towles, Dally & Boyd, or their Figure 6 of the average case.

    The region that is possible is grey; interpolations of two routings are dotted lines, as in Figure 5.  Average case:
    the curve on its own sample as a line and on a fresh one dashed, the named routings on the fresh one.
    """
    average = isinstance(answer, AverageTradeoffAnswer)
    unit = "" if answer.capacity is None else ", fraction of capacity"
    across, title = f"{'average' if average else 'worst'}-case throughput{unit}", answer.curve.network.name
    if isinstance(answer, TradeoffAnswer) and answer.curve.demands is not None:
        title = f"{title}, over {answer.curve.demands.text}"
    up = f"average path length, {OF_MINIMAL}"
    figure, axes = one_axes(printable(title, limit=70), across=across, up=up)
    curve, drawn = _average_case(answer) if isinstance(answer, AverageTradeoffAnswer) else _worst_case(answer)
    marks, *lines = drawn
    xs, ys = [x for x, _ in curve], [y for _, y in curve]
    top = max([*ys, *(p.y for line in drawn for p in line)]) * 1.08
    left, right = (choose([*xs, *(p.x for p in marks)]) for choose in (min, max))
    left = max(0.0, left - max(0.3 * (right - left), 0.1 * right))  # further left nothing new begins
    axes.fill([*xs, left, left, xs[0]], [*ys, ys[-1], top, top], color=theme.faint, zorder=0)
    partial = isinstance(answer, TradeoffAnswer) and not answer.curve.complete
    label = "best, own sample" if average else "reached; the curve is here or below" if partial else None
    best = axes.plot(xs, ys, color=theme.series[0], zorder=2, label=label)
    if isinstance(answer, TradeoffAnswer):
        tell(best, [_corner_words(answer, k) for k in range(len(xs))])
    if isinstance(answer, AverageTradeoffAnswer):
        fresh = [x.fresh.best / float(answer.capacity or 1) for x in answer.curve.points]
        axes.plot(fresh, ys, "--", color=theme.series[0], zorder=2, label="the same, fresh sample")
    _mark(axes, marks, theme)
    for line in lines:
        name = printable(f"{line[0].name} to {line[-1].name}", limit=40)
        axes.plot([p.x for p in line], [p.y for p in line], ":", zorder=2, label=name)
    if label or lines:
        axes.legend(loc="upper left")
    axes.set_xlim(left, right + 0.04 * (right - left))
    axes.set_ylim(0.97, top)
    return figure


_Line = list[tuple[float, float]]


def _average_case(answer: AverageTradeoffAnswer) -> tuple[_Line, list[list[_Mark]]]:
    """The curve on its own sample; the routings, and each interpolation."""
    curve, unit = answer.curve, float(answer.capacity or 1)
    marks = [
        [_Mark(x.fresh.best / unit, float(x.length / curve.minimal), x.routing.name) for x in some]
        for some in (answer.points, *answer.lines)
    ]
    return [(x.inside.best / unit, float(x.length / curve.minimal)) for x in curve.points], marks


def _worst_case(answer: TradeoffAnswer) -> tuple[_Line, list[list[_Mark]]]:
    """The curve, straight in the load between its corners; the routings, and each interpolation."""
    curve, unit = answer.curve, answer.capacity or Fraction(1)
    loads = [
        a.load + (b.load - a.load) * Fraction(step, _STEPS) for a, b in pairwise(curve.points) for step in range(_STEPS)
    ]
    points = [(1 / x / unit, (curve.reached_length(x) or curve.minimal) / curve.minimal) for x in loads]
    last = curve.points[-1]
    points.append((1 / last.load / unit, last.length / curve.minimal))
    marks = [
        [_Mark(float(1 / x.load / unit), float(x.length / curve.minimal), x.name) for x in some]
        for some in (answer.points, *answer.lines)
    ]
    return [(float(x), float(y)) for x, y in points], marks


def _corner_words(answer: TradeoffAnswer, k: int) -> str:
    """What the page says of point ``k`` of the curve: of a corner its exact values; "" between two of them."""
    if k % _STEPS:
        return ""
    corner = answer.curve.points[k // _STEPS]
    return f"worst-case load {corner.load}, {corner.length} hops"


def _mark(axes: Axes, marks: list[_Mark], theme: Theme) -> None:
    """A mark for each routing; those in one place share it and its label."""
    from matplotlib.patheffects import withStroke

    names: dict[tuple[float, float], list[str]] = {}
    for x, y, name in marks:
        names.setdefault((x, y), []).append(name)
    for k, (at, here) in enumerate(names.items()):
        axes.plot(*at, theme.marker(k), color=theme.series[1], markersize=5, zorder=3)
        label = printable(", ".join(here), limit=40)
        look: dict[str, Any] = {"color": theme.ink, "size": 8.5}
        look["path_effects"] = [withStroke(linewidth=2.5, foreground=theme.faint)]
        axes.annotate(label, at, textcoords="offset points", xytext=(-6, 4), ha="right", **look)  # where no curve is
