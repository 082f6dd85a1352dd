"""What an average-case design claims: sampled throughputs, the routing's exact worst case and path length."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ..analysis.average import average_case_claim
from ..analysis.locality import path_length_claims
from ..analysis.worst_case.evidence import worst_case_claims
from ..analysis.worst_case.exact import worst_case
from ..core.claim import Claim

if TYPE_CHECKING:
    from .average_case import AverageCaseDesign

__all__ = ["average_case_claims"]


def average_case_claims(design: AverageCaseDesign, capacity: Claim | None) -> list[Claim]:
    """The mean throughput on a fresh sample and on the one that was optimised, as fractions of capacity where it is
    known; then worst case, capacity and path length of the routing, proved."""
    known = float(capacity.value) if capacity is not None and isinstance(capacity.value, Fraction) else None
    claims = [
        average_case_claim(interval, model=design.model, capacity=known, about={"sample": name})
        for name, interval in (("fresh", design.fresh), ("optimised", design.inside))
    ]
    claims += worst_case_claims(worst_case(design.routing))
    if capacity is not None:
        claims.append(capacity)
    return claims + path_length_claims(design.length, design.minimal)
