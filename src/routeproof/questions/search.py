"""Is there a destination graph of so few steps?  The graph, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core.claim import Claim
from ..engine import Engine
from ..searching.find import find_graph, python_warning
from ..searching.question import SearchQuestion, SearchResult
from .answer import Answer
from .document import bound_claims, cube_subject, destination_graph_claims, destination_graph_subject, refutation_claim


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SearchAnswer(Answer):
    """``found.graph``; or why there is none; or neither, and then nothing is claimed (``settled`` is False)."""

    question: SearchQuestion
    found: SearchResult

    @property
    def settled(self) -> bool:
        """Is the question answered, either way?"""
        return bool(self.stated)

    @property
    def subject(self) -> dict[str, Any]:
        if self.found.graph is not None:
            return destination_graph_subject(self.found.graph, "search")
        return cube_subject(self.question.cube)


def answer_search(
    question: SearchQuestion,
    *,
    engine: Engine | None = None,
    progress: Callable[[str], None] | None = None,
    warn: Callable[[str], None] = python_warning,
) -> SearchAnswer:
    """Look for the graph, in the catalogue first; ``progress(words)`` says how far a search is.

    ``engine``: where the tries of a search for permutation graphs are made; ``warn``: as in ``find_graph``.  Raises
    InputError for cubes that are too small or too large, and for bad options.
    """
    found = find_graph(question, progress=progress, engine=engine, warn=warn)
    asked = (question.radix, question.dimensions)
    claims: list[Claim] = []
    if found.refutation is not None:
        claims = [refutation_claim(*asked, found.refutation)]
    elif found.graph is not None:
        claims = [*destination_graph_claims(found.graph), *bound_claims(*asked, question.kind)]
    elif found.bound is not None:
        claims = bound_claims(*asked, question.kind)
    return SearchAnswer(question=question, found=found, stated=claims)
