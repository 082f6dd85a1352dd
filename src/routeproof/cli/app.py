"""The command ``routeproof``: its verbs, which ``questions`` declares, and those about the command itself.

Verbs import what they need when they run, so that ``routeproof --help`` answers at once.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .. import __version__
from ..questions.question import verbs
from .examples import tour_of
from .frame.asked import command_of
from .frame.help_pages import Verbs, make_help_readable
from .runs import clean_runs, list_runs, show_run, verify_runs

_SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
_GROUPS = {
    "simulate": ("Run packets, circuits, faults or calls on a multistage network, packets on a cube, or loads on any.",
                 "Simulate and search"),
}  # fmt: skip
_FILES = "Files and runs"
app = typer.Typer(
    name="routeproof",
    help="Exact, certified guarantees for routing in interconnection networks.",
    epilog="Exit status: 0 done; 1 a claim failed verification, or a search ended without an answer; 2 bad input, with "
    "one line on standard error; 130 interrupted; 70 an error of routeproof itself.",
    cls=Verbs,
    rich_markup_mode="rich",
    **_SETTINGS,
)
runs = typer.Typer(help="List, show, verify and clean run directories.", cls=Verbs, **_SETTINGS)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"routeproof {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Exact, certified guarantees for routing in interconnection networks."""


def _add_verbs() -> None:
    groups: dict[str, typer.Typer] = {}
    for verb in verbs():
        group, _, name = vars(verb).get("verb", "").rpartition(" ")
        if group and group not in groups:
            words, panel = _GROUPS[group]
            groups[group] = typer.Typer(help=words, cls=Verbs, **_SETTINGS)
            app.add_typer(groups[group], name=group, rich_help_panel=panel)
        if name and group:
            groups[group].command(name)(command_of(verb))
        elif name:
            app.command(name, rich_help_panel=verb.panel)(command_of(verb))


_add_verbs()
runs.command("list")(list_runs)
runs.command("show")(show_run)
runs.command("verify")(verify_runs)
runs.command("clean")(clean_runs)
app.add_typer(runs, name="runs", rich_help_panel=_FILES)
app.command("examples", rich_help_panel=_FILES)(tour_of(app))
make_help_readable(app)
