"""Exact values of all channels: long fixed point against exact fractions, where ties and near ties abound."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.loads import LoadBlock
from routeproof.core.rational import Rationals
from routeproof.graphs import transport
from routeproof.graphs.transport import Weights, channels_of, solve_block, solve_one, weights_of
from routeproof.graphs.transport_arrays import Rates
from routeproof.kernel.multipliers import potentials_along
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

CASES = [
    ("random-regular:40,degree=5,seed=1", "minimal"),
    ("random-regular:60,degree=9,seed=2", "minimal"),
    ("torus:7x7,dead-links=3-4;19-20", "minimal"),
    ("torus:6x5", "romm"),
    ("mesh:5x4", "minimal:choice=per-hop"),
]


@pytest.mark.parametrize(("topology", "routing"), CASES)
def test_fixed_point_settles_channels_to_their_exact_values(topology: str, routing: str) -> None:
    subject = routing_from_spec(routing, network_from_spec(topology))
    network = subject.network
    block = subject.channel_loads(np.arange(network.num_channels))
    rates = Rates(network.supply, network.demand)
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    values, _ = transport.exact_values(block.load, channels, solved, rates.unit, fixed)
    for k in range(network.num_channels):
        assert values[k] == solve_one(block.one(k), rates).value
    # Nearly all channels are settled by the compiled check itself.
    settled = transport._settled(block.load, channels, solved, 40)[0]
    assert settled.mean() > 0.9


def test_a_flow_that_is_not_optimal_is_never_settled() -> None:
    subject = routing_from_spec("minimal", network_from_spec("random-regular:30,degree=4,seed=3"))
    network = subject.network
    rates = Rates(network.supply, network.demand)
    block = subject.channel_loads(np.arange(network.num_channels))
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    rng = np.random.default_rng(0)
    for k in range(network.num_channels):
        part = slice(int(block.offset[k]), int(block.offset[k + 1]))
        used = np.nonzero(solved.flow[part])[0]
        solved.flow[part.start + int(rng.choice(used))] = 0
    assert not transport._settled(block.load, channels, solved, 40)[0].any()


@pytest.mark.parametrize(
    "primes", [(1048573, 1048571, 1048559, 1048549), (4294967291, 4294967279, 4294967231, 4294967197)]
)
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_sums_are_told_apart_however_close_they_are(primes: tuple[int, ...], more: int) -> None:
    """Two pairs of packets whose loads differ by ``more`` over the product of four denominators, 2**-80 and 2**-128."""
    product = math.prod(primes)
    parts = [more * pow(product // p, -1, p) % p for p in primes]
    straight, crossed = Fraction(parts[0], primes[0]), Fraction(parts[1], primes[1])
    other = [Fraction(-x % p, p) for x, p in zip(parts[2:], primes[2:], strict=True)]
    whole = straight + crossed - sum(other) - Fraction(more, product)
    assert whole.denominator == 1
    loads = [straight + 3, other[0] + 3, other[1] + 3 + whole, crossed + 3]
    row, column = np.array([0, 0, 1, 1], dtype=np.int32), np.array([0, 1, 0, 1], dtype=np.int32)
    load, one = Rationals.of(loads), np.ones(2, dtype=np.int64)
    fixed = Weights(1 << 40, False, 8)
    block = LoadBlock(np.zeros(1, dtype=np.int32), np.array([0, 4]), row, column, load)
    channels = channels_of(block, weights_of(load, fixed), Rates(one, one))
    solved = solve_block(channels, stop=np.array([-1]), full=True)
    best = max(loads[0] + loads[3], loads[1] + loads[2])
    assert abs((loads[0] + loads[3]) - (loads[1] + loads[2])) == Fraction(abs(more), product)
    for flow, value in (([1, 0, 0, 1], loads[0] + loads[3]), ([0, 1, 1, 0], loads[1] + loads[2])):
        solved.flow[:] = flow
        assert transport._settled(load, channels, solved, 40)[0].tolist() == [value == best]
        values, _ = transport.exact_values(load, channels, solved, 1, fixed)
        assert values == [best]


@pytest.mark.parametrize(("topology", "routing"), CASES)
def test_tight_pairs_prove_the_value(topology: str, routing: str) -> None:
    """Potentials that follow from few pairs: all pairs hold, nothing is negative, and both sides meet."""
    subject = routing_from_spec(routing, network_from_spec(topology))
    network = subject.network
    rates = Rates(network.supply, network.demand)
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    block = subject.channel_loads(np.arange(network.num_channels))
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    values, optima = transport.exact_values(block.load, channels, solved, rates.unit, fixed)
    assert sum(x is not None for x in optima) > 0.9 * len(optima)
    for k in range(0, network.num_channels, 5):
        found, one = optima[k], block.one(k)
        if found is None:
            continue
        after = [np.full(len(rates.supply), -1), np.full(len(rates.demand), -1)]
        start = [np.zeros(len(x), dtype=np.int64) for x in after]
        for side, own, other in ((0, found.row, found.column), (1, found.column, found.row)):
            after[side][own[found.way == 2 - side]] = other[found.way == 2 - side]
            np.maximum.at(start[side], own, found.start[:, side])
        unit, potential = potentials_along(one, (after[0], after[1]), (start[0], start[1]), found.scale)
        u, v = potential[: len(rates.supply)], potential[len(rates.supply) :]
        pairs = zip(one.row.tolist(), one.column.tolist(), one.load.fractions(), strict=True)
        assert all(x * unit <= u[i] + v[j] for i, j, x in pairs)
        assert min(potential) >= 0
        both = zip((*rates.supply.tolist(), *rates.demand.tolist()), potential, strict=True)
        assert values[k] == solve_one(one, rates).value == Fraction(sum(n * x for n, x in both), unit)
        sent = zip(found.row.tolist(), found.column.tolist(), found.flow.tolist(), strict=True)
        assert values[k] == sum(one.as_dict()[i, j] * n for i, j, n in sent)
