"""numba's ``njit``, also where compiled code cannot be kept.  Import it inside functions: numba is heavy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def njit(**options: Any) -> Any:
    """``numba.njit(nogil=True, **options)``, without ``cache`` where no directory for compiled code can be written.

    numba itself refuses then (a package that is read-only, and no home to write to: containers, build machines); here
    every run compiles anew.  Without the GIL, so that Ctrl-C is heard while a kernel runs.
    """
    options = {"nogil": True, **options}

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(**options)(function)
        except RuntimeError:
            return numba.njit(**{**options, "cache": False})(function)

    return compiled
