"""A solver's answer to clauses: a model, or a refutation that this package has checked."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ..core.errors import InputError
from ..kernel.refutation import Clause, check_refutation
from ..machine.interrupts import answering


def answer_clauses(
    num_variables: int, clauses: Sequence[Clause], *, time_limit: float, what: str
) -> tuple[set[int] | None, list[list[int]] | None]:
    """(the literals of a model, None), or (None, lemmas that refute the clauses); (None, None) once time is over.

    Lemmas are checked by unit propagation.  Raises InputError where python-sat, which ``what`` needs, is missing.
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise InputError(f"{what} needs python-sat, which is not installed: pip install 'routeproof[search]'") from None
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        timer = threading.Timer(min(time_limit, threading.TIMEOUT_MAX), solver.interrupt)
        timer.start()
        try:
            answer = answering(lambda: solver.solve_limited(expect_interrupt=True), solver.interrupt)
        finally:
            timer.cancel()
        if answer:
            return set(solver.get_model()), None
        lines = [] if answer is None else [line.split() for line in solver.get_proof()]
    if answer is None:
        return None, None
    lemmas = [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]
    check_refutation(num_variables, clauses, lemmas)
    return None, lemmas
