"""How many channels carry how much: under given traffic, or each in its own worst case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ...core.display import decimal_text
from ...core.errors import InputError
from ...worst.worst_traffic import loads_of, worst_traffic
from .style import Theme, empty_figure
from .worst_case import AnalysisFigure, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...questions.worst_case import WorstCaseAnswer

_MOST_SERIES = 7
_BARS = 24


def histogram_figure(title: str, loads: Mapping[str, Sequence[Fraction]], theme: Theme) -> Figure:
    """``loads``: for every kind of traffic the load per bandwidth of every channel.

    One chart above the other, with the same scale of loads.  Raises InputError for none, or more than ``_MOST_SERIES``.
    """
    if not 1 <= len(loads) <= _MOST_SERIES:
        raise InputError(f"{len(loads)} kinds of traffic for one histogram; 1 to {_MOST_SERIES} were expected")
    from matplotlib.ticker import MaxNLocator

    figure = empty_figure(6.0, 1.4 + 1.3 * len(loads))
    charts = figure.subplots(len(loads), 1, sharex=True, squeeze=False)[:, 0]
    numbers = {name: np.array([float(x) for x in some]) for name, some in loads.items()}
    top = max(float(x.max(initial=0.0)) for x in numbers.values()) or 1.0
    edges = np.linspace(0.0, top * (1 + 1e-9), _BARS + 1)
    for k, (axes, (name, some)) in enumerate(zip(charts, numbers.items(), strict=True)):
        colour, busiest = theme.series[k % len(theme.series)], float(some.max(initial=0.0))
        exact, times = np.unique(some, return_counts=True)
        if len(exact) <= _BARS:  # a bar at every load that there is
            axes.bar(exact, times, top / 50, color=colour, edgecolor="none")
        else:
            counts, _ = np.histogram(some, edges)
            axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=colour, edgecolor=theme.paper)
        axes.axvline(busiest, color=theme.ink, linestyle=":", linewidth=1.0)
        words = f"{name}; the busiest channel: {decimal_text(max(loads[name], default=Fraction(0)))}"
        axes.set_title(words, fontsize=8.5, weight="normal")
        axes.set_ylabel("channels")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
    charts[-1].set_xlabel("load per bandwidth (packets per cycle)")
    charts[-1].set_xlim(-0.02 * top, 1.02 * top)
    figure.suptitle(title, fontsize=11, fontweight="bold", x=0.01, ha="left")
    return figure


def _loads(analysis: WorstCaseAnswer) -> dict[str, list[Fraction]]:
    from ...core.traffic import Traffic
    from ...worst.loads import channel_loads_under

    worst, network = analysis.worst_case, analysis.network
    uniform = channel_loads_under(analysis.routing, Traffic.uniform(network.num_terminals)).load.fractions()
    found = {"worst traffic": loads_of(analysis.routing, worst_traffic(worst)), "uniform traffic": uniform}
    per = {name: [x / b for x, b in zip(some, network.bandwidth, strict=True)] for name, some in found.items()}
    if worst.channel_loads is not None:
        per["each channel's own worst case"] = list(worst.channel_loads)
    return per


HISTOGRAM = AnalysisFigure(
    "histogram",
    "how many channels carry how much, under the worst traffic and on average",
    lambda analysis, theme, _: histogram_figure(f"channel loads: {title_of(analysis)}", _loads(analysis), theme),
)
