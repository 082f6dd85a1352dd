"""Reports that questions make, once for each case; sealed anew and verified, as they are or falsified."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.answer import Answer
from routeproof.verification import verify_claims
from true_reports import sealed


def reports_of(answer: Callable[[str], Answer]) -> Callable[[str], dict[str, Any]]:
    """By the name of a case: a fresh copy of its report."""

    @cache
    def made(name: str) -> str:
        return json.dumps(answer(name).document())

    def report(name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(made(name))
        return found

    return report


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))
