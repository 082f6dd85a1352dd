"""Packets, circuits, or what faulty switches leave of a multistage network.

One run; the same run as random trials; or once for every point of a sweep.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.errors import InputError
from ..answer import ALONE, Answer, PlainAnswer, Setting, Shown
from ..given import Given
from ..question import Option, Question, option, question, spelled
from ..shared import JSON_CLAIMS, THEME, UNTIL_WIDTH, Texts

if TYPE_CHECKING:
    from ...core.multistage.wiring import Wiring
    from ...simulate.multistage.runs import WiredRequest, WiredRun
    from ...simulate.multistage.sweeping import Request

_TRIALS = 200
_WIRING = Option(
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
_FAULTS = Option(value="FILE", text="Faulty switches: a JSON list of [level, row].", kind=str | None)
_EPSILON = Option(value="E", text="A block is erased if more than this fraction of it is faulty.")
_THRESHOLD = Option(
    value="T",
    text="A switch is declared faulty if this many of its up-edges (or down-edges) lead to faulty switches; default: "
    "half of them, rounded up.",
)
_TRIAL = Option(
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
        from ...simulate.multistage.claims import described_wiring

        return {"kind": "multistage", "topology": self.asked.wiring, "wiring": described_wiring(self.wiring)}


class PacketsAnswer(WiredAnswer):
    shown = Shown("terminal.wired:packets_parts", figure="figures.packets:packets_run_figure")


class CircuitsAnswer(WiredAnswer):
    shown = Shown("terminal.wired:circuits_parts", figure="figures.circuits:circuits_run_figure")


class FaultsAnswer(WiredAnswer):
    shown = Shown("terminal.wired:faults_parts", figure="figures.survivors:survivors_run_figure")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RepeatedAnswer(PlainAnswer):
    """``variables``: {name: values} of the sweep, none for trials alone."""

    shown = Shown("terminal.sweep:trials_parts")

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


class _Wired(Question[Answer]):
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
        from ...simulate.multistage.trials import swept_trials, trials_claims, trials_subject

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


def _once(given: Given, reason: str) -> None:
    """Raise InputError where ``--plot`` is given, and several runs."""
    many = given["sweep"] or given["trials"] is not None or given["until_width"] is not None
    if given["plot"] is not None and many:
        raise InputError(f"{reason}; leave --sweep and --trials out")


@question
class Packets(_Wired):
    """How fast permutations go through a multistage network, or a cube (hypercube:6, hyperx:3x3, or GRAPH.json).

    Multistage: Upfal's algorithm, several permutations pipelined, or greedy with queues; with --faults, packets that
    start or end at a switch that does not survive are left out. Cubes: a destination graph, or algorithms to compare
    with.

    For example: routeproof simulate packets multibutterfly:1024,d=2,seed=7 --permutation bit-reversal --load 4

        >>> import routeproof as rp
        >>> run = rp.simulate_packets("multibutterfly:64,d=2,seed=7", "bit-reversal", load=4)
        >>> run.value("steps"), run.value("delivered")
        (Fraction(38, 1), Fraction(64, 1))

    Cubes have ``simulate_cube``.  Source: Maggs, Randomly Wired Multistage Networks, sec. 2; Upfal 1989 (STOC).  Raises
    InputError.
    """

    verb, place, function, long = "simulate packets", 130, "simulate_packets", "always"
    kind = "packets"

    wiring: Wiring | str = spelled(_WIRING)
    permutation: str | Sequence[str] = spelled(PERMUTATIONS)
    _: KW_ONLY
    load: int = spelled(LOAD, default=1)
    algorithm: str = option(
        "NAME",
        "Multistage: upfal (waves, phases, colours) or greedy with queues. Cubes: destination-graph, e-cube, "
        "valiant-brebner, valiant-brebner-at-once, greedy, borodin-hopcroft, hamiltonian.",
        default="upfal",
        kind=str | None,
        command_default=None,
        read=lambda _, name: name or "",
        python='"upfal" (waves of at most ``load`` packets) or "greedy", with queues.',
    )
    many_one: str | None = option(
        "FILE", "Cubes: a destination for every node, not all different; or all-to:0.", init=False
    )
    trials: int | None = spelled(
        replace(
            _TRIAL,
            text="Number of runs (200): multistage with the number of each in the place of {trial}, as in "
            "--permutation 'random:seed={trial}'; cubes with a randomized algorithm.",
        ),
        default=None,
    )
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    seed: int = option("S", "Cubes: the random seed.", default=0, init=False, min=0)
    plot: str | None = option("FILE", "Packets by level and step (.svg, .png, .pdf); cubes: every step.", init=False)
    trace: str | None = option("FILE", "Where every packet is after every step, as CSV (Upfal).", default=None)
    faults: str | None = spelled(_FAULTS, default=None)
    epsilon: str = spelled(_EPSILON, default="1/4")
    threshold: int | None = spelled(_THRESHOLD, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        from ...formats.resolve_cube import resolve_cube
        from .cube import CubePackets

        plot, trace, sweep = given["plot"], given["trace"], given["sweep"]
        many = given["trials"] is not None or given["until_width"] is not None
        if not sweep and resolve_cube(given["wiring"]) is not None:
            return CubePackets.read(given)
        for name, path in (("--plot", plot), ("--trace", trace)):
            if path is not None and (sweep or given["algorithm"] == "greedy"):
                raise InputError(
                    f"{name} follows one run of Upfal's algorithm, "
                    + ("a sweep is many runs" if sweep else "greedy packets wait in queues, of any length")
                )
        if given["many_one"] is not None:
            raise InputError("--many-one is for cubes such as hypercube:6, hyperx:3x3 or a destination graph's file")
        if many and (plot is not None or trace is not None):
            raise InputError("--trials and --until-width sample many runs; leave --plot and --trace out")
        return cls(**cls.fields_given(given))

    def once(self, asked: WiredRequest, setting: Setting) -> PacketsAnswer:
        """Permutations as packets, step by step."""
        from ...formats.text_files import write_text_atomic
        from ...simulate.multistage.runs import run_packets
        from ...simulate.packets.slow_permutations import is_adversary
        from ...simulate.packets.trace import packet_trace

        searched = any(map(is_adversary, asked.permutation))
        with setting.stage("permutations tried" if searched else "packets delivered") as progress:
            run = run_packets(asked, progress=progress)
        if self.trace is not None:
            write_text_atomic(self.trace, packet_trace(run.wiring, run.images, load=self.load, alive=run.alive))
        return PacketsAnswer(asked=asked, run=run, stated=run.claims)


@question
class Circuits(_Wired):
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

    wiring: Wiring | str = spelled(_WIRING)
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
    faults: str | None = spelled(_FAULTS, default=None)
    epsilon: str = spelled(_EPSILON, default="1/4")
    threshold: int | None = spelled(_THRESHOLD, default=None)
    trials: int | None = spelled(_TRIAL, default=None)
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    plot: str | None = option("FILE", "Draw a small network with its circuits (.svg, .png, .pdf).", init=False)
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        _once(given, "--plot draws one run")
        return super().read(given)

    def once(self, asked: WiredRequest, setting: Setting) -> CircuitsAnswer:
        """A permutation as disjoint paths."""
        from ...simulate.multistage.runs import run_circuits

        with setting.stage("circuits connected") as progress:
            run = run_circuits(asked, progress=progress)
        return CircuitsAnswer(asked=asked, run=run, stated=run.claims)


@question
class SwitchFaults(_Wired):
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

    wiring: Wiring | str = spelled(_WIRING)
    faults: str = spelled(
        replace(
            _FAULTS,
            command_default=None,
            python='A pattern such as "random:count=5,seed=1", or a file with a JSON list of [level, row].',
        )
    )
    _: KW_ONLY
    epsilon: str = spelled(_EPSILON, default="1/4")
    threshold: int | None = spelled(_THRESHOLD, default=None)
    trials: int | None = spelled(_TRIAL, default=None)
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    plot: str | None = option(
        "FILE", "Draw survivors against random faults, up to twice as many (.svg, .png, .pdf).", init=False
    )
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        _once(given, "--plot has its own seeds and numbers of faults")
        return super().read(given)

    def once(self, asked: WiredRequest, setting: Setting) -> FaultsAnswer:
        """Which inputs and outputs survive the faults."""
        from ...simulate.multistage.runs import run_faults

        with setting.stage("faults"):
            run = run_faults(asked)
        return FaultsAnswer(asked=asked, run=run, stated=run.claims)
