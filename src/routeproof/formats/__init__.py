"""Files and objects of other tools to networks, paths and traffic, and back; one format a file.

A field that is present and not understood is an error with its line, never a default. Nothing here routes or analyses.
Begin with ``format``.
"""

import sys
import warnings

__all__ = ["RouteproofWarning", "warn"]


class RouteproofWarning(UserWarning):
    """Something in the input was left out or filled in; the command prints it as a line on standard error."""


def warn(message: str) -> None:
    """A RouteproofWarning at the line, outside this package, that caused it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("routeproof."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RouteproofWarning, stacklevel=level)
