"""Accepted against offered rate and delay, as measured, beside the proved throughput."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.escape import printable
from ...core.vocabulary.quantity import PER_TERMINAL
from ...questions.simulate.load import LoadAnswer
from ..terminal.simulated import by_rate, predicted_throughput
from .style import Theme, empty_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
