"""Requests at once beside calls in progress, once more: proposals and acceptances in plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph
from ..kind import EXACT, STOPPING, Kind, States, counts
from ..reading import stated
from ..shapes import ANY, WHOLE, Keys, Word
from ..sources import CALLS
from .call_run import CallRun, check_probability
from .replays import ReplayedExchange

__all__ = ["KINDS", "TOGETHER_COUNTS", "Together", "check_together"]

TOGETHER_COUNTS = ("together_calls", "together_connected", "together_steps")


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


def check_together(run: CallRun, claim: Claim) -> None:
    """Counts of the run done again, or the interval that follows from them."""
    counts = run.together
    if counts is None:
        raise VerificationError("the run says nothing about it")
    if claim.quantity in TOGETHER_COUNTS:
        if claim.value != Fraction(counts[claim.quantity]):
            raise VerificationError(f"it is {stated(claim)}; the run gives {counts[claim.quantity]}")
        return
    check_probability(run, claim, counts["whole"], "whole")


_COUNTS = ("together_calls", "together_connected", "together_steps")
_WHOLE = Keys({"with": Word("together_calls"), "whole": WHOLE, "method": Word("Clopper-Pearson")}, STOPPING)
KINDS: Mapping[str, Kind] = {
    "call-together": Kind(
        ANY,
        {
            **counts(_COUNTS, Keys({"with": Word("requests"), "count": WHOLE})),
            "all_connected_probability": States(EXACT, Grade.SAMPLED, evidence=_WHOLE),
        },
        CALLS,
        check_together,
    )
}
