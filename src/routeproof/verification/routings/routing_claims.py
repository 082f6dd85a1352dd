"""Reports about one routing on a network: analyses, designs and curves of designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ..context import Context, Progress
from ..kinds import kind_of
from ..requested import check_requested
from ..subject import routing_of

__all__ = ["verify_routing"]


def verify_routing(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim; arguments as in ``verify_claims``.  Their form is checked already."""
    context = Context(routing_of(subject, routing), claims, progress, described_levels=subject.get("service_levels"))
    # What rests on other claims comes last, so that the claim which is wrong is the one that is named.
    for number, claim in sorted(enumerate(claims), key=lambda x: kind_of(x[1].evidence.kind).rests):
        try:
            _check(context, claim)
        except (VerificationError, InputError) as error:  # malformed evidence is a claim without support
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    check_requested(subject, context)
    return list(claims)


def _check(context: Context, claim: Claim) -> None:
    check = kind_of(claim.evidence.kind).check
    assert check is not None
    check(context, claim, claim.value, claim.evidence.data)
