"""The parts that every page on the terminal is made of: titles, quiet lines, tables of numbers, lists of facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from rich import box
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ...core.display import decimal_text, seconds_text
from ...core.escape import printable
from ...core.network import Network


def title(text: str) -> Text:
    return Text(text, style="bold")


def quiet(text: str) -> Text:
    return Text(text, style="dim")


def time_line(seconds: float) -> Text:
    return quiet(f"time  {seconds_text(seconds)}")


def sizes_text(network: Network) -> str:
    """``81 nodes, 324 channels, 81 terminals``."""
    return f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"


def units_text(network: Network) -> str:
    """``sizes_text``, and what bandwidth 1 is, for a fabric whose speeds are known."""
    if network.gbps is None:
        return sizes_text(network)
    unit = "in" if network.gbps == 1 else f"1 is {decimal_text(network.gbps)}"
    return f"{sizes_text(network)}, bandwidth {unit} Gb/s"


def pair_text(network: Network, i: int, j: int) -> str:
    """A pair of terminals: by name, ``h1 => h4``; by node where every node is one, ``(0,0) => (4,0)``; else by both."""
    one, two = (printable(network.terminal_label(t)) for t in (i, j))
    if network.terminal_labels is not None:
        return f"{one} => {two}"
    nodes = int(network.source[i]), int(network.sink[j])
    here, there = (printable(network.label(v)) for v in nodes)
    if network.num_terminals == network.num_nodes == len(np.unique(network.source)) == len(np.unique(network.sink)):
        return f"{here} => {there}"
    return f"terminal {one} at {here} => terminal {two} at {there}"


def bare_table(*, gap: int = 1) -> Table:
    """An empty table with a line below its heads and no frame; ``gap``: blanks between columns."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap, 0, 0))


def number_table(
    heads: Iterable[str], rows: Iterable[Sequence[str]], *, words: Collection[int] = (), gap: int = 1
) -> Table:
    """``rows`` below ``heads``; the columns ``words`` begin at the left, those of numbers end at the right."""
    table = bare_table(gap=gap)
    for k, head in enumerate(heads):
        table.add_column(head, justify="left" if k in words else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def facts_table(facts: Iterable[tuple[str, str]], *, style: str = "bold") -> Table:
    """Names, each with its words beside it."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, words in facts:
        table.add_row(Text(name, style=style), Text(words))
    return table


def fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Is the terminal wide enough for the table as it is?"""
    return Measurement.get(console, options.update(width=1000), table).maximum <= options.max_width
