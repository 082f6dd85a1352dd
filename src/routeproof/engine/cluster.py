"""Pieces on a Dask cluster: one that exists, or one that a batch system is asked for.

Dask itself talks in pickles: a cluster is trusted like the machine's own account, and TLS (Dask's own settings) keeps
others out.  What comes back from a piece is bytes of our own kind; an exception of a worker is told in words.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from .batch_systems import BATCH_SYSTEMS, is_batch, last_line, parse_batch
from .errors import ClusterLost, EngineError, WorkerLost
from .records import decode
from .worker import execute

if TYPE_CHECKING:
    from .batch import BatchJobs

_PATIENCE = 10.0  # seconds until a scheduler answers
_COMING = 10.0  # seconds until its first worker is there
_FETCHING = 60.0  # seconds until a result that is there is here
_ALLOWED = 4  # workers that Dask gives to a piece before it gives up: its setting allowed-failures, and the first
_REMIND = 300.0  # seconds between lines that say the same
_DOUBT = 0.5  # seconds in which a lost scheduler is noticed
_GLANCE = 0.1  # seconds between looks for the first worker
_INSTALL = "install it with: pip install 'routeproof[cluster]'"


class OnDask:
    """A backend on a Dask client; ``own``: the client is closed with it, and whatever was started for it."""

    def __init__(
        self, client: Any, *, own: bool, jobs: BatchJobs | None = None, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        if not hasattr(client, "submit") or not hasattr(client, "scheduler_info"):
            raise EngineError(
                f"on= is of type {type(client).__name__}; a concurrent.futures executor or a Dask client was expected"
            )
        self._client, self._own, self._jobs = client, own, jobs
        self._tell = tell
        self._alone_since = 0.0
        self._cancelled = False
        self._address = str(getattr(getattr(client, "scheduler", None), "address", "") or "the scheduler")
        self._tasks: dict[bytes, Any] = {}
        self._asked = 0.0
        self._slots = 1

    @classmethod
    def connect(cls, text: str, *, workers: int | None, tell: Callable[[str], None]) -> OnDask:
        """The scheduler at an address, or ``workers`` workers of a batch system; raises EngineError.

        ``tell`` gets a line whenever somebody who waits should know why.
        """
        try:
            import distributed
        except ImportError:
            raise EngineError(f"--cluster needs Dask; {_INSTALL}") from None
        if is_batch(text):
            return cls._batch(text, workers or 1, tell)
        if "://" not in text:
            known = ", ".join(BATCH_SYSTEMS)
            raise EngineError(
                f"--cluster is '{text[:60]}'; an address such as tcp://host:8786, or one of {known} was expected"
            )
        connect: Any = distributed.Client
        with _quiet():
            try:
                client = connect(text, timeout=_PATIENCE, set_as_default=False)
            except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
                found = f"no Dask scheduler answers at {text[:80]} ({last_line(error)[:120]})"
                raise EngineError(f"{found}; start one there, or leave --cluster out") from None
        backend = cls(client, own=True, tell=tell)
        try:
            with _quiet():
                client.wait_for_workers(1, timeout=_COMING)
        except BaseException as error:
            backend.close()
            if isinstance(error, OSError):
                raise EngineError(f"the Dask scheduler at {backend._address} has no workers; start some") from None
            raise
        return backend

    @classmethod
    def _batch(cls, text: str, workers: int, tell: Callable[[str], None]) -> OnDask:
        """Workers of a batch system, once the first has come: a queue may take its time, and Ctrl-C ends the wait."""
        import distributed

        from .batch import BatchJobs

        connect: Any = distributed.Client
        with _quiet():
            jobs = BatchJobs(parse_batch(text), workers, tell)
            try:
                backend = cls(connect(jobs.cluster, set_as_default=False), own=True, jobs=jobs, tell=tell)
                while not jobs.joined():
                    jobs.watch()
                    time.sleep(_GLANCE)
            except BaseException:
                jobs.close()
                raise
        return backend

    @property
    def slots(self) -> int:
        """Threads of all workers there are now."""
        now = time.monotonic()
        if now - self._asked > 2.0:
            self._asked = now
            try:
                self._slots = sum(int(x) for x in self._client.nthreads().values())
            except (OSError, TimeoutError, AttributeError):
                self.check()
            self._watch()
        return max(1, self._slots)

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        result: Future[bytes] = Future()
        if self._cancelled:
            self._after_a_loss()
        try:
            if task not in self._tasks:
                self._wait_for_a_worker()
                self._tasks = {task: self._client.scatter(task, broadcast=False, hash=True)}
            future = self._client.submit(execute, self._tasks[task], arguments, pure=False)
            future.add_done_callback(functools.partial(self._settle, result))
        except (OSError, TimeoutError, RuntimeError, ValueError, AttributeError) as error:
            if isinstance(error, ClusterLost):
                raise
            raise ClusterLost(f"{self._address} takes no more work: {_first_line(error)}") from None
        # The result alone keeps Dask's future, and lets it go when it is done with.
        result.dask = future  # type: ignore[attr-defined]
        return result

    def _wait_for_a_worker(self) -> None:
        """What pieces have in common is held by a worker: the last one may have gone, and another be on its way."""
        while self._slots < 1 or not self._client.nthreads():
            self._asked = 0.0
            self.check()
            if self._slots < 1:
                time.sleep(_GLANCE)

    def check(self) -> None:
        """Raise ClusterLost if the scheduler is gone."""
        if getattr(self._client, "status", "") != "running":
            raise ClusterLost(f"the connection to {self._address} was lost")
        _ = self.slots

    def _watch(self) -> None:
        """See to the jobs of a batch system; elsewhere, tell when the last worker has gone."""
        if self._jobs is not None:
            self._jobs.watch()
            return
        now = time.monotonic()
        if self._slots > 0:
            self._alone_since = 0.0
        elif self._alone_since == 0.0:
            self._alone_since = now
        elif now - self._alone_since > _COMING:
            self._alone_since = now + _REMIND
            self._tell(f"the Dask scheduler at {self._address} has no workers any more; the work waits for new ones")

    def close(self) -> None:
        with _quiet(), contextlib.suppress(Exception):
            if self._own:
                self._client.close(timeout=2)
        if self._jobs is not None:
            with _quiet():
                self._jobs.close()

    def _settle(self, result: Future[bytes], future: Any) -> None:
        """Hand a finished future of Dask's over, as bytes or as WorkerLost."""
        result.dask = None  # type: ignore[attr-defined]
        if not result.set_running_or_notify_cancel():
            return
        try:
            if future.status == "finished":
                content = future.result(timeout=_FETCHING)
                decode(content)
                result.set_result(content)
            elif future.status == "error":
                error = future.exception(timeout=_FETCHING)
                killed = type(error).__name__ == "KilledWorker"  # Dask has tried it on several workers already
                words = "each died of it" if killed else f"{type(error).__name__}: {_first_line(error)}"
                result.set_exception(WorkerLost(words, times=_ALLOWED if killed else 1))
            else:  # the scheduler went, or the worker that held what the pieces have in common: that is sent again
                self._cancelled = True
                result.set_exception(WorkerLost("it went down with its worker"))
        except Exception as error:  # noqa: BLE001  # of whatever kind: the piece did not come back
            result.set_exception(WorkerLost(f"{type(error).__name__}: {str(error)[:200]}"))

    def _after_a_loss(self) -> None:
        """Once pieces came back undone: is it the scheduler that went?  If not, send again what they have in common."""
        self._cancelled = False
        self._tasks = {}
        end = time.monotonic() + _DOUBT
        while time.monotonic() < end:
            if getattr(self._client, "status", "") != "running":
                raise ClusterLost(f"the connection to {self._address} was lost")
            time.sleep(0.05)


def _first_line(error: BaseException) -> str:
    """What an error says first; its name where it says nothing, as a TimeoutError may."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@contextlib.contextmanager
def _quiet() -> Any:
    """Dask tells at length what we tell in a line."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
