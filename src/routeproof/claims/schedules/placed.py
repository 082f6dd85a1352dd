"""A schedule of a report on the report's network: its time, and the best rate that it is compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.graph import numbering_or_cycle
from ...core.schedules.relation import Relation
from ...core.schedules.schedule import Schedule
from ...formats.schedules.document import schedule_from_document
from ...routing.base.routing import Routing
from ..collectives.subject import Ranks
from ..kinds import checker_of
from ..proofs.proof import Proof
from ..reading import Report
from ..subject import routing_of
from .times import SCHEDULE_RATIO, SCHEDULE_TIME, Times, check_ratio, check_time, rate_about, times_of
from .written import ScheduleWork


@dataclass
class Placed:
    """A schedule on a network, with a routing; ``ranks``: the terminals of its ranks."""

    routing: Routing
    ranks: Ranks
    times: Times | None = None

    @classmethod
    def of(cls, report: Report, schedule: Schedule) -> Placed:
        routing = routing_of(report.subject)
        ranks = Ranks(
            routing.network, report.subject.get("ranks"), report.claims, cables=report.subject.get("host_cables")
        )
        if len(ranks.ranks) != schedule.num_ranks:
            raise InputError(f"its schedule has {schedule.num_ranks} ranks, and {len(ranks.ranks)} terminals take part")
        return cls(routing, ranks)

    def check(self, relation: Relation, claim: Claim) -> None:
        kind, data = claim.evidence.kind, claim.evidence.data
        self.ranks.check_cables(claim)
        if kind == SCHEDULE_TIME.name:
            if self.times is None:
                number, _ = numbering_or_cycle(relation.schedule.num_steps, *relation.edges)
                if number is None:
                    raise VerificationError("its steps wait for one another, so that it takes no time")
                order = np.argsort(number, kind="stable").astype(np.int64)
                self.times = times_of(relation, order, self.routing, self.ranks.ranks, self.ranks.cables)
            check_time(self.times, claim, data)
        elif kind == SCHEDULE_RATIO.name:
            about = rate_about(relation.schedule, self.ranks.ranks)
            check_ratio(
                claim, self.ranks.others, {**about, **{k: x for k, x in claim.about.items() if k == "host_cables"}}
            )
        else:
            checker_of(claim)(self.ranks, claim, claim.value, data)


def schedule_work(proof: Proof, report: Report) -> ScheduleWork:
    """What the elaboration of a report about a schedule shares."""
    schedule = schedule_from_document(report.subject["schedule"], what="its schedule")
    if "network" not in report.subject:
        return ScheduleWork(proof, schedule, None)
    placed = Placed.of(report, schedule)
    return ScheduleWork(proof, schedule, (placed.routing, placed.ranks))
