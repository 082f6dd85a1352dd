"""Pictures of networks: as they are, or in a worst case, with all loads and the paths that meet on the worst channel.

The latter are like Figures 7 to 9 of Towles, "Finding worst-case permutations for oblivious routing algorithms"
(Stanford, 2001).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.display import decimal_text, fraction_text
from ...core.errors import InputError
from ...core.escape import printable
from ...core.network import Network
from ...core.vocabulary.quantity import OF_RATES, SHORT_UNITS
from ...questions.convert import ConvertAnswer
from ...worst.scan.exact import WorstCase
from ...worst.worst_traffic import crossings, ends, flow_over, loads_of, worst_traffic
from ..figures.style import LIGHT, Theme, check_figure, load_colours, write_figure
from ..terminal.parts import sizes_text
from .frame import Frame, channel_widths, framed, ribbon, strip
from .layout import Piece, place, positions_in_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_MAX_CHANNELS = 20_000


@dataclass(frozen=True, eq=False)
class Picture:
    """What a picture shows; loads are in packets per cycle at full injection.

    ``load``: the load of every channel under the worst traffic.  ``flow``: of it, what the paths over the worst
    channel put on each channel.  ``sources`` and ``destinations``: the nodes whose packets cross the worst channel.
    """

    network: Network
    title: str
    subtitle: str
    caption: str
    load: Sequence[Fraction]
    worst: int
    flow: Mapping[int, Fraction]
    sources: frozenset[int] = frozenset()
    destinations: frozenset[int] = frozenset()
    positions: npt.NDArray[np.float64] | None = None


def picture_of(
    worst_case: WorstCase,
    *,
    capacity: Fraction | None = None,
    positions: npt.NDArray[np.float64] | None = None,
    sampled: bool = False,
) -> Picture:
    """The picture of ``worst_case``; ``capacity``: where known, the title gives the throughput as a fraction of it too.

    Raises InputError where there is no traffic to show.
    """
    routing, network, worst = worst_case.routing, worst_case.network, worst_case.channel
    traffic = worst_traffic(worst_case)
    pairs = crossings(routing, worst, traffic)
    if not pairs:
        raise InputError(f"no traffic of this model saturates a channel of {network.name}; there is nothing to draw")
    load = loads_of(routing, traffic)
    packets = "packet" if load[worst] == 1 else "packets"
    bandwidth = network.bandwidth[worst]
    over = "" if bandwidth == 1 else f" over bandwidth {fraction_text(bandwidth)}"
    share = f", {fraction_text(worst_case.throughput / capacity)} of capacity" if capacity else ""
    rate = fraction_text(worst_case.throughput)
    if worst_case.throughput.denominator > 1:
        rate += f" ({decimal_text(worst_case.throughput)})"
    unit = SHORT_UNITS[OF_RATES] if worst_case.model.name == "hose" else "of the injection rate"
    subtitle = f"worst-case throughput {rate} {unit}{share}: proved"
    if sampled:
        about = decimal_text(worst_case.throughput)
        subtitle = f"worst-case throughput about {about} {unit}: sampled, not proved"
    crossed = f"{len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} of terminals"
    name = printable(network.channel_label(worst), limit=60)
    return Picture(
        network,
        title=f"{printable(routing.name, limit=40)} on {printable(network.name, limit=50)}",
        subtitle=subtitle,
        caption=f"worst channel {name}: {fraction_text(load[worst])} {packets} per cycle{over}, from {crossed}",
        load=load,
        worst=worst,
        flow=flow_over(routing, worst, pairs),
        sources=frozenset(ends(network, pair)[0] for pair in pairs),
        destinations=frozenset(ends(network, pair)[1] for pair in pairs),
        positions=positions,
    )


def check_picture(path: str | Path, network: Network) -> None:
    """Raise InputError unless a picture of ``network`` can be drawn into a file named ``path``."""
    check_figure(path)
    check_size(network)


def check_size(network: Network) -> None:
    """Raise InputError for more channels than a picture can hold."""
    if network.num_channels > _MAX_CHANNELS:
        raise InputError(f"{network.name} has {network.num_channels} channels; at most {_MAX_CHANNELS} are drawn")


def picture_figure(picture: Picture, theme: Theme = LIGHT) -> Figure:
    """A header, the drawing with a colour bar beside it, a footer."""
    layout = place(picture.network, positions=picture.positions, centre=int(picture.network.tail[picture.worst]))
    frame = framed(
        picture.network, layout, theme, title=picture.title, subtitle=picture.subtitle, bottom=0.75, right=1.15
    )
    heat = _channels(frame, picture, theme)
    _flow(frame, picture, theme)
    _nodes(frame, picture, theme)
    frame.write_names(theme, on_dark=picture.sources)
    _bar(frame, heat, picture, theme)
    _legend(frame, picture, theme)
    return frame.figure


def _channels(frame: Frame, picture: Picture, theme: Theme) -> Any:
    """One strip a channel, the heaviest on top; the worst one has a dark edge."""
    from matplotlib.collections import PolyCollection

    colours, layout, widths = load_colours(theme), frame.layout, picture.network.bandwidth
    value = np.array([float(x / b) for x, b in zip(picture.load, widths, strict=True)])
    wide = channel_widths(picture.network)
    top = max(float(value.max(initial=0.0)), 1e-9)

    def strips(pieces: Sequence[Piece], **look: Any) -> Any:
        drawn = PolyCollection([strip(layout, x, width=wide[x.channel]) for x in pieces], cmap=colours, **look)
        drawn.set_array(value[[piece.channel for piece in pieces]])
        drawn.set_clim(0.0, top)
        frame.axes.add_collection(drawn)
        return drawn

    worst = [piece for piece in layout.pieces if piece.channel == picture.worst]
    order = sorted(layout.pieces, key=lambda piece: value[piece.channel])
    heat = strips(order, edgecolors=theme.edge, linewidths=frame.thin, zorder=2)
    strips(worst, edgecolors=theme.ink, linewidths=3.4, joinstyle="miter", zorder=3)
    strips(worst, edgecolors="none", zorder=3.05)
    return heat


def _flow(frame: Frame, picture: Picture, theme: Theme) -> None:
    """The paths over the worst channel: lines as wide as the load that they carry, in the middle of their lanes."""
    from matplotlib.collections import LineCollection

    top = float(picture.flow.get(picture.worst, Fraction(0))) or 1.0
    layout, axes = frame.layout, frame.axes
    lane = layout.lane * frame.scale * 72  # points
    pieces = [piece for piece in layout.pieces if piece.channel in picture.flow]
    pieces.sort(key=lambda piece: picture.flow[piece.channel])
    lines = [ribbon(layout, piece) for piece in pieces]
    share = np.array([float(picture.flow[piece.channel]) / top for piece in pieces])
    core = np.maximum(0.8, 0.46 * lane * share)
    axes.add_collection(LineCollection(lines, colors=theme.paper, linewidths=core + 0.8, capstyle="butt", zorder=3.1))
    axes.add_collection(LineCollection(lines, colors=theme.path, linewidths=core, capstyle="butt", zorder=3.2))


def _nodes(frame: Frame, picture: Picture, theme: Theme) -> None:
    """White discs; sources of the crossing packets are filled, their destinations ringed."""
    sources, destinations, discs = picture.sources, picture.destinations, frame.draw_discs
    others = set(range(picture.network.num_nodes)) - sources - destinations
    discs(others, 1.0, facecolors=theme.paper, edgecolors=theme.edge, linewidths=0.7, zorder=5)
    discs(destinations, 1.1, facecolors=theme.paper, edgecolors=theme.path_dark, linewidths=1.4, zorder=5)
    discs(sources - destinations, 1.0, facecolors=theme.path_dark, edgecolors="none", zorder=5.1)
    discs(sources & destinations, 0.74, facecolors=theme.path_dark, edgecolors="none", zorder=5.1)


def _bar(frame: Frame, heat: Any, picture: Picture, theme: Theme) -> None:
    left, low, wide, tall = frame.box
    high = min(tall, 4.2)
    where = ((left + wide + 0.2) / frame.width, (low + (tall - high) / 2) / frame.height)
    axes = frame.figure.add_axes((*where, 0.14 / frame.width, high / frame.height))
    bar = frame.figure.colorbar(heat, cax=axes)
    unit = "packets per cycle" if set(picture.network.bandwidth) == {1} else "load / bandwidth"
    bar.set_label(f"channel load under this traffic ({unit})", size=8, color=theme.ink)
    bar.ax.tick_params(labelsize=7.5, length=2.5, color=theme.quiet, labelcolor=theme.ink)
    bar.outline.set_linewidth(0.5)
    bar.ax.grid(False)


def _legend(frame: Frame, picture: Picture, theme: Theme) -> None:
    from matplotlib.lines import Line2D

    mark: dict[str, Any] = {"linestyle": "none", "markersize": 6.5}
    hollow: dict[str, Any] = {**mark, "markeredgewidth": 1.5}
    entries = [
        Line2D([], [], marker="s", markerfacecolor="none", markeredgecolor=theme.ink, **hollow),
        Line2D([], [], color=theme.path, linewidth=2.6),
        Line2D([], [], marker="o", markerfacecolor=theme.path_dark, markeredgecolor="none", **mark),
        Line2D([], [], marker="o", markerfacecolor=theme.paper, markeredgecolor=theme.path_dark, **hollow),
    ]
    words = ["worst channel", "paths over it (width: load)", "source", "destination"]
    width, height = frame.width, frame.height
    look: dict[str, Any] = {"ncols": 4, "frameon": False, "fontsize": 8, "handletextpad": 0.4, "columnspacing": 1.4}
    look |= {"bbox_to_anchor": (0.3 / width, 0.36 / height), "borderpad": 0.0, "borderaxespad": 0.0}
    frame.figure.legend(entries, words, loc="lower left", **look)
    frame.figure.text(0.35 / width, 0.2 / height, picture.caption, size=8, color=theme.quiet, va="center")


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
    layout = place(network, positions=positions)
    sizes = sizes_text(network)
    if not network.uniform_bandwidth:
        low, high = min(network.bandwidth), max(network.bandwidth)
        sizes += f"; a channel is as wide as its bandwidth, {low} to {high}"
    title = printable(network.name, limit=60)
    frame = framed(network, layout, theme, title=title, subtitle=sizes, bottom=0.3, right=0.35)
    hosts = set(network.source.tolist()) | set(network.sink.tolist())
    filled = hosts if len(hosts) < network.num_nodes else set()
    colours = [theme.path_dark if v in filled else theme.paper for v in range(network.num_nodes)]
    painted(frame, network, theme, channels=[theme.ramp[2]] * network.num_channels, nodes=colours, dark=filled)
    return frame.figure


def painted(
    frame: Frame,
    network: Network,
    theme: Theme,
    *,
    channels: Sequence[str],
    nodes: Sequence[str],
    dark: Collection[int],
) -> None:
    """Channels as wide as their bandwidths and nodes, each in its colour; names inside the nodes ``dark`` are light."""
    from matplotlib.collections import PolyCollection

    wide, pieces = channel_widths(network), frame.layout.pieces
    shapes = [strip(frame.layout, piece, width=wide[piece.channel]) for piece in pieces]
    faces = [channels[piece.channel] for piece in pieces]
    look: dict[str, Any] = {"facecolors": faces, "edgecolors": theme.edge, "linewidths": frame.thin}
    frame.axes.add_collection(PolyCollection(shapes, zorder=2, **look))
    frame.draw_discs(range(network.num_nodes), facecolors=nodes, edgecolors=theme.edge, linewidths=0.7, zorder=5)
    frame.write_names(theme, on_dark=dark)
