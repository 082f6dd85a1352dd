"""Workers that a batch system is asked for: submitted, watched, replaced, cancelled at the end."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .batch_systems import (
    BATCH_SYSTEMS,
    ENDED_BY_HAND,
    GONE,
    BatchOptions,
    JobState,
    Submissions,
    ask_states,
    cancel,
    is_loopback,
    last_line,
    machines,
    noting,
    own_signals,
    security_settings,
)
from .errors import ClusterLost, EngineError

_PAUSE = 2.0  # seconds between questions to the batch system
_REMIND = 300.0  # seconds between lines that say the same
_LAG = 30.0  # seconds in which a batch system may not know a job yet
_FRUITLESS = 3  # jobs in a row that end without a worker: something is wrong with all of them


class BatchJobs:
    """``workers`` workers of a batch system for one run; ``tell`` gets lines for people.

    Raises EngineError where there is no such batch system, or its jobs could not reach the scheduler.
    """

    def __init__(self, options: BatchOptions, workers: int, tell: Callable[[str], None]) -> None:
        self.options, self._tell = options, tell
        self._system = options.system
        self._made = Submissions()
        self._log = Path()
        self._own_log, self._failed = False, False
        self._check_reach()
        arguments = options.for_dask()
        self.jobs = -(-workers // int(arguments.get("processes") or options.configured("processes")))
        self.cluster = self._open(arguments)
        self._asked, self._said, self._said_at = 0.0, "", 0.0
        self._joined: set[str] = set()  # jobs that have brought a worker
        self._seen: set[str] = set()  # jobs that the batch system has told about
        self._first: dict[str, float] = {}  # when it was first asked about the others
        self._fruitless = 0
        try:
            self.cluster.scale(jobs=self.jobs)
        except BaseException:
            self.close()
            raise

    def _open(self, arguments: dict[str, Any]) -> Any:
        try:
            with own_signals():
                import dask_jobqueue
        except ImportError:
            raise EngineError(
                f"--cluster {self._system} needs dask-jobqueue; install it with: pip install 'routeproof[cluster]'"
            ) from None
        kind = getattr(dask_jobqueue, BATCH_SYSTEMS[self._system])
        command, option = kind.job_cls.submit_command, f"--cluster {self._system}"
        if shutil.which(command) is None:
            where = "works where jobs are submitted, such as a login node"
            raise EngineError(f"there is no {command} on this machine: {option} {where}")
        configured = self.options.configured("log-directory")
        self._log, self._own_log = _log_directory() if configured is None else Path(str(configured)), configured is None
        if self._own_log:
            arguments["log_directory"] = str(self._log)
        if (security := security_settings()) is not None:
            arguments["security"] = security
        try:
            return kind(job_cls=noting(kind.job_cls, self._made), silence_logs="critical", **arguments)
        except (ValueError, OSError, RuntimeError, TypeError, KeyError) as error:
            self._forget_log()
            where = f"~/.config/dask/jobqueue.yaml, and after commas: {option},queue=short"
            raise EngineError(
                f"{self._system} gave no cluster: {last_line(error)}; jobs are described in {where}"
            ) from None

    def _check_reach(self) -> None:
        """Refuse to submit jobs that could not reach a scheduler which listens on loopback."""
        if not is_loopback(self.options.listens()):
            return
        here = {"localhost", socket.gethostname(), socket.gethostname().partition(".")[0]}
        elsewhere = [x for x in machines(self._system, self.options.queue) if x not in here]
        if elsewhere:
            raise EngineError(
                f"jobs of {self._system} may run on other machines ({elsewhere[0]}), and the scheduler listens on this "
                f"one alone; say where it may listen, on an interface or an address of this machine that they reach: "
                f"--cluster {self._system},listen=ib0"
            )

    def joined(self) -> set[str]:
        """The names of the workers that are there."""
        there = {str(x.name) for x in list(self.cluster.scheduler.workers.values())}
        self._joined |= {job for name, job in dict(self._made.ids).items() if _of_job(name, there)}
        return there

    def watch(self) -> None:
        """See what became of the jobs, at most every few seconds; raise ClusterLost where none can come any more."""
        now = time.monotonic()
        if now - self._asked < _PAUSE:
            return
        self._asked = now
        there = self.joined()
        ids = dict(self._made.ids)
        if self._made.refused:
            self._refused(bool(there))
        if not ids:
            return
        states = ask_states(self._system, list(ids.values()))
        if states is None:  # the batch system itself is busy
            return
        for job, state in states.items():  # one that was just submitted may not be known everywhere yet
            if state.word != GONE:
                self._seen.add(job)
            elif job not in self._seen and now - self._first.setdefault(job, now) < _LAG:
                states[job] = JobState("PENDING")
        self._made.left.update(job for job, state in states.items() if state.leaves or state.ended)
        ended = {x: states[ids[x]] for x in ids if states[ids[x]].ended and not _of_job(x, there)}
        for name, state in ended.items():
            self._ended(name, ids[name], state)
        left = [x for x in ids if x not in ended and x in self._made.ids]
        if not there:
            if not left and not self._opening():
                words = ", ".join(sorted({x.word for x in ended.values()} or {"CANCELLED"}))
                raise ClusterLost(f"all jobs of {self._system} have ended ({words})")
            waiting = {ids[x]: states[ids[x]] for x in left if states[ids[x]].waits}
            running = [ids[x] for x in left if not (states[ids[x]].waits or states[ids[x]].leaves)]
            if running:
                self._say(f"{self._system}: job {running[0]} runs, and its worker is on its way")
            elif waiting:
                self._say(f"{self._system}: {_jobs(waiting)}; Ctrl-C cancels {'it' if len(waiting) == 1 else 'them'}")

    def _opening(self) -> bool:
        """Has the cluster jobs in hand that are not submitted yet?"""
        wanted = set(map(str, self.cluster.worker_spec))
        return bool(wanted - set(self._made.ids) - set(self._made.refused))

    def _ended(self, name: str, job: str, state: JobState) -> None:
        """A job is over before the work is: ask for another, unless somebody ended it on purpose or it is of no use."""
        del self._made.ids[name]
        said = f"{self._system}: job {job} has ended ({state.word})"
        if state.word in ENDED_BY_HAND and job not in self._made.closed:
            self._say(f"{self._system}: job {job} was cancelled; the others go on")
            self._drop(name)
            return
        if job in self._joined:
            self._fruitless = 0
            self._say(f"{said}; another one is asked for")
        else:
            self._failed = True
            self._fruitless += 1
            if self._fruitless >= _FRUITLESS:
                jobs, why = f"{self._fruitless} jobs of {self._system}", _last_words(self._log, job)
                raise ClusterLost(f"{jobs} ended without a worker ({state.word}){why}")
            self._say(f"{said} before its worker came; another is asked for")
        self._drop(name)
        self.cluster.scale(jobs=len(self.cluster.worker_spec) + 1)

    def _drop(self, name: str) -> None:
        """Let the cluster forget a job that is over: it would neither ask for another of that name nor close."""
        from distributed.core import Status

        self.cluster.worker_spec.pop(name, None)
        job = self.cluster.workers.pop(name, None)
        if job is not None:
            job.status = Status.closed

    def _refused(self, there: bool) -> None:
        """Go on with the jobs that were accepted; raise ClusterLost where there are none."""
        if self._opening():
            return
        refused = dict(self._made.refused)
        why = next(iter(refused.values()))
        if not self._made.ids and not there:
            raise ClusterLost(f"{self._system} refused the job: {why}")
        self._say(f"{self._system} refused {len(refused)} of {self.jobs} jobs ({why}); the others go on")
        for name in refused:
            del self._made.refused[name]
            self._drop(name)

    def _say(self, line: str) -> None:
        now = time.monotonic()
        if line != self._said or now - self._said_at > _REMIND:
            self._said, self._said_at = line, now
            self._tell(line)

    def close(self) -> None:
        """Cancel what is left of the jobs, and end the scheduler."""
        with contextlib.suppress(Exception):
            self.cluster.worker_spec.clear()  # nothing new from here on
        cancel(self._system, list(self._made.ids.values()))
        with contextlib.suppress(Exception):
            self.cluster.close(timeout=10)
        self._forget_log()

    def _forget_log(self) -> None:
        if self._own_log and not self._failed:
            shutil.rmtree(self._log, ignore_errors=True)


def _log_directory() -> Path:
    """A private directory for what jobs say, in the home, which batch systems share between machines."""
    home = Path.home() / ".cache" / "routeproof"
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Path(tempfile.mkdtemp(prefix="jobs-", dir=home))
    except OSError:
        return Path(tempfile.mkdtemp(prefix="routeproof-jobs-"))


def _of_job(name: str, there: set[str]) -> bool:
    """Is a worker of the job ``name`` there?  A job of several processes has workers ``name-0``, ``name-1`` ..."""
    return name in there or any(x.startswith(f"{name}-") for x in there)


def _jobs(waiting: Mapping[str, JobState]) -> str:
    ids = list(waiting)
    reasons = sorted({x.reason for x in waiting.values() if x.reason not in ("", "None")})
    shown = ", ".join(ids[:3]) + (", ..." if len(ids) > 3 else "")
    verb = "job is queued" if len(ids) == 1 else "jobs are queued"
    return f"{len(ids)} {verb} ({shown}{'; ' + ', '.join(reasons[:2]) if reasons else ''}), none runs yet"


def _last_words(where: Path, job: str) -> str:
    """The end of what a job said, and where all of it is."""
    number = job.partition(".")[0]
    for file in [*sorted(where.glob(f"*{number}*.err")), *sorted(where.glob(f"*{number}*"))]:
        with contextlib.suppress(OSError):
            lines = [x.strip() for x in file.read_text(errors="replace").splitlines() if x.strip()]
            if lines:
                return f": {lines[-1][-160:]}; see {file}"
    return ""
