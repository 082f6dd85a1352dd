"""A permutation as disjoint paths through a multistage network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from ..answer import Setting, Shown
from ..given import Given
from ..question import Question, option, question, spelled
from ..shared import JSON_CLAIMS, THEME, UNTIL_WIDTH
from .wired import (
    EPSILON,
    FAULTS,
    LOAD,
    PERMUTATIONS,
    SWEEP,
    THRESHOLD,
    TRIAL,
    WIRING,
    WiredAnswer,
    WiredQuestion,
    check_one_run,
)

if TYPE_CHECKING:
    from ...core.multistage.wiring import Wiring
    from ...simulate.multistage.runs import WiredRequest


class CircuitsAnswer(WiredAnswer):
    shown = Shown("terminal.simulated:circuits_parts", figure="figures.runs:circuits_run_figure")


@question
class Circuits(WiredQuestion):
    """Connect inputs to outputs by disjoint paths: proposals, acceptances, advances.

    Simple: one level after the other. Pipelined: paths go on before all are extended; placeholders keep the way open
    for those left behind, and cancellations release it.

    Every L-th row is a terminal: the permutation is one of N/L terminals. With --faults, circuits that start or end
    at a switch that does not survive are left out.

    For example: routeproof simulate circuits multibutterfly:64,d=2,seed=7 --permutation bit-reversal --load 4

        >>> import routeproof as rp
        >>> run = rp.simulate_circuits("multibutterfly:64,d=2,seed=7", "bit-reversal", load=4)
        >>> run.value("delivered")
        Fraction(16, 1)

    Source: Maggs, sec. 3; Arora, Leighton & Maggs 1990 (STOC).  Raises InputError.
    """

    verb, place, function, long = "simulate circuits", 131, "simulate_circuits", "always"
    kind = "circuits"

    wiring: Wiring | str = spelled(WIRING)
    permutation: str | Sequence[str] = spelled(PERMUTATIONS)
    _: KW_ONLY
    load: int = spelled(LOAD, default=1)
    algorithm: str = option(
        None,
        "Level by level, or all levels at once with placeholders and cancellations.",
        default="simple",
        choices=("simple", "pipelined"),
    )
    rho: str = option("R", "A phase ends when this fraction of the unextended is left (pipelined).", default="1/2")
    distance: int = option("C", "Levels that cancellations travel in a phase (pipelined).", default=2)
    faults: str | None = spelled(FAULTS, default=None)
    epsilon: str = spelled(EPSILON, default="1/4")
    threshold: int | None = spelled(THRESHOLD, default=None)
    trials: int | None = spelled(TRIAL, default=None)
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    plot: str | None = option("FILE", "Draw a small network with its circuits (.svg, .png, .pdf).", init=False)
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        check_one_run(given, "--plot draws one run")
        return super().read(given)

    def once(self, asked: WiredRequest, setting: Setting) -> CircuitsAnswer:
        """A permutation as disjoint paths."""
        from ...simulate.multistage.runs import run_circuits

        with setting.stage("circuits connected") as progress:
            run = run_circuits(asked, progress=progress)
        return CircuitsAnswer(asked=asked, run=run, stated=run.claims)
