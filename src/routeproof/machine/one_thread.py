"""One thread in each call of BLAS, where threads of our own run side by side: both kinds get in each other's way."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager


def one_blas_thread() -> AbstractContextManager[object]:
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def num_threads() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1
