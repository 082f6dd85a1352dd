"""Claims: a stated number, what kind of statement it is, and the evidence for it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .display import outward_text, short, small_table
from .vocabulary import name_of_quantity, unit_of

_LONG = 10_000  # characters: a statement is not cut before
RELATIONS = ("==", "<=", ">=")
OPPOSITE = {"==": "==", "<=": ">=", ">=": "<="}
"""What is known of 1 / x, by what is known of x."""


class Grade(enum.Enum):
    """How a claim is supported.  No two grades are printed in the same way."""

    PROVED = "PROVED"  # witness and proof, checked by exact arithmetic
    EXHAUSTED = "EXHAUSTED"  # an enumeration that can be run again
    SAMPLED = "SAMPLED"  # random trials: an interval


@dataclass(frozen=True)
class Interval:
    """A sampled quantity: a confidence interval ``low .. high`` around ``best`` from ``trials`` seeded trials."""

    low: float
    best: float
    high: float
    trials: int
    seed: int
    confidence: float = 0.99


@dataclass(frozen=True)
class Evidence:
    """What the checker needs, as JSON-able data; ``kind`` says which check applies."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Claim:
    """``quantity relation value [unit]``, e.g. ``average_path_length == 9/4 hops``.

    ``value`` is an exact Fraction, a string (``"true"``), or an Interval for SAMPLED claims.  ``about`` qualifies
    the quantity (``{"traffic": "tornado"}``, ``{"channel": 3}``).  ``source`` cites where it is defined.  ``unit`` is
    that of ``core.vocabulary``; it is given only where a report states it, or for a quantity of another package.

    Raises ValueError for an unknown relation, and for a quantity without an entry whose unit is not given.
    """

    quantity: str
    relation: str
    value: Fraction | str | Interval
    grade: Grade
    evidence: Evidence
    source: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    unit: str = field(default=None, kw_only=True)  # type: ignore[assignment]  # None: looked up

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise ValueError(f"relation is {self.relation!r}; one of {RELATIONS} was expected")
        if self.unit is None:
            unit = unit_of(self.quantity, evidence=self.evidence.kind, about=self.about)
            object.__setattr__(self, "unit", unit)

    @property
    def number(self) -> Fraction:
        """The value of a claim that states an exact number."""
        assert isinstance(self.value, Fraction)
        return self.value

    @property
    def interval(self) -> Interval:
        """The value of a claim that is SAMPLED."""
        assert isinstance(self.value, Interval)
        return self.value

    def __repr__(self) -> str:
        relation = "== " if self.relation == "==" else ""
        about = "".join(f", {key} {x}" for key, x in self.about.items() if key != "digest")
        text = f"{self.quantity} {relation}{self.value_text()} {self.unit}".rstrip()
        return f"<Claim {short(text, _LONG)}{short(about, _LONG)}; {self.grade.value}>"

    def value_text(self) -> str:
        """``25/144``, ``<= 3``, ``0.24 .. 0.28``: the value as people read it; very long fractions by their size."""
        relation = "" if self.relation == "==" else f"{self.relation} "
        if isinstance(self.value, Interval):
            return f"{relation}{outward_text(self.value.low, self.value.high)}"
        if isinstance(self.value, Fraction):
            bits = max(self.value.numerator.bit_length(), self.value.denominator.bit_length())
            return f"{relation}{self.value}" if bits <= 1000 else f"{relation}(a fraction of {bits} bits)"
        return f"{relation}{self.value}"

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [("value", self.value_text()), ("unit", self.unit), ("grade", self.grade.value)]
        rows += [(str(key), str(x)) for key, x in self.about.items()]
        rows += [("evidence", self.evidence.kind), ("source", self.source)]
        return small_table(name_of_quantity(self.quantity), (), [row for row in rows if row[1]])
