"""Figure 1 of Towles, Dally & Boyd 2003 (SPAA '03, p. 1 of the paper; sec. 5.1 and 5.2): the exact tradeoff.

The figure prints no numbers; the text states some about its corners and points.  Worst-case throughput is a fraction of
capacity, path length a fraction of the minimal average.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ...engine import Engine
from ...optimum.tradeoff import Tradeoff, worst_case_tradeoff
from ...topologies.grid.torus import torus
from ...worst.capacity import known_capacity
from ..pieces import Progress, silent
from ..result import Chart, Row, StudyResult, compared, rounds_to
from .table_1 import Point, judge

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
    return _kept(k) if engine is None else worst_case_tradeoff(torus(k, k), engine=engine)


@lru_cache(maxsize=2)
def _kept(k: int) -> Tradeoff:
    """Two studies need the same curve."""
    return worst_case_tradeoff(torus(k, k))


def run(progress: Progress = silent, *, k: int = 8, engine: Engine | None = None) -> StudyResult:
    """The curve's corners, and how far above it the algorithms lie."""
    network = torus(k, k)
    progress("the exact curve")
    curve = curve_of(k, engine)
    capacity = known_capacity(network)
    ends = [(1 / x.load / capacity, x.length / curve.minimal) for x in (curve.points[0], curve.points[-1])]
    here = k == 8  # what is printed is about the 8-ary 2-cube
    (worst, length), (shortest, _) = ends
    below = length < Fraction(148, 100) and rounds_to(length, "1.48") if here else None
    corners = {"quantity": "corners", "curve": [[str(x.load), str(x.length / curve.minimal)] for x in curve.points]}
    rows = [
        Row("optimum: worst case", worst, "0.5", worst == Fraction(1, 2)),
        Row("optimum: path length", length, "just below 1.48" if here else "", below),
        Row("shortest paths: the best worst case", shortest, data={"quantity": "worst_case_throughput_of_capacity"}),
        Row("corners of the curve", len(curve.points), data=corners),
        *curve_rows(curve, capacity),
    ]
    points: dict[str, Point] = {}
    for name, title in _NAMES.items():
        progress(title)
        points[name] = judge(network, name)
        rows.append(_above(curve, name, title, points[name], here=here))
        place = {"series": title, "x": str(points[name].throughput)}
        rows.append(Row(f"{title}: path length", points[name].length, data={"routing": name, **place}))
    best = points["dor"].throughput == shortest
    rows.append(Row("DOR has the best worst case of any minimal routing", "true" if best else "false", "true", best))
    if here:
        for name, published in (("ival", "0.193"), ("2turn", "0.258")):
            saved = 1 - points[name].length / 2
            rows.append(compared(f"{_NAMES[name]}'s path length below VAL's 2", saved, published))
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
    data = {"worst_case_load": str(point.load), "average_path_length_of_minimal": str(point.length)}
    label = f"{title}: path length above the curve"
    return compared(label, over, published, quantity="study_row", routing=name, **data)
