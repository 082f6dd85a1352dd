"""Figure 5 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5.3; pp. 6 and 7): interpolated routings.

Where two routings share a worst-case permutation, the worst load of a mixture is the mean (13), so that a mixture runs
along a straight line in the load, and its distance from the optimal curve is largest at a corner of that curve.
"""

from __future__ import annotations

from fractions import Fraction

from ...engine import Engine
from ...optimum.tradeoff import Tradeoff
from ...topologies.grid.torus import torus
from ...worst.capacity import known_capacity
from ..pieces import Progress, silent
from ..result import Chart, Row, StudyResult, compared
from .figure_1 import curve_of, curve_rows
from .table_1 import Point, half_row, judge, mixed_length

NAME = "towles-dally-boyd-2003-figure-5"
_TITLES = {"ival": "IVAL", "2turn": "2TURN"}
_MOST = {"ival": "0.17", "2turn": "0.10"}
_SAVED = {("ival", "rlb"): "0.14", ("ival", "rlbth"): "0.12", ("2turn", "rlb"): "0.19", ("2turn", "rlbth"): "0.15"}
_BASES = {
    "rlb": "RLB, random orders",
    "rlb:order=xy": "RLB, both phases xy",
    "rlbth": "RLBth, random orders",
    "rlbth:order=xy": "RLBth, both phases xy",
}


def run(progress: Progress = silent, *, k: int = 8, engine: Engine | None = None) -> StudyResult:
    """Both interpolations on the k-ary 2-cube against the exact curve, and against RLB and RLBth."""
    network = torus(k, k)
    progress("the exact curve")
    curve = curve_of(k, engine)
    here = k == 8
    points: dict[str, Point] = {}
    for name in ("dor", *_TITLES, *_BASES):
        progress(name)
        points[name] = judge(network, name)
    capacity = known_capacity(network)
    rows = curve_rows(curve, capacity)
    loads = [1 / (Fraction(str(row.data["x"])) * capacity) for row in rows]
    for name, title in _TITLES.items():
        low, high = points["dor"], points[name]
        half = judge(network, f"mix:1/2*dor+1/2*{name}").load
        rows.append(half_row(f"half DOR, half {title}", half, low, high))
        most, share = _largest_gap(curve, low, high)
        why = f"exact: {float(most):.1%}, at a share of {float(share):.0%} of {title}"
        data = {"quantity": "study_row", "routing": f"mix of dor and {name}", "share": str(share)}
        label = f"DOR with {title}: at most above the optimal length"
        rows.append(compared(label, most, _MOST[name] if here else "", why, **data))
        for load in loads:
            throughput = 1 / load / capacity
            place = {"series": f"DOR with {title}", "x": str(throughput)}
            label = f"DOR with {title}: path length at {float(throughput):.4g} of capacity"
            rows.append(Row(label, mixed_length(low, high, load), data=place))
        for base, words in _BASES.items():
            saved = 1 - mixed_length(low, high, points[base].load) / points[base].length
            pair = (name, base.partition(":")[0])
            label = f"DOR with {title} at the worst case of {words}: shorter by"
            printed = _SAVED[pair] if here else ""
            rows.append(compared(label, saved, printed, _why(*pair), quantity="study_row", routing=base))
    return StudyResult(
        NAME,
        f"Interpolations of DOR with IVAL and with 2TURN on the {k}-ary 2-cube",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), Figure 5, sec. 5.3",
        "at most 17% above the optimal locality ... about 65% of the way between DOR and IVAL",
        tuple(rows),
        chart=Chart("worst-case throughput, of capacity", "average path length, of minimal"),
    )


def _why(name: str, base: str) -> str:
    if (name, base) == ("2turn", "rlb"):
        return "with 14 % for IVAL, 19 % is impossible: at that worst case the two mixtures differ by 2.2 % only"
    return "the text says roughly, or about, and leaves the order of dimensions open"


def _largest_gap(curve: Tradeoff, low: Point, high: Point) -> tuple[Fraction, Fraction]:
    """(the largest excess over the optimal length, the share of ``high`` there), over all mixtures."""
    loads = {low.load, high.load, *(x.load for x in curve.points if high.load <= x.load <= low.load)}
    best = (Fraction(-1), Fraction(0))
    for load in loads:
        least = curve.least_length(load)
        assert least is not None
        excess = mixed_length(low, high, load) * curve.minimal / least - 1
        best = max(best, (excess, (low.load - load) / (low.load - high.load)))
    return best
