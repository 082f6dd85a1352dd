"""What ``--cluster slurm,queue=short,listen=ib0`` says: a batch system, its jobs, where the scheduler listens; and what
becomes of jobs: the questions that SLURM, PBS and LSF answer on their command lines.

What is not said there is Dask's to know: ``~/.config/dask/jobqueue.yaml``, or variables such as
``DASK_JOBQUEUE__SLURM__QUEUE``.
"""

from __future__ import annotations

import contextlib
import ipaddress
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import did_you_mean
from ..machine.memory import parse_bytes
from .errors import EngineError

BATCH_SYSTEMS: Mapping[str, str] = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
LOOPBACK = "127.0.0.1"
_EXAMPLE = {
    "account": "physics",
    "cores": "1",
    "directive": "--exclusive",
    "listen": "ib0",
    "memory": "4GB",
    "prologue": "module load python",
    "python": "/shared/venv/bin/python",
    "queue": "short",
    "walltime": "04:00:00",
}
_SAME = {"partition": "queue", "project": "account"}
_LISTS = ("directive", "prologue")
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
class BatchOptions:
    """``system``: slurm, pbs or lsf; ``given``: what was said after it; lists where a word may be repeated."""

    system: str
    given: Mapping[str, Any] = field(default_factory=dict)

    def configured(self, name: str) -> Any:
        """Dask's own setting of that name for this batch system; None where there is none."""
        import dask

        return dask.config.get(f"jobqueue.{self.system}.{name}", None)

    @property
    def queue(self) -> str | None:
        """The queue or partition that was named; None for the system's own choice."""
        found = self.given.get("queue") or self.configured("queue")
        return None if found is None else str(found)

    def listens(self) -> Mapping[str, Any]:
        """Where the scheduler listens: {"interface": ...} or {"host": ...}; Dask's own setting, else loopback alone."""
        if (where := self.given.get("listen")) is not None:
            return _place(where)
        own = self.configured("scheduler-options") or {}
        chosen = {x: own[x] for x in ("interface", "host") if own.get(x)}
        if not chosen and (interface := self.configured("interface")):
            chosen = {"interface": interface}
        return chosen or {"host": LOOPBACK}

    def for_dask(self) -> dict[str, Any]:
        """The arguments of the cluster's class in dask_jobqueue."""
        place, given = self.listens(), self.given
        own = dict(self.configured("scheduler-options") or {})
        own.setdefault("dashboard_address", f"{LOOPBACK}:0")
        scheduler = {"dashboard": False, **{k: v for k, v in own.items() if k not in ("interface", "host")}, **place}
        workers = [*(self.configured("worker-extra-args") or []), "--no-dashboard", "--dashboard-address"]
        workers += [f"{LOOPBACK}:0", *(["--host", LOOPBACK] if is_loopback(place) else [])]
        made: dict[str, Any] = {"scheduler_options": scheduler, "worker_extra_args": workers}
        if "interface" in place and "listen" in given:
            made["interface"] = place["interface"]
        made["cores"] = cores = int(given.get("cores") or self.configured("cores") or 1)
        made["memory"] = given.get("memory") or self.configured("memory") or f"{2 * cores}GB"
        if self.configured("processes") is None:
            made["processes"] = cores  # one thread each: pieces compute
        account = "project" if self.system == "lsf" else "account"
        for name, theirs in (("queue", "queue"), ("walltime", "walltime"), ("python", "python"), ("account", account)):
            if name in given:
                made[theirs] = given[name]
        for name, theirs in (("prologue", "job_script_prologue"), ("directive", "job_extra_directives")):
            if name in given:
                made[theirs] = [*(self.configured(theirs.replace("_", "-")) or []), *given[name]]
        return made


def is_batch(text: str) -> bool:
    """Does ``--cluster TEXT`` mean a batch system?"""
    return text.partition(",")[0] in BATCH_SYSTEMS


def parse_batch(text: str) -> BatchOptions:
    """``slurm,queue=short,walltime=01:00:00``; raises EngineError for words that it does not know."""
    system, *words = text.split(",")
    given: dict[str, Any] = {}
    for word in words:
        name, equals, value = (x.strip() for x in word.partition("="))
        name = _SAME.get(name, name)
        if name not in _EXAMPLE:
            raise EngineError(f"--cluster {system} has no option '{name[:40]}'; {did_you_mean(name, _EXAMPLE)}")
        if not equals or not value:
            raise EngineError(
                f"--cluster {system}: a value was expected after {name}=, as in {system},{name}={_EXAMPLE[name]}"
            )
        if "\n" in value or "\r" in value:
            raise EngineError(f"--cluster {system}: {name} holds a line break; one line was expected")
        if name in _LISTS:
            given.setdefault(name, []).append(value)
        elif name in given:
            raise EngineError(f"--cluster {system}: {name} is given twice")
        else:
            given[name] = value
    cores = given.get("cores", "1")
    if not (cores.isascii() and cores.isdigit() and 1 <= int(cores) <= 4096):
        raise EngineError(f"cores={cores[:40]} of --cluster {system}: a number from 1 to 4096 was expected")
    if "memory" in given:
        given["memory"] = f"{parse_bytes(given['memory'])}B"
    return BatchOptions(system, given)


def is_loopback(place: Mapping[str, Any]) -> bool:
    """Is that a place that only this machine reaches?"""
    if "interface" in place:
        return str(place["interface"]) == "lo"
    host = str(place["host"])
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _place(where: str) -> dict[str, str]:
    """The interface or the address of this machine called ``where``."""
    interfaces = [name for _, name in socket.if_nameindex()] if hasattr(socket, "if_nameindex") else []
    if where in interfaces:
        return {"interface": where}
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(where, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.bind(address)
    except OSError:
        known = f"; its interfaces are {', '.join(interfaces)}" if interfaces else ""
        raise EngineError(
            f"listen={where[:60]} is neither an interface nor an address of this machine{known}"
        ) from None
    return {"host": str(address[0])}


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
