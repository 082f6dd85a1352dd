"""Is a schedule of a collective right?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..answer import ALONE, Answer, Setting, Shown, timed
from ..question import Question, argument, question, spelled
from ..shared import JSON_REPORT

if TYPE_CHECKING:
    from ...worst.schedules.judge import Judgement


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScheduleAnswer(Answer):
    """``judgement``: what was found; ``path``: the file."""

    shown = Shown("terminal.schedule:schedule_parts")

    judgement: Judgement
    path: str

    @property
    def subject(self) -> dict[str, Any]:
        from ...formats.schedules.document import schedule_to_document

        document = schedule_to_document(self.judgement.relation.schedule)
        return {"kind": "schedule", "document": os.path.basename(self.path), "schedule": document}


@question
class ScheduleQuestion(Question[ScheduleAnswer]):
    """Is a schedule of a collective right: no deadlock, no race, the right result, equal bits on all ranks?

    FILE is MSCCL's XML (RCCL's, Azure's, ForestColl's), TE-CCL's JSON, ForestColl's trees or a schedule document. What
    is wrong is named by rank, thread block, step and chunk.

    For example: routeproof schedule allreduce.xml

        >>> import routeproof as rp
        >>> rp.schedule("allreduce.xml").value("result_correct")  # doctest: +SKIP
        'true'

    Raises InputError for a file that cannot be read, and for a schedule whose sends and receives do not match.
    """

    verb, place, function = "schedule", 65, "schedule"

    path: str | Path = argument(
        "FILE",
        "A schedule: MSCCL's XML, TE-CCL's JSON, ForestColl's trees, a document.",
        name="file",
        kind=str,
        python="The file of a schedule.",
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return str(self.path)

    @timed
    def answer(self, setting: Setting = ALONE) -> ScheduleAnswer:
        from ...formats.schedules.table import read_schedule
        from ...worst.schedules.judge import judge

        with setting.stage("steps of the schedule") as progress:
            found = judge(read_schedule(self.path), progress=progress)
        return ScheduleAnswer(
            stated=tuple(found.claims()), notes=tuple(found.findings()), judgement=found, path=str(self.path)
        )
