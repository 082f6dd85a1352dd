"""Designs for people: what was designed, how good it is, and what nothing can beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Claim
from ...core.display import decimal_text, fraction_text, percent_text, seconds_text
from ...core.escape import printable
from ...core.network import Network
from ...optimum.average_case import AverageCaseDesign
from ...optimum.capacity import UniformDesign
from ...optimum.design import Design, Entries
from ...questions.designing import DesignAnswer, TablesAnswer
from .parts import facts_table, quiet, time_line, title, units_text
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
        facts.append(("stopped", "before the end: the interval may be wide"))
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
