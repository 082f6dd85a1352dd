"""``routeproof simulate``: packets, circuits and faults on multistage networks; one verb each, put together here."""

from __future__ import annotations

import typer

from .simulate_circuits import circuits
from .simulate_faults import faults
from .simulate_load import load
from .simulate_packets import packets

__all__ = ["simulate"]

simulate = typer.Typer(
    help="Run packets, circuits or faults on a multistage network.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
simulate.command("packets")(packets)
simulate.command("circuits")(circuits)
simulate.command("faults")(faults)
simulate.command("load")(load)
