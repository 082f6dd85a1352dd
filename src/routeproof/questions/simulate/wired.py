"""Packets, circuits, or what faulty switches leave of a multistage network.

One run; the same run as random trials; or once for every point of a sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.multistage.wiring import Wiring
from ...core.sampling.stopping import Stopping
from ...simulate.multistage.claims import described_wiring
from ...simulate.multistage.runs import WiredRequest, WiredRun, run_circuits, run_faults, run_packets
from ...simulate.multistage.sweeping import (
    Request,
    sweep_claims,
    sweep_subject,
    swept_trials,
    trials_claims,
    trials_subject,
)
from ...simulate.packets.slow_permutations import is_adversary
from ..answer import ALONE, Answer, PlainAnswer, Setting

if TYPE_CHECKING:
    pass

_TRIALS = 200


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WiredAnswer(Answer):
    """``run``: what came of ``asked``."""

    asked: WiredRequest
    run: WiredRun

    @property
    def wiring(self) -> Wiring:
        return self.run.wiring

    @property
    def subject(self) -> dict[str, Any]:
        return {"kind": "multistage", "topology": self.asked.wiring, "wiring": described_wiring(self.wiring)}


def answer_packets(asked: WiredRequest, *, setting: Setting = ALONE) -> WiredAnswer:
    """Permutations as packets, step by step.  Raises InputError."""
    searched = any(map(is_adversary, asked.permutation))
    with setting.stage("permutations tried" if searched else "packets delivered") as progress:
        return _answer(asked, run_packets(asked, progress=progress))


def answer_circuits(asked: WiredRequest, *, setting: Setting = ALONE) -> WiredAnswer:
    """A permutation as disjoint paths.  Raises InputError."""
    with setting.stage("circuits connected") as progress:
        return _answer(asked, run_circuits(asked, progress=progress))


def answer_faults(asked: WiredRequest, *, setting: Setting = ALONE) -> WiredAnswer:
    """Which inputs and outputs survive the faults.  Raises InputError."""
    with setting.stage("faults"):
        return _answer(asked, run_faults(asked))


def _answer(asked: WiredRequest, run: WiredRun) -> WiredAnswer:
    return WiredAnswer(asked=asked, run=run, stated=run.claims)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RepeatedAnswer(PlainAnswer):
    """``variables``: {name: values} of the sweep, none for trials alone."""

    variables: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def topology(self) -> str:
        """What the user typed."""
        return str(self.about["topology"])


def answer_trials(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int | None = None,
    stopping: Stopping | None = None,
    variables: Mapping[str, Sequence[str]] | None = None,
    setting: Setting = ALONE,
) -> RepeatedAnswer:
    """``asked`` once for every trial, ``{trial}`` in its texts being the trial's number; at every point of a sweep.

    ``verb``: "packets", "circuits" or "faults"; ``trials``: 200 by default; ``stopping``: when they could end.
    Raises InputError.
    """
    swept = variables or {}
    subject = trials_subject(verb, asked, swept)
    most = _TRIALS if trials is None else trials
    with setting.stage("trials") as progress:
        options: dict[str, Any] = {"trials": most, "stopping": stopping, "engine": setting.engine, "progress": progress}
        found = swept_trials(verb, asked, swept, **options) if swept else trials_claims(verb, asked, **options)
    return RepeatedAnswer(about=subject, stated=found[0], notes=found[1], variables=swept)


def answer_sweep(
    verb: str, asked: Request, variables: Mapping[str, Sequence[str]], *, setting: Setting = ALONE
) -> RepeatedAnswer:
    """``asked`` for every combination of values, each in the place of its name; ``verb``: also "calls"; else as in
    ``answer_trials``."""
    subject = sweep_subject(verb, asked, variables)
    with setting.stage("runs") as progress:
        assert setting.engine is not None
        claims = sweep_claims(setting.engine, verb, asked, variables, progress)
    return RepeatedAnswer(about=subject, stated=claims, variables=variables)
