"""W2TURN: a closed form with the best worst case, and the shortest paths of at most two turns that allow it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from routeproof import IVAL, InputError, network
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.routing.grid.two_turns import two_turn_paths, weighted_paths
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.locality import average_path_length
from routeproof.worst.scan.exact import worst_case


def _torus(k: int) -> Network:
    return network(f"torus:{k}x{k}")


def _hops(k: int) -> Fraction:
    if k % 2 == 0:
        return Fraction(5 * k, 6) - 1 + Fraction(8, 3 * k) - Fraction(4, k * k)
    ival = (Fraction(5, 3) - Fraction(1, 3 * k)) * Fraction(k * k - 1, 2 * k)
    return ival - Fraction((k - 1) ** 2 * (k + 1) * (k - 3), 6 * k**4)


@pytest.mark.parametrize("k", range(3, 13))
def test_worst_case_and_path_length_in_closed_form(k: int) -> None:
    routing = routing_from_spec("w2turn", _torus(k))
    routing.check()
    assert worst_case(routing).load == (Fraction(k * k - 1, 4 * k) if k % 2 else Fraction(k, 4))
    others = np.arange(1, k * k)
    block = routing.pair_loads(np.zeros_like(others), others)
    assert sum((sum(block.as_dict(at).values()) for at in range(len(others))), Fraction(0)) == _hops(k) * k * k
    if k < 9:
        assert average_path_length(routing) == _hops(k)
        assert _hops(k) < average_path_length(IVAL().on(_torus(k))) or k == 3


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 8, 9])
def test_no_paths_of_two_turns_are_shorter_but_for_radix_4_and_6(k: int) -> None:
    from routeproof.optimum.restricted import design_restricted
    from routeproof.routing.path_sets.names import path_set

    best = design_restricted(_torus(k), path_set("2turn", _torus(k)), shortest=True)
    longer = {4: Fraction(1, 20), 6: Fraction(1, 126)}
    assert worst_case(routing_from_spec("w2turn", _torus(k))).load == best.load == best.least_load
    assert best.length == best.least_length
    assert _hops(k) - best.length == longer.get(k, 0)


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7, 8])
def test_paths_turn_at_most_twice_and_share_everything(k: int) -> None:
    grid = _torus(k).grid
    assert grid is not None
    for x, y in product(range(k), repeat=2):
        if not x and not y:
            continue
        made = list(weighted_paths(k, x, y))
        assert sum(share for _, share in made) == 1
        assert all(share > 0 for _, share in made)
        assert len({legs for legs, _ in made}) == len(made)
        assert {legs for legs, _ in made} <= set(two_turn_paths(grid, (0, 0), (x, y)))


@pytest.mark.parametrize("k", [4, 5])
def test_loads_are_those_of_the_paths(k: int) -> None:
    net = _torus(k)
    routing = routing_from_spec("w2turn", net)
    for i, j in product(range(3), range(net.num_nodes)):
        loads: dict[int, Fraction] = {}
        for share, path in routing.decomposition(i, j):
            for c in path:
                loads[c] = loads.get(c, Fraction(0)) + share
        assert loads == routing.pair_loads([i], [j]).as_dict(0)


def test_all_symmetry_of_the_torus_is_kept() -> None:
    for k in (5, 6):
        net = _torus(k)
        routing = routing_from_spec("w2turn", net)
        assert net.symmetry is not None
        assert all(routing.respects(g) for g in net.symmetry.generators)


@pytest.mark.parametrize("text", ["torus:3x4", "ring:5", "torus:4x4x4", "mesh:4x4", "petersen", "torus:2x2"])
def test_it_is_for_square_tori(text: str) -> None:
    with pytest.raises(InputError):
        routing_from_spec("w2turn", network(text))


def test_too_large_a_radix_is_refused() -> None:
    with pytest.raises(InputError, match="radices 3 to 40"):
        routing_from_spec("w2turn", network("torus:41x41"))


@pytest.mark.parametrize(("text", "name"), [("torus:5x5", "w2turn"), ("torus:6x6", "w2turn"), ("torus:2x3", "rlb")])
def test_channels_alike_by_construction_carry_the_same(text: str, name: str) -> None:
    routing = routing_from_spec(name, network(text))
    everything = np.arange(routing.network.num_channels)
    label = routing.channel_representatives()
    if label is not None:
        assert np.array_equal(label[label], label)
    slow = channel_loads_under(routing, Traffic.uniform(routing.network.num_terminals), orbits=everything)
    fast = channel_loads_under(routing, Traffic.uniform(routing.network.num_terminals))
    assert slow.load.fractions() == fast.load.fractions()
    assert slow.total == fast.total


@pytest.mark.parametrize("k", [3, 4])
def test_the_worst_case_is_that_over_all_permutations_by_brute_force(k: int) -> None:
    """The heaviest permutation of every channel, by sums over subsets of columns: no assignment code."""
    net = _torus(k)
    routing = routing_from_spec("w2turn", net)
    for c in range(0, net.num_channels, 1 if k == 3 else net.num_channels - 1):
        loads = [[Fraction(0)] * net.num_nodes for _ in range(net.num_nodes)]
        for i, j in product(range(net.num_nodes), repeat=2):
            for share, path in routing.decomposition(i, j):
                loads[i][j] += share * path.count(c)
        den = math.lcm(*(x.denominator for row in loads for x in row))
        best = {0: 0}
        for row in loads:
            more: dict[int, int] = {}
            for taken, value in best.items():
                for j, x in enumerate(row):
                    if not taken >> j & 1:
                        key, total = taken | 1 << j, value + int(x * den)
                        if total > more.get(key, -1):
                            more[key] = total
            best = more
        assert Fraction(best[(1 << net.num_nodes) - 1], den) == (
            Fraction(k * k - 1, 4 * k) if k % 2 else Fraction(k, 4)
        )
