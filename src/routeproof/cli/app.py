"""The command ``routeproof``: its verbs, one file each, put together.

Verbs import what they need when they run, so that ``routeproof --help`` answers at once.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .. import __version__
from ..questions.adaptive import Adaptive
from ..questions.compare import Compare
from ..questions.deadlock import Deadlock
from ..questions.design import DesignVerb
from ..questions.expansion import Expansion
from ..questions.failures import Failures
from ..questions.hashing import Hashing, Split
from ..questions.of_one_routing import WorstCaseVerb
from ..questions.tradeoff import TradeoffVerb
from .frame.added_options import add_figure_options, add_host_options, add_html_option, add_quiet_option, long_work
from .frame.arguments import flag
from .frame.asked import command_of
from .frame.help_pages import make_help_readable
from .simulate.calls import calls
from .simulate.circuits import circuits
from .simulate.faults import faults
from .simulate.load import load
from .simulate.packets import packets
from .verbs.check import check
from .verbs.convert import convert
from .verbs.examples import tour_of
from .verbs.runs import clean_runs, list_runs, show_run, verify_runs
from .verbs.search import search
from .verbs.study import study
from .verbs.verify import verify

_SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
app = typer.Typer(
    name="routeproof",
    help="Exact, certified guarantees for routing in interconnection networks.",
    epilog="Exit status: 0 done; 1 a claim failed verification; 2 bad input, with one line on standard error.",
    rich_markup_mode="rich",
    **_SETTINGS,
)
simulate = typer.Typer(help="Run packets, circuits, faults or calls on a multistage network.", **_SETTINGS)
runs = typer.Typer(help="List, show, verify and clean run directories.", **_SETTINGS)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"routeproof {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, flag("Show the version and exit.", "--version", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Exact, certified guarantees for routing in interconnection networks."""


simulate.command("packets")(long_work(packets))
simulate.command("circuits")(long_work(circuits))
simulate.command("faults")(long_work(faults))
simulate.command("calls")(long_work(calls))
simulate.command("load")(long_work(load))
runs.command("list")(list_runs)
runs.command("show")(show_run)
runs.command("verify")(verify_runs)
runs.command("clean")(clean_runs)
app.command("worst-case")(command_of(WorstCaseVerb, "worst_case"))
app.command("compare")(command_of(Compare))
app.command("deadlock")(command_of(Deadlock))
app.command("failures")(command_of(Failures))
app.command("hashing")(command_of(Hashing))
app.command("split")(command_of(Split))
app.command("check")(check)
app.command("design")(command_of(DesignVerb, "design"))
app.command("adaptive")(command_of(Adaptive))
app.command("tradeoff")(command_of(TradeoffVerb, "tradeoff"))
app.command("search")(long_work(search))
app.command("expansion")(command_of(Expansion))
app.add_typer(simulate, name="simulate")
app.command("study")(long_work(study))
app.command("verify")(verify)
app.command("convert")(convert)
add_figure_options(app)
add_host_options(app)
add_html_option(app)  # last: to all verbs above
add_quiet_option(app)
app.add_typer(runs, name="runs")  # no pages of these
app.command("examples")(tour_of(app))
make_help_readable(app)
