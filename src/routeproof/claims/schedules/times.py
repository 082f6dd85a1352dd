"""Claims about the time of a schedule on a network: what its messages put on every channel, in all and by phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...core.schedules.collectives import COLLECTIVES
from ...core.schedules.relation import Relation
from ...core.schedules.schedule import Schedule
from ...routing.base.routing import Routing
from ...routing.base.worst_hash import check_followed
from ..collectives.subject import CABLES
from ..kind import BOUNDS, Kind, States
from ..reading import as_whole
from ..shapes import WHOLE, Keys, Word
from .written import ScheduleWork, elaborate_time

Loads = Mapping[int, Fraction]
TIME, RATE, RATIO = "collective_time", "collective_throughput", "times_optimal"


@dataclass(frozen=True)
class Times:
    """``phases``: by phase, the cycles for which every channel that is used is busy (its load over its bandwidth).

    ``cables``: what every terminal's own cable carries, None where these do not count; as channels they have the
    numbers of ``topologies.attach.with_host_cables``.
    """

    routing: Routing
    phases: Sequence[Loads]
    cables: Sequence[Fraction] | None = None

    @property
    def about(self) -> dict[str, Any]:
        """The qualifier of claims that count the terminals' own cables."""
        return {} if self.cables is None else {"host_cables": "counted"}

    def busy(self, channel: int) -> Fraction:
        return sum((x.get(channel, Fraction(0)) for x in self.phases), Fraction(0))

    def busiest(self) -> tuple[int, Fraction]:
        """The channel that is busy for most cycles, and for how many: no execution takes less."""
        total: dict[int, Fraction] = {}
        for phase in self.phases:
            for channel, x in phase.items():
                total[channel] = total.get(channel, Fraction(0)) + x
        return max(total.items(), key=lambda x: (x[1], -x[0]), default=(0, Fraction(0)))

    def in_phases(self) -> Fraction:
        """All messages of a phase at once, and one phase after the other: an execution that takes just so long."""
        return sum((max(x.values(), default=Fraction(0)) for x in self.phases), Fraction(0))


def times_of(
    relation: Relation,
    order: Int64,
    routing: Routing,
    ranks: Sequence[int],
    cables: Sequence[Fraction] | None = None,
) -> Times:
    """What the messages of a schedule do to the channels; rank r is terminal ``ranks[r]``; ``cables`` as of ``Times``.

    Raises InputError for a collective whose unit is not known, for another number of ranks, for routings whose loads
    are samples, and for bounds that no packet follows.
    """
    schedule = relation.schedule
    known = COLLECTIVES.get(schedule.collective)
    if known is None:
        raise InputError(f"the time of a {schedule.collective} collective is not known: what its unit is is not said")
    if len(ranks) != schedule.num_ranks:
        raise InputError(f"the schedule has {schedule.num_ranks} ranks, and {len(ranks)} terminals take part")
    if routing.is_sampled:
        raise InputError(f"{routing.name} has sampled loads; a schedule's time needs exact ones")
    check_followed(routing, "the time of a schedule")
    chunk = 1 / known.unit(schedule.num_ranks, schedule.chunks)
    sent = sent_in_phases(relation, order)
    flows = _flows(routing, ranks, sorted({pair for x in sent for pair in x}))
    if cables is not None:
        flows = {pair: {**x, **_own(routing.network, ranks, cables, pair)} for pair, x in flows.items()}
    phases = []
    for counts in sent:
        busy: dict[int, Fraction] = {}
        for pair, count in counts.items():
            for channel, cycles in flows[pair].items():
                busy[channel] = busy.get(channel, Fraction(0)) + chunk * count * cycles
        phases.append(busy)
    return Times(routing, phases, cables)


def sent_in_phases(relation: Relation, order: Int64) -> list[Counter[tuple[int, int]]]:
    """By phase, how many chunks every rank sends to every other one."""
    phase = relation.phases(order).tolist()
    sent: list[Counter[tuple[int, int]]] = [Counter() for _ in range(max(phase, default=0))]
    for way, (sends, _) in relation.messages.items():
        for number in sends.tolist():
            sent[phase[number] - 1][way.sender, way.receiver] += relation.step(number).count
    return sent


def _own(network: Network, ranks: Sequence[int], cables: Sequence[Fraction], pair: tuple[int, int]) -> Loads:
    """For how many cycles one chunk as large as a unit keeps the cables of two ranks busy."""
    ends = (2 * ranks[pair[0]], 2 * ranks[pair[1]] + 1)
    return {network.num_channels + x: 1 / cables[x // 2] for x in ends}


def _flows(routing: Routing, ranks: Sequence[int], pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Loads]:
    """By pair of ranks: for how many cycles one chunk as large as a unit keeps every channel busy."""
    width = routing.network.bandwidth
    rows = [int(routing.row_of[ranks[i]]) for i, _ in pairs]
    columns = [int(routing.column_of[ranks[j]]) for _, j in pairs]
    block = routing.pair_loads(rows, columns)
    return {pair: {c: x / width[c] for c, x in block.as_dict(k).items()} for k, pair in enumerate(pairs)}


def check_time(times: Times, claim: Claim, data: Mapping[str, Any]) -> None:
    value = claim.number
    if ("channel" in data) != (claim.relation != "<="):
        raise VerificationError(f"it says {claim.relation}, for which its evidence has too much or too little")
    if claim.relation != "<=":
        own = 0 if times.cables is None else 2 * len(times.cables)
        channel = as_whole(data["channel"], "the number of a channel", 0, times.routing.network.num_channels + own - 1)
        if times.busy(channel) < value:
            raise VerificationError(f"it is at least {value}; channel {channel} is busy for {times.busy(channel)}")
    if claim.relation != ">=" and times.in_phases() > value:
        raise VerificationError(f"it is at most {value}; its phases take {times.in_phases()}")


def check_ratio(claim: Claim, others: Sequence[Claim], about: Mapping[str, Any]) -> None:
    """The time times the best rate, both from above, from below, or equal; ``about``: what the rate is of."""
    for relation in ("<=", ">=") if claim.relation == "==" else (claim.relation,):
        own = ratio_end(others, relation, about)
        if own is None or (own > claim.number if relation == "<=" else own < claim.number):
            found = "nothing" if own is None else f"{relation} {own}"
            raise VerificationError(f"it is {claim.relation} {claim.number}; time and rate of the report make {found}")


def ratio_end(claims: Sequence[Claim], relation: str, about: Mapping[str, Any]) -> Fraction | None:
    """What time and rate of a report make of their product, from above ("<=") or from below; None: nothing."""
    product = Fraction(1)
    own = {k: x for k, x in about.items() if k == "host_cables"}
    for quantity, of in ((TIME, own), (RATE, about)):
        found = [
            x.number
            for x in claims
            if x.quantity == quantity and x.relation in ("==", relation) and dict(x.about) == dict(of)
        ]
        if not found:
            return None
        product *= min(found) if relation == "<=" else max(found)
    return product


def rate_about(schedule: Schedule, ranks: Sequence[int]) -> dict[str, Any]:
    """What the rate is of that the time of a schedule is compared with."""
    root = {} if schedule.root is None else {"root": ranks[schedule.root]}
    return {"operation": schedule.collective, **root}


def elaborate_ratio(work: ScheduleWork, claim: Claim) -> None:
    work.times_optimal(claim, claim.about, {**rate_about(work.schedule, work.ranks.ranks), **claim.about})


_ABOUT = Keys({}, {"host_cables": CABLES})
SCHEDULE_TIME = Kind(
    "schedule-time",
    "From below the loads of a channel, summed up again; from above the messages of every phase, whose busiest "
    "channels are summed up again.",
    Keys({}, {"channel": WHOLE}),
    {TIME: States(BOUNDS, Grade.PROVED, _ABOUT)},
    frozenset({"docs/schedules.md"}),
    elaborate=elaborate_time,
    subjects=frozenset({"schedule"}),
)
SCHEDULE_RATIO = Kind(
    "schedule-ratio",
    "Time times the best rate, both of this report.",
    Keys({"from": Word(TIME)}),
    {RATIO: States(BOUNDS, Grade.PROVED, _ABOUT)},
    frozenset({"docs/schedules.md"}),
    elaborate=elaborate_ratio,
    rests=True,
    subjects=frozenset({"schedule"}),
)
