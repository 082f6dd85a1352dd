"""What batch systems print of their queue: the jobs that run, and their hosts.

- SLURM: ``squeue`` as it is, ``squeue --json`` (``jobs`` reads the lines of ``squeue -o "%i %N"``);
- PBS and Torque: ``qstat -f``, of PBS also ``qstat -f -F json``;
- LSF: ``bjobs -o "jobid exec_host"``.

Jobs that wait or have ended are left out.  Which terminals a host has is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ...core.errors import InputError
from ..documents.json_text import parse_json
from ..host_names import hosts_of
from ..text_files import Line, brief, numbered_lines


class QueuedJob(NamedTuple):
    """A job that runs: its ``name`` (number), its hosts, each once, and where that stands."""

    name: str
    hosts: tuple[str, ...]
    what: str


JOB_NUMBER = re.compile(r"[0-9]+(_([0-9]+|\[[^\]\s]*\]?))?(\+[0-9]+)?")
"""A job's number as ``squeue`` prints it: 1234, of an array 1234_5 or 1234_[5-10%3], of a heterogeneous job 1234+0."""
_REASON = re.compile(r"(?<!\S)\(.*\)$")
_SLURM = re.compile(r"JOBID\s.*\sNODELIST\(REASON\)$")
_LSF = re.compile(r"JOBID\s+EXEC_HOST")
_HOLDING = {
    "RUNNING", "COMPLETING", "CONFIGURING", "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED", "SUSPENDED",
}  # states of SLURM in which a job has its hosts  # fmt: skip
_ENDED = ("C", "F", "M", "X")  # states of PBS and Torque: completed, finished, moved, expired
_PBS = re.compile(r"Job Id:\s*(\S+)")


def queue_of(text: str, *, what: str) -> list[QueuedJob] | None:
    """The jobs in what a batch system printed; None for a text of another kind.

    Raises InputError, with the place, for lines that cannot be understood.
    """
    if text.lstrip()[:1] == "{":
        return _of_json(text, what)
    first = next((x for x in text.splitlines() if x.strip()), "").strip()
    read = next((read for form, read in _READERS if form.match(first)), None)
    return None if read is None else list(read(text, what))


def _of_json(text: str, what: str) -> list[QueuedJob] | None:
    value = parse_json(text, what=what)
    if not isinstance(value, dict):
        return None
    jobs = value.get("jobs")
    if isinstance(jobs, list) and ("meta" in value or any(isinstance(x, dict) for x in jobs)):
        return list(_of_squeue_json(jobs, what))
    if isinstance(value.get("Jobs"), dict) and ("pbs_version" in value or "pbs_server" in value):
        found = ((str(name), job, f"{what}: job {brief(name)}") for name, job in value["Jobs"].items())
        return [x for name, job, place in found if (x := _of_pbs(name, _object(job, place), place))]
    return None


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{place} is {brief(value)}; an object was expected")
    return value


def _of_squeue_json(jobs: list[Any], what: str) -> Iterator[QueuedJob]:
    for k, value in enumerate(jobs):
        job = _object(value, f"{what}: entry {k} of jobs")
        name = job.get("job_id")
        place = f"{what}: job {brief(name)}"
        nodes, states = job.get("nodes"), job.get("job_state")
        states = states if isinstance(states, list) else [states]
        if type(name) is not int or not isinstance(nodes, str) or not all(isinstance(x, str) for x in states):
            raise InputError(f"{place}: job_id, nodes and job_state of squeue --json were expected")
        if nodes and _HOLDING & set(states):
            yield QueuedJob(str(name), _once(hosts_of(nodes, what=place)), place)


def _of_squeue(text: str, what: str) -> Iterator[QueuedJob]:
    heading, *lines = numbered_lines(text, what)
    columns = len(heading.words)
    for line in lines:
        name, _, rest = line.text.partition(" ")
        if not JOB_NUMBER.fullmatch(name):
            raise line.error(f"{brief(name)} is not a job's number; what squeue prints was expected")
        words = rest.split()  # a job's name may have blanks; a list of hosts has none
        if _REASON.search(rest):
            continue  # it waits
        if len(words) < columns - 1:
            raise InputError(f"{line.place} has {len(words) + 1} columns; {columns} were expected, as in the heading")
        yield QueuedJob(name, _once(hosts_of(words[-1], what=line.place)), line.place)


def _of_bjobs(text: str, what: str) -> Iterator[QueuedJob]:
    _, *lines = numbered_lines(text, what)
    for line in lines:
        name, *hosts = line.words
        if len(hosts) != 1 or not name.isdigit():
            raise line.error(f'{brief(line.text)}; a line of bjobs -o "jobid exec_host" was expected')
        if hosts[0] != "-":  # else it waits
            yield QueuedJob(name, _once([re.sub(r"^\d+\*", "", x) for x in hosts[0].split(":")]), line.place)


def _of_qstat(text: str, what: str) -> Iterator[QueuedJob]:
    name, place, key = "", what, ""
    fields: dict[str, Any] = {}
    for line in [*numbered_lines(text, what, indented=True), Line(0, "Job Id: end", what)]:
        start = _PBS.match(line.text)
        if start is not None:
            found = _of_pbs(name, fields, place) if name else None
            if found is not None:
                yield found
            name, place, key, fields = start[1], line.place, "", {}
        elif line.text.startswith("\t") and key:  # the line before goes on
            fields[key] += line.text.strip()
        elif " = " in line.text:
            key, _, value = line.text.strip().partition(" = ")
            fields[key] = value.strip()
        else:
            raise line.error(f"{brief(line.text)}; a line such as exec_host = n1/0 was expected")


def _of_pbs(name: str, job: Mapping[str, Any], place: str) -> QueuedJob | None:
    """Hosts such as ``n1/0*8+n2/0*8`` (PBS), ``n1/0-7+n2/0-7`` or ``n1/1+n1/0`` (Torque); None for a job that waits,
    or has ended."""
    state, hosts = job.get("job_state"), job.get("exec_host")
    if not isinstance(state, str):
        raise InputError(f"{place}: job {brief(name)} has no job_state; is it all that qstat -f prints?")
    if hosts is None or state in _ENDED:
        return None
    if not isinstance(hosts, str) or not all(re.fullmatch(r"[^/+\s]+(/\S+)?", x) for x in hosts.split("+")):
        raise InputError(f"{place}: exec_host is {brief(hosts)}; hosts such as n1/0*8+n2/0*8 were expected")
    return QueuedJob(name, _once([x.partition("/")[0] for x in hosts.split("+")]), place)


def _once(hosts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hosts))


_READERS: tuple[tuple[re.Pattern[str], Callable[[str, str], Iterator[QueuedJob]]], ...] = (
    (_SLURM, _of_squeue),
    (_LSF, _of_bjobs),
    (_PBS, _of_qstat),
)
"""By the first line that is not empty."""
