"""Matrices in files as a set: the mixtures of one, or of several."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...demand_sets.demand_set import Demand, DemandSet
from ...demand_sets.hull import Hull
from ...demand_sets.named import BETWEEN, Given, NamedSet
from ..text_files import brief
from .description import stated_number, stated_terminal
from .matrices import read_matrices, scaled, unit_of


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
