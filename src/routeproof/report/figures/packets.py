"""Packets per level and step of a run on a multistage network: where they are while they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.escape import printable
from ...questions.simulate.wired import WiredAnswer
from .style import Theme, load_colours, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...core.multistage.wiring import Wiring

_MOST_STEPS = 20_000


def packets_by_level(
    wiring: Wiring, images: npt.NDArray[np.int32], *, load: int, alive: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.int64]:
    """int64, shape (steps, n + 1): how many packets Upfal's algorithm has on every level after every step.

    The last level counts those that have arrived.  Raises InputError as ``route_packets`` does, and for runs of more
    steps than can be drawn.
    """
    from ...simulate.packets.upfal import route_packets

    counts: list[npt.NDArray[np.int64]] = []

    def watch(step: int, state: npt.NDArray[np.integer]) -> None:
        if step > _MOST_STEPS:
            raise InputError(f"the run has more than {_MOST_STEPS} steps; a figure of it could not be read")
        counts.append(np.count_nonzero(state >= 0, axis=1))

    run = route_packets(wiring, images, load=load, alive=alive, watch=watch)
    held = np.array(counts[: run.steps], dtype=np.int64).reshape(run.steps, -1)
    arrived = np.bincount(run.arrival[run.arrival > 0].reshape(-1), minlength=run.steps + 1)[1:]
    return np.concatenate([held, np.cumsum(arrived)[:, None]], axis=1)


def packets_run_figure(answer: WiredAnswer, theme: Theme) -> Figure:
    """``packets_figure`` of one run of Upfal's algorithm; raises InputError for other algorithms."""
    done = answer.run
    if answer.asked.algorithm == "greedy":
        raise InputError("packets by level are drawn of Upfal's algorithm; greedy packets wait in queues")
    counts = packets_by_level(done.wiring, done.images, load=answer.asked.load, alive=done.alive)
    return packets_figure(f"packets by level and step: {printable(done.wiring.name, limit=50)}", counts, theme)


def packets_figure(title: str, counts: npt.NDArray[np.int64], theme: Theme) -> Figure:
    """A heat map of ``counts`` (shape (steps, levels)); the last level, those that arrived, as a line."""
    steps, levels = counts.shape
    figure, axes = one_axes(title, across="step", up="level", size=(7.0, 3.6))
    axes.grid(visible=False)
    edges = np.arange(steps + 1) + 0.5
    heat = axes.pcolormesh(edges, np.arange(levels) - 0.5, counts[:, :-1].T, cmap=load_colours(theme), vmin=0)
    axes.set_yticks(range(levels - 1))
    axes.invert_yaxis()
    bar = figure.colorbar(heat, ax=axes, fraction=0.04, pad=0.08)
    bar.set_label("packets on the level", size=8)
    bar.outline.set_linewidth(0.5)
    beside = axes.twinx()
    beside.plot(np.arange(steps) + 1, counts[:, -1], color=theme.series[0], linewidth=1.8)
    beside.set_ylim(0, max(1, int(counts[:, -1].max(initial=0))) * 1.04)
    beside.grid(visible=False)
    beside.set_ylabel("packets arrived (line)", size=9, color=theme.series[0])
    return figure
