"""How arguments and options of verbs are declared, and those that many verbs share, with what Tab completes."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

from ...questions import shared
from ...questions.question import Option
from .completions import COMPLETIONS, complete_pattern, complete_wiring


def declared(known: Option) -> Any:
    """An option or argument of a question, as typer knows it."""
    more: dict[str, Any] = {}
    if known.complete is not None:
        more["autocompletion"] = COMPLETIONS[known.complete]
    if known.panel is not None:
        more["rich_help_panel"] = known.panel
    if known.argument:
        return argument(known.value, known.text, **more)
    if known.kind is bool:
        return flag(known.text, *known.names, **more)
    return option(known.value, known.text, *known.names, min=known.min, **more)


def option(value: str | None, text: str, *names: str, **more: Any) -> Any:
    """An option: what stands for its value in help, what it is for, its names where the parameter's is not the one."""
    return typer.Option(*names, metavar=value, help=text, **more)


def flag(text: str, *names: str, **more: Any) -> Any:
    """An option without a value; with a name, it has no ``--no-`` beside it."""
    return typer.Option(*names, help=text, **more)


def argument(value: str | None, text: str, **more: Any) -> Any:
    """An argument: what stands for it in help, and what it is."""
    return typer.Argument(metavar=value, help=text, **more)


ThemeName = enum.StrEnum("ThemeName", {"LIGHT": "light", "DARK": "dark"})

# Of questions, too
Topology = Annotated[str, declared(shared.TOPOLOGY)]
JsonReport = Annotated[str | None, declared(shared.JSON_REPORT)]
JsonClaims = Annotated[str | None, declared(shared.JSON_CLAIMS)]
PlotFile = Annotated[str | None, option("FILE", "Draw it: .svg, .png or .pdf.")]
Theme = Annotated[ThemeName, declared(shared.THEME)]
UntilWidth = Annotated[str | None, declared(shared.UNTIL_WIDTH)]

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
