"""Towles, Dally & Boyd 2003 (SPAA '03): Figure 1 (p. 1) and Figure 5 (pp. 6 and 7), against the exact tradeoff."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ...engine import Engine
from ...optimum.curve import Tradeoff
from ...optimum.tradeoff import worst_case_tradeoff
from ...topologies.grid.lattice import torus
from ...worst.capacity import known_capacity
from ..result import HERE, Chart, Here, Row, StudyResult, compared, rounds_to
from .table_1 import Point, half_row, judge, mixed_length

_NAMES = {
    "dor": "DOR",
    "valiant": "VAL",
    "romm": "ROMM",
    "rlb": "RLB, random orders",
    "rlbth": "RLBth, random orders",
    "ival": "IVAL",
    "2turn": "2TURN",
}


def curve_of(k: int, engine: Engine | None) -> Tradeoff:
    """The exact curve of the k-ary 2-cube; half a minute for k = 8."""
    return _kept(k) if engine is None else worst_case_tradeoff(torus(k, k), engine=engine)


@lru_cache(maxsize=2)
def _kept(k: int) -> Tradeoff:
    """Two studies need the same curve."""
    return worst_case_tradeoff(torus(k, k))


def figure_1(here: Here = HERE, *, k: int = 8) -> StudyResult:
    """Figure 1 of Towles, Dally & Boyd 2003 (SPAA '03, p. 1 of the paper; sec. 5.1 and 5.2): the exact tradeoff.

    The figure prints no numbers; the text states some about its corners and points.  Worst-case throughput is a
    fraction of capacity, path length a fraction of the minimal average.

    The curve's corners, and how far above it the algorithms lie.
    """
    network = torus(k, k)
    here.progress("the exact curve")
    curve = curve_of(k, here.engine)
    capacity = known_capacity(network)
    ends = [(1 / x.load / capacity, x.length / curve.minimal) for x in (curve.points[0], curve.points[-1])]
    as_printed = k == 8  # what is printed is about the 8-ary 2-cube
    (worst, length), (shortest, _) = ends
    below = length < Fraction(148, 100) and rounds_to(length, "1.48") if as_printed else None
    corners = {"quantity": "corners", "curve": [[str(x.load), str(x.length / curve.minimal)] for x in curve.points]}
    rows = [
        Row("optimum: worst case", worst, "0.5", worst == Fraction(1, 2)),
        Row("optimum: path length", length, "just below 1.48" if as_printed else "", below),
        Row("shortest paths: the best worst case", shortest, data={"quantity": "worst_case_throughput_of_capacity"}),
        Row("corners of the curve", len(curve.points), data=corners),
        *curve_rows(curve, capacity),
    ]
    points: dict[str, Point] = {}
    for name, title in _NAMES.items():
        here.progress(title)
        points[name] = judge(network, name)
        rows.append(_above(curve, name, title, points[name], as_printed=as_printed))
        place = {"series": title, "x": str(points[name].throughput)}
        rows.append(Row(f"{title}: path length", points[name].length, data={"routing": name, **place}))
    best = points["dor"].throughput == shortest
    rows.append(Row("DOR has the best worst case of any minimal routing", "true" if best else "false", "true", best))
    if as_printed:
        for name, published in (("ival", "0.193"), ("2turn", "0.258")):
            saved = 1 - points[name].length / 2
            rows.append(compared(f"{_NAMES[name]}'s path length below VAL's 2", saved, published))
    return StudyResult(
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


def _above(curve: Tradeoff, name: str, title: str, point: Point, *, as_printed: bool) -> Row:
    """How much longer the paths are than the shortest with the same worst case."""
    least = curve.least_length(point.load)
    assert least is not None
    over = point.length * curve.minimal / least - 1
    published = {"dor": "0", "ival": "0.091", "2turn": "0.0036"}.get(name, "") if as_printed else ""
    data = {"worst_case_load": str(point.load), "average_path_length_of_minimal": str(point.length)}
    label = f"{title}: path length above the curve"
    return compared(label, over, published, quantity="study_row", routing=name, **data)


_TITLES = {"ival": "IVAL", "2turn": "2TURN"}
_MOST = {"ival": "0.17", "2turn": "0.10"}
_SAVED = {("ival", "rlb"): "0.14", ("ival", "rlbth"): "0.12", ("2turn", "rlb"): "0.19", ("2turn", "rlbth"): "0.15"}
_BASES = {
    "rlb": "RLB, random orders",
    "rlb:order=xy": "RLB, both phases xy",
    "rlbth": "RLBth, random orders",
    "rlbth:order=xy": "RLBth, both phases xy",
}


def figure_5(here: Here = HERE, *, k: int = 8) -> StudyResult:
    """Figure 5 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5.3; pp. 6 and 7): interpolated routings.

    Where two routings share a worst-case permutation, the worst load of a mixture is the mean (13), so that a mixture
    runs along a straight line in the load, and its distance from the optimal curve is largest at a corner of that
    curve.

    Both interpolations on the k-ary 2-cube against the exact curve, and against RLB and RLBth.
    """
    network = torus(k, k)
    here.progress("the exact curve")
    curve = curve_of(k, here.engine)
    as_printed = k == 8
    points: dict[str, Point] = {}
    for name in ("dor", *_TITLES, *_BASES):
        here.progress(name)
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
        rows.append(compared(label, most, _MOST[name] if as_printed else "", why, **data))
        for load in loads:
            throughput = 1 / load / capacity
            place = {"series": f"DOR with {title}", "x": str(throughput)}
            label = f"DOR with {title}: path length at {float(throughput):.4g} of capacity"
            rows.append(Row(label, mixed_length(low, high, load), data=place))
        for base, words in _BASES.items():
            saved = 1 - mixed_length(low, high, points[base].load) / points[base].length
            pair = (name, base.partition(":")[0])
            label = f"DOR with {title} at the worst case of {words}: shorter by"
            printed = _SAVED[pair] if as_printed else ""
            rows.append(compared(label, saved, printed, _why(*pair), quantity="study_row", routing=base))
    return StudyResult(
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
