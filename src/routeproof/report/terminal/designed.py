"""Designs for people: what was designed, how good it is, and what nothing can beat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...answers.design import DesignAnswer
from ...core.claim import Claim
from .escape import printable
from .numbers import decimal_text, seconds_text
from .table import claims_table, normal_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.network import Network
    from ...design.average_case import AverageCaseDesign
    from ...design.result import Design
    from ...design.uniform import UniformDesign

__all__ = ["average_case_parts", "capacity_parts", "design_parts"]


def design_parts(answer: DesignAnswer[Design]) -> list[RenderableType]:
    """Title, sizes, the table of claims, and how close the design is to the best possible."""
    from rich.table import Table
    from rich.text import Text

    design = answer.made
    own = design.reduction
    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    allowed = design.load_adversary.paths
    those = "no routing" if allowed is None else f"no routing with paths {allowed.name}"
    rows = [("worst case", _gap_text(design.gap, f"{those} has a better one"))]
    if design.length_gap is not None and design.most_load is not None:
        most = f"{those} whose worst-case load is at most {_short(design.most_load)} has shorter paths"
        rows.append(("path length", _gap_text(design.length_gap, most)))
    rows.append(("symmetry", f"{_classes(len(own.pairs))} of pairs, {len(set(own.focus.tolist()))} of channels"))
    if not design.complete:
        rows.append(("stopped", "before the end: the interval may be wide"))
    rows.append(("time", seconds_text(answer.seconds)))
    for name, text in rows:
        facts.add_row(Text(name, style="bold"), Text(text))
    return [
        *_top("designed for", answer.network, answer.claims()),
        facts,
    ]


def capacity_parts(answer: DesignAnswer[UniformDesign]) -> list[RenderableType]:
    """Title, sizes, the table, and what no routing can beat under uniform traffic."""
    from rich.text import Text

    return [
        *_top("designed for the capacity of", answer.network, answer.claims()),
        Text(f"symmetry  {_classes(len(answer.made.reduction.pairs))} of pairs"),
        Text(f"time  {seconds_text(answer.seconds)}", style="dim"),
    ]


def average_case_parts(answer: DesignAnswer[AverageCaseDesign]) -> list[RenderableType]:
    """Title, sizes and the table: the value in the sample that was optimised, and in a fresh one."""
    from rich.text import Text

    return [
        *_top("designed for the average case on", answer.network, answer.claims()),
        Text(f"fresh sample, {normal_text(answer.claims()[0])}", style="dim"),
        Text("judge the routing on the fresh sample: the other one is what it was made for"),
        Text(f"time  {seconds_text(answer.seconds)}", style="dim"),
    ]


def _top(what: str, network: Network, claims: Sequence[Claim]) -> list[RenderableType]:
    """Title, sizes and the table of claims."""
    from rich.text import Text

    sizes = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
    title = Text(f"{what} {printable(network.name, limit=60)}", style="bold")
    return [title, Text(sizes, style="dim"), Text(), claims_table(claims), Text()]


def _gap_text(gap: Fraction, exact: str) -> str:
    return exact if not gap else f"within {float(gap):.1e} of what no routing can beat, relative to it"


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count} classes"


def _short(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 20 else decimal_text(value, 9)
