"""A run on a multistage network many times: as random trials, or once for every point of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.sampling.stopping import Stopping
from ...core.stage import Stage, silent
from ...simulate.multistage.runs import WiredRequest
from ...simulate.multistage.sweeping import Request, sweep_claims, sweep_subject
from ...simulate.multistage.trials import swept_trials, trials_claims, trials_subject
from ..answer import Answer

if TYPE_CHECKING:
    from ...engine import Engine

__all__ = ["RepeatedAnswer", "answer_sweep", "answer_trials"]

_TRIALS = 200


@dataclass(frozen=True, eq=False)
class RepeatedAnswer(Answer):
    """``variables``: {name: values} of the sweep, none for trials alone; ``notes``: how sampling ended, for people."""

    about: dict[str, Any]
    stated: Sequence[Claim]
    variables: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def subject(self) -> dict[str, Any]:
        return self.about

    @property
    def topology(self) -> str:
        """What the user typed."""
        return str(self.about["topology"])

    def claims(self) -> Sequence[Claim]:
        return self.stated


def answer_trials(
    verb: str,
    asked: WiredRequest,
    *,
    trials: int | None = None,
    stopping: Stopping | None = None,
    variables: Mapping[str, Sequence[str]] | None = None,
    engine: Engine | None = None,
    stage: Stage | None = None,
) -> RepeatedAnswer:
    """``asked`` once for every trial, ``{trial}`` in its texts being the trial's number; at every point of a sweep.

    ``verb``: "packets", "circuits" or "faults"; ``trials``: 200 by default; ``stopping``: when they could end;
    ``engine``: where the work is done; ``stage`` as in ``answer_worst_case``.  Raises InputError.
    """
    swept = variables or {}
    subject = trials_subject(verb, asked, swept)
    most = _TRIALS if trials is None else trials
    with (stage or silent)("trials") as progress:
        if swept:
            claims, notes = swept_trials(
                verb, asked, swept, trials=most, stopping=stopping, engine=engine, progress=progress
            )
        else:
            claims, notes = trials_claims(verb, asked, trials=most, stopping=stopping, engine=engine, progress=progress)
    return RepeatedAnswer(subject, claims, swept, notes)


def answer_sweep(
    verb: str,
    asked: Request,
    variables: Mapping[str, Sequence[str]],
    *,
    engine: Engine,
    stage: Stage | None = None,
) -> RepeatedAnswer:
    """``asked`` for every combination of values, each in the place of its name; ``verb``: also "calls"; else as in
    ``answer_trials``."""
    subject = sweep_subject(verb, asked, variables)
    with (stage or silent)("runs") as progress:
        claims = sweep_claims(engine, verb, asked, variables, progress)
    return RepeatedAnswer(subject, claims, variables)
