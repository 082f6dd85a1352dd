"""How many channels carry how much: under given traffic, or each in its own worst case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ...answers.worst_traffic import loads_of, worst_traffic
from ...core.errors import InputError
from .style import Theme, one_axes
from .worst_case import AnalysisFigure, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...answers.worst_case import WorstCaseAnswer

_MOST_SERIES = 7
_BARS = 24


def histogram_figure(title: str, loads: Mapping[str, Sequence[Fraction]], theme: Theme) -> Figure:
    """``loads``: for every kind of traffic the load per bandwidth of every channel.

    Bars where there is one kind, steps with different lines where there are several.  Raises InputError for none, or
    more than ``_MOST_SERIES``.
    """
    if not 1 <= len(loads) <= _MOST_SERIES:
        raise InputError(f"{len(loads)} kinds of traffic for one histogram; 1 to {_MOST_SERIES} were expected")
    figure, axes = one_axes(title, across="load per bandwidth (packets per cycle)", up="channels")
    numbers = {name: np.array([float(x) for x in some]) for name, some in loads.items()}
    top = max(float(x.max(initial=0.0)) for x in numbers.values()) or 1.0
    edges = np.linspace(0.0, top * (1 + 1e-9), _BARS + 1)
    for k, (name, some) in enumerate(numbers.items()):
        look = theme.look(k)
        counts, _ = np.histogram(some, edges)
        if len(numbers) == 1:
            axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=theme.ramp[3], edgecolor=theme.paper)
        else:
            axes.stairs(counts, edges, linewidth=1.6, label=name, **look)
        colour = look["color"] if len(numbers) > 1 else theme.ink
        axes.axvline(float(some.max(initial=0.0)), color=colour, linestyle=":", linewidth=1.0)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    if len(numbers) > 1:
        axes.legend(title="dotted: the busiest channel", title_fontsize=8)
    else:
        axes.annotate("busiest", (top, axes.get_ylim()[1] * 0.96), ha="right", size=8, color=theme.quiet)
    return figure


def _loads(analysis: WorstCaseAnswer) -> dict[str, list[Fraction]]:
    from ...analysis.loads import channel_loads_under
    from ...core.traffic import Traffic

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
