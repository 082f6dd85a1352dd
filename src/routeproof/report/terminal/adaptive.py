"""Ideal adaptive routing for people: the interval, the demand that proves its lower end, and what bounds it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from ...core.display import seconds_text
from ...core.escape import printable
from ...demand_sets.ports import tells_terminals_apart
from ...questions.adaptive import AdaptiveAnswer
from .parts import facts_table, flows_text, quiet, title, units_text
from .table import claims_table

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
