"""``rp.check``: a document judged on its own."""

from __future__ import annotations

from pathlib import Path

from ..answers.document import answer_document
from .result import Result

__all__ = ["CheckResult", "check"]


class CheckResult(Result):
    """What is true of a document; a verdict "false" carries the first thing wrong in its evidence."""


def check(path: str | Path) -> CheckResult:
    """Judge a network, a routing, a destination graph, a wiring or a permutation in a file.

        >>> import routeproof as rp
        >>> rp.write_network(rp.torus(3, 3), "torus.json")
        >>> rp.check("torus.json").value("connected")
        'true'

    Raises InputError for a file that cannot be read or understood.
    """
    return CheckResult(answer_document(str(path)), title=str(path))
