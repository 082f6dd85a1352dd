"""``routeproof simulate circuits``: disjoint paths through a multistage network."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from ..verbs.plot_options import Theme, ThemeName
from ..verbs.sampling_options import UntilWidth
from .arguments import Epsilon, FaultFile, JsonFile, Load, Permutations, Sweep, Threshold, Trials, WiringText

__all__ = ["circuits"]


class _Algorithm(enum.StrEnum):
    SIMPLE = "simple"
    PIPELINED = "pipelined"


def circuits(
    wiring: WiringText,
    permutation: Permutations = None,
    load: Load = 1,
    algorithm: Annotated[
        _Algorithm,
        typer.Option("--algorithm", help="Level by level, or all levels at once with placeholders and cancellations."),
    ] = _Algorithm.SIMPLE,
    rho: Annotated[
        str,
        typer.Option(
            "--rho", metavar="R", help="A phase ends when this fraction of the unextended is left (pipelined)."
        ),
    ] = "1/2",
    distance: Annotated[
        int, typer.Option("--distance", metavar="C", help="Levels that cancellations travel in a phase (pipelined).")
    ] = 2,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    trials: Trials = None,
    until_width: UntilWidth = None,
    sweep: Sweep = None,
    json: JsonFile = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw a small network with its circuits (.svg, .png, .pdf)."),
    ] = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Connect inputs to outputs by disjoint paths: proposals, acceptances, advances.

    Simple: one level after the other. Pipelined: paths go on before all are extended; placeholders keep the way open
    for those left behind, and cancellations release it.

    Every L-th row is a terminal: the permutation is one of N/L terminals. With --faults, circuits that start or end
    at a switch that does not survive are left out.

    For example: routeproof simulate circuits multibutterfly:64,d=2,seed=7 --permutation bit-reversal --load 4
    """
    from ...answers.simulate.wired import answer_circuits
    from ...core.errors import InputError
    from ...report.terminal.wired import circuits_parts
    from ...simulate.multistage.runs import WiredRequest
    from ..frame.outcome import check_plot, check_target, finish
    from ..frame.progress import counted
    from .repeated import ran_many

    check_target(json)
    check_plot(plot)
    if plot is not None and (sweep or trials is not None or until_width is not None):
        raise InputError("--plot draws one run; leave --sweep and --trials out")
    asked = WiredRequest(
        wiring,
        tuple(permutation or ()),
        load=load,
        algorithm=algorithm.value,
        rho=rho,
        distance=distance,
        faults=faults,
        epsilon=epsilon,
        threshold=threshold,
    )
    if ran_many("circuits", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_circuits(asked, stage=counted)
    if plot is not None:
        from ...report.figures.circuits import circuits_run_figure
        from ...report.figures.style import theme_named, write_figure

        write_figure(plot, lambda look: circuits_run_figure(answer, look), theme=theme_named(theme.value))
    finish(answer, json=json, shown=circuits_parts(answer))
