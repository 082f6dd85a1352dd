"""``rp.search``: destination graphs of few steps, or a proof that there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.cube.destination_graph import DestinationGraph
from ..core.errors import InputError
from ..questions.search import SearchAnswer, answer_search
from ..report.notebook.progress import words_here
from ..searching.question import Kind, SearchQuestion
from .result import DrawnResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.figures.style import Theme


class SearchResult(DrawnResult[SearchAnswer]):
    """``graph``: what was found, None where there is none or the search ended without an answer (``settled``)."""

    @property
    def graph(self) -> DestinationGraph | None:
        return self.answer.found.graph

    @property
    def settled(self) -> bool:
        """Is it known whether there is such a graph?"""
        return self.answer.settled


def search(
    kind: Kind,
    *,
    radix: int,
    dimensions: int,
    steps: int,
    minimum: bool = False,
    seed: int = 0,
    time_limit: float = 60.0,
    symmetry: str = "auto",
    layout: str = "auto",
    catalogue: bool = True,
) -> SearchResult:
    """A destination graph of at most ``steps`` steps: one oblivious schedule for every request, without conflicts.

        >>> import routeproof as rp
        >>> rp.search("permutation", radix=2, dimensions=4, steps=4).value("valid_permutation")
        'true'
        >>> rp.search("many-one", radix=2, dimensions=3, steps=1).graph is None
        True

    - ``kind``: "many-one" (a destination for every node) or "permutation";
    - ``radix``, ``dimensions``: t and d of the t-nary d-cube; ``minimum``: every move corrects a digit;
    - ``seed``: of the search; ``time_limit``: seconds of searching;
    - ``symmetry``, ``layout``: of permutation graphs, as the command's options;
    - ``catalogue``: take a graph that is known, where there is one.

    Source: Hwang, Yao & Dasgupta.  Raises InputError for cubes that are too small or too large, and for bad options.
    """
    question = SearchQuestion(
        kind, radix, dimensions, steps, minimum=minimum, seed=seed, time_limit=time_limit, symmetry=symmetry,
        layout=layout, catalogue=catalogue,
    )  # fmt: skip
    title = f"{kind} graphs of {radix}^{dimensions} nodes"

    def figure(answer: SearchAnswer, theme: Theme) -> Figure:
        from ..report.drawing.cubes import MAX_TREE_NODES, tree_figure

        graph = answer.found.graph
        if graph is None:
            raise InputError("there is no graph to draw: the search found none")
        if graph.cube.num_nodes > MAX_TREE_NODES:
            raise InputError(f"a tree of {graph.cube.num_nodes} paths is too large; {MAX_TREE_NODES} are drawn")
        return tree_figure(graph, title, theme)

    with words_here("search") as progress:
        return SearchResult(answer_search(question, progress=progress), title, figure=figure)
