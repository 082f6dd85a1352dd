"""``routeproof simulate``: packets, circuits, faults and calls on multistage networks; put together here."""

from __future__ import annotations

import typer

from ..frame.engine_options import long_work
from .calls import calls
from .circuits import circuits
from .faults import faults
from .load import load
from .packets import packets

__all__ = ["simulate"]

simulate = typer.Typer(
    help="Run packets, circuits, faults or calls on a multistage network.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
simulate.command("packets")(long_work(packets))
simulate.command("circuits")(long_work(circuits))
simulate.command("faults")(long_work(faults))
simulate.command("calls")(long_work(calls))
simulate.command("load")(long_work(load))
