"""Arguments and options that many verbs take, each with its help and what Tab completes."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = [
    "JsonReport",
    "RoutingName",
    "Topology",
    "complete_figure",
    "complete_pattern",
    "complete_routing",
    "complete_topology",
]


def complete_topology(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.table import TOPOLOGIES

    return [(x.usage, x.help) for x in TOPOLOGIES.working() if x.usage.startswith(incomplete)]


def complete_routing(incomplete: str) -> list[tuple[str, str]]:
    from ...routing.named.names import help_lines

    return help_lines(incomplete)


def complete_pattern(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.patterns import PATTERNS

    return [(name, x.help) for name, x in PATTERNS.items() if name.startswith(incomplete)]


def complete_figure(incomplete: str) -> list[tuple[str, str]]:
    from ...report.figures.worst_case import FIGURES

    return [(name, x.help) for name, x in FIGURES.own.items() if name.startswith(incomplete)]


Topology = Annotated[
    str,
    typer.Argument(
        metavar="TOPOLOGY",
        help="family:parameters such as torus:9x9, or a network file: {networks}.",
        autocompletion=complete_topology,
    ),
]
RoutingName = Annotated[
    str | None,
    typer.Option(
        "--routing",
        "-r",
        metavar="ROUTING",
        help="A name such as romm, a routing document, or module:function with your own routing function.",
        autocompletion=complete_routing,
    ),
]
JsonReport = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
]
