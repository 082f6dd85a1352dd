"""``routeproof verify``: every claim of a report, checked again without a solver.

Loads are derived afresh from the network and the routing that the report names, and the evidence is held against them
by ``core.check``.  Nothing here searches, and nothing of ``analysis`` is used: what found a number does not judge it.

Read on in ``subjects`` (what reports can be about) and ``kinds`` (which evidence there is, and what it may state): two
tables that decide which words of a report are checked.  Whatever they do not list is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.claim import Claim
from ..core.errors import InputError, RouteproofError, VerificationError
from .context import Progress

__all__ = ["RUN_AGAIN", "verify_claims", "verify_report"]

RUN_AGAIN = frozenset(
    {"call-run", "call-together", "cube-trials", "drawn-failures", "load-run", "random-traffic", "trial-runs"}
)
"""Kinds of evidence for sampled claims whose every trial is run again; of others there is nothing to verify."""


def verify_report(path: str, *, routing: str | None = None, progress: Progress | None = None) -> list[Claim]:
    """Check every claim of the report; returns them.

    ``routing``: text of a routing to use in place of the one that the report carries (a user's own function, say).
    Raises VerificationError naming the first claim that does not hold, InputError for a file that is no report.
    """
    from ..formats.report_file import read_report

    subject, claims = read_report(path)
    return verify_claims(subject, claims, routing=routing, progress=progress)


def verify_claims(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    routing: str | None = None,
    progress: Progress | None = None,
) -> list[Claim]:
    """Check ``claims`` about ``subject``; as ``verify_report``."""
    from .statement import check_stated_once
    from .subjects import kind_of_subject

    kind = kind_of_subject(subject, claims)
    if not claims:
        raise VerificationError("the report makes no claims: there is nothing to verify")
    if routing is not None and not kind.one_routing:
        raise InputError("--routing is for reports about one routing; this one is about something else")
    check_stated_once(claims)
    for number, claim in enumerate(claims):
        _check_form(number, claim, kind.evidence, kind.qualifier)
    try:
        return kind.verifier()(subject, claims, routing=routing, progress=progress)
    except RouteproofError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Evidence comes from strangers: what a checker stumbles over is not verified.
        raise VerificationError(f"a checker could not make sense of the report: {type(error).__name__}") from error


def _check_form(number: int, claim: Claim, allowed: frozenset[str], qualifier: str | None) -> None:
    from .kinds import check_form

    about = claim.about if qualifier is None else {k: x for k, x in claim.about.items() if k != qualifier}
    try:
        check_form(replace(claim, about=about), allowed)
    except VerificationError as error:
        raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
