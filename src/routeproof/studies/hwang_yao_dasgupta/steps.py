"""Hwang, Yao & Dasgupta: Figures 1 to 7, whose drawings are not in the text; and Theorem 2, how few steps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...core.claim import Grade
from ...core.cube.bounds import least_steps
from ...core.cube.conditions import judge_conditions
from ...core.cube.destination_graph import Cube, DestinationGraph, Move
from ...core.display import percent_text
from ...formats.documents.destination_graph import graph_to_document
from ...searching.catalogue import catalogue_graph, lemma_4
from ...simulate.cube.algorithms import hamiltonian_steps, run_on_cube
from ...simulate.cube.claims import run_trials
from ...topologies.grid.lattice import hypercube
from ...topologies.patterns import traffic_pattern
from ..result import HERE, Here, Progress, Row, StudyResult, silent

_WAIT: Move = (0, 0)
_A, _B, _C = (1, 1), (2, 1), (3, 1)
_MANY_ONE = {3: 3, 4: 4, 5: 7, 6: 12}


def first_graph() -> DestinationGraph:
    """A permutation graph of the binary 3-cube in 3 steps that is not a many-one graph.

    The text says of it: 101 moves to 001, stays put at step 2, and moves to 000; 111 goes to 100 by 101 in 2 steps; the
    packets 101 and 111 to 000 would want the link 001 -> 000 at step 3.
    """
    paths: dict[int, list[Move]] = {1: [_C], 2: [_B], 4: [_A], 3: [_B, _C], 5: [_A, _WAIT, _C], 6: [_A, _B]}
    return DestinationGraph.of(2, 3, {**paths, 7: [_A, _B, _C]})


def second_graph() -> DestinationGraph:
    """A many-one graph of the binary 3-cube in 4 steps; the text says: 110 moves by 010 to 000 and then stays put."""
    paths: dict[int, list[Move]] = {1: [_C], 2: [_B], 4: [_A], 6: [_A, _B], 3: [_B, _C], 5: [_C, _A]}
    return DestinationGraph.of(2, 3, {**paths, 7: [_B, _C, _WAIT, _A]})


def figures(progress: Progress = silent) -> StudyResult:
    """Figures 1 to 7 of Hwang, Yao & Dasgupta: the drawings are not in the text, but what it says of them is.

    Each figure's counterpart here is a graph that has every property which the text tells of the figure; it may not be
    the graph that was drawn.  ``data["graph"]`` is its document; ``routeproof check --plot`` draws it, and so does
    ``routeproof search`` for those of the catalogue.

    Steps of each figure's counterpart, and whether it is what the text says of the figure.
    """
    progress("judging seven graphs")
    one, two = first_graph(), second_graph()
    found = judge_conditions(one)
    fine = found.permutation.holds and one.path(5) == [_A, _WAIT, _C] and one.path(3) == [_B, _C]
    fine = fine and set(found.many_one.nodes) == {5, 7}
    rows = [_figure("Figure 1: permutations, binary 3-cube", one, "3", fine)]
    fine = judge_conditions(two).many_one.holds and two.path(6) == [_A, _B]
    rows.append(_figure("Figure 2: many-one, binary 3-cube", two, "4", fine))
    for d, steps in _MANY_ONE.items():
        graph = catalogue_graph("many-one", 2, d, steps, minimum=True)
        assert graph is not None
        fine = judge_conditions(graph).many_one.holds and graph.steps <= steps
        rows.append(_figure(f"Figure {d}: many-one, binary {d}-cube", graph, str(steps), fine))
    seven = lemma_4(3)
    fine = judge_conditions(seven).c1_prime.holds and seven.cube == Cube(3, 2)
    rows.append(_figure("Figure 7: many-one, ternary 2-cube (Lemma 4)", seven, "2", fine))
    return StudyResult(
        "Counterparts of Figures 1 to 7: steps",
        "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes, sec. 2 and 3",
        "graphs with the properties that the text tells of its figures; Figure 6 has one step more than needed",
        tuple(rows),
    )


def _figure(label: str, graph: DestinationGraph, published: str, fine: bool) -> Row:
    fewer = int(published) - graph.steps
    note = f"{fewer} fewer than published" if fewer else ""
    return Row(label, graph.steps, published, fine, note, data={"graph": graph_to_document(graph)})


_QUEUES = {"e-cube": "e-cube with queues", "greedy": "greedy", "borodin-hopcroft": "Borodin-Hopcroft halves"}
_RANDOM = {
    "valiant-brebner": "Valiant-Brebner ends within 2d steps",
    "valiant-brebner-at-once": "Valiant-Brebner without a pause between the phases ends within 2d steps",
}
_PERMUTATION = {**{d: d for d in range(3, 9)}, 9: 11, 10: 14, 11: 19, 12: 24}


def theorem_2(here: Here = HERE, trials: int = 60) -> StudyResult:
    """Theorem 2 and the remark after it, of Hwang, Yao & Dasgupta, sec. 3: how few steps.

    "There exists a gamma(8,11,14,19,24)-step invariant oblivious minimum-routing algorithm for permutation routing in
    the binary gamma(8,9,10,11,12)-cube", from many-one graphs of 3, 4, 7 and 12 steps for the binary 3- to 6-cube.  "It
    is of interest to know whether the lower bound [11] can be attained."

    Computed: the steps of the graphs in the catalogue, each judged again by C1 or C2; the lower bounds beside them.
    Then what the algorithms take that the paper compares with, all on one simulator: e-cube with queues, greedy
    routing, Borodin and Hopcroft's two halves on bit reversal (and transpose); our reconstruction of routing along
    Hamiltonian circuits, for all permutations; how often Valiant and Brebner's random routing ends within 2d steps.

    Steps of many-one graphs (d = 3 .. 6) and of minimum-routing permutation graphs (d = 3 .. 12), binary cubes.

    ``trials``: of Valiant and Brebner's routing, for every d.
    """
    rows = []
    for kind, table in (("many-one", _MANY_ONE), ("permutation", _PERMUTATION)):
        for d, published in table.items():
            here.progress(f"{kind}, d = {d}")
            rows.append(_row(kind, d, published))
    pieces = {f"other algorithms, d = {d}": {"d": d} for d in _PERMUTATION}
    found = here.done("cubes", others, pieces, trials=trials)
    for lines in found.values():
        rows += [
            Row(label, tuple(value) if isinstance(value, list) else value, grade=Grade[grade], note=note)
            for label, value, grade, note in lines
        ]
    return StudyResult(
        "Steps of minimum-routing destination graphs for binary d-cubes",
        "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes, sec. 3, Theorem 2",
        "there exist graphs of so many steps for all permutations; fewer are better; other algorithms beside them",
        tuple(rows),
    )


def others(trials: int, d: int) -> list[list[Any]]:
    """What other algorithms take on the binary d-cube: [label, value, grade, note] each."""
    cube = Cube(2, d)
    network = hypercube(d)
    rows: list[list[Any]] = []
    for pattern in ("bit-reversal", "transpose"):
        permutation = traffic_pattern(pattern, network).permutation if pattern != "transpose" or d % 2 == 0 else None
        for name, words in _QUEUES.items():
            if permutation is not None:
                steps = run_on_cube(name, cube, permutation.image).steps
                label = f"{words}, {pattern}, d = {d}"
                rows.append([label, steps, Grade.EXHAUSTED.name, "this permutation only"])
    reversal = traffic_pattern("bit-reversal", network).permutation
    assert reversal is not None
    label = f"Hamiltonian circuits (our reconstruction), d = {d}"
    note = "all permutations; not the step count of the original"
    rows.append([label, hamiltonian_steps(d), Grade.PROVED.name, note])
    for name, words in _RANDOM.items():
        found = run_trials(name, cube, reversal.image, trials=trials).within(2 * d)
        low, high = (Fraction(x).limit_denominator(10**6) for x in (found.low, found.high))
        sample = f"{found.trials} trials from seed 0, {percent_text(found.confidence)} interval"
        note = f"{sample}; told to succeed with high probability"
        rows.append([f"{words}, d = {d}", [low, high], Grade.SAMPLED.name, note])
    return rows


def _row(kind: str, d: int, published: int) -> Row:
    graph = catalogue_graph(kind, 2, d, published, minimum=True)
    least = least_steps(2, d, many_one=kind == "many-one").steps
    label = f"{kind}, d = {d}"
    if graph is None:
        return Row(label, "none", str(published), False, "the catalogue has no such graph", data={"lower_bound": least})
    found = judge_conditions(graph)
    holds = (found.many_one if kind == "many-one" else found.permutation).holds and found.minimum_routing.holds
    fewer = f"{published - graph.steps} fewer than published; " if graph.steps < published else ""
    note = f"{fewer}{'optimal' if graph.steps == least else f'at least {least} are needed'}"
    agrees = holds and graph.steps <= published
    return Row(label, graph.steps, str(published), agrees, note, data={"lower_bound": least})
