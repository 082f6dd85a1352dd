"""Designed forwarding tables for people: what the search began with, what came out, and what nothing can beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.tables import TablesAnswer
from .escape import printable
from .numbers import fraction_text
from .summary import summary

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["tables_parts"]


def tables_parts(answer: TablesAnswer) -> list[RenderableType]:
    """The new routing's page, and below it the start, the search and the bound."""
    from dataclasses import replace

    from rich.table import Table
    from rich.text import Text

    found = answer.made
    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    start = f"{printable(found.start.name, limit=60)}, worst-case load {fraction_text(answer.before.load)}"
    search = f"{found.proposals:,} exchanges proposed, {found.taken:,} taken, seed {found.seed}"
    for name, text in (("began with", start), ("search", search), ("bound", answer.bound)):
        facts.add_row(Text(name, style="bold"), Text(text))
    return [*summary(replace(answer.judged, stated=tuple(answer.claims())), seconds=answer.seconds), facts]
