"""Pictures of a worst case: every channel's load under the worst traffic, and the paths that meet on the worst channel.

As in Figures 7 to 9 of Towles, "Finding worst-case permutations for oblivious routing algorithms" (Stanford, 2001).
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from ..formats.text_files import write_bytes_atomic
from .labels import Label, node_labels
from .layout import Layout, Piece, place
from .picture import Picture, picture_of
from .strips import outline, ribbon, strip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analysis.worst_case import WorstCase

Points = npt.NDArray[np.float64]

__all__ = ["FORMATS", "MAX_CHANNELS", "check_picture", "draw", "plot_worst_case"]

FORMATS = (".svg", ".png", ".pdf")
MAX_CHANNELS = 20_000

_INK = "#1b1f24"
_QUIET = "#6a737d"
_PATH = "#2b7bdf"
_PATH_DARK = "#0b3d91"
_DPI = 200
_NO_STAMP: dict[str, dict[str, Any]] = {  # the same picture, the same bytes, whoever draws it
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "routeproof",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "font.family": "DejaVu Sans",
    "text.usetex": False,
    "text.parse_math": False,
}


def plot_worst_case(
    worst_case: WorstCase,
    path: str | Path,
    *,
    capacity: Fraction | None = None,
    positions: npt.NDArray[np.float64] | None = None,
    sampled: bool = False,
) -> None:
    """Draw ``worst_case`` into a file; its name ends in .svg, .png or .pdf.

    - ``capacity``: where known, the title gives the throughput as a fraction of it as well;
    - ``positions``: where the nodes are, float64, shape (N, 2), x to the right and y upwards, NaN where unknown;
    - ``sampled``: the loads are estimates, and the title says so.

    Raises InputError for another kind of file, more channels than can be drawn, and where matplotlib is missing.
    The picture is written whole or not at all.
    """
    check_picture(path, worst_case.network)
    picture = picture_of(worst_case, capacity=capacity, positions=positions, sampled=sampled)
    write_bytes_atomic(path, draw(picture, Path(path).suffix.lower()))


def check_picture(path: str | Path, network: Network) -> None:
    """Raise InputError unless a picture of ``network`` can be drawn into a file named ``path``."""
    if Path(path).suffix.lower() not in FORMATS:
        raise InputError(f"cannot draw into '{path}': a name that ends in .svg, .png or .pdf was expected")
    if network.num_channels > MAX_CHANNELS:
        raise InputError(f"{network.name} has {network.num_channels} channels; at most {MAX_CHANNELS} are drawn")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("drawing needs matplotlib: pip install 'routeproof[plot]'") from None


def draw(picture: Picture, form: str) -> bytes:
    """The picture as the bytes of a file of type ``form`` (".svg", ".png", ".pdf"); always the same bytes."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a box stands for what the font lacks
        figure = _figure(picture)
        FigureCanvasAgg(figure)
        out = io.BytesIO()
        figure.savefig(out, format=form[1:], dpi=_DPI, metadata=_NO_STAMP[form], facecolor="white")
    return out.getvalue()


def _figure(picture: Picture) -> Figure:
    """Sizes are inches: a header, the drawing with a colour bar beside it, a footer."""
    from matplotlib.figure import Figure

    layout = place(picture.network, positions=picture.positions, centre=int(picture.network.tail[picture.worst]))
    low, high = outline(layout)
    span = high - low
    scale = min(7.0 / span[0], 6.6 / span[1], 0.95 if len(layout.node) > 4 else 1.3)
    labels = node_labels(picture.network, layout, points=72 * scale)
    low, high = _with_labels(low, high, labels, 72 * scale)
    wide, tall = max((high[0] - low[0]) * scale, 4.9), max((high[1] - low[1]) * scale, 2.7)
    ticks = 0.3 if layout.ticks else 0.0
    left, bottom, top, right = 0.35 + ticks, 0.75 + ticks, 0.95, 1.15
    width, height = left + wide + right, bottom + tall + top
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, bottom / height, wide / width, tall / height))
    axes.set_axis_off()
    axes.set_aspect("equal")
    middle = (low + high) / 2
    axes.set_xlim(middle[0] - wide / scale / 2, middle[0] + wide / scale / 2)
    axes.set_ylim(middle[1] - tall / scale / 2, middle[1] + tall / scale / 2)

    heat = _channels(axes, picture, layout, scale)
    _flow(axes, picture, layout, scale)
    _nodes(axes, picture, layout)
    _names(axes, picture, labels)
    if layout.ticks:
        _ticks(axes, layout.ticks, low)
    bar = min(tall, 4.2)
    where = ((left + wide + 0.2) / width, (bottom + (tall - bar) / 2) / height, 0.14 / width, bar / height)
    _bar(figure, heat, picture, where)
    figure.text(0.35 / width, 1 - 0.36 / height, picture.title, size=13, weight="bold", color=_INK, va="center")
    figure.text(0.35 / width, 1 - 0.64 / height, picture.subtitle, size=9.5, color=_INK, va="center")
    _legend(figure, picture, width, height)
    return figure


def _with_labels(low: Points, high: Points, labels: Sequence[Label], points: float) -> tuple[Points, Points]:
    """The corners moved outwards until the labels beside nodes fit; about 0.6 em a character."""
    low, high = low.copy(), high.copy()
    for label in labels:
        reach = 0.6 * label.size * len(label.text) / points
        tall = 1.2 * label.size / points
        shift = {"left": (0.0, 1.0), "center": (0.5, 0.5), "right": (1.0, 0.0)}[label.align[0]]
        low = np.minimum(low, [label.x - shift[0] * reach, label.y - tall])
        high = np.maximum(high, [label.x + shift[1] * reach, label.y + tall])
    return low, high


def _utilisation(picture: Picture) -> npt.NDArray[np.float64]:
    widths = picture.network.bandwidth
    return np.array([float(x / b) for x, b in zip(picture.load, widths, strict=True)])


def _channels(axes: Axes, picture: Picture, layout: Layout, scale: float) -> Any:
    """One strip a channel, the heaviest on top; the worst one has a dark edge."""
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import ListedColormap

    # Sequential, ordered by lightness, safe for the colour-blind; from 0.06, since the palest colours drown in white.
    colours = ListedColormap(colormaps["YlOrBr"](np.linspace(0.06, 1.0, 256)))
    value = _utilisation(picture)
    top = max(float(value.max(initial=0.0)), 1e-9)
    thin = min(0.35, 0.045 * layout.lane * scale * 72)

    def strips(pieces: Sequence[Piece], **look: Any) -> Any:
        drawn = PolyCollection([strip(layout, piece) for piece in pieces], cmap=colours, **look)
        drawn.set_array(value[[piece.channel for piece in pieces]])
        drawn.set_clim(0.0, top)
        axes.add_collection(drawn)
        return drawn

    worst = [piece for piece in layout.pieces if piece.channel == picture.worst]
    order = sorted(layout.pieces, key=lambda piece: value[piece.channel])
    heat = strips(order, edgecolors="#7d828a", linewidths=thin, zorder=2)
    strips(worst, edgecolors=_INK, linewidths=3.4, joinstyle="miter", zorder=3)
    strips(worst, edgecolors="none", zorder=3.05)
    return heat


def _flow(axes: Axes, picture: Picture, layout: Layout, scale: float) -> None:
    """The paths over the worst channel: lines as wide as the load that they carry, in the middle of their lanes."""
    from matplotlib.collections import LineCollection

    top = float(picture.flow.get(picture.worst, Fraction(0))) or 1.0
    lane = layout.lane * scale * 72  # points
    pieces = [piece for piece in layout.pieces if piece.channel in picture.flow]
    pieces.sort(key=lambda piece: picture.flow[piece.channel])
    lines = [ribbon(layout, piece) for piece in pieces]
    share = np.array([float(picture.flow[piece.channel]) / top for piece in pieces])
    core = np.maximum(0.8, 0.46 * lane * share)
    axes.add_collection(LineCollection(lines, colors="white", linewidths=core + 0.8, capstyle="butt", zorder=3.1))
    axes.add_collection(LineCollection(lines, colors=_PATH, linewidths=core, capstyle="butt", zorder=3.2))


def _nodes(axes: Axes, picture: Picture, layout: Layout) -> None:
    """White discs; sources of the crossing packets are filled, their destinations ringed."""
    from matplotlib.collections import EllipseCollection

    def discs(nodes: Iterable[int], factor: float, **look: Any) -> None:
        some = sorted(nodes)
        size = np.full(len(some), 2 * layout.radius * factor)
        where = layout.node[some].reshape(-1, 2)
        axes.add_collection(
            EllipseCollection(
                size, size, np.zeros(len(some)), units="xy", offsets=where, offset_transform=axes.transData, **look
            )
        )

    sources, destinations = picture.sources, picture.destinations
    others = set(range(len(layout.node))) - sources - destinations
    discs(others, 1.0, facecolors="white", edgecolors="#8a8f98", linewidths=0.7, zorder=5)
    discs(destinations, 1.1, facecolors="white", edgecolors=_PATH_DARK, linewidths=1.4, zorder=5)
    discs(sources - destinations, 1.0, facecolors=_PATH_DARK, edgecolors="none", zorder=5.1)
    discs(sources & destinations, 0.74, facecolors=_PATH_DARK, edgecolors="none", zorder=5.1)


def _names(axes: Axes, picture: Picture, labels: Sequence[Label]) -> None:
    from matplotlib.patheffects import withStroke

    for label in labels:
        on_dark = label.inside and label.node in picture.sources
        axes.text(
            label.x,
            label.y,
            label.text,
            size=label.size,
            ha=label.align[0],
            va=label.align[1],
            color="white" if on_dark else _INK,
            zorder=6,
            path_effects=None if label.inside else [withStroke(linewidth=2.2, foreground="white", alpha=0.85)],
        )


def _ticks(axes: Axes, ticks: tuple[tuple[int, ...], ...], low: Points) -> None:
    """Coordinates along the lower and the left margin; x is dimension 0."""
    look: dict[str, Any] = {"size": 7.5, "color": _QUIET}
    for m, coordinates in enumerate(ticks):
        for at, x in list(enumerate(coordinates))[:: max(1, len(coordinates) // 24)]:
            if m == 0:
                axes.text(at, low[1] - 0.1, str(x), ha="center", va="top", **look)
            else:
                axes.text(low[0] - 0.1, at, str(x), ha="right", va="center", **look)
    names: dict[str, Any] = {**look, "style": "italic", "ha": "right"}
    axes.text(low[0] - 0.1, low[1] - 0.1, "x", va="top", **names)
    if len(ticks) > 1:
        axes.text(low[0] - 0.1, len(ticks[1]) - 0.72, "y", va="bottom", **names)


def _bar(figure: Figure, heat: Any, picture: Picture, where: tuple[float, float, float, float]) -> None:
    axes = figure.add_axes(where)
    bar = figure.colorbar(heat, cax=axes)
    unit = "packets per cycle" if set(picture.network.bandwidth) == {1} else "load / bandwidth"
    bar.set_label(f"channel load under this traffic ({unit})", size=8, color=_INK)
    bar.ax.tick_params(labelsize=7.5, length=2.5, color=_QUIET, labelcolor=_INK)
    bar.outline.set_linewidth(0.5)


def _legend(figure: Figure, picture: Picture, width: float, height: float) -> None:
    """The footer: what the marks mean, then the caption."""
    from matplotlib.lines import Line2D

    mark: dict[str, Any] = {"linestyle": "none", "markersize": 6.5}
    hollow: dict[str, Any] = {**mark, "markeredgewidth": 1.5}
    entries = [
        (Line2D([], [], marker="s", markerfacecolor="none", markeredgecolor=_INK, **hollow), "worst channel"),
        (Line2D([], [], color=_PATH, linewidth=2.6), "paths over it (width: load)"),
        (Line2D([], [], marker="o", markerfacecolor=_PATH_DARK, markeredgecolor="none", **mark), "source"),
        (Line2D([], [], marker="o", markerfacecolor="white", markeredgecolor=_PATH_DARK, **hollow), "destination"),
    ]
    figure.legend(
        [handle for handle, _ in entries],
        [text for _, text in entries],
        loc="lower left",
        bbox_to_anchor=(0.3 / width, 0.36 / height),
        ncols=4,
        frameon=False,
        fontsize=8,
        handletextpad=0.4,
        columnspacing=1.4,
        borderpad=0.0,
        borderaxespad=0.0,
    )
    figure.text(0.35 / width, 0.2 / height, picture.caption, size=8, color=_QUIET, va="center")
