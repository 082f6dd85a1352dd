"""``routeproof simulate faults``: what faulty switches leave of a multistage network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..frame import arguments, outcome
from ..frame.arguments import option

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...questions.simulate.wired import WiredAnswer
    from ...report.figures.style import Theme


def faults(
    wiring: arguments.Wiring,
    faults: arguments.FaultFile = None,
    epsilon: arguments.Epsilon = "1/4",
    threshold: arguments.Threshold = None,
    trials: arguments.Trials = None,
    until_width: arguments.UntilWidth = None,
    sweep: arguments.Sweep = None,
    json: arguments.JsonClaims = None,
    plot: Annotated[
        str | None, option("FILE", "Draw survivors against random faults, up to twice as many (.svg, .png, .pdf).")
    ] = None,
    theme: arguments.Theme = arguments.ThemeName.LIGHT,
) -> None:
    """Erase the blocks that lost too much, propagate faults back, and list the inputs and outputs that survive.

    For example: routeproof simulate faults multibutterfly:1024,d=2,seed=7 --faults random:count=20,seed=1 --threshold 2
    """
    from ...core.errors import InputError
    from ...questions.simulate.wired import answer_faults
    from ...report.terminal.simulated import faults_parts
    from ...simulate.multistage.runs import WiredRequest
    from .repeated import draw_run, ran_many

    outcome.check_plot(plot)
    if plot is not None and (sweep or trials is not None or until_width is not None):
        raise InputError("--plot has its own seeds and numbers of faults; leave --sweep and --trials out")
    asked = WiredRequest(wiring, faults=faults, epsilon=epsilon, threshold=threshold)
    if ran_many("faults", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_faults(asked)
    if plot is not None:
        draw_run(plot, _survivors_figure, answer, theme)
    outcome.finish(answer, faults_parts, json=json)


def _survivors_figure(answer: WiredAnswer, look: Theme) -> Figure:
    """Random faults of up to twice as many as there were, five seeds each."""
    from fractions import Fraction

    from ...core.escape import printable
    from ...report.figures.runs import survivor_points, survivors_figure

    wiring, survivors, settings = answer.wiring, answer.run.survivors, answer.claims()[0].evidence.data
    assert survivors is not None
    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    counts = sorted({min(switches, round(int(survivors.faulty.sum()) * k / 8)) for k in range(17)})
    epsilon, threshold = Fraction(settings["epsilon"]), int(settings["threshold"])
    points = survivor_points(wiring, counts, epsilon=epsilon, threshold=threshold)
    return survivors_figure(f"survivors: {printable(wiring.name, limit=50)}", points, of=wiring.inputs, theme=look)
