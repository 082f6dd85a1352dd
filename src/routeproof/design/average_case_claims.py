"""What an average-case design claims: sampled throughputs, the routing's exact worst case and path length."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ..analysis.locality import path_length_claims
from ..analysis.worst_case import worst_case
from ..core.claim import Claim, Evidence, Grade, Interval

if TYPE_CHECKING:
    from .average_case import AverageCaseDesign

__all__ = ["average_case_claims"]

_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), sec. 3.3"


def average_case_claims(design: AverageCaseDesign, capacity: Claim | None) -> list[Claim]:
    """The mean throughput on a fresh sample and on the one that was optimised, as fractions of capacity where it is
    known; then worst case, capacity and path length of the routing, proved."""
    known = capacity.value if capacity is not None and isinstance(capacity.value, Fraction) else None
    quantity = "average_case_throughput" + ("" if known is None else "_of_capacity")
    unit = "packets per cycle and terminal" if known is None else "of capacity"
    claims = []
    for name, interval in (("fresh", design.fresh), ("optimised", design.inside)):
        data = {"traffic": design.model, "samples": interval.trials, "seed": interval.seed}
        about = {"traffic": design.model, "sample": name}
        value = interval if known is None else _scaled(interval, float(known))
        claims.append(Claim(quantity, "==", value, Grade.SAMPLED, Evidence("sample", data), unit, _SOURCE, about))
    claims += worst_case(design.routing).claims()
    if capacity is not None:
        claims.append(capacity)
    return claims + path_length_claims(design.length, design.minimal)


def _scaled(value: Interval, unit: float) -> Interval:
    return replace(value, low=value.low / unit, best=value.best / unit, high=value.high / unit)
