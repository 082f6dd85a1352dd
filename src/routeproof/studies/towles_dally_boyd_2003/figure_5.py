"""Figure 5 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5.3; pp. 6 and 7): interpolated routings.

Where two routings share a worst-case permutation, the worst load of a mixture is the mean (13), so that a mixture runs
along a straight line in the load, and its distance from the optimal curve is largest at a corner of that curve.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from ..result import Chart, Row, StudyResult, rounds_to
from .figure_1 import curve_of, curve_rows
from .table_1 import Point, judge, mixed_length

if TYPE_CHECKING:
    from ...design.tradeoff import Tradeoff
    from ...engine import Engine

__all__ = ["NAME", "run"]

NAME = "towles-dally-boyd-2003-figure-5"
_TITLES = {"ival": "IVAL", "2turn": "2TURN"}
_MOST = {"ival": "0.17", "2turn": "0.10"}
_SAVED = {("ival", "rlb"): "0.14", ("ival", "rlbth"): "0.12", ("2turn", "rlb"): "0.19", ("2turn", "rlbth"): "0.15"}
_LABELS = {"rlb": "RLB", "rlbth": "RLBth"}


def run(progress: Callable[[str], None] | None = None, *, k: int = 8, engine: Engine | None = None) -> StudyResult:
    """Both interpolations on the k-ary 2-cube against the exact curve, and against RLB and RLBth."""
    from ...analysis.capacity import known_capacity
    from ...topologies.grid.torus import torus

    network = torus(k, k)
    if progress is not None:
        progress("the exact curve")
    curve = curve_of(k, engine)
    here = k == 8
    names = ("dor", "ival", "2turn", "rlb", "rlb:order=xy", "rlbth", "rlbth:order=xy")
    points: dict[str, Point] = {}
    for name in names:
        if progress is not None:
            progress(name)
        points[name] = judge(network, name)
    capacity = known_capacity(network)
    rows = curve_rows(curve, capacity)
    loads = [1 / (Fraction(str(row.data["x"])) * capacity) for row in rows]
    for name, title in _TITLES.items():
        low, high = points["dor"], points[name]
        half = judge(network, f"mix:1/2*dor+1/2*{name}")
        mean = (low.load + high.load) / 2
        rows.append(
            Row(
                f"half DOR, half {title}: worst load",
                half.load,
                "the mean of both",
                half.load == mean,
                "" if half.load == mean else f"the mean is {mean}",
            )
        )
        most, share = _largest_gap(curve, low, high)
        published = _MOST[name] if here else ""
        agrees = rounds_to(most, published) if published else None
        rows.append(
            Row(
                f"DOR with {title}: at most above the optimal length",
                most,
                published,
                agrees,
                "" if agrees is not False else f"exact: {float(most):.1%}, at a share of {float(share):.0%} of {title}",
                data={"quantity": "study_row", "routing": f"mix of dor and {name}", "share": str(share)},
            )
        )
        for load in loads:
            throughput = 1 / load / capacity
            place = {"series": f"DOR with {title}", "x": str(throughput)}
            label = f"DOR with {title}: path length at {float(throughput):.4g} of capacity"
            rows.append(Row(label, mixed_length(low, high, load), data=place))
        for base in ("rlb", "rlbth"):
            for text in (base, f"{base}:order=xy"):
                saved = 1 - mixed_length(low, high, points[text].load) / points[text].length
                printed = _SAVED[name, base] if here else ""
                fits = rounds_to(saved, printed) if printed else None
                order = "random orders" if text == base else "both phases xy"
                rows.append(
                    Row(
                        f"DOR with {title} at the worst case of {_LABELS[base]}, {order}: shorter by",
                        saved,
                        printed,
                        fits,
                        "" if fits is not False else _why(name, base),
                        data={"quantity": "study_row", "routing": text},
                    )
                )
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
