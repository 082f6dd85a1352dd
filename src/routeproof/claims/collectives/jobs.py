"""Reports about jobs with a collective each: how long each takes alone, how long beside the others at most, and what
their phases take of one channel if they meet in the worst way.

The subject holds the jobs: {name: {"ranks": [...], "operation": ..., "algorithm": ..., "phases"?}}, nobody in two.
Every phase is made again, or read from the job's own document, which is run; its loads are added up from the
pair loads of the report's routing.

- ``job-phases`` (``collective_time``, of a job): {"channel": the first busiest of each phase, -1 for none, packed};
- ``beside-others`` (``<=``, the same with ``alignment``): {"channel": of each phase the first that makes it so};
- ``others-load`` (``others_load``, of a job) and ``aligned-phases`` (``aligned_load``): {"channel": the first such,
  "phase": of every job the first phase that takes most of it, -1 for none, packed}.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.collective import check_ranks
from ...core.errors import InputError, VerificationError
from ...core.schedules.own_phases import OWN
from ...core.schedules.phases import ALGORITHMS, Phase, phases_of
from ...routing.base.routing import Routing
from ...topologies.attach import with_host_cables
from ..context import Context
from ..kind import NAMED, NETWORK, Kind, States, SubjectKind
from ..kinds import checker_of
from ..phase_loads import channels_of_phases, together
from ..proofs.proof import NotElaborated, Proof, Writing
from ..proofs.work import Work
from ..proofs.written import written_network
from ..reading import Report, as_numbers, check_value, errors_at, name_of
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Keys, ListOf, Word
from ..subject import made_routing, network_of
from ..work import spend
from .phases import SOURCE, alpha_of, elaborate_time
from .subject import CABLES, checked_phases, read_cables

_MOST_JOBS = 4096
_OPERATIONS = sorted({x for does in ALGORITHMS.values() for x in does})
_DOES = {"operation": Word(*_OPERATIONS), "algorithm": Word(*ALGORITHMS, OWN)}
_JOB = Keys({"ranks": ListOf(WHOLE), **_DOES}, {"phases": ANY})


@dataclass(eq=False)
class Job:
    """``cycles``: of every phase what it takes of each channel that it loads."""

    about: Mapping[str, str]
    ranks: Sequence[int]
    phases: Sequence[Phase]
    cycles: Sequence[Mapping[int, Fraction]]
    most: dict[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for loads in self.cycles:
            for c, x in loads.items():
                self.most[c] = max(x, self.most.get(c, x))

    def first(self, channel: int) -> int:
        """The first phase that takes most of a channel; -1 where none uses it."""
        if channel not in self.most:
            return -1
        return next(k for k, loads in enumerate(self.cycles) if loads.get(channel) == self.most[channel])


def phases_of_job(job: Mapping[str, Any], num_ranks: int) -> Iterator[Phase]:
    """The phases of a described job: those of its algorithm, or of its own document."""
    if ("phases" in job) != (job["algorithm"] == OWN):
        raise VerificationError(
            f"it has the algorithm {job['algorithm']}; phases of its own are of the algorithm {OWN}"
        )
    if job["algorithm"] != OWN:
        return phases_of(job["algorithm"], job["operation"], num_ranks)
    own = checked_phases(job["phases"], num_ranks)
    if own.operation != job["operation"]:
        raise VerificationError(f"its phases are {own.operation}, and its operation is {job['operation']}")
    return own.loads()


class Jobs:
    """What a report's jobs do to its network; ``every``: what the worst phases of all take of each channel, added."""

    def __init__(self, subject: Mapping[str, Any]) -> None:
        self.network = network_of(subject)
        cables = subject.get("host_cables")
        self.cables = None if cables is None else read_cables(self.network, cables)
        self._subject = subject

    @cached_property
    def routing(self) -> Routing:
        found = made_routing(self._subject["routing"], self.network)
        if found.is_sampled:
            raise VerificationError(f"the loads of {found.name[:60]} are sampled, which proves nothing")
        return found

    @cached_property
    def jobs(self) -> dict[str, Job]:
        described = self._subject["jobs"]
        if not isinstance(described, Mapping) or not 1 <= len(described) <= _MOST_JOBS:
            raise VerificationError(f"its jobs are no object of 1 to {_MOST_JOBS:,} jobs by name")
        placed = self.network if self.cables is None else with_host_cables(self.network, self.cables)
        owner: dict[int, str] = {}
        found = {}
        for name, job in described.items():
            TEXT.check(name, "the name of a job")
            _JOB.check(job, f"job {name[:40]}")
            ranks = check_ranks(placed, job["ranks"])
            for i in ranks:
                if i in owner:
                    raise VerificationError(f"terminal {i} is in the jobs {owner[i][:40]} and {name[:40]}")
                owner[i] = name
            phases = list(phases_of_job(job, len(ranks)))
            about = {"job": name, "operation": job["operation"], "algorithm": job["algorithm"]}
            found[name] = Job(about, ranks, phases, self._cycles(phases, ranks))
        return found

    def _cycles(self, phases: Sequence[Phase], ranks: Sequence[int]) -> list[dict[int, Fraction]]:
        order = np.array(ranks, dtype=np.int64)
        found = []
        for some in together(iter(phases)):
            spend(len(some) * self.network.num_channels / 100, "channels of phases")
            for phase, loads in zip(some, channels_of_phases(self.routing, some, order), strict=True):
                spend(len(loads), "loads of jobs")
                found.append(loads)
                if self.cables is not None:
                    for way, ends in enumerate((phase.source, phase.destination)):
                        for t in order[ends].tolist():
                            c = self.network.num_channels + 2 * t + way
                            loads[c] = loads.get(c, Fraction(0)) + phase.amount / self.cables[t]
        return found

    @cached_property
    def every(self) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for job in self.jobs.values():
            for c, x in job.most.items():
                found[c] = found.get(c, Fraction(0)) + x
        return found

    def job(self, claim: Claim) -> Job:
        """The job that a claim is about, which does what the claim says."""
        name = claim.about["job"]
        if name not in self.jobs:
            raise VerificationError(f"the report has no job {str(name)[:40]}")
        found = self.jobs[name]
        if any(claim.about.get(k, x) != x for k, x in found.about.items()):
            raise VerificationError(f"job {name[:40]} does {found.about['operation']} by {found.about['algorithm']}")
        return found

    def check_meeting(self, data: Mapping[str, Any], channel: int, without: Job | None = None) -> None:
        """Raise VerificationError unless the evidence names this channel, and the first phase of every job that takes
        most of it."""
        if data["channel"] != channel:
            raise VerificationError(f"the first channel that makes it so is {channel}, not {data['channel']}")
        named = as_numbers(data["phase"], "phase", len(self.jobs)).tolist()
        for said, (name, job) in zip(named, self.jobs.items(), strict=True):
            own = -1 if job is without else job.first(channel)
            if said != own:
                raise VerificationError(f"job {name[:40]} takes most of it in phase {own}, not {said}")


def check_job_time(jobs: Jobs, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    _check_time(claim, jobs.job(claim), {}, data)


def check_beside(jobs: Jobs, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    job = jobs.job(claim)
    _check_time(claim, job, {c: jobs.every[c] - x for c, x in job.most.items()}, data)


def _check_time(claim: Claim, job: Job, others: Mapping[int, Fraction], data: Mapping[str, Any]) -> None:
    """Every phase takes what its own messages and ``others`` take of the channel where this is most."""
    channels = as_numbers(data["channel"], "channel", len(job.phases)).tolist()
    alpha, own = alpha_of(claim.about), Fraction(0)
    for k, (phase, loads, c) in enumerate(zip(job.phases, job.cycles, channels, strict=True)):
        most, first = max(((x + others.get(at, 0), -at) for at, x in loads.items()), default=(Fraction(0), 1))
        if c != -first:
            raise VerificationError(f"the first channel that makes phase {k} so long is {-first}, not {c}")
        own += phase.times * (alpha + most)
    check_value(claim, own, "its phases make it")


def check_others(jobs: Jobs, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    job = jobs.job(claim)
    most, first = max(((jobs.every[c] - x, -c) for c, x in job.most.items()), default=(Fraction(0), 1))
    jobs.check_meeting(data, -first, job)
    check_value(claim, most, "the other jobs make it")


def check_aligned(jobs: Jobs, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    most, first = max(((x, -c) for c, x in jobs.every.items()), default=(Fraction(0), 1))
    jobs.check_meeting(data, -first)
    check_value(claim, most, "the worst phases make it")


def verify_jobs(report: Report) -> None:
    """Check every claim of a report about jobs; raises InputError for a subject that makes no sense."""
    try:
        jobs = Jobs(report.subject)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    with errors_at("subject"):
        jobs.jobs  # noqa: B018  # they must make sense, whatever claims say of them
    for number, claim in enumerate(report.claims):
        with errors_at(name_of(number, claim)):
            if ("host_cables" in claim.about) != (jobs.cables is not None):
                raise VerificationError("the report and the claim differ on whether the ranks' own cables count")
            checker_of(claim)(jobs, claim, claim.value, claim.evidence.data)


class JobsWork(Writing):
    """What the elaboration of a report's claims shares."""

    def __init__(self, proof: Proof, report: Report) -> None:
        self.proof, self.jobs = proof, Jobs(report.subject)
        self._alone: dict[Job, int] = {}
        proof.network = written_network(self.jobs.network)

    @cached_property
    def of_routing(self) -> Work:
        if self.jobs.cables is not None:
            raise NotElaborated("it counts the ranks' own cables, over which no routing of a proof leads")
        return Work(self.proof, Context(self.jobs.routing, ()))

    def alone(self, job: Job, alpha: str | None = None) -> int:
        """The position of the claim about how long the job takes alone, with the latency that all times have."""
        if job not in self._alone:
            about = {**job.about, **({} if alpha is None else {"alpha": alpha})}
            each = zip(job.phases, job.cycles, strict=True)
            takes = [x.times * (alpha_of(about) + max(busy.values(), default=Fraction(0))) for x, busy in each]
            self._alone[job] = elaborate_time(self.of_routing, sum(takes, Fraction(0)), about, job.phases, job.ranks)
        return self._alone[job]

    def meet(self, claim: Claim, quantity: str) -> None:
        jobs = list(self.jobs.jobs.values())
        job = jobs[0] if quantity == "all" else self.jobs.job(claim)
        others = [self.alone(x) for x in jobs if x is not job]
        of = self.alone(job, claim.about.get("alpha"))
        self.of_routing.claim("phases-meet", claim.number, quantity=quantity, of=of, others=others)


def elaborate_job_phases(work: JobsWork, claim: Claim) -> None:
    work.alone(work.jobs.job(claim), claim.about.get("alpha"))


JOBS = SubjectKind(
    "jobs",
    verify_jobs,
    Keys({**NETWORK, "routing": ANY, "jobs": ANY}, {**NAMED, "host_cables": ListOf(BOUND)}),
)
_ALONE = Keys(
    {"job": TEXT, **_DOES},
    {"alpha": TEXT, "host_cables": CABLES},
)
_CHANNELS = Keys({"channel": NUMBERS})
_MEETING = Keys({"channel": WHOLE, "phase": NUMBERS})
_SUBJECTS = frozenset({"jobs"})
JOB_PHASES = Kind(
    "job-phases",
    "The load of every phase of the job, added up from the routing's pair loads: the phases one after the other take "
    "the sum of latency and of load times the units of a message.",
    _CHANNELS,
    {"collective_time": States(("==",), Grade.PROVED, _ALONE)},
    frozenset({SOURCE}),
    check_job_time,
    elaborate=elaborate_job_phases,
    subjects=_SUBJECTS,
)
BESIDE_OTHERS = Kind(
    "beside-others",
    "Every phase of the job with the worst phase of every other job on each channel that it uses: if every job sends "
    "each phase evenly over its time so found, no channel carries more than its bandwidth, whatever phases meet.",
    _CHANNELS,
    {"collective_time": States(("<=",), Grade.PROVED, _ALONE.with_keys({"alignment": Word("any")}))},
    frozenset({SOURCE}),
    check_beside,
    elaborate=lambda work, claim: work.meet(claim, "time"),
    rests=True,
    subjects=_SUBJECTS,
)
OTHERS_LOAD = Kind(
    "others-load",
    "Of every other job the phase that takes most of one channel that the job uses; of no other one they take more.",
    _MEETING,
    {"others_load": States(("==",), Grade.PROVED, Keys({"job": TEXT}, {"host_cables": CABLES}))},
    frozenset({SOURCE}),
    check_others,
    elaborate=lambda work, claim: work.meet(claim, "others"),
    rests=True,
    subjects=_SUBJECTS,
)
ALIGNED_PHASES = Kind(
    "aligned-phases",
    "Phases, one of every job, that together take this much of one channel; on every channel the worst phases of all "
    "jobs, added, take no more.",
    _MEETING,
    {"aligned_load": States(("==",), Grade.PROVED, Keys({}, {"host_cables": CABLES}))},
    frozenset({SOURCE}),
    check_aligned,
    elaborate=lambda work, claim: work.meet(claim, "all"),
    rests=True,
    subjects=_SUBJECTS,
)
