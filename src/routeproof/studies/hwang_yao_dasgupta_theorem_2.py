"""Theorem 2 and the remark after it, of Hwang, Yao & Dasgupta, sec. 3: how few steps.

"There exists a gamma(8,11,14,19,24)-step invariant oblivious minimum-routing algorithm for permutation routing in the
binary gamma(8,9,10,11,12)-cube", from many-one graphs of 3, 4, 7 and 12 steps for the binary 3- to 6-cube.  "It is of
interest to know whether the lower bound [11] can be attained."

Computed: the steps of the graphs in the catalogue, each judged again by C1 or C2; the lower bounds beside them.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.destination_bounds import least_steps
from ..core.destination_conditions import judge_conditions
from ..search.catalogue import catalogue_graph
from .result import Row, StudyResult

__all__ = ["NAME", "run"]

NAME = "hwang-yao-dasgupta-theorem-2"

_MANY_ONE = {3: 3, 4: 4, 5: 7, 6: 12}
_PERMUTATION = {**{d: d for d in range(3, 9)}, 9: 11, 10: 14, 11: 19, 12: 24}


def run(progress: Callable[[str], None] | None = None) -> StudyResult:
    """Steps of many-one graphs (d = 3 .. 6) and of minimum-routing permutation graphs (d = 3 .. 12), binary cubes."""
    rows = []
    for kind, table in (("many-one", _MANY_ONE), ("permutation", _PERMUTATION)):
        for d, published in table.items():
            if progress is not None:
                progress(f"{kind}, d = {d}")
            rows.append(_row(kind, d, published))
    return StudyResult(
        NAME,
        "Steps of minimum-routing destination graphs for binary d-cubes",
        "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes, sec. 3, Theorem 2",
        "there exist graphs of so many steps; fewer are better",
        tuple(rows),
    )


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
    return Row(
        label, graph.steps, str(published), holds and graph.steps <= published, note, data={"lower_bound": least}
    )
