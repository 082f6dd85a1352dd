"""One report states one value for one quantity: whatever refers to it would be ambiguous otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.claim import Claim
from ..core.errors import VerificationError

__all__ = ["check_stated_once"]


def check_stated_once(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if one quantity has two values."""
    first: dict[tuple[str, str], int] = {}
    for number, claim in enumerate(claims):
        about = sorted((key, repr(value)) for key, value in claim.about.items())
        if claim.relation != "==":  # bounds may be many: each holds by its own evidence
            continue
        k = first.setdefault((claim.quantity, repr(about)), number)
        if claims[k].value != claim.value:
            raise VerificationError(
                f"claims[{number}] ({claim.quantity[:80]}): claims[{k}] states another value for the same quantity"
            )
