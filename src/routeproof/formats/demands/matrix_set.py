"""Matrices in files as sets: the mixtures of one, or of several; and demands around a matrix, or between two,
where every pair has a least and a largest one.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.rational import shown
from ...demand_sets.demand_set import BETWEEN, Demand, DemandSet, Given, NamedSet
from ...demand_sets.hull import Hull
from ...demand_sets.limits import Box
from ...demand_sets.transport import TransportSet, between
from ..text_files import brief, parse_number
from .description import MARGIN, stated_number, stated_terminal
from .matrices import positive, read_matrices, scaled, unit_of


def _matrix(given: Given) -> DemandSet:
    unit, found = unit_of(given), dict[str, Demand]()
    for path in _files(given):
        found |= {name: scaled(x, unit) for name, x in read_matrices(path, given.network).items()}
    return Hull(given.size, given.text, tuple(found.values()), tuple(found))


def _files(given: Given) -> list[str]:
    """A file or a directory; those that fit a pattern (``tm-*.xml``); or a list with commas between them."""
    rest = given.rest
    if os.path.exists(rest):
        return [rest]
    found: list[str] = []
    for text in map(str.strip, rest.split(",")) if "," in rest else [rest]:
        fitting = [text] if os.path.exists(text) or not glob.has_magic(text) else sorted(glob.glob(text))
        if not fitting:
            raise InputError(f"the demand set {brief(given.text)}: no file fits {brief(text)}")
        found += fitting
    twice = next((x for k, x in enumerate(found) if x in found[:k]), None)
    if twice is not None:
        raise InputError(f"the demand set {brief(given.text)}: file {brief(twice)} is given twice")
    return found


def _read_hull(data: Mapping[str, Any], size: int) -> DemandSet:
    value = data.get("matrices")
    if set(data) != {"text", "matrices"} or not isinstance(value, Mapping) or BETWEEN in data["text"]:
        raise InputError("matrices are the whole of a set that is called matrix:FILE: an object, by name")
    matrices = []
    for name, entries in value.items():
        what = f"the matrix {str(name)[:40]!r}"
        if not isinstance(entries, list):
            raise InputError(f"{what} must be a list of [source, destination, rate]")
        rates: dict[tuple[int, int], Fraction] = {}
        for k, item in enumerate(entries):
            if not isinstance(item, list) or len(item) != 3:
                raise InputError(f"{what}: entry {k} must be [source, destination, rate]")
            pair = stated_terminal(item[0], what), stated_terminal(item[1], what)
            if pair in rates:
                raise InputError(f"{what}: a second entry from {pair[0]} to {pair[1]}")
            rates[pair] = stated_number(item[2], what)
        matrices.append(rates)
    return Hull(size, data["text"], tuple(matrices), tuple(map(str, value)))


MATRIX = NamedSet(
    "matrix:FILE",
    "one matrix of rates, or the worst of several (a pattern, a list)",
    _matrix,
    ("unit",),
    read=_read_hull,
)


def _box(given: Given) -> DemandSet:
    """``box:FILE,margin=2``, or the least and the largest demand in two files."""
    paths = _two_files(given.rest)
    if paths is None:
        if "margin" not in given.options:
            raise InputError(
                f"the demand set {brief(given.text)} has no margin; box:FILE,margin=2 or box:LOW,HIGH, two files, was "
                f"expected"
            )
        rates, margin = _rates(given.rest, given), positive(given, "margin", "a factor of at least 1, such as 2")
        if margin < 1:
            raise InputError(f"the demand set {brief(given.text)}: margin is {margin}; at least 1 was expected")
        return _between({pair: (x / margin, x * margin) for pair, x in rates.items()}, given)
    if "margin" in given.options:
        raise InputError(f"the demand set {brief(given.text)}: a margin goes with one file, not with two")
    low, high = (_rates(path, given, empty=path is paths[0]) for path in paths)
    none = Fraction(0)
    return _between({pair: (low.get(pair, none), high.get(pair, none)) for pair in {**low, **high}}, given)


def _between(limits: Box, given: Given) -> TransportSet:
    for (i, j), (low, high) in limits.items():
        if low > high:
            one, other = (given.network.terminal_label(t) for t in (i, j))
            raise InputError(
                f"the demand set {brief(given.text)}: from {one} to {other} at least {low} and at most {high}; "
                f"a least demand that is not above the largest was expected"
            )
    return between(limits, given.size, text=given.text)


def _two_files(rest: str) -> tuple[str, str] | None:
    """LOW,HIGH; None for one file."""
    if os.path.exists(rest) or "," not in rest:
        return None
    places = [k for k, c in enumerate(rest) if c == ","]
    splits = [(rest[:k].strip(), rest[k + 1 :].strip()) for k in places]
    return max(splits, key=lambda x: os.path.exists(x[0]) + os.path.exists(x[1]))


def _rates(path: str, given: Given, *, empty: bool = False) -> Demand:
    found = read_matrices(path, given.network, empty=empty)
    if len(found) != 1:
        raise InputError(f"file {brief(path)} holds {len(found)} matrices; one was expected for a box")
    return scaled(next(iter(found.values())), unit_of(given))


def _told_box(demands: TransportSet, rest: str, alone: bool) -> DemandSet:
    """Raises InputError where the box is not as wide as its margin; of an intersection, where it is wider."""
    for found in MARGIN.finditer(rest):
        factor = parse_number(found[1], what=f"the margin of {demands.text[:60]!r}") ** 2
        for (i, j), (low, high) in (demands.box or {}).items():
            if high != factor * low if alone else high > factor * low:
                raise InputError(
                    f"terminal {i} sends {shown(low)} to {shown(high)} to {j}, which is not the margin of "
                    f"{demands.text[:60]!r}"
                )
    return demands


BOX = NamedSet(
    "box:FILE,margin=2",
    "every entry of a matrix, times or divided by up to 2",
    _box,
    ("unit", "margin"),
    limits=("box",),
    told=_told_box,
)
