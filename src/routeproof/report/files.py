"""Writing results: whole or not at all, and refused before the work begins where it cannot be done."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from ..core.errors import InputError

__all__ = ["check_writable", "write_whole"]


def check_writable(path: str | Path) -> None:
    """Raise InputError if a file at ``path`` cannot be written."""
    if not str(path):
        raise InputError("the name of the file to write is empty; a file name was expected")
    target = Path(path)
    try:
        parent = target.resolve().parent
        if target.is_dir():
            problem = "it is a directory; a file name was expected"
        elif not parent.is_dir():
            problem = f"there is no directory {parent}"
        elif not os.access(target if target.exists() else parent, os.W_OK):
            problem = "permission denied"
        else:
            return
    except (OSError, ValueError) as error:  # names that are too long, or hold a zero byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot write '{str(path)[:200]}': {reason}") from None
    raise InputError(f"cannot write '{path}': {problem}")


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file that is either all there or as it was before; raises InputError if it cannot be done."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".routeproof-{secrets.token_hex(8)}.tmp")
    try:
        if target.exists() and not target.is_file():  # a device or a pipe
            target.write_bytes(content)
            return
        try:
            temporary.write_bytes(content)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot write '{path}': {reason}") from None
