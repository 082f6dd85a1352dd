"""What a solver proposes in floating point, made exact: lengths in whole numbers, and a flow within all bandwidths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from .loads import PairLoads

_DENOMINATORS = (1_000, 100_000, 10_000_000)
_BITS = (8, 14, 20, 28, 40)
_TINY = 1e-12

Proposed = Sequence[tuple[int, int, tuple[int, ...], float | Fraction]]


@dataclass(frozen=True, eq=False)
class PathFlow:
    """``amount`` of demand from a routing's ``row`` to its ``column`` along ``path`` (channels)."""

    row: int
    column: int
    path: tuple[int, ...]
    amount: Fraction


def whole_lengths(length: Float64) -> Iterator[Int64]:
    """First such as have short fractions, as vertices do; then rounded up to ever more bits."""
    top = float(length.max(initial=0.0))
    if top <= 0:
        return
    for most in _DENOMINATORS[:2]:
        fractions = [Fraction(x).limit_denominator(most) for x in (length / top).tolist()]
        common = math.lcm(*(x.denominator for x in fractions))
        if common < 1 << 40:
            yield np.array([int(x * common) for x in fractions], dtype=np.int64)
    for bits in _BITS:
        yield np.ceil(length / top * (1 << bits)).astype(np.int64)


def best_lengths(loads: PairLoads, proposed: Sequence[Float64], target: Fraction) -> tuple[Fraction, Int64] | None:
    """What whole lengths near the proposed ones prove, as soon as it is at most ``target``, else the best of it; None
    where they prove nothing."""
    best: tuple[Fraction, Int64] | None = None
    for length in proposed:
        for whole in whole_lengths(length):
            bound = loads.bound(whole)
            if bound is not None and (best is None or bound < best[0]):
                best = bound, whole
                if bound <= target:
                    return best
    return best


def certified_flow(network: Network, proposed: Proposed, loads: PairLoads) -> tuple[Fraction, list[PathFlow]]:
    """A flow near the proposed one that respects every bandwidth exactly, and the load that it makes."""
    ends = zip(loads.source.tolist(), loads.destination.tolist(), strict=True)
    place = {pair: k for k, pair in enumerate(ends)}
    flow = [x for x in proposed if (x[0], x[1]) in place and x[3] > _TINY]
    best: tuple[Fraction, list[PathFlow]] = Fraction(0), []
    for most in (*_DENOMINATORS, None):
        amounts = [_rounded(x[3], most) for x in flow]
        used: dict[int, Fraction] = {}
        for (_, _, path, _), x in zip(flow, amounts, strict=True):
            for e in path:
                used[e] = used.get(e, Fraction(0)) + x
        share = min([Fraction(1), *(network.bandwidth[e] / x for e, x in used.items() if x)])
        found, made = [], Fraction(0)
        for (i, j, path, _), x in zip(flow, amounts, strict=True):
            if x:
                k = place[i, j]
                found.append(PathFlow(int(loads.row[k]), int(loads.column[k]), path, share * x))
                made += share * x * loads.load.fraction(k)
        if made > best[0]:
            best = made, found
    return best


def _rounded(amount: float | Fraction, most: int | None) -> Fraction:
    """The nearest fraction with a denominator up to ``most``; without, not above it.  A fraction is as it is."""
    if isinstance(amount, Fraction):
        return amount
    return Fraction(math.floor(amount * 2**40), 2**40) if most is None else Fraction(amount).limit_denominator(most)
