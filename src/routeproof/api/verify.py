"""``rp.verify``: every claim of a report, checked again without a solver."""

from __future__ import annotations

from pathlib import Path

from ..core.claim import Claim
from ..verification import verify_report
from ..verification.work import MOST_STEPS

__all__ = ["verify"]


def verify(report: str | Path, *, routing: str | None = None, most_steps: float | None = MOST_STEPS) -> list[Claim]:
    """Check every claim of the report in the file, and return them.

    ``routing``: text of a routing to use in place of the one that the report carries (your own function, say);
    ``most_steps``: of work that the report may ask for, None for any amount.  Raises VerificationError naming the
    first claim that does not hold, InputError for a file that is no report.
    """
    return verify_report(str(report), routing=routing, most_steps=most_steps)
