"""Files and objects of other tools to networks, paths and traffic, and back; one format a file.

A field that is present and not understood is an error with its line, never a default. Nothing here routes or analyses.
Begin with ``files``.
"""

__all__ = ["RouteproofWarning"]


class RouteproofWarning(UserWarning):
    """Something in the input was left out or filled in; the command prints it as a line on standard error."""
