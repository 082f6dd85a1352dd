"""docs/papers.md names functions and tests: they exist."""

from __future__ import annotations

import pkgutil
import re

import pytest

from places import ROOT
from routeproof.studies.registry import STUDIES

ROOMS = "|".join(path.parent.name for path in (ROOT / "src" / "routeproof").glob("*/__init__.py"))
PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(re.findall(rf"`((?:{ROOMS})(?:\.\w+){{2,}})`", PAGE))))
def test_functions_exist(name):
    assert pkgutil.resolve_name(f"routeproof.{name}") is not None


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(tests/[\w/]+\.py::\w+)`", PAGE))))
def test_tests_exist(name):
    path, _, function = name.partition("::")
    assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8")


def test_every_study_is_on_the_page():
    for name in set(STUDIES) - {"atlas", "topologies", "collectives", "opensm"}:  # shown on pages of their own
        assert f"$ routeproof study {name}\n" in PAGE, f"{name} is not shown"
