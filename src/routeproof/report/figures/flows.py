"""The network, its loads, and the paths over the worst channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drawing.plot import check_size, picture_figure, picture_of
from .worst_case import AnalysisFigure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from ...answers.worst_case import WorstCaseAnswer
    from .style import Theme

__all__ = ["FLOWS"]


def _draw(analysis: WorstCaseAnswer, theme: Theme, positions: npt.NDArray[np.float64] | None) -> Figure:
    check_size(analysis.network)
    sampled = analysis.routing.is_sampled
    picture = picture_of(analysis.worst_case, capacity=analysis.capacity, positions=positions, sampled=sampled)
    return picture_figure(picture, theme)


FLOWS = AnalysisFigure("flows", "the network, its loads, and the paths over the worst channel", _draw)
