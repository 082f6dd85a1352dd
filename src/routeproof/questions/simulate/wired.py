"""Packets, circuits, or what faulty switches leave of a multistage network.

One run; the same run as random trials; or once for every point of a sweep.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.errors import InputError
from ..answer import ALONE, Answer, PlainAnswer, Setting, Shown
from ..given import Given
from ..question import Option, Question
from ..shared import Texts

if TYPE_CHECKING:
    from ...core.multistage.wiring import Wiring
    from ...simulate.multistage.runs import WiredRequest, WiredRun
    from ...simulate.multistage.sweeping import Request

_TRIALS = 200
WIRING = Option(
    value="WIRING",
    text="A wired network such as multibutterfly:1024,d=2,seed=7, or a wiring document (JSON).",
    kind=str,
    complete="wiring",
    argument=True,
)
PERMUTATIONS = Option(
    value="PATTERN",
    text="Who sends to whom: a pattern such as random:seed=1, or a file with one or several permutations. May be given "
    "several times.",
    names=("--permutation", "-p"),
    kind=Texts,
    command_default=None,
    complete="pattern",
    read=lambda _, texts: texts or (),
)
LOAD = Option(value="L", text="The load L of the network.", names=("--load", "-L"))
FAULTS = Option(value="FILE", text="Faulty switches: a JSON list of [level, row].", kind=str | None)
EPSILON = Option(value="E", text="A block is erased if more than this fraction of it is faulty.")
THRESHOLD = Option(
    value="T",
    text="A switch is declared faulty if this many of its up-edges (or down-edges) lead to faulty switches; default: "
    "half of them, rounded up.",
)
TRIAL = Option(
    value="N",
    text="Number of runs, {trial} being the number of each: --permutation 'random:seed={trial}' (200; with "
    "--until-width at most 100000).",
)
SWEEP = Option(
    value="NAME=VALUES",
    text="Once for every value: seed=1..20 or n=64,256, where {seed}, {n} stand in the other texts; load sets --load. "
    "May be given several times.",
    kind=Texts,
    command_default=None,
    read=lambda _, texts: texts or (),
)


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
        from ...simulate.multistage.runs import described_wiring

        return {"kind": "multistage", "topology": self.asked.wiring, "wiring": described_wiring(self.wiring)}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RepeatedAnswer(PlainAnswer):
    """``variables``: {name: values} of the sweep, none for trials alone."""

    shown = Shown("terminal.simulated:trials_parts")

    variables: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def topology(self) -> str:
        """What the user typed."""
        return str(self.about["topology"])


def swept(kind: str, asked: Request, sweep: Sequence[str], setting: Setting) -> RepeatedAnswer:
    """``asked`` for every combination of values, each in the place of its name; ``kind``: "packets", "circuits",
    "faults" or "calls".  Raises InputError."""
    from ...core.sweep import parse_variables
    from ...engine import Engine
    from ...simulate.multistage.sweeping import sweep_claims, sweep_subject

    variables = parse_variables(sweep)
    subject = sweep_subject(kind, asked, variables)
    with setting.stage("runs") as progress, nullcontext(setting.engine) if setting.engine else Engine() as engine:
        claims = sweep_claims(engine, kind, asked, variables, progress)
    return RepeatedAnswer(about=subject, stated=claims, variables=variables)


class WiredQuestion(Question[Answer]):
    """What the kinds of simulation on multistage networks share."""

    kind: ClassVar[str]

    wiring: Wiring | str
    trials: int | None
    until_width: str | None
    sweep: Sequence[str]

    @property
    def title(self) -> str:
        return f"{self.kind} on {_text(self.wiring)}"

    @property
    def engine(self) -> str:
        repeated = self.sweep or self.trials is not None or self.until_width is not None
        return "always" if repeated else ""

    @property
    def asked(self) -> WiredRequest:
        """The run by texts, as a report has it."""
        from ...simulate.multistage.runs import WiredRequest

        own = {x.name for x in fields(self)}  # type: ignore[arg-type]
        texts = {x.name: getattr(self, x.name) for x in fields(WiredRequest) if x.name in own}
        if "permutation" in texts:
            texts["permutation"] = texts_of(texts["permutation"])
        return WiredRequest(**{**texts, "wiring": _text(self.wiring)})

    def answer(self, setting: Setting = ALONE) -> Answer:
        if self.trials is not None or self.until_width is not None:
            return self._trials(setting)
        return swept(self.kind, self.asked, self.sweep, setting) if self.sweep else self.once(self.asked, setting)

    @abstractmethod
    def once(self, asked: WiredRequest, setting: Setting) -> WiredAnswer:
        """One run.  Raises InputError."""

    def _trials(self, setting: Setting) -> RepeatedAnswer:
        """Once for every trial, ``{trial}`` in the texts being the trial's number; at every point of a sweep."""
        from ...core.sampling.stopping import stopping_asked
        from ...core.sweep import parse_variables
        from ...simulate.multistage.sweeping import swept_trials, trials_claims, trials_subject

        asked, variables = self.asked, parse_variables(self.sweep)
        options: dict[str, Any] = {
            "trials": _TRIALS if self.trials is None else self.trials,
            "stopping": stopping_asked(self.until_width, self.trials),
            "engine": setting.engine,
        }
        subject = trials_subject(self.kind, asked, variables)
        with setting.stage("trials") as progress:
            if variables:
                stated, notes = swept_trials(self.kind, asked, variables, progress=progress, **options)
            else:
                stated, notes = trials_claims(self.kind, asked, progress=progress, **options)
        return RepeatedAnswer(about=subject, stated=stated, notes=notes, variables=variables)


def texts_of(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _text(wiring: Wiring | str) -> str:
    if isinstance(wiring, str):
        return wiring
    if wiring.spec is None:
        raise InputError(f"{wiring.name} has no name that makes it again: write_wiring it into a file, and name that")
    return wiring.spec


def check_one_run(given: Given, reason: str) -> None:
    """Raise InputError where ``--plot`` is given, and several runs."""
    many = given["sweep"] or given["trials"] is not None or given["until_width"] is not None
    if given["plot"] is not None and many:
        raise InputError(f"{reason}; leave --sweep and --trials out")
