"""One report: the kind of its subject, the form of every claim, then the checkers of the kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.claim import Claim
from ..core.errors import InputError, RouteproofError, VerificationError
from .context import Progress
from .kinds import check_form
from .statement import check_one_meaning, check_stated_once
from .subjects import kind_of_subject

__all__ = ["check_report"]

_STUMBLES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError,
)  # fmt: skip


def check_report(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """As ``verify_claims``, within the limit of work that holds: a comparison is several such reports."""
    kind = kind_of_subject(subject, claims)
    if not claims:
        raise VerificationError("the report makes no claims: there is nothing to verify")
    if routing is not None and not kind.one_routing:
        raise InputError("--routing is for reports about one routing; this one is about something else")
    check_stated_once(claims)
    check_one_meaning(claims)
    for number, claim in enumerate(claims):
        _check_form(number, claim, kind.evidence, kind.qualifier)
    try:
        return kind.verifier()(subject, claims, routing=routing, progress=progress)
    except RouteproofError:
        raise
    except _STUMBLES as error:
        # Evidence comes from strangers: what a checker stumbles over is not verified.
        raise VerificationError(f"a checker could not make sense of the report: {type(error).__name__}") from error


def _check_form(number: int, claim: Claim, allowed: frozenset[str], qualifier: str | None) -> None:

    about = claim.about if qualifier is None else {k: x for k, x in claim.about.items() if k != qualifier}
    try:
        check_form(replace(claim, about=about), allowed)
    except VerificationError as error:
        raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
