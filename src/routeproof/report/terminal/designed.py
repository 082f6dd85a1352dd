"""What nothing can beat, on the terminal: designs and how good they are, tradeoff curves with how far above each
routing lies, and ideal adaptive routing between its two ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Claim
from ...core.display import decimal_text, estimate_text, fraction_text, outward_text, percent_text, seconds_text
from ...core.escape import printable
from ...core.network import Network
from ...core.vocabulary.quantity import OF_CAPACITY, OF_MINIMAL
from ...demand_sets.ports import tells_terminals_apart
from ...optimum.average_case import AverageCaseDesign
from ...optimum.capacity import UniformDesign
from ...optimum.curve import Tradeoff
from ...optimum.design import Design, Entries
from ...questions.adaptive import AdaptiveAnswer
from ...questions.designing import DesignAnswer, TablesAnswer
from ...questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from .parts import facts_table, flows_text, number_table, quiet, time_line, title, units_text
from .summary import summary
from .table import claims_table, normal_text


def parts_of_design(answer: DesignAnswer[Any]) -> list[RenderableType]:
    """What a terminal shows of a design for the worst case, an average case or capacity."""
    if isinstance(answer.made, Design):
        return design_parts(answer)
    return capacity_parts(answer) if isinstance(answer.made, UniformDesign) else average_case_parts(answer)


def design_parts(answer: DesignAnswer[Design]) -> list[RenderableType]:
    """Title, sizes, the table of claims, and how close the design is to the best possible."""
    design = answer.made
    allowed = design.load_adversary.paths
    plain = "no routing" if allowed is None else f"no routing with paths {allowed.name}"
    over = "" if design.demands is None else f" over {printable(design.demands.text)}"
    those = plain
    if design.most_length is not None:
        times = design.most_length / design.minimal
        those += f" whose average path length is at most {_short(times)} times minimal"
    facts = [("worst case", _gap_text(design.gap, those, f"{those} has a better one{over}"))]
    if design.length_gap is not None and design.most_load is not None:
        those = f"{plain} whose worst-case load{over} is at most"
        those += f" {_short(design.most_load)}"
        facts.append(("path length", _gap_text(design.length_gap, those, f"{those} has shorter paths")))
    if design.entries is not None:
        facts += _rounding(design, design.entries)
    if (own := design.reduction) is not None:
        facts.append(("symmetry", f"{_classes(len(own.pairs))} of pairs, {len(set(own.focus.tolist()))} of channels"))
    if design.load_adversary.terminals_alike:
        facts.append(("among", "routings that treat the terminals of a node alike"))
    if design.known:
        few = " in so few virtual channels" if answer.lanes is not None and design.gap else ""
        if answer.lanes is not None and allowed is None and design.length > design.minimal:
            few += "; its path length was not made less"
        facts.append(("routing", f"{printable(design.known)}: nothing better was found{few}"))
    if not design.complete:
        facts.append(("stopped", printable(design.refused) or "before the end: the interval may be wide"))
    facts += [("simpler", note) for note in answer.notes]
    facts.append(("time", seconds_text(answer.seconds)))
    return [*_top("designed for", answer.network, answer.claims()), facts_table(facts)]


def _rounding(design: Design, entries: Entries) -> list[tuple[str, str]]:
    """What tables of few entries cost: exact numbers, side by side."""
    of = "a pair at its source" if entries.split is None else "a node and a destination"
    largest = f"; the largest group has {design.routing.entries}" if design.routing.entries else ""
    if design.routing.members is not None:
        limit = "" if entries.members is None else f" of {entries.members:,}"
        largest += f"; all groups of a switch at most {design.routing.members:,}{limit} members"
    steps = [f"{_short(entries.exact)} with exact weights"]
    if entries.split is not None:
        steps.append(f"{_short(entries.split)} split by destination alone")
    steps.append(f"{_short(design.load)} rounded")
    loss = f"; {float(design.load / entries.exact - 1):.1%} lost" if entries.exact else ""
    return [("entries", f"at most {entries.most:,} for {of}{largest}"), ("rounding", ", ".join(steps) + loss)]


def capacity_parts(answer: DesignAnswer[UniformDesign]) -> list[RenderableType]:
    """Title, sizes, the table, and what no routing can beat under uniform traffic."""
    pairs = answer.made.num_pairs
    name = printable(answer.routing.name)
    gap = answer.made.gap
    reached = f"at most {percent_text(float(gap), 2)} more load than the best" if gap else "it reaches the capacity"
    known = f"routing   {name}: {reached}"
    how = known if pairs is None else f"symmetry  {_classes(pairs)} of pairs"
    return [
        *_top("designed for the capacity of", answer.network, answer.claims()),
        Text(how),
        time_line(answer.seconds),
    ]


def average_case_parts(answer: DesignAnswer[AverageCaseDesign]) -> list[RenderableType]:
    """Title, sizes and the table: the value in the sample that was optimised, and in a fresh one."""
    return [
        *_top("designed for the average case on", answer.network, answer.claims()),
        quiet(f"fresh sample, {normal_text(answer.claims()[0])}"),
        Text("judge the routing on the fresh sample: the other one is what it was made for"),
        time_line(answer.seconds),
    ]


def tables_parts(answer: TablesAnswer) -> list[RenderableType]:
    """Designed forwarding tables: the new routing's page, and below it the start, the search and the bound."""
    found = answer.made
    start = f"{printable(found.start.name)}, {answer.measure} {fraction_text(answer.before.load)}"
    search = f"{found.proposals:,} exchanges proposed, {found.taken:,} taken, seed {found.seed}"
    best = ", ".join(f"{fraction_text(load)} after {done:,}" for done, load in found.curve)
    facts = facts_table(
        (("began with", start), ("search", search), ("best found", f"{best} exchanges"), ("bound", answer.bound))
    )
    return [*summary(replace(answer.judged, stated=tuple(answer.claims()), seconds=answer.seconds)), facts]


def tables_page(answer: TablesAnswer) -> dict[str, Any]:
    """How the search came to its best; nothing where it had nothing to search for."""
    from ..figures.curves import search_figure

    return {"found": partial(search_figure, answer)} if answer.made.proposals else {}


def _top(what: str, network: Network, claims: Sequence[Claim]) -> list[RenderableType]:
    head = title(f"{what} {printable(network.name)}")
    return [head, quiet(units_text(network)), Text(), claims_table(claims), Text()]


def _gap_text(gap: Fraction, those: str, exact: str) -> str:
    return exact if not gap else f"within {float(gap):.1e} of what {those} can beat, relative to it"


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count} classes"


def _short(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 20 else decimal_text(value, 9)


_LENGTH = f"path length, {OF_MINIMAL}"


def tradeoff_parts(answer: TradeoffAnswer) -> list[RenderableType]:
    """Title, the corners of the curve, and how far above it each named routing lies."""
    curve, capacity = answer.curve, answer.capacity
    over = "" if curve.demands is None else f" over {printable(curve.demands.text)}"
    corners, whole = [], curve.complete
    for corner in curve.points:
        share = "" if capacity is None else decimal_text(1 / corner.load / capacity)
        length = corner.length / curve.minimal
        load = fraction_text(corner.load), decimal_text(1 / corner.load), share
        least = length if corner.adversary is not None else curve.length_bound(corner.load)[0] / curve.minimal
        ends = decimal_text(length) if least == length else outward_text(float(least), float(length))
        corners.append((*load, fraction_text(length), ends))
    page: list[RenderableType] = [
        title(f"path length against worst case{over} on {printable(curve.network.name)}"),
        quiet(f"{_corners(len(curve.points)) if whole else _reached(curve)}; every number is proved"),
        Text(),
        number_table(("worst-case load", "throughput", OF_CAPACITY, _LENGTH, "decimal"), corners),
    ]
    rows = []
    for point in [*answer.points, *(x for line in answer.lines for x in line)]:
        bound = curve.least_length(point.load)
        above = "" if not bound else percent_text(float(point.length / bound - 1), 1)
        share = "" if capacity is None else decimal_text(1 / point.load / capacity)
        cells = (fraction_text(point.load), share, decimal_text(point.length / curve.minimal), above)
        rows.append((printable(point.name), *cells))
    if rows:
        last = "above the curve" if whole else "above the curve, at most"
        beside = ("routing", "worst-case load", OF_CAPACITY, _LENGTH, last)
        page += [Text(), number_table(beside, rows, words=(0,))]
    return [*page, Text(), time_line(answer.seconds)]


def average_tradeoff_parts(answer: AverageTradeoffAnswer) -> list[RenderableType]:
    """Title, the points of the curve and the named routings: average case on both samples, and path length."""
    curve, capacity = answer.curve, answer.capacity
    points = [*answer.points, *(x for line in answer.lines for x in line)]
    unit = float(capacity or 1)
    rows = []
    for label, one in [*(("designed", x) for x in curve.points), *((x.routing.name, x) for x in points)]:
        own, fresh = (estimate_text(x.best / unit) for x in (one.inside, one.fresh))
        fresh = f"{outward_text(one.fresh.low / unit, one.fresh.high / unit)}, about {fresh}"
        rows.append((printable(label), fresh, own, decimal_text(one.length / curve.minimal)))
    what = "throughput" if capacity is None else OF_CAPACITY
    sample = f"{curve.count} matrices, model {curve.model}; seed {curve.seed}, fresh seed {curve.seed + 1}"
    return [
        title(f"path length against average case on {printable(curve.network.name)}"),
        quiet(f"SAMPLED: {sample}; 99 % intervals of the fresh one"),
        Text(),
        number_table(("routing", f"{what}, fresh sample", f"{what}, own sample", _LENGTH), rows, words=(0,)),
        Text(),
        Text("designed: the best that the solver found for its own sample; judge by the fresh one"),
        time_line(answer.seconds),
    ]


def _corners(count: int) -> str:
    if count == 1:
        return "1 corner: the best worst case and the shortest paths at once"
    return f"{count} corners; between them the curve is straight in the load"


def _reached(curve: Tradeoff) -> str:
    """What is said of a curve that is not complete."""
    bound = f"no worst-case load is below {fraction_text(curve.load_bound.least_load())}"
    if len(curve.points) == 1:
        return f"stopped before the end: what this routing reaches, and {bound}"
    return f"stopped before the end: the curve is on the straight lines between these routings, or below; {bound}"


_MOST_PAIRS = 4
_MOST_CHANNELS = 4
_UPPER = {
    "oblivious": "the oblivious routing of this report, whatever the demand",
    "flows": "a flow of its own for each extreme demand of the set",
    "definition": "by definition: some flow carries every demand of the set",
}


def adaptive_parts(answer: AdaptiveAnswer) -> list[RenderableType]:
    """Title, sizes, the table of claims, and the two ends in words."""
    found, network = answer.found, answer.network
    gap = found.gap
    facts = [
        ("meaning", "the best flow for each demand: rates may depend on the whole demand, no queues"),
        ("ends", "they meet" if not gap else f"the upper end is {_share(gap)} above the lower one"),
        ("from above", _UPPER[found.upper]),
        ("from below", _demand_text(answer)),
        ("lengths", _lengths_text(answer)),
        ("time", seconds_text(answer.seconds)),
    ]
    if found.oblivious.least is None:
        facts.insert(3, ("oblivious", f"not the best one over {printable(answer.demands.text)}"))
    if tells_terminals_apart(answer.demands, network):
        facts.insert(-1, ("among", "routings that treat the terminals of a node alike, for what being oblivious costs"))
    head = title(f"ideal adaptive routing on {printable(network.name)}")
    return [head, quiet(units_text(network)), Text(), claims_table(answer.claims()), Text(), facts_table(facts)]


def _share(gap: Fraction) -> str:
    """``2.2%``; very small ones as ``3e-09`` of the lower end."""
    return f"{float(gap):.1%}" if gap > Fraction(1, 1000) else f"{float(gap):.0e} (relative)"


def _demand_text(answer: AdaptiveAnswer) -> str:
    """The first pairs of the hard demand: ``(0,0) => (3,3), (0,1) => (3,4), ... (64 pairs)``."""
    demand = answer.found.hard.demand
    some = [(i, j, Fraction(x)) for (i, j), x in sorted(demand.items())[:_MOST_PAIRS]]
    rest = f", ... ({len(demand):,} pairs)" if len(demand) > _MOST_PAIRS else ""
    return f"the demand {flows_text(answer.network, some)}{rest}"


def _lengths_text(answer: AdaptiveAnswer) -> str:
    """How many channels have which length; the longest by name where they are few: those are the bottleneck."""
    network, length = answer.network, answer.found.hard.length
    values, counts = np.unique(length, return_counts=True)
    if len(values) > 5:
        return f"whole numbers from {values[0]:,} to {values[-1]:,}, of channels"
    texts = [
        f"{x:,} for {count:,} {'channel' if count == 1 else 'channels'}"
        for x, count in zip(values.tolist(), counts.tolist(), strict=True)
    ]
    longest = np.flatnonzero(length == values[-1]).tolist()
    if len(longest) > _MOST_CHANNELS:
        return ", ".join(texts)
    names = ", ".join(printable(network.channel_label(c)) for c in longest)
    return f"{', '.join(texts)}: {names}"
