"""One report: the kind of its subject, the form of every claim, then the checkers of the kind.

A subject says its ``kind``.  Those of version 0.1.0 mostly did not: then its keys must be those of exactly one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..claims.kind import SubjectKind
from ..claims.kinds import KINDS, ROOMS, check_form
from ..claims.reading import Report, name_of
from ..claims.shapes import brief
from ..core.claim import Claim
from ..core.errors import InputError, RouteproofError, VerificationError, did_you_mean
from ..core.registry import Registry

SUBJECTS: Registry[SubjectKind] = Registry(
    "subject", SubjectKind, rooms=["routeproof.claims", *(f"routeproof.claims.{room}" for room in ROOMS)]
)
"""Every kind of subject by its name; it stands beside the function that verifies its reports."""
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


def evidence_about(subject: str) -> frozenset[str]:
    """The kinds of evidence that claims about a kind of subject may have."""
    return frozenset(x.name for x in KINDS.own.values() if subject in x.subjects)


_BY_KEY = {
    "design": "design", "tradeoff": "tradeoff", "routings": "comparison", "exchange": "calls", "splitter": "expansion",
    "routing": "analysis",
}  # fmt: skip
"""Version 0.1.0 named these kinds by a key, in this order."""


def kind_of_subject(subject: Mapping[str, Any], claims: Sequence[Claim]) -> SubjectKind:
    """The kind of a report's subject, whose keys are found to be those of the kind and no others.

    ``claims``: tell runs on a wiring from its expansion where version 0.1.0 did not name the kind.
    Raises InputError for a subject of no kind, VerificationError for keys that do not belong to it.
    """
    name = subject["kind"] if "kind" in subject else _unnamed(subject, claims)
    known = SUBJECTS.own
    kind = known.get(name) if isinstance(name, str) else None
    if kind is None:
        hint = (
            did_you_mean(name[:40], SUBJECTS.own)
            if isinstance(name, str)
            else f"known: {', '.join(sorted(SUBJECTS.own))}"
        )
        raise InputError(f"the report's subject is of the kind {brief(name)}; {hint}")
    try:
        kind.shape.check({key: x for key, x in subject.items() if key != "kind"}, "it")
    except VerificationError as error:
        raise VerificationError(f"subject (of the kind '{name}'): {error}") from None
    return kind


def _unnamed(subject: Mapping[str, Any], claims: Sequence[Claim]) -> str | None:
    """The kind of a subject of version 0.1.0, by its keys."""
    if "wiring" in subject:
        return "expansion" if any(x.evidence.kind in evidence_about("expansion") for x in claims) else "multistage"
    return next((kind for key, kind in _BY_KEY.items() if key in subject), None)
