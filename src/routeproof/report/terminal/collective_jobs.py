"""Jobs with a collective each for people: how long each takes alone, and at most beside the others."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.display import fraction_text, seconds_text
from ...core.escape import printable
from ...questions.collectives.host_cables import network_with
from ...questions.collectives.jobs import CollectiveJobsAnswer
from .parts import facts_table, number_table, quiet, title, units_text

_MOST_JOBS = 24


def collective_jobs_parts(answer: CollectiveJobsAnswer) -> list[RenderableType]:
    """Title, sizes, a line for every job, and the channel where most meets."""
    network, found = answer.routing.network, answer.found
    cables = answer.cables
    placed = network_with(network, cables)

    def label(channel: int) -> str:
        return "none" if channel < 0 else printable(placed.channel_label(channel))

    rows = []
    for (name, job), x in zip(answer.jobs.items(), found.jobs, strict=True):
        alone, beside = (x.total(y, answer.alpha) for y in (x.alone, x.beside))
        rows.append(
            (
                printable(name), f"{len(job.ranks)}", f"{job.operation}, {job.algorithm}", fraction_text(alone),
                fraction_text(beside), fraction_text(x.others), label(x.others_channel),
            )
        )  # fmt: skip
    count = "1 job" if len(rows) == 1 else f"{len(rows)} jobs at once"
    head = title(f"{count}, {printable(answer.routing.name)} on {printable(network.name)}")
    names = ("job", "ranks", "collective", "alone", "beside, at most", "load of others", "on channel")
    unit = "cycle" if found.most == 1 else "cycles"
    meets = f"{fraction_text(found.most)} {unit} of {label(found.channel)}, if phases meet in the worst way"
    facts = [
        ("together", meets),
        ("alone", "cycles for one unit of a rank, all PROVED"),
        ("beside", "whatever phases meet, if every job sends each phase evenly over its time"),
        *(("note", x) for x in answer.notes),
        ("time", seconds_text(answer.seconds)),
    ]
    more = [quiet(f"{_MOST_JOBS} of {len(rows):,} jobs; --json has all of them")] if len(rows) > _MOST_JOBS else []
    return [
        head, quiet(units_text(network)), Text(), number_table(names, rows[:_MOST_JOBS]), *more, Text(),
        facts_table(facts),
    ]  # fmt: skip
