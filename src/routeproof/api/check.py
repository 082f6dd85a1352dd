"""``rp.check`` and ``rp.verify``: a document judged on its own, and the claims of a report checked again."""

from __future__ import annotations

from pathlib import Path

from ..claims.work import MOST_STEPS
from ..core.claim import Claim
from ..questions.answer import PlainAnswer
from ..questions.document import answer_document
from ..verification import verify_report
from .result import Result


class CheckResult(Result[PlainAnswer]):
    """What is true of a document; a verdict "false" carries the first thing wrong in its evidence."""


def check(path: str | Path) -> CheckResult:
    """Judge a network, a routing, a destination graph, a wiring or a permutation in a file.

        >>> import routeproof as rp
        >>> rp.write_network(rp.torus(3, 3), "torus.json")
        >>> rp.check("torus.json").value("connected")
        'true'

    Raises InputError for a file that cannot be read or understood.
    """
    return CheckResult(answer_document(str(path)), str(path))


def verify(report: str | Path, *, routing: str | None = None, most_steps: float | None = MOST_STEPS) -> list[Claim]:
    """Check every claim of the report in the file, and return them.

    ``routing``: text of a routing to use in place of the one that the report carries (your own function, say);
    ``most_steps``: of work that the report may ask for, None for any amount.  Raises VerificationError naming the
    first claim that does not hold, InputError for a file that is not a report.
    """
    return verify_report(str(report), routing=routing, most_steps=most_steps)
