"""The two ways in which this package says no, and how it warns.

Every message is one line: what was found, where, and what would be right.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable


class RouteproofError(Exception):
    """Anything that this package refuses, with a one-line message."""


class InputError(RouteproofError, ValueError):
    """Bad input (exit status 2 of the command)."""


class VerificationError(RouteproofError):
    """A claim that its evidence does not support (exit status 1 of the command)."""


class RouteproofWarning(UserWarning):
    """Something in the input was left out or filled in; the command prints it as a line on standard error."""


def warn(message: str) -> None:
    """A RouteproofWarning at the line, outside this package, that caused it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("routeproof."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RouteproofWarning, stacklevel=level)


_MANY = 12  # names, too many for one line


def did_you_mean(word: str, known: Iterable[str], *, listed: str = "") -> str:
    """A suffix for an error about an unknown name: names that begin so, else the nearest, else all known names; of too
    many for a line, ``listed`` says where they are listed."""
    names = sorted(known)
    longer = [x for x in names if len(word) > 2 and x.startswith(word.lower())]
    if listed and len(longer) > _MANY:
        return f"{len(longer)} names begin so; {listed}"
    if longer:
        *first, last = (repr(x) for x in longer)
        return f"did you mean {', '.join(first)}{' or ' if first else ''}{last}?"
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    return listed if listed and len(names) > _MANY else f"known: {', '.join(names)}"


def check_choice(what: str, word: str, known: Iterable[str]) -> None:
    """Raise InputError, with the nearest match, unless ``word`` (an option called ``what``) is one of those known."""
    if word not in known:
        short = str(word)[:40]
        raise InputError(f"{what} is '{short}'; {did_you_mean(short, known)}")
