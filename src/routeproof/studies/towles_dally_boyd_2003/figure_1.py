"""Figure 1 of Towles, Dally & Boyd 2003 (SPAA '03, p. 1 of the paper; sec. 5.1 and 5.2): the exact tradeoff.

The figure prints no numbers; the text states some about its corners and points.  Worst-case throughput is a fraction of
capacity, path length a fraction of the minimal average.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ..result import Chart, Row, StudyResult, rounds_to
from .table_1 import Point, judge

if TYPE_CHECKING:
    from ...design.tradeoff import Tradeoff
    from ...engine import Engine

__all__ = ["NAME", "curve_of", "curve_rows", "run"]

NAME = "towles-dally-boyd-2003-figure-1"
_NAMES = {
    "dor": "DOR",
    "valiant": "VAL",
    "romm": "ROMM",
    "rlb": "RLB, random orders",
    "rlbth": "RLBth, random orders",
    "ival": "IVAL",
    "2turn": "2TURN",
}


def curve_of(k: int, engine: Engine | None = None) -> Tradeoff:
    """The exact curve of the k-ary 2-cube; half a minute for k = 8."""
    from ...design.tradeoff import worst_case_tradeoff
    from ...topologies.grid.torus import torus

    return _kept(k) if engine is None else worst_case_tradeoff(torus(k, k), engine=engine)


@lru_cache(maxsize=2)
def _kept(k: int) -> Tradeoff:
    """Two studies need the same curve."""
    from ...design.tradeoff import worst_case_tradeoff
    from ...topologies.grid.torus import torus

    return worst_case_tradeoff(torus(k, k))


def run(progress: Callable[[str], None] | None = None, *, k: int = 8, engine: Engine | None = None) -> StudyResult:
    """The curve's corners, and how far above it the algorithms lie."""
    from ...analysis.capacity import known_capacity
    from ...topologies.grid.torus import torus

    network = torus(k, k)
    if progress is not None:
        progress("the exact curve")
    curve = curve_of(k, engine)
    capacity = known_capacity(network)
    ends = [(1 / x.load / capacity, x.length / curve.minimal) for x in (curve.points[0], curve.points[-1])]
    here = k == 8  # what is printed is about the 8-ary 2-cube
    rows = [
        Row("optimum: worst case", ends[0][0], "0.5", ends[0][0] == Fraction(1, 2)),
        Row(
            "optimum: path length",
            ends[0][1],
            "just below 1.48" if here else "",
            ends[0][1] < Fraction(148, 100) and rounds_to(ends[0][1], "1.48") if here else None,
        ),
        Row("shortest paths: the best worst case", ends[1][0], data={"quantity": "worst_case_throughput_of_capacity"}),
        Row(
            "corners of the curve",
            len(curve.points),
            data={
                "quantity": "corners",
                "curve": [[str(x.load), str(x.length / curve.minimal)] for x in curve.points],
            },
        ),
    ]
    rows += curve_rows(curve, capacity)
    points: dict[str, Point] = {}
    for name, title in _NAMES.items():
        if progress is not None:
            progress(title)
        points[name] = judge(network, name)
        rows.append(_above(curve, name, title, points[name], here=here))
        place = {"series": title, "x": str(points[name].throughput)}
        rows.append(Row(f"{title}: path length", points[name].length, data={"routing": name, **place}))
    best = points["dor"].throughput == ends[1][0]
    rows.append(Row("DOR has the best worst case of any minimal routing", "true" if best else "false", "true", best))
    if here:
        for name, published in (("ival", "0.193"), ("2turn", "0.258")):
            saved = 1 - points[name].length / 2
            rows.append(
                Row(f"{_NAMES[name]}'s path length below VAL's 2", saved, published, rounds_to(saved, published))
            )
    return StudyResult(
        NAME,
        f"Path length against worst-case throughput on the {k}-ary 2-cube: the exact curve, and algorithms above it",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), Figure 1, sec. 5.1 and 5.2",
        "VAL, RLB, and RLBth all lie far from the optimal tradeoff curve",
        tuple(rows),
        chart=Chart("worst-case throughput, of capacity", "average path length, of minimal"),
    )


def curve_rows(curve: Tradeoff, capacity: Fraction) -> list[Row]:
    """The optimal path length at some throughputs between the curve's ends, to be read beside the figure."""
    ends = [1 / x.load / capacity for x in (curve.points[-1], curve.points[0])]
    between = [Fraction(k, 40) for k in range(1, 40) if ends[0] < Fraction(k, 40) < ends[1]]
    rows = []
    for throughput in [ends[0], *between, ends[1]]:
        least = curve.least_length(1 / (throughput * capacity))
        assert least is not None
        label = f"optimal path length at {float(throughput):.4g} of capacity"
        rows.append(Row(label, least / curve.minimal, data={"series": "optimum", "x": str(throughput)}))
    return rows


def _above(curve: Tradeoff, name: str, title: str, point: Point, *, here: bool) -> Row:
    """How much longer the paths are than the shortest with the same worst case."""
    least = curve.least_length(point.load)
    assert least is not None
    over = point.length * curve.minimal / least - 1
    published = {"dor": "0", "ival": "0.091", "2turn": "0.0036"}.get(name, "") if here else ""
    agrees = rounds_to(over, published) if published else None
    return Row(
        f"{title}: path length above the curve",
        over,
        published,
        agrees,
        data={
            "quantity": "study_row",
            "routing": name,
            "worst_case_load": str(point.load),
            "average_path_length_of_minimal": str(point.length),
        },
    )
