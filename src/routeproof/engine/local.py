"""Worker processes on this machine: each a fresh interpreter that gets tasks and pieces through a pipe, no socket.

Started by ``worker.main``, not forked: nothing of this process's threads or locks comes along,
and no script needs an ``if __name__ == "__main__"``.  A worker that dies is replaced; one whose parent dies ends.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import warnings
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from ..machine.memory import shown_bytes
from ..machine.one_thread import num_threads
from .errors import EngineError, WorkerLost
from .records import decode, encode
from .work import VARIABLE, Work, code_version
from .worker import ONE_THREAD, execute, read_frame, write_frame

WORKER_BYTES = 250 * 1000 * 1000  # of a process with its libraries, before it has any work


class Inline:
    """Pieces done in this process, one after the other, when they are submitted."""

    slots = 1

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        future: Future[bytes] = Future()
        future.set_result(execute(task, arguments))
        return future

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


class OnExecutor(Inline):
    """Pieces on a ``concurrent.futures`` executor of the caller's, which stays open."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.slots = int(getattr(executor, "_max_workers", 0) or num_threads())

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        try:
            return self._executor.submit(execute, task, arguments)
        except RuntimeError as error:  # shut down, or broken by a worker that died
            raise EngineError(f"the executor takes no more work: {error}") from None


class LocalWorkers:
    """``count`` processes; each takes the next piece when it is done with one."""

    def __init__(self, count: int, *, memory: int | None = None) -> None:
        self.slots = count
        self._memory = memory  # bytes that each of them may take
        self._todo: queue.SimpleQueue[tuple[Future[bytes], bytes, bytes] | None] = queue.SimpleQueue()
        self._closed = False
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, task: bytes, arguments: bytes) -> Future[bytes]:
        future: Future[bytes] = Future()
        self._todo.put((future, task, arguments))
        return future

    def check(self) -> None:
        pass

    def close(self) -> None:
        """End all processes at once, in the middle of a piece if need be."""
        self._closed = True
        for _ in self._threads:
            self._todo.put(None)
        with self._lock:
            for process in self._processes:
                process.kill()
        for thread in self._threads:
            thread.join()

    def _start(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._closed:
                return None
            root = str(Path(__file__).resolve().parent.parent.parent)  # where the package is that runs here
            path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
            process = subprocess.Popen(  # our own module, by our own interpreter
                [sys.executable, "-c", "from routeproof.engine.worker import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **ONE_THREAD, "PYTHONPATH": path, VARIABLE: code_version()},
                start_new_session=True,  # an interrupt at the terminal is for us alone
            )
            self._processes.add(process)
            return process

    def _serve(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        known = b""
        while (item := self._todo.get()) is not None and not self._closed:
            future, task, arguments = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None:
                    process, known = self._start(), b""
                    if process is None:
                        future.set_exception(WorkerLost("closed"))
                        break
                    if self._memory is not None:
                        self._send(process, b"M", encode(self._memory))
                    self._send(process, b"S", encode([x for x in sys.path if isinstance(x, str)]))
                if task is not known:
                    self._send(process, b"T", task)
                    known = task
                self._send(process, b"P", arguments)
                assert process.stdout is not None
                frame = read_frame(process.stdout)  # type: ignore[arg-type]
                if frame is None:
                    raise BrokenPipeError
            except OSError:
                lost, process = process, None
                future.set_exception(WorkerLost(self._bury(lost)))
                continue
            reply = decode(frame[1])
            for text in reply["warnings"]:
                warnings.warn(text, stacklevel=2)
            future.set_result(reply["reply"])
        if process is not None:
            self._bury(process)

    @staticmethod
    def _send(process: subprocess.Popen[bytes], kind: bytes, content: bytes) -> None:
        assert process.stdin is not None
        write_frame(process.stdin, kind, content)  # type: ignore[arg-type]

    def _bury(self, process: subprocess.Popen[bytes] | None) -> str:
        """End a process and say how it ended."""
        if process is None:
            return "it could not be started"
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        try:
            status: Any = process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        with self._lock:
            self._processes.discard(process)
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def workers_within(limit: int, work: Work, count: int) -> int:
    """How many workers, at most ``count``, fit into ``limit`` bytes; raises EngineError where none does."""
    each = WORKER_BYTES + work.memory
    fit = limit // each
    if fit < 1:
        raise EngineError(
            f"{work.name} needs about {shown_bytes(each)} for one worker; {shown_bytes(limit)} are allowed by --memory"
        )
    return min(count, fit)
