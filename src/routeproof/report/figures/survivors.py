"""Survivors against faults: how many inputs and outputs are left as switches fail at random."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.escape import printable
from ...questions.simulate.faults import FaultsAnswer
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...core.multistage.wiring import Wiring


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
