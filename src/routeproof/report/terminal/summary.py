"""A worst case as a page for the terminal: the numbers, the worst channel, who crosses it, and how it was found.

What an operator came for, in a sentence: what every host keeps, or how far a matrix may grow; the hot link; the jobs
that collide.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from heapq import nlargest

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...claims.choice import Choice
from ...claims.sentences import Field, worst_cases
from ...core.claim import Claim
from ...core.display import decimal_text, fraction_text, seconds_text
from ...core.escape import printable
from ...core.network import Network
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import PER_BANDWIDTH, SHORT_UNITS
from ...questions.worst_case import WorstCaseAnswer
from ...worst.demand_sets.jobs import JobLoads
from ...worst.scan.exact import WorstCase
from ...worst.worst_traffic import Crossing, crossings, worst_traffic
from .parts import bare_table, counts_line, facts_table, kept_text, number_table, pair_text, quiet, title, units_text
from .subject_words import hose_lines
from .table import claims_table, normal_text


def plain_answer(analysis: WorstCaseAnswer) -> str:
    """The sentences, for a fabric from files, and for sets of given rates; empty for others."""
    worst, demands = analysis.worst_case, analysis.worst_case.model.demands
    fabric = analysis.network.terminal_labels is not None and (demands is not None or worst.model.name == "balanced")
    if analysis.curve is not None or not (fabric or is_factor(worst.model.about)):
        return ""
    stated = analysis.stated
    if analysis.routing.whole_flows_of is not None:  # the same is stated of whole flows on the routing that it bounds
        stated = [replace(x, about={**x.about, "flows": "whole"}) for x in stated]
    return " ".join(worst_cases(Choice(stated), _Words(analysis)))


class _Words(Field):
    def __init__(self, analysis: WorstCaseAnswer) -> None:
        self._analysis, self._network = analysis, analysis.network
        if self._network.terminal_labels is not None:
            self.host, self.link = "host", "link"
        self.splits = analysis.routing.whole_flows_of is None and analysis.routing.denominators != [1]

    def number(self, value: Fraction) -> str:
        return fraction_text(value)

    def keeps(self, share: Fraction, least: str = "") -> str:
        return kept_text(self._network, share, self.number(share), least=least)

    def hot(self, claim: Claim) -> str:
        found = self._analysis.whole_flows if claim.about.get("flows") == "whole" else None
        at, most = found or self._analysis.worst_case, self._network.host_bandwidth or Fraction(1)
        link = printable(self._network.channel_label(at.channel))
        if at.throughput >= most and (self._network.gbps is None or self._network.host_bandwidth is not None):
            return f"the busiest {self.link} is {link}"
        pairs = crossings(at.routing, at.channel, worst_traffic(at))
        first = [pair_text(self._network, x.source, x.destination) for x in pairs[:2]]
        return self.crossed(link, len(pairs), first)


_PAIRS_SHOWN = 4
_SHOWN_APART = {"channel", "job", "packets"}
_LEVELS_SHOWN = 12


def summary(analysis: WorstCaseAnswer, *, top: int = 20) -> list[RenderableType]:
    """What to print, in order; ``top``: how many channels are named."""
    network, routing = analysis.network, analysis.routing
    page: list[RenderableType] = [
        title(f"{printable(routing.name)} on {printable(network.name)}"),
        quiet(f"{units_text(network)}; {printable(_traffic_text(analysis.worst_case))}"),
        *([Text(), Text(answer)] if (answer := plain_answer(analysis)) else []),
        Text(),
        claims_table([x for x in analysis.stated if not _SHOWN_APART & set(x.about)]),
        Text(),
        _facts(analysis),
        *map(quiet, hose_lines(analysis.stated)),
        *demand_parts(analysis),
    ]
    if analysis.worst_case.channel_loads is not None:
        page += [Text(), title("every channel's own worst case")]
        page.append(_spectrum(network, analysis.worst_case.channel_loads))
        if len(set(analysis.worst_case.channel_loads)) > 1:
            page += [counts_line(analysis.worst_case.channel_loads), Text(), *_hottest(analysis.worst_case, top)]
    return page


def _traffic_text(worst: WorstCase) -> str:
    demands = worst.model.demands
    return f"{worst.model.name} traffic" if demands is None else f"demands: {demands.text}"


def worst_case_parts(answer: WorstCaseAnswer, top: int | None = None) -> list[RenderableType]:
    """The page of the worst case, the average case below it, and how sampling ended."""
    parts = summary(answer, top=20 if top is None else top)
    if answer.average is not None:
        stated = answer.average.claims()
        parts += [Text(), claims_table(stated), quiet(normal_text(stated[0]))]
    return [*parts, *map(Text, answer.notes)]


def _facts(analysis: WorstCaseAnswer) -> Table:
    network, worst = analysis.network, analysis.worst_case
    pairs = crossings(analysis.routing, worst.channel, worst_traffic(worst))
    facts = {
        "worst channel": _channels_text(worst),
        "worst permutation" if worst.permutation is not None else "worst traffic": _pairs_text(network, pairs),
        "symmetry": _symmetry_text(analysis),
    }
    if (inner := analysis.routing.whole_flows_of) is not None:
        bounded = f"of each pair whole, on whichever of the paths of {printable(inner.name)} is worst"
        facts = {"flows": f"{bounded}; channels one by one", **facts}
    if network.gbps is not None:
        asked = _asked_text(worst, network.gbps)
        facts["in Gb/s"] = asked if is_factor(worst.model.about) else _gbps_text(analysis, network.gbps)
    if analysis.capacity is None:
        facts["capacity"] = (
            "not settled by what was tried here, so nothing is stated as a fraction of it; the whole linear program: "
            "routeproof design ... --objective capacity"
        )
    return facts_table((facts | {"time": seconds_text(analysis.seconds)}).items())


def _gbps_text(analysis: WorstCaseAnswer, unit: Fraction) -> str:
    """The routing's throughputs as data rates; more than its own cable carries is no use to a host."""
    most = analysis.network.host_bandwidth
    shown = []
    for claim in analysis.stated:
        of_routing = claim.quantity in ("worst_case_throughput", "throughput") and "among" not in claim.about
        if of_routing and isinstance(claim.value, Fraction):
            whole = ", whole flows" if claim.about.get("flows") == "whole" else ""
            name = f"{claim.about.get('traffic', 'worst case')}{whole}"
            rate = claim.value if most is None else min(claim.value, most)
            shown.append(f"{decimal_text(rate * unit)} ({printable(name)})")
    host = "" if most is None else f"; the slowest host's cable carries {decimal_text(most * unit)}"
    return f"per host {', '.join(shown)}{host}"


def _asked_text(worst: WorstCase, unit: Fraction) -> str:
    """What the worst traffic asks of the worst channel, where terminals have rates of their own."""
    width = worst.network.bandwidth[worst.channel] * unit
    return f"the worst traffic asks {decimal_text(worst.load * width)} of a channel that carries {decimal_text(width)}"


def _channels_text(worst: WorstCase) -> str:
    """The worst channel, and how many more are known to be as bad (bounds do not tell equals from lesser ones)."""
    network, channels = worst.network, worst.worst_channels or [worst.channel]
    bandwidth = network.bandwidth[channels[0]]
    rate = "" if network.gbps in (None, 1) else f", {decimal_text(bandwidth * network.gbps)} Gb/s"
    width = "" if bandwidth == 1 else f", bandwidth {fraction_text(bandwidth)}{rate}"
    first = f"{printable(network.channel_label(channels[0]))} (channel {channels[0]}{width})"
    others = len(channels) - 1
    if not others:
        return first
    every = worst.channel_loads is not None or len(channels) == network.num_channels
    return f"{first}, and {'' if every else 'at least '}{others} more with the same worst case"


def _pairs_text(network: Network, pairs: list[Crossing]) -> str:
    """``7 of 81 terminals send across it: 3 -> 5 (1), ...``."""
    if not pairs:
        return "even at full rate nothing saturates a channel"
    names = [f"{pair_text(network, x.source, x.destination)} ({fraction_text(x.load)})" for x in pairs[:_PAIRS_SHOWN]]
    more = f", and {len(pairs) - _PAIRS_SHOWN} more" if len(pairs) > _PAIRS_SHOWN else ""
    total = sum((pair.load for pair in pairs), Fraction(0))
    noun = "pair crosses" if len(pairs) == 1 else "pairs cross"
    return f"{len(pairs)} {noun} it, with {fraction_text(total)} in all: {', '.join(names)}{more}"


def _symmetry_text(analysis: WorstCaseAnswer) -> str:
    worst = analysis.worst_case
    focus, count = worst.num_focus_channels, analysis.network.num_channels
    if not worst.symmetry_used:
        return f"none used: all {count} channels judged"
    names = list(worst.symmetry_used)
    shown = ", ".join(printable(x) for x in names[:6]) + (", ..." if len(names) > 6 else "")
    return f"{shown}: {focus} focus {'channel' if focus == 1 else 'channels'} for {count}"


def _hottest(worst: WorstCase, count: int) -> list[RenderableType]:
    network, found = worst.network, worst.hottest(count)
    table = bare_table()
    unit = network.gbps
    for name in ("channel", SHORT_UNITS[PER_BANDWIDTH], "decimal", "bandwidth", *(() if unit is None else ("Gb/s",))):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("from and to", overflow="fold")
    for c, load in found:
        width = network.bandwidth[c]
        numbers = [str(c), fraction_text(load), decimal_text(load), fraction_text(width)]
        numbers += [] if unit is None else [decimal_text(width * unit)]
        table.add_row(*map(Text, numbers), Text(printable(network.channel_label(c))))
    return [title(f"the {len(found)} channels with the highest worst case"), table]


def _spectrum(network: Network, loads: list[Fraction]) -> Table:
    """How many channels have which worst-case load, the worst first; the report has the load of every one."""
    counts = Counter(loads)
    shown = nlargest(_LEVELS_SHOWN, counts)
    table = bare_table()
    for name in (SHORT_UNITS[PER_BANDWIDTH], "decimal", "channels"):
        table.add_column(name, justify="right")
    table.add_column("for example", overflow="ellipsis", no_wrap=True)
    for load in shown:
        channel = Text(printable(network.channel_label(loads.index(load))))
        table.add_row(Text(fraction_text(load)), Text(decimal_text(load)), Text(str(counts[load])), channel)
    if len(counts) > _LEVELS_SHOWN:
        rest = len(loads) - sum(counts[x] for x in shown)
        table.add_row(Text(f"{len(counts) - _LEVELS_SHOWN} lower values"), Text(""), Text(str(rest)), Text(""))
    return table


_JOBS_SHOWN = 20
_MATRIX = 12


def demand_parts(analysis: WorstCaseAnswer) -> list[RenderableType]:
    """Below the claims: the curve, or the jobs."""
    page: list[RenderableType] = []
    network = analysis.network
    if analysis.curve is not None:
        rows = [
            (str(x.packets), fraction_text(x.load), decimal_text(x.load), printable(network.channel_label(x.channel)))
            for x in analysis.curve.corners
        ]
        table = number_table(("packets", SHORT_UNITS[PER_BANDWIDTH], "decimal", "channel"), rows, words=(3,))
        page += [Text(), title("the worst load by the number of packets"), table]
        page.append(quiet("between two corners the load grows evenly"))
    if analysis.jobs is not None:
        page += [Text(), title("jobs: the worst load of each alone"), *_jobs_tables(analysis.jobs)]
    return page


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
        (name, *(fraction_text(load) if load else "" for load, _ in row))
        for name, row in zip(names, jobs.hurts, strict=True)
    ]
    words = "row: what the job puts at worst on a channel that the job of the column also uses; empty: they share none"
    return [*page, Text(), title("which job hurts which"), number_table(("", *names), cells, words=(0,)), quiet(words)]
