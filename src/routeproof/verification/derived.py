"""Claims that follow from others of the same report: throughput from loads, fractions of capacity, lengths relative to
the shortest.

The other claim must be qualified in the same way: what holds within a bound, or under one traffic, says nothing beyond.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..core.checks.multipliers import shown
from ..core.claim import Claim, Grade
from ..core.errors import VerificationError
from .context import Context
from .kind import BOUNDS, EXACT, Kind, States
from .multistage.expansion import PLACES
from .routings.distances import hop_total
from .routings.worst_case_shapes import MODELS
from .shapes import BOUND, TEXT, Keys, ListOf
from .sources import DESIGN, SPLITTERS, WORST

__all__ = ["KINDS", "check_derived"]

_OPPOSITE = {"==": "==", "<=": ">=", ">=": "<="}


def check_derived(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The claim's number is what the claims that it names make of it."""
    sources = data.get("from")
    if claim.quantity == "worst_case_throughput" and sources == ["worst_case_load"]:
        load = context.stated("worst_case_load", _OPPOSITE[claim.relation], claim.about)
        wanted, words = (1 / load if load > 0 else None), f"1 / worst_case_load, which is stated as {shown(load)}"
    elif claim.quantity == "worst_case_throughput_of_capacity" and sources == ["worst_case_throughput", "capacity"]:
        if claim.about.get("model") == "hose":
            raise VerificationError("under the hose model throughput is a factor on the rates, no fraction of capacity")
        throughput = context.stated("worst_case_throughput", claim.relation, claim.about)
        capacity = context.stated("capacity", "==", {})
        wanted = throughput / capacity if capacity else None
        words = f"{shown(throughput)} over a capacity of {shown(capacity)}"
    elif claim.quantity == "average_path_length_of_minimal" and sources == ["average_path_length"]:
        minimal = Fraction(hop_total(context.network), context.network.num_terminals**2)
        length = context.stated("average_path_length", claim.relation, claim.about)
        wanted, words = (length / minimal if minimal else None), f"{shown(length)} over {shown(minimal)}"
    else:
        raise VerificationError(f"nothing is known to derive it from {str(sources)[:60]}")
    if value != wanted:
        raise VerificationError(f"it is {shown(value)}; it should be {words}")


_ABOUT = Keys({"model": MODELS}, {"within": TEXT})
KINDS: Mapping[str, Kind] = {
    "derived": Kind(
        Keys({"from": ListOf(TEXT)}),
        {
            "worst_case_throughput": States(BOUNDS, Grade.PROVED, _ABOUT),
            "worst_case_throughput_of_capacity": States(BOUNDS, Grade.PROVED, _ABOUT),
            "average_path_length_of_minimal": States(("<=", ">="), Grade.PROVED, Keys({}, {"within": TEXT})),
            "expansion": States(  # of a splitter, whose own checker judges it
                EXACT, Grade.EXHAUSTED, Keys({"alpha": BOUND}, PLACES)
            ),
        },
        WORST | DESIGN | SPLITTERS | {"Towles & Dally 2002 (SPAA), sec. 5"},
        check_derived,
        rests=True,
    )
}
