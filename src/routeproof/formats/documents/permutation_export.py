"""The worst permutation of a report, in forms that other tools take.

| extension | form | for |
|---|---|---|
| ``.txt`` | one destination a line, in order of sources | this package, spreadsheets, scripts |
| ``.map`` | ``source destination`` a line | CAMINOS, pattern ``FileMap`` |
| ``.matrix`` | N lines of N numbers, 1 where i sends to j | YATES and other tools that read traffic matrices |
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...core.permutation import Permutation
from ..text_files import FilePath, shown, write_text_atomic
from .report import document_to_claims

__all__ = ["PERMUTATION_FORMS", "permutation_of_report", "write_permutation"]

PERMUTATION_FORMS = (".txt", ".map", ".matrix")
_MOST_MATRIX = 10_000


def permutation_of_report(document: Mapping[str, Any], *, what: str) -> Permutation:
    """The witness of a report's ``worst_case_load``; raises InputError where there is none."""
    _, claims = document_to_claims(dict(document), what=what)
    for claim in claims:
        if claim.quantity == "worst_case_load":
            witness = claim.evidence.data.get("witness")
            image = witness.get("permutation") if isinstance(witness, Mapping) else None
            if isinstance(image, list) and all(type(x) is int for x in image):
                return Permutation(image)
    raise InputError(f"{what} holds no worst permutation; a report of worst-case (balanced model) was expected")


def write_permutation(permutation: Permutation, path: FilePath) -> None:
    """Write it in the form that the extension names, whole or not at all."""
    extension = os.path.splitext(os.fspath(path))[1].lower()
    image = permutation.image.tolist()
    if extension == ".txt":
        lines = [str(j) for j in image]
    elif extension == ".map":
        lines = [f"{i} {j}" for i, j in enumerate(image)]
    elif extension == ".matrix":
        if len(image) > _MOST_MATRIX:
            raise InputError(f"a matrix of {len(image)} terminals has {len(image) ** 2:,} entries; write .map or .txt")
        lines = [" ".join("1" if j == k else "0" for k in range(len(image))) for j in image]
    else:
        forms = ", ".join(PERMUTATION_FORMS)
        raise InputError(f"file {shown(path)}: a permutation is written as one of {forms}")
    write_text_atomic(path, "\n".join([*lines, ""]))
