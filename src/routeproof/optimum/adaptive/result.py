"""What is known of ideal adaptive routing over a set: a hard demand from below, and what bounds it from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...core.claim import Claim
from ...routing.base.routing import Routing
from ...routing.path_sets.path_set import PathSet
from .ascent import HardDemand
from .flows import Flows


@dataclass(frozen=True, eq=False)
class Oblivious:
    """The best oblivious routing that was found: ``load`` is its worst case over the set, and no oblivious routing is
    below ``least`` (None where that is not known); ``claims`` state both."""

    routing: Routing
    load: Fraction
    least: Fraction | None
    claims: Sequence[Claim]


@dataclass(frozen=True, eq=False)
class Adaptive:
    """The interval from ``low`` to ``high``, in load per bandwidth.

    ``hard``: the demand that proves ``low``; ``flows``: for every extreme demand, where they are better than the
    oblivious routing, which proves ``high`` otherwise (over ``routable``, the definition does); ``paths``: those that
    all routings meant may use, None for all.
    """

    hard: HardDemand
    oblivious: Oblivious
    flows: Flows | None = None
    by_definition: bool = False
    paths: PathSet | None = None
    notes: Sequence[str] = field(default_factory=tuple)

    @property
    def low(self) -> Fraction:
        return self.hard.load

    @property
    def high(self) -> Fraction:
        if self.by_definition:
            return Fraction(1)
        return self.oblivious.load if self.flows is None else self.flows.load

    @property
    def upper(self) -> str:
        """What the upper end rests on, as evidence says it."""
        return "definition" if self.by_definition else "oblivious" if self.flows is None else "flows"

    @property
    def gap(self) -> Fraction:
        """How far the upper end is above the lower one, relative to it."""
        return self.high / self.low - 1

    @property
    def price(self) -> tuple[Fraction | None, Fraction]:
        """Best oblivious over ideal adaptive: (at least, at most); None where nothing is known from below."""
        least = self.oblivious.least
        return (None if least is None else max(least / self.high, Fraction(1))), self.oblivious.load / self.low
