"""A collective by phases for people: its time, and the phases with their busiest channels."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.display import fraction_text, seconds_text
from ...core.escape import printable
from ...questions.collectives.phased import CollectiveTimeAnswer
from .collective import compared_with
from .parts import facts_table, number_table, quiet, ranks_text, title, units_text
from .table import claims_table

_MOST_PHASES = 12


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
