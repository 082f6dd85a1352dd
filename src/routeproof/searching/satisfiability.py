"""A solver's answer to clauses: a model, or a refutation that this package has checked."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.errors import InputError
from ..kernel.refutation import Clause, check_refutation
from ..machine.deadlines import Deadline, held_interrupts

_LOOK = 0.05  # seconds between two looks at the clock


def solve(solver: Any, seconds: float) -> bool | None:
    """Has what python-sat's ``solver`` holds a model?  None once time is over; Ctrl-C ends it at once."""
    answer: list[bool | None] = []
    # Python hears signals while it waits for a thread, but not inside the solver.
    thread = threading.Thread(target=lambda: answer.append(solver.solve_limited(expect_interrupt=True)), daemon=True)
    deadline = Deadline(seconds)
    with held_interrupts() as held:  # nobody may delete the solver while the thread is in it
        thread.start()
        try:
            while thread.is_alive() and not (held.happened or deadline.over):
                thread.join(_LOOK)
        finally:
            if thread.is_alive():
                solver.interrupt()
                thread.join()
            solver.clear_interrupt()
    if held.happened:
        raise KeyboardInterrupt
    return answer[0] if answer else None


def answer_clauses(
    num_variables: int,
    clauses: Sequence[Clause],
    *,
    time_limit: float,
    what: str,
    checked_until: Deadline | None = None,
) -> tuple[set[int] | None, list[list[int]] | None]:
    """(the literals of a model, None), or (None, lemmas that refute the clauses); (None, None) once time is over.

    Lemmas are checked by unit propagation, which ends at ``checked_until``.
    Raises InputError where python-sat, which ``what`` needs, is missing.
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise InputError(f"{what} needs python-sat, which is not installed: pip install 'routeproof[search]'") from None
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        answer = solve(solver, time_limit)
        if answer:
            return set(solver.get_model()), None
        lines = [] if answer is None else [line.split() for line in solver.get_proof()]
    if answer is None:
        return None, None
    lemmas = [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]
    try:
        check_refutation(num_variables, clauses, _until(checked_until or Deadline(None), lemmas))
    except TimeoutError:
        return None, None
    return None, lemmas


def _until(deadline: Deadline, lemmas: list[list[int]]) -> Iterator[list[int]]:
    """Raises TimeoutError once time is over."""
    for lemma in lemmas:
        if deadline.over:
            raise TimeoutError
        yield lemma
