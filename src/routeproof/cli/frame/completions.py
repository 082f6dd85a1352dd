"""What Tab completes: names of topologies, routings, patterns, figures and sets of demands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def completions(helps: Iterable[tuple[str, str]], incomplete: str) -> list[tuple[str, str]]:
    """Those of (name, help) that go on from what is typed."""
    return [(name, text) for name, text in helps if name.startswith(incomplete)]


def complete_topology(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.family import TOPOLOGIES

    return completions(((x.usage, x.help) for x in TOPOLOGIES.working()), incomplete)


def complete_wiring(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.family import TOPOLOGIES

    return completions(((x.usage, x.help) for x in TOPOLOGIES.working() if x.wiring is not None), incomplete)


def complete_routing(incomplete: str) -> list[tuple[str, str]]:
    from ...routing.named.names import help_lines

    return help_lines(incomplete)


def complete_pattern(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.patterns import PATTERNS

    return _of_table(PATTERNS, incomplete)


def complete_figure(incomplete: str) -> list[tuple[str, str]]:
    from ...report.figures.worst_case import FIGURES

    return _of_table(FIGURES.own, incomplete)


def complete_demands(incomplete: str) -> list[tuple[str, str]]:
    from ...demand_sets.named import SETS

    return completions(((x.usage, x.help) for x in SETS.own.values()), incomplete)


def _of_table(table: Mapping[str, Any], incomplete: str) -> list[tuple[str, str]]:
    return completions(((name, x.help) for name, x in table.items()), incomplete)


COMPLETIONS: Mapping[str, Callable[[str], list[tuple[str, str]]]] = {
    "demands": complete_demands,
    "figure": complete_figure,
    "pattern": complete_pattern,
    "routing": complete_routing,
    "topology": complete_topology,
    "wiring": complete_wiring,
}
"""By the word that an option names."""
