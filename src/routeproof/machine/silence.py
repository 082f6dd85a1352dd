"""Standard output belongs to results: what libraries in C print on descriptor 1 must not get between them.

Two means: ``keep_for_results``, once and for all, in a process of our own; ``silent`` around a library's work, also
inside somebody else's process, such as a notebook.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # the command begins here: see ``interrupts``
if TYPE_CHECKING:
    from collections.abc import Iterator

_OUT, _ERR = 1, 2
_OUT_AS_FILES = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def keep_for_results() -> None:
    """From now on only ``sys.stdout`` writes to what was descriptor 1; what else is printed there goes to standard
    error.  For commands, before they print or open anything.  Nothing changes where ``sys.stdout`` is not the
    process's own."""
    out = sys.stdout
    if out is not sys.__stdout__:
        return
    with suppress(OSError, ValueError):  # where there are no descriptors of the usual kind
        own = None if out is None else os.dup(out.fileno())
        nowhere = os.open(os.devnull, os.O_WRONLY)  # it is 1 itself where the caller has closed that ("... >&-")
        try:
            os.dup2(_ERR, _OUT)
        except OSError:  # so is standard error
            os.dup2(nowhere, _OUT)
        if nowhere > _ERR:
            os.close(nowhere)
        if own is not None and out is not None:
            out.flush()
            kept = open(own, "w", encoding=out.encoding, errors=out.errors)  # noqa: SIM115  # to the process's end
            kept.reconfigure(line_buffering=out.line_buffering, write_through=out.write_through)
            sys.stdout = sys.__stdout__ = kept  # type: ignore[misc]


def with_own_output(arguments: list[str]) -> list[str]:
    """``arguments`` of a command after ``keep_for_results``: files that are standard output by name, such as
    ``/dev/stdout``, are where it is now."""
    try:
        here = f"/dev/fd/{sys.stdout.fileno()}"
    except (AttributeError, OSError, ValueError):
        return arguments
    parts = [x.rpartition("=" if x.startswith("--") else "\0") for x in arguments]
    return [option + equals + (here if value in _OUT_AS_FILES else value) for option, equals, value in parts]


@contextmanager
def silent(*, briefly: bool = False) -> Iterator[None]:
    """Inside, descriptor 1 leads nowhere, unless somebody else may print there: another thread, where ``sys.stdout``
    writes to it.  ``briefly``: then, too.  Threads may be inside side by side, and one in another."""
    if not briefly and not _is_free():
        yield
        return
    entered = False
    try:
        _nowhere.enter()
        entered = True
        yield
    finally:
        _nowhere.leave(entered=entered)


def _is_free() -> bool:
    """Can nobody print on descriptor 1 but who is asking?"""
    from threading import active_count

    try:
        return active_count() == 1 or sys.stdout.fileno() != _OUT
    except (AttributeError, OSError, ValueError):  # closed, or made of no descriptor, as in notebooks
        return True


class _Nowhere:
    """``_inside``: how many are inside; ``_kept``: where descriptor 1 led before, which an interrupt in ``enter`` may
    leave to ``leave``."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._inside = 0
        self._kept: int | None = None

    def enter(self) -> None:
        with self._lock:
            if self._kept is None:
                _flush()
                with suppress(OSError):  # descriptor 1 is closed: it leads nowhere
                    self._kept = os.dup(_OUT)
                    nowhere = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(nowhere, _OUT)
                    os.close(nowhere)
            self._inside += 1

    def leave(self, *, entered: bool) -> None:
        with self._lock:
            self._inside -= entered
            if not self._inside and self._kept is not None:
                _flush()
                os.dup2(self._kept, _OUT)
                os.close(self._kept)
                self._kept = None


_nowhere = _Nowhere()  # there is one descriptor 1


def _flush() -> None:
    """What C has printed goes where descriptor 1 leads now."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError, ValueError):  # where C calls its stream otherwise: macOS, Windows
        libc = ctypes.CDLL(None)
        libc.fflush(ctypes.c_void_p.in_dll(libc, "stdout"))
