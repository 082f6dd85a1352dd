"""``routeproof verify``: every claim of a report, checked again without a solver.

Loads are derived afresh from the network and the routing that the report names, and the evidence is held against them
by ``kernel.multipliers``.  Nothing here searches, and nothing of ``worst`` is used: what found a number does
not check it.

Which words of a report are checked is said by the kinds of subjects and of evidence in ``claims``, and whatever they
do not list is refused.  ``report`` finds the kind of a report's subject and goes through its claims.
Begin with ``report``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..claims.reading import Report
from ..claims.work import MOST_STEPS, limited
from ..core.claim import Claim
from ..core.spread import Progress
from .report import check_report

__all__ = ["is_run_again", "verify_claims", "verify_report"]


def is_run_again(claim: Claim) -> bool:
    """Is every trial of a sampled claim run again?  Of others there is nothing to verify."""
    from ..claims.kinds import KINDS

    return claim.evidence.kind in KINDS.own and KINDS.own[claim.evidence.kind].sampled


def verify_report(
    path: str, *, routing: str | None = None, progress: Progress | None = None, most_steps: float | None = MOST_STEPS
) -> list[Claim]:
    """Check every claim of the report; returns them.

    ``routing``: text of a routing to use in place of the one that the report carries (a user's own function, say).
    Raises VerificationError naming the first claim that does not hold, InputError for a file that is not a report.
    """
    from ..formats.documents.report import read_report

    subject, claims = read_report(path)
    return verify_claims(subject, claims, routing=routing, progress=progress, most_steps=most_steps)


def verify_claims(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    routing: str | None = None,
    progress: Progress | None = None,
    most_steps: float | None = MOST_STEPS,
) -> list[Claim]:
    """Check ``claims`` about ``subject``; as ``verify_report``.

    ``most_steps``: of work that the report may ask for (see ``work``); None for any amount.
    """
    with limited(most_steps):
        check_report(Report(subject, claims, routing, progress))
    return list(claims)
