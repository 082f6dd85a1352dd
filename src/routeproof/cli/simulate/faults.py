"""``routeproof simulate faults``: what faulty switches leave of a multistage network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..verbs.plot_options import Theme, ThemeName
from ..verbs.sampling_options import UntilWidth
from .arguments import Epsilon, FaultFile, JsonFile, Sweep, Threshold, Trials, WiringText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.multistage.wiring import Wiring

__all__ = ["faults"]


def faults(
    wiring: WiringText,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    trials: Trials = None,
    until_width: UntilWidth = None,
    sweep: Sweep = None,
    json: JsonFile = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw survivors against random faults, up to twice as many (.svg, .png, .pdf).",
        ),
    ] = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Erase the blocks that lost too much, propagate faults back, and list the inputs and outputs that survive.

    For example: routeproof simulate faults multibutterfly:1024,d=2,seed=7 --faults random:count=20,seed=1 --threshold 2
    """
    from ...answers.simulate.wired import answer_faults
    from ...core.errors import InputError
    from ...report.terminal.wired import faults_parts
    from ...simulate.multistage.runs import WiredRequest
    from ..frame.outcome import check_plot, check_target, finish
    from .repeated import ran_many

    check_target(json)
    check_plot(plot)
    if plot is not None and (sweep or trials is not None or until_width is not None):
        raise InputError("--plot has its own seeds and numbers of faults; leave --sweep and --trials out")
    asked = WiredRequest(wiring, faults=faults, epsilon=epsilon, threshold=threshold)
    if ran_many("faults", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_faults(asked)
    if plot is not None:
        survivors = answer.run.survivors
        assert survivors is not None
        _draw(answer.wiring, int(survivors.faulty.sum()), answer.claims()[0].evidence.data, plot, theme.value)
    finish(answer, json=json, shown=faults_parts(answer))


def _draw(wiring: Wiring, count: int, settings: Mapping[str, Any], path: str, theme: str) -> None:
    """Random faults of up to twice ``count``, five seeds each."""
    from fractions import Fraction

    from ...report.figures.style import theme_named, write_figure
    from ...report.figures.survivors import survivor_points, survivors_figure
    from ...report.terminal.escape import printable

    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    counts = sorted({min(switches, round(count * k / 8)) for k in range(17)})
    points = survivor_points(
        wiring, counts, epsilon=Fraction(settings["epsilon"]), threshold=int(settings["threshold"])
    )
    title = f"survivors: {printable(wiring.name, limit=50)}"
    write_figure(
        path, lambda look: survivors_figure(title, points, of=wiring.inputs, theme=look), theme=theme_named(theme)
    )
