"""Pieces on a Dask cluster: one that exists, or one that a batch system is asked for.

Dask itself talks in pickles: a cluster is trusted like the machine's own account, and TLS (Dask's own settings) keeps
others out.  What comes back from a piece is bytes of our own kind; an exception of a worker is told in words.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import time
from concurrent.futures import Future
from typing import Any

from .errors import ClusterLost, EngineError, WorkerLost
from .records import decode
from .worker import execute

__all__ = ["BATCH_SYSTEMS", "OnDask"]

BATCH_SYSTEMS = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
_PATIENCE = 10.0
_INSTALL = "install it with: pip install 'routeproof[cluster]'"


class OnDask:
    """A backend on a Dask client; ``own``: the client is closed with it, and whatever was started for it."""

    def __init__(self, client: Any, *, own: bool, cluster: Any = None) -> None:
        if not hasattr(client, "submit") or not hasattr(client, "scheduler_info"):
            raise EngineError(
                f"on= is of type {type(client).__name__}; a concurrent.futures executor or a Dask client was expected"
            )
        self._client, self._own, self._cluster = client, own, cluster
        self._address = str(getattr(getattr(client, "scheduler", None), "address", "") or "the scheduler")
        self._tasks: dict[bytes, Any] = {}
        self._asked = 0.0
        self._slots = 1

    @classmethod
    def connect(cls, text: str, *, workers: int | None) -> OnDask:
        """The scheduler at an address, or ``workers`` workers of a batch system; raises EngineError."""
        try:
            import distributed
        except ImportError:
            raise EngineError(f"--cluster needs Dask; {_INSTALL}") from None
        connect: Any = distributed.Client
        if text in BATCH_SYSTEMS:
            cluster = _batch(text, workers)
            backend = cls(connect(cluster), own=True, cluster=cluster)
            return backend._with_a_worker(None)  # a queue may take its time; Ctrl-C ends the wait
        if "://" not in text:
            known = ", ".join(BATCH_SYSTEMS)
            raise EngineError(
                f"--cluster is '{text[:60]}'; an address such as tcp://host:8786, or one of {known} was expected"
            )
        with _quiet():
            try:
                client = connect(text, timeout=_PATIENCE, set_as_default=False)
            except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
                reason = str(error).strip().splitlines()
                raise EngineError(
                    f"no Dask scheduler answers at {text[:80]} ({(reason or [type(error).__name__])[-1][:120]}); "
                    "start one there, or leave --cluster out"
                ) from None
        return cls(client, own=True)._with_a_worker(_PATIENCE)

    def _with_a_worker(self, patience: float | None) -> OnDask:
        """This, once there is a worker; closed again if that is not so after ``patience`` seconds."""
        try:
            with _quiet():
                self._client.wait_for_workers(1, timeout=patience)
        except (TimeoutError, OSError):
            self.close()
            raise EngineError(f"the Dask scheduler at {self._address} has no workers; start some") from None
        except BaseException:
            self.close()
            raise
        return self

    @property
    def slots(self) -> int:
        """Threads of all workers there are now."""
        now = time.monotonic()
        if now - self._asked > 2.0:
            self._asked = now
            try:
                self._slots = max(1, sum(int(x) for x in self._client.nthreads().values()))
            except (OSError, TimeoutError, AttributeError):
                self.check()
        return self._slots

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        result: Future[bytes] = Future()
        with self._words():
            if task not in self._tasks:
                self._tasks = {task: self._client.scatter(task, broadcast=False, hash=True)}
            future = self._client.submit(_execute, self._tasks[task], arguments, pure=False)
            future.add_done_callback(functools.partial(_settle, result, self._address))
            # The result alone keeps Dask's future, and lets it go when it is done with.
            result.dask = future  # type: ignore[attr-defined]
        return result

    def check(self) -> None:
        """Raise ClusterLost if the scheduler is gone."""
        if getattr(self._client, "status", "") != "running":
            raise ClusterLost(f"the connection to {self._address} was lost")

    def close(self) -> None:
        with _quiet(), contextlib.suppress(Exception):
            if self._own:
                self._client.close(timeout=2)
            if self._cluster is not None:
                self._cluster.close(timeout=10)

    @contextlib.contextmanager
    def _words(self) -> Any:
        try:
            yield
        except (OSError, TimeoutError, RuntimeError, ValueError, AttributeError) as error:
            raise ClusterLost(f"{self._address} takes no more work: {str(error).splitlines()[0][:120]}") from None


def _execute(task: bytes, arguments: bytes) -> bytes:
    return execute(task, arguments)


def _settle(result: Future[bytes], address: str, future: Any) -> None:
    """Hand a finished future of Dask's over, as bytes or as WorkerLost."""
    result.dask = None  # type: ignore[attr-defined]
    if not result.set_running_or_notify_cancel():
        return
    try:
        if future.status == "finished":
            content = future.result(timeout=_PATIENCE)
            decode(content)
            result.set_result(content)
        elif future.status == "error":
            error = future.exception(timeout=_PATIENCE)
            result.set_exception(WorkerLost(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"))
        else:
            result.set_exception(ClusterLost(f"the connection to {address} was lost"))  # it cancels all that runs
    except Exception as error:  # noqa: BLE001  # of whatever kind: the piece did not come back
        result.set_exception(WorkerLost(f"{type(error).__name__}: {str(error)[:200]}"))


def _batch(system: str, workers: int | None) -> Any:
    """A cluster of a batch system, as Dask's own settings (jobqueue.yaml) describe it, with ``workers`` workers."""
    try:
        import dask_jobqueue
    except ImportError:
        raise EngineError(f"--cluster {system} needs dask-jobqueue; {_INSTALL}") from None
    try:
        cluster = getattr(dask_jobqueue, BATCH_SYSTEMS[system])()
        cluster.scale(n=workers or 1)
    except (ValueError, OSError, RuntimeError, TypeError) as error:
        raise EngineError(
            f"{system} gave no cluster: {str(error).splitlines()[0][:160]}; cores and memory of a job are set in "
            "~/.config/dask/jobqueue.yaml"
        ) from None
    return cluster


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
