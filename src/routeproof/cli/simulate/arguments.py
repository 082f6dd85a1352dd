"""Arguments that the verbs for multistage networks share."""

from __future__ import annotations

from typing import Annotated

import typer

from ..frame.arguments import complete_pattern

__all__ = ["Epsilon", "FaultFile", "JsonFile", "Load", "Permutations", "Sweep", "Threshold", "Trials", "WiringText"]


def _wirings(incomplete: str) -> list[tuple[str, str]]:
    from ...topologies.family import TOPOLOGIES

    wired = (x for x in TOPOLOGIES.working() if x.wiring is not None)
    return [(x.usage, x.help) for x in wired if x.usage.startswith(incomplete)]


WiringText = Annotated[
    str,
    typer.Argument(
        metavar="WIRING",
        help="A wired network such as multibutterfly:1024,d=2,seed=7, or a wiring document (JSON).",
        autocompletion=_wirings,
    ),
]
Permutations = Annotated[
    list[str] | None,
    typer.Option(
        "--permutation",
        "-p",
        metavar="PATTERN",
        help="Who sends to whom: a pattern such as random:seed=1, or a file with one or several permutations. May be "
        "given several times.",
        autocompletion=complete_pattern,
    ),
]
Load = Annotated[int, typer.Option("--load", "-L", metavar="L", help="The load L of the network.")]
FaultFile = Annotated[
    str | None, typer.Option("--faults", metavar="FILE", help="Faulty switches: a JSON list of [level, row].")
]
Epsilon = Annotated[
    str,
    typer.Option("--epsilon", metavar="E", help="A block is erased if more than this fraction of it is faulty."),
]
Threshold = Annotated[
    int | None,
    typer.Option(
        "--threshold",
        metavar="T",
        help="A switch is declared faulty if this many of its up-edges (or down-edges) lead to faulty switches; "
        "default: half of them, rounded up.",
    ),
]
JsonFile = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the claims as JSON; - for standard output.")
]
Trials = Annotated[
    int | None,
    typer.Option(
        "--trials",
        metavar="N",
        help="Number of runs, {trial} being the number of each: --permutation 'random:seed={trial}' (200; with "
        "--until-width at most 100000).",
    ),
]
Sweep = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        metavar="NAME=VALUES",
        help="Once for every value: seed=1..20 or n=64,256, where {seed}, {n} stand in the other texts; load sets "
        "--load. May be given several times.",
    ),
]
