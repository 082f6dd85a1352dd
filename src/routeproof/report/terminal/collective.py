"""Collectives on the terminal: the best rates, with what bounds them and what the trees are like; the time of an
algorithm by phases, and of several jobs how long each takes alone and at most beside the others; judged schedules.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from ...claims.choice import Choice
from ...claims.collectives.sentences import assumed_of
from ...core.claim import Claim
from ...core.display import decimal_text, fraction_text, seconds_text
from ...core.escape import printable
from ...core.schedules.schedule import Schedule, chunks_text
from ...optimum.collectives.result import Best
from ...questions.collectives.best import CollectiveAnswer
from ...questions.collectives.host_cables import network_with
from ...questions.collectives.jobs import CollectiveJobsAnswer
from ...questions.collectives.phased import CollectiveTimeAnswer
from ...questions.collectives.schedule import ScheduleAnswer
from .parts import facts_table, number_table, quiet, ranks_text, title, units_text
from .table import claims_table

_MOST_NODES = 6
_SWITCHES = "nodes without ranks pass units on, and copy none"


def collective_parts(answer: CollectiveAnswer) -> list[RenderableType]:
    """Title, sizes, the table of claims, and both ends in words."""
    network, found = answer.of, answer.found
    facts = [("ranks", ranks_text(len(answer.ranks), network, answer.cables))]
    if any(not x.task.reached.all() for x in found.values()):
        copying = "switches" in answer.stated[0].about
        facts.append(("switches", "nodes without ranks pass units on, and copy them" if copying else _SWITCHES))
    for phase, best in found.items():
        name = "" if len(found) == 1 else f"{phase}: "
        facts.append(("from above", f"{name}{_cut_text(best)}"))
        if best.trees:
            facts.append(("from below", f"{name}{_trees_text(best)}"))
    if answer.operation == "all-to-all":
        facts += _of_all_to_all(answer)
    if network.gbps is not None:
        facts.append(("speeds", _speeds_text(answer, network.gbps)))
    if answer.operation == "all-reduce":
        facts.append(("all-reduce", _all_reduce_text(answer)))
    facts += [("schedule", printable(x)) for x in answer.notes]
    facts.append(("time", seconds_text(answer.seconds)))
    head = title(f"{answer.operation} on {printable(network.name)}")
    return [head, quiet(units_text(network)), Text(), claims_table(answer.claims()), Text(), facts_table(facts)]


def compared_with(claims: Sequence[Claim]) -> list[tuple[str, str]]:
    """What the optimum assumes that a time is compared with, as a fact; none where it is that of all schedules."""
    if not any(x.quantity == "times_optimal" for x in claims):
        return []
    rates = [x for x in claims if x.quantity == "collective_throughput"]
    assumed = assumed_of(Choice(claims), rates[0].about)
    return [("optimum", f"of all schedules{assumed}")] if assumed else []


def _of_all_to_all(answer: CollectiveAnswer) -> list[tuple[str, str]]:
    data = {k: x for claim in answer.stated for k, x in claim.evidence.data.items()}
    meaning = "every rank sends as much to each rank, itself included: uniform traffic"
    if "cable" in data:
        name = printable(answer.of.terminal_label(data["cable"]))
        above = f"the cable of {name}, which carries what it sends to all other ranks"
        return [("meaning", meaning), ("from above", above)]
    below = f"routing {data['routing']}" if "routing" in data else "a flow from every rank to all others"
    return [("meaning", meaning), ("from above", "lengths of channels, and shortest paths"), ("from below", below)]


def _speeds_text(answer: CollectiveAnswer, gbps: Fraction) -> str:
    """``algorithm bandwidth 400 Gb/s, bus bandwidth 375 Gb/s``."""
    some = [x for x in answer.stated if x.quantity in ("algorithm_bandwidth", "bus_bandwidth")]
    ends = {"==": "", "<=": "at most ", ">=": "at least "}
    return ", ".join(
        f"{x.quantity.replace('_', ' ')} {ends[x.relation]}{decimal_text(x.number * gbps)} Gb/s" for x in some
    )


def _cut_text(best: Best) -> str:
    """``what 15 of 16 ranks emit enters node (0,0) over channels of bandwidth 4``."""
    if best.above is not None:
        count = len(best.above.cuts)
        sets = "a set of nodes" if count == 1 else f"{count} sets of nodes with weights"
        return f"{sets}, and potentials of switches, which send no more than they receive"
    task, inside = best.task, best.cut.inside
    network = task.network
    emitted = int(task.supply[inside].sum())
    width = best.cut.rate * emitted
    outside = np.flatnonzero(~inside).tolist()
    some = outside if len(outside) <= len(inside) - len(outside) else np.flatnonzero(inside).tolist()
    names = ", ".join(printable(network.label(v)) for v in some[:_MOST_NODES])
    more = f", ... ({len(some)} nodes)" if len(some) > _MOST_NODES else ""
    verb = "must enter" if some is outside else "must leave"
    if task.reversed:
        verb = "must leave" if some is outside else "must enter"
    what = "sums for" if task.reversed else "units of"
    total = "the root" if task.total == 1 else f"{emitted} of {task.total} ranks"
    return f"{what} {total} {verb} {names}{more}, over channels of bandwidth {width}"


def _trees_text(best: Best) -> str:
    longest = max(len(x.channels) for x in best.trees)
    count = len(best.trees)
    images = "" if best.symmetry is None else ", each with all its images under the network's symmetry,"
    verb = "fits" if count == 1 and not images else "fit together"
    return f"{count:,} {'tree' if count == 1 else 'trees'} of up to {longest:,} channels{images} {verb}"


def _all_reduce_text(answer: CollectiveAnswer) -> str:
    own = [x for x in answer.stated if x.about["operation"] == "all-reduce" and x.quantity == "collective_throughput"]
    trees = sum(len(x.evidence.data.get("trees", ())) for x in own)
    phases = any("from" in x.evidence.data for x in own)
    way = f"{trees} {'tree' if trees == 1 else 'trees'}, used both ways" if trees else ""
    way = "a reduce-scatter and then an all-gather" if phases else way
    assumed = "if every message carries one value and switches neither add nor copy"
    if len(own) == 1 and own[0].relation == "==":
        return f"{way}; no other way is faster, {assumed}"
    return f"{f'from below {way}; ' if way else ''}from above, {assumed}"


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
