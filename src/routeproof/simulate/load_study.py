"""One routing under one traffic at several rates: what is proved, and what packets do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.network import Network
from ..core.traffic import Traffic
from .load_claims import load_claims
from .queueing import simulate_load

if TYPE_CHECKING:
    from ..routing.base import Routing
    from .walks import Walks

__all__ = ["adaptive_runs", "oblivious_runs"]

_Progress = Callable[[int, int], None] | None


def oblivious_runs(
    routing: Routing,
    traffic: Traffic,
    *,
    rates: Sequence[Fraction],
    around: Sequence[Fraction],
    progress: _Progress = None,
    **settings: Any,
) -> tuple[list[Claim], list[Claim]]:
    """(proved, sampled): the exact throughput of ``routing`` under ``traffic``, and a run at each of ``rates``.

    Without ``rates``, at the multiples ``around`` of that throughput that are at most 1 (or at 1, if none is).
    ``settings``: order, cycles, warm_up, seed as in ``queueing.simulate_load``.
    """
    from ..analysis.loads import channel_loads_under, traffic_claims
    from .walks import walks_of

    proved = traffic_claims(routing, traffic, channel_loads_under(routing, traffic))
    throughput = proved[0].value
    assert isinstance(throughput, Fraction)
    chosen = list(rates) or [x * throughput for x in around if x * throughput <= 1] or [Fraction(1)]
    walks = walks_of(routing, traffic)
    return proved, _runs(routing.network, walks, traffic, chosen, progress, settings)


def adaptive_runs(
    network: Network,
    name: str,
    traffic: Traffic,
    rates: Sequence[Fraction],
    *,
    progress: _Progress = None,
    **settings: Any,
) -> list[Claim]:
    """The same for an adaptive routing, of which nothing is proved."""
    return _runs(network, name, traffic, rates, progress, settings)


def _runs(
    network: Network,
    how: Walks | str,
    traffic: Traffic,
    rates: Sequence[Fraction],
    progress: _Progress,
    settings: dict[str, Any],
) -> list[Claim]:
    from ..analysis.loads import traffic_evidence

    about = {**traffic_evidence(traffic), "traffic": traffic.name, "order": settings["order"], "seed": settings["seed"]}
    claims: list[Claim] = []
    for k, rate in enumerate(sorted(set(rates))):

        def step(done: int, total: int, k: int = k) -> None:
            if progress is not None:
                progress(k * total + done, len(set(rates)) * total)

        run = simulate_load(network, how, traffic, rate, progress=step, **settings)
        claims += load_claims(run, terminals=network.num_terminals, settings=about)
    return claims
