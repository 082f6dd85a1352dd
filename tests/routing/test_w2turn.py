"""W2TURN: a closed form with the best worst case, and the shortest paths of at most two turns that allow it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from routeproof import IVAL, InputError, network, worst_case
from routeproof.analysis.locality import average_path_length
from routeproof.core.network import Network
from routeproof.routing.spec import routing_from_spec
from routeproof.routing.two_turn_paths import two_turn_paths
from routeproof.routing.w2turn import weighted_paths


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
    pytest.importorskip("highspy")
    from routeproof.design.restricted import design_restricted

    best = design_restricted(_torus(k), "2turn", shortest=True)
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
        for share, path in routing.paths(i, j):
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
