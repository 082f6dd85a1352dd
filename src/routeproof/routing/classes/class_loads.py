"""Loads for one pair of every class of pairs equivalent under symmetry, and how reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

from ...core.arrays import Int32
from ...core.errors import InputError
from ...formats.documents.packed_ints import pack_ints
from ...symmetry.described import ClassSymmetry

_MOST_DIGITS = 4000


@dataclass(frozen=True, eq=False)
class ClassLoads:
    """A unit flow from node ``source`` to node ``destination``: ``load[k] / den`` on ``channel[k]``, without cycles."""

    source: int
    destination: int
    channel: Int32
    load: list[int]
    den: int


def describe_classes(classes: Sequence[ClassLoads], symmetry: ClassSymmetry) -> dict[str, Any]:
    """The classes and the symmetry, in full: what ``read_symmetric`` reads."""
    den = lcm(*(one.den for one in classes))
    if den.bit_length() > 2 * _MOST_DIGITS:
        raise InputError(f"the loads have a denominator of {den.bit_length():,} bits, too long for a report")
    items = []
    for one in classes:
        factor = den // one.den
        whole = [x * factor for x in one.load]
        load: Any = pack_ints(whole) if max(whole) < 1 << 62 else [str(x) for x in whole]
        items.append([one.source, one.destination, pack_ints(one.channel), load])
    return {"symmetry": symmetry.described(), "scale": str(den), "classes": items}
