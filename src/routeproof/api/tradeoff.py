"""``rp.tradeoff``: what shorter paths cost in throughput, over all oblivious routings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..answers.average_tradeoff import AverageTradeoffAnswer, answer_average_tradeoff
from ..answers.tradeoff import TradeoffAnswer, answer_tradeoff, interpolations
from ..core.network import Network
from ..routing.base.routing import Routing
from .result import DrawnResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.figures.style import Theme

__all__ = ["TradeoffResult", "average_tradeoff", "tradeoff"]


class TradeoffResult(DrawnResult):
    """The curve; ``corners``: (worst-case load, average path length in hops) where it is exact, none where sampled."""

    def __init__(self, answer: TradeoffAnswer | AverageTradeoffAnswer) -> None:
        super().__init__(answer, title=f"path length against throughput on {answer.curve.network.name}")
        self.tradeoff = answer

    @property
    def corners(self) -> list[tuple[Fraction, Fraction]]:
        if isinstance(self.tradeoff, AverageTradeoffAnswer):
            return []
        return [(x.load, x.length) for x in self.tradeoff.curve.points]

    def _figure(self, theme: Theme) -> Figure:
        from ..report.figures.tradeoff import average_tradeoff_figure, tradeoff_figure

        if isinstance(self.tradeoff, AverageTradeoffAnswer):
            return average_tradeoff_figure(self.tradeoff, theme)
        return tradeoff_figure(self.tradeoff, theme)


def tradeoff(
    network: Network, routings: Sequence[Routing] = (), *, between: Sequence[tuple[Routing, Routing]] = ()
) -> TradeoffResult:
    """The exact curve of average path length against worst-case load: no oblivious routing is below it.

        >>> import routeproof as rp
        >>> net = rp.mesh(2, 2)
        >>> rp.tradeoff(net, [rp.DOR().on(net)]).corners
        [(Fraction(1, 1), Fraction(1, 1))]

    ``routings`` are shown beside it, and the interpolations ``between`` pairs of routings, in steps of an eighth.

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 10 and Figure 1.  Raises InputError where the solver is missing, and
    for networks that are too large or not connected.
    """
    return TradeoffResult(answer_tradeoff(network, routings, lines=[interpolations(*pair) for pair in between]))


def average_tradeoff(
    network: Network,
    routings: Sequence[Routing] = (),
    *,
    between: Sequence[tuple[Routing, Routing]] = (),
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    num_points: int = 9,
) -> TradeoffResult:
    """``num_points`` designed routings, from the best average case to the shortest paths: SAMPLED.

        >>> import routeproof as rp
        >>> curve = rp.average_tradeoff(rp.mesh(2, 2), samples=3, num_points=2)
        >>> curve.claims()[0].grade.value
        'SAMPLED'

    ``model``, ``samples``, ``seed`` as in ``design_average_case``; all else as in ``tradeoff``.

    Source: Towles, Dally & Boyd 2003 (SPAA), Figure 6.
    """
    lines = [interpolations(*pair) for pair in between]
    answer = answer_average_tradeoff(
        network, routings, lines=lines, model=model, samples=samples, seed=seed, num_points=num_points
    )
    return TradeoffResult(answer)
