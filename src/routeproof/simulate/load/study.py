"""One routing under one traffic at several rates: what is proved, and what packets do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...claims.routings.loads_simulated import LOAD_RUN
from ...core.claim import Claim, Interval
from ...core.network import Network
from ...core.sampling.trial_intervals import load_intervals
from ...core.spread import Progress
from ...core.traffic import Permutation, Traffic
from ...routing.base.routing import Routing
from .queueing import LoadRun, simulate_load, walks_of

if TYPE_CHECKING:
    from ...engine import Engine


def oblivious_runs(
    routing: Routing,
    traffic: Traffic,
    *,
    rates: Sequence[Fraction],
    around: Sequence[Fraction],
    progress: Progress | None = None,
    engine: Engine | None = None,
    **settings: Any,
) -> tuple[list[Claim], list[Claim]]:
    """(proved, sampled): the exact throughput of ``routing`` under ``traffic``, and a run at each of ``rates``.

    Without ``rates``, at the multiples ``around`` of that throughput that are at most 1 (or at 1, if none is).
    ``settings``: order, cycles, warm_up, seed as in ``queueing.simulate_load``; ``engine``: does the rates as pieces.
    """
    from ...worst.loads import channel_loads_under, traffic_claims
    from ...worst.scan.scan import described

    proved = traffic_claims(routing, traffic, channel_loads_under(routing, traffic))
    throughput = proved[0].value
    assert isinstance(throughput, Fraction)
    chosen = list(rates) or [x * throughput for x in around if x * throughput <= 1] or [Fraction(1)]
    done = _runs(
        routing.network, lambda: walks_of(routing, traffic), lambda: described(routing), traffic, chosen, engine,
        progress, settings,
    )  # fmt: skip
    return proved, _claims(done, traffic, settings)


def adaptive_runs(
    network: Network,
    name: str,
    traffic: Traffic,
    rates: Sequence[Fraction],
    *,
    progress: Progress | None = None,
    engine: Engine | None = None,
    **settings: Any,
) -> list[Claim]:
    """The same for an adaptive routing, of which nothing is proved."""
    from ...worst.scan.scan import network_described

    subject = {"network": network_described(network), "adaptive": name}
    done = _runs(network, lambda: name, lambda: subject, traffic, rates, engine, progress, settings)
    return _claims(done, traffic, settings)


def _runs(
    network: Network,
    how: Callable[[], Any],
    subject: Callable[[], Mapping[str, Any]],
    traffic: Traffic,
    rates: Sequence[Fraction],
    engine: Engine | None,
    progress: Progress | None,
    settings: Mapping[str, Any],
) -> list[LoadRun]:
    """A run at every rate, ascending: here along what ``how`` gives, or by an engine from ``subject``, each a piece."""
    wanted = sorted(set(rates))
    if engine is None:
        runs, walks = [], how()
        for k, rate in enumerate(wanted):

            def step(done: int, total: int, k: int = k) -> None:
                if progress is not None:
                    progress(k * total + done, len(wanted) * total)

            runs.append(simulate_load(network, walks, traffic, rate, progress=step, **settings))
        return runs
    plain: dict[str, Any] = {"name": traffic.name, "size": traffic.size, "scale": str(traffic.scale)}
    if traffic.permutation is not None:
        plain["permutation"] = traffic.permutation.image.tolist()
    elif traffic.numerator is not None:
        plain["numerator"] = [[str(x) for x in row] for row in traffic.numerator.tolist()]
    found = engine.spread(
        "rates",
        f"{__name__}:one_rate",
        {f"rate {rate}": {"rate": str(rate)} for rate in wanted},
        shared={"subject": subject(), "traffic": plain, "settings": dict(settings)},
        prepare=f"{__name__}:prepare_rates",
        progress=progress,
    )
    warm_up, cycles = int(settings["warm_up"]), int(settings["cycles"])
    return [
        LoadRun(rate, warm_up, cycles, np.array(counts, dtype=np.int64))
        for rate, (_, counts) in zip(wanted, found, strict=True)
    ]


def prepare_rates(
    subject: Mapping[str, Any], traffic: Mapping[str, Any], settings: Mapping[str, Any]
) -> Mapping[str, Any]:
    """What all rates have in common; called once where pieces are done."""
    from ...worst.scan.scan import made_again, network_made_again

    size, name = int(traffic["size"]), str(traffic["name"])
    given = Traffic(name, size)
    if "permutation" in traffic:
        given = Traffic.of_permutation(Permutation(list(traffic["permutation"])), name=name)
    elif "numerator" in traffic:
        scale = int(traffic["scale"])
        given = Traffic.of_matrix([[Fraction(int(x), scale) for x in row] for row in traffic["numerator"]], name=name)
    if "adaptive" in subject:
        network, how = network_made_again(subject["network"]), subject["adaptive"]
    else:
        routing = made_again(subject)
        network, how = routing.network, walks_of(routing, given)
    return {"network": network, "how": how, "traffic": given, **settings}


def one_rate(ready: Mapping[str, Any], rate: str) -> list[list[int]]:
    """The counts of one run."""
    counts: list[list[int]] = simulate_load(rate=Fraction(rate), **ready).counts.tolist()
    return counts


def _claims(runs: Sequence[LoadRun], traffic: Traffic, settings: Mapping[str, Any]) -> list[Claim]:
    from ...worst.loads import traffic_evidence

    about = {**traffic_evidence(traffic), "traffic": traffic.name, "order": settings["order"], "seed": settings["seed"]}
    return [claim for run in runs for claim in load_claims(run, terminals=traffic.size, settings=about)]


def load_claims(run: LoadRun, *, terminals: int, settings: Mapping[str, Any]) -> list[Claim]:
    """offered_rate, accepted_rate, queue_growth, average_delay and average_hops at one rate.

    ``settings``: ``traffic`` as ``worst.loads.traffic_evidence`` writes it, with ``order`` and ``seed``.  The first
    claim carries them and the counts; the others refer to it.
    """
    counts = run.counts.tolist()
    about = {"traffic": settings["traffic"], "rate": str(run.rate)}
    data = {**settings, "rate": str(run.rate), "warm_up": run.warm_up, "cycles": run.cycles, "counts": counts}
    trials = counts[-1][0] - counts[0][0]
    claims: list[Claim] = []
    for name, (low, best, high) in load_intervals(counts, run.batch_ends, terminals).items():
        value = Interval(low, best, high, trials, int(settings["seed"]))
        claims.append(LOAD_RUN.claim(value, {"with": "offered_rate"} if claims else data, about, quantity=name))
    return claims
