"""Standard output and standard error: results on the one, warnings and progress on the other."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..report.escape import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["HeldWarnings", "held_warnings", "note", "results_only", "show"]

_WIDE = 160  # columns, where the output is no terminal
_NARROW = 60  # columns below which tables would be cut: a narrower terminal wraps the lines itself


def show(*parts: RenderableType) -> None:
    """Print results: no markup, no guessing, no colour where none is wanted (NO_COLOR, TERM=dumb, no terminal).

    Where the output is no terminal, lines may be long and end without blanks.
    """
    from rich.console import Console

    terminal = sys.stdout.isatty()
    width = None if terminal or os.environ.get("COLUMNS") else _WIDE
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, _NARROW)
    if terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def results_only() -> contextlib.AbstractContextManager[object]:
    """Keeps standard output for results: what a user's routing function prints inside goes to standard error."""
    return contextlib.redirect_stdout(sys.stderr)


def note(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(one_line(message) + "\n")
    sys.stderr.flush()


class HeldWarnings:
    """Warnings, kept back until it is clear that the input is good: bad input gets one line and no more."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def show(self) -> None:
        """Write what has come so far, each line once."""
        for line in dict.fromkeys(self.lines):
            note(f"warning: {line}")
        self.lines.clear()


@contextlib.contextmanager
def held_warnings() -> Iterator[HeldWarnings]:
    """Hold the warnings of what runs inside; to be used inside ``warnings.catch_warnings()``."""
    held = HeldWarnings()

    def hold(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, UserWarning):
            held.lines.append(str(message))

    warnings.simplefilter("ignore")
    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = hold
    yield held
