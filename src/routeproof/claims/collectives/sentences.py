"""Claims about collectives as sentences: how fast no schedule is, and what reaches it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..choice import Choice
from ..sentences import Field

_RATE = "collective_throughput"
_ASSUMED = ", if every message carries one value and switches neither add nor copy"
_UNIT = "fresh units per cycle and rank"


def rates(choice: Choice, field: Field) -> Iterator[str]:
    """What no schedule of each operation passes, and what one reaches."""
    for about in choice.abouts(_RATE, ("root", "switches"), ("==", "<=", ">="), must=("operation",)):
        exact = choice.number(_RATE, "==", about)
        high = exact if exact is not None else choice.number(_RATE, "<=", about)
        low = exact if exact is not None else choice.number(_RATE, ">=", about)
        what = _named(about, field)
        unit = "fresh units per cycle" if "root" in about else _UNIT
        assumed = _ASSUMED if about["operation"] == "all-reduce" else ""
        if exact is not None:
            yield f"{what} can go on at {field.number(exact)} {unit}, and no schedule is faster{assumed}."
        elif high is not None and low is not None:
            yield (
                f"{what} can go on at {field.number(low)} {unit}, and no schedule is faster than "
                f"{field.number(high)}{assumed}."
            )
        elif high is not None:
            yield f"{what} cannot go on faster than at {field.number(high)} {unit}{assumed}."
        elif low is not None:
            yield f"{what} can go on at {field.number(low)} {unit}."


def _named(about: Mapping[str, Any], field: Field) -> str:
    """``An all-gather``, ``A broadcast from terminal 3``."""
    operation = str(about["operation"])
    root = f" from {field.host} {about['root']}" if "root" in about else ""
    copying = ", if switches copy" if "switches" in about else ""
    return f"{'An' if operation[0] in 'aeiou' else 'A'} {operation}{root}{copying}"
