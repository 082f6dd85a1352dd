"""Reports from Python: the file that ``routeproof worst-case --json`` writes."""

from __future__ import annotations

from pathlib import Path

from .analyse import Analysis

__all__ = ["write_report"]


def write_report(analysis: Analysis, path: str | Path) -> None:
    """Write the claims of ``analysis`` and their evidence into a file, whole or not at all; ``verify_report`` reads it.

    Raises InputError if the file cannot be written.
    """
    from ..formats.documents.json_text import format_json, write_text_atomic
    from ..formats.documents.report import claims_to_document
    from .subject import subject_of

    network = analysis.network
    subject = subject_of(analysis.routing, topology=network.spec or network.name)
    write_text_atomic(path, format_json(claims_to_document(subject, analysis.claims)))
