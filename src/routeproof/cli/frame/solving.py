"""A stage of solving a program, which tells in words how far it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from . import progress, screen


@contextlib.contextmanager
def solving(name: str) -> Iterator[Any]:
    """The stage, named on standard error while it lasts; an interrupt says that nothing was certified."""
    try:
        with progress.status_line() as tell:
            if tell is not None:
                tell(name)
            yield tell
    except KeyboardInterrupt:
        screen.say_last(f"interrupted during the stage '{name}', before anything was certified")
        raise
