"""Curves and bars of one answer: routings side by side, the distribution of a load under hashing, how a search for
tables came to its best, and accepted against offered rate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim, Interval
from ...core.display import fraction_text
from ...core.escape import printable
from ...core.vocabulary.quantity import PER_BANDWIDTH, PER_TERMINAL, SHORT_UNITS
from ...questions.compare import Comparison
from ...questions.designing import TablesAnswer
from ...questions.hashing import HashingAnswer
from ...questions.ranked import by_column, load_claimed
from ...questions.simulate.load import LoadAnswer
from ..terminal.simulated import by_rate, predicted_throughput
from .chart import tell
from .style import Theme, empty_figure, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def hashing_figure(answer: HashingAnswer, theme: Theme) -> Figure:
    """The probability that some channel, and that one channel, carries at least a load; arms are proved bounds."""
    title = f"{printable(answer.routing.name)}, {printable(answer.traffic.name)} traffic, hashed at random"
    figure, axes = one_axes(
        title, across=SHORT_UNITS[PER_BANDWIDTH], up="probability of this load or more", size=(6.5, 3.8)
    )
    some = [(float(x), float(chance.low), float(chance.high)) for x, chance, _ in answer.rows if chance.low]
    own = [(float(x), float(one), fraction_text(one)) for x, _, one in answer.rows if one]
    look: dict[str, Any] = {"marker": "o", "markersize": 5, "linestyle": "None"}  # between these loads it is a step
    highest = [high for _, _, high in some]
    axes.errorbar(
        [x for x, _, _ in some], highest, yerr=[[high - low for _, low, high in some], [0.0] * len(some)],
        label="some channel", color=theme.series[0], capsize=2, **look,
    )  # fmt: skip
    channel = printable(answer.network.channel_label(answer.channel), limit=60)
    tell(
        axes.plot([x for x, _, _ in own], [y for _, y, _ in own], label=channel, color=theme.series[1], **look),
        [text for _, _, text in own],
    )
    least = min((float(x) for _, x, *_ in (*some, *own) if x), default=1.0)
    axes.set_yscale("log")
    axes.set_ylim(10.0 ** (math.ceil(math.log10(least)) - 1), 1.25)  # a decade or more, for its ticks; none above 1
    axes.legend(loc="upper right")
    return figure


def search_figure(answer: TablesAnswer, theme: Theme) -> Figure:
    """The worst-case load of the best tables so far against the number of proposals; dashed: what no tables are
    below, where it is proved."""
    found = answer.made
    title = f"{printable(answer.routing.network.name, limit=60)}: the best tables so far"
    figure, axes = one_axes(title, across="proposals", up=answer.measure, size=(6.5, 3.8))
    curve = [*found.curve, (found.proposals, answer.judged.worst_case.load)]
    steps = curve[:1]
    for (_, before), (done, load) in itertools.pairwise(curve):
        steps += [(done, before), (done, load)]
    line = axes.plot([x for x, _ in steps], [float(y) for _, y in steps], color=theme.series[0], label="best so far")
    tell(line, [fraction_text(y) for _, y in steps])
    bounds = [
        x.number
        for x in answer.stated
        if x.quantity == "worst_case_load" and (x.relation == ">=" or (x.relation == "==" and "among" in x.about))
    ]
    if bounds:
        least = max(bounds)
        look: dict[str, Any] = {"color": theme.series[2], "linestyle": "--"}
        tell(
            axes.plot([0, found.proposals], [float(least)] * 2, label="no tables are below this", **look),
            [fraction_text(least)] * 2,
        )
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper right")
    return figure


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
    if least and comparison.demands is None:
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
        called = f"{name.partition('_')[2]}, measured"
        points = [(float(rate), found[name]) for rate, found in measured.items() if name in found]
        rates, best = [rate for rate, _ in points], [x.best for _, x in points]
        arms = [[x.best - x.low for _, x in points], [x.high - x.best for _, x in points]]
        look = {"color": colour, "marker": "o", "markersize": 4, "linewidth": 1.2, "capsize": 2}
        axes.errorbar(rates, best, yerr=arms, label=called, **look)
    if proven is not None and not there:  # no terminal sends as much
        top.plot([], [], " ", label=f"proved throughput {proven}: above every rate")
    if proven is not None and there:
        for axes in (top, bottom):
            label = f"proved throughput {proven}" if axes is top else None
            axes.axvline(float(proven), color=theme.series[2], linestyle="--", linewidth=1.2, label=label)
    figure.suptitle(printable(answer.title, limit=90), fontsize=10, fontweight="bold")
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
