"""Many requests at once beside calls in progress: the circuit-switching algorithm on the switches that still work.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 5, last paragraph, with the algorithm of sec. 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph, check_call_path
from ...core.spread import Progress
from ..circuits.switching import accepted
from .churn import CallRun, Churn, Exchange, run_calls


@dataclass(frozen=True)
class TogetherRun:
    """``calls`` asked for at once, all trials together, ``connected`` of them; ``steps``: the most path-extension steps
    of a trial; ``whole``: trials in which all were connected."""

    trials: int
    calls: int
    connected: int
    steps: int
    whole: int

    def __add__(self, other: TogetherRun) -> TogetherRun:
        """Two runs of different trials of one experiment, as one."""
        counts = {x: y + getattr(other, x) for x, y in vars(self).items()}
        return TogetherRun(**{**counts, "steps": max(self.steps, other.steps)})


def connect_together(exchange: Exchange, pairs: list[tuple[int, int]]) -> tuple[list[list[int]], int]:
    """Paths for idle (input, output) pairs, all at once, and the path-extension steps; [] for a call that fails.

    Level by level: every path that is not extended proposes to all its next places that work (no call uses them, the
    rule does not block them, the output can be reached); a place with precisely one proposal accepts; who is accepted
    goes on along the first edge.  A level ends when nobody advances: who is left there fails.  The calls are not
    connected; the paths are checked to be disjoint from each other and from the calls in progress.
    """
    graph = exchange.graph
    closed = exchange.used | exchange.blocked
    at = np.array([i for i, _ in pairs], dtype=np.int64)
    goal = np.array([j for _, j in pairs], dtype=np.int64)
    paths = [[i] for i, _ in pairs]
    alive = np.ones(len(pairs), dtype=np.bool_)
    steps = 0
    for _ in range(int(graph.level.max())):
        left = np.nonzero(alive)[0]
        while len(left):
            heads = _advance(graph, at[left], goal[left], closed)
            moved = heads >= 0
            if not moved.any():
                break
            steps += 1
            for k, w in zip(left[moved].tolist(), heads[moved].tolist(), strict=True):
                paths[k].append(w)
            left = left[~moved]
        alive[left] = False
        at = np.array([path[-1] for path in paths], dtype=np.int64)
    used = set(np.nonzero(exchange.used)[0].tolist())
    for k, path in enumerate(paths):
        if not alive[k]:
            paths[k] = []
        elif check_call_path(graph, path, used) != pairs[k]:
            raise AssertionError("a call ends at another output than it was asked for")
        else:
            used.update(path)
    return paths, steps


def _advance(graph: CallGraph, at: Int64, goal: Int64, closed: npt.NDArray[np.bool_]) -> npt.NDArray[np.integer]:
    """One step: the next place of each path at ``at`` (all of one level), or -1."""
    degree = int(graph.start[at[0] + 1] - graph.start[at[0]])
    heads = graph.head[graph.start[at] + np.arange(degree)[:, None]].astype(np.int64)
    open_ = ~closed[heads] & (graph.low[heads] <= goal) & (goal <= graph.high[heads])
    return accepted(heads, open_)[1]


def run_together(
    graph: CallGraph, churn: Churn, *, count: int, trials: int, first: int = 0, progress: Progress | None = None
) -> tuple[CallRun, TogetherRun]:
    """``run_calls``, and after each trial ``count`` requests at once (fewer where fewer are idle).

    Idle inputs and idle outputs are taken in the order of random keys, ``PCG64(SeedSequence([seed, trial, 1]))``, one
    for each input, then one for each output.  Raises InputError for a network that is not a wiring (its places must
    come in levels), a count outside 1 .. terminals, and as ``run_calls``.
    """
    churn.check(trials)
    if not 1 <= count <= graph.terminals:
        raise InputError(f"{count} requests at once; 1 to {graph.terminals}, the number of terminals, was expected")
    if (graph.split < 0).all():
        raise InputError(
            f"{graph.name} has no levels of wires: requests at once are for multi-Benes networks and other wirings"
        )
    found = TogetherRun(0, 0, 0, 0, 0)

    def at_once(trial: int, exchange: Exchange) -> None:
        nonlocal found
        keys = np.random.PCG64(np.random.SeedSequence([churn.seed, trial, 1])).random_raw(2 * graph.terminals)
        inputs = np.nonzero(~exchange.used[: graph.terminals])[0]
        outputs = np.nonzero(~exchange.used[-graph.terminals :])[0]
        inputs = inputs[np.argsort(keys[inputs], kind="stable")][:count].tolist()
        outputs = outputs[np.argsort(keys[graph.terminals + outputs], kind="stable")][:count].tolist()
        paths, steps = connect_together(exchange, list(zip(inputs, outputs, strict=True)))
        done = sum(bool(path) for path in paths)
        found += TogetherRun(1, len(paths), done, steps, int(done == len(paths)))

    return run_calls(graph, churn, trials=trials, first=first, progress=progress, after=at_once), found
