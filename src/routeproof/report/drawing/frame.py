"""The frame around a drawn network: header, footer, the drawing to scale; channels as strips, names of nodes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.escape import printable
from ...core.network import Network
from ..figures.style import TITLE, Theme
from .layout import Layout, Piece

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Points = npt.NDArray[np.float64]

_KEEP_RIGHT = 0.68  # a channel's middle lies this many lanes right of the line between its nodes


@dataclass(frozen=True, eq=False)
class Frame:
    """``axes`` in the units of the layout, ``scale`` inches each; ``box``: left, bottom, width and height in inches."""

    layout: Layout
    figure: Figure
    axes: Axes
    scale: float
    labels: Sequence[Label]
    box: tuple[float, float, float, float]
    width: float
    height: float

    @property
    def thin(self) -> float:
        """The width of a strip's edge, in points."""
        return min(0.35, 0.045 * self.layout.lane * self.scale * 72)

    def draw_discs(self, nodes: Iterable[int], factor: float = 1.0, **look: Any) -> None:
        """``nodes`` as discs, ``factor`` times as large as usual."""
        from matplotlib.collections import EllipseCollection

        some = sorted(nodes)
        size = np.full(len(some), 2 * self.layout.radius * factor)
        look |= {"offsets": self.layout.node[some].reshape(-1, 2), "offset_transform": self.axes.transData}
        self.axes.add_collection(EllipseCollection(size, size, np.zeros(len(some)), units="xy", **look))

    def write_names(self, theme: Theme, *, on_dark: Collection[int] = ()) -> None:
        """The names of the nodes; those inside the nodes ``on_dark`` in the colour of the paper."""
        from matplotlib.patheffects import withStroke

        halo = [withStroke(linewidth=2.2, foreground=theme.paper, alpha=0.85)]
        for label in self.labels:
            look: dict[str, Any] = {"size": label.size, "ha": label.align[0], "va": label.align[1], "zorder": 6}
            look["color"] = theme.paper if label.inside and label.node in on_dark else theme.ink
            look["path_effects"] = None if label.inside else halo
            self.axes.text(label.x, label.y, label.text, **look)


def framed(
    network: Network, layout: Layout, theme: Theme, *, title: str, subtitle: str, bottom: float, right: float
) -> Frame:
    """An empty drawing of ``layout`` at a readable scale; ``bottom`` and ``right``: inches left free there."""
    from matplotlib.figure import Figure

    low, high = outline(layout)
    span = high - low
    scale = min(7.0 / span[0], 6.6 / span[1], 0.95 if len(layout.node) > 4 else 1.3)
    labels = node_labels(network, layout, points=72 * scale)
    low, high = _with_labels(low, high, labels, 72 * scale)
    wide, tall = max((high[0] - low[0]) * scale, 4.9), max((high[1] - low[1]) * scale, 2.7)
    ticks = 0.3 if layout.ticks else 0.0
    left, bottom, top = 0.35 + ticks, bottom + ticks, 0.95
    width, height = left + wide + right, bottom + tall + top
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, bottom / height, wide / width, tall / height))
    axes.set_axis_off()
    axes.set_aspect("equal")
    middle = (low + high) / 2
    axes.set_xlim(middle[0] - wide / scale / 2, middle[0] + wide / scale / 2)
    axes.set_ylim(middle[1] - tall / scale / 2, middle[1] + tall / scale / 2)
    if layout.ticks:
        _ticks(axes, layout.ticks, low, theme)
    figure.text(
        0.35 / width, 1 - 0.36 / height, title, size=13, weight="bold", color=theme.ink, va="center", label=TITLE
    )
    figure.text(0.35 / width, 1 - 0.64 / height, subtitle, size=9.5, color=theme.ink, va="center")
    return Frame(layout, figure, axes, float(scale), labels, (left, bottom, wide, tall), width, height)


def channel_widths(network: Network) -> npt.NDArray[np.float64]:
    """How wide each channel is drawn, in lanes: as its bandwidth, the widest 1, none below 0.3; float64, (C,)."""
    widths = np.array([float(b) for b in network.bandwidth])
    return np.asarray(np.maximum(0.3, widths / widths.max(initial=1e-300)))


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


def _ticks(axes: Axes, ticks: tuple[tuple[int, ...], ...], low: Points, theme: Theme) -> None:
    """Coordinates along the lower and the left margin; x is dimension 0."""
    look: dict[str, Any] = {"size": 7.5, "color": theme.quiet}
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


def strip(layout: Layout, piece: Piece, *, width: float = 1.0) -> Points:
    """The polygon of one piece, ``width`` lanes wide, with a point at its far end; shape (M, 2)."""
    middle = _middle(layout, piece)
    half = 0.5 * width * layout.lane
    tip = min(1.5 * layout.lane, 0.4 * _length(middle))
    shaft = _cut(middle, 0.0, tip)
    right = _right(shaft)
    return np.concatenate([shaft + half * right, middle[-1:], (shaft - half * right)[::-1]])


def ribbon(layout: Layout, piece: Piece) -> Points:
    """The middle line of one piece, running on to the nodes' centres where it meets them; shape (M, 2)."""
    middle = _middle(layout, piece)
    parts = [middle]
    if piece.leaves:
        parts.insert(0, piece.line[:1])
    if piece.arrives:
        parts.append(piece.line[-1:])
    return np.concatenate(parts)


def outline(layout: Layout) -> tuple[Points, Points]:
    """The lower left and upper right corner of everything drawn."""
    everything = np.concatenate([layout.node] + [piece.line for piece in layout.pieces])
    margin = layout.radius + 2 * layout.lane
    return everything.min(axis=0) - margin, everything.max(axis=0) + margin


def _middle(layout: Layout, piece: Piece) -> Points:
    """The middle line of a piece's own lane: off the centre line to the right, and short of its nodes."""
    length = _length(piece.line)
    gap = min(layout.radius + 0.3 * layout.lane, 0.3 * length)
    inner = _cut(piece.line, gap if piece.leaves else 0.0, gap if piece.arrives else 0.0)
    return np.asarray(inner + _KEEP_RIGHT * layout.lane * _right(inner))


def _right(line: Points) -> Points:
    """Unit vectors to the right of a line at its points, shape (M, 2)."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-12)[:, None]
    return np.stack([along[:, 1], -along[:, 0]], axis=1)


def _length(line: Points) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _cut(line: Points, front: float, back: float) -> Points:
    """The line without its first ``front`` and last ``back`` units of length."""
    at = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    start, stop = front, float(at[-1]) - back
    inside = line[(at > start + 1e-6 * at[-1]) & (at < stop - 1e-6 * at[-1])]
    first, last = ([float(np.interp(x, at, line[:, k])) for k in (0, 1)] for x in (start, stop))
    return np.concatenate([[first], inside, [last]])


_SMALL, _LARGE = 5.0, 8.5  # points
_MOST_BESIDE = 130

# The eight directions, counter-clockwise from the right: how much of a label lies right of, and above, its anchor.
_RIGHTNESS = (1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.5, 1.0)
_UPNESS = (0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0)
_ORDER = (0, 4, 1, 7, 3, 5, 2, 6)  # best to read first

Box = tuple[float, float, float, float]  # left, low, right, high


@dataclass(frozen=True)
class Label:
    """``text`` at (x, y) in the layout's units; ``align`` is (horizontal, vertical); ``size`` in points."""

    node: int
    text: str
    x: float
    y: float
    size: float
    align: tuple[str, str]
    inside: bool


def node_labels(network: Network, layout: Layout, *, points: float) -> list[Label]:
    """Labels where they can be read; ``points`` is the size of one unit of the layout in the picture."""
    if layout.ticks is not None:
        return []
    texts = [_text(network, v) for v in range(network.num_nodes)]
    longest = max(len(text) for text in texts)
    diameter = 1.6 * layout.radius * points  # what a node that is both source and destination leaves
    fits = min(diameter * 0.56, diameter * 0.95 / (0.62 * longest))
    if fits >= _SMALL:
        size, align = min(fits, _LARGE), ("center", "center_baseline")
        return [Label(v, texts[v], x, y, size, align, inside=True) for v, (x, y) in enumerate(layout.node.tolist())]
    if network.num_nodes > _MOST_BESIDE:
        return []
    size = 7.5 if network.num_nodes <= 40 else 5.5
    taken = [(x, y, x, y) for x, y in layout.node.tolist()]
    found = []
    for v, text in enumerate(texts):
        label, box = _beside(network, layout, v, text, size, points, taken)
        taken.append(box)
        found.append(label)
    return found


def _text(network: Network, v: int) -> str:
    grid = network.grid
    if network.labels is None and grid is not None and grid.num_dimensions > 2 and max(grid.radix) <= 10:
        return "".join(str(x) for x in grid.coordinates[v].tolist())
    return printable(network.label(v), limit=18)


def _beside(
    network: Network, layout: Layout, v: int, text: str, size: float, points: float, taken: list[Box]
) -> tuple[Label, Box]:
    """In the best of eight directions: over no other label or node, then far from the node's channels."""
    neighbours = np.concatenate([network.head[network.tail == v], network.tail[network.head == v]])
    away = layout.node[np.unique(neighbours)] - layout.node[v]
    channels = np.arctan2(away[:, 1], away[:, 0]).tolist()
    wide, tall = 0.6 * size * len(text) / points, 1.1 * size / points

    def at(eighth: int) -> tuple[float, float, float, float]:
        angle = eighth * math.pi / 4
        x, y = layout.node[v] + 1.35 * layout.radius * np.array([math.cos(angle), math.sin(angle)])
        left, low = x - (1 - _RIGHTNESS[eighth]) * wide, y - (1 - _UPNESS[eighth]) * tall
        return float(left), float(low), float(left + wide), float(low + tall)

    def cost(eighth: int) -> float:
        left, low, right, high = at(eighth)
        clashes = sum(left < r and b[0] < right and low < t and b[1] < high for b in taken for r, t in [b[2:]])
        gaps = [abs(math.remainder(eighth * math.pi / 4 - angle, 2 * math.pi)) for angle in channels]
        return 10.0 * clashes - round(min(gaps, default=math.pi), 2) + 0.02 * _ORDER.index(eighth)

    best = min(_ORDER, key=cost)
    box = at(best)
    x = box[0] + (1 - _RIGHTNESS[best]) * wide
    across = {1.0: "left", 0.5: "center", 0.0: "right"}[_RIGHTNESS[best]]
    return Label(v, text, x, (box[1] + box[3]) / 2, size, (across, "center"), inside=False), box
