"""Is there a destination graph of so few steps?  The graph, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from .answer import ALONE, Answer, Setting, Shown
from .question import Question, argument, flag, option, question, spelled
from .shared import JSON_REPORT

if TYPE_CHECKING:
    from ..searching.question import Kind, SearchQuestion, SearchResult


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SearchAnswer(Answer):
    """``found.graph``; or why there is none; or neither, and then nothing is claimed."""

    shown = Shown(
        "terminal.simulated:search_parts", display=("output",), figure="drawing.cubes:search_figure",
        unsettled="terminal.simulated:not_found",
    )  # fmt: skip

    question: SearchQuestion
    found: SearchResult

    @property
    def settled(self) -> bool:
        return bool(self.stated)

    @property
    def undrawable(self) -> str:
        return "the search found no graph" if self.found.graph is None else ""

    @property
    def subject(self) -> dict[str, Any]:
        from .document import cube_subject, destination_graph_subject

        if self.found.graph is not None:
            return destination_graph_subject(self.found.graph, "search")
        return cube_subject(self.question.cube)


@question
class Search(Question[SearchAnswer]):
    """Find a destination graph with at most the given number of steps: an oblivious, conflict-free schedule.

    The graph is checked by the conditions C1 and C2, as by routeproof check.  Where a lower bound or a
    refutation (which needs python-sat) forbids such a graph, that is the answer.  Exit status 1 if the search ends
    without an answer.

    For example: routeproof search permutation --radix 2 --dimensions 8 --steps 8 --minimum --output graph.json

        >>> import routeproof as rp
        >>> rp.search("permutation", radix=2, dimensions=4, steps=4).value("valid_permutation")
        'true'
        >>> rp.search("many-one", radix=2, dimensions=3, steps=1).graph is None
        True

    Source: Hwang, Yao & Dasgupta.  Raises InputError for cubes that are too small or too large, and for bad options.
    """

    verb, place, function, long = "search", 110, "search", "asked"
    panel = "Simulate and search"
    plot_check = "drawing.cubes:check_search"

    kind: Kind = argument(
        "KIND",
        "What the graph must route: many-one, any request that names a destination for every node, or permutation, "
        "any permutation.",
        choices=("many-one", "permutation"),
    )
    _: KW_ONLY
    radix: int = option("t", "Digits run from 0 to t - 1.")
    dimensions: int = option("d", "Digits of a node.")
    steps: int = option("s", "The most steps that a packet may take.")
    minimum: bool = flag("Every move must correct a digit.", "--minimum", default=False)
    output: str | None = option("GRAPH.json", "Write the graph that is found.", "--output", "-o", init=False)
    seed: int = option("S", "The random seed of the search.", default=0, min=0)
    time_limit: float = option("SECONDS", "How long to search.", default=60.0, min=0.0)
    first_try: int = option("N", "Continue where a search of N tries stopped.", default=0, min=0)
    state: str | None = option(
        "FILE", "Save the progress of the search, and continue from there if the file exists.", default=None
    )
    symmetry: str = option("NAME", "auto, none, negation, or rotation-m (in blocks of m digits).", default="auto")
    layout: str = option(
        "NAME",
        "Slots of permutation graphs: split (first steps, last steps), free (searched), or auto.",
        default="auto",
    )
    catalogue: bool = flag(
        "Search, though the catalogue may have a graph.",
        "--fresh",
        default=True,
        name="fresh",
        command_default=False,
        read=lambda _, fresh: not fresh,
        python="Take a graph that is known, where there is one.",
    )
    plot: str | None = option("FILE", "Draw the graph's tree (.svg, .png or .pdf).", init=False)
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"{self.kind} graphs of {self.radix}^{self.dimensions} nodes"

    @property
    def asked(self) -> SearchQuestion:
        """As the search knows it; raises InputError for less than one step."""
        from ..searching.question import SearchQuestion

        return SearchQuestion(
            self.kind, self.radix, self.dimensions, self.steps, minimum=self.minimum, seed=self.seed,
            first_try=self.first_try, time_limit=self.time_limit, symmetry=self.symmetry, layout=self.layout,
            catalogue=self.catalogue, state=self.state,
        )  # fmt: skip

    def answer(self, setting: Setting = ALONE) -> SearchAnswer:
        from ..searching.find import find_graph
        from .document import bound_claims, destination_graph_claims, refutation_claim

        asked, cube = self.asked, (self.radix, self.dimensions)
        with setting.words("search") as progress:
            found = find_graph(asked, progress=progress, engine=setting.engine, warn=setting.warn)
        stated = []
        if found.refutation is not None:
            stated = [refutation_claim(*cube, found.refutation)]
        elif found.graph is not None:
            stated = [*destination_graph_claims(found.graph), *bound_claims(*cube, asked.kind)]
        elif found.bound is not None:
            stated = bound_claims(*cube, asked.kind)
        return SearchAnswer(question=asked, found=found, stated=stated)

    def write(self, answer: SearchAnswer, path: str, _: Callable[[str, Any], None]) -> None:
        from ..formats.documents.destination_graph import write_graph

        if answer.found.graph is not None:
            write_graph(answer.found.graph, path)
