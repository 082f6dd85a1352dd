"""Candidates side by side: a picture of every topology, and over it what it takes to build and what it guarantees."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ...core.escape import printable
from ...questions.answer import exact_value
from ...questions.fabrics.candidates import CandidatesAnswer
from ...questions.ranked import by_column
from ..drawing.layout import place
from ..terminal.candidates import best_text, kept_after
from .style import Theme, empty_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACROSS, _WIDTH, _HEIGHT = 4, 2.6, 2.4
_MOST_NODES, _MANY = 4_000, 1_000  # drawn at all; lines that are drawn as an image


def candidates_figure(answer: CandidatesAnswer, theme: Theme) -> Figure:
    """The topologies in the order of the table, each once, with the best of its routings."""
    from matplotlib.collections import LineCollection

    first = {x.topology: x for x in reversed(answer.rows)}
    rows = [x for x in answer.rows if first[x.topology] is x]
    across = min(_ACROSS, len(rows))
    down = ceil(len(rows) / across)
    figure = empty_figure(_WIDTH * across, _HEIGHT * down)
    for k, row in enumerate(rows):
        axes = figure.add_subplot(down, across, k + 1)
        axes.set_axis_off()
        claims = by_column(row.claims)
        switches, cables = (exact_value(claims.get(x)) for x in ("num_switches", "num_cables"))
        worst = f"{1 / row.load}" if row.load else "?"
        axes.set_title(
            f"{printable(row.topology, limit=40)}\n{switches} switches, {cables} cables\n"
            f"{printable(row.routing.name, limit=24)}: {worst}; best {best_text(row, answer.rows)}\n"
            f"after the worst cable: {kept_after(row)}",
            fontsize=7, fontweight="normal",
        )  # fmt: skip
        network = row.network
        if network.num_nodes > _MOST_NODES:
            axes.text(0.5, 0.5, f"{network.num_nodes:,} nodes are not drawn", ha="center", va="center", fontsize=7)
            continue
        layout = place(network)
        lines = [x.line for x in layout.pieces if network.tail[x.channel] < network.head[x.channel]]
        some = LineCollection(lines, colors=theme.edge, linewidths=0.3, rasterized=len(lines) > _MANY)
        axes.add_collection(some)
        hosts = (network.supply > 0) | (network.demand > 0)
        for here, colour in ((~hosts, theme.series[1]), (hosts, theme.series[0])):
            at = layout.node[np.flatnonzero(here)]
            axes.plot(
                at[:, 0], at[:, 1], "o", color=colour, markersize=2.2, linestyle="none", rasterized=len(at) > _MANY
            )
        axes.margins(0.04)
        axes.autoscale_view()
    return figure
