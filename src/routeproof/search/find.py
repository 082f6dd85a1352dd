"""One question, three ways to an answer: is there a graph of so many steps?  A bound, the catalogue, or a search."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from ..core.cube.bounds import LowerBound, lower_bounds
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError
from .catalogue import catalogue_graph
from .many_one import grow_many_one
from .permutation import anneal_permutation
from .refutation import can_refute, find_refutation
from .slots import symmetries
from .state import StateFile

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["Kind", "SearchResult", "find_graph"]

Kind = Literal["many-one", "permutation"]


@dataclass(frozen=True, eq=False)
class SearchResult:
    """``graph``: what was found, or None.  ``bound``: where set, the reason why there can be none; ``refutation``:
    lemmas that show it of ``core.cube.bounds.tight_clauses``.

    ``how``: ``bound``, ``refutation``, ``catalogue`` or ``search``.  ``uncovered``: where nothing was
    found, the fewest nodes left without a path; that proves nothing.
    """

    graph: DestinationGraph | None
    how: str
    bound: LowerBound | None = None
    refutation: list[list[int]] | None = None
    uncovered: int = 0
    tries: int = 0
    seconds: float = 0.0


def find_graph(
    kind: Kind,
    radix: int,
    dimensions: int,
    steps: int,
    *,
    minimum: bool = False,
    seed: int = 0,
    first_try: int = 0,
    time_limit: float = 60.0,
    symmetry: str = "auto",
    layout: str = "auto",
    catalogue: bool = True,
    state: str | None = None,
    progress: Callable[[str], None] | None = None,
    engine: Engine | None = None,
) -> SearchResult:
    """A graph of at most ``steps`` steps for the t-nary d-cube; valid by C1 (many-one) or C2 (permutation).

    ``minimum``: every move corrects a digit.  ``catalogue``: look there first.  A search restarts until
    ``time_limit`` seconds are over; ``first_try`` goes on where an earlier one, of the same seed, left off.
    ``symmetry``, ``layout``: of permutation graphs, see ``anneal_permutation``.  ``state``: a file where the search
    keeps how far it is, and from which it goes on if it is there.
    ``engine``: makes the tries of a permutation search, eight at a time; it has its own way to go on.
    Raises InputError for cubes that are too small or too large.
    """
    if steps < 1:
        raise InputError(f"{steps} steps were asked for; at least 1 is needed")
    _check_names(kind, Cube(radix, dimensions), symmetry, layout)
    best = lower_bounds(radix, dimensions, many_one=kind == "many-one")[0]
    if steps < best.steps:
        return SearchResult(None, "bound", best)
    if catalogue:
        known = catalogue_graph(kind, radix, dimensions, steps, minimum=minimum)
        if known is not None:
            return SearchResult(known, "catalogue")
    if kind == "permutation" and can_refute(radix, dimensions, steps) and importlib.util.find_spec("pysat"):
        lemmas = find_refutation(radix, dimensions, time_limit=time_limit)
        if lemmas is not None:
            return SearchResult(None, "refutation", refutation=lemmas)
    if engine is not None and kind == "permutation":
        if state is not None:
            raise InputError("--state and --run both keep how far a search is; one of them was expected")
        from .restarts import anneal_on_engine

        found = anneal_on_engine(
            engine,
            radix,
            dimensions,
            steps,
            minimum=minimum,
            symmetry=symmetry,
            layout=layout,
            seed=seed,
            first_try=first_try,
            time_limit=time_limit,
            progress=progress,
        )
        return SearchResult(found.graph, "search", uncovered=found.uncovered, tries=found.tries, seconds=found.seconds)
    asked = {"kind": kind, "radix": radix, "dimensions": dimensions, "steps": steps, "minimum": minimum, "seed": seed}
    file = None if state is None else StateFile(state, {**asked, "symmetry": symmetry, "layout": layout})
    found = (grow_many_one if kind == "many-one" else partial(anneal_permutation, symmetry=symmetry, layout=layout))(
        radix,
        dimensions,
        steps,
        minimum=minimum,
        seed=seed,
        first_try=first_try,
        time_limit=time_limit,
        resume=None if file is None else file.read(),
        keep=None if file is None else file.write,
        progress=progress,
    )
    return SearchResult(found.graph, "search", uncovered=found.uncovered, tries=found.tries, seconds=found.seconds)


def _check_names(kind: Kind, cube: Cube, symmetry: str, layout: str) -> None:
    """Raise InputError for a symmetry or a layout that no search knows, whether one is needed or not."""
    if layout not in ("auto", "split", "free"):
        raise InputError(f"layout '{layout[:40]}' is not known; auto, split, free are")
    known = ["auto", "none", *symmetries(cube)]
    known += [f"mirror-{x}" for x in symmetries(cube)] if layout == "free" else []
    if symmetry not in known:
        raise InputError(f"symmetry '{symmetry[:40]}' is not known here; {', '.join(known)} are")
    if kind == "many-one" and (symmetry, layout) != ("auto", "auto"):
        raise InputError("a symmetry or a layout is for permutation graphs; the search of many-one graphs uses none")
