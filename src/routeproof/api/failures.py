"""``rp.failures``: the exact worst case after failures of links, cables or switches."""

from __future__ import annotations

from fractions import Fraction

from ..answers.failures import FailuresAnswer, answer_failures
from ..routing.base.routing import Routing
from ..topologies.failures import Failure
from .result import Result

__all__ = ["FailuresResult", "failures"]


class FailuresResult(Result):
    """``loads``: the worst-case load after every failure, the worst first; None where it separates terminals."""

    def __init__(self, answer: FailuresAnswer) -> None:
        routing = answer.routing
        super().__init__(answer, title=f"{routing.name} on {routing.network.name}, after failures")
        self.report = answer

    @property
    def loads(self) -> dict[Failure, Fraction | None]:
        return dict(zip(self.report.judged.failure, self.report.judged.load, strict=True))


def failures(
    routing: Routing,
    *,
    links: int | None = None,
    cables: int = 0,
    switches: int = 0,
    repair: str = "reroute",
    samples: int | None = None,
    until_width: str | None = None,
    seed: int = 0,
    workers: int = 1,
) -> FailuresResult:
    """The exact worst case after every failure of so many links (1 by default), cables and switches, the worst first.

    - ``repair``: "reroute" (only pairs that crossed what failed, by shortest paths) or "rebuild" (the routing anew);
    - ``samples``: draw so many failures with ``seed``; ``until_width``: as many as make every interval so narrow;
    - ``workers``: processes.

    Raises InputError for an unknown repair, sampled loads, a routing that cannot be made anew, and too many failures.
    """
    from ..core.sampling.stopping import stopping_asked
    from ..engine import Engine

    with Engine(workers=workers) as engine:
        answer = answer_failures(
            routing, engine=engine, links=links, cables=cables, switches=switches, repair=repair, samples=samples,
            stopping=stopping_asked(until_width, samples), seed=seed,
        )  # fmt: skip
    return FailuresResult(answer)
