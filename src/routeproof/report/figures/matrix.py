"""The worst traffic as a matrix: who sends to whom, and how much of it crosses the worst channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import fraction_text
from ...core.errors import InputError
from ...core.escape import printable
from ...worst.worst_traffic import crossings, worst_traffic
from .style import Theme, load_colours, one_axes
from .worst_case import AnalysisFigure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...worst.scan.exact import WorstCase


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
    lambda analysis, theme, _: matrix_figure(analysis.worst_case, theme),
)
