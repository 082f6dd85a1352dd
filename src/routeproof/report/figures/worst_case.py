"""The figures that one analysis can be drawn as; an entry stands beside the function that draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import InputError, did_you_mean
from ...core.escape import printable
from ...core.registry import Registry
from ...questions.worst_case import WorstCaseAnswer
from ..drawing.layout import positions_in_file
from ..drawing.plot import check_picture, check_size, picture_figure, picture_of
from .style import Theme, check_plot

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from ...questions.of_one_routing import WorstCaseVerb


@dataclass(frozen=True)
class AnalysisFigure:
    """``name``: what ``--figure`` takes; ``help``: what it shows; ``draw``: raises InputError where there is nothing to
    draw."""

    name: str
    help: str
    draw: Callable[[WorstCaseAnswer, Theme], Figure]


FIGURES: Registry[AnalysisFigure] = Registry("figure", AnalysisFigure, rooms=[str(__package__)])


def asked_figure(analysis: WorstCaseAnswer, theme: Theme, figure: str = "flows") -> Figure:
    """The figure of that name among ``FIGURES``.

    Raises InputError for a figure that there is not, and where there is nothing to draw.
    """
    return figure_named(figure).draw(analysis, theme)


def check_asked(asked: WorstCaseVerb, path: str | None) -> None:
    """Raise InputError where there is no such figure, or it cannot be drawn into the file ``path``."""
    check_plot(asked, path)
    figure_named(asked.figure or "flows")
    if asked.figure != "packets" and path is not None:
        check_picture(path, asked.routing.network)


def figure_named(name: str) -> AnalysisFigure:
    """The entry of that name; raises InputError where there is none."""
    entry = FIGURES.find(name)
    if entry is None:
        raise InputError(f"figure is '{name[:40]}'; {did_you_mean(name[:40], FIGURES.own)}")
    return entry


def title_of(analysis: WorstCaseAnswer) -> str:
    """``romm on torus:9x9``, fit to be printed."""
    return f"{printable(analysis.routing.name, limit=30)} on {printable(analysis.network.name, limit=40)}"


def positions_of(analysis: WorstCaseAnswer) -> npt.NDArray[np.float64] | None:
    """Where the network's file has its nodes; None where it does not say."""
    return positions_in_file(analysis.topology or "", num_nodes=analysis.network.num_nodes)


def _flows(analysis: WorstCaseAnswer, theme: Theme) -> Figure:
    check_size(analysis.network)
    sampled, positions = analysis.routing.is_sampled, positions_of(analysis)
    picture = picture_of(analysis.worst_case, capacity=analysis.capacity, positions=positions, sampled=sampled)
    return picture_figure(picture, theme)


FLOWS = AnalysisFigure("flows", "the network, its loads, and the paths over the worst channel", _flows)
