"""``routeproof simulate packets|circuits|faults ... --trials N``: Monte Carlo, ``{trial}`` the number of each trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...simulate.multistage.runs import WiredRequest

__all__ = ["ran_many", "run_trials"]

_TRIALS = 200


def ran_many(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int | None,
    until_width: str | None,
    sweep: Sequence[str] | None,
    json: str | None,
) -> bool:
    """Do trials or a sweep where they are asked for; False where one run is."""
    if trials is not None or until_width is not None:
        run_trials(verb, asked, trials=trials, until_width=until_width, json=json, sweep=sweep)
        return True
    if sweep:
        from .sweep import run_sweep

        run_sweep(verb, asked, sweep, json=json)
        return True
    return False


def run_trials(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int | None,
    until_width: str | None,
    json: str | None,
    sweep: Sequence[str] | None = None,
) -> None:
    """Run them through the engine that the options ask for, at every point of a sweep, and print the intervals."""
    from rich.text import Text

    from ...answers.answer import PlainAnswer
    from ...core.claim import Interval
    from ...core.sampling.stopping import stopping_asked
    from ...core.sweep import parse_variables
    from ...report.terminal.escape import printable
    from ...report.terminal.numbers import trials_text
    from ...report.terminal.sweep import sweep_shown
    from ...report.terminal.table import claims_table
    from ...simulate.multistage.trials import swept_trials, trials_claims, trials_subject
    from ..frame.engine_options import engine_here
    from ..frame.outcome import finish
    from ..frame.progress import counted

    stopping = stopping_asked(until_width, trials)
    variables = parse_variables(sweep or ())
    subject = trials_subject(verb, asked, variables)
    most = _TRIALS if trials is None else trials
    with counted("trials") as progress, engine_here() as engine:
        if variables:
            claims, notes = swept_trials(
                verb, asked, variables, trials=most, stopping=stopping, engine=engine, progress=progress
            )
            table = sweep_shown(asked.wiring, variables, claims)
            finish(PlainAnswer(subject, claims), json=json, shown=[*table, *map(Text, notes)])
            return
        claims, notes = trials_claims(verb, asked, trials=most, stopping=stopping, engine=engine, progress=progress)
    count = claims[0].value.trials if isinstance(claims[0].value, Interval) else 0
    shown = [
        Text(f"{printable(asked.wiring)}: {trials_text(count)}", style="bold"),
        claims_table(claims),
        *map(Text, notes),
        Text("a trial alone: its number in the place of {trial}, without --trials", style="dim"),
    ]
    finish(PlainAnswer(subject, claims), json=json, shown=shown)
