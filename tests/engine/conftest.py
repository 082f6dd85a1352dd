"""One version of the code for a whole test, though its files may be edited meanwhile; and a path to the pieces."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from routeproof.engine import work as engine_work
from routeproof.engine.batch_systems import own_signals

_LIMITS = ("connect", "tcp")


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path(__file__).resolve().parent)
    monkeypatch.setattr(sys, "path", [here, *(x for x in sys.path if x != here)])
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+test")
    engine_work.code_version.cache_clear()


@pytest.fixture
def patient_dask(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Dask's own limits are of a machine that has nothing else to do; here, and in the processes that are started."""
    import dask
    import distributed  # noqa: F401  # what is set before a package brings its defaults is all that is left of them

    with own_signals(), contextlib.suppress(ImportError):
        import dask_jobqueue  # noqa: F401
    for limit in _LIMITS:
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{limit.upper()}", "600s")
    with dask.config.set({f"distributed.comm.timeouts.{limit}": "600s" for limit in _LIMITS}):
        yield
