"""``routeproof examples``: a tour of what the command can do, run before your eyes."""

from __future__ import annotations

import contextlib
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .frame.options import option
from .frame.screen import show


@dataclass(frozen=True)
class Stop:
    """One command of the tour, what it is for, and the library that it needs beyond the usual ones."""

    words: str
    command: str


TOUR = (
    Stop(
        "The worst case of a routing, exact and proved; with a report, and a page to explore.",
        "worst-case torus:5x5 --routing romm --traffic tornado --json romm.json --html romm.html",
    ),
    Stop("Every claim of the report, checked again without a solver.", "verify romm.json"),
    Stop("Several routings side by side.", "compare torus:5x5 dor valiant ival"),
    Stop(
        "The best routing that this network can have, and the proof that nothing beats it.",
        "design torus:4x4 --objective worst-case --output best.json",
    ),
    Stop(
        "A schedule for all requests at once on the 6-cube, in the fewest steps possible.",
        "search many-one --radix 2 --dimensions 6 --steps 11 --output graph.json",
    ),
    Stop("Is the schedule valid? No two packets ever meet.", "check graph.json"),
    Stop(
        "A permutation through a randomly wired network, step by step.",
        "simulate packets multibutterfly:64,d=2,seed=7 --permutation bit-reversal --load 4",
    ),
    Stop(
        "A drawing of a network, channels as wide as their bandwidth.",
        "convert mesh:4x3,bandwidth=2x1 mesh.svg",
    ),
)


def tour_of(app: typer.Typer) -> Callable[..., None]:
    """The verb ``examples`` of ``app``, whose other verbs it runs."""

    def examples(
        keep: Annotated[str | None, option("DIRECTORY", "Leave the files that the tour writes there.")] = None,
    ) -> None:
        """A tour of a few seconds: runs commands and shows what they print.

        For example: routeproof examples --keep tour
        """
        from ..core.errors import InputError

        if keep is None:
            with tempfile.TemporaryDirectory() as folder:
                _walk(app, Path(folder))
            return
        try:
            Path(keep).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"cannot make the directory {keep[:200]}: {why}") from None
        _walk(app, Path(keep))

    return examples


def _walk(app: typer.Typer, folder: Path) -> None:
    from rich.text import Text

    from .frame.shield import run_command

    with contextlib.chdir(folder):
        for number, stop in enumerate(TOUR, start=1):
            show(Text(f"{number}. {stop.words}", style="bold"), Text(f"$ routeproof {stop.command}", style="cyan"))
            status = run_command(app, shlex.split(stop.command))
            if status:
                raise typer.Exit(status)
            show(Text())
        show(Text("Your own network next: routeproof worst-case FILE.graphml --routing minimal --html page.html"))
