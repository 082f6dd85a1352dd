"""Libraries that bring along more than is asked of them."""

from __future__ import annotations

import sys
from typing import Any

from .interrupts import is_own_process


def igraph() -> Any:
    """The library igraph.  It imports matplotlib, for plots that nobody asks it for here, which takes longer than most
    commands: in a command's own process it finds none, as where none is installed."""
    hidden = is_own_process() and "igraph" not in sys.modules and "matplotlib" not in sys.modules
    if hidden:
        sys.modules["matplotlib"] = None  # type: ignore[assignment]  # how Python says that there is no such module
    try:
        import igraph as found
    finally:
        if hidden:
            del sys.modules["matplotlib"]
    return found
