"""``rp.average_case``: the mean throughput of a routing over random traffic, sampled."""

from __future__ import annotations

from ..answers.average import AverageAnswer, answer_average
from ..core.claim import Interval
from ..routing.base.routing import Routing
from .result import Result

__all__ = ["AverageCaseResult", "average_case"]


class AverageCaseResult(Result):
    """``throughput``: an interval for the mean, with how often it holds; of capacity where that is known."""

    def __init__(self, answer: AverageAnswer) -> None:
        routing = answer.routing
        super().__init__(answer, title=f"{routing.name} on {routing.network.name}, average case", routing=routing)
        self.average = answer

    @property
    def throughput(self) -> Interval:
        value = self.average.claim.value
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

    - ``model``: "permutation", "two-permutations", "three-permutations" or "sinkhorn";
    - ``samples``: how many matrices (100); ``until_width``: as many as make the interval so narrow, such as "5%", at
      most ``samples`` (100,000).

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.4.  Raises InputError for bad options.
    """
    from ..core.sampling.stopping import stopping_asked

    count = 100 if samples is None else samples
    stopping = stopping_asked(until_width, samples)
    return AverageCaseResult(answer_average(routing, model=model, samples=count, seed=seed, stopping=stopping))
