"""``rp.worst_case``: the exact worst case of a routing, with its proof; ``rp.average_case``: over random traffic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..core.claim import Interval
from ..core.errors import InputError
from ..core.network import Network
from ..core.traffic import Permutation
from ..questions.answer import RoutingAnswer
from ..questions.of_one_routing import WorstCase
from ..questions.worst_case import WorstCaseAnswer
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from .result import Result

if TYPE_CHECKING:
    from ..report.notebook.inline import InlineFigure
    from ..worst.scan.exact import WorstCase as Scanned


class WorstCaseResult(Result[WorstCaseAnswer]):
    """The worst case of ``routing``: ``load``, ``throughput``, ``channel`` and ``permutation``, exact.

    What else the command reports (capacity, uniform traffic, given traffic, path lengths) is computed when it is first
    asked for: by ``claims()``, ``capacity``, ``to_frame()``, ``page()``, ``write()`` or a notebook.
    """

    def __init__(self, asked: WorstCase, worst: Scanned, whole: WorstCaseAnswer | None = None) -> None:
        self.worst_case = worst
        """All that is known of the worst case; see ``worst.scan.exact.WorstCase``."""
        self._asked, self._whole = asked, whole
        self._title, self._routing = asked.title, asked.routing

    @classmethod
    def of(cls, asked: Any) -> Self:
        if asked.demands is None:
            return cls(asked, asked.scanned(setting_here()))
        whole = asked.answer(setting_here())
        return cls(asked, whole.worst_case, whole)

    @property
    def answer(self) -> WorstCaseAnswer:
        if self._whole is None:
            self._whole = self._asked.answer(setting_here(), worst=self.worst_case)
        return self._whole

    @property
    def routing(self) -> Routing:
        return self._asked.routing

    @property
    def network(self) -> Network:
        return self.worst_case.network

    @property
    def load(self) -> Fraction:
        """The largest load per unit of bandwidth that admissible traffic can put on a channel."""
        return self.worst_case.load

    @property
    def throughput(self) -> Fraction:
        """The rate that is guaranteed to saturate no channel, in packets per cycle and terminal."""
        return self.worst_case.throughput

    @property
    def channel(self) -> int:
        """A channel with the largest load."""
        return self.worst_case.channel

    @property
    def worst_channels(self) -> Sequence[int]:
        """All channels with that load that are known; every one where ``all_channels`` was asked for."""
        return self.worst_case.worst_channels

    @property
    def num_focus_channels(self) -> int:
        """How many channels were judged; symmetry answers for the others."""
        return self.worst_case.num_focus_channels

    @property
    def symmetry_used(self) -> Sequence[str]:
        """The symmetries that made it so few."""
        return self.worst_case.symmetry_used

    @property
    def permutation(self) -> Permutation | None:
        """Traffic that puts that load on it: who sends to whom; None for other models than balanced."""
        return self.worst_case.permutation

    @property
    def traffic(self) -> Sequence[tuple[int, int, Fraction]] | None:
        """For other models than balanced: (source, destination, rate) of traffic that puts that load on it."""
        return self.worst_case.traffic

    @property
    def channel_loads(self) -> Sequence[Fraction] | None:
        """The exact worst load per bandwidth of every channel, where ``all_channels`` was asked for."""
        return self.worst_case.channel_loads

    def hottest(self, count: int = 20) -> list[tuple[str, Fraction]]:
        """(name, worst load per bandwidth) of the channels with the highest worst case, the highest first.

        Raises InputError unless ``all_channels`` was asked for.
        """
        return [(self.network.channel_label(c), load) for c, load in self.worst_case.hottest(count)]

    @property
    def capacity(self) -> Fraction | None:
        """The capacity of the network: the best throughput of uniform traffic; None where no method settles it."""
        return self.answer.capacity

    def plot(
        self,
        figure: str = "flows",
        *,
        path: str | Path | None = None,
        theme: str = "light",
        title: str | None = None,
        size: tuple[float, float] | None = None,
    ) -> InlineFigure:
        """A figure for a notebook, by a name that ``--figure`` takes, such as matrix; ``theme`` light or dark.

        ``path``: also write it into this file (.svg, .png or .pdf); ``title``, ``size`` in inches: instead of its own.
        Raises InputError for other names.
        """
        from ..report.figures.style import drawn_as, theme_named
        from ..report.figures.worst_case import draw_analysis
        from ..report.notebook.inline import inline_figure

        with drawn_as(title=title, size=size):
            if path is not None:
                draw_analysis(self.answer, path, figure=figure, theme=theme_named(theme))
            return inline_figure(self.answer, figure, theme)

    def _repr_html_(self) -> str:
        """For notebooks: the claims, and the picture of the worst case where one can be drawn."""
        table = super()._repr_html_()
        try:
            return table + self.plot()._repr_svg_()
        except (InputError, ArithmeticError):  # too many channels, nothing saturates
            return table


class AverageCaseResult(Result[RoutingAnswer]):
    """``throughput``: an interval for the mean, with how often it holds; of capacity where that is known."""

    @property
    def throughput(self) -> Interval:
        value = self.claims()[0].value
        assert isinstance(value, Interval)
        return value
