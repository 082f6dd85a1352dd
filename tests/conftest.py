"""What holds for all tests: no result depends on how fast the machine is, or on what has run there before."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, settings

from routeproof.analysis import _compiled
from routeproof.cli import progress

settings.register_profile("routeproof", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("routeproof")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of how far a command is, nor that kernels are compiled: both depend on the machine."""
    monkeypatch.setattr(progress, "_PLAIN_PATIENCE", math.inf)
    monkeypatch.setattr(_compiled, "will_compile", lambda: False)
