"""Many requests at once beside calls in progress: the circuit-switching algorithm on the switches that still work.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 5, last paragraph, with the algorithm of sec. 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim, Evidence, Grade
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph, check_call_path
from ...core.sampling.stopping import Stopping
from ...core.stage import Progress
from ..multistage.claims import counted
from .churn import BusyRule, Exchange, check_churn, trial_draws
from .claims import CALL_SOURCE, sampled_share

__all__ = ["TogetherRun", "connect_together", "run_together", "together_added", "together_claims"]

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TogetherRun:
    """``calls`` asked for at once, all trials together, ``connected`` of them; ``steps``: the most path-extension steps
    of a trial; ``whole``: trials in which all were connected."""

    trials: int
    calls: int
    connected: int
    steps: int
    whole: int


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


def _advance(graph: CallGraph, at: Int64, goal: Int64, closed: npt.NDArray[np.bool_]) -> Int64:
    """One step: the next place of each path at ``at`` (all of one level), or -1."""
    degree = int(graph.start[at[0] + 1] - graph.start[at[0]])
    heads = graph.head[graph.start[at][:, None] + np.arange(degree)].astype(np.int64)
    open_ = ~closed[heads] & (graph.low[heads] <= goal[:, None]) & (goal[:, None] <= graph.high[heads])
    once = open_.copy()  # parallel edges count once
    for c in range(1, degree):
        once[:, c] &= ~((heads[:, :c] == heads[:, c : c + 1]) & open_[:, :c]).any(axis=1)
    proposed, times = np.unique(heads[once], return_counts=True)
    accepting = open_ & np.isin(heads, proposed[times == 1])
    first = np.argmax(accepting, axis=1)
    return np.where(accepting.any(axis=1), heads[np.arange(len(at)), first], -1)


def run_together(
    graph: CallGraph,
    *,
    count: int,
    trials: int,
    events: int,
    occupancy: Fraction,
    seed: int,
    rule: BusyRule | None = None,
    random_paths: bool = False,
    first: int = 0,
    progress: Progress | None = None,
) -> TogetherRun:
    """After the churn of each trial of ``calls.run_calls``, ``count`` requests at once (fewer where fewer are idle).

    Idle inputs and idle outputs are taken in the order of random keys, ``PCG64(SeedSequence([seed, trial, 1]))``, one
    for each input, then one for each output.  Raises InputError for a network that is no wiring (its places must come
    in levels), a count outside 1 .. terminals, and as ``run_calls``.
    """
    check_churn(trials=trials, events=events, occupancy=occupancy, seed=seed)
    if not 1 <= count <= graph.terminals:
        raise InputError(f"{count} requests at once; 1 to {graph.terminals}, the number of terminals, was expected")
    if (graph.split < 0).all():
        raise InputError(
            f"{graph.name} has no levels of wires: requests at once are for multi-Benes networks and other wirings"
        )
    exchange = Exchange(graph, rule)
    calls = connected = steps = whole = 0
    for trial in range(first, first + trials):
        exchange.churn(trial_draws(seed, trial, events), events, occupancy, random_paths)
        keys = np.random.PCG64(np.random.SeedSequence([seed, trial, 1])).random_raw(2 * graph.terminals)
        inputs = np.nonzero(~exchange.used[: graph.terminals])[0]
        outputs = np.nonzero(~exchange.used[-graph.terminals :])[0]
        inputs = inputs[np.argsort(keys[inputs], kind="stable")][:count].tolist()
        outputs = outputs[np.argsort(keys[graph.terminals + outputs], kind="stable")][:count].tolist()
        paths, took = connect_together(exchange, list(zip(inputs, outputs, strict=True)))
        done = sum(bool(path) for path in paths)
        calls, connected, steps = calls + len(paths), connected + done, max(steps, took)
        whole += done == len(paths)
        if progress is not None:
            progress(trial + 1 - first, trials)
    return TogetherRun(trials, calls, connected, steps, whole)


def together_added(one: TogetherRun, two: TogetherRun) -> TogetherRun:
    """Two runs of different trials of one experiment, as one."""
    most = max(one.steps, two.steps)
    names = ("trials", "calls", "connected", "whole")
    return TogetherRun(**{x: getattr(one, x) + getattr(two, x) for x in names}, steps=most)


def together_claims(
    run: TogetherRun, count: int, seed: int, stopping: Stopping | None = None, *, alone: bool = False
) -> list[Claim]:
    """together_calls, together_connected, together_steps (the most of a trial), all_connected_probability.

    ``stopping``: when sampling could end; ``alone``: one trial was replayed, of which no probability is stated.
    """
    numbers = {"together_calls": run.calls, "together_connected": run.connected, "together_steps": run.steps}
    data: Mapping[str, Any] = {"with": "requests", "count": count}
    claims = counted(numbers, "call-together", data, CALL_SOURCE)
    if alone:
        return claims
    interval = sampled_share(run.whole, run.trials, seed, stopping)
    looks = {} if stopping is None else stopping.data()
    told = {"with": "together_calls", "whole": run.whole, "method": "Clopper-Pearson", **looks}
    evidence = Evidence("call-together", told)
    claims.append(Claim("all_connected_probability", "==", interval, Grade.SAMPLED, evidence, CALL_SOURCE))
    return claims
