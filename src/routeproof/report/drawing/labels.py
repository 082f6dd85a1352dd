"""Names of nodes in a picture: inside the node where they fit, else beside it where most room is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.escape import printable
from ...core.network import Network
from .layout import Layout

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
