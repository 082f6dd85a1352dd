"""Confidence limits of sampled worst cases: they hold as often as they say, and they are not idle."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.claim import Grade
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.questions.sampled import sampled_claims
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.tabled import TabledRouting
from routeproof.routing.function.incremental import Incremental, Sampled
from routeproof.routing.grid.dor import DOR
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.evidence import channel_claims, worst_case_claims
from routeproof.worst.scan.exact import worst_case
from routeproof.worst.scan.sampled import expected_sum_at_least, optimum_at_most, worst_case_limits
from routeproof.worst.worst_traffic import loads_of, worst_traffic

ERROR = 0.005


def binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("p", [0.001, 0.05, 0.3, 0.5, 0.9, 1.0])
def test_the_lower_limit_fails_no_more_often_than_it_says(n: int, p: float) -> None:
    """By the exact distribution of a sum of coins."""
    fails = sum(
        x for k, x in enumerate(binomial(n, p)) if expected_sum_at_least(k, terms=n, most=1, error=ERROR) > n * p
    )
    assert fails <= ERROR


@pytest.mark.parametrize("sums", [1, 2, 10])
@pytest.mark.parametrize(("n", "p"), [(7, 0.3), (40, 0.05), (40, 0.5), (60, 0.97)])
def test_the_upper_limit_fails_no_more_often_than_it_says(sums: int, n: int, p: float) -> None:
    """By the exact distribution of the largest of independent sums of coins: its expectation is to be covered."""
    below = np.cumsum(binomial(n, p)) ** sums
    largest = np.diff(below, prepend=0)
    expectation = float((largest * np.arange(n + 1)).sum())
    fails = sum(x for k, x in enumerate(largest) if optimum_at_most(k, part=1, error=ERROR) < expectation)
    assert fails <= ERROR


def test_limits_scale_and_tighten() -> None:
    assert expected_sum_at_least(0, terms=5, most=1, error=ERROR) == 0
    assert optimum_at_most(0, part=1, error=ERROR) == pytest.approx(math.log(1 / ERROR))
    low = expected_sum_at_least(30, terms=100, most=1, error=ERROR)
    assert 0 < low < 30
    assert expected_sum_at_least(90, terms=100, most=3, error=ERROR) == pytest.approx(3 * low)
    assert expected_sum_at_least(100, terms=100, most=1, error=ERROR) == pytest.approx(100 * ERROR ** (1 / 100))
    high = optimum_at_most(5, part=0.01, error=ERROR)
    assert 5 < high < 6
    assert optimum_at_most(10, part=0.02, error=ERROR) == pytest.approx(2 * high)
    assert optimum_at_most(5, part=0.0001, error=ERROR) - 5 == pytest.approx((high - 5) / 10, rel=0.1)


def per_hop(state, node, destination):
    """Random minimal, hop by hop, on a 3x3 mesh."""
    (x, y), (u, v) = divmod(node, 3), divmod(destination, 3)
    ways = ([3 * (x + (1 if u > x else -1)) + y] if u != x else []) + (
        [3 * x + y + (1 if v > y else -1)] if v != y else []
    )
    return [(Fraction(1, len(ways)), None, w) for w in ways]


def restless(state, node, destination):
    """A lazy walk on a ring of four that may pass a channel again and again."""
    step = 1 if (destination - node) % 4 < 3 else -1
    return [("3/4", None, (node + step) % 4), ("1/4", None, (node - step) % 4)]


def halves(routing):
    """(channel, permutation, its judged load per bandwidth, optimum per bandwidth)."""
    chosen = worst_case(TabledRouting(routing.network, "half", routing.training))
    holdout = TabledRouting(routing.network, "half", routing.holdout)
    judged = loads_of(holdout, worst_traffic(chosen))[chosen.channel] / routing.network.bandwidth[chosen.channel]
    return chosen.channel, chosen.permutation, judged, worst_case(routing).load


@pytest.mark.parametrize(
    ("function", "network", "samples"),
    [(per_hop, network_from_spec("mesh:3x3"), 12), (restless, network_from_spec("ring:4,bandwidth=1/2"), 20)],
)
def test_intervals_cover_the_exact_worst_case(function, network: Network, samples: int) -> None:
    exact = worst_case(Incremental(function).on(network)).load
    covered, above = 0, []
    for seed in range(200):
        routing = Sampled(function, samples=samples, seed=seed).on(network)
        channel, permutation, judged, optimum = halves(routing)
        found = worst_case_limits(
            routing, channel=channel, permutation=permutation, judged=judged, optimum=optimum
        ).interval
        assert found.low <= found.best <= found.high
        covered += found.low <= exact <= found.high
        above.append(found.high)
    assert covered >= 196
    assert min(above) < 3 * exact


def test_they_are_tighter_than_a_union_over_permutations() -> None:
    network = network_from_spec("mesh:3x3")
    routing = Sampled(per_hop, samples=200, seed=1).on(network)
    channel, permutation, judged, optimum = halves(routing)
    found = worst_case_limits(routing, channel=channel, permutation=permutation, judged=judged, optimum=optimum)
    assert found.crossings == 1
    union = math.lgamma(10) + math.log(network.num_channels / ERROR)
    assert found.interval.high - float(optimum) < 0.8 * math.sqrt(9 * union / 400)
    assert found.interval.trials == 200
    assert found.interval.confidence == 0.99


def test_a_sampled_worst_case_is_never_claimed_as_proved() -> None:
    network = network_from_spec("mesh:3x3")
    routing = Sampled(per_hop, samples=2, seed=1).on(network)
    mixed = Mixture([("1/2", routing), ("1/2", DOR().on(network))])
    for each in (routing, mixed):
        found = worst_case(each, all_channels=True)
        assert found.load > 0
        for claims in (lambda found=found: worst_case_claims(found), lambda found=found: channel_claims(found)):
            with pytest.raises(InputError, match="are sampled: no exact worst case can be claimed"):
                claims()


def test_what_is_reported_covers_the_exact_worst_case_and_is_never_proved() -> None:
    from contextlib import nullcontext

    network = network_from_spec("mesh:3x3")
    exact = worst_case(Incremental(per_hop).on(network)).load
    for seed in range(20):
        routing = Sampled(per_hop, samples=40, seed=seed).on(network)
        claims = sampled_claims(routing, (), stage=lambda _: nullcontext())[2]
        load = next(x for x in claims if x.quantity == "worst_case_load")
        assert load.value.low <= exact <= load.value.high
        assert all(x.grade is Grade.SAMPLED for x in claims if x.quantity != "capacity")
