"""What holds for all tests: no result depends on the machine, on how fast it is, or on what has run there before."""

from __future__ import annotations

import math
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# Colours, widths and warnings of whoever runs the tests are not for the commands in them; Typer looks at its import.
for _variable in (
    "COLUMNS", "LINES", "TERMINAL_WIDTH", "FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE",
    "TTY_INTERACTIVE", "PYTHONWARNINGS", "ROUTEPROOF_DEBUG",
):  # fmt: skip
    os.environ.pop(_variable, None)

# A shell's job in the background ignores Ctrl-C from its birth, and so would what the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples everywhere, and none kept; others are drawn with --hypothesis-profile=drawn.
settings.register_profile("drawn", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("routeproof", parent=settings.get_profile("drawn"), derandomize=True, database=None)
settings.load_profile("routeproof")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of how far a command is, nor that kernels are compiled: both depend on the machine."""
    from routeproof.cli.frame import progress
    from routeproof.machine.compiled import Kernel

    monkeypatch.setattr(progress, "_PLAIN_PATIENCE", math.inf)
    monkeypatch.setattr(Kernel, "will_compile", lambda _: False)
