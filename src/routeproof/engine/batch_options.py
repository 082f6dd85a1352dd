"""What ``--cluster slurm,queue=short,listen=ib0`` says: a batch system, its jobs, where the scheduler listens.

What is not said there is Dask's to know: ``~/.config/dask/jobqueue.yaml``, or variables such as
``DASK_JOBQUEUE__SLURM__QUEUE``.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import did_you_mean
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
        from ..machine.memory import parse_bytes

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
