"""Collectives by phases for people: the time of one, and its phases with their busiest channels; of several jobs how
long each takes alone, and at most beside the others."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.display import fraction_text, seconds_text
from ...core.escape import printable
from ...questions.collectives.host_cables import network_with
from ...questions.collectives.jobs import CollectiveJobsAnswer
from ...questions.collectives.phased import CollectiveTimeAnswer
from .collective import compared_with
from .parts import facts_table, number_table, quiet, ranks_text, title, units_text
from .table import claims_table

_MOST_PHASES = 12
_MOST_JOBS = 24


def collective_time_parts(answer: CollectiveTimeAnswer) -> list[RenderableType]:
    """Title, sizes, the table of claims, the phases, and how many ranks there are."""
    routing, network = answer.routing, answer.routing.network
    head = title(f"{answer.operation} by {answer.algorithm}, {printable(routing.name)} on {printable(network.name)}")
    phases = sum(x.times for x in answer.loads)
    facts = [
        ("ranks", ranks_text(len(answer.ranks), network, answer.cables)),
        ("phases", f"{phases:,}, one after the other"),
        *compared_with(answer.stated),
        *(("note", x) for x in answer.notes),
        ("time", seconds_text(answer.seconds)),
    ]
    return [
        head, quiet(units_text(network)), Text(), claims_table(answer.claims()), Text(), *_phases(answer), Text(),
        facts_table(facts),
    ]  # fmt: skip


def _phases(answer: CollectiveTimeAnswer) -> list[RenderableType]:
    """The phases in order; of many, those that take longest."""
    network, loads = answer.placed, answer.loads
    first, start = [], 1
    for x in loads:
        first.append(start)
        start += x.times
    shown = list(range(len(loads)))
    if len(loads) > _MOST_PHASES:
        shown = sorted(shown, key=lambda k: -loads[k].time)[:_MOST_PHASES]
    rows = []
    for k in shown:
        x = loads[k]
        last = first[k] + x.times - 1
        name = f"{first[k]}" if last == first[k] else f"{first[k]}-{last}"
        channel = "none" if x.channel < 0 else printable(network.channel_label(x.channel))
        rows.append((name, fraction_text(x.amount), fraction_text(x.load), fraction_text(x.time), channel))
    table = number_table(("phase", "units", "load", "cycles", "busiest channel"), rows)
    if len(shown) == len(loads):
        return [table]
    return [table, quiet(f"{len(shown)} of {len(loads):,} different phases, longest first; --json has all of them")]


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
