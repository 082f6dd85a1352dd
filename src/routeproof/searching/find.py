"""One question, four ways to an answer: is there a graph of so many steps?  A bound, the catalogue, a refutation by a
solver, checked by ours, or a search.

Many-one graphs, grown step by step from node 0.

Lemma A (see the documentation): C1 holds exactly if every slot carries one prefix vector, and waiting is free; so a
many-one graph of S steps is a set of vectors grown from {0} to the whole cube in S steps, each of which adds at most
one new vector per move type.  That is broadcast from one node when all ports work at once: Bertsekas, Özveren,
Stamoulis, Tseng & Tsitsiklis 1991 (J. Parallel and Distributed Computing 11).
"""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.cube.bounds import MAX_VARIABLES, lower_bounds, num_variables, tight_clauses
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError, RouteproofWarning
from .catalogue import catalogue_graph
from .permutation import anneal_on_engine, anneal_permutation
from .question import SearchQuestion, SearchResult, SearchState, StateFile, judged
from .satisfiability import answer_clauses
from .split_layout import symmetries

if TYPE_CHECKING:
    from ..engine import Engine


def grow_many_one(
    asked: SearchQuestion,
    *,
    resume: SearchState | None = None,
    keep: Callable[[SearchState], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """A many-one graph, judged by C1, or the nearest miss within the time limit.

    At each step as many types as possible get a new vector, the lightest ones (fewest digits that are not 0) first:
    candidates are taken in that order, ties by lot, each if all those taken still find types of their own.  Restarts
    until it fits.  ``keep`` is called after every try with how many are over; ``resume`` goes on from there.
    """
    start = time.monotonic()
    cube, first_try, tries = asked.cube, asked.first_try, 0
    best = cube.num_nodes
    if resume is not None:
        first_try, best = resume.turn, min(best, resume.best)
    while True:
        rng = np.random.default_rng([asked.seed, first_try + tries])
        tries += 1
        left, step, kind, source = _grow(cube, asked.steps, asked.minimum, rng)
        best = min(best, left)
        if left == 0:
            graph = judged(_graph(cube, asked.steps, step, kind, source), asked)
            return SearchResult(graph, tries=tries, seconds=time.monotonic() - start)
        if keep is not None:
            keep(SearchState(first_try + tries, 0, best))
        if progress is not None:
            progress(f"try {tries}: {left} of {cube.num_nodes} nodes without a path, at best {best}")
        if time.monotonic() - start >= asked.time_limit:
            return SearchResult(None, uncovered=best, tries=tries, seconds=time.monotonic() - start)


def _grow(cube: Cube, steps: int, minimum: bool, rng: np.random.Generator) -> tuple[int, Int64, Int64, Int64]:
    """(nodes left, and by node: the step at which it was added, from 1, the last type, the vector before it)."""
    size = cube.num_nodes
    step, kind, source = (np.zeros(size, dtype=np.int64) for _ in range(3))
    everyone = np.arange(size)
    # below[u, k]: the vector to which type k is added to give u.
    below = np.stack([cube.subtract(everyone, np.full(size, v)) for v in cube.vector], axis=1).astype(np.int64)
    usable = np.ones((size, cube.num_types + 1), dtype=bool)
    usable[:, 0] = False
    if minimum:
        usable &= cube.weight[below] < cube.weight[:, None]
    reached = np.zeros(size, dtype=bool)
    reached[0] = True
    lot = rng.random(size)
    for n in range(1, steps + 1):
        open_ = usable & reached[below] & ~reached[:, None]
        candidates = np.nonzero(open_.any(axis=1))[0]
        order = candidates[np.lexsort((lot[candidates], cube.weight[candidates]))]
        for u, k in _matched(open_, order, cube.num_types, rng).items():
            step[u], kind[u], source[u] = n, k, below[u, k]
        reached |= step == n
        if reached.all():
            break
    return int(np.count_nonzero(~reached)), step, kind, source


def _matched(open_: npt.NDArray[np.bool_], order: Int64, num_types: int, rng: np.random.Generator) -> dict[int, int]:
    """Node -> type, one to one, for the first nodes in ``order`` that can all have a type."""
    owner: dict[int, int] = {}
    for u in order.tolist():
        if len(owner) == num_types:
            break
        _augment(u, open_, owner, rng.permutation(num_types) + 1, set())
    return {u: k for k, u in owner.items()}


def _augment(u: int, open_: npt.NDArray[np.bool_], owner: dict[int, int], kinds: Int64, seen: set[int]) -> bool:
    """Find a type for ``u``, moving other nodes to other types where needed."""
    mine = [int(k) for k in kinds if open_[u, k] and k not in seen]
    for k in mine:
        if k not in owner:
            owner[k] = u
            return True
    for k in mine:
        if k not in seen:
            seen.add(k)
            if _augment(owner[k], open_, owner, kinds, seen):
                owner[k] = u
                return True
    return False


def _graph(cube: Cube, steps: int, step: Int64, kind: Int64, source: Int64) -> DestinationGraph:
    """Follow every node back to 0."""
    moves = np.zeros((cube.num_nodes, steps), dtype=np.int16)
    at = np.arange(cube.num_nodes)
    rows = at.copy()
    while len(rows):
        keep = at[rows] > 0
        rows = rows[keep]
        moves[rows, step[at[rows]] - 1] = kind[at[rows]]
        at[rows] = source[at[rows]]
    return DestinationGraph(cube, moves)


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
