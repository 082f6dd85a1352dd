"""Showing that no permutation graph of d steps exists: a solver's refutation, checked by ours."""

from __future__ import annotations

import threading

from ..core.checks.refutation import check_refutation
from ..core.cube.bounds import MAX_VARIABLES, num_variables, tight_clauses
from ..core.errors import InputError

__all__ = ["can_refute", "find_refutation"]


def can_refute(radix: int, dimensions: int, steps: int) -> bool:
    """Is the question small enough, and one that the formula speaks of?"""
    small = 3 <= dimensions <= 5 and radix >= 3 and num_variables(radix, dimensions) <= MAX_VARIABLES
    return steps == dimensions and small


def find_refutation(radix: int, dimensions: int, *, time_limit: float = 60.0) -> list[list[int]] | None:
    """Lemmas that refute ``tight_clauses``, checked by unit propagation; None if it has a solution or time is over.

    Raises InputError where python-sat is not installed.
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise InputError(
            "a refutation needs python-sat, which is not installed: pip install 'routeproof[search]'"
        ) from None

    clauses = tight_clauses(radix, dimensions)
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        timer = threading.Timer(min(time_limit, threading.TIMEOUT_MAX), solver.interrupt)
        timer.start()
        try:
            answer = solver.solve_limited(expect_interrupt=True)
        finally:
            timer.cancel()
        if answer is not False:
            return None
        lines = [line.split() for line in solver.get_proof()]
    lemmas = [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]
    check_refutation(num_variables(radix, dimensions), clauses, lemmas)
    return lemmas
