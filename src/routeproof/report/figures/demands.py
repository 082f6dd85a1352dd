"""Worst cases over sets of demands: the curve over the number of packets, and channels by the job that crosses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...core.escape import printable
from ...questions.worst_case import WorstCaseAnswer
from ..drawing.frame import channel_widths, framed, strip
from ..drawing.layout import place
from ..drawing.plot import check_size
from .style import Theme, one_axes
from .worst_case import AnalysisFigure, title_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure


def _curve(analysis: WorstCaseAnswer, theme: Theme, positions: npt.NDArray[np.float64] | None) -> Figure:
    """The worst load against the number of packets; corners are marked."""
    del positions
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


def _jobs(analysis: WorstCaseAnswer, theme: Theme, positions: npt.NDArray[np.float64] | None) -> Figure:
    """Channels in the colour of the job that crosses them, dark where several do."""
    from matplotlib.collections import PolyCollection
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
    layout = place(network, positions=positions)
    shared = int((count > 1).sum())
    subtitle = f"{len(jobs.jobs)} jobs; {shared} of {network.num_channels} channels carry packets of several"
    frame = framed(network, layout, theme, title=title_of(analysis), subtitle=subtitle, bottom=0.3, right=1.6)
    wide = channel_widths(network)
    shapes = [strip(layout, piece, width=wide[piece.channel]) for piece in layout.pieces]
    faces = [paint[piece.channel] for piece in layout.pieces]
    look: dict[str, Any] = {"facecolors": faces, "edgecolors": theme.edge, "linewidths": frame.thin}
    frame.axes.add_collection(PolyCollection(shapes, zorder=2, **look))
    owner = np.full(network.num_nodes, -1)
    group = jobs.demands.group
    assert group is not None
    owner[network.source] = group
    discs = [theme.paper if k < 0 else colour[k] for k in owner.tolist()]
    frame.draw_discs(range(network.num_nodes), facecolors=discs, edgecolors=theme.edge, linewidths=0.7, zorder=5)
    frame.write_names(theme, on_dark={v for v, k in enumerate(owner.tolist()) if k >= 0})
    few = [Patch(color=colour[k], label=printable(name, limit=18)) for k, name in enumerate(jobs.jobs[:6])]
    frame.figure.legend(handles=[*few, Patch(color=theme.ink, label="several jobs")], loc="outside right upper")
    return frame.figure


PACKETS = AnalysisFigure("packets", "the worst load against the number of packets, of sparse:all", _curve)
JOBS = AnalysisFigure("jobs", "channels by the job that crosses them, of within:JOBS", _jobs)
