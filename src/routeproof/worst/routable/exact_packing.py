"""The program of ``packing`` in fractions, without any solver: for small networks.

The revised simplex method with the inverse of the basis kept row by row, sparse.  Of rows that limit a step equally
far, the one whose row of the inverse is lexicographically least leaves, so that no basis comes back.  The program of
another channel has the same rows and bounds: it starts from the basis at hand.

Source: Dantzig, Orden & Wolfe 1955 (lexicographic rule); Ford & Fulkerson 1958 (paths as columns).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...graphs.shortest import cheapest, path_by
from .loads import PairLoads

Path = tuple[int, ...]
_ZERO = Fraction(0)


@dataclass(frozen=True, eq=False)
class ExactlyPacked:
    """``flow`` makes ``value``; ``length``: whole lengths, int64 (C,), that prove it the most, or None where they are
    too long for 64 bits."""

    value: Fraction
    length: Int64 | None
    flow: list[tuple[int, int, Path, Fraction]]


class ExactPacking:
    """The programs of one network.  A basic column is a channel's slack, ``(e,)`` with no pair, or a pair's path."""

    def __init__(self, network: Network) -> None:
        self.network = network
        count = network.num_channels
        self._bandwidth = [Fraction(x) for x in network.bandwidth]
        self._inverse: list[dict[int, Fraction]] = [{e: Fraction(1)} for e in range(count)]
        self._amount = list(self._bandwidth)
        self._basic: list[tuple[tuple[int, int] | None, Path]] = [(None, (e,)) for e in range(count)]
        offset, channel = network.out_channels
        self._leaving: list[list[tuple[int, int]]] = [
            [(e, int(network.head[e])) for e in some.tolist()] for some in np.split(channel, offset[1:-1])
        ]

    def most(self, loads: PairLoads) -> ExactlyPacked:
        """Raises InputError where some pair has no path."""
        ends = zip(loads.source.tolist(), loads.destination.tolist(), strict=True)
        weight = dict(zip(ends, loads.load.fractions(), strict=True))
        by_source: dict[int, list[tuple[int, Fraction]]] = {}
        for (i, j), w in weight.items():
            by_source.setdefault(i, []).append((j, w))
        while True:
            length = self._lengths(weight)
            entering = self._entering(length, by_source)
            if entering is None:
                break
            self._pivot(*entering)
        value = sum((x * weight.get(pair, _ZERO) for (pair, _), x in self._held() if pair), _ZERO)
        common = math.lcm(*(x.denominator for x in length))
        whole = [int(x * common) for x in length]
        fits = max(whole, default=0) * max(1, len(whole)) < 1 << 53
        flow = [(*pair, path, x) for (pair, path), x in self._held() if pair and x and pair in weight]
        return ExactlyPacked(value, np.array(whole, dtype=np.int64) if fits else None, flow)

    def _held(self) -> list[tuple[tuple[tuple[int, int] | None, Path], Fraction]]:
        return list(zip(self._basic, self._amount, strict=True))

    def _lengths(self, weight: Mapping[tuple[int, int], Fraction]) -> list[Fraction]:
        length = [_ZERO] * len(self._basic)
        for (pair, _), row in zip(self._basic, self._inverse, strict=True):
            cost = weight.get(pair, _ZERO) if pair else _ZERO
            if cost:
                for e, x in row.items():
                    length[e] += cost * x
        return length

    def _entering(
        self, length: list[Fraction], by_source: Mapping[int, list[tuple[int, Fraction]]]
    ) -> tuple[tuple[int, int] | None, Path] | None:
        """The column that gains most: a channel's slack while a length is negative, then a pair's shortest path."""
        worst = min(range(len(length)), key=length.__getitem__)
        if length[worst] < 0:
            return None, (worst,)
        common = math.lcm(*(x.denominator for x in length))
        whole = [int(x * common) for x in length]
        tail = self.network.tail
        best: tuple[Fraction, tuple[int, int], Path] | None = None
        for i, pairs in by_source.items():
            distance, before = cheapest(i, 0, self._leaving.__getitem__, lambda far, e: far + whole[e])
            for j, w in pairs:
                if j not in distance:
                    raise InputError(f"no path leads from node {i} to node {j}, though its packets load a channel")
                gain = w - Fraction(distance[j], common)
                if gain > 0 and (best is None or gain > best[0]):
                    best = gain, (i, j), tuple(path_by(before, lambda e: int(tail[e]), i, j))
        return None if best is None else best[1:]

    def _pivot(self, pair: tuple[int, int] | None, path: Path) -> None:
        step = {}
        for r, row in enumerate(self._inverse):
            x = sum((row[e] for e in path if e in row), _ZERO)
            if x:
                step[r] = x
        limits = {r: self._amount[r] / x for r, x in step.items() if x > 0}
        least = min(limits.values())
        tied = [r for r, x in limits.items() if x == least]
        leaving = tied[0] if len(tied) == 1 else min(tied, key=lambda r: self._scaled(r, step[r]))
        scale = step.pop(leaving)
        pivot = {e: x / scale for e, x in self._inverse[leaving].items()}
        amount = self._amount[leaving] / scale
        for r, x in step.items():
            row = self._inverse[r]
            for e, y in pivot.items():
                left = row.get(e, _ZERO) - x * y
                if left:
                    row[e] = left
                else:
                    del row[e]
            self._amount[r] -= x * amount
        self._inverse[leaving], self._amount[leaving], self._basic[leaving] = pivot, amount, (pair, path)

    def _scaled(self, row: int, by: Fraction) -> list[Fraction]:
        return [self._inverse[row].get(e, _ZERO) / by for e in range(len(self._basic))]
