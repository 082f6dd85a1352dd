"""Survivors against faults: how many inputs and outputs are left as switches fail at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...core.multistage.wiring import Wiring

__all__ = ["SurvivorPoint", "survivor_points", "survivors_figure"]


@dataclass(frozen=True)
class SurvivorPoint:
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
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
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


def survivors_figure(title: str, points: Sequence[SurvivorPoint], *, of: int, theme: Theme) -> Figure:
    """Each seed a mark, the median a line; ``of``: inputs (and outputs) of the whole network.  Measured, not proved."""
    figure, axes = one_axes(title, across="faulty switches", up="survivors")
    counts = sorted({x.faults for x in points})
    for k, (name, values) in enumerate((("inputs", "inputs"), ("outputs", "outputs"))):
        colour = theme.series[k]
        axes.plot(
            [x.faults for x in points],
            [getattr(x, values) for x in points],
            theme.markers[k],
            color=colour,
            alpha=0.35,
            markersize=4,
            linestyle="none",
        )
        middle = [float(np.median([getattr(x, values) for x in points if x.faults == count])) for count in counts]
        axes.plot(counts, middle, color=colour, linestyle=theme.lines[k], label=f"surviving {name}, median")
    axes.axhline(of, color=theme.edge, linewidth=0.8)
    axes.set_ylim(0, of * 1.05)
    axes.set_xlim(left=0)
    seeds = len({x.seed for x in points})
    axes.legend(title=f"SAMPLED: {seeds} seeds, a mark each", title_fontsize=8, loc="best")
    return figure
