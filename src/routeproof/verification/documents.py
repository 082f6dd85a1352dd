"""Claims about a document on its own (``routeproof check``): the report carries the document, which is judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..routing.judged_documents import Facts, facts_of
from .deadlock import DEADLOCK, check_deadlock
from .reading import stated
from .statement import check_stated_once

__all__ = ["verify_document"]


def verify_document(subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None) -> list[Claim]:
    """Check ``claims`` about the document in ``subject`` ({"document", "kind", "content"}); returns them.

    Raises InputError for a subject without a document that can be understood, VerificationError naming the first claim
    that does not hold.
    """
    if routing is not None:
        raise InputError("the report is about a document on its own; --routing is for reports about a routing")
    if not claims:
        raise VerificationError("the report makes no claims: there is nothing to verify")
    check_stated_once(claims)
    name, kind, text = (subject.get(key) for key in ("document", "kind", "content"))
    if not (isinstance(name, str) and isinstance(kind, str) and isinstance(text, str)):
        raise InputError("the report's subject: its document, kind and content must be texts")
    found = facts_of(kind, text, what="the report's document", name=name)
    for number, claim in enumerate(claims):
        try:
            _check(found, claim)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _check(found: Facts, claim: Claim) -> None:
    if claim.quantity in DEADLOCK:
        if found.routing is None:
            raise VerificationError("its document is no routing that delivers")
        check_deadlock(found.routing, claim)
        return
    if claim.quantity not in found.facts:
        raise VerificationError(f"nothing is known of it; a document of this kind has {', '.join(found.facts)}")
    fact = found.facts[claim.quantity]
    if isinstance(fact, int):
        wanted: Fraction | str = Fraction(fact)
    else:
        wanted = "true" if fact is None else "false"
    if claim.relation != "==" or claim.value != wanted or claim.unit or claim.about:
        raise VerificationError(
            f"it says {claim.relation} {stated(claim)} {claim.unit[:40]}; the document has {wanted}"
        )
    if claim.grade is not Grade.EXHAUSTED or claim.evidence.kind != "document":
        raise VerificationError(f"it is graded {claim.grade.value}; the document makes it EXHAUSTED")
