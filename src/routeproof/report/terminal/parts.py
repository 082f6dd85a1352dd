"""The parts of pages on the terminal: titles, tables, lists of facts, and words for networks and rates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from rich import box
from rich.bar import Bar
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ...core.display import decimal_text, fraction_text, seconds_text
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


def host_word(network: Network) -> str:
    """What people call the terminals: those with names are hosts."""
    return "terminal" if network.terminal_labels is None else "host"


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


def flows_text(network: Network, flows: Iterable[tuple[int, int, Fraction]]) -> str:
    """``h1 => h4, h2 => h5 (1/2)``: pairs, each with its rate where that is not 1."""
    shown = (f"{pair_text(network, i, j)}{'' if x == 1 else f' ({fraction_text(x)})'}" for i, j, x in flows)
    return ", ".join(shown)


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


@dataclass(frozen=True)
class OnTerminal:
    """Pictures made of characters: on a terminal that knows them, not in a file, a log or a page."""

    picture: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if console.is_terminal and not options.ascii_only:
            yield self.picture


_BAR = 30  # characters of the longest bar
_BLOCKS = "▁▂▃▄▅▆▇█"


def bars(head: str, rows: Sequence[tuple[str, Fraction, str]]) -> OnTerminal:
    """A bar for every (name, value, value in words), as long as its share of the largest."""
    most = max((float(x) for _, x, _ in rows), default=0.0)
    table = Table.grid(padding=(0, 2))
    for name, value, words in rows:
        table.add_row(Text(name), Bar(most, 0, float(value), width=_BAR), Text(words))
    return OnTerminal(Group(Text(), quiet(head), table, Text()) if most else Text())


def counts_line(values: Sequence[Fraction], parts: int = 24) -> OnTerminal:
    """How many values lie in each of ``parts`` equal intervals from 0 to the largest, as a line of blocks."""
    top = float(max(values, default=Fraction(0))) or 1.0
    count, _ = np.histogram([float(x) for x in values], bins=parts, range=(0.0, top))
    most = int(count.max())
    line = "".join(_BLOCKS[(len(_BLOCKS) - 1) * int(x) // most] if x else " " for x in count)
    return OnTerminal(Text(f"0 {line} {decimal_text(max(values, default=Fraction(0)))}, channels by their load"))


def fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Is the terminal wide enough for the table as it is?"""
    return Measurement.get(console, options.update(width=1000), table).maximum <= options.max_width


def kept_text(network: Network, kept: Fraction, number: str, *, least: str = "") -> str:
    """``keeps 2/3 of its speed (66.6667 of 100 Gb/s)``, for a throughput of ``kept``; ``number``: it in words, as a
    share or in the unit of the bandwidths; ``least``: "at least " where it may be more.

    Of a network by name, and of a graph whose channels are alike, 1 is what a terminal sends.  Of a fabric it is known
    what hosts' own cables carry, or it is said what they are taken for.  Hosts of unequal speeds all send at one rate.
    """
    fabric = network.terminal_labels is not None
    most, unit = network.host_bandwidth, network.gbps
    alike = set(network.bandwidth) <= {Fraction(1)}
    if not fabric and (network.spec is not None or alike):
        return f"keeps {f'{least}{number}' if kept < 1 else 'all'} of its rate"
    if most is None and unit is not None:
        return f"whose own cable allows it can send {least}{decimal_text(kept * unit)} Gb/s"
    if most is None and not alike:
        return f"keeps {least}{number}, in the unit of the bandwidths"
    full = most or Fraction(1)
    share = kept / full
    rate = ""
    if unit is not None:
        whole = f"{decimal_text(full * unit)} Gb/s"
        rate = f" ({whole})" if share >= 1 else f" ({decimal_text(kept * unit)} of {whole})"
    text = number if full == 1 else str(share)
    if len(set(network.host_widths or ())) > 1:
        of = "the slowest host's speed" if share >= 1 else f"{least}{text} of the slowest host's speed"
        return f"can send at {of}{rate}"
    words = "its full speed" if share >= 1 else f"{least}{text} of its speed"
    assumed = "" if most is not None else " (its own cable taken as fast as a link between switches)"
    return f"keeps {words}{rate}{assumed}"


def ranks_text(count: int, network: Network, cables: Sequence[Fraction] | None) -> str:
    """``16, of 16 terminals``, and whether the cables count where ranks are hosts on switches."""
    text = f"{count}, of {network.num_terminals} terminals"
    if cables is not None:
        unit = network.gbps
        ends = [decimal_text(x * unit) if unit is not None else str(x) for x in (min(cables), max(cables))]
        rate = f"{ends[0]}{'' if ends[0] == ends[1] else f' to {ends[1]}'}{' Gb/s' if unit is not None else ''}"
        return f"{text}, each on its own cable of {'bandwidth ' if unit is None else ''}{rate}, which is counted"
    if network.gbps is None and int(network.supply.max()) <= 1:
        return text
    return f"{text}, each at its node; the cable between a host and its switch is not counted"
