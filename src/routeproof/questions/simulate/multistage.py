"""What is asked of runs on multistage networks: permutations as packets, step by step, or as disjoint paths; and what
faulty switches leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
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


class PacketsAnswer(WiredAnswer):
    shown = Shown("terminal.simulated:packets_parts", figure="figures.runs:packets_run_figure")


@question
class Packets(WiredQuestion):
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
    kind, drawn_also = "packets", (".gif",)  # of cubes

    wiring: Wiring | str = spelled(WIRING)
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
            TRIAL,
            text="Number of runs (200): multistage with the number of each in the place of {trial}, as in "
            "--permutation 'random:seed={trial}'; cubes with a randomized algorithm.",
        ),
        default=None,
    )
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    seed: int = option("S", "Cubes: the random seed.", default=0, init=False, min=0)
    plot: str | None = option("FILE", "Packets by level and step (.svg, .png, .pdf); cubes: every step.", init=False)
    trace: str | None = option("FILE", "Where every packet is after every step, as CSV (Upfal).", default=None)
    faults: str | None = spelled(FAULTS, default=None)
    epsilon: str = spelled(EPSILON, default="1/4")
    threshold: int | None = spelled(THRESHOLD, default=None)
    sweep: Sequence[str] = spelled(SWEEP, default=())
    json: str | None = spelled(JSON_CLAIMS, init=False)
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        from ...formats.resolve import resolve_cube
        from .cube import CubePackets

        if not given["sweep"] and resolve_cube(given["wiring"]) is not None:
            return CubePackets.read(given)
        if given["many_one"] is not None:
            raise InputError("--many-one is for cubes such as hypercube:6, hyperx:3x3 or a destination graph's file")
        asked = cls(**cls.fields_given(given))
        if given["plot"] is not None:
            asked.check_followed("--plot")
        return asked

    def __post_init__(self) -> None:
        if self.trace is not None:
            self.check_followed("--trace")

    def check_followed(self, name: str) -> None:
        """Raise InputError, for the option ``name``, unless one run of Upfal's algorithm is asked for."""
        if self.sweep or self.algorithm == "greedy":
            why = "a sweep is many runs" if self.sweep else "greedy packets wait in queues, of any length"
            raise InputError(f"{name} follows one run of Upfal's algorithm, {why}")
        if self.trials is not None or self.until_width is not None:
            raise InputError(f"--trials and --until-width sample many runs; leave {name} out")

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
