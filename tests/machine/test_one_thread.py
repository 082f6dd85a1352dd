"""One thread in each call of BLAS, also without threadpoolctl."""

from __future__ import annotations

import sys

import pytest

from routeproof.machine.one_thread import loaded_openblas, one_blas_thread


def test_without_threadpoolctl_the_libraries_are_asked_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    libraries = loaded_openblas()
    if not libraries:
        pytest.skip("no OpenBLAS is loaded, or the system does not say so")
    before = [x.threads() for x in libraries]
    with one_blas_thread():
        assert all(x.threads() == 1 for x in libraries)
    assert [x.threads() for x in libraries] == before


def test_after_an_error_the_threads_are_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    before = [x.threads() for x in loaded_openblas()]
    with pytest.raises(KeyboardInterrupt), one_blas_thread():
        raise KeyboardInterrupt
    assert [x.threads() for x in loaded_openblas()] == before
