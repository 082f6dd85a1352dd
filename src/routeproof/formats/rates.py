"""Rates with a unit, as simulators and planners write them."""

from __future__ import annotations

import re
from fractions import Fraction

from .text_files import parse_number, unexpected

_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kKMGT]?)(i?)(bps|b/s|Bps|B/s)")
_TIMES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}


def gbps_of(text: str, *, what: str) -> Fraction:
    """A rate as ns-3 writes it (``400Gbps``, ``25Gb/s``, ``50GB/s``, ``1.5GiB/s``), in Gb/s."""
    found = _RATE.fullmatch(text)
    if found is None or (found[3] and not found[2]):
        raise unexpected(what, text, "a rate such as 400Gbps")
    number, prefix, binary, unit = found.groups()
    value: Fraction = parse_number(number, what=what) * (1024 if binary else 1000) ** _TIMES[prefix]
    value *= Fraction(8 if unit.startswith("B") else 1, 10**9)
    if value <= 0:
        raise unexpected(what, text, "a rate above 0")
    return value
