"""``routeproof simulate circuits``: disjoint paths through a multistage network."""

from __future__ import annotations

import enum
from typing import Annotated

from ..frame import arguments, inputs, outcome
from ..frame.arguments import option

_Algorithm = enum.StrEnum("_Algorithm", {"SIMPLE": "simple", "PIPELINED": "pipelined"})


def circuits(
    wiring: arguments.Wiring,
    permutation: arguments.Permutations = None,
    load: arguments.Load = 1,
    algorithm: Annotated[
        _Algorithm, option(None, "Level by level, or all levels at once with placeholders and cancellations.")
    ] = _Algorithm.SIMPLE,
    rho: Annotated[str, option("R", "A phase ends when this fraction of the unextended is left (pipelined).")] = "1/2",
    distance: Annotated[int, option("C", "Levels that cancellations travel in a phase (pipelined).")] = 2,
    faults: arguments.FaultFile = None,
    epsilon: arguments.Epsilon = "1/4",
    threshold: arguments.Threshold = None,
    trials: arguments.Trials = None,
    until_width: arguments.UntilWidth = None,
    sweep: arguments.Sweep = None,
    json: arguments.JsonClaims = None,
    plot: Annotated[str | None, option("FILE", "Draw a small network with its circuits (.svg, .png, .pdf).")] = None,
    theme: arguments.Theme = arguments.ThemeName.LIGHT,
) -> None:
    """Connect inputs to outputs by disjoint paths: proposals, acceptances, advances.

    Simple: one level after the other. Pipelined: paths go on before all are extended; placeholders keep the way open
    for those left behind, and cancellations release it.

    Every L-th row is a terminal: the permutation is one of N/L terminals. With --faults, circuits that start or end
    at a switch that does not survive are left out.

    For example: routeproof simulate circuits multibutterfly:64,d=2,seed=7 --permutation bit-reversal --load 4
    """
    from ...core.errors import InputError
    from ...questions.simulate.wired import answer_circuits
    from ...report.terminal.simulated import circuits_parts
    from ...simulate.multistage.runs import WiredRequest
    from .repeated import draw_run, ran_many

    outcome.check_plot(plot)
    if plot is not None and (sweep or trials is not None or until_width is not None):
        raise InputError("--plot draws one run; leave --sweep and --trials out")
    asked = WiredRequest(
        wiring, tuple(permutation or ()), load, algorithm.value, rho, distance, faults, epsilon, threshold
    )
    if ran_many("circuits", asked, trials=trials, until_width=until_width, sweep=sweep, json=json):
        return
    answer = answer_circuits(asked, setting=inputs.setting_here())
    if plot is not None:
        from ...report.figures.runs import circuits_run_figure

        draw_run(plot, circuits_run_figure, answer, theme)
    outcome.finish(answer, circuits_parts, json=json)
