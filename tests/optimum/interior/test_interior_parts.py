"""The parts of our interior-point method: the system in the potentials, its factors, the start, the steps, progress."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest

from routeproof import network
from routeproof.optimum.interior import method as interior
from routeproof.optimum.interior import system as interior_system
from routeproof.optimum.interior.blocks import Blocks, blocks_of
from routeproof.optimum.interior.design import _admissible
from routeproof.optimum.interior.method import Iterate, solve_interior, start_point
from routeproof.optimum.interior.steps import Direction, best_step
from routeproof.optimum.interior.system import PotentialSystem
from routeproof.optimum.worst_case import design_worst_case
from routeproof.symmetry.pair_classes import reduce


def _dense(blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    """(E, P) written down."""
    flows = np.arange(blocks.num_variables)
    balance = np.zeros((len(blocks.right), len(flows)))
    for row, entry in ((blocks.row1, blocks.entry1), (blocks.row2, blocks.entry2)):
        real = row >= 0
        np.add.at(balance, (row[real], flows[real]), entry[real])
    over = np.zeros((len(flows), blocks.num_potentials + 1))
    np.add.at(over, (flows, blocks.cover[:, 0]), 1.0)
    np.add.at(over, (flows, blocks.cover[:, 1]), 1.0)
    return balance, over


@pytest.mark.parametrize(("text", "symmetry"), [("mesh:3x2", "none"), ("torus:4x4", "auto"), ("petersen", "none")])
def test_the_system_is_the_schur_complement(text: str, symmetry: str) -> None:
    blocks = blocks_of(reduce(network(text), symmetry=symmetry))
    balance, over = _dense(blocks)
    rng = np.random.default_rng(1)
    x, s, y, z = (rng.uniform(0.1, 2.0, blocks.num_variables) for _ in range(4))
    loads = blocks.load.tocsr()
    load, potential = rng.uniform(0.1, 2.0, loads.shape[0]), rng.uniform(0.1, 2.0, blocks.num_potentials + 1)
    w = y / s
    d = z / x + w
    system = PotentialSystem(blocks, loads)
    with ThreadPoolExecutor(2) as pool:
        system.factor(w, d, flow=w - w * w / d, load=load, potential=potential, pool=pool)
    laplacian = balance @ np.diag(1 / d) @ balance.T
    g = balance @ np.diag(w / d) @ over
    rest = loads.toarray().T @ np.diag(load) @ loads.toarray() + np.diag(potential)
    schur = over.T @ np.diag(w - w * w / d) @ over + rest + g.T @ np.linalg.solve(laplacian, g)
    right = rng.normal(size=len(schur))
    assert np.allclose(schur @ system.solve(right), right)
    right = rng.normal(size=len(laplacian))
    assert np.allclose(laplacian @ system.laplace(right), right)
    system.factor_flows(1 / d)
    assert np.allclose(laplacian @ system.laplace(right), right)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 50])
def test_factors_by_tiles_are_factors(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interior_system, "_TILE", 8)
    monkeypatch.setattr(interior_system, "_ROWS", 16)
    half = np.random.default_rng(size).normal(size=(size, size + 3))
    square = half @ half.T
    for most in (0, 1000):  # by tiles, and at once
        monkeypatch.setattr(interior_system, "_SMALL", most)
        matrix = np.tril(square)
        with ThreadPoolExecutor(2) as pool:
            interior_system.factor_in_place(matrix, pool)
            lower = np.tril(matrix)
            assert np.allclose(lower @ lower.T, square)
            assert np.allclose(square @ interior_system.solve_factored(matrix, np.ones(size)), 1.0)
            with pytest.raises(np.linalg.LinAlgError):
                interior_system.factor_in_place(-square, pool)


@pytest.mark.parametrize("text", ["mesh:3x3", "random-regular:10,degree=3,seed=2", "ring:5,oneway", "torus:4x3"])
def test_the_start_is_inside(text: str) -> None:
    blocks = blocks_of(reduce(network(text)))
    cost = np.full(blocks.num_variables, 0.01)
    price = np.zeros(blocks.num_potentials + 1)
    price[-1] = 20.0
    start = start_point(blocks, PotentialSystem(blocks, blocks.load), blocks.load, cost, price)
    cuts = np.cumsum([len(cost), len(blocks.cover), len(price)])
    (x, s, p, t), (_, y, v, u) = np.split(start.primal, cuts), np.split(start.dual, cuts)
    assert float(start.primal.min()) > 0
    assert float(start.dual.min()) > 0
    row, column = blocks.cover.T
    assert np.allclose(p[row] + p[column] - x, s)
    assert np.allclose(blocks.load @ p, t)
    held = np.bincount(row, weights=y, minlength=len(price)) + np.bincount(column, weights=y, minlength=len(price))
    assert np.allclose(held + blocks.load.T @ u + v, price)


def test_a_step_stays_inside_and_lowers_the_products() -> None:
    rng = np.random.default_rng(5)
    x, z = rng.uniform(0.5, 2.0, 30), rng.uniform(0.5, 2.0, 30)

    def newton(change: np.ndarray) -> Direction:
        half = change / 2
        return Direction(half / z, half / x, np.zeros(0))

    step = best_step(x, z, newton, newton, correctors=3)
    after_x, after_z = x + step.primal * step.way.primal, z + step.dual * step.way.dual
    assert float(after_x.min()) > 0
    assert float(after_z.min()) > 0
    assert float(after_x @ after_z) < 0.5 * float(x @ z)
    assert 0 < step.primal <= 1
    assert 0 < step.dual <= 1


def _solved(text: str, accuracy: float) -> tuple[Blocks, Iterate]:
    blocks = blocks_of(reduce(network(text)))
    found = solve_interior(
        blocks, cost=np.zeros(blocks.num_variables), price=1.0, load=1.0, accuracy=accuracy, most_rounds=40
    )
    return blocks, found


def test_multipliers_are_made_to_fit() -> None:
    blocks, found = _solved("mesh:3x3", 1e-2)
    fitting = _admissible(blocks, found)
    (row, column), count = blocks.cover.T, blocks.num_potentials + 1
    held = np.bincount(row, weights=fitting, minlength=count) + np.bincount(column, weights=fitting, minlength=count)
    assert bool((held <= found.most * (1 + 1e-12) + 1e-300).all())
    assert bool((fitting <= np.maximum(found.y, 0.0)).all())


def test_an_early_point_is_kept_for_another_cost() -> None:
    blocks, found = _solved("mesh:3x3", 1e-6)
    assert found.gap <= 1e-6
    assert found.early is not None
    cost = blocks.hops * 0.01
    again = solve_interior(blocks, cost=cost, price=20.0, load=1.0, accuracy=1e-6, start=found.early)
    other = solve_interior(blocks, cost=cost, price=20.0, load=1.0, accuracy=1e-6)
    assert max(again.gap, other.gap) <= 1e-6
    assert abs(float(cost @ again.x) / float(cost @ other.x) - 1) < 1e-4


def test_a_graph_without_symmetry_is_solved_as_simplex_does() -> None:
    net = network("random-regular:8,degree=3,seed=1")
    exact = design_worst_case(net, shortest=True, solver="simplex", symmetry="none")
    told: list[str] = []

    @contextmanager
    def stage(name: str) -> Iterator[object]:
        yield told.append

    made = design_worst_case(net, shortest=True, solver="interior", symmetry="none", stage=stage)
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(1, 10**6)
    assert made.length_gap is not None
    assert made.length_gap < Fraction(1, 10**6)
    assert abs(made.length / exact.length - 1) < Fraction(1, 10**5)
    assert any(x.startswith("worst case: round 2, estimated gap ") for x in told)
    assert any(x.startswith("path length: round ") for x in told)


def test_a_second_stage_cut_short_leaves_the_routing_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    step, steps = interior._State.step, 0

    def slow(state: interior._State, pool: ThreadPoolExecutor) -> None:
        nonlocal steps
        steps += bool(state.cost.any())
        if steps > 2:
            raise KeyboardInterrupt
        step(state, pool)

    monkeypatch.setattr(interior._State, "step", slow)
    made = design_worst_case(network("torus:6x6"), shortest=True, solver="interior")
    assert not made.complete
    assert made.least_load <= Fraction(3, 2) <= made.load
    assert made.gap < Fraction(1, 10**5)
    assert made.least_length is not None
    assert made.least_length <= made.length
