"""One process at a time in a run directory; the lock goes when the process does, however it ends."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

from .errors import EngineError

__all__ = ["DirectoryLock", "holder_of"]


class DirectoryLock:
    """A context manager that holds the directory, or raises EngineError and names who does."""

    NAME = "in-use"

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = -1

    def __enter__(self) -> DirectoryLock:
        path = self._directory / self.NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _lock(self._file)
        except OSError:
            holder = ""
            with contextlib.suppress(OSError, UnicodeDecodeError):
                holder = os.read(self._file, 200).decode("ascii").strip()
            os.close(self._file)
            raise EngineError(
                f"the run directory {self._directory} is in use{f' by {holder}' if holder else ''}; "
                "wait until that run has ended, or name another directory"
            ) from None
        with contextlib.suppress(OSError):  # who we are is for people only
            os.ftruncate(self._file, 0)
            os.write(self._file, f"process {os.getpid()} on {socket.gethostname()}\n".encode("ascii", "replace"))
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def _lock(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def holder_of(directory: Path) -> str:
    """Who works in the directory now; "" where nobody does."""
    try:
        with DirectoryLock(directory):
            return ""
    except EngineError as error:
        return str(error).partition(" is in use by ")[2].partition(";")[0] or "another process"
    except OSError:
        return ""
