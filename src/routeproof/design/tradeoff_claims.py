"""What a tradeoff curve claims: corners that are reached and that nothing passes, and named routings as points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..analysis.worst_case.evidence import worst_case_claims
from ..core.claim import Claim, Evidence, Grade
from ..formats.documents.long_fractions import fraction_to_text
from ..routing.named.report_entry import describe_routing

if TYPE_CHECKING:
    from ..analysis.worst_case.exact import WorstCase
    from ..routing.base.routing import Routing
    from .tradeoff import Tradeoff

__all__ = ["corner_claims", "point_claim"]

_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 10 and Figure 1"


def corner_claims(curve: Tradeoff) -> list[Claim]:
    """One claim for each corner: with at most this worst-case load, no routing has a shorter average path."""
    claims = []
    for corner in curve.points:
        within = {"worst_case_load": fraction_to_text(corner.load)}
        data = _reached(corner.description(), corner.evidence, corner.length, curve.minimal, within)
        data["adversary"] = {**corner.adversary.data(), "within": within}
        claims.append(_claim("==", corner.length, "optimum", data, within))
    return claims


def point_claim(routing: Routing, worst: WorstCase, length: Fraction, minimal: Fraction) -> Claim:
    """A routing as a point beside the curve: it has this worst-case load and this average path length."""
    within = {"worst_case_load": fraction_to_text(worst.load)}
    return _claim(
        "<=",
        length,
        "reached",
        _reached(describe_routing(routing), worst_case_claims(worst)[0].evidence.data, length, minimal, within),
        within,
    )


def _reached(
    routing: dict[str, Any], worst: Mapping[str, Any], length: Fraction, minimal: Fraction, within: dict[str, str]
) -> dict[str, Any]:
    return {
        "routing": routing,
        "within": within,
        "reached": {
            "worst-case": dict(worst),
            "path-length": {"average": fraction_to_text(length), "minimal": fraction_to_text(minimal)},
        },
    }


def _claim(relation: str, length: Fraction, kind: str, data: dict[str, Any], within: dict[str, str]) -> Claim:
    about = {"within": f"worst_case_load <= {within['worst_case_load']}"}
    return Claim("average_path_length", relation, length, Grade.PROVED, Evidence(kind, data), _SOURCE, about)
