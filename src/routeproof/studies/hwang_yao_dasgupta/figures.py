"""Figures 1 to 7 of Hwang, Yao & Dasgupta: the drawings are not in the text, but what it says of them is.

Each figure's counterpart here is a graph that has every property which the text tells of the figure; it may not be the
graph that was drawn.  ``data["graph"]`` is its document; ``routeproof check --plot`` draws it, and so does ``routeproof
search`` for those of the catalogue.
"""

from __future__ import annotations

from ...core.cube.conditions import judge_conditions
from ...core.cube.destination_graph import Cube, DestinationGraph, Move
from ...formats.documents.destination_graph import graph_to_document
from ...searching.catalogue import catalogue_graph, lemma_4
from ..pieces import Progress, silent
from ..result import Row, StudyResult

NAME = "hwang-yao-dasgupta-figures"

_WAIT: Move = (0, 0)
_A, _B, _C = (1, 1), (2, 1), (3, 1)
_MANY_ONE = {3: (3, 3), 4: (4, 4), 5: (5, 7), 6: (6, 12)}


def figure_1() -> DestinationGraph:
    """A permutation graph of the binary 3-cube in 3 steps that is not a many-one graph.

    The text says of it: 101 moves to 001, stays put at step 2, and moves to 000; 111 goes to 100 by 101 in 2 steps; the
    packets 101 and 111 to 000 would want the link 001 -> 000 at step 3.
    """
    paths: dict[int, list[Move]] = {1: [_C], 2: [_B], 4: [_A], 3: [_B, _C], 5: [_A, _WAIT, _C], 6: [_A, _B]}
    return DestinationGraph.of(2, 3, {**paths, 7: [_A, _B, _C]})


def figure_2() -> DestinationGraph:
    """A many-one graph of the binary 3-cube in 4 steps; the text says: 110 moves by 010 to 000 and then stays put."""
    paths: dict[int, list[Move]] = {1: [_C], 2: [_B], 4: [_A], 6: [_A, _B], 3: [_B, _C], 5: [_C, _A]}
    return DestinationGraph.of(2, 3, {**paths, 7: [_B, _C, _WAIT, _A]})


def run(progress: Progress = silent) -> StudyResult:
    """Steps of each figure's counterpart, and whether it is what the text says of the figure."""
    progress("judging seven graphs")
    one, two = figure_1(), figure_2()
    found = judge_conditions(one)
    fine = found.permutation.holds and one.path(5) == [_A, _WAIT, _C] and one.path(3) == [_B, _C]
    fine = fine and set(found.many_one.nodes) == {5, 7}
    rows = [_row("Figure 1: permutations, binary 3-cube", one, "3", fine)]
    fine = judge_conditions(two).many_one.holds and two.path(6) == [_A, _B]
    rows.append(_row("Figure 2: many-one, binary 3-cube", two, "4", fine))
    for number, (d, steps) in _MANY_ONE.items():
        graph = catalogue_graph("many-one", 2, d, steps, minimum=True)
        assert graph is not None
        fine = judge_conditions(graph).many_one.holds and graph.steps <= steps
        rows.append(_row(f"Figure {number}: many-one, binary {d}-cube", graph, str(steps), fine))
    seven = lemma_4(3)
    fine = judge_conditions(seven).c1_prime.holds and seven.cube == Cube(3, 2)
    rows.append(_row("Figure 7: many-one, ternary 2-cube (Lemma 4)", seven, "2", fine))
    return StudyResult(
        NAME,
        "Counterparts of Figures 1 to 7: steps",
        "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes, sec. 2 and 3",
        "graphs with the properties that the text tells of its figures; Figure 6 has one step more than needed",
        tuple(rows),
    )


def _row(label: str, graph: DestinationGraph, published: str, fine: bool) -> Row:
    fewer = int(published) - graph.steps
    note = f"{fewer} fewer than published" if fewer else ""
    return Row(label, graph.steps, published, fine, note, data={"graph": graph_to_document(graph)})
