"""What is known of ideal adaptive routing over a set: a hard demand from below, and what bounds it from above; and what
is claimed of it, which ``claims.routings.adaptive`` checks without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...claims.derived import following, throughput_of
from ...claims.routings.adaptive import ADAPTIVE
from ...core.claim import Claim
from ...demand_sets.demand_set import DemandSet
from ...formats.documents.packed_ints import pack_ints
from ...routing.base.routing import Routing
from ...routing.path_sets.path_set import PathSet
from .flows import Flows, HardDemand


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


def adaptive_claims(found: Adaptive, demands: DemandSet) -> list[Claim]:
    """The load, the throughput and the price of obliviousness: each an equation where the ends meet, else an interval
    of two claims; then the best oblivious routing's own."""
    about = {"demands": demands.text, **({} if found.paths is None else {"paths": found.paths.name})}
    below, above = _below(found, demands), _above(found)
    if found.low == found.high:
        loads = [("==", found.low, {**below, **above})]
    else:
        loads = [(">=", found.low, below), ("<=", found.high, above)]
    claims = [ADAPTIVE.claim(value, data, about, relation=relation) for relation, value, data in loads]
    claims += [throughput_of(load) for load in reversed(claims)]
    least, most = found.price
    ends: list[tuple[str, Fraction]] = [] if least is None else [(">=", least)]
    exact = found.low == found.high and found.oblivious.least == found.oblivious.load
    ends = [("==", most)] if exact else [*ends, ("<=", most)]
    claims += [following("price_of_obliviousness", x, value, about) for x, value in ends]
    return [*claims, *found.oblivious.claims]


def _below(found: Adaptive, demands: DemandSet) -> dict[str, Any]:
    hard = found.hard
    data: dict[str, Any] = {"lengths": pack_ints(hard.length)}
    if demands.listed is not None:
        return {"matrix": next(name for name, x in demands.listed.items() if x == hard.demand), **data}
    data["demand"] = [[i, j, str(x)] for (i, j), x in sorted(hard.demand.items())]
    if hard.flow:
        data["flow"] = [[i, j, str(x), list(path)] for i, j, x, path in hard.flow]
    return data


def _above(found: Adaptive) -> dict[str, Any]:
    if found.upper != "flows":
        return {"upper": found.upper}
    assert found.flows is not None
    return {"upper": "flows", **found.flows.data()}
