"""Writing results: refused before the work begins where it cannot be done."""

from __future__ import annotations

import os
from pathlib import Path

from ..core.errors import InputError
from ..formats.text_files import is_stream


def check_writable(path: str | Path) -> None:
    """Raise InputError if a file at ``path`` cannot be written."""
    if not str(path):
        raise InputError("the name of the file to write is empty; a file name was expected")
    target = Path(path)
    try:
        parent, stream = target.resolve().parent, is_stream(target)
        problem = ""
        if target.is_dir():
            problem = "it is a directory; a file name was expected"
        elif not stream and not parent.is_dir():
            problem = f"there is no directory {parent}"
        elif not os.access(target if stream or target.exists() else parent, os.W_OK):
            problem = "permission denied"
    except (OSError, ValueError) as error:  # names that are too long, or hold a zero byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot write '{str(path)[:200]}': {reason}") from None
    if problem:
        raise InputError(f"cannot write '{path}': {problem}")
