"""Reports about several days of one fabric: each claim is about the day that it names, and is checked as that day's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ..kind import SubjectKind
from ..reading import Report, name_of
from ..shapes import ANY, TEXT, Keys, ListOf
from .routing_claims import ANALYSIS


def verify_difference(report: Report) -> None:
    """Check every claim on the day that it names; raises InputError for a subject that makes no sense."""
    for name, claims in claims_of_parts(report, "days", "day", "day"):
        verify_part(report, report.subject["days"][name], claims, "day", name)


def claims_of_parts(report: Report, key: str, qualifier: str, called: str) -> Iterator[tuple[str, list[Claim]]]:
    """(name, its claims without the ``qualifier``) of each one under the subject's ``key``; all are objects.
    ``called``: what one of them is, in messages."""
    days = report.subject[key]
    if not isinstance(days, Mapping) or not days or not all(isinstance(x, str) for x in days):
        raise InputError(f"the report's subject: its {key} must be an object, by name")
    own: dict[str, list[Claim]] = {name: [] for name in days}
    for number, claim in enumerate(report.claims):
        name = claim.about.get(qualifier)
        if not isinstance(name, str) or name not in own:
            raise VerificationError(f"{name_of(number, claim)}: it is about none of the {key}")
        own[name].append(replace(claim, about={k: x for k, x in claim.about.items() if k != qualifier}))
    for name, claims in own.items():
        what = f"subject: the {called} {name[:60]!r}"
        if not claims:
            raise VerificationError(f"{what}: the report makes no claims about it")
        if not isinstance(days[name], Mapping):
            raise VerificationError(f"{what} is not an object")
        yield name, claims


def verify_part(
    report: Report,
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    called: str,
    name: str,
    kind: SubjectKind = ANALYSIS,
) -> None:
    """Check the claims as those of a report of their own."""
    kind.shape.check(subject, f"subject: the {called} {name[:60]!r}")
    try:
        kind.verify(replace(report, subject={**subject, "kind": kind.name}, claims=claims))
    except VerificationError as error:
        raise VerificationError(f"{name[:60]}: {error}") from None


DIFFERENCE = SubjectKind(
    "difference",
    verify_difference,
    Keys({"days": ANY}, {"changes": ListOf(TEXT)}),
    qualifier="day",
    extra=ANALYSIS.extra,
)
