"""Seeded draws of the paths of all flows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from ...core.sampling.seeded import threshold
from ..base.routing import Routing
from .flows import Flows, steps_of

_HOPS = 64
_CELLS = 1 << 22  # trials times channels at a time
_A, _B, _C = (np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def drawn(flows: Flows, *, seed: int, trials: int) -> list[Fraction]:
    """The largest load per bandwidth in every trial: each time all flows draw their paths again.

    Flow f of trial t uses word(seed, t, 64 f + h): of explicit paths one draw (h = 0), else one at hop h
    (``core.sampling.seeded``).
    """
    step = max(1, _CELLS // flows.network.num_channels)
    return [x for at in range(0, trials, step) for x in _drawn(flows, seed, at, min(at + step, trials))]


def _drawn(flows: Flows, seed: int, start: int, stop: int) -> list[Fraction]:
    network, routing = flows.network, flows.routing
    trials = np.arange(start, stop, dtype=np.uint64)
    count = np.zeros((len(trials), network.num_channels), dtype=np.int32)
    at = np.arange(len(trials))
    flow = 0
    for k, (row, column, number) in enumerate(flows.pairs):
        steps = None if routing.has_explicit_paths else _thresholds(routing, flows.loads[k])
        paths = routing.paths(row, column) if steps is None else []
        limits = _limits([w for w, _ in paths])
        begin, end = int(routing.row_node[row]), int(routing.column_node[column])
        for _ in range(number):
            if steps is None:
                which = np.searchsorted(limits, _words(seed, trials, _HOPS * flow), side="right")
                for number_of, (_, path) in enumerate(paths):
                    some = at[which == number_of]
                    for c in path if len(some) else ():
                        count[some, c] += 1
            else:
                node, hop = np.full(len(trials), begin), 0
                while (left := at[node != end]).size:
                    word = _words(seed, trials, _HOPS * flow + hop)
                    for v in np.unique(node[left]).tolist():
                        here = left[node[left] == v]
                        bounds, channels = steps[v]
                        taken = channels[np.searchsorted(bounds, word[here], side="right")]
                        count[here, taken] += 1
                        node[here] = network.head[taken]
                    hop += 1
            flow += 1
    return _tops(flows, count)


def _tops(flows: Flows, count: npt.NDArray[np.int32]) -> list[Fraction]:
    network = flows.network
    width = sorted(set(network.bandwidth))
    tops = [Fraction(0)] * len(count)
    for b in width:
        some = [c for c in range(network.num_channels) if network.bandwidth[c] == b]
        for t, x in enumerate(count[:, some].max(axis=1).tolist()):
            tops[t] = max(tops[t], x / (b * flows.each))
    return tops


def _thresholds(
    routing: Routing, loads: Mapping[int, Fraction]
) -> dict[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    return {
        v: (_limits([p for _, p in out]), np.array([c for c, _ in out], dtype=np.int64))
        for v, out in steps_of(routing, loads).items()
    }


def _limits(chances: list[Fraction]) -> npt.NDArray[np.int64]:
    """A word below the first is for the first choice, and so on; none is beyond the last."""
    sums = list(accumulate(chances))[:-1]
    return np.array([threshold(x.numerator, x.denominator) for x in sums], dtype=np.int64)


def _words(seed: int, trials: npt.NDArray[np.uint64], use: int) -> npt.NDArray[np.int64]:
    """``core.sampling.seeded.word`` of all trials at once."""
    with np.errstate(over="ignore"):
        mixed = _mixed(_mixed(_mixed(np.full(len(trials), seed, dtype=np.uint64)) ^ trials) ^ np.uint64(use))
    return (mixed >> np.uint64(2)).astype(np.int64)


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    x = x + _A
    x = (x ^ (x >> np.uint64(30))) * _B
    x = (x ^ (x >> np.uint64(27))) * _C
    return x ^ (x >> np.uint64(31))
