"""The worst case of one channel: its own proof, or a checked symmetry that maps it to another channel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.multipliers import shown
from ...core.claim import Claim
from ...core.errors import VerificationError
from ..context import Context
from ..kind import Kind
from ..reading import as_channel
from ..shapes import BOUND, NUMBERS, WHOLE, Keys, ListOf, Word
from ..sources import WORST
from .worst_case import check_exact, check_witness, is_by_pair, rates_of
from .worst_case_shapes import OF_CHANNEL

__all__ = ["KINDS", "check_channel", "check_same_class"]


def check_channel(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The exact worst case of one channel: exact potentials and a permutation, both for this channel."""
    c = as_channel(context.network, data.get("channel"))
    if claim.quantity != "worst_case_load" or claim.about.get("model") != "balanced":
        raise VerificationError("evidence of the kind 'worst-case-channel' is for worst_case_load, balanced")
    if claim.about.get("channel") != c:
        raise VerificationError(f"it is about channel {claim.about.get('channel')}, its evidence about channel {c}")
    rates = rates_of(context, {"name": "balanced"})
    check_witness(context, data, "balanced", value, rates)
    check_exact(context, data, value, rates, by_pair=is_by_pair(data))


def check_same_class(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The worst case of one channel equals that of another, to which checked symmetry maps it."""
    c, focus = (as_channel(context.network, data.get(key)) for key in ("channel", "focus"))
    if claim.quantity != "worst_case_load" or claim.about.get("model") != "balanced" or claim.about.get("channel") != c:
        raise VerificationError(f"its evidence is for the balanced worst_case_load of channel {c}")
    if context.label[c] != context.label[focus]:
        raise VerificationError(f"no checked symmetry maps channel {c} to channel {focus}")
    other = context.of_channel.get(focus)
    if other is not None:
        if other.value != value:
            raise VerificationError(f"it is {shown(value)}; channel {focus}, which is alike, has another value")
        return
    raise VerificationError(f"the report has no claim with evidence for channel {focus}, which it refers to")


KINDS: Mapping[str, Kind] = {
    "worst-case-channel": Kind(
        Keys(
            {"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS, "permutation": NUMBERS},
            {"loads": Word("by-pair")},
        ),
        OF_CHANNEL,
        WORST,
        check_channel,
    ),
    "same-class": Kind(Keys({"channel": WHOLE, "focus": WHOLE}), OF_CHANNEL, WORST, check_same_class, rests=True),
}
