"""Everything that is used of HiGHS, on programs whose answers are known; and that only this room knows the library."""

from __future__ import annotations

import math

import numpy as np
import pytest

from module_graph import external_imports, modules
from routeproof.lp.solver import PRECISE, PRIMAL, Solver, SolverError, Status


def small() -> Solver:
    """Minimise 2x + 3y with x + y >= 4, x + 3y >= 6: x = 3, y = 1, with prices 3/2 and 1/2."""
    solver = Solver(solver="simplex", **PRECISE)
    cost, low = np.array([2.0, 3.0]), np.array([4.0, 6.0])
    none, matrix = np.full(2, np.inf), np.array([1.0, 1.0, 1.0, 3.0])
    solver.load(cost, none, low, none, np.array([0, 2, 4]), np.array([0, 1, 0, 1]), matrix)
    return solver


def basis(solver: Solver) -> tuple[list[bool], list[bool], list[bool]]:
    found = solver.proposal()
    assert found.basic_columns is not None
    assert found.basic_rows is not None
    assert found.at_upper is not None
    return found.basic_columns.tolist(), found.basic_rows.tolist(), found.at_upper.tolist()


def test_only_this_room_knows_the_library() -> None:
    having = {name for name, path in modules().items() if "highspy" in external_imports(path)}
    assert having == {("lp", "solver")}


def test_a_program_is_solved() -> None:
    solver = small()
    assert solver.run() is solver.status is Status.OPTIMAL
    x, price = solver.solution()
    assert x == pytest.approx([3, 1])
    assert price == pytest.approx([1.5, 0.5])
    assert solver.objective == pytest.approx(9)
    assert solver.num_rows == 2
    assert basis(solver) == ([True, True], [False, False], [False, False])
    assert solver.proposal(vertex=False).basic_rows is None


def test_rows_and_columns_come_in() -> None:
    solver = small()
    solver.run()
    solver.add_column(1.0, [0, 1], [1.0, 1.0])  # cheaper than both
    assert solver.run() is Status.OPTIMAL
    assert solver.objective == pytest.approx(6)
    solver.add_row(-np.inf, 5.0, [2], [1.0])
    solver.add_rows(np.array([1.0, 0.0]), np.array([np.inf, 7.0]), ([1, 0], [0, 1], [1.0, 1.0]))
    solver.add_rows(np.array([-1.0]), np.array([1.0]))  # empty
    assert solver.num_rows == 6
    solver.run()
    assert solver.solution()[0] == pytest.approx([0, 1, 3])
    solver.add_columns(np.array([0.5, 9.0]), ([1, 0, 0], [3, 1, 0], [1.0, 1.0, 1.0]))
    solver.run()
    assert solver.solution()[0] == pytest.approx([0, 1, 0, 3, 0])
    solver.close_columns([3])
    solver.run()
    assert solver.solution()[0] == pytest.approx([0, 1, 3, 0, 0])
    solver.set_costs(np.array([1.0, 2.0, 9.0, 0.0, 9.0]))
    solver.run()
    assert solver.solution()[0] == pytest.approx([3, 1, 0, 0, 0])


def test_most_of_something() -> None:
    solver = Solver(simplex_strategy=PRIMAL)
    solver.add_row(-np.inf, 3.0)
    solver.maximise()
    solver.add_column(2.0, [0], [1.0])
    assert solver.run() is Status.OPTIMAL
    assert solver.objective == pytest.approx(6)
    assert solver.solution()[1] == pytest.approx([2])


def test_columns_at_their_limit_are_told() -> None:
    solver = Solver()
    one = np.ones(1)
    solver.load(-one, 5 * one, -np.inf * one, 9 * one, np.array([0, 1]), np.array([0]), one)
    assert solver.run() is Status.OPTIMAL
    assert basis(solver) == ([False], [True], [True])


def test_what_has_no_solution() -> None:
    solver = small()
    solver.add_row(-np.inf, 1.0, [0, 1], [1.0, 1.0])
    assert solver.run() is Status.INFEASIBLE
    assert solver.status_in_words == "infeasible"
    unbounded = Solver()
    unbounded.add_column(-1.0)
    assert unbounded.run() is Status.OTHER


def test_without_interior_crossover() -> None:
    solver = small()
    solver.set(solver="ipm", run_crossover="off", ipm_optimality_tolerance=1e-9)
    assert solver.run() in (Status.OPTIMAL, Status.UNKNOWN)
    assert solver.solution()[0] == pytest.approx([3, 1], abs=1e-6)


def test_limits() -> None:
    rng = np.random.default_rng(1)
    size = 60
    solver = Solver()
    cost, least = rng.random(size), rng.random(size)
    solver.add_columns(cost)
    matrix, every = rng.random((size, size)), np.arange(size)
    solver.add_rows(least, np.full(size, math.inf), (np.repeat(every, size), np.tile(every, size), matrix.ravel()))
    solver.set(simplex_iteration_limit=1, presolve="off")
    assert solver.run() is Status.OTHER
    assert solver.status_in_words == "iteration limit reached"
    solver.set(simplex_iteration_limit=2**31 - 1)
    assert solver.run(0.0) is Status.OUT_OF_TIME
    assert solver.run() is Status.OPTIMAL


def test_numbers_that_the_library_leaves_out_are_an_error() -> None:
    solver = Solver()
    solver.add_columns(np.ones(2))
    for give in (
        lambda: solver.add_row(0.0, np.inf, [0], [1e20]),
        lambda: solver.add_rows(np.zeros(1), np.full(1, np.inf), ([0], [1], [1e20])),
    ):
        with pytest.raises(SolverError, match=r"a number above 10\^15"):
            give()
    solver.add_row(0.0, np.inf, [0], [1e10])
    for give in (
        lambda: solver.add_column(0.0, [0], [1e20]),
        lambda: solver.add_columns(np.zeros(1), ([0], [0], [1e20])),
    ):
        with pytest.raises(SolverError, match=r"a number above 10\^15"):
            give()
