"""What becomes of jobs: the questions that SLURM, PBS and LSF answer on their command lines, and cancelling."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_PATIENCE = 20.0
_CANCEL: Mapping[str, str] = {"slurm": "scancel", "pbs": "qdel", "lsf": "bkill"}
_WAITS = {"PENDING", "CONFIGURING", "POWER_UP_NODE", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD"}
_WAITS |= {"SPECIAL_EXIT", "Q", "H", "W", "T", "PEND", "PSUSP"}
_RUNS = {"RUNNING", "SUSPENDED", "STOPPED", "SIGNALING", "RESIZING"}
_RUNS |= {"R", "S", "B", "U", "RUN", "USUSP", "SSUSP", "UNKWN", "PROV", "WAIT"}
_LEAVES = {"COMPLETING", "STAGE_OUT", "E"}  # how such a job ended is said afterwards
ENDED_BY_HAND = ("CANCELLED",)
GONE = "gone from the queue"


@dataclass(frozen=True)
class JobState:
    """``word``: the batch system's own, such as PENDING; ``reason``: why it waits, as far as it says."""

    word: str
    reason: str = ""

    @property
    def waits(self) -> bool:
        return self.word in _WAITS

    @property
    def ended(self) -> bool:
        return not (self.waits or self.leaves or self.word in _RUNS)

    @property
    def leaves(self) -> bool:
        """Is it on its way out?  Its worker may have gone already."""
        return self.word in _LEAVES


def ask_states(system: str, jobs: Sequence[str]) -> dict[str, JobState] | None:
    """The state of every job; one that the batch system has forgotten is gone.  None where it does not answer."""
    command = {
        "slurm": ["squeue", "--noheader", "--states=all", f"--jobs={','.join(jobs)}", "--format=%i|%T|%r"],
        "pbs": ["qstat", *jobs],
        "lsf": ["bjobs", "-noheader", "-o", "jobid stat delimiter='|'", *jobs],
    }[system]
    if (done := _ask(command)) is None:
        return None
    status, out, err = done
    forgotten = any(x in err.lower() for x in ("invalid job id", "unknown job", "finished", "not found"))
    if status != 0 and not forgotten and not (system == "pbs" and out):
        return None
    found = {}
    for line in out.splitlines():
        words = line.split()
        if system != "pbs":
            name, word, reason = (*(x.strip() for x in line.split("|")), "", "")[:3]
            found[name] = JobState(word, reason)
        elif len(words) >= 6 and words[0][:1].isdigit():  # job, name, user, time, state, queue
            found[words[0].partition(".")[0]] = JobState(words[-2])
    return {x: found.get(x.partition(".")[0], JobState(GONE)) for x in jobs}


def cancel(system: str, jobs: Sequence[str]) -> None:
    """End jobs; those that are over do not mind."""
    if jobs:
        _ask([_CANCEL[system], *jobs])


def machines(system: str, queue: str | None) -> list[str]:
    """Where jobs of that queue may run, as far as the batch system tells; [] where it does not."""
    if system != "slurm":
        return []
    done = _ask(["sinfo", "--noheader", "--Node", "--format=%n", *(["--partition", queue] if queue else [])])
    return [] if done is None or done[0] != 0 else sorted(set(done[1].split()))


def _ask(command: Sequence[str]) -> tuple[int, str, str] | None:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(  # noqa: S603  # the batch system's own command, found on the path as dask_jobqueue does
            command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False
        )
        return done.returncode, done.stdout, done.stderr
    return None


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
