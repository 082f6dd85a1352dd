"""How arguments and options of verbs are declared, and those that many verbs share, with what Tab completes."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

from .completions import (
    complete_demands,
    complete_pattern,
    complete_routing,
    complete_topology,
    complete_wiring,
)


def option(value: str | None, text: str, *names: str, **more: Any) -> Any:
    """An option: what stands for its value in help, what it is for, its names where the parameter's is not the one."""
    return typer.Option(*names, metavar=value, help=text, **more)


def flag(text: str, *names: str, **more: Any) -> Any:
    """An option without a value; with a name, it has no ``--no-`` beside it."""
    return typer.Option(*names, help=text, **more)


def argument(value: str, text: str, **more: Any) -> Any:
    """An argument: what stands for it in help, and what it is."""
    return typer.Argument(metavar=value, help=text, **more)


ThemeName = enum.StrEnum("ThemeName", {"LIGHT": "light", "DARK": "dark"})


Topology = Annotated[
    str,
    argument(
        "TOPOLOGY",
        "family:parameters such as torus:9x9, file.py:function that makes one, or a network file: {networks}.",
        autocompletion=complete_topology,
    ),
]
RoutingName = Annotated[
    str | None,
    option(
        "ROUTING",
        "A name such as romm, a routing document, or file.py:function with your own routing function.",
        "--routing",
        "-r",
        autocompletion=complete_routing,
    ),
]
JsonReport = Annotated[str | None, option("FILE", "Write the report as JSON; - for standard output.")]
JsonClaims = Annotated[str | None, option("FILE", "Write the claims as JSON; - for standard output.")]
PlotFile = Annotated[str | None, option("FILE", "Draw it: .svg, .png or .pdf.")]
Theme = Annotated[ThemeName, option(None, "Colours of the figure.")]
Demands = Annotated[
    list[str] | None,
    option(
        "SET",
        "Which traffic can happen: permutations, unbalanced, hose:FILE, sparse:16, within:JOBS, pairs:FILE, "
        "matrix:FILE, box:FILE,margin=2 or routable. Several: all of them hold at once.",
        "--demands",
        "-d",
        autocompletion=complete_demands,
    ),
]
UntilWidth = Annotated[
    str | None,
    option("W", "Sample until every interval is at most W wide (0.01), or this fraction of its best estimate (5%)."),
]

# Of multistage networks
Wiring = Annotated[
    str,
    argument(
        "WIRING",
        "A wired network such as multibutterfly:1024,d=2,seed=7, or a wiring document (JSON).",
        autocompletion=complete_wiring,
    ),
]
Permutations = Annotated[
    list[str] | None,
    option(
        "PATTERN",
        "Who sends to whom: a pattern such as random:seed=1, or a file with one or several permutations. May be given "
        "several times.",
        "--permutation",
        "-p",
        autocompletion=complete_pattern,
    ),
]
Load = Annotated[int, option("L", "The load L of the network.", "--load", "-L")]
FaultFile = Annotated[str | None, option("FILE", "Faulty switches: a JSON list of [level, row].")]
Epsilon = Annotated[str, option("E", "A block is erased if more than this fraction of it is faulty.")]
Threshold = Annotated[
    int | None,
    option(
        "T",
        "A switch is declared faulty if this many of its up-edges (or down-edges) lead to faulty switches; default: "
        "half of them, rounded up.",
    ),
]
Trials = Annotated[
    int | None,
    option(
        "N",
        "Number of runs, {trial} being the number of each: --permutation 'random:seed={trial}' (200; with "
        "--until-width at most 100000).",
    ),
]
Sweep = Annotated[
    list[str] | None,
    option(
        "NAME=VALUES",
        "Once for every value: seed=1..20 or n=64,256, where {seed}, {n} stand in the other texts; load sets --load. "
        "May be given several times.",
    ),
]
