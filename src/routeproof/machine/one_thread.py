"""One thread in each call of BLAS, where threads of our own run side by side: both kinds get in each other's way."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import product
from typing import NamedTuple

_LOADED = re.compile(r"/\S*openblas\S*\.so\S*")
_PREFIXES, _SUFFIXES = ("scipy_openblas", "openblas"), ("64_", "")


def one_blas_thread() -> AbstractContextManager[object]:
    """Small products take ten times as long where two threads of BLAS wait for each other on busy cores."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return _one_openblas_thread()
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


class OpenBlas(NamedTuple):
    """A loaded library's own functions."""

    threads: Callable[[], int]
    use: Callable[[int], object]


def loaded_openblas() -> list[OpenBlas]:
    """Those of numpy and scipy, where the system says what is loaded (Linux), and they have them; else none."""
    with suppress(ImportError):
        import scipy.linalg  # noqa: F401  # compiled kernels call its library, which must be loaded by now
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            paths = sorted(set(_LOADED.findall(file.read())))
    except OSError:
        return []
    found = []
    for path in paths:
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for prefix, suffix in product(_PREFIXES, _SUFFIXES):
            with suppress(AttributeError):
                threads = library[f"{prefix}_get_num_threads{suffix}"]
                found.append(OpenBlas(threads, library[f"{prefix}_set_num_threads{suffix}"]))
                break
    return found


@contextmanager
def _one_openblas_thread() -> Iterator[None]:
    """Without threadpoolctl."""
    before = [(x, x.threads()) for x in loaded_openblas()]
    try:
        for x, _ in before:
            x.use(1)
        yield
    finally:
        for x, threads in before:
            x.use(threads)


def num_threads() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1
