"""What changed between two days of a fabric, what each day guarantees, and which change moves the guarantee.

Changes are found by ``routing.fabrics.difference``.  That one of them is the cause is checked: it is applied to the
first day alone (``routing.fabrics.one_change``), and the worst case is found again.
"""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Answer, Setting, Shown, exact_value, subject_of, timed
from ..compare import judge_deadlock
from ..given import Given
from ..question import Question, argument, flag, option, question, spelled
from ..shared import JSON_REPORT

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...routing.base.routing import Routing
    from ...routing.fabrics.difference import Change, Difference
    from ...routing.fabrics.service_levels import ServiceLevels
    from ..worst_case import WorstCaseAnswer

BEFORE, AFTER = "before", "after"
_SHARE, _UNIFORM, _FREE = "worst_case_throughput", "throughput", "deadlock_free"
GUARANTEES: tuple[dict[str, str], ...] = ({}, {"flows": "whole"})
"""What the two guarantees are about: flows that split as the routing says, and whole flows on the worst hashes."""
_MOST_KEPT = 2_000_000  # entries of all networks with one change that a report holds


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

    def share(self, flows: dict[str, str]) -> Fraction | None:
        """The guarantee: what every host keeps in the worst case, in the unit of this day's network."""
        return _value(self.stated, _SHARE, {"model": "balanced", **flows})

    @property
    def uniform(self) -> Fraction | None:
        return _value(self.stated, _UNIFORM, {"traffic": "uniform"})

    @property
    def deadlock(self) -> dict[bool, bool]:
        """Is it free of deadlock: by service level (True), on one lane (False)."""
        return {"lanes" in x.about: x.value == "true" for x in self.stated if x.quantity == _FREE}

    def hot(self, flows: dict[str, str]) -> str:
        """The channel of the worst case, by device and port; "" where there is none."""
        found = self.worst.whole_flows if flows else self.worst.worst_case
        return "" if found is None else found.network.channel_label(found.channel)

    @property
    def subject(self) -> dict[str, Any]:
        levels = {} if self.levels is None else {"service_levels": self.levels.describe()}
        return {**_day_subject(self.routing, self.topology), **levels}


@dataclass(frozen=True, eq=False)
class Cause:
    """The first day with ``changes`` and nothing else: ``share``, what it guarantees in the unit of the first day; or
    why these cannot be applied alone.  ``claims`` about ``routing``, where they are kept for the report."""

    changes: Sequence[Change]
    name: str
    share: Fraction | None = None
    reason: str = ""
    routing: Routing | None = None
    claims: Sequence[Claim] = ()


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DiffAnswer(Answer):
    """``causes``: the changes that were applied alone, ``untried``: how many were not; ``about``: of which guarantee
    (``GUARANTEES``) they are."""

    shown = Shown("terminal.diff:diff_parts", page="terminal.diff:diff_page")

    before: DayAnswer
    after: DayAnswer
    found: Difference
    causes: Sequence[Cause] = ()
    untried: int = 0
    about: dict[str, str]
    fail_if_worse: bool = False

    @property
    def subject(self) -> dict[str, Any]:
        days = {BEFORE: self.before.subject, AFTER: self.after.subject}
        days |= {x.name: _day_subject(x.routing, None) for x in self.causes if x.routing is not None}
        return {"kind": "difference", "days": days, "changes": [x.text() for x in self.changes]}

    @property
    def changes(self) -> Sequence[Change]:
        return [*self.found.changes, *self.found.entries]

    @property
    def worse(self) -> Sequence[str]:
        """What is worse on the second day: "worst case", "whole flows", "uniform", "deadlock"."""
        pairs = [(name, self.before.share(x), self.after.share(x)) for name, x in _NAMES]
        pairs.append(("uniform", self.before.uniform, self.after.uniform))
        found = [
            name for name, was, now in pairs
            if was is not None and now is not None and now * self.found.scale < was
        ]  # fmt: skip
        was, now = self.before.deadlock, self.after.deadlock
        return [*found, "deadlock"] if any(was[x] and not now[x] for x in was if x in now) else found

    @property
    def failed(self) -> bool:
        return self.fail_if_worse and bool(self.worse)


_NAMES = tuple(zip(("worst case", "whole flows"), GUARANTEES, strict=True))


def _value(claims: Sequence[Claim], quantity: str, about: dict[str, str]) -> Fraction | None:
    return next((exact_value(x) for x in claims if x.quantity == quantity and dict(x.about) == about), None)


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


_DAY = "A folder of a fabric's dumps, a network file, a topology by name, or a report of one routing."


@question
class Diff(Question[DiffAnswer]):
    """What changed between two days of a fabric, what each day guarantees, and which change moves the guarantee.

    Devices and hosts are matched by GUID or name, not by lid. A change is called a cause where it moves the guarantee
    of BEFORE when it is applied there alone. Exit status 0, also where something changed.

    For example: routeproof diff monday/ tuesday/ --fail-if-worse

        >>> import routeproof as rp
        >>> monday, tuesday = rp.ECMP().on(rp.mesh(3, 3)), rp.ECMP().on(rp.network("mesh:3x3,dead-links=0-1"))
        >>> rp.diff(monday, tuesday).value("worst_case_throughput", day="after", model="balanced")
        Fraction(1, 4)

    Raises InputError for two networks without a common device.
    """

    verb, place, function = "diff", 25, "diff"

    before: Routing = argument("BEFORE", _DAY, kind=str, read=_day, complete="topology",
                               python="The routing of the first day, on its network.")  # fmt: skip
    after: Routing = argument("AFTER", "The same of the later day.", kind=str, read=_day, complete="topology",
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
        "Exit status 1 if a guarantee or uniform throughput is lower in AFTER, or it can deadlock and BEFORE cannot.",
        "--fail-if-worse",
        default=False,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"{self.before.network.name}, and {self.after.network.name} after it"

    @timed
    def answer(self, setting: Setting = ALONE) -> DiffAnswer:
        from ...routing.fabrics.difference import difference

        with setting.stage("what changed"):
            found = difference(self.before, self.after)
        before, after = (_judged(x, setting) for x in (self.before, self.after))
        moved = next((x for x in GUARANTEES if _moved(before.share(x), after.share(x), found.scale)), None)
        causes: list[Cause] = []
        tried = candidates(found, before, after) if moved is not None else []
        if moved is not None:
            causes = _causes(found, tried[: self.causes], moved, setting)
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
            untried=max(0, len(tried) - self.causes), about=moved or {}, fail_if_worse=self.fail_if_worse,
            notes=found.notes,
        )  # fmt: skip


def _moved(was: Fraction | None, now: Fraction | None, scale: Fraction) -> bool:
    return was is not None and now is not None and was != now * scale


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
    alone.sort(key=lambda some: (not any(hot & set(x.channels) for x in some), some[0].kind == "entries"))
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
    found: Difference, tried: Sequence[Sequence[Change]], flows: dict[str, str], setting: Setting
) -> list[Cause]:
    from ...routing.base.worst_hash import WorstHash
    from ...routing.fabrics.one_change import Mixed
    from ...routing.named.spec import routing_from_spec
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import NeverLoadedError, worst_case

    causes: list[Cause] = []
    kept = 0
    with setting.stage("changes applied alone") as progress:
        for k, changes in enumerate(tried):
            name = f"before, with change {k + 1} alone"
            try:
                mixed = Mixed(found)
                mixed.apply(changes)
                routing = mixed.routing(routing_from_spec)
                worst = worst_case(WorstHash(routing) if flows else routing, symmetry="none")
            except (InputError, NeverLoadedError) as error:
                causes.append(Cause(changes, name, reason=str(error)))
                continue
            claims = [replace(x, about={**x.about, **flows}) for x in worst_case_claims(worst)]
            kept += routing.network.num_nodes * routing.network.num_terminals
            small = kept <= _MOST_KEPT
            causes.append(Cause(changes, name, worst.throughput, "", routing if small else None, claims))
            if progress is not None:
                progress(k + 1, len(tried))
    return causes
