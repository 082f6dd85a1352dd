"""What faulty switches leave of a multistage network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Any

from ..answer import Setting, Shown
from ..given import Given
from ..question import Question, option, question, spelled
from ..shared import JSON_CLAIMS, THEME, UNTIL_WIDTH
from .wired import (
    EPSILON,
    FAULTS,
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


class FaultsAnswer(WiredAnswer):
    shown = Shown("terminal.simulated:faults_parts", figure="figures.runs:survivors_run_figure")


@question
class SwitchFaults(WiredQuestion):
    """Erase the blocks that lost too much, propagate faults back, and list the inputs and outputs that survive.

    For example: routeproof simulate faults multibutterfly:1024,d=2,seed=7 --faults random:count=20,seed=1 --threshold 2

        >>> import routeproof as rp
        >>> left = rp.simulate_faults("multibutterfly:64,d=2,seed=7", "random:count=5,seed=1")
        >>> left.value("faults")
        Fraction(5, 1)

    Source: Leighton & Maggs 1992.  Raises InputError.
    """

    verb, place, function, long = "simulate faults", 132, "simulate_faults", "always"
    kind = "faults"

    wiring: Wiring | str = spelled(WIRING)
    faults: str = spelled(
        replace(
            FAULTS,
            command_default=None,
            python='A pattern such as "random:count=5,seed=1", or a file with a JSON list of [level, row].',
        )
    )
    _: KW_ONLY
    epsilon: str = spelled(EPSILON, default="1/4")
    threshold: int | None = spelled(THRESHOLD, default=None)
    trials: int | None = spelled(TRIAL, default=None)
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    plot: str | None = option(
        "FILE", "Draw survivors against random faults, up to twice as many (.svg, .png, .pdf).", init=False
    )
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        check_one_run(given, "--plot has its own seeds and numbers of faults")
        return super().read(given)

    def once(self, asked: WiredRequest, setting: Setting) -> FaultsAnswer:
        """Which inputs and outputs survive the faults."""
        from ...simulate.multistage.runs import run_faults

        with setting.stage("faults"):
            run = run_faults(asked)
        return FaultsAnswer(asked=asked, run=run, stated=run.claims)
