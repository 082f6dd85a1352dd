"""What is looked for and how, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..core.cube.bounds import LowerBound
from ..core.cube.conditions import judge_conditions
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError

__all__ = ["Kind", "SearchQuestion", "SearchResult", "judged"]

Kind = Literal["many-one", "permutation"]


@dataclass(frozen=True)
class SearchQuestion:
    """A graph of at most ``steps`` steps for the t-nary d-cube; valid by C1 (many-one) or C2 (permutation).

    ``minimum``: every move corrects a digit.  A search restarts until ``time_limit`` seconds are over; ``first_try``:
    how many tries to leave out, where an earlier search of the same seed left off.  ``symmetry``, ``layout``: of
    permutation graphs, see ``anneal_permutation``.  ``catalogue``: look there first.  ``state``: a file where the
    search keeps how far it is, and from which it goes on if it is there.  Raises InputError for less than one step.
    """

    kind: Kind
    radix: int
    dimensions: int
    steps: int
    minimum: bool = False
    seed: int = 0
    first_try: int = 0
    time_limit: float = 60.0
    symmetry: str = "auto"
    layout: str = "auto"
    catalogue: bool = True
    state: str | None = None

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise InputError(f"{self.steps} steps were asked for; at least 1 is needed")

    @property
    def cube(self) -> Cube:
        return Cube(self.radix, self.dimensions)

    def settings(self) -> dict[str, Any]:
        """What every try depends on, besides its number."""
        names = ("radix", "dimensions", "steps", "minimum", "seed", "symmetry", "layout")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, eq=False)
class SearchResult:
    """``graph``: what was found, or None.  ``bound``: where set, the reason why there can be none; ``refutation``:
    lemmas that show it of ``core.cube.bounds.tight_clauses``.

    ``how``: ``bound``, ``refutation``, ``catalogue`` or ``search``.  ``uncovered``: where nothing was found, the fewest
    nodes left without a path; that proves nothing.  ``tries``: restarts begun.
    """

    graph: DestinationGraph | None
    how: str = "search"
    bound: LowerBound | None = None
    refutation: list[list[int]] | None = None
    uncovered: int = 0
    tries: int = 0
    seconds: float = 0.0


def judged(graph: DestinationGraph, asked: SearchQuestion) -> DestinationGraph:
    """The graph that a search has found: its conditions hold."""
    found = judge_conditions(graph)
    assert (found.many_one if asked.kind == "many-one" else found.permutation).holds
    assert found.minimum_routing.holds or not asked.minimum
    return graph
