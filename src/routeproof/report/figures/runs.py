"""Runs on multistage networks: packets by level and step, circuits, and survivors against faults."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.escape import printable
from ...core.multistage.wiring import Wiring
from ...questions.simulate.multistage import FaultsAnswer
from ...questions.simulate.wired import WiredAnswer
from ...simulate.circuits.switching import CircuitRun
from ...simulate.packets.upfal import route_packets
from .style import Theme, load_colours, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_MOST_STEPS = 20_000


def packets_by_level(
    wiring: Wiring, images: npt.NDArray[np.int32], *, load: int, alive: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.int64]:
    """int64, shape (steps, n + 1): how many packets Upfal's algorithm has on every level after every step.

    The last level counts those that have arrived.  Raises InputError as ``route_packets`` does, and for runs of more
    steps than can be drawn.
    """
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


class SurvivorPoint(NamedTuple):
    """After ``faults`` random faults drawn from ``seed``."""

    faults: int
    seed: int
    inputs: int
    outputs: int


def survivor_points(
    wiring: Wiring,
    counts: Sequence[int],
    *,
    epsilon: Fraction,
    threshold: int | None = None,
    seeds: Sequence[int] = range(5),
) -> list[SurvivorPoint]:
    """For every number of faults in ``counts`` and every seed, who survives; switches of all levels fail alike."""
    from ...simulate.multistage.survivors import survive
    from ...topologies.multistage.fault_patterns import faults_from_text

    found = []
    for count in counts:
        for seed in seeds:
            faulty = faults_from_text(f"random:count={count},seed={seed}", wiring)
            left = survive(wiring, faulty, epsilon=epsilon, threshold=threshold)
            found.append(SurvivorPoint(count, seed, len(left.inputs), len(left.outputs)))
    return found


def survivors_run_figure(answer: FaultsAnswer, theme: Theme) -> Figure:
    """Random faults of up to twice as many as there were, five seeds each."""
    wiring, survivors, settings = answer.wiring, answer.run.survivors, answer.claims()[0].evidence.data
    assert survivors is not None
    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    counts = sorted({min(switches, round(int(survivors.faulty.sum()) * k / 8)) for k in range(17)})
    epsilon, threshold = Fraction(settings["epsilon"]), int(settings["threshold"])
    points = survivor_points(wiring, counts, epsilon=epsilon, threshold=threshold)
    return survivors_figure(f"survivors: {printable(wiring.name, limit=50)}", points, of=wiring.inputs, theme=theme)


def survivors_figure(title: str, points: Sequence[SurvivorPoint], *, of: int, theme: Theme) -> Figure:
    """Each seed a mark, the median a line; ``of``: inputs (and outputs) of the whole network.  Measured, not proved."""
    figure, axes = one_axes(title, across="faulty switches", up="survivors")
    counts = sorted({x.faults for x in points})
    across = [x.faults for x in points]
    for k, name in enumerate(("inputs", "outputs")):
        left = np.array([getattr(x, name) for x in points])
        look: dict[str, Any] = {"color": theme.series[k], "alpha": 0.35, "markersize": 4, "linestyle": "none"}
        axes.plot(across, left, theme.markers[k], **look)
        middle = [float(np.median(left[np.array(across) == count])) for count in counts]
        label = f"surviving {name}, median"
        axes.plot(counts, middle, color=theme.series[k], linestyle=theme.lines[k], label=label)
    axes.axhline(of, color=theme.edge, linewidth=0.8)
    axes.set_ylim(0, of * 1.05)
    axes.set_xlim(left=0)
    seeds = len({x.seed for x in points})
    axes.legend(title=f"SAMPLED: {seeds} seeds, a mark each", title_fontsize=8, loc="best")
    return figure
