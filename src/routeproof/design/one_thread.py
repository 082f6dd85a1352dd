"""One thread in each call of BLAS, where threads of our own run side by side: both kinds get in each other's way."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

__all__ = ["num_threads", "one_blas_thread"]

_MOST = 8


def one_blas_thread() -> AbstractContextManager[object]:
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def num_threads() -> int:
    """How many threads of our own are of use here."""
    try:
        return max(1, min(_MOST, len(os.sched_getaffinity(0))))
    except AttributeError:  # not everywhere
        return max(1, min(_MOST, os.cpu_count() or 1))
