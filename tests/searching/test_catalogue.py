"""Every graph of the shipped catalogue is judged, walked packet by packet, and told truly in the documentation."""

from __future__ import annotations

import runpy

import pytest

from places import ROOT
from routeproof.core.cube.bounds import least_steps
from routeproof.core.cube.conditions import judge_conditions
from routeproof.core.cube.forms import graph_of_slots
from routeproof.routing.grid.destination_graph import find_meeting
from routeproof.searching.catalogue import Entry, catalogue, catalogue_graph
from slots import slots_of_graph

PAGE = ROOT / "docs" / "destination-graphs.md"
PAPER = {9: 11, 10: 14, 11: 19, 12: 24}


def name(entry: Entry) -> str:
    return f"{entry.kind}-{entry.radix}-{entry.dimensions}-{entry.steps}{'-minimum' if entry.minimum else ''}"


@pytest.mark.parametrize("entry", catalogue(), ids=name)
def test_an_entry_is_what_it_says(entry: Entry) -> None:
    graph = entry.graph()
    found = judge_conditions(graph)
    many_one = entry.kind == "many-one"
    assert (found.many_one if many_one else found.permutation).holds
    assert found.minimum_routing.holds or not entry.minimum
    assert graph.steps == entry.steps >= least_steps(entry.radix, entry.dimensions, many_one=many_one).steps
    if entry.steps <= 40 or graph.cube.num_nodes <= 600:
        assert find_meeting(graph, many_one=many_one) is None
    assert graph_of_slots(slots_of_graph(graph)).steps == entry.steps


def best(kind: str, radix: int, dimensions: int, *, minimum: bool = False) -> int | None:
    fits = [
        x.steps
        for x in catalogue()
        if (x.kind, x.radix, x.dimensions) == (kind, radix, dimensions) and (x.minimum or not minimum)
    ]
    return min(fits, default=None)


def test_the_tables_of_the_page_are_the_catalogue() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate" / "graphs.py"))
    text = PAGE.read_text(encoding="utf-8")
    assert text == made["with_tables"](text), "run: python docs/generate/graphs.py"


def test_what_is_closed_is_so_by_the_bounds_of_the_page() -> None:
    """Tight graphs of the 4-nary 3-cube are refuted; everywhere else a counting bound is meant."""
    still_open = {(2, 11), (2, 12), (3, 6), (4, 5), (6, 4)}
    for kind, radix, dimensions in {(x.kind, x.radix, x.dimensions) for x in catalogue()}:
        least = least_steps(radix, dimensions, many_one=kind == "many-one").steps
        ours = best(kind, radix, dimensions)
        assert ours is not None
        assert (ours > least) == (kind == "permutation" and (radix, dimensions) in {*still_open, (4, 3)})


def test_better_than_the_paper() -> None:
    for d, steps in PAPER.items():
        ours = best("permutation", 2, d, minimum=True)
        assert ours is not None
        assert ours < steps
    assert best("many-one", 2, 6) == 11


def test_the_catalogue_answers_by_the_fewest_steps() -> None:
    graph = catalogue_graph("permutation", 2, 8, 100, minimum=True)
    assert graph is not None
    assert graph.steps == 8
    assert catalogue_graph("permutation", 2, 8, 7) is None
    assert catalogue_graph("many-one", 9, 4, 10**6) is None
