"""One question, four ways to an answer: is there a graph of so many steps?  A bound, the catalogue, a refutation by a
solver, checked by ours, or a search."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.cube.bounds import MAX_VARIABLES, lower_bounds, num_variables, tight_clauses
from ..core.errors import InputError, RouteproofWarning
from .catalogue import catalogue_graph
from .many_one import grow_many_one
from .permutation import anneal_on_engine, anneal_permutation
from .question import SearchQuestion, SearchResult, StateFile
from .satisfiability import answer_clauses
from .split_layout import symmetries

if TYPE_CHECKING:
    from ..engine import Engine

_NO_SOLVER = (
    "python-sat, which may prove within seconds that there is no such graph, is not installed: "
    "pip install 'routeproof[search]'; a search can find a graph, but never prove that there is none"
)


def python_warning(words: str) -> None:
    warnings.warn(words, RouteproofWarning, stacklevel=4)


def find_graph(
    question: SearchQuestion,
    *,
    progress: Callable[[str], None] | None = None,
    engine: Engine | None = None,
    warn: Callable[[str], None] = python_warning,
) -> SearchResult:
    """The graph that is asked for, or why there is none, or neither.

    ``engine``: makes the tries of a permutation search, eight at a time; it has its own way to go on.  ``warn(words)``
    is told at once, before a long search, that what could refute the graph is not installed.
    Raises InputError for cubes that are too small or too large.
    """
    _check_names(question)
    many_one = question.kind == "many-one"
    asked = (question.radix, question.dimensions, question.steps)
    best = lower_bounds(*asked[:2], many_one=many_one)[0]
    if question.steps < best.steps:
        return SearchResult(None, "bound", best)
    if question.catalogue:
        known = catalogue_graph(question.kind, *asked, minimum=question.minimum)
        if known is not None:
            return SearchResult(known, "catalogue")
    if not many_one and _can_refute(*asked):
        if importlib.util.find_spec("pysat"):
            lemmas = find_refutation(*asked[:2], time_limit=question.time_limit)
            if lemmas is not None:
                return SearchResult(None, "refutation", refutation=lemmas)
        else:
            warn(_NO_SOLVER)
    if engine is not None and not many_one:
        if question.state is not None:
            raise InputError("--state and --run both keep how far a search is; one of them was expected")
        return anneal_on_engine(engine, question, progress=progress)
    settings = question.settings()
    file = None if question.state is None else StateFile(question.state, {"kind": question.kind, **settings})
    resume, keep = (None, None) if file is None else (file.read(), file.write)
    if many_one:
        return grow_many_one(question, resume=resume, keep=keep, progress=progress)
    settings |= {"first_try": question.first_try, "time_limit": question.time_limit}
    return anneal_permutation(**settings, resume=resume, keep=keep, progress=progress)


def _check_names(asked: SearchQuestion) -> None:
    """Raise InputError for a symmetry or a layout that no search knows, whether one is needed or not."""
    symmetry, layout, own = asked.symmetry, asked.layout, symmetries(asked.cube)
    if layout not in ("auto", "split", "free"):
        raise InputError(f"layout is '{layout[:40]}'; auto, split or free was expected")
    known = ["auto", "none", *own, *(f"mirror-{x}" for x in own if layout == "free")]
    if symmetry not in known:
        raise InputError(f"symmetry is '{symmetry[:40]}'; one of {', '.join(known)} was expected")
    if asked.kind == "many-one" and (symmetry, layout) != ("auto", "auto"):
        raise InputError("a symmetry or a layout is for permutation graphs; the search of many-one graphs uses none")


def _can_refute(radix: int, dimensions: int, steps: int) -> bool:
    """Is the question small enough, and one that the formula speaks of?"""
    small = 3 <= dimensions <= 5 and radix >= 3 and num_variables(radix, dimensions) <= MAX_VARIABLES
    return steps == dimensions and small


def find_refutation(radix: int, dimensions: int, *, time_limit: float = 60.0) -> list[list[int]] | None:
    """Lemmas that refute ``tight_clauses``, checked by unit propagation: then no permutation graph of d steps exists.
    None if it has a solution or time is over.

    Raises InputError where python-sat is not installed.
    """
    clauses = tight_clauses(radix, dimensions)
    return answer_clauses(num_variables(radix, dimensions), clauses, time_limit=time_limit, what="a refutation")[1]
