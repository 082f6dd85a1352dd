"""The proof that a page carries for the reader's browser to check, where it is small enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...formats.documents.report import claims_to_document, document_to_claims
from .report import elaborated_text

_MOST_BYTES = 4_000_000  # of a page, beside the report itself; a browser checks so much in seconds


def proof_for_page(subject: Mapping[str, Any], claims: Sequence[Claim]) -> tuple[str, str]:
    """(the proof as text, ""), or ("", why the page has none)."""
    if not claims:
        return "", ""
    try:
        read = document_to_claims(claims_to_document(subject, claims))  # as verify reads it
        return elaborated_text(*read, most=_MOST_BYTES), ""
    except (InputError, VerificationError) as reason:
        return "", str(reason)
