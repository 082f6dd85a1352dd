"""How much memory there is; the refusal of what would take more, estimated first and never begun; bounds on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..core.errors import InputError

_UNASKED = 100_000_000  # bytes for which nobody looks how many are free
_allowed: ContextVar[int | None] = ContextVar("memory_allowed", default=None)


class TooMuchMemoryError(InputError):
    """It was not begun, since it would take more memory than is allowed, or than is free."""


def check_memory(needed: int, what: str) -> None:
    """Raise TooMuchMemoryError where about ``needed`` bytes are more than ``memory_allowed``, or than are free.

    ``what`` would take them, such as "dor on torus:1000x1000".
    """
    allowed = _allowed.get()
    if allowed is not None and needed > allowed:
        raise TooMuchMemoryError(
            f"{what} would take about {shown_bytes(needed)}; --memory allows {shown_bytes(allowed)}"
        )
    if needed <= _UNASKED:
        return
    there = free_memory()
    if there is not None and needed > there:
        raise TooMuchMemoryError(
            f"{what} would take about {shown_bytes(needed)}; {shown_bytes(there)} of memory are free"
        )


def check_table(rows: int, columns: int, entry: int, what: str) -> None:
    """``check_memory`` of a table of so many rows and columns, ``entry`` bytes each."""
    check_memory(rows * columns * entry, f"{what}, a table of {rows:,} x {columns:,},")


@contextmanager
def memory_allowed(limit: int | None) -> Iterator[None]:
    """Inside, ``check_memory`` refuses what takes more than ``limit`` bytes; None allows all that is free."""
    token = _allowed.set(limit)
    try:
        yield
    finally:
        _allowed.reset(token)


def free_memory() -> int | None:
    """Bytes that this process can still have: of the machine's memory, of its container's, of its own limits.

    None where the system does not say so.
    """
    found = [x for x in (_of_machine(), *_of_container(), *_of_process()) if x is not None]
    return max(0, min(found)) if found else None


def shown_bytes(count: int) -> str:
    """For people: ``1.5 GB``."""
    for unit, scale in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if count >= scale:
            return f"{count / scale:,.1f} {unit}"
    return f"{count} bytes"


def _of_machine() -> int | None:
    """Nine tenths of what is available: estimates are rough, and other programs run, too.  Where the system does not
    say what is available, half of what there is."""
    for line in _lines("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024 * 9 // 10
    there = _physical()
    return None if there is None else there // 2


def _physical() -> int | None:
    """Bytes of memory of the machine, as macOS and other systems without /proc/meminfo say it."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
    return found if found > 0 else None


def _of_container() -> list[int | None]:
    """What is left of the limits of this process's control groups (batch systems and containers set them), version 2
    and version 1, from its own group up to the root."""
    groups = [x.split(":", 2) for x in _lines("/proc/self/cgroup") if x.count(":") >= 2]
    found: list[int | None] = []
    for root, controller, limit, used, cache in (
        ("/sys/fs/cgroup", "", "memory.max", "memory.current", "inactive_file "),
        ("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "),
    ):
        own = next((path for _, names, path in groups if controller in names.split(",")), "/")
        steps = [x for x in own.split("/") if x not in ("", "..")]
        for depth in range(len(steps) + 1):
            folder = "/".join([root, *steps[:depth]])
            most, now = _lines(f"{folder}/{limit}"), _lines(f"{folder}/{used}")
            if most and now and most[0].isdigit() and now[0].isdigit():
                given_back = [int(x.split()[1]) for x in _lines(f"{folder}/memory.stat") if x.startswith(cache)]
                found.append(int(most[0]) - int(now[0]) + sum(given_back))
    return found


def _of_process() -> list[int | None]:
    """What is left of this process's own limits (``ulimit -v``, a worker's share of --memory)."""
    if sys.platform == "win32":
        return []
    import resource

    taken = {x.split(":")[0]: int(x.split()[1]) * 1024 for x in _lines("/proc/self/status") if x.startswith("Vm")}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    found: list[int | None] = []
    for limit, kind in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        soft = resource.getrlimit(limit)[0]
        if soft != resource.RLIM_INFINITY:
            found.append(soft - taken.get(kind, most))  # without /proc at least what it has had in memory
    return found


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii") as file:
            return file.read().splitlines()
    except (OSError, ValueError):
        return []


_UNITS = {"": 1, "B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def can_bound() -> bool:
    """Can a process be kept to its memory?  On Linux, where RLIMIT_DATA counts all of it that is private."""
    return sys.platform == "linux"


def bound_this_process(limit: int) -> None:
    """From now on, whatever would take this process beyond ``limit`` bytes of private memory raises MemoryError.

    Private and writable memory counts (RLIMIT_DATA); libraries and files that are mapped do not.  A library that does
    not look at what it gets may end the process instead.
    """
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def parse_bytes(text: str) -> int:
    """The bytes that ``16G``, ``500M``, ``2.5 GB`` or ``1000000`` say; raises InputError for anything else."""
    cleaned = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = cleaned[-1:] if cleaned[-1:].isalpha() else ""
    try:
        count = float(cleaned.removesuffix(unit)) * _UNITS[unit]
    except (ValueError, KeyError):
        count = 0.0
    if not 1 <= count < 1e18:
        raise InputError(f"'{text[:40]}' is not an amount of memory; one such as 16G or 500M was expected")
    return int(count)
