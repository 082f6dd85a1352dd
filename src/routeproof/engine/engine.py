"""The engine: pieces of work handed out, results kept, lost workers replaced, the end always the same."""

from __future__ import annotations

import contextlib
import queue
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import InputError, VerificationError
from ..machine.interrupts import unhurried
from ..machine.memory import can_bound, shown_bytes
from ..machine.one_thread import num_threads
from .errors import ClusterLost, EngineError, Interrupted, PieceError, WorkerLost
from .local import Inline, LocalWorkers, OnExecutor, workers_within
from .records import decode
from .work import Work, arguments_of, digest

if TYPE_CHECKING:
    from .store import Kept, RunDirectory

Progress = Callable[[int, int], None]
_ATTEMPTS = 3
_AHEAD = 2  # pieces under way for every one that can run: nobody waits for the next one
_SMALL = 2.0  # seconds of work that are not worth starting processes for
_POLL = 0.5
_FINISHED = "what is finished is"


class Backend(Protocol):
    """Where pieces run.  A future gives the bytes of ``worker.execute`` or raises WorkerLost."""

    @property
    def slots(self) -> int: ...
    def submit(self, task: bytes, arguments: bytes) -> Any: ...
    def check(self) -> None: ...
    def close(self) -> None: ...


class Engine:
    """Does ``Work``; a context manager, which ends its processes when it is left.

    - ``workers``: processes on this machine; 1 works in this one; None is one for every core where the work is large
      enough.  On a batch system: how many workers to ask for;
    - ``cluster``: the address of a Dask scheduler (``tcp://host:8786``, ``tls://...``), or ``slurm``, ``pbs``, ``lsf``
      with options after commas (``batch_systems``);
    - ``on``: instead of both, a ``concurrent.futures`` executor or a Dask client of your own, which stays open;
    - ``run``: a run directory, made if need be: finished pieces are kept there, and are not done again;
    - ``command``: what the run directory is for (plain data); the same is expected whenever it is opened again;
    - ``memory``: bytes that all workers on this machine may take together; on Linux each is kept to its share;
    - ``tell``: gets a line for people when they wait for something, such as a job in a queue.

    Raises EngineError (an InputError) where that cannot be had.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        cluster: str | None = None,
        on: Any = None,
        run: str | None = None,
        command: Mapping[str, Any] | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        if workers is not None and workers < 1:
            raise InputError(f"{workers} workers were asked for; at least one was expected")
        if on is not None and (cluster is not None or workers is not None):
            raise InputError("on= brings its own workers; neither workers= nor cluster= was expected beside it")
        self.workers, self.cluster, self.memory, self.progress = workers, cluster, memory, progress
        self._on, self._tell = on, tell or (lambda _: None)
        self._backend: Backend | None = None
        self._size = 0
        self._share: int | None = None  # bytes that each process of ours may take
        self._names: dict[str, dict[str, int]] = {}
        self.store: RunDirectory | None = None
        if run is not None:
            from .store import RunDirectory

            self.store = RunDirectory(run, command=command)
        self.done, self.total = 0, 0

    def __repr__(self) -> str:
        return f"<Engine: {self.cluster or 'this machine'}, {self.workers or 'as many as fit'} workers>"

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, leave the cluster, and write what is to be kept."""
        backend, self._backend = self._backend, None
        with unhurried():
            try:
                if backend is not None:
                    backend.close()
            finally:
                if self.store is not None:
                    self.store.close()

    def run(self, work: Work, *, progress: Progress | None = None) -> dict[str, Any]:
        """The results by key, in the order of the pieces.  ``progress(done, total)``: in pieces.

        Raises the InputError or VerificationError that the function raised on the first such piece; PieceError for its
        other exceptions; EngineError where a worker cannot be had, or dies of the same piece three times; Interrupted
        (a KeyboardInterrupt) on Ctrl-C.
        """
        return dict(self.each(work, progress=progress))

    def spread(
        self, name: str, function: str, pieces: Mapping[str, Any], *, progress: Progress | None = None, **more: Any
    ) -> Iterator[tuple[str, Any]]:
        """``each`` of a ``Work`` of these parts, for rooms that do not know the engine."""
        return self.each(Work(name, function, pieces, **more), progress=progress)

    def each(self, work: Work, *, progress: Progress | None = None) -> Iterator[tuple[str, Any]]:
        """``run``, but one result after the other, in the order of the pieces: only a few are held at a time."""
        task = work.task()
        arguments = {key: arguments_of(piece) for key, piece in work.pieces.items()}
        kept = None if self.store is None else self.store.work(self._named(work, digest(task)), digest(task))
        marks = {key: digest(x) for key, x in arguments.items()} if kept is not None else {}
        report = progress or self.progress
        known = set() if kept is None else kept.known(marks)
        self.done, self.total = len(known), len(arguments)
        if report is not None:
            report(self.done, self.total)
        todo = {key: x for key, x in arguments.items() if key not in known}
        fresh = self._fresh(work, task, todo, marks, kept, report)
        ready: dict[str, bytes] = {}
        with contextlib.closing(fresh), self._interruptible(work):
            for key in arguments:
                if kept is not None and key in known:
                    content = kept.read(marks[key])
                    if content is None:  # damaged since it was counted
                        _, content = next(self._fresh(work, task, {key: arguments[key]}, marks, kept, None))
                else:
                    while key not in ready:
                        ready.update([next(fresh)])
                    content = ready.pop(key)
                yield key, decode(content)

    def _fresh(
        self,
        work: Work,
        task: bytes,
        todo: Mapping[str, bytes],
        marks: Mapping[str, str],
        kept: Kept | None,
        report: Progress | None,
    ) -> Generator[tuple[str, bytes]]:
        """(key, encoded result) of the pieces to do, as they are finished."""
        if not todo:
            return
        backend = self._backend_for(work, len(todo))
        finished: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        waiting, ahead = deque(todo), 1 if type(backend) is Inline else _AHEAD
        running: dict[str, Any] = {}
        attempts: dict[str, int] = {}
        failed: dict[str, Exception] = {}
        order = {key: k for k, key in enumerate(todo)}
        missing = len(todo)

        def start(key: str, content: bytes) -> None:
            future = running[key] = backend.submit(task, content)
            future.add_done_callback(lambda done, key=key: finished.put((key, done)))

        try:
            while waiting or running:
                while waiting and not failed and len(running) < max(1, backend.slots * ahead):
                    key = waiting.popleft()
                    start(key, todo[key])
                if failed and not any(order[x] < min(order[y] for y in failed) for x in running):
                    break
                try:
                    key, future = finished.get(timeout=_POLL)
                except queue.Empty:
                    backend.check()
                    if kept is not None:
                        kept.settle()
                    continue
                running.pop(key, None)
                try:
                    reply = decode(future.result())
                except WorkerLost as error:
                    attempts[key] = attempts.get(key, 0) + error.times
                    if attempts[key] >= _ATTEMPTS:
                        raise EngineError(
                            f"piece {key} of {work.name} ended its worker {attempts[key]} times ({error}); "
                            f"out of memory?{self._allowance()}{self._how_to_resume(_FINISHED)}"
                        ) from None
                    backend.check()
                    start(key, todo[key])
                    continue
                if "error" in reply:
                    failed[key] = self._raised(work, key, reply)
                    continue
                if kept is not None:
                    kept.add(marks[key], key, reply["value"], reply["seconds"])
                self.done += 1
                missing -= 1
                if report is not None:
                    report(self.done, self.total)
                yield key, reply["value"]
            if failed:
                raise failed[min(failed, key=order.__getitem__)]  # noqa: TRY301  # the cleaning up is the same
        except GeneratorExit:
            if missing:  # whoever asked has enough: nobody waits for what still runs
                self._abandon()
            raise
        except BaseException:
            self._abandon()
            raise
        finally:
            for future in running.values():
                future.cancel()

    @contextlib.contextmanager
    def _interruptible(self, work: Work) -> Iterator[None]:
        """Ctrl-C and a lost cluster end the work cleanly, and say how to go on."""
        try:
            yield
        except ClusterLost as error:
            done = f"{self.done} of {self.total} pieces of {work.name} were done"
            raise EngineError(f"{error}; {done}{self._how_to_resume()}") from None
        except KeyboardInterrupt:
            with unhurried():  # jobs of a batch system are cancelled
                self._abandon()
            text = f"interrupted: {self.done} of {self.total} pieces of {work.name} were done"
            raise Interrupted(text + self._how_to_resume()) from None

    def _abandon(self) -> None:
        """End what runs; what is finished is kept."""
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.close()
        if self.store is not None:
            self.store.flush()

    def _how_to_resume(self, what: str = "they are") -> str:
        if self.store is None or self.done == 0:
            return ""
        return f"; {what} kept in {self.store.path}: the same command goes on from there"

    def _named(self, work: Work, mark: str) -> str:
        """The name under which a work is kept: the second different work of one name is ``name 2``."""
        seen = self._names.setdefault(work.name, {})
        at = seen.setdefault(mark, len(seen) + 1)
        return work.name if at == 1 else f"{work.name} {at}"

    def _backend_for(self, work: Work, pieces: int) -> Backend:
        if self._on is not None or self.cluster is not None:
            self._backend = self._backend or self._elsewhere()
            return self._backend
        small = pieces == 1 or (work.seconds is not None and work.seconds < _SMALL)
        count = max(1, min(self.workers or (1 if small else num_threads()), pieces))
        share = None
        if self.memory is not None:
            count = workers_within(self.memory, work, count)
            share = self.memory // count if can_bound() else None
        if count == 1 and share is None:
            return Inline()
        enough = self._size >= count if self.memory is None else self._size == count
        if self._backend is None or not enough:
            if self._backend is not None:
                self._backend.close()
            self._backend, self._size, self._share = LocalWorkers(count, memory=share), count, share
        return self._backend

    def _allowance(self) -> str:
        """What --memory leaves each worker, as the end of a sentence."""
        if self._share is None or self.memory is None:
            return ""
        workers = "one worker" if self._size == 1 else f"each of {self._size} workers"
        fewer = "" if self._size == 1 else ", or take fewer --workers"
        return f" --memory {shown_bytes(self.memory)} leaves {shown_bytes(self._share)} to {workers}; allow more{fewer}"

    def _raised(self, work: Work, key: str, reply: Mapping[str, Any]) -> Exception:
        """What to raise for a piece that failed."""
        kind, message = reply["error"], reply["message"]
        known = {x.__name__: x for x in (InputError, VerificationError, OverflowError)}
        if kind in known:
            return known[kind](message)
        if kind != "MemoryError":
            return PieceError(f"piece {key} of {work.name}: {kind}: {message}", reply["trace"])
        text = f"out of memory for piece {key} of {work.name}"
        if self._share is not None:
            text = f"piece {key} of {work.name} needs more memory than it may take:{self._allowance()}"
        return EngineError(text + self._how_to_resume(_FINISHED))

    def _elsewhere(self) -> Backend:
        if isinstance(self._on, Executor):
            return OnExecutor(self._on)
        from .cluster import OnDask

        if self._on is not None:
            return OnDask(self._on, own=False, tell=self._tell)
        assert self.cluster is not None
        return OnDask.connect(self.cluster, workers=self.workers, tell=self._tell)


def run(work: Work, *, progress: Progress | None = None, **options: Any) -> dict[str, Any]:
    """``Engine(**options).run(work, progress=progress)``, and the engine closed again."""
    with Engine(**options) as engine:
        return engine.run(work, progress=progress)
