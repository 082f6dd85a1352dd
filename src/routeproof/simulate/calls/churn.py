"""Calls on nonblocking networks: connected and hung up on line, under random churn.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 5 (Arora, Leighton & Maggs 1990).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.spread import Progress

_MOST_EVENTS = 100_000_000  # of a trial: its log is held
_MOST_TRIALS = 1_000_000_000


@dataclass(frozen=True)
class BusyRule:
    """A switch that no call uses is blocked if more than ``splitter`` of its up (or down) neighbours, or more than
    ``merger`` of its 2d neighbours in the first half, are used or blocked; parallel edges count each."""

    splitter: int
    merger: int


def busy_rule(wiring: Wiring, *, beta: Fraction, merger: str = "printed") -> BusyRule:
    """The rule for expansion ``beta``: more than 2 beta - d - 1 of d, and of 2d neighbours more than 4 beta - d - 2 (as
    ``printed``) or 4 beta - 2d - 2 (as the ``argument`` needs).

    Raises InputError unless (d + 1) / 2 <= beta <= d (below, free neighbours alone would block), and for a wiring that
    is not a multi-Benes network.
    """
    d = wiring.multiplicity
    if not wiring.reversed_levels:
        raise InputError(f"{wiring.name} is not a multi-Benes network: busy and blocked switches are defined for those")
    least = Fraction(d + 1, 2)
    if not least <= beta <= d:
        raise InputError(f"beta is {beta}; from {least}, (d + 1) / 2, to {d}, the multiplicity d, was expected")
    limits = {"printed": 4 * beta - d - 2, "argument": 4 * beta - 2 * d - 2}
    if merger not in limits:
        raise InputError(f"the threshold of mergers is {merger!r}; printed or argument was expected")
    limit = limits[merger]
    return BusyRule(int((2 * beta - d - 1) // 1), int(limit // 1))


class Wires(NamedTuple):
    """A ``CallGraph`` for the kernels: its start, head, low, high and side, and for the rule the edges into vertex v,
    ``edge[before[v]:before[v + 1]]``, with their tails.

    cap: int32 (V,), more than so many used or blocked neighbours of a side block a vertex; -1 where none do.
    """

    start: Int64
    head: Int32
    low: Int32
    high: Int32
    cap: Int32
    side: npt.NDArray[np.integer]
    before: Int64
    tail: Int32
    edge: Int32


class Calls(NamedTuple):
    """Calls in progress, by vertex: ``used`` (a call goes through it), ``blocked`` (by the rule), ``lost`` (how many
    edges of each side lead to used or blocked vertices, shape (V, 2)), ``after`` (the next vertex of that call).

    Scratch: ``stamp``, which ``clock``, one number that is counted up, clears; path, place; stack.
    """

    used: npt.NDArray[np.bool_]
    blocked: npt.NDArray[np.bool_]
    lost: Int32
    after: Int32
    stamp: Int64
    clock: Int64
    path: Int64
    place: Int64
    stack: Int64


class Exchange:
    """A network with calls: connect, hang up."""

    def __init__(self, graph: CallGraph, rule: BusyRule | None = None) -> None:
        if not len(graph.head):
            raise InputError(f"{graph.name} has no channels; calls have nowhere to go")
        vertices = graph.num_vertices
        self.graph, self.rule = graph, rule
        cap, before = np.full(vertices, -1, dtype=np.int32), np.zeros(vertices + 1, dtype=np.int64)
        tails = order = np.zeros(0, dtype=np.int32)
        if rule is not None:
            cap[graph.split == 1], cap[graph.split == 0] = rule.splitter, rule.merger
            order = np.argsort(graph.head, kind="stable").astype(np.int32)
            tails = np.repeat(np.arange(vertices, dtype=np.int32), np.diff(graph.start))[order]
            before = offsets_of(np.bincount(graph.head, minlength=vertices))
        self._wires = Wires(graph.start, graph.head, graph.low, graph.high, cap, graph.side, before, tails, order)
        self.used, self.blocked = (np.zeros(vertices, dtype=np.bool_) for _ in range(2))
        depth = int(graph.level.max()) + 2
        scratch = (
            np.zeros(size, dtype=np.int64) for size in (vertices, 1, depth, depth, vertices if rule is not None else 1)
        )
        lost, after = np.zeros((vertices, 2), dtype=np.int32), np.full(vertices, -1, dtype=np.int32)
        self._calls = Calls(self.used, self.blocked, lost, after, *scratch)

    def clear(self) -> None:
        """Hang up all calls."""
        self.used[:] = False
        self.blocked[:] = False
        self._calls.lost[:] = 0

    def connect(self, i: int, j: int, *, salt: int = 0) -> int:
        """Call from idle input ``i`` to idle output ``j``: 0 connected, 1 blocked by the rule, 2 no free path."""
        from .kernels import connect

        sides = (self.graph.terminals, self._wires, self._calls)
        return int(connect(i, j, *sides, np.uint64(salt), self.rule is not None))

    def hang_up(self, i: int) -> int:
        """End the call of busy input ``i``; returns its output."""
        from .kernels import hang_up

        v: int = hang_up(i, self._wires, self._calls)
        return v - (self.graph.num_vertices - self.graph.terminals)

    def trial(self, churn: Churn, trial: int) -> tuple[list[int], Int32, npt.NDArray[np.uint64]]:
        """One trial from an empty network: (requests, by rule, without a path, hang-ups, busy, outcome), the log, and
        the random numbers."""
        from .kernels import churn as run

        self.clear()
        log = np.zeros((churn.events + 1, 3), dtype=np.int32)
        draws = trial_draws(churn.seed, trial, churn.events)
        sides = (self.graph.terminals, self._wires, self._calls)
        occupancy = churn.occupancy.as_integer_ratio()
        found = run(draws, log, occupancy, churn.random_paths, self.rule is not None, *sides)
        return [int(x) for x in found], log, draws


@dataclass(frozen=True)
class Churn:
    """Random churn: in every trial, from an empty network, ``events`` events and then one request that counts.

    An event draws an input, uniformly.  If it is idle it calls with probability ``occupancy`` an output that is idle,
    uniformly; if it is busy it hangs up with probability 1 - ``occupancy``; a call that is blocked is lost.  So about
    this fraction of the inputs is busy, less what is blocked.  The last request is made by the first idle input from a
    random one on (where all are busy, that one hangs up first).  Last requests of different trials are independent.

    A path is found depth first through vertices that no call uses (and that ``rule`` does not block), edges in order of
    colours, or, with ``random_paths``, from a random edge on at every vertex; it never backtracks into a call.
    """

    events: int
    occupancy: Fraction
    seed: int
    rule: BusyRule | None = None
    random_paths: bool = False

    def check(self, trials: int) -> None:
        """Raise InputError for an occupancy outside 0 .. 1 (0 excluded) or counts below 1 (events: 0)."""
        if not 0 < self.occupancy <= 1:
            raise InputError(f"occupancy is {self.occupancy}; a fraction above 0 and at most 1 was expected")
        for name, value, least in (("trials", trials, 1), ("events", self.events, 0), ("seed", self.seed, 0)):
            if value < least:
                raise InputError(f"{name} is {value}; at least {least} was expected")
        if self.events > _MOST_EVENTS or trials > _MOST_TRIALS:
            raise InputError(
                f"{trials} trials of {self.events} events were asked for; "
                f"at most {_MOST_TRIALS:,} of at most {_MOST_EVENTS:,} were expected"
            )
        if self.occupancy.denominator > 1 << 32:
            raise InputError("occupancy has a denominator above 2^32; a simpler fraction was expected")


@dataclass(frozen=True)
class CallRun:
    """What came of ``trials`` independent trials; counts up to ``busy`` are over all events of all trials.

    - ``requests``, ``by_rule``, ``without_path``: calls asked for; blocked by the rule alone; without any free path;
    - ``hang_ups``; ``busy``: calls in progress at the ends of the trials, summed;
    - ``failed``: trials whose last request was blocked; ``failed_without_path``: those of them without any free path;
    - ``first_blocked``: the first trial and event at which a call was blocked.
    """

    trials: int
    requests: int
    by_rule: int
    without_path: int
    hang_ups: int
    busy: int
    failed: int
    failed_without_path: int
    first_blocked: tuple[int, int] | None = None

    def __add__(self, other: CallRun) -> CallRun:
        """Two runs of different trials of one experiment, as one."""
        counts = {x: y + getattr(other, x) for x, y in vars(self).items() if x != "first_blocked"}
        blocked = [x.first_blocked for x in (self, other) if x.first_blocked is not None]
        return replace(self, **counts, first_blocked=min(blocked, default=None))


def trial_draws(seed: int, trial: int, events: int) -> npt.NDArray[np.uint64]:
    """The random numbers of a trial: three for each event, three for the last request."""
    return np.random.PCG64(np.random.SeedSequence([seed, trial])).random_raw(3 * events + 3)


def run_calls(
    graph: CallGraph,
    churn: Churn,
    *,
    trials: int,
    first: int = 0,
    progress: Progress | None = None,
    after: Callable[[int, Exchange], None] | None = None,
) -> CallRun:
    """Trials ``first`` to ``first + trials - 1`` of random churn; ``after`` each: its number, the network.

    Every trial has random numbers of its own, which follow from its number.  Raises InputError as ``Churn.check``.
    """
    churn.check(trials)
    exchange = Exchange(graph, churn.rule)
    runs: list[CallRun] = []
    for done, trial in enumerate(range(first, first + trials), 1):
        (requests, by_rule, without, hung, busy, outcome), log, _ = exchange.trial(churn, trial)
        blocked = (trial, int(np.argmax(log[:, 2] > 0))) if by_rule + without else None
        one = CallRun(1, requests, by_rule, without, hung, busy, int(outcome > 0), int(outcome == 2), blocked)
        runs = [runs[0] + one] if runs else [one]
        if after is not None:
            after(trial, exchange)
        if progress is not None:
            progress(done, trials)
    return runs[0]
