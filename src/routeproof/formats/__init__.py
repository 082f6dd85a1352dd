"""Files and foreign objects to networks, paths and traffic, and back; one format a file."""

__all__ = ["RouteproofWarning"]


class RouteproofWarning(UserWarning):
    """Something in the input was left out or filled in; the command prints it as a line on standard error."""
