"""Figures of whole answers: routings side by side, measured against offered rates, tradeoff curves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.claim import Claim, Interval
from ...core.escape import printable
from ...core.vocabulary.quantity import OF_MINIMAL, PER_TERMINAL
from ...questions.compare import Comparison, by_column, load_claimed
from ...questions.simulate.load import LoadAnswer
from ...questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from ..terminal.simulated import by_rate, predicted_throughput
from .style import Theme, empty_figure, one_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_AVERAGE = ("average_case_throughput", "average_case_throughput_of_capacity")
_NAMES = {"worst_case_throughput": "worst case", "throughput": "uniform traffic"}


def compare_figure(comparison: Comparison, theme: Theme) -> Figure:
    """A group of bars for each routing, from top to bottom as in the table; sampled means have their interval.

    The dashed line: no oblivious routing guarantees more, where that bound is known.
    """
    columns = [by_column(claims) for claims in comparison.by_routing]
    shown = [x for x in columns[0] if x.split(" under ")[0] in (*_NAMES, *_AVERAGE)]
    count = len(columns)
    size = (6.5, 1.4 + 0.17 * count * (len(shown) + 1))
    figure, axes = one_axes(printable(comparison.network.name, limit=60), across=PER_TERMINAL, up="", size=size)
    thick = 0.8 / len(shown)
    for k, name in enumerate(shown):
        places = [i - 0.4 + thick * (k + 0.5) for i in range(count)]
        values = [_throughput(x, name) for x in columns]
        arms = [[best - low for low, best, _ in values], [high - best for _, best, high in values]]
        quantity, _, traffic = name.partition(" under ")
        words = f"average under {traffic}" if quantity in _AVERAGE else _NAMES.get(name, traffic)
        look: dict[str, Any] = {"color": theme.series[k % len(theme.series)], "ecolor": theme.ink, "capsize": 2}
        if any(map(sum, arms)):
            look["xerr"] = arms
        axes.barh(places, [x for _, x, _ in values], thick, label=printable(words, limit=40), **look)
    least = max(load_claimed(claims, ">=") for claims in comparison.by_routing)
    if least:
        axes.axvline(
            float(1 / least), color=theme.ink, linestyle="--", linewidth=1.2, label="no routing guarantees more"
        )
    axes.set_yticks(range(count), [printable(x.name, limit=30) for x in comparison.routings])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(left=0)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _throughput(claims: Mapping[str, Claim], name: str) -> tuple[float, float, float]:
    """(low, best, high) in packets per cycle and terminal; nothing where there is no such claim."""
    value = claims[name].value if name in claims else None
    if isinstance(value, Interval):
        unit = claims["capacity"].value if "_of_capacity" in name else 1
        assert isinstance(unit, (int, Fraction))
        return value.low * float(unit), value.best * float(unit), value.high * float(unit)
    number = float(value) if isinstance(value, Fraction) else 0.0
    return number, number, number


def load_figure(answer: LoadAnswer, theme: Theme) -> Figure:
    """Two charts above each other: accepted rate and delay against the offered rate."""
    figure = empty_figure(6.0, 5.2)
    top, bottom = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 2)})
    measured = by_rate(answer.sampled)
    proven = predicted_throughput(answer.proved)
    there = proven is not None and proven <= 1
    end = 1.05 * float(max([*measured, *([proven] if proven is not None and there else [])]))
    top.plot([0, end], [0, end], color=theme.edge, linewidth=1, zorder=0, label="all accepted")
    for axes, name, colour in ((top, "accepted_rate", theme.series[0]), (bottom, "average_delay", theme.series[1])):
        points = [(float(rate), found[name]) for rate, found in measured.items() if name in found]
        rates, best = [rate for rate, _ in points], [x.best for _, x in points]
        arms = [[x.best - x.low for _, x in points], [x.high - x.best for _, x in points]]
        look = {"color": colour, "marker": "o", "markersize": 4, "linewidth": 1.2, "capsize": 2}
        axes.errorbar(rates, best, yerr=arms, label="measured" if axes is top else None, **look)
    if proven is not None and not there:  # no terminal sends as much
        top.plot([], [], " ", label=f"proved throughput {proven}: above every rate")
    if proven is not None and there:
        for axes in (top, bottom):
            label = f"proved throughput {proven}" if axes is top else None
            axes.axvline(float(proven), color=theme.series[2], linestyle="--", linewidth=1.2, label=label)
    top.set_title(printable(answer.title, limit=90), fontsize=10)
    top.set_ylabel("accepted, packets per cycle")
    top.set_ylim(bottom=0)
    top.legend(loc="upper left")
    bottom.set_ylabel("delay, cycles")
    if any("average_delay" in found and found["average_delay"].best > 0 for found in measured.values()):
        # not where no packet arrived in time to have a delay
        delays = [found["average_delay"] for found in measured.values() if "average_delay" in found]
        if max(x.high for x in delays) > 10 * min(x.best for x in delays if x.best > 0):
            bottom.set_yscale("log")
        else:  # where a logarithmic axis may have no number at all
            bottom.set_ylim(bottom=0)
    bottom.set_xlabel(f"offered, {PER_TERMINAL}")
    bottom.set_xlim(0, end)
    return figure


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
    if isinstance(answer, AverageTradeoffAnswer):
        curve, marks, lines = _average_case(answer)
    else:
        curve, marks, lines = _worst_case(answer)
    xs, ys = [x for x, _ in curve], [y for _, y in curve]
    top = max([*ys, *(p.y for p in [*marks, *(p for line in lines for p in line)])]) * 1.08
    axes.fill([*xs, 0.0, 0.0, xs[0]], [*ys, ys[-1], top, top], color=theme.faint, zorder=0)
    axes.plot(xs, ys, color=theme.series[0], zorder=2, label="best, own sample" if average else None)
    if isinstance(answer, AverageTradeoffAnswer):
        fresh = [x.fresh.best / float(answer.capacity or 1) for x in answer.curve.points]
        axes.plot(fresh, ys, "--", color=theme.series[0], zorder=2, label="the same, fresh sample")
    _mark(axes, marks, theme)
    for line in lines:
        name = printable(f"{line[0].name} to {line[-1].name}", limit=40)
        axes.plot([p.x for p in line], [p.y for p in line], ":", zorder=2, label=name)
    if average or lines:
        axes.legend(loc="upper left")
    axes.set_xlim(0, 1.04 * max([*xs, *(p.x for p in marks)]))
    axes.set_ylim(0.97, top)
    return figure


_Drawn = tuple[list[tuple[float, float]], list[_Mark], list[list[_Mark]]]


def _average_case(answer: AverageTradeoffAnswer) -> _Drawn:
    """The curve on its own sample, the routings, and the interpolations."""
    curve, unit = answer.curve, float(answer.capacity or 1)
    points = [(x.inside.best / unit, float(x.length / curve.minimal)) for x in curve.points]
    marks, *lines = (
        [_Mark(x.fresh.best / unit, float(x.length / curve.minimal), x.routing.name) for x in some]
        for some in (answer.points, *answer.lines)
    )
    return points, marks, lines


def _worst_case(answer: TradeoffAnswer) -> _Drawn:
    """The curve, straight in the load between its corners, the routings, and the interpolations."""
    curve, unit = answer.curve, answer.capacity or Fraction(1)
    loads = [
        a.load + (b.load - a.load) * Fraction(step, 20)
        for a, b in zip(curve.points, curve.points[1:], strict=False)
        for step in range(20)
    ]
    points = [(1 / x / unit, (curve.least_length(x) or curve.minimal) / curve.minimal) for x in loads]
    last = curve.points[-1]
    points.append((1 / last.load / unit, last.length / curve.minimal))
    marks, *lines = (
        [_Mark(float(1 / x.load / unit), float(x.length / curve.minimal), x.name) for x in some]
        for some in (answer.points, *answer.lines)
    )
    return [(float(x), float(y)) for x, y in points], marks, lines


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
