"""One topology that could be built, with a routing: its worst case, and what each failure of a single cable leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.errors import InputError
from ..ranked import load_claimed

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.base.routing import Routing
    from ...symmetry.channel_classes import ChannelClasses
    from ...topologies.failures import Failure
    from ...worst.scan.exact import WorstCase
    from ..failures.claims import Judged


@dataclass(eq=False)
class Candidate:
    """``claims``: what it takes to build, and the worst case; ``bounds``: of all routings on the network.

    ``rule``: what a failure does, as subjects of reports have it; ``judged``: failures of single cables, the worst
    first; ``unjudged``: how many there are besides, up to symmetry; ``after``: the claims about those that are judged.
    """

    network: Network
    routing: Routing
    claims: list[Claim]
    bounds: Sequence[Claim]
    worst: WorstCase | None = None
    rule: dict[str, Any] = field(default_factory=dict)
    judged: Sequence[Judged] = ()
    unjudged: int = 0
    after: Sequence[Claim] = ()

    @property
    def topology(self) -> str:
        return str(self.network.spec)

    @property
    def load(self) -> Fraction:
        """In the worst case; 0 where it is not known."""
        return load_claimed(self.claims)

    @property
    def effort(self) -> int:
        """What failures take to judge, roughly."""
        return 0 if self.worst is None else self.network.num_channels * len(self.worst.classes.focus)

    @property
    def kept(self) -> tuple[Fraction, bool] | None:
        """(what the worst failure leaves, of pairs that lose no packets; is it exact, or at most that?); None where
        nothing is known."""
        if self.separates:
            return Fraction(0), True
        loads = [x.load for x in self.judged if x.load]
        return (1 / max(loads), not self.unjudged) if loads else None

    @property
    def separates(self) -> bool:
        """Does one of the failures that are judged separate hosts?"""
        return any(x.lost is not None for x in self.judged)

    @property
    def pairs_cut(self) -> int:
        """By the worst of the failures that are judged."""
        return max((x.cut for x in self.judged), default=0)


_RATE = 1e8
"""Steps a second in which kernels, which nothing interrupts, find the shortest paths between all nodes."""


def check_time(network: Network, seconds: float) -> None:
    """Raise InputError where the shortest paths between all nodes alone take longer, and more than a moment."""
    if network.num_nodes * network.num_channels > _RATE * max(seconds, 0.1):
        raise InputError(f"the time is too short for all shortest paths of {network.num_nodes:,} nodes (--time-limit)")


def judge_whole(row: Candidate, seconds: float) -> None:
    """Load and throughput of the worst case; nothing where that takes longer."""
    from ...machine.deadlines import OutOfTimeError, ended_in_time
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import worst_case

    found: list[tuple[WorstCase, list[Claim]]] = []
    if not seconds:
        return
    with suppress(OutOfTimeError), ended_in_time(seconds):
        worst = worst_case(row.routing)
        found = [(worst, [x for x in worst_case_claims(worst) if x.quantity.startswith("worst_case_")])]
    for row.worst, claims in found:
        row.claims += claims


def best_bound(network: Network, seconds: float) -> list[Claim]:
    """The best of the bounds on all routings that take no program; nothing where there is none in time."""
    from ...claims.routings.adversary import ADVERSARY
    from ...machine.deadlines import OutOfTimeError, ended_in_time
    from ...optimum.simple_bound import simple_bounds

    best = None
    if not seconds:
        return []
    with suppress(InputError, OutOfTimeError), ended_in_time(seconds):
        check_time(network, seconds)
        for bound in simple_bounds(network, None):
            if best is None or bound.least_load() > best.least_load():
                best = bound
    if best is None or not best.least_load():
        return []
    return [
        ADVERSARY.claim(
            best.least_load(),
            best.data(),
            {"model": "balanced"},
            quantity="worst_case_load",
            source="Towles, Dally & Boyd 2003 (SPAA), eq. 8",
        )
    ]


def judge_cables(row: Candidate, seconds: float) -> None:
    """Failures of single cables, one of each class under symmetry, as many as there is time for; of some alone, the
    worst of these is kept.  The routing is made anew, or nobody reroutes where that cannot be done after each."""
    from ...machine.deadlines import OutOfTimeError, ended_in_time
    from ..failures.claims import failure_claims, failure_representatives

    results: list[dict[str, Any]] = []
    some: dict[Failure, int] = {}
    classes = None
    with suppress(OutOfTimeError, InputError), ended_in_time(seconds):  # or it takes too much memory
        for repair in ("rebuild", "none"):
            classes = _classes(row, repair)
            some = failure_representatives(row.routing, classes, of="cables")
            results.clear()
            judge = _judge_of(row, repair)
            if _judged(some, judge, results):
                break
    row.unjudged = len(some) - len(results)
    if not results:
        return
    done = dict(zip(some, results, strict=False))
    if row.unjudged:
        judged, _ = failure_claims(row.network, dict.fromkeys(done, 1), results, every=None, classes=classes)
        worst = judged[0].failure
        some, results = {worst: 1}, [done[worst]]
    every = None if row.unjudged else "cables"
    row.judged, row.after = failure_claims(row.network, some, results, every=every, classes=classes)


def _judged(some: Iterable[Failure], judge: Callable[[Failure], dict[str, Any]], results: list[dict[str, Any]]) -> bool:
    """Can the routing be made after each failure?  ``results`` gets what is known of one after the other."""
    for failure in some:
        result = judge(failure)
        if "refused" in result:
            results.clear()
            return False
        results.append(result)
    return True


def _classes(row: Candidate, repair: str) -> ChannelClasses | None:
    """The symmetry under which failures do the same, of that which the worst case has found."""
    from ...core.symmetry import orbit_labels
    from ...symmetry.channel_classes import channel_classes

    assert row.worst is not None
    found = row.worst.classes
    if repair == "rebuild" and not row.routing.same_anew:
        return None
    if not found.generators:
        return channel_classes(row.routing, reversal=repair == "none")
    images = [g.channel for g in found.generators]
    return found if repair == "none" else replace(found, label=orbit_labels(len(found.label), images), reversal=False)


def _judge_of(row: Candidate, repair: str) -> Callable[[Failure], dict[str, Any]]:
    """What judges one failure, as ``worst.failures`` does; and the rule of the candidate."""
    from ...formats.documents.packed_ints import pack_ints
    from ...routing.named.described import describe_routing
    from ...worst.failures import base_of, rebuilt_after, solve_failures
    from ...worst.rerouting_bound import bounds_of

    network, routing = row.network, row.routing
    bounds, row.rule = bounds_of(network), {"repair": repair}
    if bounds.far is not None:
        row.rule["far"] = pack_ints(bounds.far)
    if repair == "rebuild":
        described = describe_routing(routing)
        return lambda x: rebuilt_after(network, bounds, described, list(x.nodes), x.channels(network), uniform=False)
    base = base_of(routing, repair, few=True, uniform=False)
    row.rule["potentials"] = base.described()
    return lambda x: solve_failures(base, failures=[(list(x.nodes), x.channels(network))])[0]
