"""Claims that follow from others of the same report, as they are written; ``derived`` checks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import OPPOSITE, Claim, Evidence, Grade

_THROUGHPUT = {"worst_case_load": "worst_case_throughput", "adaptive_load": "adaptive_throughput"}


def following(
    quantity: str, relation: str, value: Fraction, sources: Sequence[str], about: Mapping[str, Any], source: str = ""
) -> Claim:
    """A claim that arithmetic makes of those about the quantities ``sources``, qualified in the same way."""
    return Claim(quantity, relation, value, Grade.PROVED, Evidence("derived", {"from": list(sources)}), source, about)


def throughput_of(load: Claim, source: str = "") -> Claim:
    """By what factor demands may grow before the worst channel is saturated: 1 over the largest load."""
    assert isinstance(load.value, Fraction)
    quantity, relation = _THROUGHPUT[load.quantity], OPPOSITE[load.relation]
    return following(quantity, relation, 1 / load.value, [load.quantity], load.about, source)
