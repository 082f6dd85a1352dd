"""``routeproof simulate packets|circuits|faults|calls ... --sweep NAME=VALUES``: the same run for every combination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...simulate.multistage.sweeping import Request

__all__ = ["run_sweep"]


def run_sweep(verb: str, asked: Request, sweep: Sequence[str], *, json: str | None) -> None:
    """Run it through the engine that the options ask for, and print the numbers by combination."""
    from ...answers.answer import PlainAnswer
    from ...core.sweep import parse_variables
    from ...report.terminal.sweep import sweep_shown
    from ...simulate.multistage.sweeping import sweep_claims, sweep_subject
    from ..frame.engine_options import engine_here
    from ..frame.outcome import finish
    from ..frame.progress import counted

    variables = parse_variables(sweep)
    subject = sweep_subject(verb, asked, variables)
    with counted("runs") as progress, engine_here() as engine:
        claims = sweep_claims(engine, verb, asked, variables, progress)
    finish(PlainAnswer(subject, claims), json=json, shown=sweep_shown(subject["topology"], variables, claims))
