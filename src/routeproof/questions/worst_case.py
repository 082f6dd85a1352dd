"""Everything that an architect asks about one routing: worst case, capacity, given traffic, path lengths; as claims."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from ..claims.derived import following
from ..core.claim import Claim
from ..core.errors import InputError, RouteproofWarning
from ..core.sampling.stopping import Stopping
from ..core.spread import Stage
from ..core.traffic import Traffic
from ..core.vocabulary import is_factor
from ..demand_sets.demand_set import DemandSet
from ..formats.demands.description import demands_subject
from ..machine.deadlines import OutOfTimeError, ended_in_time
from ..routing.base.routing import Routing
from ..routing.base.worst_hash import WorstHash, check_followed
from ..worst.average import average_case_claim, sampled_average_case
from ..worst.capacity import capacity_claims
from ..worst.demand_sets.jobs import JobLoads, job_claims, job_loads
from ..worst.loads import channel_loads_under, traffic_claims
from ..worst.locality import minimal_average, path_length_claims
from ..worst.over import Options, worst_over
from ..worst.scan.evidence import can_share, worst_case_claims
from ..worst.scan.evidence import channel_claims as claims_of
from ..worst.scan.exact import WorstCase, worst_case
from ..worst.scan.models import Curve
from .answer import ALONE, RoutingAnswer, Setting, Shown, exact_value, timed
from .sampled import crossings_note, sampled_claims

FEW_NUMBERS = 200_000  # focus channels times terminals: up to here each channel has evidence of its own
MOST_NUMBERS = 8_000_000  # above, there is none where channels cannot share it


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WorstCaseAnswer(RoutingAnswer):
    """What is known about ``routing``.

    ``jobs``: what jobs do to one another.  ``capacity`` is None where no method here settles it; then nothing is stated
    as a fraction of it.  ``whole_flows``: the worst case over the hashes, too, where the network's devices send flows
    whole and the routing splits them.  ``average``: the average case, where that was asked for, too.
    """

    shown = Shown(
        "terminal.summary:worst_case_parts",
        display=("top",),
        figure="figures.analysis:asked_figure",
        drawn=("figure",),
    )

    worst_case: WorstCase
    capacity: Fraction | None
    jobs: JobLoads | None = None
    whole_flows: WorstCase | None = None
    average: RoutingAnswer | None = None

    @property
    def undrawable(self) -> str:
        drawn = self.worst_case.permutation is not None or self.worst_case.traffic
        return "" if drawn else "no traffic of this model saturates a channel"

    def claims(self) -> Sequence[Claim]:
        return self.stated if self.average is None else [*self.stated, *self.average.claims()]

    @property
    def curve(self) -> Curve | None:
        """Over the number of packets, for sets that have one."""
        return self.worst_case.curve


@timed
def answer_worst_case(
    routing: Routing,
    *,
    traffics: Sequence[Traffic] = (),
    model: str = "balanced",
    rates: tuple[Sequence[Fraction], Sequence[Fraction]] | None = None,
    demands: DemandSet | None = None,
    symmetry: str = "auto",
    all_channels: bool = False,
    stopping: Stopping | None = None,
    worst: WorstCase | None = None,
    whole_flows: bool = False,
    by_program: bool = True,
    seconds: float | None = None,
    setting: Setting = ALONE,
) -> WorstCaseAnswer:
    """The worst case of ``routing``, its throughput under uniform traffic and ``traffics``, and its path lengths.

    ``model``, ``rates``, ``symmetry`` and ``all_channels`` are those of ``worst.scan.exact``; ``demands``: a
    set of demands in place of a model; ``stopping``: when sampling could end, for routings whose loads are sampled;
    ``worst``: the worst case, where it is known; ``whole_flows``: also that of whole flows, where the network's devices
    send each flow whole; ``by_program``: the capacity may be looked for by a program, too, in so many ``seconds``.
    Raises InputError as the analyses do.
    """
    for traffic in traffics:
        if traffic.size != routing.network.num_terminals:
            raise InputError(
                f"traffic {traffic.name} is between {traffic.size} terminals; "
                f"{routing.network.name} has {routing.network.num_terminals}"
            )
    jobs = None
    notes: tuple[str, ...] = ()
    options = Options(symmetry, all_channels, spread=setting.spread, stage=setting.stage)
    if demands is not None:
        worst = worst_over(routing, demands, options)
        claims = worst_case_claims(worst)
        if demands.several_jobs:
            with setting.stage("jobs") as progress:
                jobs = job_loads(routing, demands.transport, progress=progress)
            with setting.stage("proofs of single jobs") as progress:
                claims += job_claims(jobs, progress=progress)
        each = all_channels and not worst.stated
        best, claims = _exact_claims(
            routing,
            worst,
            claims,
            traffics,
            all_channels=each,
            step=setting.stage,
            by_program=by_program,
            seconds=seconds,
        )
    elif not routing.is_sampled:
        if worst is None:
            with setting.stage("worst case") as progress:
                worst = worst_case(
                    routing, model=model, rates=rates, symmetry=symmetry, all_channels=all_channels, progress=progress,
                    spread=setting.spread,
                )  # fmt: skip
        best, claims = _exact_claims(
            routing, worst, worst_case_claims(worst), traffics, all_channels=all_channels, step=setting.stage,
            by_program=by_program, seconds=seconds,
        )  # fmt: skip
    elif model != "balanced" or all_channels:
        raise InputError("sampled loads are judged under the balanced model, on the worst channel only")
    else:
        worst, best, claims = sampled_claims(routing, traffics, stage=setting.stage, stopping=stopping)
        notes = (crossings_note(routing),)
    whole = None
    if whole_flows and _hashes(routing) and _is_one_set(worst, demands):
        whole, more = _of_whole_flows(routing, demands, replace(options, all_channels=False))
        claims += more
    return WorstCaseAnswer(
        routing=routing, topology=setting.topology, worst_case=worst, capacity=exact_value(best), stated=tuple(claims),
        more=demands_subject(demands), jobs=jobs, whole_flows=whole, notes=notes,
    )  # fmt: skip


def worst_case_alone(worst: WorstCase) -> WorstCaseAnswer:
    """The worst case of its routing, and nothing else."""
    return WorstCaseAnswer(routing=worst.routing, worst_case=worst, capacity=None, stated=worst_case_claims(worst))


def _hashes(routing: Routing) -> bool:
    """Does the routing split what its network's devices would send whole, over a path that a hash picks?"""
    exact = not routing.is_sampled and routing.whole_flows_of is None
    return exact and routing.network.hashes_flows and routing.denominators != [1]


def _is_one_set(worst: WorstCase, demands: DemandSet | None) -> bool:
    return worst.model.name == "balanced" if demands is None else not demands.stands_alone


def _of_whole_flows(
    routing: Routing, demands: DemandSet | None, options: Options
) -> tuple[WorstCase | None, list[Claim]]:
    """The worst case over traffic and hashes, and its load and throughput, about ``{"flows": "whole"}``; nothing, and a
    warning, where a path of the routing may cross a channel twice."""
    try:
        bound = WorstHash(routing)
    except InputError as error:
        warnings.warn(f"nothing is said of whole flows: {error}", RouteproofWarning, stacklevel=2)
        return None, []
    if demands is not None:
        worst = worst_over(bound, demands, options)
        if worst.curve is not None:  # over the number of packets: no one number
            return None, []
    else:
        with options.stage("whole flows") as progress:
            worst = worst_case(bound, symmetry=options.symmetry, progress=progress, spread=options.spread)
    about = {**worst.model.about, "flows": "whole"}
    stated = [x for x in worst_case_claims(worst) if x.about == worst.model.about and x.quantity in _OF_LOAD]
    return worst, [replace(x, about=about) for x in stated]


_OF_LOAD = ("worst_case_load", "worst_case_throughput")


def _exact_claims(
    routing: Routing,
    worst: WorstCase,
    claims: list[Claim],
    traffics: Sequence[Traffic],
    *,
    all_channels: bool,
    step: Stage,
    by_program: bool,
    seconds: float | None,
) -> tuple[Claim | None, list[Claim]]:
    """(the capacity, everything that is claimed of the routing whose worst case is known, by ``claims``)."""
    network = routing.network
    with step("uniform traffic") as progress:
        everything = Traffic.uniform(network.num_terminals)
        uniform = channel_loads_under(routing, everything, orbits=worst.classes.label, progress=progress)
    whole = routing.whole_flows_of is not None  # then it is no candidate for the capacity, and has no path lengths
    between = capacity_claims(network) if whole else capacity_claims(network, routing, uniform=uniform)
    best = between[0] if len(between) == 1 else None
    if best is None and by_program:
        from ..optimum.capacity import capacity_if_possible

        with step("capacity"), suppress(OutOfTimeError), ended_in_time(seconds):
            best = capacity_if_possible(network, seconds=seconds)
    has_throughput = any((x.quantity, x.about) == ("worst_case_throughput", worst.model.about) for x in claims)
    if (most := exact_value(best)) is not None and has_throughput and not is_factor(worst.model.about):
        place = next(k for k, x in enumerate(claims) if x.quantity == "worst_case_throughput")
        claims = [*claims[: place + 1], _of_capacity(worst, most), *claims[place + 1 :]]
    if all_channels:
        with step("proofs of single channels") as progress:
            claims += channel_claims(worst, progress)
    claims += between if best is None else [best]
    claims += traffic_claims(routing, everything, uniform, best)
    for traffic in traffics:
        if not traffic.is_uniform:  # that is there already
            with step(f"traffic {traffic.name}") as progress:
                loads = channel_loads_under(routing, traffic, progress=progress)
            claims += traffic_claims(routing, traffic, loads, best)
    if not whole:
        claims = [*claims, *path_length_claims(uniform.average_path_length, minimal_average(network))]
    return best, claims


def _of_capacity(worst: WorstCase, capacity: Fraction) -> Claim:
    quantity, source = "worst_case_throughput_of_capacity", "Towles & Dally 2002 (SPAA), sec. 5"
    return following(quantity, "==", worst.throughput / capacity, worst.model.about, source)


def channel_claims(worst: WorstCase, progress: Callable[[int, int], None] | None = None) -> list[Claim]:
    """``worst_case_load`` with ``{"channel": c}`` for every channel, from a balanced worst case with ``all_channels``.

    In units of packets per cycle and unit of bandwidth.  Evidence of its own for each, a permutation among it, holds
    about as many numbers as there are focus channels times terminals: above ``FEW_NUMBERS`` it is shared where it can
    be (``worst.scan.evidence``).  Where it cannot, networks above ``MOST_NUMBERS`` get no claims, as
    other models do: there is a warning instead.  ``progress(done, total)`` is called now and then, in channels.
    """
    if worst.channel_loads is None:
        return []

    network = worst.network
    numbers = worst.num_focus_channels * network.num_terminals
    shared = numbers > FEW_NUMBERS and can_share(worst)
    has_each = worst.model.name in ("balanced", "demands")
    if not has_each or (numbers > MOST_NUMBERS and not shared):
        reason = f"it would hold {numbers} numbers" if has_each else f"{worst.model.name} traffic"
        warnings.warn(
            f"the report leaves out the evidence for each of {network.num_channels} channels ({reason}); "
            f"their loads are printed only",
            RouteproofWarning,
            stacklevel=2,
        )
        return []
    return claims_of(worst, shared=shared, progress=progress)


def answer_average(
    routing: Routing,
    *,
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    stopping: Stopping | None = None,
    known: Sequence[Claim] = (),
    setting: Setting = ALONE,
) -> RoutingAnswer:
    """The mean over ``samples`` random matrices of the throughput of ``routing``: one claim, SAMPLED.

    ``model``: of random traffic, see ``topologies.traffic_models``; ``stopping``: when sampling could end;  ``known``:
    claims about the routing; where its capacity is among them, the mean is stated as a fraction of it.  Raises
    InputError for bad options.
    """
    check_followed(routing, "the average case")
    exact = {x.quantity: exact_value(x) for x in known if x.relation == "=="}
    with setting.stage("random matrices") as progress:
        average = sampled_average_case(
            routing, model, samples=samples, seed=seed, stopping=stopping, worst_load=exact.get("worst_case_load"),
            spread=setting.spread, progress=progress,
        )  # fmt: skip
    capacity = exact.get("capacity")
    claim = average_case_claim(
        average, model=model, capacity=None if capacity is None else float(capacity), about={}, stopping=stopping
    )
    notes = () if stopping is None else stopping.notes([average])
    return RoutingAnswer(routing=routing, topology=setting.topology, stated=(claim,), notes=notes)
