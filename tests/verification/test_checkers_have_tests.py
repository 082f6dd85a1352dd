"""Every checker has a test file of its own, with reports that hold and forgeries that are refused."""

from __future__ import annotations

import ast

import pytest

from places import ROOT
from routeproof.claims.kind import Kind
from routeproof.claims.kinds import KINDS
from routeproof.verification.report import SUBJECTS, evidence_about

CLAIMS = ROOT / "src" / "routeproof" / "claims"
CHECKED = [kind for kind in KINDS.own.values() if kind.subjects]


def _entries() -> dict[str, list[str]]:
    """By module: the kinds of evidence and of subjects that are written in it."""
    found: dict[str, list[str]] = {}
    for path in sorted(CLAIMS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Kind", "SubjectKind"):
                found.setdefault(".".join(path.relative_to(CLAIMS).with_suffix("").parts), []).append(ast.unparse(node))
    return found


@pytest.mark.parametrize("module", sorted({*_entries()} - {"kinds"}))
def test_every_checker_has_a_test_file(module: str) -> None:
    *room, name = module.split(".")
    path = ROOT.joinpath("tests", "claims", *room, f"test_verify_{name}.py")
    assert path.is_file(), f"{path.relative_to(ROOT)} is missing"
    assert path.read_text(encoding="utf-8").count("def test_") > 1


@pytest.mark.parametrize("kind", CHECKED, ids=lambda kind: kind.name)
def test_every_entry_is_complete(kind: Kind) -> None:
    assert kind.states
    assert all(form.relations for form in kind.states.values())
    assert kind.subjects <= set(SUBJECTS.own)


def test_every_subject_has_evidence() -> None:
    assert all(evidence_about(subject) for subject in SUBJECTS.own)
    assert {kind for subject in SUBJECTS.own for kind in evidence_about(subject)} == {x.name for x in CHECKED}
