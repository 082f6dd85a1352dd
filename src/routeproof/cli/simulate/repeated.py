"""What the kinds of simulation on multistage networks share: ``--trials N``, ``--sweep NAME=VALUES``, ``--plot``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..frame import inputs, outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...questions.simulate.wired import WiredAnswer
    from ...report.figures.style import Theme
    from ...simulate.multistage.runs import WiredRequest
    from ...simulate.multistage.sweeping import Request
    from ..frame.arguments import ThemeName


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
    if trials is None and until_width is None:
        if sweep:
            run_sweep(verb, asked, sweep, json=json)
        return bool(sweep)
    from ...core.sampling.stopping import stopping_asked
    from ...core.sweep import parse_variables
    from ...questions.simulate.wired import answer_trials
    from ...report.terminal.simulated import trials_parts

    stopping, variables = stopping_asked(until_width, trials), parse_variables(sweep or ())
    with inputs.long_work(always=True) as setting:
        answer = answer_trials(verb, asked, trials=trials, stopping=stopping, variables=variables, setting=setting)
    outcome.finish(answer, trials_parts, json=json)
    return True


def run_sweep(verb: str, asked: Request, sweep: Sequence[str], *, json: str | None) -> None:
    """Run it through the engine that the options ask for, and print the numbers by combination."""
    from ...core.sweep import parse_variables
    from ...questions.simulate.wired import answer_sweep
    from ...report.terminal.simulated import sweep_parts

    variables = parse_variables(sweep)
    with inputs.long_work(always=True) as setting:
        answer = answer_sweep(verb, asked, variables, setting=setting)
    outcome.finish(answer, sweep_parts, json=json)


def draw_run(path: str, figure: Callable[[WiredAnswer, Theme], Figure], answer: WiredAnswer, theme: ThemeName) -> None:
    """The figure of one run, into a file."""
    from ...report.figures.style import theme_named, write_figure

    write_figure(path, lambda look: figure(answer, look), theme=theme_named(theme.value))
