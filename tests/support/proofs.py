"""Proofs of reports, and the checker of ``checkers/python``, which is loaded from its file as a stranger would."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from commanded_reports import made
from routeproof.formats.documents.report import read_report
from routeproof.verification.elaborate import elaborate_claims

CHECKER = Path(__file__).parents[2] / "checkers" / "python" / "check_proof.py"
CORPUS = Path(__file__).parents[1] / "certificates" / "proofs"

Proof = dict[str, Any]


@cache
def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_proof", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checked_file(path: Path | str) -> tuple[int, str]:
    """(exit status, what is printed)."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status: int = checker().main([str(path)])
    return status, said.getvalue()


def checked(proof: Proof | str) -> tuple[int, str]:
    text = proof if isinstance(proof, str) else json.dumps(proof)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return checked_file(path)


def elaborated(report: Any) -> Proof:
    """The proof of a report (a document)."""
    with tempfile.TemporaryDirectory() as folder:
        path, proof = Path(folder) / "report.json", Path(folder) / "proof.json"
        path.write_text(json.dumps(report))
        subject, claims = read_report(str(path))
        elaborate_claims(subject, claims, str(proof))
        found: Proof = json.loads(proof.read_text())
        return found


@cache
def _proof_text(name: str) -> str:
    return json.dumps(elaborated(made(name)))


def proof_of(name: str) -> Proof:
    """The proof of a report of ``commanded_reports``; a fresh copy each time."""
    found: Proof = json.loads(_proof_text(name))
    return found


def source(name: str) -> Proof:
    """A proof of the corpus, or of a report."""
    path = CORPUS / "correct" / f"{name}.json"
    found: Proof = json.loads(path.read_text(encoding="utf-8")) if path.exists() else proof_of(name)
    return found


EVERY_CHARACTER = "".join(map(chr, range(0x110000))).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
"""Every code point; where two surrogates meet they are read as the character that they stand for."""


def every_character() -> Proof:
    """A proof with a routing of this name."""
    proof: Proof = json.loads((CORPUS / "correct" / "two-nodes-by-hand.json").read_text(encoding="utf-8"))
    proof["routings"][0]["name"] = EVERY_CHARACTER
    proof["claims"] = proof["claims"][2:3]
    return proof
