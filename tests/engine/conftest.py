"""One version of the code for a whole test, though its files may be edited meanwhile; and a path to the pieces."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from routeproof.engine import version


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path(__file__).resolve().parent)
    monkeypatch.setattr(sys, "path", [here, *(x for x in sys.path if x != here)])
    monkeypatch.setenv(version.VARIABLE, "0.0+test")
    version.code_version.cache_clear()
