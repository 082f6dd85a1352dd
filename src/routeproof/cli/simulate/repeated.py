"""``routeproof simulate packets|circuits|faults|calls ... --trials N --sweep NAME=VALUES``: the same run many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...simulate.multistage.runs import WiredRequest
    from ...simulate.multistage.sweeping import Request

__all__ = ["ran_many", "run_sweep"]


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
        _run_trials(verb, asked, trials=trials, until_width=until_width, json=json, sweep=sweep or ())
        return True
    if sweep:
        run_sweep(verb, asked, sweep, json=json)
        return True
    return False


def run_sweep(verb: str, asked: Request, sweep: Sequence[str], *, json: str | None) -> None:
    """Run it through the engine that the options ask for, and print the numbers by combination."""
    from ...answers.simulate.wired import answer_sweep
    from ...core.sweep import parse_variables
    from ...report.terminal.sweep import sweep_parts
    from ..frame.engine_options import engine_here
    from ..frame.outcome import finish
    from ..frame.progress import counted

    variables = parse_variables(sweep)
    with engine_here() as engine:
        answer = answer_sweep(verb, asked, variables, engine=engine, stage=counted)
    finish(answer, json=json, shown=sweep_parts(answer))


def _run_trials(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int | None,
    until_width: str | None,
    json: str | None,
    sweep: Sequence[str],
) -> None:
    from ...answers.simulate.wired import answer_trials
    from ...core.sampling.stopping import stopping_asked
    from ...core.sweep import parse_variables
    from ...report.terminal.trials import trials_parts
    from ..frame.engine_options import engine_here
    from ..frame.outcome import finish
    from ..frame.progress import counted

    stopping, variables = stopping_asked(until_width, trials), parse_variables(sweep)
    with engine_here() as engine:
        answer = answer_trials(
            verb, asked, trials=trials, stopping=stopping, variables=variables, engine=engine, stage=counted
        )
    finish(answer, json=json, shown=trials_parts(answer))
