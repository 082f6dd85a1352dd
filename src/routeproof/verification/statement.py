"""One report states one value for one quantity, and means one thing by one name."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.claim import Claim
from ..core.errors import VerificationError
from .kinds import CHECKERS, kind_of

__all__ = ["check_one_meaning", "check_stated_once"]


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


def check_one_meaning(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if a name means two things: traffic, a routing, or the rates of the hose model."""
    meant: dict[tuple[str, str], object] = {}
    for number, claim in enumerate(claims):
        meaning_of = kind_of(claim.evidence.kind).meaning if claim.evidence.kind in CHECKERS else None
        named = None if meaning_of is None else meaning_of(claim)
        if named is not None and meant.setdefault(named[:2], named[2]) != named[2]:
            what, name, _ = named
            raise VerificationError(
                f"claims[{number}] ({claim.quantity[:80]}): the {what} {name[:60]!r} is another one than before"
            )
