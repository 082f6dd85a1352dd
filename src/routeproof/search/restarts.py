"""Restarts of the search for permutation graphs as independent pieces of work.

A try depends on its number alone, so tries can be made anywhere.  They are made eight at a time, and of those that find
a graph the first counts: the answer does not depend on who made them, nor on how many did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..formats.documents.destination_graph import graph_from_document, graph_to_document
from .permutation import Found, anneal_permutation

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["anneal_on_engine", "one_try"]

_AT_ONCE = 8


def anneal_on_engine(
    engine: Engine,
    radix: int,
    dimensions: int,
    steps: int,
    *,
    minimum: bool = False,
    symmetry: str = "auto",
    layout: str = "auto",
    seed: int = 0,
    first_try: int = 0,
    time_limit: float = 60.0,
    progress: Callable[[str], None] | None = None,
) -> Found:
    """``anneal_permutation`` by an engine.  Time is looked at between eight tries and the next, never within one."""
    from ..engine import Work

    start = time.monotonic()
    shared = {"radix": radix, "dimensions": dimensions, "steps": steps, "minimum": minimum, "symmetry": symmetry}
    shared |= {"layout": layout, "seed": seed}
    best, tries = radix**dimensions, 0
    while True:
        turns = range(first_try + tries, first_try + tries + _AT_ONCE)
        work = Work(
            f"tries {turns[0] + 1} to {turns[-1] + 1}",
            one_try,
            {f"try {k + 1}": {"turn": k} for k in turns},
            shared=shared,
        )
        found = engine.run(work)
        for tried, result in enumerate(found.values(), 1):
            best = min(best, int(result["uncovered"]))
            if result["graph"] is not None:
                graph = graph_from_document(result["graph"], what="a graph that was found")
                return Found(graph, 0, tries + tried, time.monotonic() - start)
        tries += _AT_ONCE
        if progress is not None:
            progress(f"{first_try + tries} tries: at best {best} of {radix**dimensions} nodes without a path")
        if time.monotonic() - start >= time_limit:
            return Found(None, best, tries, time.monotonic() - start)


def one_try(turn: int, **asked: Any) -> dict[str, Any]:
    """Try number ``turn`` of a search, to its end: the graph's document or None, and the nodes left without a path."""
    found = anneal_permutation(**asked, first_try=turn, most_tries=1, time_limit=float("inf"))
    return {
        "uncovered": found.uncovered,
        "graph": None if found.graph is None else graph_to_document(found.graph),
    }
