"""The figures that one analysis can be drawn as: accepted traffic, loads by packets, jobs or channels, and the worst
traffic as a matrix; an entry stands beside the function that draws it.

Accepted traffic is drawn as far as the loads alone tell, without queues: until a channel is full, all that is offered
is accepted.  Beyond that the curve shows what is still accepted where all terminals hold back alike: the throughput
itself.  Real networks do worse there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import decimal_text, fraction_text
from ...core.errors import InputError, did_you_mean
from ...core.escape import printable
from ...core.registry import Registry
from ...core.traffic import Traffic
from ...core.vocabulary.quantity import PER_TERMINAL
from ...questions.worst_case import WorstCaseAnswer
from ...worst.loads import channel_loads_under
from ...worst.scan.exact import WorstCase
from ...worst.worst_traffic import crossings, loads_of, worst_traffic
from ..drawing.frame import framed
from ..drawing.layout import place, positions_in_file
from ..drawing.plot import check_picture, check_size, painted, picture_figure, picture_of
from .style import Theme, check_plot, empty_figure, load_colours, one_axes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from ...questions.of_one_routing import WorstCaseVerb


@dataclass(frozen=True)
class AnalysisFigure:
    """``name``: what ``--figure`` takes; ``help``: what it shows; ``draw``: raises InputError where there is nothing to
    draw."""

    name: str
    help: str
    draw: Callable[[WorstCaseAnswer, Theme], Figure]


FIGURES: Registry[AnalysisFigure] = Registry("figure", AnalysisFigure, rooms=[str(__package__)])


def asked_figure(analysis: WorstCaseAnswer, theme: Theme, figure: str = "flows") -> Figure:
    """The figure of that name among ``FIGURES``.

    Raises InputError for a figure that there is not, and where there is nothing to draw.
    """
    return figure_named(figure).draw(analysis, theme)


def check_asked(asked: WorstCaseVerb, path: str | None) -> None:
    """Raise InputError where there is no such figure, or it cannot be drawn into the file ``path``."""
    check_plot(asked, path)
    figure_named(asked.figure or "flows")
    if asked.figure != "packets" and path is not None:
        check_picture(path, asked.routing.network)


def figure_named(name: str) -> AnalysisFigure:
    """The entry of that name; raises InputError where there is none."""
    entry = FIGURES.find(name)
    if entry is None:
        raise InputError(f"figure is '{name[:40]}'; {did_you_mean(name[:40], FIGURES.own)}")
    return entry


def title_of(analysis: WorstCaseAnswer) -> str:
    """``romm on torus:9x9``, fit to be printed."""
    return f"{printable(analysis.routing.name, limit=30)} on {printable(analysis.network.name, limit=40)}"


def positions_of(analysis: WorstCaseAnswer) -> npt.NDArray[np.float64] | None:
    """Where the network's file has its nodes; None where it does not say."""
    return positions_in_file(analysis.topology or "", num_nodes=analysis.network.num_nodes)


def _flows(analysis: WorstCaseAnswer, theme: Theme) -> Figure:
    check_size(analysis.network)
    sampled, positions = analysis.routing.is_sampled, positions_of(analysis)
    picture = picture_of(analysis.worst_case, capacity=analysis.capacity, positions=positions, sampled=sampled)
    return picture_figure(picture, theme)


FLOWS = AnalysisFigure("flows", "the network, its loads, and the paths over the worst channel", _flows)


def accepted_figure(title: str, throughput: Mapping[str, Fraction], theme: Theme) -> Figure:
    """``throughput``: for every kind of traffic the rate at which its busiest channel is full.

    Raises InputError where there is none.
    """
    if not throughput:
        raise InputError("no throughput is known, so there is no curve to draw")
    figure, axes = one_axes(title, across=f"offered, {PER_TERMINAL}", up="accepted, the same unit")
    end = 1.15 * max(float(x) for x in throughput.values())
    axes.plot([0, end], [0, end], color=theme.edge, linewidth=0.8, linestyle=(0, (1, 2)))
    for k, (name, value) in enumerate(sorted(throughput.items(), key=lambda x: -x[1])):
        rate, look = float(value), theme.look(k)
        axes.plot([0, rate, end], [0, rate, rate], label=f"{name}: {fraction_text(value)}", **look)
        axes.plot([rate], [rate], marker=theme.marker(k), color=look["color"])
    axes.set_xlim(0, end)
    axes.set_ylim(0, 1.25 * max(float(x) for x in throughput.values()))
    axes.legend(loc="upper left")
    return figure


def _rates(analysis: WorstCaseAnswer) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for claim in analysis.stated:
        if isinstance(claim.value, Fraction) and claim.relation == "==" and "channel" not in claim.about:
            if claim.quantity == "worst_case_throughput":
                found["worst case (guaranteed)"] = claim.value
            elif claim.quantity == "throughput":
                found[printable(str(claim.about.get("traffic")), limit=30)] = claim.value
    return found


ACCEPTED = AnalysisFigure(
    "accepted",
    "accepted against offered traffic, as the loads bound it",
    lambda analysis, theme: accepted_figure(f"accepted traffic: {title_of(analysis)}", _rates(analysis), theme),
)


def _curve(analysis: WorstCaseAnswer, theme: Theme) -> Figure:
    curve = analysis.curve
    if curve is None:
        raise InputError("the figure 'packets' is drawn of --demands sparse:all")
    figure, axes = one_axes(title_of(analysis), across="packets at the same time", up="worst load per bandwidth")
    axes.plot(range(len(curve.loads)), [float(x) for x in curve.loads], color=theme.series[0], linewidth=1.4)
    corners = curve.corners
    look: dict[str, Any] = {"color": theme.series[1], "linestyle": "none", "marker": "o", "markersize": 4}
    axes.plot([x.packets for x in corners], [float(x.load) for x in corners], label="corners, proved", **look)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right")
    return figure


def _jobs(analysis: WorstCaseAnswer, theme: Theme) -> Figure:
    from matplotlib.patches import Patch

    jobs = analysis.jobs
    if jobs is None:
        raise InputError("the figure 'jobs' is drawn of --demands within:JOBS, with several jobs")
    check_size(analysis.network)
    network, uses = analysis.network, jobs.uses
    colour = [theme.series[k % (len(theme.series) - 1)] for k in range(len(jobs.jobs))]
    count = uses.sum(axis=1)
    paint = [
        theme.faint if n == 0 else theme.ink if n > 1 else colour[int(uses[c].argmax())] for c, n in enumerate(count)
    ]
    layout = place(network, positions=positions_of(analysis))
    shared = int((count > 1).sum())
    subtitle = f"{len(jobs.jobs)} jobs; {shared} of {network.num_channels} channels carry packets of several"
    frame = framed(network, layout, theme, title=title_of(analysis), subtitle=subtitle, bottom=0.3, right=1.6)
    owner = np.full(network.num_nodes, -1)
    group = jobs.demands.group
    assert group is not None
    owner[network.source] = group
    discs = [theme.paper if k < 0 else colour[k] for k in owner.tolist()]
    dark = {v for v, k in enumerate(owner.tolist()) if k >= 0}
    painted(frame, network, theme, channels=paint, nodes=discs, dark=dark)
    few = [Patch(color=colour[k], label=printable(name, limit=18)) for k, name in enumerate(jobs.jobs[:6])]
    frame.figure.legend(handles=[*few, Patch(color=theme.ink, label="several jobs")], loc="outside right upper")
    return frame.figure


PACKETS = AnalysisFigure("packets", "the worst load against the number of packets, of sparse:all", _curve)
JOBS = AnalysisFigure("jobs", "channels by the job that crosses them, of within:JOBS", _jobs)


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
    lambda analysis, theme: histogram_figure(f"channel loads: {title_of(analysis)}", _loads(analysis), theme),
)


def matrix_figure(worst_case: WorstCase, theme: Theme) -> Figure:
    """A mark for every pair: small and pale where it misses the worst channel, coloured by its load where it crosses.

    Raises InputError where there is no traffic.
    """
    network, channel = worst_case.network, worst_case.channel
    traffic = worst_traffic(worst_case)
    pairs = crossings(worst_case.routing, channel, traffic)
    if not pairs:
        raise InputError(f"no traffic of this model saturates a channel of {network.name}; there is nothing to draw")
    size = network.num_terminals
    title = f"worst traffic: {printable(worst_case.routing.name, limit=30)} on {printable(network.name, limit=40)}"
    figure, axes = one_axes(title, across="destination", up="source", size=(5.6, 5.0))
    mark = float(np.clip((370 / size) ** 2, 5.0, 90.0))
    quiet = np.array([(j, i) for i, j, _ in traffic]).reshape(-1, 2)
    look: dict[str, Any] = {"marker": "s", "edgecolor": theme.edge, "linewidth": 0.3}
    axes.scatter(quiet[:, 0], quiet[:, 1], s=mark * 0.45, color=theme.faint, **look)
    across, up, load = zip(*((x.destination, x.source, float(x.load)) for x in pairs), strict=True)
    look |= {"edgecolor": theme.ink, "linewidth": 0.4, "cmap": load_colours(theme), "vmin": 0.0, "vmax": max(load)}
    heat = axes.scatter(across, up, c=load, s=mark, **look)
    margin = max(0.6, size / 60)
    axes.set_xlim(-margin, size - 1 + margin)
    axes.set_ylim(size - 1 + margin, -margin)
    axes.set_aspect("equal")
    bar = figure.colorbar(heat, ax=axes, fraction=0.045, pad=0.03)
    bar.set_label("packets per cycle over the worst channel", size=8)
    bar.ax.grid(False)
    bar.outline.set_linewidth(0.5)
    total = fraction_text(sum((x.load for x in pairs), start=pairs[0].load * 0))
    name = printable(network.channel_label(channel), limit=50)
    figure.supxlabel(f"{len(pairs)} pairs cross {name}, with {total} in all", size=8, color=theme.quiet)
    return figure


MATRIX = AnalysisFigure(
    "matrix",
    "who sends to whom in the worst traffic, and what crosses the worst channel",
    lambda analysis, theme: matrix_figure(analysis.worst_case, theme),
)
