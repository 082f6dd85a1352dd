"""A network as it is: nodes and channels, each channel as wide as its bandwidth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.escape import printable
from ...core.network import Network
from ...questions.convert import ConvertAnswer
from ..drawing.frame import channel_widths, framed, strip
from ..drawing.geography import positions_in_file
from ..drawing.layout import place
from ..drawing.plot import check_picture
from ..terminal.parts import sizes_text
from .style import LIGHT, Theme, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_network(
    network: Network, path: str | Path, *, positions: npt.NDArray[np.float64] | None = None, theme: Theme = LIGHT
) -> None:
    """Draw ``network`` into a file (.svg, .png, .pdf); ``positions``: where the nodes are, as for ``place``.

    Raises InputError for another kind of file, more channels than can be drawn.
    """
    check_picture(path, network)
    write_figure(path, lambda look: network_figure(network, look, positions=positions), theme=theme)


def converted_figure(answer: ConvertAnswer, theme: Theme) -> Figure:
    """The network that was to be drawn, its nodes where its file has them; raises InputError as ``draw_network``."""
    network = answer.converted
    assert network is not None
    check_picture(answer.target, network)
    return network_figure(network, theme, positions=positions_in_file(answer.source, num_nodes=network.num_nodes))


def network_figure(
    network: Network, theme: Theme = LIGHT, *, positions: npt.NDArray[np.float64] | None = None
) -> Figure:
    """The figure; terminals are filled where not all nodes are terminals."""
    from matplotlib.collections import PolyCollection

    layout = place(network, positions=positions)
    sizes = sizes_text(network)
    if not network.uniform_bandwidth:
        low, high = min(network.bandwidth), max(network.bandwidth)
        sizes += f"; a channel is as wide as its bandwidth, {low} to {high}"
    title = printable(network.name, limit=60)
    frame = framed(network, layout, theme, title=title, subtitle=sizes, bottom=0.3, right=0.35)
    wide = channel_widths(network)
    shapes = [strip(layout, piece, width=wide[piece.channel]) for piece in layout.pieces]
    look: dict[str, Any] = {"facecolors": theme.ramp[2], "edgecolors": theme.edge, "linewidths": frame.thin}
    frame.axes.add_collection(PolyCollection(shapes, zorder=2, **look))
    hosts = set(network.source.tolist()) | set(network.sink.tolist())
    filled = hosts if len(hosts) < network.num_nodes else set()
    colours = [theme.path_dark if v in filled else theme.paper for v in range(network.num_nodes)]
    every = range(network.num_nodes)
    frame.draw_discs(every, facecolors=colours, edgecolors=theme.edge, linewidths=0.7, zorder=5)
    frame.write_names(theme, on_dark=filled)
    return frame.figure
