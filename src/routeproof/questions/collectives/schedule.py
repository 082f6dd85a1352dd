"""Is a schedule of a collective right, and how long does it take?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Answer, Setting, Shown, subject_of, timed
from ..given import Given
from ..question import Question, argument, option, question, spelled
from ..shared import JSON_REPORT
from .best import OPERATIONS, Collective
from .host_cables import HOST_CABLES, Cables, cables_subject, counted, counted_cables, network_with, ranks_on

if TYPE_CHECKING:
    from ...claims.schedules.times import Times
    from ...core.claim import Claim
    from ...core.network import Network
    from ...routing.base.routing import Routing
    from ...worst.schedules.judge import Judgement


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScheduleAnswer(Answer):
    """``judgement``: what was found; ``path``: the file; ``times``: on the network, with the ranks' terminals; None
    without one.  ``topology``: what the user typed, for people."""

    shown = Shown("terminal.collective:schedule_parts")

    judgement: Judgement
    path: str
    topology: str | None = None
    times: Times | None = None
    ranks: Sequence[int] | None = None
    cables: Cables = None

    @property
    def subject(self) -> dict[str, Any]:
        from ...formats.schedules.document import schedule_to_document

        placed = {} if self.times is None else subject_of(self.times.routing, topology=self.topology)
        ranks = {} if self.times is None or self.ranks is None else {"ranks": list(self.ranks)}
        ranks = {**ranks, **cables_subject(self.cables)}
        document = schedule_to_document(self.judgement.relation.schedule)
        own = {"kind": "schedule", "document": os.path.basename(self.path), "schedule": document}
        return {**placed, **ranks, **own}


def _network(given: Given, text: str | None) -> Network | None:
    return None if text is None else given.network


def _routing(given: Given, text: str | None) -> Routing | None:
    if text is None:
        return None
    _check_topology(given, "--routing")
    return given.routing(text)


def _ranks(given: Given, path: str | None) -> tuple[int, ...] | None:
    if path is None:
        return None
    _check_topology(given, "--ranks")
    from ...formats.demands.ranks import read_ranks

    return read_ranks(path, given.network)


def _check_topology(given: Given, option: str) -> None:
    if given["topology"] is None:
        raise InputError(f"{option} goes with --topology TOPOLOGY, the network that the schedule runs on")


@question
class ScheduleQuestion(Question[ScheduleAnswer]):
    """Is a schedule of a collective right: no deadlock, no race, the right result, equal bits on all ranks?

    FILE is MSCCL's XML (RCCL's, Azure's, ForestColl's), TE-CCL's or TACCL's JSON, ForestColl's trees or a schedule
    document. What is wrong is named by rank, thread block, step and chunk. With --topology: how long it takes there,
    and how many times the optimum that is.

    For example: routeproof schedule allreduce.xml --topology complete:8

        >>> import routeproof as rp
        >>> rp.schedule("allreduce.xml").value("result_correct")  # doctest: +SKIP
        'true'

    Raises InputError for a file that cannot be read, and for a schedule whose sends and receives do not match.
    """

    verb, place, function = "schedule", 106, "schedule"
    panel = "Check"

    path: str | Path = argument(
        "FILE",
        "A schedule: MSCCL's XML, TE-CCL's or TACCL's JSON, ForestColl's trees, a document.",
        name="file",
        kind=str,
        python="The file of a schedule.",
    )
    _: KW_ONLY
    topology: Network | None = option(
        "TOPOLOGY",
        "The network that it runs on, as in other verbs: rank r is terminal r.",
        default=None,
        kind=str | None,
        complete="topology",
        read=_network,
        python="The network that it runs on: rank r is terminal r.",
    )
    routing: Routing | None = option(
        "ROUTING",
        "The paths of its messages there; default: the network's own, else minimal.",
        "--routing",
        "-r",
        default=None,
        kind=str | None,
        complete="routing",
        read=_routing,
        python="The paths of its messages there; None: shortest paths.",
    )
    ranks: Sequence[int] | None = option(
        "FILE",
        "The terminals of the ranks, in order, a name or number each; default: all.",
        default=None,
        kind=str | None,
        read=_ranks,
        python="The terminals of the ranks, in order; None for all.",
    )
    host_cables: Fraction | int | str | None = spelled(HOST_CABLES, default=None)
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return str(self.path)

    @timed
    def answer(self, setting: Setting = ALONE) -> ScheduleAnswer:
        from ...formats.schedules.table import read_schedule
        from ...worst.schedules.judge import judge

        beside = (self.routing, self.ranks, self.host_cables)
        if self.topology is None and any(x is not None for x in beside):
            raise InputError(
                "--routing, --ranks and --host-cables are for a network; --topology was expected with them"
            )
        cables = None if self.topology is None else counted_cables(self.topology, self.host_cables)
        with setting.stage("steps of the schedule") as progress:
            found = judge(read_schedule(self.path), progress=progress)
        claims = list(found.claims())
        times = None if self.topology is None else self._times(found, self.topology, cables)
        if times is not None:
            claims += self._timed(found, times, setting)
        return ScheduleAnswer(
            stated=tuple(claims),
            notes=tuple(found.findings()),
            judgement=found,
            path=str(self.path),
            topology=setting.topology,
            times=times,
            ranks=self.ranks,
            cables=None if times is None else cables,
        )

    def _times(self, found: Judgement, network: Network, cables: Cables) -> Times | None:
        """None where the steps wait for one another."""
        from ...claims.schedules.times import times_of
        from ...routing.named.spec import routing_from_spec
        from ...worst.schedules.judge import order_of

        if found.number is None:
            return None
        routing = self.routing or routing_from_spec(network.own_routing or "minimal", network)
        if routing.network is not network:
            raise InputError("the routing is on another network than the topology")
        ranks = ranks_on(network_with(network, cables), self.ranks, cables)
        return times_of(found.relation, order_of(found.number), routing, ranks, cables)

    def _timed(self, found: Judgement, times: Times, setting: Setting) -> list[Claim]:
        """The time, the best rate of the same collective, and what they make together."""
        from ...claims.schedules.times import RATE, rate_about
        from ...worst.schedules.judge import ratio_claims, time_claims

        schedule, network = found.relation.schedule, times.routing.network
        claims = time_claims(times)
        ranks = range(network.num_terminals) if self.ranks is None else self.ranks
        right = found.outcome is not None and found.outcome.wrong is None
        if schedule.collective not in OPERATIONS or not right:  # what is not done is fast
            return claims
        about = {**rate_about(schedule, ranks), **counted(times.cables)}
        best = Collective(
            network, operation=schedule.collective, ranks=self.ranks, root=about.get("root"),
            host_cables=self.host_cables,
        )  # fmt: skip
        claims += [x for x in best.answer(setting).stated if x.quantity == RATE]
        return [*claims, *ratio_claims(claims, about)]
