"""Lists of possible coordinates per dimension, and their products: the support of a channel or of a pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, offsets_of
from ...core.rational import Rationals, as_int_array
from ...machine.compiled import njit

INT_LIMIT = 2**61
"""Common denominators up to here are computed in int64; numerators stay below twice this."""


@dataclass(frozen=True, eq=False)
class Lists:
    """One dimension's choices, list after list: list u is entries ``start[u]:start[u + 1]``.

    coordinate: int64 (E,), ascending in a list; factor: int64 (E, 4), see ``Products``; divisor: int64 (E,), > 0.
    ``full``: do all entries matter to the first, to the second phase?
    """

    start: Int64
    coordinate: Int64
    factor: Int64
    divisor: Int64
    full: tuple[bool, bool]

    def __len__(self) -> int:
        return len(self.coordinate)


@dataclass(frozen=True, eq=False)
class Loads:
    """Non-zero loads item after item: ``count`` (I,), and ``index`` int32, ``load`` (nnz,)."""

    count: Int64
    index: npt.NDArray[np.int32]
    load: Rationals


def from_dense(factor: Sequence[Int64], divisor: Int64) -> Lists:
    """Lists of the entries with a non-zero factor; the four factors and the divisor have shape (U, coordinates)."""
    keep = np.nonzero((factor[0] != 0) | (factor[1] != 0) | (factor[2] != 0) | (factor[3] != 0))
    table = np.stack([x[keep] for x in factor], axis=1)
    start = offsets_of(np.bincount(keep[0], minlength=len(divisor)))
    full = (bool((table[:, :2] != 0).any(axis=1).all()), bool((table[:, 2:] != 0).any(axis=1).all()))
    return Lists(start, keep[1].astype(np.int64), table, divisor[keep], full)


def join(parts: Sequence[Lists]) -> Lists:
    """The lists of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0] + [len(x) for x in parts])
    start = np.concatenate([x.start[:-1] + b for x, b in zip(parts, before[:-1], strict=True)] + [before[-1:]])
    full = (all(x.full[0] for x in parts), all(x.full[1] for x in parts))
    return Lists(
        start,
        np.concatenate([x.coordinate for x in parts]),
        np.concatenate([x.factor for x in parts]),
        np.concatenate([x.divisor for x in parts]),
        full,
    )


def bound(lists: Sequence[Lists], scale: int) -> int:
    """The largest denominator that the products of ``lists`` can have."""
    return scale * math.prod(int(x.divisor.max(initial=1)) for x in lists)


def expand_lists(
    lists: Sequence[Lists], which: Int64, radix: Sequence[int], weight: Sequence[Sequence[int]], scale: int
) -> Loads:
    """The loads of items 0 .. I-1, item i taking list ``which[i, r]`` of dimension r (int64, shape (I, n)); -1: none.

    ``radix``: what the index is row-major over; ``weight``, ``scale``: see ``Products``.  Every weight that can meet a
    non-zero coefficient is positive, hence a product of entries that all matter to one phase is never zero.
    """

    items, n = which.shape
    base = np.cumsum([0] + [len(x) for x in lists])[:-1]
    low = np.stack([x.start[which[:, r]] + base[r] for r, x in enumerate(lists)], axis=1)
    high = np.stack([x.start[which[:, r] + 1] + base[r] for r, x in enumerate(lists)], axis=1)
    high[which < 0] = low[which < 0]
    count = np.zeros(items, dtype=np.int64)
    exact = bound(lists, scale) <= INT_LIMIT
    kind: Any = np.int64 if exact else object
    products = Products(
        low,
        high,
        np.concatenate([x.coordinate for x in lists]),
        np.concatenate([x.factor for x in lists]).astype(kind, copy=False),
        np.concatenate([x.divisor for x in lists]).astype(kind, copy=False),
        np.array(radix, dtype=np.int64),
        np.array(weight, dtype=kind),
        scale,
    )
    zeros = (np.zeros((n, n + 1), dtype=kind), np.zeros((n, n + 1), dtype=kind), np.zeros(n, dtype=kind))
    count_each = np.prod(high - low, axis=1, dtype=np.float64)
    run = expand.for_steps(3 * count_each.sum()) if exact else expand.interpreted
    none = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=kind), np.zeros(0, dtype=kind)
    if any(all(x.full[phase] and any(weight[phase]) for x in lists) for phase in (0, 1)):
        count[:] = np.prod(high - low, axis=1)
    else:
        run(products, Found(count, *none), Scratch(*zeros))
    size = int(count.sum())
    if not size:
        return Loads(count, none[0], Rationals(as_int_array(none[1]), as_int_array(none[2])))
    index = np.empty(size, dtype=np.int32)
    num, den = np.empty(size, dtype=kind), np.empty(size, dtype=kind)
    run(products, Found(count, index, num, den), Scratch(*zeros))
    return Loads(count, index, Rationals(as_int_array(num), as_int_array(den)))


Array = npt.NDArray[Any]


class Products(NamedTuple):
    """For item i each choice of one entry e_r in low[i, r] .. high[i, r]-1 per dimension r; low, high: int64 (I, n).

    Entry e stands for ``coordinate[e]`` and carries factor[e] = (a, b, c, d) over divisor[e].  With the polynomials
    F(z) = prod (a_r + b_r z) and G(z) = prod (c_r + d_r z) the load is sum_k weight[0, k] F_k + weight[1, k] G_k over
    scale * prod divisor.  radix: int64 (n,); weight: (2, n + 1).
    """

    low: Array
    high: Array
    coordinate: Array
    factor: Array
    divisor: Array
    radix: Array
    weight: Array
    scale: int


class Found(NamedTuple):
    """Non-zero loads in order: ``at`` (row-major over the radices), ``num``, ``den``; items[i] of them of item i."""

    items: Array
    at: Array
    num: Array
    den: Array


class Scratch(NamedTuple):
    """Zeros: first, second (n, n + 1), partial (n,)."""

    first: Array
    second: Array
    partial: Array


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def expand(products: Products, found: Found, scratch: Scratch) -> None:
    """Loads over products of lists.  With empty ``found.at`` they are only counted.

    Numbers are int64, bounded by the caller; interpreted they may be Python integers.
    """
    low, high, coordinate, factor, divisor, radix, weight, scale = products
    count, index, num, den = found
    first, second, partial = scratch
    items, n = low.shape
    write = len(index) > 0
    last = n - 1
    at = np.zeros(n, dtype=np.int64)
    place = np.zeros(n, dtype=np.int64)
    first[0, 0] = 1
    second[0, 0] = 1
    partial[0] = scale
    out = 0
    for i in range(items):
        begin = out
        depth = 0
        at[0] = low[i, 0]
        while depth >= 0:
            if depth == last:
                a = b = c = d = weight[0, 0] * 0
                for k in range(n):
                    a += weight[0, k] * first[last, k]
                    b += weight[0, k + 1] * first[last, k]
                    c += weight[1, k] * second[last, k]
                    d += weight[1, k + 1] * second[last, k]
                for e in range(low[i, last], high[i, last]):
                    value = a * factor[e, 0] + b * factor[e, 1] + c * factor[e, 2] + d * factor[e, 3]
                    if value != 0:
                        if write:
                            index[out] = place[last] + coordinate[e]
                            num[out] = value
                            den[out] = partial[last] * divisor[e]
                        out += 1
                depth -= 1
                if depth >= 0:
                    at[depth] += 1
                continue
            if at[depth] >= high[i, depth]:
                depth -= 1
                if depth >= 0:
                    at[depth] += 1
                continue
            e = at[depth]
            alive = False
            for k in range(depth + 2):
                x = first[depth, k] * factor[e, 0]
                y = second[depth, k] * factor[e, 2]
                if k > 0:
                    x += first[depth, k - 1] * factor[e, 1]
                    y += second[depth, k - 1] * factor[e, 3]
                first[depth + 1, k] = x
                second[depth + 1, k] = y
                alive = alive or x != 0 or y != 0
            if not alive:
                at[depth] += 1
                continue
            partial[depth + 1] = partial[depth] * divisor[e]
            place[depth + 1] = (place[depth] + coordinate[e]) * radix[depth + 1]
            depth += 1
            at[depth] = low[i, depth]
        count[i] = out - begin
