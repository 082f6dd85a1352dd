"""One report: the kind of its subject, the form of every claim, then the checkers of the kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..claims.kinds import KINDS, check_form
from ..claims.reading import Report, name_of
from ..core.claim import Claim
from ..core.errors import InputError, RouteproofError, VerificationError
from .subjects import evidence_about, kind_of_subject

_STUMBLES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError,
)  # fmt: skip


def check_report(report: Report) -> None:
    """As ``verify_claims``, within the limit of work that holds."""
    kind = kind_of_subject(report.subject, report.claims)
    if not report.claims:
        raise VerificationError("the report makes no claims: there is nothing to verify")
    if report.routing is not None and not kind.one_routing:
        raise InputError("--routing is for reports about one routing; this one is about something else")
    check_stated_once(report.claims)
    check_one_meaning(report.claims)
    allowed = evidence_about(kind.name)
    report.check_each(lambda claim: check_form(replace(claim, about=kind.asked(claim.about)), allowed))
    try:
        kind.verify(report)
    except RouteproofError:
        raise
    except _STUMBLES as error:
        # Evidence comes from strangers: what a checker stumbles over is not verified.
        raise VerificationError(f"a checker could not make sense of the report: {type(error).__name__}") from error


def check_stated_once(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if one quantity has two values."""
    first: dict[tuple[str, str], int] = {}
    for number, claim in enumerate(claims):
        if claim.relation != "==":  # bounds may be many: each holds by its own evidence
            continue
        about = sorted((key, repr(value)) for key, value in claim.about.items())
        k = first.setdefault((claim.quantity, repr(about)), number)
        if claims[k].value != claim.value:
            raise VerificationError(f"{name_of(number, claim)}: claims[{k}] states another value for the same quantity")


def check_one_meaning(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if a name means two things: traffic, a routing, or the rates of the hose model."""
    meant: dict[tuple[str, str], object] = {}
    for number, claim in enumerate(claims):
        meaning_of = KINDS.own[claim.evidence.kind].meaning if claim.evidence.kind in KINDS.own else None
        named = None if meaning_of is None else meaning_of(claim)
        if named is not None and meant.setdefault(named[:2], named[2]) != named[2]:
            what, name, _ = named
            raise VerificationError(f"{name_of(number, claim)}: the {what} {name[:60]!r} is another one than before")
