"""Pieces on a ``concurrent.futures`` executor of the caller's."""

from __future__ import annotations

from concurrent.futures import Executor, Future

from .errors import EngineError
from .local import usable_cores

__all__ = ["OnExecutor"]


class OnExecutor:
    """A backend on an executor, which stays open."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.slots = int(getattr(executor, "_max_workers", 0) or usable_cores())

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        from .worker import execute

        try:
            return self._executor.submit(execute, task, arguments)
        except RuntimeError as error:  # shut down, or broken by a worker that died
            raise EngineError(f"the executor takes no more work: {error}") from None

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass
