"""Random calls once more, one by one and at once, in plain Python, from the conventions and not from ``simulate``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph

_MASK = (1 << 64) - 1


def replay_calls(
    graph: CallGraph,
    *,
    trials: int,
    events: int,
    occupancy: Fraction,
    seed: int,
    random_paths: bool,
    caps: tuple[int, int] | None,
    first: int = 0,
    after: Callable[[int, ReplayedExchange], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """The counts of all trials; ``caps``: (most lost neighbours of one side at a splitter, at a merger), or None."""
    counted = ("requests", "blocked_by_rule", "blocked_without_path", "hang_ups", "calls_in_progress")
    total = dict.fromkeys((*counted, "failed", "failed_without_path"), 0)
    exchange = ReplayedExchange(graph, caps)
    size = graph.terminals
    for trial in range(first, first + trials):
        exchange.clear()
        idle = list(range(size))
        raw = np.random.PCG64(np.random.SeedSequence([seed, trial])).random_raw(3 * events + 3).tolist()
        outcome = 0
        for event in range(events + 1):
            who, coin, choice = raw[3 * event : 3 * event + 3]
            i, calls = who % size, coin % occupancy.denominator < occupancy.numerator
            if event == events:
                free = [k for k in (*range(i, size), *range(i)) if k not in exchange.calls]
                i, calls = (free[0] if free else i), True
                if not free:
                    idle.append(exchange.end(i))
                    total["hang_ups"] += 1
            elif i in exchange.calls:
                if not calls:
                    idle.append(exchange.end(i))
                    total["hang_ups"] += 1
                continue
            if not calls:
                continue
            at = choice % len(idle)
            outcome = exchange.begin(i, idle[at], choice | 1 if random_paths else 0)
            total["requests"] += 1
            if outcome == 0:
                idle[at] = idle[-1]
                idle.pop()
            else:
                total["blocked_by_rule" if outcome == 1 else "blocked_without_path"] += 1
        total["calls_in_progress"] += len(exchange.calls)
        total["failed"] += outcome > 0
        total["failed_without_path"] += outcome == 2
        if after is not None:
            after(trial, exchange)
        if progress is not None:
            progress(trial + 1 - first, trials)
    return total


class ReplayedExchange:
    """Calls in progress, by input, and what that closes."""

    def __init__(self, graph: CallGraph, caps: tuple[int, int] | None) -> None:
        self.graph, self.caps = graph, caps
        self.calls: dict[int, list[int]] = {}
        self.heads = [graph.head[a:b].tolist() for a, b in zip(graph.start[:-1], graph.start[1:], strict=True)]
        self.low, self.high = graph.low.tolist(), graph.high.tolist()
        self.by_level = [np.nonzero(graph.level == x)[0] for x in range(int(graph.level.max()), -1, -1)]
        self.used: set[int] = set()
        self.lost: set[int] | None = None

    def clear(self) -> None:
        self.calls.clear()
        self.used.clear()
        self.lost = None

    def closed(self) -> set[int]:
        """The switches that are used or blocked, computed from the outputs back."""
        if self.lost is None:
            graph = self.graph
            bad = np.zeros(graph.num_vertices, dtype=np.bool_)
            bad[list(self.used)] = True
            assert self.caps is not None
            for rows in self.by_level:
                for kind, most in ((1, self.caps[0]), (0, self.caps[1])):
                    here = rows[graph.split[rows] == kind]
                    if len(here):
                        degree = int(graph.start[here[0] + 1] - graph.start[here[0]])
                        edges = graph.start[here][:, None] + np.arange(degree)
                        gone = bad[graph.head[edges]]
                        for side in (0, 1):
                            bad[here] |= (gone & (graph.side[edges] == side)).sum(axis=1) > most
            self.lost = set(np.nonzero(bad)[0].tolist())
        return self.lost

    def begin(self, i: int, j: int, salt: int) -> int:
        path = self.search(i, j, salt, self.used if self.caps is None else self.closed())
        if path is None:
            if self.caps is None or self.search(i, j, salt, self.used) is None:
                return 2
            return 1
        if path[0] != i or path[-1] != self.graph.output(j) or not self.used.isdisjoint(path):
            raise VerificationError("a call goes astray")
        self.calls[i] = path
        self.used.update(path)
        self.lost = None
        return 0

    def end(self, i: int) -> int:
        path = self.calls.pop(i)
        self.used.difference_update(path)
        self.lost = None
        return path[-1] - (self.graph.num_vertices - self.graph.terminals)

    def search(self, i: int, j: int, salt: int, closed: set[int]) -> list[int] | None:
        goal = self.graph.output(j)
        seen = {i}
        path = [i]
        waiting = [iter(self.ordered(i, salt))]
        while path:
            w = next(waiting[-1], None)
            if w is None:
                path.pop()
                waiting.pop()
            elif w not in seen and w not in closed and self.low[w] <= j <= self.high[w]:
                path.append(w)
                if w == goal:
                    return path
                seen.add(w)
                waiting.append(iter(self.ordered(w, salt)))
        return None

    def ordered(self, v: int, salt: int) -> list[int]:
        heads: list[int] = self.heads[v]
        if salt == 0 or len(heads) <= 1:
            return heads
        z = (salt + v * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        turn = (z ^ (z >> 31)) % len(heads)
        return heads[turn:] + heads[:turn]


class Together:
    """Counts that add up trial by trial: to be called after each trial of ``replay_calls``."""

    def __init__(self, graph: CallGraph, count: int, seed: int) -> None:
        self.graph, self.count, self.seed = graph, count, seed
        self.counts = {"together_calls": 0, "together_connected": 0, "together_steps": 0, "whole": 0}

    def __call__(self, trial: int, exchange: ReplayedExchange) -> None:
        size = self.graph.terminals
        keys = np.random.PCG64(np.random.SeedSequence([self.seed, trial, 1])).random_raw(2 * size).tolist()
        busy = {path[-1] - (self.graph.num_vertices - size) for path in exchange.calls.values()}
        inputs = sorted((k for k in range(size) if k not in exchange.calls), key=lambda i: (keys[i], i))
        outputs = sorted((k for k in range(size) if k not in busy), key=lambda j: (keys[size + j], j))
        pairs = list(zip(inputs, outputs, strict=True))[: self.count]
        connected, steps = self.connect(pairs, exchange.used if exchange.caps is None else exchange.closed(), exchange)
        self.counts["together_calls"] += len(pairs)
        self.counts["together_connected"] += connected
        self.counts["together_steps"] = max(self.counts["together_steps"], steps)
        self.counts["whole"] += connected == len(pairs)

    def connect(
        self, pairs: Sequence[tuple[int, int]], closed: set[int], exchange: ReplayedExchange
    ) -> tuple[int, int]:
        here = dict(pairs)  # place -> output
        steps = 0
        for _ in range(int(self.graph.level.max())):
            there: dict[int, int] = {}
            while here:
                ways = {
                    v: [w for w in exchange.heads[v] if w not in closed and exchange.low[w] <= j <= exchange.high[w]]
                    for v, j in here.items()
                }
                asked: dict[int, int] = {}
                for heads in ways.values():
                    for w in set(heads):
                        asked[w] = asked.get(w, 0) + 1
                won = {
                    v: next(w for w in heads if asked[w] == 1)
                    for v, heads in ways.items()
                    if 1 in map(asked.get, heads)
                }
                if not won:
                    break
                steps += 1
                for v, w in won.items():
                    if w in there:
                        raise VerificationError("two calls meet")
                    there[w] = here.pop(v)
            here = there
        if any(self.graph.output(j) != v for v, j in here.items()):
            raise VerificationError("a call goes astray")
        return len(here), steps
