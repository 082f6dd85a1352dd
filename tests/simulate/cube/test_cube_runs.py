"""Runs on cubes: every schedule is walked, replayed by another implementation, and known numbers come out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.claims.cube.run import REPLAYED, replayed_run
from routeproof.core.cube.destination_graph import Cube, DestinationGraph, TimedMoves, check_timed_moves
from routeproof.core.errors import InputError
from routeproof.core.sampling.intervals import probability_limits
from routeproof.searching.catalogue import catalogue_graph
from routeproof.simulate.cube.algorithms import (
    CIRCUITS,
    CUBE_ALGORITHMS,
    circuits_of,
    hamiltonian_steps,
    run_graph,
    run_on_cube,
)
from routeproof.simulate.cube.claims import run_trials


def reversal(d: int) -> list[int]:
    return [int(f"{u:0{d}b}"[::-1], 2) for u in range(1 << d)]


@settings(max_examples=40)
@given(st.sampled_from([(2, 1), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2)]), st.integers(0, 10**6), st.booleans())
def test_replayed_by_another_implementation(cube: tuple[int, int], seed: int, many_one: bool) -> None:
    c, rng = Cube(*cube), np.random.default_rng(seed)
    image = rng.integers(-1, c.num_nodes, size=c.num_nodes) if many_one else rng.permutation(c.num_nodes)
    for name in REPLAYED:
        run = run_on_cube(name, c, image, many_one=many_one, seed=seed)
        again = replayed_run(c, name, run.origin.tolist(), run.destination.tolist(), seed)
        assert (run.steps, run.num_moves) == again


@pytest.mark.parametrize("name", CUBE_ALGORITHMS)
def test_every_permutation_of_the_square_arrives(name: str) -> None:
    cube = Cube(2, 2)
    for image in itertools.permutations(range(4)):
        run = run_on_cube(name, cube, np.array(image))
        assert run.position[:, -1].tolist() == list(image)


def test_e_cube_on_bit_reversal_grows_like_the_root() -> None:
    steps = [run_on_cube("e-cube", Cube(2, d), np.array(reversal(d))).steps for d in (4, 6, 8, 10)]
    assert steps == [4, 7, 12, 21]
    for d in range(3, 9):
        graph = catalogue_graph("permutation", 2, d, d)
        assert graph is not None
        assert run_graph(graph, np.array(reversal(d))).steps <= d


@pytest.mark.parametrize("dimensions", CIRCUITS)
def test_circuits_are_hamiltonian_and_share_no_link(dimensions: int) -> None:
    place, node = circuits_of(dimensions)
    size = 1 << dimensions
    links = set()
    for walk in node.tolist():
        assert sorted(walk) == list(range(size))
        steps = list(zip(walk, [*walk[1:], walk[0]], strict=True))
        assert all((a ^ b).bit_count() == 1 for a, b in steps)
        links.update(steps)
    assert len(links) == place.size
    assert len(node) == max(1, 2 * (dimensions // 2))


@pytest.mark.parametrize("d", range(2, 9))
def test_hamiltonian_routing_takes_as_long_as_it_says(d: int) -> None:
    cube, rng = Cube(2, d), np.random.default_rng(d)
    steps = [run_on_cube("hamiltonian", cube, rng.permutation(cube.num_nodes)).steps for _ in range(20)]
    assert max(steps) <= hamiltonian_steps(d)
    assert hamiltonian_steps(d) == {2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 12, 8: 16}[d]


def test_packets_that_meet_or_get_lost_are_told() -> None:
    cube = Cube(2, 2)
    check_timed_moves(TimedMoves(cube, np.array([1, 2]), np.array([0, 3]), np.array([[2], [2]])))
    with pytest.raises(InputError, match=r"at step 2 the packets 01 to 10 and 11 to 10 both cross the link 11 -> 10"):
        check_timed_moves(
            TimedMoves(cube, np.array([1, 3]), np.array([2, 2]), np.array([[1, 2], [0, 2]])),
        )
    with pytest.raises(InputError, match="ends at 11"):
        check_timed_moves(TimedMoves(cube, np.array([1]), np.array([0]), np.array([[1]])))
    for wrong in ([[3]], [[-1]], [[0], [0]]):
        with pytest.raises(InputError):
            TimedMoves(cube, np.array([1]), np.array([0]), np.array(wrong))


def test_a_graph_refuses_requests_it_does_not_route() -> None:
    graph = catalogue_graph("permutation", 2, 3, 3)
    assert isinstance(graph, DestinationGraph)
    with pytest.raises(InputError, match="not a permutation, but a many-one request"):
        run_graph(graph, np.zeros(8, dtype=int))
    with pytest.raises(InputError, match="one for each of 8 nodes"):
        run_graph(graph, np.zeros(4, dtype=int))
    with pytest.raises(InputError, match="routes permutations"):
        run_on_cube("hamiltonian", Cube(2, 3), np.zeros(8, dtype=int), many_one=True)
    many = catalogue_graph("many-one", 2, 3, 3)
    assert many is not None
    assert run_graph(many, np.zeros(8, dtype=int), many_one=True).steps == 3


def test_trials_give_an_interval_that_a_seed_gives_again() -> None:
    cube = Cube(2, 5)
    one, two = (run_trials("valiant-brebner", cube, reversal(5), trials=60, seed=4) for _ in range(2))
    assert one.histogram() == two.histogram()
    found = one.within(10)
    assert 0.3 < found.low < found.best < found.high < 1


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (3, 10), (50, 100)])
def test_limits_of_a_probability(hits: int, trials: int) -> None:
    from scipy.stats import beta

    low, high = probability_limits(hits, trials)
    assert low == pytest.approx(beta.ppf(0.005, hits, trials - hits + 1) if hits else 0, abs=1e-9)
    assert high == pytest.approx(beta.ppf(0.995, hits + 1, trials - hits) if hits < trials else 1, abs=1e-9)
    with pytest.raises(InputError):
        probability_limits(trials + 1, trials)
