"""Table 1 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5, p. 4 of the paper): existing algorithms on the 8-ary 2-cube.

The table describes DOR, VAL, ROMM, RLB and RLBth in words; their numbers are points of Figure 1 and the text of sec. 5.
IVAL (sec. 5.2) is among them.  Worst-case throughput is a fraction of capacity, path length a fraction of the minimal
average.  Where the text leaves the order of dimensions open (RLB, RLBth, ROMM: "DOR is used for both phases") both
readings are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ...core.network import Network
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.lattice import torus
from ...worst.capacity import known_capacity
from ...worst.deadlock.channels import virtual_channels
from ...worst.locality import average_path_length, minimal_average
from ...worst.scan.exact import worst_case
from ..result import HERE, Here, Row, StudyResult, compared, rounds_to

_K = 8

_NAMES = {
    "dor": "DOR",
    "valiant": "VAL",
    "romm:order=xy-xy": "ROMM, both phases xy",
    "romm": "ROMM, random orders",
    "rlb:order=xy": "RLB, both phases xy",
    "rlb": "RLB, random orders",
    "rlbth:order=xy": "RLBth, both phases xy",
    "rlbth": "RLBth, random orders",
    "ival": "IVAL",
}
# What the text states: worst case of capacity, length of minimal.
_PUBLISHED = {
    "dor": ("", "1"),
    "valiant": ("0.5", "2"),
    "romm:order=xy-xy": ("", "1"),
    "romm": ("", "1"),
    "ival": ("0.5", "1.61"),
}
_HALF = "mix:1/2*dor+1/2*ival"
_CHANNELS = {"dor": "2", "valiant": "4", "ival": "4"}
_SELF = "packets to their own node stay there; 63/32 is 2 (1 - 1/N), and exactly 2 comes out if they are routed too"
_NO_NUMBER = "a point of Figure 1 without a printed number"


class Point(NamedTuple):
    """``load``: worst-case load; ``throughput``: 1 / load of capacity; ``length``: of the minimal average; exact."""

    load: Fraction
    throughput: Fraction
    length: Fraction


def judge(network: Network, name: str) -> Point:
    """The point of a routing in the plane of Figure 1."""
    routing = routing_from_spec(name, network)
    worst = worst_case(routing)
    length = average_path_length(routing, orbits=worst.classes.label) / minimal_average(network)
    return Point(worst.load, worst.throughput / known_capacity(network), length)


def point_of(name: str) -> list[Fraction]:
    """The ``Point`` of a routing on the 8-ary 2-cube, as a list."""
    return list(judge(torus(_K, _K), name))


def mixed_length(low: Point, high: Point, load: Fraction) -> Fraction:
    """The length of the mixture of two whose worst load is ``load``, where worst loads mix linearly (eq. 12 and 13)."""
    share = (low.load - load) / (low.load - high.load)
    return low.length + share * (high.length - low.length)


def run(here: Here = HERE) -> StudyResult:
    """All algorithms of Table 1, interpolations of DOR and IVAL, and virtual channels."""
    rows: list[Row] = []
    pieces = {title: {"name": name} for name, title in {**_NAMES, _HALF: "half DOR, half IVAL"}.items()}
    judged = here.done("algorithms", point_of, pieces)
    points = {str(pieces[title]["name"]): Point(*found) for title, found in judged.items()}
    for name, title in _NAMES.items():
        rows += _point_rows(name, title, points[name])
    # "19.3 %" and "almost 20 %", with VAL at exactly 2, as the paper has it.
    rows.append(compared("IVAL's path length below VAL's 2", 1 - points["ival"].length / 2, "0.193"))
    rows += _interpolation(points)
    names = (*_CHANNELS, "2turn")
    pieces = {f"virtual channels of {_NAMES.get(x, '2TURN')}": {"name": x} for x in names}
    found = here.done("virtual channels", channels_of, pieces)
    rows += _channel_rows({str(pieces[key]["name"]): value for key, value in found.items()})
    return StudyResult(
        "The routing algorithms of Table 1 on the 8-ary 2-cube: worst case of capacity, path length of minimal",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), Table 1, Figure 1, sec. 5",
        "VAL, RLB, and RLBth all lie far from the optimal tradeoff curve",
        tuple(rows),
    )


def _point_rows(name: str, title: str, point: Point) -> list[Row]:
    worst, length = _PUBLISHED.get(name, ("", ""))
    exact = name == "valiant"  # "twice the minimal distance", exactly
    agrees = (point.length == int(length) if exact else rounds_to(point.length, length)) if length else None
    reason = "" if agrees else _SELF if exact else "" if length else _NO_NUMBER
    fits = rounds_to(point.throughput, worst) if worst else None
    data = {"quantity": "worst_case_throughput_of_capacity", "routing": name, "load": str(point.load)}
    other = {"quantity": "average_path_length_of_minimal", "routing": name}
    return [
        Row(f"{title}: worst case", point.throughput, worst, fits, "" if worst else _NO_NUMBER, data=data),
        Row(f"{title}: path length", point.length, length, agrees, reason, data=other),
    ]


def half_row(title: str, half: Fraction, low: Point, high: Point, **data: str) -> Row:
    """The worst load ``half`` of the mixture of two in equal shares: sec. 5.3 and eq. 13 say that it is the mean."""
    mean = (low.load + high.load) / 2
    note = "" if half == mean else f"the mean is {mean}"
    return Row(f"{title}: worst load", half, "the mean of both", half == mean, note, data=data)


def _interpolation(points: dict[str, Point]) -> list[Row]:
    """Sec. 5.3: DOR and IVAL share a worst-case permutation; the mixture at RLB's worst case is shorter than RLB."""
    dor, ival = points["dor"], points["ival"]
    kind = {"quantity": "worst_case_load", "routing": _HALF}
    rows = [half_row("half DOR, half IVAL", points[_HALF].load, dor, ival, **kind)]
    for name, published in (("rlb", "0.14"), ("rlb:order=xy", "0.14"), ("rlbth", "0.12"), ("rlbth:order=xy", "0.12")):
        saved = 1 - mixed_length(dor, ival, points[name].load) / points[name].length
        reason = (
            f"the text says roughly {int(100 * Fraction(published))} %, without the order of dimensions; with our "
            f"exact points it is this"
        )
        label = f"DOR with IVAL at the worst case of {_NAMES[name]}: shorter by"
        rows.append(compared(label, saved, published, reason, quantity="study_row", routing=name))
    return rows


def channels_of(name: str) -> list[Any]:
    """[virtual channels that suffice to avoid deadlock, how they are assigned]."""
    found = virtual_channels(routing_from_spec(name, torus(_K, _K)), "turns")
    return [found.count, found.assignment]


def _channel_rows(found: Mapping[str, Sequence[Any]]) -> list[Row]:
    """Sec. 5.2: "a total of four virtual channels per physical channel to avoid deadlock, the same as VAL"."""
    rows = []
    for name, (count, assignment) in found.items():
        published = _CHANNELS.get(name, "4")
        label = f"{_NAMES.get(name, '2TURN')}: virtual channels that suffice"
        data = {"quantity": "virtual_channels", "routing": name, "assignment": assignment}
        rows.append(Row(label, count, published, count == int(published), data=data))
    return rows
