"""A judged schedule on the terminal: what it is, the claims, and what is wrong, with its place."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.escape import printable
from ...core.schedules.schedule import Schedule, chunks_text
from ...questions.collectives.schedule import ScheduleAnswer
from .collective import compared_with
from .parts import quiet, title
from .table import claims_table


def schedule_parts(answer: ScheduleAnswer) -> list[RenderableType]:
    """Title, sizes, the claims, and a line for everything that is wrong or not judged."""
    schedule = answer.judgement.relation.schedule
    parts: list[RenderableType] = [
        title(printable(schedule.name)),
        quiet(sizes_text(schedule)),
        Text(),
        claims_table(answer.stated),
    ]
    compared = [Text(f"The optimum is that {text}.") for _, text in compared_with(answer.stated)]
    return parts + compared + [Text(printable(x)) for x in answer.notes]


def sizes_text(schedule: Schedule) -> str:
    """``all-reduce in place, 8 ranks, 8 chunks, 64 thread blocks, 120 steps``."""
    ways = " and ".join("in place" if x else "out of place" for x in schedule.in_place)
    blocks = sum(map(len, schedule.blocks))
    return (
        f"{schedule.collective} {ways}: {schedule.num_ranks} ranks, {chunks_text(schedule.chunks)}, {blocks:,} thread "
        f"blocks, {schedule.num_steps:,} steps"
    )
