"""What can be said of a routing whose loads are only sampled: intervals, never proofs.

Source: the last paragraph of sec. 3.5 of Towles & Dally 2002 (SPAA), which leaves the error open.  The limits of the
worst case are those of ``analysis.worst_case.sampled``; given traffic is bounded by Hoeffding's inequality (JASA 58,
1963), for packets that cross no channel more often than any sampled packet did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ..analysis.capacity import capacity as capacity_of
from ..analysis.loads import channel_loads_under
from ..analysis.worst_case.exact import WorstCase, worst_case
from ..analysis.worst_case.sampled import worst_case_limits
from ..core.claim import Claim, Evidence, Grade, Interval
from ..core.errors import InputError
from ..core.sampling.stopping import Stopping
from ..core.stage import Stage
from ..core.traffic import Traffic
from ..routing.base.routing import Routing
from ..routing.base.tabled import TabledRouting
from ..routing.function.sampled import SampledRouting
from .answer import exact_value
from .worst_traffic import loads_of, worst_traffic

CONFIDENCE = 0.99
_SOURCE = "Towles & Dally 2002 (SPAA), sec. 3.5"


def sampled_claims(
    routing: Routing, traffics: Sequence[Traffic], *, stage: Stage, stopping: Stopping | None = None
) -> tuple[WorstCase, Claim | None, list[Claim]]:
    """(the worst case of one half of the packets, the capacity, everything that is claimed).

    A channel and a permutation are chosen on one half of the packets and judged on the other, without bias.
    ``stopping``: when sampling could end; then the limits have less of the error.  Raises InputError for a mixture
    with a sampled part.
    """
    if not isinstance(routing, SampledRouting):
        raise InputError(f"{routing.name} has a sampled part; sample the whole of it, as one routing function")
    network = routing.network
    training = TabledRouting(network, routing.name, routing.training)
    holdout = TabledRouting(network, routing.name, routing.holdout)
    with stage("worst case of one half") as progress:
        chosen = worst_case(training, progress=progress)
    with stage("worst case of all packets") as progress:
        everything = worst_case(routing, progress=progress)
    best = capacity_of(network)
    capacity = exact_value(best)
    judged = loads_of(holdout, worst_traffic(chosen))[chosen.channel] / network.bandwidth[chosen.channel]
    confidence = CONFIDENCE if stopping is None else stopping.confidence(routing.samples, CONFIDENCE)
    limits = worst_case_limits(
        routing, channel=chosen.channel, judged=judged, optimum=everything.load, confidence=confidence
    )
    looks = {} if stopping is None else stopping.data()
    method = f"self-bounding optimum, for at most {limits.crossings} crossings of a channel"
    load = replace(limits.interval, confidence=CONFIDENCE)
    claims = _both("worst_case", load, _evidence(routing, method, looks), {"model": "balanced"}, capacity)
    if best is not None:
        claims.append(best)
    terminals = network.num_terminals
    half_width = _half_width(routing, (1 - confidence) / 2)
    evidence = _evidence(routing, "Hoeffding, over channels and numbers of crossings", looks)
    for traffic in (Traffic.uniform(terminals), *(x for x in traffics if not x.is_uniform)):
        with stage(f"traffic {traffic.name}") as progress:
            loads = channel_loads_under(routing, traffic, progress=progress).load.fractions()
        top = float(max(x / b for x, b in zip(loads, network.bandwidth, strict=True)))
        # A pair sends at most rate 1: then N independent pairs count; under uniform traffic N^2 pairs at rate 1/N.
        spread = 1 if traffic.is_uniform else terminals
        error = half_width * math.sqrt(spread)
        interval = Interval(max(top - error, 0.0), top, top + error, routing.samples, routing.seed, CONFIDENCE)
        claims += _both("", interval, evidence, {"traffic": traffic.name}, capacity)
    return chosen, best, claims


def _half_width(routing: SampledRouting, one_side: float) -> float:
    """How far the load per bandwidth of any channel may be from its expectation, for one packet at rate 1.

    The bound B on a packet's crossings of a channel is the largest seen there, so it is chosen by the packets
    themselves: limits hold for all channels and all B = 1, 2, ... at once, B failing with 1 / (B (B + 1)) of the error.
    """
    network = routing.network
    widest = 0.0
    for crossings, width in zip(routing.max_crossings.tolist(), network.bandwidth, strict=True):
        most = max(int(crossings), 1)
        error = one_side / network.num_channels / (most * (most + 1))
        widest = max(widest, most / float(width) * math.sqrt(math.log(1 / error) / (2 * routing.samples)))
    return widest


def _evidence(routing: SampledRouting, method: str, looks: Mapping[str, Any]) -> Evidence:
    return Evidence("sampled", {"method": method, "packets_per_pair": routing.samples, "seed": routing.seed, **looks})


def _both(
    prefix: str, load: Interval, evidence: Evidence, about: dict[str, str], capacity: Fraction | None
) -> list[Claim]:
    """The load as far as it is asked for, the throughput that follows, and its fraction of capacity."""
    name = "worst_case_throughput" if prefix else "throughput"
    claims = []
    if prefix:
        claims.append(Claim("worst_case_load", "==", load, Grade.SAMPLED, evidence, _SOURCE, about))
    if load.low <= 0:
        return claims  # then no finite number bounds the throughput from above
    rate = Interval(1 / load.high, 1 / load.best, 1 / load.low, load.trials, load.seed, load.confidence)
    claims.append(Claim(name, "==", rate, Grade.SAMPLED, evidence, _SOURCE, about))
    if capacity is not None:
        most = float(capacity)
        share = Interval(rate.low / most, rate.best / most, rate.high / most, rate.trials, rate.seed, rate.confidence)
        claims.append(Claim(f"{name}_of_capacity", "==", share, Grade.SAMPLED, evidence, _SOURCE, about))
    return claims
