"""Files of jobs: which terminals belong together.

- JSON: ``{"train": [0, 1, 2], "mpi": ["n07", "n08"]}``;
- text, a job a line: ``train: n1 n[2-5] n9 "MF0;ib7 HCA-1" gpu*``, with comments from ``#``;
- what ``squeue -o "%i %N"`` prints: ``1234 n[1-4]``, with or without its heading.  Jobs that wait have no hosts, and
  jobs of one terminal send nothing over the network: both are left out;
- SLURM's ``topology.conf``: the hosts of every leaf switch, block or ring (``slurm_topology``);
- what batch systems print besides (``queues``), with the hosts that ``terminal_names`` finds for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.errors import InputError, warn
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet, Given, NamedSet
from ...demand_sets.permutations import permutations
from ...demand_sets.transport import TransportSet
from ..documents.json_text import parse_json
from ..host_names import hosts_of
from ..text_files import FilePath, brief, numbered_lines, read_text, shown
from .queues import JOB_NUMBER, QueuedJob, queue_of
from .slurm_topology import blocks_of
from .terminal_names import QueueHosts, TerminalNames, listed

_LIMIT = 16 << 20


@dataclass(frozen=True)
class Jobs:
    """``terminals``: by the job's name, in the file's order; ``alone``: names of jobs that were left out of a queue."""

    terminals: Mapping[str, tuple[int, ...]]
    alone: tuple[str, ...] = ()


def read_jobs(path: FilePath, network: Network, *, left_out: bool = False) -> Jobs:
    """The jobs in a file, on ``network``; ``left_out``: hosts of a queue that the network does not have are, with a
    line that names them.

    Raises InputError, naming the line or the job, for names that the network does not have (with the nearest), a job
    twice, a terminal in two jobs, a job with one terminal (but of a queue), and files without a job.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="a file of jobs (a name and its terminals a line, or JSON)")
    names = TerminalNames(network)
    alone: tuple[str, ...] = ()
    queue = blocks_of(text, what=what) or queue_of(text, what=what)
    if queue is not None:
        found, alone = _of_queue(queue, QueueHosts(network), what, left_out=left_out)
    elif left_out:
        raise InputError(f"{what}: missing=none is for what squeue, qstat -f or bjobs print; jobs in lines were found")
    elif text.lstrip()[:1] == "{":
        found = _of_json(text, names, what)
    else:
        found, alone = _of_lines(text, names, what)
    if not found and queue is not None:
        raise InputError(
            f"{what} has no job that runs on two hosts of {shown(network.name)}: jobs that wait, and jobs on one host, "
            f"send nothing here"
        )
    if not found:
        raise InputError(f"{what} holds no job of two terminals; a line such as train: n1 n[2-5] was expected")
    owner: dict[int, str] = {}
    for name, terminals in found.items():
        for i in terminals:
            if i in owner:
                label = network.terminal_label(i)
                raise InputError(
                    f"{what}: terminal {label} is in the jobs {owner[i]} and {name}; a terminal is in one job at most"
                )
            owner[i] = name
    return Jobs(found, alone)


def _of_queue(
    queue: list[QueuedJob], hosts: QueueHosts, what: str, *, left_out: bool
) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    if not left_out:
        hosts.check_known(queue, what=what)
    found: dict[str, tuple[int, ...]] = {}
    alone, missing = [], dict[str, None]()
    for job in queue:
        here = {host: hosts.terminals(host, what=job.what) for host in job.hosts}
        missing.update((host, None) for host, terminals in here.items() if not terminals)
        if job.name in found or job.name in alone:
            raise InputError(f"{job.what}: a second job {brief(job.name)}")
        if sum(map(bool, here.values())) < 2:
            alone.append(job.name)
        else:
            found[job.name] = _job([i for terminals in here.values() for i in terminals], job.what)
    if missing:
        warn(f"{what}: hosts that are not in the network are left out of their jobs: {listed([*missing])}")
    return found, tuple(alone)


def _of_json(text: str, names: TerminalNames, what: str) -> dict[str, tuple[int, ...]]:
    value = parse_json(text, what=what)
    found = {}
    for name, words in value.items():
        place = f"{what}: job {brief(name)}"
        if not isinstance(words, list):
            raise InputError(f"{place} is {brief(words)}; a list of terminals was expected")
        terminals = [i for word in words for i in names.find(word, what=place)]
        found[name] = _job(terminals, place)
    return found


def _of_lines(text: str, names: TerminalNames, what: str) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    alone = []
    for line in numbered_lines(text, what, comment="#"):
        name, colon, hosts = line.text.partition(":")
        first = line.text.partition(" ")[0]
        if first != name and JOB_NUMBER.fullmatch(first):  # 1234 "MF0;ib7:SX6036/U1"
            colon = ""
        if not colon:
            name, _, hosts = line.text.partition(" ")
        name, hosts = name.strip(), hosts.strip()
        if not colon and (name, hosts) == ("JOBID", "NODELIST"):
            continue
        if not colon and name.startswith("JOBID"):
            raise line.error(f'{brief(line.text)} has other columns; print the queue with squeue -o "%i %N"')
        if name in found or name in alone:
            raise line.error(f"a second job {brief(name)}")
        if not colon and (not hosts or hosts.startswith("(")):
            if not hosts and not JOB_NUMBER.fullmatch(name):
                raise line.error(f"job {brief(name)} has no terminals; train: n1 n[2-5] names some")
            continue  # it waits: no hosts, or a reason
        terminals = [i for word in hosts_of(hosts, what=line.place) for i in names.find(word, what=line.place)]
        if not colon and len(terminals) == 1:
            alone.append(name)
            continue
        found[name] = _job(terminals, f"{line.place}: job {brief(name)}")
    return found, tuple(alone)


def _job(terminals: list[int], place: str) -> tuple[int, ...]:
    if len(set(terminals)) != len(terminals):
        raise InputError(f"{place} has a terminal twice")
    if len(terminals) < 2:
        count = "one terminal" if len(terminals) == 1 else f"{len(terminals)} terminals"
        raise InputError(f"{place} has {count}; two at least were expected")
    return tuple(terminals)


def within(
    jobs: Mapping[str, Sequence[int]] | Sequence[Sequence[int]], size: int, *, text: str = "within"
) -> TransportSet:
    """A permutation that keeps every packet in its job.

    ``jobs``: the terminals of each, at least two, by name or in a list (then their names are 0, 1, ...); a terminal is
    in at most one, and those in none send nothing.  Raises InputError otherwise.
    """
    named = jobs if isinstance(jobs, Mapping) else {str(k): job for k, job in enumerate(jobs)}
    group, names = np.full(size, -1, dtype=np.int32), list(named)
    for k, (name, job) in enumerate(named.items()):
        if len(set(job)) < 2:
            count = "one terminal" if len(set(job)) == 1 else "no terminals"
            raise InputError(f"{text}: job {name} has {count}; two at least were expected")
        for i in job:
            if not 0 <= i < size:
                raise InputError(f"{text}: job {name} has terminal {i}; terminals are 0 to {size - 1}")
            if group[i] not in (-1, k):
                raise InputError(
                    f"{text}: terminal {i} is in jobs {names[group[i]]} and {name}; at most one was expected"
                )
            group[i] = k
    if not named:
        raise InputError(f"{text}: there is no job")
    return replace(permutations(size), text=text, group=group, jobs=tuple(names))


def _within(given: Given) -> DemandSet:
    missing = given.options.get("missing")
    if missing not in (None, "none"):
        raise InputError(f"the demand set {brief(given.text)}: missing={missing}; missing=none was expected")
    jobs = read_jobs(given.rest, given.network, left_out=missing is not None)
    return within(jobs.terminals, given.size, text=given.text)


WITHIN = NamedSet(
    "within:JOBS",
    "every packet stays inside its job, from a file of jobs",
    _within,
    ("missing",),
    limits=("sends", "receives", "group"),
    one_packet=True,
)
