"""dask_jobqueue's jobs, such that a run knows what became of their submission; and what its import must not change."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Submissions", "last_line", "noting", "own_signals", "security_settings"]


@dataclass
class Submissions:
    """What came of the jobs, by the worker's name: their identity, or what was said when they were refused."""

    ids: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)  # those that were over, or on their way out, when we last looked
    closed: set[str] = field(default_factory=set)  # of the others, those that Dask cancelled: their worker was lost


def noting(kind: Any, made: Submissions) -> Any:
    """The class of jobs, which notes who was accepted and who was not, and raises neither into Dask's event loop."""
    from distributed.deploy import spec

    bare: Any = spec.ProcessInterface

    class NotingJob(kind):  # type: ignore[misc]
        async def start(self) -> None:
            try:
                await super().start()
                made.ids[str(self.name)] = str(self.job_id)
            except (RuntimeError, OSError, ValueError) as error:
                made.refused[str(self.name)] = last_line(error)
                await bare.start(self)

        async def close(self) -> None:
            if str(self.job_id) not in made.left:
                made.closed.add(str(self.job_id))
            await super().close()
            await bare.close(self)

    return NotingJob


@contextlib.contextmanager
def own_signals() -> Iterator[None]:
    """dask_jobqueue 0.9 takes SIGINT when it is imported: Ctrl-C would end Python before jobs are cancelled."""
    kept = {x: signal.getsignal(x) for x in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in kept.items():
                if handler is not None:
                    signal.signal(number, handler)


def security_settings() -> Any:
    """Dask's own TLS settings, where there are any."""
    import dask
    from distributed import security

    if not dask.config.get("distributed.comm.tls.scheduler.cert", None):
        return None
    kind: Any = security.Security
    return kind()


def last_line(error: BaseException) -> str:
    """What a command that failed said on its standard error, in a line."""
    text = str(error).partition("stderr:\n")[2] or str(error)
    lines = [x.strip() for x in text.splitlines() if x.strip()]
    return (lines or [type(error).__name__])[-1][:200]
