"""Exact arithmetic on whole arrays of rationals: int64 as long as it provably fits, else Python integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .arrays import Int32, Int64
from .loads import PairBlock
from .rational import INT64_MAX, IntArray, Rationals, as_int_array, lcm_within

_FIRST_ROOM = 1 << 24  # entries


def ragged(start: npt.NDArray[np.integer], length: npt.NDArray[np.integer]) -> Int64:
    """The indices start[0] .. start[0] + length[0] - 1, start[1] ..., one after the other; int64."""
    before = np.cumsum(length) - length
    return np.repeat(start - before, length) + np.arange(int(length.sum()), dtype=np.int64)


def matches(ordered: npt.NDArray[np.integer], asked: npt.NDArray[np.integer]) -> tuple[Int64, Int64]:
    """(places, number of them): where ``ordered``, ascending, holds ``asked[0]``, then ``asked[1]``, ..."""
    low = np.searchsorted(ordered, asked)
    length = np.searchsorted(ordered, asked, side="right") - low
    return ragged(low, length), length


def run_starts(ordered: npt.NDArray[np.integer]) -> Int64:
    """Where runs of equal numbers begin in ``ordered``, ascending from 0 or more."""
    return np.nonzero(np.diff(ordered, prepend=-1))[0]


def equal(a: Rationals, b: Rationals) -> bool:
    """Are two arrays of rationals equal entry by entry?  By lowest terms, so nothing can overflow."""
    if np.array_equal(a.num, b.num) and np.array_equal(a.den, b.den):
        return True
    g, h = np.gcd(a.num, a.den), np.gcd(b.num, b.den)
    return np.array_equal(a.num // g, b.num // h) and np.array_equal(a.den // g, b.den // h)


def grown(
    count: int, each: int, run: Callable[..., int], *, ends: int = 1
) -> tuple[int, Int64, list[Int32], Rationals]:
    """(what ``run`` returns, offset, ends, load): entries ``offset[k]:offset[k + 1]`` of item k, of ``count``.

    ``run(offset, *ends, num, den)`` writes as many items as fit and returns how many, or a negative number; it is
    given arrays for about ``each`` entries an item (fewer where that is very much), and larger ones until all fit.
    """
    room = 1024 + min(each * count, max(_FIRST_ROOM, 32 * count))
    while True:
        offset, places = np.zeros(count + 1, dtype=np.int64), [np.empty(room, dtype=np.int32) for _ in range(ends)]
        num, den = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        done = run(offset, *places, num, den)
        if done == count or done < 0:
            end = int(offset[-1])
            return done, offset, [x[:end] for x in places], Rationals(num[:end], den[:end])
        room *= 2


def _small(*arrays: IntArray) -> bool:
    return all(a.dtype != object for a in arrays)


def top(array: IntArray) -> int:
    """The largest absolute value (int64 arrays never hold -2**63 here)."""
    return max(int(array.max(initial=0)), -int(array.min(initial=0)))


def _as_object(array: IntArray) -> IntArray:
    return array if array.dtype == object else array.astype(object)


def _packed(num: IntArray, den: IntArray) -> Rationals:
    """Object arrays in lowest terms, as int64 where everything fits.  Any shape."""
    common = np.frompyfunc(math.gcd, 2, 1)(num, den)
    num, den = num // common, den // common
    return Rationals(
        as_int_array(num.ravel().tolist()).reshape(num.shape), as_int_array(den.ravel().tolist()).reshape(den.shape)
    )


def reduced(num: IntArray, den: IntArray) -> Rationals:
    """``num / den`` in lowest terms."""
    if _small(num, den):
        common = np.gcd(num, den)
        return Rationals(num // common, den // common)
    return _packed(_as_object(num), _as_object(den))


def over_scale(num: IntArray, scale: int) -> Rationals:
    """``num / scale`` in lowest terms, for one positive scale."""
    if _small(num) and scale <= INT64_MAX:
        common = np.gcd(num, np.int64(scale))
        return Rationals(num // common, np.int64(scale) // common)
    wide = _as_object(num)
    return _packed(wide, np.full(wide.shape, scale, dtype=object))


def times(values: Rationals, factor: Fraction) -> Rationals:
    """Every entry times ``factor``, in lowest terms."""
    a, b = factor.numerator, factor.denominator
    if _small(values.num, values.den) and abs(a) <= INT64_MAX and b <= INT64_MAX:
        left = np.gcd(values.num, np.int64(b))
        right = np.gcd(values.den, np.int64(a))
        num, up = values.num // left, np.int64(a) // right
        den, down = values.den // right, np.int64(b) // left
        if top(num) * top(up) <= INT64_MAX and top(den) * top(down) <= INT64_MAX:
            return reduced(num * up, den * down)
    return _packed(_as_object(values.num) * a, _as_object(values.den) * b)


def plus(one: Rationals, two: Rationals) -> Rationals:
    """Entry by entry, in lowest terms; equal shapes."""
    if _small(one.num, one.den, two.num, two.den):
        common = np.gcd(one.den, two.den)
        left, right = two.den // common, one.den // common
        high = top(one.num) * top(left) + top(two.num) * top(right)
        if high <= INT64_MAX and top(one.den) * top(left) <= INT64_MAX:
            return reduced(one.num * left + two.num * right, one.den * left)
    a, b, c, d = (_as_object(x) for x in (one.num, one.den, two.num, two.den))
    return _packed(a * d + c * b, b * d)


def concatenate(parts: list[Rationals]) -> Rationals:
    """One after the other; object as soon as one part is."""
    if not parts:
        return Rationals.of([])
    return Rationals(np.concatenate([p.num for p in parts]), np.concatenate([p.den for p in parts]))


def summed(key: Int64, values: Rationals) -> tuple[Int64, Rationals]:
    """(keys, sums): the values of equal keys added up, exactly, keys ascending."""
    if not len(key):
        return key, values
    order = np.argsort(key, kind="stable")
    first = run_starts(key[order])
    return key[order][first], grouped_sum(values[order], first)


def summed_pairs(key: Int64, values: Rationals, count: int, width: int) -> PairBlock:
    """The loads of ``count`` pairs, those of equal ``key``, pair * ``width`` + channel, added up."""
    key, load = summed(key, values)
    offset = np.searchsorted(key, np.arange(count + 1, dtype=np.int64) * width).astype(np.int64)
    return PairBlock(offset, (key % width).astype(np.int32), load)


def grouped_sum(values: Rationals, start: Int64) -> Rationals:
    """The exact sum of each run ``values[start[k]:start[k + 1]]``, in lowest terms; no run may be empty."""
    count = len(values)
    if len(start) == count:
        return reduced(values.num, values.den)
    length = np.diff(np.append(start, count))
    longest = int(length.max())
    if _small(values.num, values.den):
        scale = lcm_within(np.unique(values.den).tolist(), INT64_MAX)
        if scale is not None:
            factor = scale // values.den
            if top(values.num) * top(factor) * longest <= INT64_MAX:
                return over_scale(np.add.reduceat(values.num * factor, start), scale)
    # Few denominators differ within a run: add equal ones in bulk, the rest as Python integers.
    group = np.repeat(np.arange(len(start)), length)
    num, den = values.num, values.den
    if _small(num, den) and top(num) * longest <= INT64_MAX:
        order = np.lexsort((den, group))
        group, num, den = group[order], num[order], den[order]
        new = np.ones(count, dtype=bool)
        new[1:] = (group[1:] != group[:-1]) | (den[1:] != den[:-1])
        first = np.nonzero(new)[0]
        num, den, group = np.add.reduceat(num, first), den[first], group[first]
    bounds = np.searchsorted(group, np.arange(len(start) + 1))
    alone = reduced(num[bounds[:-1]], den[bounds[:-1]])
    tops, bottoms, sums, scales = num.tolist(), den.tolist(), alone.num.tolist(), alone.den.tolist()
    for k in np.flatnonzero(np.diff(bounds) > 1).tolist():
        low, high = int(bounds[k]), int(bounds[k + 1])
        scale = math.lcm(*bottoms[low:high])
        total = sum(a * (scale // b) for a, b in zip(tops[low:high], bottoms[low:high], strict=True))
        common = math.gcd(total, scale)
        sums[k], scales[k] = total // common, scale // common
    return Rationals(as_int_array(sums), as_int_array(scales))
