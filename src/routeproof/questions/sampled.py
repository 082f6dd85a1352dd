"""What can be said of a routing whose loads are only sampled: intervals, never proofs.

Source: the last paragraph of sec. 3.5 of Towles & Dally 2002 (SPAA), which leaves the error open.  The limits of the
worst case are those of ``worst.scan.sampled``; given traffic is bounded by Hoeffding's inequality (JASA 58,
1963, Theorem 2).  Packets are drawn for pairs of nodes, and each counts with the rate of all terminals that share its
pair.  Both are for packets that cross no channel more often than any sampled packet did, and say so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ..claims.kinds import SAMPLED
from ..core.claim import Claim, Interval
from ..core.errors import InputError
from ..core.network import Network
from ..core.sampling.stopping import Stopping
from ..core.spread import Stage
from ..core.traffic import Traffic
from ..routing.base.routing import Routing
from ..routing.base.tabled import TabledRouting
from ..routing.function.incremental import SampledRouting
from ..worst.capacity import capacity as capacity_of
from ..worst.loads import channel_loads_under
from ..worst.scan.exact import WorstCase, worst_case
from ..worst.scan.sampled import worst_case_limits
from ..worst.worst_traffic import loads_of, worst_traffic
from .answer import exact_value

CONFIDENCE = 0.99
QUANTITIES = tuple(SAMPLED.states)
"""What can be said of a sampled routing function."""


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
    assert chosen.permutation is not None  # of the balanced model
    with stage("worst case of all packets") as progress:
        everything = worst_case(routing, progress=progress)
    best = capacity_of(network)
    capacity = exact_value(best)
    judged = loads_of(holdout, worst_traffic(chosen))[chosen.channel] / network.bandwidth[chosen.channel]
    confidence = CONFIDENCE if stopping is None else stopping.confidence(routing.samples, CONFIDENCE)
    limits = worst_case_limits(
        routing, channel=chosen.channel, permutation=chosen.permutation, judged=judged, optimum=everything.load,
        confidence=confidence,
    )  # fmt: skip
    looks = {} if stopping is None else stopping.data()
    least = f"for at most {limits.crossings} crossings of a channel"
    method = f"self-bounding optimum, {least}"
    load = replace(limits.interval, confidence=CONFIDENCE)
    claims = _both("worst_case", load, _data(routing, method, looks), {"model": "balanced"}, capacity)
    if best is not None:
        claims.append(best)
    data = _data(routing, f"Hoeffding, over channels and numbers of crossings, {least}", looks)
    for traffic in (Traffic.uniform(network.num_terminals), *(x for x in traffics if not x.is_uniform)):
        with stage(f"traffic {traffic.name}") as progress:
            loads = channel_loads_under(routing, traffic, progress=progress).load.fractions()
        value = _largest(routing, loads, _sum_of_squares(network, traffic), (1 - confidence) / 2)
        claims += _both("", value, data, {"traffic": traffic.name}, capacity)
    return chosen, best, claims


def _largest(routing: SampledRouting, loads: Sequence[Fraction], squares: Fraction, one_side: float) -> Interval:
    """The largest load per bandwidth; ``squares``: of the rates with which packets count.

    The bound B on a packet's crossings of a channel is the largest seen there, so it is chosen by the packets
    themselves: limits hold for all channels and all B = 1, 2, ... at once, B failing with 1 / (B (B + 1)) of the error.
    """
    network = routing.network
    low = best = high = 0.0
    for load, crossings, width in zip(loads, routing.max_crossings.tolist(), network.bandwidth, strict=True):
        most = max(int(crossings), 1)
        room = math.log(network.num_channels * most * (most + 1) / one_side)
        error = most / float(width) * math.sqrt(float(squares) * room / (2 * routing.samples))
        here = float(load / width)
        low, best, high = max(low, here - error), max(best, here), max(high, here + error)
    return Interval(low, best, high, routing.samples, routing.seed, CONFIDENCE)


def crossings_note(routing: Routing) -> str:
    """What no sample can show, and the intervals therefore rest on."""
    assert isinstance(routing, SampledRouting)
    most = max(1, int(routing.max_crossings.max(initial=0)))
    often = "once" if most == 1 else f"{most} times"
    return f"The intervals are for packets that cross a channel at most {often}, as all that were drawn do."


def _sum_of_squares(network: Network, traffic: Traffic) -> Fraction:
    """Of the rates between different nodes, each that of all terminals at its two nodes together."""
    if traffic.is_uniform:
        supply, demand = network.supply.tolist(), network.demand.tolist()
        every = sum(x * x for x in supply) * sum(x * x for x in demand)
        own = sum((x * y) ** 2 for x, y in zip(supply, demand, strict=True))
        return Fraction(every - own, traffic.size**2)
    source, sink = network.source.tolist(), network.sink.tolist()
    rate: dict[tuple[int, int], int] = {}
    if traffic.permutation is not None:
        sent = ((i, j, 1) for i, j in enumerate(traffic.permutation.image.tolist()))
    else:
        assert traffic.numerator is not None
        sent = ((i, j, int(traffic.numerator[i, j])) for i, j in np.argwhere(traffic.numerator).tolist())
    for i, j, amount in sent:
        pair = source[i], sink[j]
        rate[pair] = rate.get(pair, 0) + amount
    return Fraction(sum(x * x for (s, d), x in rate.items() if s != d), traffic.scale**2)


def _data(routing: SampledRouting, method: str, looks: Mapping[str, Any]) -> dict[str, Any]:
    return {"method": method, "packets_per_pair": routing.samples, "seed": routing.seed, **looks}


def _both(
    prefix: str, load: Interval, data: dict[str, Any], about: dict[str, str], capacity: Fraction | None
) -> list[Claim]:
    """The load as far as it is asked for, the throughput that follows, and its fraction of capacity."""
    name = "worst_case_throughput" if prefix else "throughput"
    claims = []
    if prefix:
        claims.append(SAMPLED.claim(load, data, about, quantity="worst_case_load"))
    if load.low <= 0:
        return claims  # then no finite number bounds the throughput from above
    rate = Interval(1 / load.high, 1 / load.best, 1 / load.low, load.trials, load.seed, load.confidence)
    claims.append(SAMPLED.claim(rate, data, about, quantity=name))
    if capacity is not None:
        most = float(capacity)
        share = Interval(rate.low / most, rate.best / most, rate.high / most, rate.trials, rate.seed, rate.confidence)
        claims.append(SAMPLED.claim(share, data, about, quantity=f"{name}_of_capacity"))
    return claims
