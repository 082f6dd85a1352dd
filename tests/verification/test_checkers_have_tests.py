"""Every checker has a test file of its own, with reports that hold and forgeries that are refused."""

from __future__ import annotations

import pytest

from places import ROOT
from routeproof.verification.kinds import CHECKERS, kind_of
from routeproof.verification.subjects import SUBJECTS

MODULES = sorted({*CHECKERS.values(), *(kind.verify.partition(":")[0] for kind in SUBJECTS.values())})


@pytest.mark.parametrize("module", MODULES)
def test_every_checker_has_a_test_file(module: str) -> None:
    *room, name = module.split(".")
    path = ROOT.joinpath("tests", "verification", *room, f"test_verify_{name}.py")
    assert path.is_file(), f"{path.relative_to(ROOT)} is missing"
    assert path.read_text(encoding="utf-8").count("def test_") > 1


@pytest.mark.parametrize("kind", CHECKERS)
def test_every_entry_is_complete(kind: str) -> None:
    entry = kind_of(kind)
    assert entry.states
    assert all(form.relations for form in entry.states.values())
    assert any(kind in subject.evidence for subject in SUBJECTS.values()), "no subject has evidence of this kind"


def test_evidence_of_subjects_has_checkers() -> None:
    assert {kind for subject in SUBJECTS.values() for kind in subject.evidence} == set(CHECKERS)
