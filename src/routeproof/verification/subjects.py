"""What reports can be about: the kind of a subject, and the evidence that goes with it.

A subject says its ``kind``.  Those of version 0.1.0 mostly did not: then its keys must be those of exactly one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..claims.kind import SubjectKind
from ..claims.kinds import KINDS, ROOMS
from ..claims.shapes import brief
from ..core.claim import Claim
from ..core.errors import InputError, VerificationError, did_you_mean
from ..core.registry import Registry

SUBJECTS: Registry[SubjectKind] = Registry(
    "subject", SubjectKind, rooms=["routeproof.claims", *(f"routeproof.claims.{room}" for room in ROOMS)]
)
"""Every kind of subject by its name; it stands beside the function that verifies its reports."""


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
