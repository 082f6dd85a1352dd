"""What is claimed of ideal adaptive routing; ``claims.routings.adaptive`` checks it without a solver."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...claims.derived import following, throughput_of
from ...claims.routings.adaptive import ADAPTIVE
from ...core.claim import Claim
from ...demand_sets.demand_set import DemandSet
from ...formats.documents.packed_ints import pack_ints
from .result import Adaptive


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
