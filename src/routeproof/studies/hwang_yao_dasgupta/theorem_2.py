"""Theorem 2 and the remark after it, of Hwang, Yao & Dasgupta, sec. 3: how few steps.

"There exists a gamma(8,11,14,19,24)-step invariant oblivious minimum-routing algorithm for permutation routing in the
binary gamma(8,9,10,11,12)-cube", from many-one graphs of 3, 4, 7 and 12 steps for the binary 3- to 6-cube.  "It is of
interest to know whether the lower bound [11] can be attained."

Computed: the steps of the graphs in the catalogue, each judged again by C1 or C2; the lower bounds beside them.  Then
what the algorithms take that the paper compares with, all on one simulator: e-cube with queues, greedy routing, Borodin
and Hopcroft's two halves on bit reversal (and transpose); our reconstruction of routing along Hamiltonian circuits, for
all permutations; how often Valiant and Brebner's random routing ends within 2d steps.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...core.claim import Grade
from ...core.cube.bounds import least_steps
from ...core.cube.conditions import judge_conditions
from ...core.cube.destination_graph import Cube
from ...core.display import percent_text
from ...engine import Engine
from ...searching.catalogue import catalogue_graph
from ...simulate.cube.algorithms import hamiltonian_steps, run_on_cube
from ...simulate.cube.claims import run_trials
from ...topologies.grid.torus import hypercube
from ...topologies.patterns import traffic_pattern
from ..pieces import Progress, done_pieces, silent
from ..result import Row, StudyResult

NAME = "hwang-yao-dasgupta-theorem-2"

_QUEUES = {"e-cube": "e-cube with queues", "greedy": "greedy", "borodin-hopcroft": "Borodin-Hopcroft halves"}
_RANDOM = {
    "valiant-brebner": "Valiant-Brebner ends within 2d steps",
    "valiant-brebner-at-once": "Valiant-Brebner without a pause between the phases ends within 2d steps",
}
_MANY_ONE = {3: 3, 4: 4, 5: 7, 6: 12}
_PERMUTATION = {**{d: d for d in range(3, 9)}, 9: 11, 10: 14, 11: 19, 12: 24}


def run(progress: Progress = silent, trials: int = 60, engine: Engine | None = None) -> StudyResult:
    """Steps of many-one graphs (d = 3 .. 6) and of minimum-routing permutation graphs (d = 3 .. 12), binary cubes.

    ``trials``: of Valiant and Brebner's routing, for every d.
    """
    rows = []
    for kind, table in (("many-one", _MANY_ONE), ("permutation", _PERMUTATION)):
        for d, published in table.items():
            progress(f"{kind}, d = {d}")
            rows.append(_row(kind, d, published))
    pieces = {f"other algorithms, d = {d}": {"d": d} for d in _PERMUTATION}
    found = done_pieces(others, pieces, shared={"trials": trials}, name="cubes", engine=engine, progress=progress)
    for lines in found.values():
        rows += [
            Row(label, tuple(value) if isinstance(value, list) else value, grade=Grade[grade], note=note)
            for label, value, grade, note in lines
        ]
    return StudyResult(
        NAME,
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
