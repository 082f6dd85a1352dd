"""What changed between two days of a fabric, what each day guarantees, and which change moves the guarantee.

Changes are found by ``routing.fabrics.difference``.  That one of them is the cause is checked: it is applied to the
first day alone (``routing.fabrics.one_change``), and the worst case is found again.
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.errors import InputError
from ..answer import ALONE, Answer, Setting, Shown, exact_value, subject_of, timed
from ..compare import judge_deadlock
from ..given import Given
from ..question import Question, argument, flag, option, question, spelled
from ..shared import JSON_REPORT

if TYPE_CHECKING:
    from ...routing.base.routing import Routing
    from ...routing.fabrics.days import Change
    from ...routing.fabrics.difference import Difference
    from ...routing.fabrics.service_levels import ServiceLevels
    from ..worst_case import WorstCaseAnswer

BEFORE, AFTER = "before", "after"
_FREE = "deadlock_free"
_TOLD = 3  # changes in an error
_MOST_KEPT = 2_000_000  # entries of all networks with one change that a report holds


@dataclass(frozen=True, eq=False)
class Measure:
    """A throughput that is compared: what it is called, the quantity of its claims, and what these are about."""

    name: str
    quantity: str
    about: Mapping[str, str]

    @property
    def is_whole(self) -> bool:
        return "flows" in self.about


SPLIT = Measure("worst case", "worst_case_throughput", {"model": "balanced"})
WHOLE = Measure("worst case, whole flows", "worst_case_throughput", {"model": "balanced", "flows": "whole"})
UNIFORM = Measure("uniform", "throughput", {"traffic": "uniform"})
MEASURES = (SPLIT, WHOLE, UNIFORM)
"""Flows that split as the routing says, whole flows on the worst hashes, and uniform traffic."""


@dataclass(frozen=True, eq=False)
class DayAnswer:
    """One day: its worst case, and its claims, with those of deadlock; ``unjudged``: why that was not judged."""

    worst: WorstCaseAnswer
    stated: Sequence[Claim]
    levels: ServiceLevels | None
    unjudged: str | None
    topology: str | None

    @property
    def routing(self) -> Routing:
        return self.worst.routing

    def share(self, measure: Measure) -> Fraction | None:
        """What every host keeps, in the unit of this day's network; None where it is not known."""
        return _share(self.stated, measure)

    def kept(self, measure: Measure) -> Fraction | None:
        """The same, and no more than the slowest host's own cable carries."""
        share, most = self.share(measure), self.routing.network.host_bandwidth
        return share if share is None or most is None else min(share, most)

    @property
    def deadlock(self) -> dict[bool, bool]:
        """Is it free of deadlock: by service level (True), on one lane (False)."""
        return {"lanes" in x.about: x.value == "true" for x in self.stated if x.quantity == _FREE}

    def hot(self, measure: Measure) -> str:
        """The channel of a worst case, by device and port; "" where there is none."""
        found = {SPLIT: self.worst.worst_case, WHOLE: self.worst.whole_flows}.get(measure)
        return "" if found is None else found.network.channel_label(found.channel)

    @property
    def subject(self) -> dict[str, Any]:
        levels = {} if self.levels is None else {"service_levels": self.levels.describe()}
        return {**_day_subject(self.routing, self.topology), **levels}


@dataclass(frozen=True, eq=False)
class Cause:
    """The first day with ``changes`` and nothing else: ``share``, what it guarantees in the unit of the first day; or
    why these cannot be applied alone.  ``far``: with all entries to the hosts that a cable led to, also of devices that
    are not at it.  ``claims`` about ``routing``, where they are kept for the report."""

    changes: Sequence[Change]
    name: str
    share: Fraction | None = None
    reason: str = ""
    far: bool = False
    routing: Routing | None = None
    claims: Sequence[Claim] = ()


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DiffAnswer(Answer):
    """``causes``: the changes that were applied alone, ``untried``: how many were not; ``moved``: the measure that they
    are about, the first that is another on the second day; None where none is."""

    shown = Shown("terminal.diff:diff_parts", page="terminal.diff:diff_page")

    before: DayAnswer
    after: DayAnswer
    found: Difference
    levels: Sequence[Change] = ()
    causes: Sequence[Cause] = ()
    untried: int = 0
    moved: Measure | None = None
    fail_if_worse: bool = False

    @property
    def subject(self) -> dict[str, Any]:
        days = {BEFORE: self.before.subject, AFTER: self.after.subject}
        days |= {x.name: _day_subject(x.routing, None) for x in self.causes if x.routing is not None}
        return {"kind": "difference", "days": days, "changes": [x.text() for x in self.changes]}

    @property
    def changes(self) -> Sequence[Change]:
        return [*self.found.changes, *self.levels, *self.found.entries]

    @property
    def worse(self) -> Sequence[str]:
        """What is worse on the second day: names of measures, and "deadlock"."""
        found = [x.name for x in MEASURES if self.change(x) < 0]
        was, now = self.before.deadlock, self.after.deadlock
        return [*found, "deadlock"] if any(was[x] and not now[x] for x in was if x in now) else found

    def change(self, measure: Measure) -> int:
        """1 where hosts keep more on the second day, -1 where they keep less; as rates, where both days know these."""
        days = (self.before, self.after)
        rated = all(x.routing.network.host_bandwidth is not None for x in days)
        was, now = (x.kept(measure) if rated else x.share(measure) for x in days)
        return _direction(was, now, self.found.scale)

    @property
    def failed(self) -> bool:
        return self.fail_if_worse and bool(self.worse)


def _share(claims: Sequence[Claim], measure: Measure) -> Fraction | None:
    some = (x for x in claims if x.quantity == measure.quantity and dict(x.about) == measure.about)
    return next((exact_value(x) for x in some if x.relation == "=="), None)


def _direction(was: Fraction | None, now: Fraction | None, scale: Fraction) -> int:
    if was is None or now is None:
        return 0
    return (now * scale > was) - (now * scale < was)


def _day_subject(routing: Routing, topology: str | None) -> dict[str, Any]:
    return {k: x for k, x in subject_of(routing, topology=topology, paths=True).items() if k != "kind"}


def _day(given: Given, text: str) -> Routing:
    """The routing of a folder, a file or a topology by name, or that which a report is about."""
    from ...formats.format import File

    if os.path.isfile(text) and File(text).says("routeproof/report"):
        from ...claims.subject import routing_of
        from ...formats.documents.report import read_report

        subject, _ = read_report(text)
        if "routing" not in subject or "network" not in subject:
            raise InputError(f"the report {text} is not about one routing on one network, as that of worst-case is")
        return routing_of(subject)
    return Given({"topology": text}).routing(given["routing"])


def _later(given: Given, text: str) -> Routing:
    """The same; where its packets do not arrive, the error says what changed since the first day."""
    try:
        return _day(given, text)
    except InputError as error:
        since = _since(given["before"], text)
        raise InputError(f"{error}{since}") from None


def _since(before: str, after: str) -> str:
    """``; since monday: cable went: ...``; "" where that is not known, or nothing."""
    from ...routing.fabrics.difference import changed_networks

    try:
        changes = changed_networks(*(Given({"topology": x}).network for x in (before, after)))
    except InputError:
        return ""
    more = f" and {len(changes) - _TOLD} more" if len(changes) > _TOLD else ""
    return f"; since {before}: {', '.join(x.text() for x in changes[:_TOLD])}{more}" if changes else ""


_DAY = "A folder of a fabric's dumps, a network file, a topology by name, or a report of one routing."


@question
class Diff(Question[DiffAnswer]):
    """What changed between two days of a fabric, what each day guarantees, and which change moves the guarantee.

    Devices and hosts are matched by GUID or name, not by lid. A change is called a cause where it moves the guarantee
    of BEFORE when it is applied there alone. Exit status 0, also where something changed.

    For example: routeproof diff monday/ tuesday/ --fail-if-worse

        >>> import routeproof as rp
        >>> monday, tuesday = (rp.Minimal().on(rp.network(x)) for x in ("mesh:3x3", "mesh:3x3,dead-links=0-1"))
        >>> rp.diff(monday, tuesday).value("worst_case_throughput", day="after", model="balanced")
        Fraction(2, 5)

    Raises InputError for two networks without a common device.
    """

    verb, place, function = "diff", 25, "diff"

    before: Routing = argument("BEFORE", _DAY, kind=str, read=_day, complete="topology",
                               python="The routing of the first day, on its network.")  # fmt: skip
    after: Routing = argument("AFTER", "The same of the later day.", kind=str, read=_later, complete="topology",
                              python="That of the later day.")  # fmt: skip
    _: KW_ONLY
    routing: str | None = option(
        "ROUTING",
        "On both days this routing, a name such as ecmp, instead of the installed one.",
        "--routing",
        "-r",
        default=None,
        init=False,
        complete="routing",
    )
    causes: int = option("N", "Apply at most N changes alone to BEFORE (8); 0: none.", default=8, min=0)
    fail_if_worse: bool = flag(
        "Exit status 1 if hosts keep less in AFTER (worst case, whole flows, uniform), or packets can deadlock there, "
        "and could not before.",
        "--fail-if-worse",
        default=False,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"{self.before.network.name}, and {self.after.network.name} after it"

    @timed
    def answer(self, setting: Setting = ALONE) -> DiffAnswer:
        from ...routing.fabrics.difference import changed_levels, difference

        with setting.stage("what changed"):
            found = difference(self.before, self.after)
        before, after = (_judged(x, setting) for x in (self.before, self.after))
        moved = next((x for x in MEASURES if _direction(before.share(x), after.share(x), found.scale)), None)
        causes: list[Cause] = []
        tried = candidates(found, before, after) if moved is not None else []
        if moved is not None:
            causes = _causes(found, self.before, tried[: self.causes], moved, setting)
        stated = [
            replace(x, about={**x.about, "day": name})
            for name, claims in (
                (BEFORE, before.stated), (AFTER, after.stated),
                *((x.name, x.claims) for x in causes if x.routing is not None),
            )
            for x in claims
        ]  # fmt: skip
        return DiffAnswer(
            stated=stated, before=before, after=after, found=found, causes=causes,
            levels=changed_levels(found, before.levels, after.levels),
            untried=max(0, len(tried) - self.causes), moved=moved, fail_if_worse=self.fail_if_worse,
            notes=found.notes,
        )  # fmt: skip


def _judged(routing: Routing, setting: Setting) -> DayAnswer:
    from ..worst_case import answer_worst_case

    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled; two days are compared by exact ones")
    worst = answer_worst_case(routing, whole_flows=True, setting=setting)
    claims = list(worst.stated)
    levels = _levels(routing)
    unjudged = judge_deadlock(routing, levels, claims, False, setting)
    return DayAnswer(worst, claims, levels, unjudged, None)


def _levels(routing: Routing) -> ServiceLevels | None:
    """Those that the folder of the fabric brings with its own tables."""
    from ...routing.fabrics.service_levels import read_service_levels

    own = routing.network.own_levels
    if own is None or not routing.in_full or not routing.forwarding_tables():
        return None
    return read_service_levels(own[0], routing.network, lanes=own[1])


def candidates(found: Difference, before: DayAnswer, after: DayAnswer) -> list[Sequence[Change]]:
    """What is applied alone, the likeliest cause first: changes that can move loads, and those of entries together.

    Of a device that came or went, its cables and hosts come or go with it.
    """
    hot = {
        int(day.channel[judged.worst.worst_case.channel])
        for day, judged in ((found.before, before), (found.after, after))
    }
    alone: list[Sequence[Change]] = []
    rest = list(found.changes)
    for device in [x for x in rest if x.kind == "device" and x.how != "changed"]:
        own = [x for x in rest if x is device or _is_at(x, device.node, found)]
        alone.append(own)
        rest = [x for x in rest if not any(x is y for y in own)]
    loads = [x for x in rest if x.channels or (x.kind == "host" and (x.how != "changed" or x.detail.startswith("at ")))]
    alone += [[x] for x in loads]
    alone += [[x] for x in found.entries]
    alone.sort(key=lambda some: (some[0].kind == "entries", not any(hot & set(x.channels) for x in some)))
    if len(found.entries) > 1 and not found.more:
        alone.insert(next(k for k, x in enumerate(alone) if x[0].kind == "entries"), list(found.entries))
    return alone


def _is_at(change: Change, node: int, found: Difference) -> bool:
    if any(node in (int(found.tail[c]), int(found.head[c])) for c in change.channels):
        return True
    days = {"came": (found.after,), "went": (found.before,)}.get(change.how, ()) if change.kind == "host" else ()
    return any(
        int(day.node[day.network.source[k]]) == node
        for day in days for t in change.terminals for k in (day.terminal == t).nonzero()[0].tolist()
    )  # fmt: skip


def _causes(
    found: Difference, first: Routing, tried: Sequence[Sequence[Change]], measure: Measure, setting: Setting
) -> list[Cause]:
    causes: list[Cause] = []
    kept = 0
    with setting.stage("changes applied alone") as progress:
        for k, changes in enumerate(tried):
            cause = _alone(found, first, changes, measure, f"before, with change {k + 1} alone")
            if cause.routing is not None:
                kept += cause.routing.network.num_nodes * cause.routing.network.num_terminals
                if kept > _MOST_KEPT:
                    cause = replace(cause, routing=None, claims=())
            causes.append(cause)
            if progress is not None:
                progress(k + 1, len(tried))
    return causes


def _alone(found: Difference, first: Routing, changes: Sequence[Change], measure: Measure, name: str) -> Cause:
    from ...routing.fabrics.one_change import Mixed
    from ...routing.named.spec import routing_from_spec

    reason = ""
    for far in (False, True) if any(x.with_it for x in changes) else (False,):
        mixed = Mixed(found, far=far)
        mixed.apply(changes)
        try:
            routing = mixed.routing(first, routing_from_spec)
            claims = _measured(routing, measure)
        except InputError as error:
            reason = str(error)
            continue
        return Cause(changes, name, _share(claims, measure), far=far, routing=routing, claims=claims)
    return Cause(changes, name, reason=reason)


def _measured(routing: Routing, measure: Measure) -> list[Claim]:
    """The claims that the measure is among."""
    from ...core.traffic import Traffic
    from ...routing.base.worst_hash import WorstHash
    from ...worst.loads import channel_loads_under, traffic_claims
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import worst_case

    if measure is UNIFORM:
        everything = Traffic.uniform(routing.network.num_terminals)
        return traffic_claims(routing, everything, channel_loads_under(routing, everything))
    found = worst_case(WorstHash(routing) if measure.is_whole else routing, symmetry="none")
    flows = {"flows": "whole"} if measure.is_whole else {}
    return [replace(x, about={**x.about, **flows}) for x in worst_case_claims(found)]
