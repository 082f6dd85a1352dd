"""Several jobs on one network, each with its collective: how long alone, and how long beside the others at most."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError, check_choice, did_you_mean, warn
from ..answer import ALONE, RoutingAnswer, Setting, Shown, timed
from ..question import Option, Question, option, question, spelled
from ..shared import ROUTING, TOPOLOGY
from .best import OPERATIONS
from .host_cables import HOST_CABLES, Cables, cables_subject, counted, counted_cables, network_with, ranks_on
from .latency import ALPHA, checked_latency

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.schedules.own_phases import OwnPhases
    from ...core.schedules.phases import Phase
    from ...routing.base.routing import Routing
    from ...worst.phase_loads import TogetherTimes

JobLists = str | os.PathLike[str] | Mapping[str, Sequence[int]]


USUAL_OPERATION = Option(
    text="Which collective; by default the one that the algorithm is best known for.",
    kind=str | None,
    choices=OPERATIONS,
)
JOBS_OPTION = Option(
    value="FILE",
    text="Several jobs at once, from a file of jobs, with --routing and --algorithm: what their phases do to each "
    "other.",
    kind=str | None,
    python="A file of jobs, or the terminals of each by name, in the order of the ranks.",
)


@dataclass(frozen=True)
class JobAsked:
    """One job: its ranks in order, and what it does; ``own``: its phases, where these are its own."""

    ranks: Sequence[int]
    operation: str
    algorithm: str
    own: OwnPhases | None = None

    def phases(self) -> Iterator[Phase]:
        """Raises InputError for what the algorithm does not do, and for phases of another number of ranks."""
        from ...core.schedules.phases import phases_of

        if self.own is None:
            return phases_of(self.algorithm, self.operation, len(self.ranks))
        if self.own.num_ranks != len(self.ranks):
            raise InputError(f"its phases are for {self.own.num_ranks} ranks, and it has {len(self.ranks)}")
        return self.own.loads()

    def described(self) -> dict[str, Any]:
        """As a report has it."""
        from ...formats.schedules.phases_document import phases_to_document

        own = {} if self.own is None else {"phases": phases_to_document(self.own)}
        return {"ranks": list(self.ranks), "operation": self.operation, "algorithm": self.algorithm, **own}


def own_phases_of(algorithm: str) -> OwnPhases | None:
    """The phases of the file that ``algorithm`` names; None for the usual algorithms."""
    from ...core.schedules.phases import ALGORITHMS
    from ...formats.schedules.phases_document import read_phases
    from ...formats.text_files import brief

    if algorithm in ALGORITHMS:
        return None
    if os.path.isfile(algorithm):
        return read_phases(algorithm)
    found = did_you_mean(algorithm, ALGORITHMS)
    raise InputError(f"the algorithm is {brief(algorithm)}, and no file has that name; {found}")


def check_timed(routing: Routing) -> None:
    """Raise InputError for loads from which no time follows."""
    from ...routing.base.worst_hash import check_followed

    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled: no exact time can be claimed from them")
    check_followed(routing, "a collective")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CollectiveJobsAnswer(RoutingAnswer):
    """``jobs``: what each does, by name; ``found``: what came of it, in the same order; ``alpha``: the latency of a
    phase; ``cables``: what terminals' own carry."""

    shown = Shown("terminal.collective:collective_jobs_parts")

    jobs: Mapping[str, JobAsked]
    found: TogetherTimes
    alpha: Fraction
    cables: Cables = None


@question
class CollectiveJobs(Question[CollectiveJobsAnswer]):
    """Jobs with a collective each, all at once on a routing: the time of each alone, and at most beside the others.

        >>> import routeproof as rp
        >>> jobs = {"a": [0, 2, 4], "b": [1, 3, 5]}
        >>> found = rp.collective_jobs(rp.DOR().on(rp.mesh(6)), jobs=jobs, algorithm="ring,b=tree")
        >>> found.value("aligned_load")
        Fraction(2, 1)

    Source: Thakur, Rabenseifner & Gropp 2005.  Raises InputError for what an algorithm does not do, for jobs that are
    none, and for sampled routings.
    """

    function = "collective_jobs"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    jobs: JobLists = spelled(JOBS_OPTION)
    algorithm: str = option(
        "SPEC", "", kind=str | None,
        python="Of all jobs, and of single ones: 'ring', 'ring,b=tree', 'a=bruck:all-gather,b=own-phases.json'.",
    )  # fmt: skip
    operation: str | None = spelled(USUAL_OPERATION, default=None)
    host_cables: Fraction | int | str | None = spelled(HOST_CABLES, default=None)
    alpha: Fraction | int = spelled(ALPHA, default=0)

    @timed
    def answer(self, setting: Setting = ALONE) -> CollectiveJobsAnswer:
        from ...worst.phase_loads import cells_of, together

        routing, alpha = self.routing, checked_latency(self.alpha)
        network = routing.network
        check_timed(routing)
        cables = counted_cables(network, self.host_cables)
        placed, jobs = network_with(network, cables), self._asked()
        cells = []
        with setting.stage("jobs") as progress:
            for k, (name, job) in enumerate(jobs.items()):
                try:
                    ranks = ranks_on(placed, job.ranks, cables)
                    cells.append(cells_of(routing, job.phases(), ranks, cables))
                except InputError as error:
                    raise InputError(f"job {name[:40]}: {error}") from None
                if progress is not None:
                    progress(k + 1, len(jobs))
        found = together(cells, network.num_channels + (0 if cables is None else 2 * network.num_terminals))
        described = {name: job.described() for name, job in jobs.items()}
        return CollectiveJobsAnswer(
            routing=routing, topology=setting.topology, stated=_claims(jobs, found, alpha, counted(cables)),
            more={"kind": "jobs", "jobs": described, **cables_subject(cables)}, jobs=jobs, found=found, alpha=alpha,
            cables=cables,
        )  # fmt: skip

    def _asked(self) -> dict[str, JobAsked]:
        """What every job does."""
        from ...core.schedules.own_phases import OWN
        from ...core.schedules.phases import ALGORITHMS

        jobs = self._jobs()
        usual, single = None, dict[str, str]()
        for part in self.algorithm.split(","):
            name, given, does = (x.strip() for x in part.rpartition("="))
            if not does:
                raise InputError(f"--algorithm: {part[:40]!r} names no algorithm; NAME or JOB=NAME was expected")
            if not given and usual is not None:
                raise InputError(f"--algorithm names {usual} and {does} for all jobs; one was expected, and JOB=NAME")
            if given and name not in jobs:
                raise InputError(f"--algorithm: there is no job {name[:40]!r}; {did_you_mean(name[:40], jobs)}")
            if given and name in single:
                raise InputError(f"--algorithm names job {name[:40]} twice; once was expected")
            if given:
                single[name] = does
            else:
                usual = does
        if usual is not None and len(single) == len(jobs):
            raise InputError(f"--algorithm: {usual[:40]} is for no job; each of them has one of its own")
        found = {}
        for name, ranks in jobs.items():
            asked = single.get(name, usual)
            if asked is None:
                raise InputError(f"--algorithm says nothing of job {name[:40]}; ring,JOB=NAME gives one to all others")
            algorithm, _, operation = asked.partition(":")
            own = None if algorithm in ALGORITHMS else own_phases_of(asked)
            if own is not None and self.operation not in (None, own.operation):
                raise InputError(f"--operation is {self.operation}, and the phases of {algorithm} are {own.operation}")
            if own is not None:
                found[name] = JobAsked(ranks, own.operation, OWN, own)
                continue
            operation = operation or self.operation or next(iter(ALGORITHMS[algorithm]))
            check_choice("the operation", operation, OPERATIONS)
            found[name] = JobAsked(ranks, operation, algorithm)
        return found

    def _jobs(self) -> dict[str, Sequence[int]]:
        from ...formats.demands.jobs import read_jobs, within
        from ...formats.text_files import first_of

        found: Mapping[str, Sequence[int]]
        if isinstance(self.jobs, Mapping):
            found = {str(name): [int(x) for x in job] for name, job in self.jobs.items()}
            within(found, self.routing.network.num_terminals, text="jobs")
        else:
            read = read_jobs(self.jobs, self.routing.network)
            found = read.terminals
            if read.alone:
                warn(f"jobs of one host are left out: {first_of(read.alone, 6)}")
        for name in found:
            if not name.isprintable() or not name:
                raise InputError(f"the job {name[:40]!r} has a name that cannot be printed; letters were expected")
        return dict(found)


def _claims(
    jobs: Mapping[str, JobAsked], found: TogetherTimes, alpha: Fraction, more: Mapping[str, Any]
) -> list[Claim]:
    import numpy as np

    from ...claims.collectives.jobs import ALIGNED_PHASES, BESIDE_OTHERS, JOB_PHASES, OTHERS_LOAD
    from ...formats.documents.json_text import fraction_to_text

    phases = np.array(found.phases)
    claims = [ALIGNED_PHASES.claim(found.most, {"channel": found.channel, "phase": phases}, more)]
    latency = {"alpha": fraction_to_text(alpha)} if alpha else {}
    for (name, job), x in zip(jobs.items(), found.jobs, strict=True):
        about = {"job": name, "operation": job.operation, "algorithm": job.algorithm, **latency, **more}
        alone, beside = np.array(x.alone_channel), np.array(x.beside_channel)
        met = {"channel": x.others_channel, "phase": np.array(x.theirs)}
        claims += [
            JOB_PHASES.claim(x.total(x.alone, alpha), {"channel": alone}, about),
            BESIDE_OTHERS.claim(x.total(x.beside, alpha), {"channel": beside}, {**about, "alignment": "any"}),
            OTHERS_LOAD.claim(x.others, met, {"job": name, **more}),
        ]
    return claims
