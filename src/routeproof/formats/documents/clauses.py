"""Refutations as solvers and their checkers read them: clauses in DIMACS, lemmas in DRAT without deletions.

Source: the DIMACS challenge 1993 (CNF); Wetzler, Heule & Hunt 2014 (SAT), DRAT-trim: a lemma on each line, the last one
empty.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ...core.errors import InputError
from ...kernel.refutation import Clause, Refutation
from ..text_files import write_text_atomic


def write_refutations(folder: str, found: Sequence[Refutation], report: str) -> list[str]:
    """Write each into ``folder`` as N.cnf and N.drat, from 1; returns the names of the files.

    Raises InputError where they cannot be written, and where ``report`` has none.
    """
    if not found:
        raise InputError(f"--refutations {folder}: no claim of {report} rests on a refutation of clauses")
    names = []
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputError(f"--refutations {folder}: {error.strerror}; a folder was expected") from None
    for number, one in enumerate(found, 1):
        for ending, text in (("cnf", _cnf(one)), ("drat", _lines(one.lemmas))):
            names.append(os.path.join(folder, f"{number}.{ending}"))
            write_text_atomic(names[-1], text)
    return names


def _cnf(one: Refutation) -> str:
    return f"p cnf {one.num_variables} {len(one.clauses)}\n{_lines(one.clauses)}"


def _lines(clauses: Iterable[Clause]) -> str:
    return "".join(f"{' '.join(map(str, (*clause, 0)))}\n" for clause in clauses)
