"""The figures that one analysis can be drawn as, by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ...answers.adversary import loads_of, worst_traffic
from ...answers.worst_case import WorstCaseAnswer
from ...core.errors import InputError, did_you_mean
from ..terminal.escape import printable
from .accepted import accepted_figure
from .histogram import histogram_figure
from .matrix import matrix_figure
from .style import LIGHT, Theme, write_figure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "draw_analysis", "figure_of"]

FIGURES = {
    "flows": "the network, its loads, and the paths over the worst channel",
    "matrix": "who sends to whom in the worst traffic, and what crosses the worst channel",
    "histogram": "how many channels carry how much, under the worst traffic and on average",
    "accepted": "accepted against offered traffic, as the loads bound it",
}


def draw_analysis(
    analysis: WorstCaseAnswer,
    path: str | Path,
    *,
    figure: str = "flows",
    theme: Theme = LIGHT,
    positions: npt.NDArray[np.float64] | None = None,
) -> None:
    """Draw ``analysis`` into a file (.svg, .png, .pdf) as one of ``FIGURES``.

    Raises InputError for a figure that there is not, another kind of file, and where nothing saturates a channel.
    """
    write_figure(path, figure_of(analysis, figure, positions=positions), theme=theme)


def figure_of(
    analysis: WorstCaseAnswer, figure: str, *, positions: npt.NDArray[np.float64] | None = None
) -> Callable[[Theme], Figure]:
    """What draws the figure in a theme; raises InputError as ``draw_analysis`` does."""

    if figure not in FIGURES:
        raise InputError(f"figure is '{figure[:40]}'; {did_you_mean(figure[:40], FIGURES)}")
    worst = analysis.worst_case
    name = f"{printable(analysis.routing.name, limit=30)} on {printable(analysis.network.name, limit=40)}"
    if figure == "flows":
        from ..drawing.picture import picture_of
        from ..drawing.plot import check_size, picture_figure

        check_size(analysis.network)
        sampled = analysis.routing.is_sampled
        picture = picture_of(worst, capacity=analysis.capacity, positions=positions, sampled=sampled)
        return lambda look: picture_figure(picture, look)
    if figure == "matrix":
        return lambda look: matrix_figure(worst, look)
    if figure == "histogram":
        loads = _loads(analysis)
        return lambda look: histogram_figure(f"channel loads: {name}", loads, look)
    found = _throughputs(analysis)
    return lambda look: accepted_figure(f"accepted traffic: {name}", found, look)


def _loads(analysis: WorstCaseAnswer) -> dict[str, list[Fraction]]:
    from ...analysis.loads import channel_loads_under
    from ...core.traffic import Traffic

    worst, network = analysis.worst_case, analysis.network
    uniform = channel_loads_under(analysis.routing, Traffic.uniform(network.num_terminals)).load.fractions()
    found = {"worst traffic": loads_of(analysis.routing, worst_traffic(worst)), "uniform traffic": uniform}
    per = {name: [x / b for x, b in zip(some, network.bandwidth, strict=True)] for name, some in found.items()}
    if worst.channel_loads is not None:
        per["each channel's own worst case"] = list(worst.channel_loads)
    return per


def _throughputs(analysis: WorstCaseAnswer) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for claim in analysis.stated:
        if isinstance(claim.value, Fraction) and claim.relation == "==" and "channel" not in claim.about:
            if claim.quantity == "worst_case_throughput":
                found["worst case (guaranteed)"] = claim.value
            elif claim.quantity == "throughput":
                found[printable(str(claim.about.get("traffic")), limit=30)] = claim.value
    return found
