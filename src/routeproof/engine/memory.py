"""A bound on memory: how many workers it allows, and how each is kept to its share."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..machine.memory import shown_bytes
from .errors import EngineError

if TYPE_CHECKING:
    from .work import Work

__all__ = ["WORKER_BYTES", "bound_this_process", "can_bound", "parse_bytes", "workers_within"]

WORKER_BYTES = 250 * 1000 * 1000  # of a process with its libraries, before it has any work
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
    """The bytes that ``16G``, ``500M``, ``2.5 GB`` or ``1000000`` say; raises EngineError for anything else."""
    cleaned = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = cleaned[-1:] if cleaned[-1:].isalpha() else ""
    try:
        count = float(cleaned.removesuffix(unit)) * _UNITS[unit]
    except (ValueError, KeyError):
        count = 0.0
    if not 1 <= count < 1e18:
        raise EngineError(f"'{text[:40]}' is no amount of memory; one such as 16G or 500M was expected")
    return int(count)


def workers_within(limit: int, work: Work, count: int) -> int:
    """How many workers, at most ``count``, fit into ``limit`` bytes; raises EngineError where none does."""
    each = WORKER_BYTES + work.memory
    fit = limit // each
    if fit < 1:
        raise EngineError(
            f"{work.name} needs about {shown_bytes(each)} for one worker; {shown_bytes(limit)} are allowed by --memory"
        )
    return min(count, fit)
