"""``rp.average_case``: the mean throughput of a routing over random traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.claim import Interval
from ..core.sampling.stopping import stopping_asked
from ..questions.answer import RoutingAnswer
from ..questions.worst_case import answer_average
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from .result import Result, check_routing

if TYPE_CHECKING:
    pass


class AverageCaseResult(Result[RoutingAnswer]):
    """``throughput``: an interval for the mean, with how often it holds; of capacity where that is known."""

    @property
    def throughput(self) -> Interval:
        value = self.claims()[0].value
        assert isinstance(value, Interval)
        return value


def average_case(
    routing: Routing,
    *,
    model: str = "permutation",
    samples: int | None = None,
    until_width: str | None = None,
    seed: int = 0,
) -> AverageCaseResult:
    """The mean, over random traffic matrices, of the throughput of ``routing``: SAMPLED, with its interval.

        >>> import routeproof as rp
        >>> mean = rp.average_case(rp.DOR().on(rp.mesh(3, 3)), samples=10).throughput
        >>> mean.low <= mean.best <= mean.high, mean.trials
        (True, 10)

    - ``model``: "permutation", "shift", "ring", "two-permutations", "three-permutations" or "sinkhorn";
    - ``samples``: how many matrices (100); ``until_width``: as many as make the interval so narrow, such as "5%", at
      most ``samples`` (100,000).

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.4.  Raises InputError for bad options.
    """
    check_routing(routing)
    count = 100 if samples is None else samples
    stopping = stopping_asked(until_width, samples)
    answer = answer_average(routing, model=model, samples=count, seed=seed, stopping=stopping, setting=setting_here())
    return AverageCaseResult(answer, f"{_on(routing)}, average case", routing)


def _on(routing: Routing) -> str:
    return f"{routing.name} on {routing.network.name}"
