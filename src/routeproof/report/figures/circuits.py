"""A small multistage network with the circuits that run through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...core.escape import printable
from ...questions.simulate.wired import WiredAnswer
from ...simulate.circuits.switching import CircuitRun
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_WIRES = 10_000


def circuits_run_figure(answer: WiredAnswer, theme: Theme) -> Figure:
    """Levels from left to right, row 0 on top; wires thin, established circuits thick; switches that do not survive as
    crosses.  Circuits that failed are left out.

    Raises InputError for a network with more wires than a figure can show.
    """
    from matplotlib.collections import LineCollection

    wiring, run, alive = answer.run.wiring, answer.run.result, answer.run.alive
    assert isinstance(run, CircuitRun)
    if wiring.wire.size > _MOST_WIRES:
        raise InputError(f"{wiring.name} has {wiring.wire.size:,} wires; a figure shows {_MOST_WIRES:,} at most")
    levels, _, rows = wiring.wire.shape
    size = (min(10.0, 2.0 + 0.9 * levels), min(9.0, max(3.0, 0.16 * rows)))
    title = f"circuits: {printable(wiring.name, limit=50)}"
    figure, axes = one_axes(title, across="level", up="row", size=size)
    axes.grid(visible=False)
    level, _, row = np.indices(wiring.wire.shape)
    ends = np.stack([np.stack([level, row], -1), np.stack([level + 1, wiring.wire], -1)], axis=-2)
    thin: dict[str, Any] = {"colors": theme.edge, "alpha": 0.35, "linewidths": 0.5, "zorder": 1}
    axes.add_collection(LineCollection(list(ends.reshape(-1, 2, 2)), **thin))
    whole = np.nonzero(run.row[-1] >= 0)[0] if len(run.row) else np.empty(0, dtype=np.int64)
    paths = [np.stack([np.arange(levels + 1), run.row[:, t]], axis=1) for t in whole.tolist()]
    shades = [theme.series[k % len(theme.series)] for k in range(len(paths))]
    axes.add_collection(LineCollection(paths, colors=shades, linewidths=1.8, zorder=3))
    at, where = np.indices((levels + 1, rows)).reshape(2, -1)
    works = np.ones(at.shape, dtype=np.bool_) if alive is None else alive.reshape(-1)
    dot = min(12.0, 300.0 / rows)
    axes.scatter(at[works], where[works], s=dot, color=theme.edge, zorder=2, linewidths=0)
    if not works.all():
        axes.scatter(at[~works], where[~works], s=3 * dot, color=theme.ink, marker="x", linewidths=1.0, zorder=4)
    axes.set_xticks(range(levels + 1))
    axes.set_xlim(-0.3, levels + 0.3)
    axes.set_ylim(rows - 0.4, -0.6)
    return figure
