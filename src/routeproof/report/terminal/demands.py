"""What the terminal shows of jobs and of curves over the number of packets, beside the claims."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...answers.worst_case import WorstCaseAnswer
from ...core.escape import printable
from ...core.numerals import decimal_text, fraction_text
from ...core.vocabulary.quantity import PER_BANDWIDTH, SHORT_UNITS
from ...worst.demand_sets.jobs import JobLoads
from ...worst.demand_sets.sparse_curve import SparseCurve
from .parts import number_table, quiet, title

_JOBS_SHOWN = 20
_MATRIX = 12


def demand_parts(analysis: WorstCaseAnswer) -> list[RenderableType]:
    """Below the claims: the curve, or the jobs."""
    page: list[RenderableType] = []
    if analysis.curve is not None:
        page += [Text(), title("the worst load by the number of packets"), _curve_table(analysis.curve)]
        page.append(quiet("between two corners the load grows evenly"))
    if analysis.jobs is not None:
        page += [Text(), title("jobs: the worst load of each alone"), *_jobs_tables(analysis.jobs)]
    return page


def _curve_table(curve: SparseCurve) -> RenderableType:
    network = curve.routing.network
    rows = [
        (
            str(x.packets),
            fraction_text(x.load),
            decimal_text(x.load),
            printable(network.channel_label(x.channel)),
        )
        for x in curve.corners
    ]
    return number_table(("packets", SHORT_UNITS[PER_BANDWIDTH], "decimal", "channel"), rows, words=(3,))


def _jobs_tables(jobs: JobLoads) -> list[RenderableType]:
    network, group = jobs.routing.network, jobs.demands.group
    assert group is not None
    order = sorted(range(len(jobs.jobs)), key=lambda k: (-jobs.worst[k][0], k))
    rows = []
    for k in order[:_JOBS_SHOWN]:
        load, c = jobs.worst[k]
        channel = printable(network.channel_label(c)) if c >= 0 else "none"
        size = str(int((group == k).sum()))
        rows.append((printable(jobs.jobs[k]), size, fraction_text(load), decimal_text(load), channel))
    heads = ("job", "terminals", SHORT_UNITS[PER_BANDWIDTH], "decimal", "channel")
    page: list[RenderableType] = [number_table(heads, rows, words=(0, 4))]
    if len(order) > _JOBS_SHOWN:
        page.append(quiet(f"and {len(order) - _JOBS_SHOWN} more jobs, in the report of --json"))
    if jobs.shared is None:
        return [*page, quiet("no two jobs share a channel")]
    if len(jobs.jobs) > _MATRIX:
        return page
    names = [printable(x) for x in jobs.jobs]
    cells = [
        (names[a], *(fraction_text(load) if load else "" for load, _ in jobs.hurts[a])) for a in range(len(jobs.jobs))
    ]
    words = "row: what the job puts at worst on a channel that the job of the column uses, too; empty: they share none"
    return [*page, Text(), title("which job hurts which"), number_table(("", *names), cells, words=(0,)), quiet(words)]
