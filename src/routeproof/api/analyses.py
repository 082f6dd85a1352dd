"""``rp.average_case``, ``compare``, ``expansion`` and ``failures``: what is asked of given objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.claim import Interval
from ..core.errors import InputError
from ..core.multistage.splitter import Splitter
from ..core.multistage.wiring import Wiring
from ..core.sampling.stopping import stopping_asked
from ..questions.answer import RoutingAnswer
from ..questions.expansion import ExpansionAnswer, answer_expansion, answer_wiring_expansion
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


class ExpansionResult(Result[ExpansionAnswer]):
    """The least neighbourhood of subsets of every size, with the subsets, as claims."""


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


def expansion(
    of: Splitter | Wiring,
    *,
    level: int | None = None,
    block: int | None = None,
    direction: str | None = None,
    unique: int | None = None,
) -> ExpansionResult:
    """The least neighbourhood of subsets of every size of the inputs of a splitter, or of a wiring's splitters.

        >>> import routeproof as rp
        >>> rp.expansion(rp.multibutterfly(16, d=2, seed=7)).claims()[0].quantity
        'least_neighbourhood'

    Of a wiring: for every level with splitters of at most 32 inputs, the worst over all of them and both directions;
    ``level``, ``block``, ``direction`` ("up", "down"): these alone.  ``unique``: unique neighbours of subsets up to
    this size, 0 for none.  Exact for up to 64 inputs, proved bounds beyond.

    Source: Maggs, Randomly Wired Multistage Networks, sec. 1.2.  Raises InputError for a level or block that is not
    there.
    """
    if isinstance(of, Wiring):
        answer = answer_wiring_expansion(
            of, level=level, block=block, direction=direction, unique=unique, setting=setting_here()
        )
    elif level is not None or block is not None or direction is not None:
        raise InputError("level, block and direction are for wirings; a splitter is one splitter")
    else:
        answer = answer_expansion(of, unique=unique, setting=setting_here())
    return ExpansionResult(answer, f"expansion of {answer.topology}")


def _on(routing: Routing) -> str:
    return f"{routing.name} on {routing.network.name}"
