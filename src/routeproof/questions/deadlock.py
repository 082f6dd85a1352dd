"""Can a routing deadlock, and which packets would wait for one another?  Verdicts with their proofs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.spread import Progress
from .answer import ALONE, RoutingAnswer, Setting, Shown, subject_of
from .given import Given
from .question import Question, flag, option, question, spelled
from .shared import JSON_REPORT, ROUTING, TOPOLOGY, seconds

if TYPE_CHECKING:
    from ..routing.base.routing import Routing
    from ..routing.fabrics.service_levels import ServiceLevels
    from ..worst.deadlock.channels import Deadlock as Verdict
    from ..worst.deadlock.channels import LaneDeadlock, VirtualChannels


_WITH_VIRTUAL = (".json", ".csv")  # formats of routings that hold virtual channels


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DeadlockAnswer(RoutingAnswer):
    """The verdicts about one routing: on one lane, and by service level where ``levels`` are given; ``few``: what was
    found with --virtual-channels."""

    shown = Shown("terminal.deadlock:deadlock_parts")

    few: VirtualChannels | None = None
    single: Verdict
    levels: ServiceLevels | None
    by_level: LaneDeadlock | None

    @property
    def subject(self) -> dict[str, Any]:
        levels = {} if self.levels is None else {"service_levels": self.levels.describe()}
        return {**subject_of(self.routing, topology=self.topology, paths=True), **levels}


def _levels(given: Given, levels: str | None) -> ServiceLevels | None:
    files, lanes = ([x] if x is not None else [] for x in (levels, given["sl2vl"]))
    return given.levels(files, lanes, [given["routing"] or ""]).get(0)


def _chain(names: str) -> int:
    """How many classes there are; raises InputError for names that are no chain."""
    from ..routing.dependencies.virtual_dependencies import MOST_CLASSES

    some = [x.strip() for x in names.split(",")]
    if not 2 <= len(some) <= MOST_CLASSES or not all(some):
        raise InputError(
            f"--classes {names[:60]}: the names of 2 to {MOST_CLASSES} classes were expected, such as request,reply"
        )
    twice = next((x for at, x in enumerate(some) if x in some[:at]), None)
    if twice is not None:
        raise InputError(
            f"--classes {names[:60]}: {twice[:40]} waits for an answer that waits for {twice[:40]}; in a circle of "
            f"classes no number of virtual channels is free of deadlock"
        )
    return len(some)


@question
class Deadlock(Question[DeadlockAnswer]):
    """Can a routing deadlock? A proof that it cannot, or the packets that wait for one another.

    For example: routeproof deadlock torus:5x5 --routing dor --virtual-channels

        >>> from routeproof import DOR, deadlock, mesh
        >>> deadlock(DOR().on(mesh(3, 3))).free
        True

    Source: Dally & Seitz 1987.  Raises InputError for routings whose dependencies are not known, or are too many.
    """

    verb, place, function = "deadlock", 30, "deadlock"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    levels: ServiceLevels | None = option(
        "FILE",
        "Path records of a fabric, with service levels (saquery -p, or opensm-path-records.dump).",
        default=None,
        name="service_levels",
        kind=str | None,
        read=_levels,
    )
    sl2vl: str | None = option(
        "FILE",
        "Tables from service levels to virtual lanes (opensm-sl2vl.dump); default: the lane is the level.",
        default=None,
        init=False,
    )
    virtual_channels: bool = flag(
        "Also look for a few virtual channels that make it deadlock-free.", "--virtual-channels", default=False
    )
    assignment: str | None = option(
        None,
        "Their assignment, the best if not given: by turns (grids), descents of a numbering, layers (one for a path), "
        "destinations (one for all packets to a node), any for each hop of a path (hops), as the routing's file says.",
        default=None,
        choices=("turns", "descents", "layers", "destinations", "hops", "given"),
    )
    classes: str | None = option(
        "NAMES",
        "Message classes in a chain, such as request,reply: a terminal takes a message in only once its answer, of the "
        "next class, can leave. How many virtual channels do they need, each with its own and together?",
        default=None,
    )
    flow_control: str | None = option(
        None,
        "Also judge it under bubble flow control: a packet comes onto a ring only where two packets fit.",
        default=None,
        choices=("bubble",),
    )
    escape: str | None = option(
        "ROUTING",
        "Of --routing minimal, taken to be fully adaptive: is this routing, on lanes of its own, an escape by Duato's "
        "condition?",
        default=None,
        complete="routing",
    )
    time_limit: float | None = option(
        "SECONDS",
        "Stop looking for fewer virtual channels then (60, and 60 for classes), with the interval reached so far.",
        default=None,
        read=seconds,
    )
    output: str | None = option(
        "ROUTING",
        "Write the paths with the virtual channel of every hop: .json, .sst.json or .csv.",
        "--output",
        "-o",
        init=False,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    def answer(self, setting: Setting = ALONE) -> DeadlockAnswer:
        from ..machine.deadlines import Deadline, certified_before_interrupt, was_interrupted
        from ..searching.layers import fewest_virtual_channels, fewest_with_classes
        from ..worst.deadlock.channels import deadlock, lane_deadlock
        from ..worst.deadlock.rules import bubble_claim, escape_claims

        routing, levels = self.routing, self.levels
        if self.assignment is not None and not self.virtual_channels:
            raise InputError(f"--assignment {self.assignment} is of virtual channels; --virtual-channels asks for them")
        if self.classes is not None and not self.virtual_channels:
            raise InputError(f"--classes {self.classes[:40]} share virtual channels; --virtual-channels asks for them")
        if self.time_limit is not None and not self.virtual_channels:
            raise InputError("--time-limit is for virtual channels; --virtual-channels asks for them")
        classes = 0 if self.classes is None else _chain(self.classes)
        deadline = Deadline(self.time_limit)

        def left(share: float = 1.0) -> float | None:
            return 0.0 if was_interrupted() else deadline.part(share)

        found: VirtualChannels | None = None
        escapes = [] if self.escape is None else escape_claims(self._escape(self.escape))
        with setting.stage("channel dependencies") as progress:
            by_level = None if levels is None else lane_deadlock(routing, levels)
            single = deadlock(routing, progress=progress)
            claims = [] if by_level is None else [by_level.claim()]
            claims.append(single.claim())
            if self.flow_control is not None:
                claims.append(bubble_claim(single))
            claims += escapes
            if self.virtual_channels:
                if by_level is not None and (as_given := by_level.lanes_claim()) is not None:
                    claims.append(as_given)
                first = self._first(single, deadline.part(0.5), progress)
                few = fewest_virtual_channels(first, self.assignment, time_limit=left(0.5 if classes else 1.0))
                found = few.found
                claims.append(found.claim(single, few.least))
                if few.least is not None:
                    claims.append(few.least)
                if classes:
                    claims += fewest_with_classes(found, found.claim(single, few.least), classes, time_limit=left())
        certified_before_interrupt()
        return DeadlockAnswer(
            routing=routing,
            topology=setting.topology,
            single=single,
            levels=levels,
            by_level=by_level,
            few=found,
            stated=tuple(claims),
        )

    def _first(self, single: Verdict, limit: float | None, progress: Progress | None) -> VirtualChannels:
        """An assignment by rules; raises InputError where there is none within ``limit`` seconds."""
        from ..machine.deadlines import OutOfTimeError, ended_in_time
        from ..worst.deadlock.channels import virtual_channels

        try:
            with ended_in_time(limit, inf):
                return virtual_channels(self.routing, self.assignment, progress, alone=single)
        except OutOfTimeError:
            raise InputError(
                f"--time-limit {self.time_limit:g} is over before any virtual channels are found; more was expected"
            ) from None

    def _escape(self, text: str) -> Routing:
        from ..routing.named.names import named_routing

        if self.routing.name.partition(":")[0] != "minimal":
            raise InputError(
                f"--escape {text[:40]} is of fully adaptive minimal routing; --routing minimal was expected, not "
                f"{self.routing.name}"
            )
        return named_routing(text, self.routing.network)

    def write(self, answer: DeadlockAnswer, path: str, _: Callable[[str, Any], None]) -> None:
        """In the format that the name says."""
        from ..routing.files.table import routing_writer
        from ..worst.deadlock.channels import with_virtual_channels

        if not path.lower().endswith(_WITH_VIRTUAL):
            raise InputError(
                f"--output {path}: virtual channels are written in .json, .sst.json or .csv; one of them was expected"
            )
        if answer.few is None:
            raise InputError(f"--output {path}: --virtual-channels finds what is written there")
        routing_writer(path)(with_virtual_channels(answer.routing, answer.few))
