"""What every answer is: claims with their evidence, and the subject that they are about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.claim import Claim

__all__ = ["Answer", "PlainAnswer"]


class Answer(ABC):
    """One question answered: everything that the report of ``--json`` holds.

    A concrete answer also keeps what it was made from (the routing, the curve, the run), for those who draw it.
    """

    @property
    @abstractmethod
    def subject(self) -> dict[str, Any]:
        """What the claims are about, as ``verification.subjects`` lists it: enough to check them without files."""

    @abstractmethod
    def claims(self) -> Sequence[Claim]:
        """Every claim, in the order in which people want them, with all its qualifiers."""

    def document(self) -> dict[str, Any]:
        """The report as a JSON document."""
        from ..formats.documents.report import claims_to_document

        return claims_to_document(self.subject, self.claims())

    def write(self, path: str | Path) -> None:
        """Write the report into a file, whole or not at all; raises InputError if the file cannot be written."""
        from ..formats.documents.json_text import format_json, write_text_atomic

        write_text_atomic(path, format_json(self.document()))


@dataclass(frozen=True, eq=False)
class PlainAnswer(Answer):
    """Claims (``stated``) about a subject (``about``), where nothing more is to be kept."""

    about: dict[str, Any]
    stated: Sequence[Claim]

    @property
    def subject(self) -> dict[str, Any]:
        return self.about

    def claims(self) -> Sequence[Claim]:
        return self.stated
