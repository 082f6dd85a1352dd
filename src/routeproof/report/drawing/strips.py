"""Channels as pointed strips: the shapes of a picture, as plain arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .layout import Layout, Piece

__all__ = ["outline", "ribbon", "strip"]

Points = npt.NDArray[np.float64]

_KEEP_RIGHT = 0.68  # a channel's middle lies this many lanes right of the line between its nodes


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
