"""Sampled loads of routing functions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.routing.function.incremental import Incremental, Sampled, _Dice
from routeproof.routing.named.described import describe_routing
from routeproof.topologies.family import network_from_spec

K = 5


def history(state, node, destination):
    """Either way round, remembering the whole past: too many states to list, with lists for states."""
    past = [*(state or []), node]
    step = 1 if len(past) == 1 and (destination - node) % K < 3 else -1
    if len(past) > 1:
        step = (past[-1] - past[-2] + 1) % K - 1 or 1
        return [(1, past, (node + (1 if (past[-1] - past[-2]) % K == 1 else -1)) % K)]
    return [("3/4", past, (node + step) % K), ("1/4", past, (node - step) % K)]


def walk(state, node, destination):
    return [("1/2", None, (node + 1) % K), ("1/2", None, (node - 1) % K)]


def clockwise(state, node, destination):
    return [(1, None, (node + 1) % K)]


def test_a_deterministic_function_is_sampled_exactly() -> None:
    net = network_from_spec("ring:5")
    routing = Sampled(clockwise, samples=2, seed=1).on(net)
    assert all_loads(routing) == all_loads(Incremental(clockwise).on(net))
    assert routing.max_crossings.max() == 1
    assert len(routing.training) == len(routing.holdout) == len(routing.table)
    assert routing.is_sampled


def test_counts_are_counts_and_halves_add_up() -> None:
    net = network_from_spec("ring:5")
    routing = Sampled(history, samples=40, seed=7).on(net)
    loads = all_loads(routing)
    assert all((40 * x).denominator == 1 for x in loads.values())
    halves = []
    for table in (routing.training, routing.holdout):
        block = table.channel_loads(np.arange(10))
        halves.append({(c, *key): x for c in range(10) for key, x in block.as_dict(c).items()})
    for key, load in loads.items():
        assert load == (halves[0].get(key, 0) + halves[1].get(key, 0)) / 2
    assert halves[0] != halves[1]


def test_the_same_seed_gives_the_same_packets() -> None:
    net = network_from_spec("ring:5")
    one = all_loads(Sampled(walk, samples=10, seed=3).on(net))
    assert one == all_loads(Sampled(walk, samples=10, seed=3).on(net))
    assert one != all_loads(Sampled(walk, samples=10, seed=4).on(net))


def test_estimates_come_near_the_exact_loads() -> None:
    net = network_from_spec("ring:5")
    exact = all_loads(Incremental(walk).on(net))
    routing = Sampled(walk, samples=2000, seed=11).on(net)
    estimate = all_loads(routing)
    assert max(abs(estimate.get(key, 0) - x) for key, x in exact.items()) < 0.2
    assert routing.max_crossings.max() > 3
    assert routing.max_crossings.shape == (10,)


def test_the_name_and_description_say_how_it_was_made() -> None:
    routing = Sampled(walk, samples=2, seed=5).on(network_from_spec("ring:5"))
    assert routing.name.endswith(":walk,samples=2,seed=5")
    assert describe_routing(routing) == {"spec": routing.name, "samples": 2, "seed": 5}


def test_progress_counts_destinations() -> None:
    seen = []
    Sampled(walk, samples=2, seed=0, progress=lambda *now: seen.append(now)).on(network_from_spec("ring:5"))
    assert seen == [(k, 5) for k in range(6)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0, "seed": 0}, "samples is 0; an even number"),
        ({"samples": 3, "seed": 0}, "samples is 3; an even number"),
        ({"samples": 2.0, "seed": 0}, "samples is 2.0"),
        ({"samples": 2, "seed": -1}, "seed is -1"),
        ({"samples": 2, "seed": "x"}, "seed is 'x'"),
    ],
)
def test_options_are_checked(options, message) -> None:
    with pytest.raises(InputError, match=message):
        Sampled(walk, **options)


def test_a_packet_that_never_arrives_is_named() -> None:
    def lost(state, node, destination):
        return [(1, None, 1 if node == 0 else 0)]

    with pytest.raises(InputError, match=r"for destination 1: a packet from node 2 .*not a neighbour|not a neighbour"):
        Sampled(lost, samples=2, seed=0).on(network_from_spec("ring:5"))

    def around(state, node, destination):
        return [] if state == -1 else [(1, None, (node + 1) % K)]

    around.passes_destination = True
    with pytest.raises(InputError, match=r"a packet from node 1 has not arrived after 50 hops"):
        Sampled(around, samples=2, seed=0, max_hops=50).on(network_from_spec("ring:5"))


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 2**64, 2**64 + 1, 3**100])
def test_dice_are_in_range_and_fair(n: int) -> None:
    dice = _Dice(np.random.default_rng(1))
    draws = [dice.below(n) for _ in range(3000)]
    assert min(draws) >= 0
    assert max(draws) < n
    mean = Fraction(sum(draws), len(draws))
    assert abs(mean / Fraction(max(n - 1, 1), 2) - 1) < 0.1 or n == 1
