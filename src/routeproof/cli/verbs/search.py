"""``routeproof search``: destination graphs of few steps, or a reason why there are none."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from ..frame import engine_options, outcome, progress, screen
from ..frame.arguments import JsonReport, argument, flag, option

_Kind = enum.StrEnum("_Kind", {"MANY_ONE": "many-one", "PERMUTATION": "permutation"})


def search(
    kind: Annotated[
        _Kind,
        argument(
            "KIND",
            "What the graph must route: many-one, any request that names a destination for every node, or "
            "permutation, any permutation.",
        ),
    ],
    radix: Annotated[int, option("t", "Digits run from 0 to t - 1.")],
    dimensions: Annotated[int, option("d", "Digits of a node.")],
    steps: Annotated[int, option("s", "The most steps that a packet may take.")],
    minimum: Annotated[bool, flag("Every move must correct a digit.", "--minimum")] = False,
    output: Annotated[str | None, option("GRAPH.json", "Write the graph that is found.", "--output", "-o")] = None,
    seed: Annotated[int, option("S", "The random seed of the search.", min=0)] = 0,
    time_limit: Annotated[float, option("SECONDS", "How long to search.", min=0.0)] = 60.0,
    first_try: Annotated[int, option("N", "Continue where a search of N tries stopped.", min=0)] = 0,
    state: Annotated[
        str | None, option("FILE", "Save the progress of the search, and continue from there if the file exists.")
    ] = None,
    symmetry: Annotated[str, option("NAME", "auto, none, negation, or rotation-m (in blocks of m digits).")] = "auto",
    layout: Annotated[
        str, option("NAME", "Slots of permutation graphs: split (first steps, last steps), free (searched), or auto.")
    ] = "auto",
    fresh: Annotated[bool, flag("Search, though the catalogue may have a graph.", "--fresh")] = False,
    plot: Annotated[str | None, option("FILE", "Draw the graph's tree (.svg, .png or .pdf).")] = None,
    json: JsonReport = None,
) -> None:
    """Find a destination graph with at most the given number of steps: an oblivious, conflict-free schedule.

    The graph is checked by the conditions C1 and C2, as by routeproof check.  Where a lower bound or a
    refutation (which needs python-sat) forbids such a graph, that is the answer.  Exit status 1 if the search ends
    without an answer.

    For example: routeproof search permutation --radix 2 --dimensions 8 --steps 8 --minimum --output graph.json
    """
    from ...formats.documents.destination_graph import write_graph
    from ...questions.search import answer_search
    from ...report.terminal.simulated import cube_name, not_found, search_parts
    from ...searching.question import SearchQuestion

    question = SearchQuestion(
        kind.value, radix, dimensions, steps, minimum=minimum, seed=seed, first_try=first_try, time_limit=time_limit,
        symmetry=symmetry, layout=layout, catalogue=not fresh, state=state,
    )  # fmt: skip
    if plot is not None:
        from ...report.drawing.cubes import check_tree_picture

        check_tree_picture(plot, question.cube.num_nodes)
    with progress.status_line() as tell, engine_options.engine_here() as engine:
        answer = answer_search(
            question, engine=engine, progress=tell, warn=lambda words: screen.note(f"warning: {words}")
        )
    if not answer.settled:
        screen.note(not_found(answer))
        raise typer.Exit(1)
    graph = answer.found.graph
    if graph is not None and output is not None:
        write_graph(graph, output)
    if graph is not None and plot is not None:
        from ...report.drawing.cubes import draw_tree

        draw_tree(graph, plot, title=f"{cube_name(graph.cube)}, {question.kind}, {graph.steps} steps")
    outcome.finish(answer, lambda found: search_parts(found, written=output), json=json)
