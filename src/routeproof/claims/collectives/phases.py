"""Claims about a collective in phases on a routing: how long it takes, the phase that loads a channel most, and how
many times the least time that is.

The phases are made again from the name of the algorithm (``core.schedules.phases``), and the loads of every phase are
added up from the pair loads of the report's routing.  The ranks of the report say, in order, who is next to whom.

- ``phases`` (``collective_time``): {"channel": for each phase the first that is busiest, -1 for none, packed, "load":
  its load per bandwidth when every message is one unit}; phases in a row with the same messages count once;
- ``worst-phase`` (``phase_load``): {"phase": the number of the first of the worst, "channel": its first busiest};
- ``times-optimal``: nothing of its own; the time and the rate of the same report, multiplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ...core.schedules.own_phases import OWN
from ...core.schedules.phases import ALGORITHMS, Phase, phases_of
from ..kind import BOUNDS, Kind, States
from ..phase_loads import Judged, loads_of_phases, together
from ..proofs.proof import Proof, fraction, number
from ..proofs.work import Work
from ..proofs.written import demand, entries
from ..reading import as_fraction, as_numbers, as_whole, check_value
from ..shapes import BOUND, NUMBERS, TEXT, WHOLE, Keys, ListOf, Word
from .subject import CABLES, ROOTED, Ranks
from .written import CollectiveWork

_TIME, _RATE = "collective_time", "collective_throughput"
Rates = dict[tuple[int, int], Fraction]
SOURCE = "Thakur, Rabenseifner & Gropp 2005 (Int. J. High Perform. Comput. Appl. 19)"


def check_time(ranks: Ranks, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    phases = _judged(ranks, claim.about)
    channels = as_numbers(data["channel"], "channel", len(phases))
    if len(data["load"]) != len(phases):
        raise VerificationError(f"its evidence has {len(data['load'])} loads for {len(phases)} phases")
    for k, (phase, c, load) in enumerate(zip(phases, channels.tolist(), data["load"], strict=True)):
        if as_fraction(load, f"load[{k}]") != phase.load:
            raise VerificationError(f"phase {k} loads a channel with {shown(phase.load)}, not {str(load)[:60]}")
        if c != phase.channel:
            raise VerificationError(f"the first of the busiest channels of phase {k} is {phase.channel}, not {c}")
    alpha = alpha_of(claim.about)
    own = sum((x.times * (alpha + x.load * x.amount) for x in phases), Fraction(0))
    check_value(claim, own, "its phases make it")


def check_worst_phase(ranks: Ranks, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    phases = _judged(ranks, claim.about)
    k = as_whole(data["phase"], "phase", 0, len(phases) - 1)
    first = max(range(len(phases)), key=lambda x: phases[x].load)
    worst = phases[first].load
    if k != first or data["channel"] != phases[k].channel:
        raise VerificationError(
            f"the first of the worst phases is {first}, which loads channel {phases[first].channel} with "
            f"{shown(worst)}; not phase {k} and channel {data['channel']}"
        )
    check_value(claim, worst, "its phases make it")


def check_times_optimal(ranks: Ranks, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    if data["from"] != [_TIME, _RATE]:
        raise VerificationError("its evidence does not say that it is a time times a rate")
    about = dict(claim.about)
    rate_about = {k: x for k, x in about.items() if k in ("operation", "root", "host_cables")}
    rate = ranks.stated(_RATE, rate_about, relation=claim.relation)
    own = ranks.stated(_TIME, about, relation="==") * rate
    check_value(claim, own, "the report's time and rate make it")


def alpha_of(about: Mapping[str, Any]) -> Fraction:
    if "alpha" not in about:
        return Fraction(0)
    alpha = as_fraction(about["alpha"], "alpha")
    if alpha <= 0:
        raise VerificationError(f"its alpha is {shown(alpha)}; a latency above 0 was expected")
    return alpha


def _judged(ranks: Ranks, about: Mapping[str, Any]) -> list[Judged]:
    """The loads of all phases; formed once for a report."""
    operation, root = about["operation"], about.get("root")
    if (operation in ROOTED) != (root is not None):
        raise VerificationError(f"it is about {operation}, {'without' if root is None else 'with'} a root")
    key = (about["algorithm"], operation, root)
    if key not in ranks.of_phases:
        order = np.array(rooted(ranks.ranks, root), dtype=np.int64)
        ranks.of_phases[key] = [
            _with_cables(ranks, y, phase, order)
            for x in together(asked_phases(ranks, about))
            for phase, y in zip(x, loads_of_phases(ranks.routing, x, order), strict=True)
        ]
    found: list[Judged] = ranks.of_phases[key]
    return found


def asked_phases(ranks: Ranks, about: Mapping[str, Any]) -> Iterator[Phase]:
    """The phases of a claim's algorithm: one of the usual ones, or that which the report holds."""
    operation = about["operation"]
    if about["algorithm"] != OWN:
        return phases_of(about["algorithm"], operation, len(ranks.ranks))
    if ranks.own_phases.operation != operation:
        raise VerificationError(f"its phases are {ranks.own_phases.operation}; it is about {operation}")
    return ranks.own_phases.loads()


def _with_cables(ranks: Ranks, judged: Judged, phase: Phase, order: Int64) -> Judged:
    """The same, where the ranks' own cables count: each carries what its rank sends, or what it receives."""
    if ranks.cables is None:
        return judged
    best = judged.load, -judged.channel
    for way, ends in enumerate((phase.source, phase.destination)):
        counts = np.bincount(order[ends], minlength=ranks.between.num_terminals)
        for width, members in ranks.of_cables:
            t = int(members[counts[members].argmax()])
            if counts[t]:
                best = max(best, (int(counts[t]) / width, -(ranks.between.num_channels + 2 * t + way)))
    return replace(judged, load=best[0], channel=-best[1])


def rooted(ranks: list[int], root: int | None) -> list[int]:
    """The ranks in order, from the terminal ``root`` on; raises VerificationError for a root that is no rank."""
    if root is None:
        return ranks
    if root not in ranks:
        raise VerificationError(f"its root is terminal {root}, which is not a rank")
    at = ranks.index(root)
    return [*ranks[at:], *ranks[:at]]


def written_phases(
    proof: Proof, phases: Iterable[Phase], order: Sequence[int], name: str
) -> tuple[int, list[Rates], list[list[Any]]]:
    """What is sent, as a set of matrices of one unit a message: its position; the matrix of every phase; and the
    phases as a ``phases-take`` claim lists them."""
    matrices: list[Rates] = []
    of_phase, rows = [], []
    for phase in phases:
        rates: Rates = {}
        for a, b in zip(phase.source.tolist(), phase.destination.tolist(), strict=True):
            rates[order[a], order[b]] = rates.get((order[a], order[b]), Fraction(0)) + 1
        if rates not in matrices:
            matrices.append(rates)
        of_phase.append(rates)
        rows.append([matrices.index(rates), number(phase.times), fraction(phase.amount)])
    listed = [{"name": f"messages {k + 1}", "scale": 1, "entries": entries(x, 1)} for k, x in enumerate(matrices)]
    position = proof.set_of({"kind": "matrices", "name": name, "matrices": listed})
    return position, of_phase, rows


def elaborate_time(
    work: Work, value: Fraction, about: Mapping[str, Any], phases: Iterable[Phase], order: Sequence[int]
) -> int:
    """The phases one after the other take just so long; returns the position of this claim."""
    position, _, rows = written_phases(work.proof, phases, order, f"messages of {about['algorithm']}")
    latency = fraction(alpha_of(about))
    return work.claim("phases-take", value, routing=work.routing, demands=position, latency=latency, phases=rows)


def elaborate_phases(work: CollectiveWork, claim: Claim) -> None:
    order = rooted(work.ranks.ranks, claim.about.get("root"))
    elaborate_time(work.of_routing, claim.number, claim.about, asked_phases(work.ranks, claim.about), order)


def elaborate_worst_phase(work: CollectiveWork, claim: Claim) -> None:
    """All phases' messages as one set of matrices: no channel carries more, and one carries as much."""
    order, own = rooted(work.ranks.ranks, claim.about.get("root")), work.of_routing
    phases = asked_phases(work.ranks, claim.about)
    position, at, _ = written_phases(work.proof, phases, order, f"messages of {claim.about['algorithm']}")
    worst = at[claim.evidence.data["phase"]]
    found = demand(worst)
    different = [x for k, x in enumerate(at) if x not in at[:k]]
    because = [found["weight"] if x == worst else 0 for x in different]
    own.at_most(claim, position, [])
    own.at_least(claim, position, claim.evidence.data["channel"], {**found, "because": because})


def elaborate_times_optimal(work: CollectiveWork, claim: Claim) -> None:
    work.times_optimal(claim, claim.about, claim.about)


_OPERATIONS = sorted({x for does in ALGORITHMS.values() for x in does})
_WHICH = Keys(
    {"operation": Word(*_OPERATIONS), "algorithm": Word(*ALGORITHMS, OWN)}, {"root": WHOLE, "host_cables": CABLES}
)
TIMED = Keys(_WHICH.needed, {**_WHICH.optional, "alpha": TEXT})
PHASES = Kind(
    "phases",
    "The load of every phase, added up from the routing's pair loads: the phases one after the other take the sum of "
    "latency and of load times the units of a message.",
    Keys({"channel": NUMBERS, "load": ListOf(BOUND)}),
    {_TIME: States(("==",), Grade.PROVED, TIMED)},
    frozenset({SOURCE}),
    check_time,
    elaborate=elaborate_phases,
    subjects=frozenset({"collective"}),
)
WORST_PHASE = Kind(
    "worst-phase",
    "A phase whose load no other one passes; all are added up from the routing's pair loads.",
    Keys({"phase": WHOLE, "channel": WHOLE}),
    {"phase_load": States(("==",), Grade.PROVED, _WHICH)},
    frozenset({SOURCE}),
    check_worst_phase,
    elaborate=elaborate_worst_phase,
    subjects=frozenset({"collective"}),
)
TIMES_OPTIMAL = Kind(
    "times-optimal",
    "The time, times the rate that no schedule passes; other claims of this report state both.",
    Keys({"from": ListOf(Word(_TIME, _RATE))}),
    {"times_optimal": States(BOUNDS, Grade.PROVED, TIMED)},
    frozenset({"Edmonds 1973; Zhao et al. 2024 (ForestColl)"}),
    check_times_optimal,
    elaborate=elaborate_times_optimal,
    rests=True,
    subjects=frozenset({"collective"}),
)
