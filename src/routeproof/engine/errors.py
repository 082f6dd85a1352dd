"""What can go wrong with work that is spread: lost machines, full disks, interrupts; one clear line each."""

from __future__ import annotations

from ..core.errors import InputError


class EngineError(InputError):
    """Work that cannot be done where it was to be done: an unreachable cluster, a run directory of another command."""


class ClusterLost(EngineError):  # noqa: N818  # what happened, as in WorkerLost
    """The cluster went away in the middle; the engine adds what is kept."""


class PieceError(Exception):
    """A function failed on a piece in a way that is a bug of the function; ``trace`` is the worker's traceback."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class WorkerLost(Exception):  # noqa: N818  # an event between backend and engine, not an error that users see
    """A worker died while it had a piece; ``times``: as many as died of it one after the other."""

    def __init__(self, message: str, *, times: int = 1) -> None:
        super().__init__(message)
        self.times = times


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: the message says what is kept and how to go on."""
