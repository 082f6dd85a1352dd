"""Reports about one routing on a network: analyses, designs and curves of designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ..context import Context, Progress
from ..kinds import checker_of, kinds

__all__ = ["verify_routing"]

_RESTING = ("derived", "same-class", "worst-case-among")  # kinds of evidence that refer to other claims


def verify_routing(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim; arguments as in ``verify_claims``.  Their form is checked already."""
    from ..requested import check_requested
    from ..subject import routing_of

    context = Context(routing_of(subject, routing), claims, progress, described_levels=subject.get("service_levels"))
    # What rests on other claims comes last, so that the claim which is wrong is the one that is named.
    for number, claim in sorted(enumerate(claims), key=lambda x: x[1].evidence.kind in _RESTING):
        try:
            _check(context, claim)
        except (VerificationError, InputError) as error:  # malformed evidence is a claim without support
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    check_requested(subject, context)
    return list(claims)


def _check(context: Context, claim: Claim) -> None:
    check = checker_of(kinds()[claim.evidence.kind])
    check(context, claim, claim.value, claim.evidence.data)
