"""Kernels where compiled code cannot be kept."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from routeproof.machine.compiled import njit


def twice(x: int) -> int:
    return 2 * x


def test_without_a_directory_for_the_cache_a_kernel_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit
    asked: list[dict[str, Any]] = []

    def refusing(**options: Any) -> Any:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'twice': no locator available for file 'compiled.py'")
        return real(**options)

    monkeypatch.setattr(numba, "njit", refusing)
    assert njit(cache=True, nogil=True)(twice)(21) == 42
    assert asked == [{"cache": True, "nogil": True}, {"cache": False, "nogil": True}]


def test_what_is_wrong_with_a_kernel_itself_is_still_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(**_: Any) -> Any:
        raise RuntimeError("something else")

    monkeypatch.setattr(numba, "njit", failing)
    with pytest.raises(RuntimeError, match="something else"):
        njit(cache=True)(twice)
