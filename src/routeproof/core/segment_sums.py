"""Exact sums of very many small fractions, by segment.

Terms are first added up by segment and denominator, in int64 where a bound shows that the sums fit and in Python
integers where they may not.  What is left is one term per denominator.  Its total is cheap where the denominators have
a small common multiple, and dear where they do not (sums on a 32 x 32 torus with four dead links have 68,000 bits):
then bounds in fixed point tell which segments matter, and only those are added up exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .arrays import Int64
from .exact_arrays import concatenate, over_scale, top
from .rational import INT64_MAX, IntArray, Rationals, as_int_array, fraction_sum, lcm_within

BITS = 40  # bounds are in units of 2**-BITS
_FEW_TERMS = 128  # per segment
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Partial:
    """Terms ``num / den`` of ``count`` segments; a segment has at most one term for each denominator.

    segment: int64; num, den: int64 or object; all of one shape.
    """

    count: int
    segment: Int64
    num: IntArray
    den: IntArray


def partial_sums(segment: Int64, load: Rationals, weight: IntArray | None, count: int) -> Partial:
    """The terms ``load * weight``, added up by segment (0 .. count-1) and denominator."""
    num, den = load.num, load.den
    if not len(num):
        return Partial(count, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.ones(0, dtype=np.int64))
    if weight is not None:
        if num.dtype == object or weight.dtype == object or top(num) * top(weight) > INT64_MAX:
            num = num.astype(object) * weight.astype(object)
        else:
            num = num * weight
    dens, which = _distinct(den)
    key = segment * len(dens) + which
    if count * len(dens) <= 4 * len(num) + 65_536:
        keys, slot = None, key
        slots = count * len(dens)
    else:
        keys, slot = np.unique(key, return_inverse=True)
        slots = len(keys)
    if num.dtype != object and top(num) * len(num) > INT64_MAX:
        most = int(np.bincount(slot, minlength=slots).max())
        if top(num) * most > INT64_MAX:
            num = num.astype(object)
    total = np.zeros(slots, dtype=num.dtype)
    np.add.at(total, slot, num)
    kept = np.nonzero(total)[0]
    key = kept if keys is None else keys[kept]
    return Partial(count, key // len(dens), total[kept], dens[key % len(dens)])


def merged(parts: Sequence[Partial], count: int) -> Partial:
    """The sum of several partial sums of the same ``count`` segments."""
    if len(parts) == 1:
        return parts[0]
    segment = np.concatenate([np.zeros(0, dtype=np.int64), *(p.segment for p in parts)])
    return partial_sums(segment, concatenate([Rationals(p.num, p.den) for p in parts]), None, count)


def is_cheap(part: Partial) -> bool:
    """Can all segments be added up exactly in little time?"""
    few = len(part.num) <= _FEW_TERMS * part.count
    return few or lcm_within(_distinct(part.den)[0].tolist(), INT64_MAX) is not None


def add_up(part: Partial, segments: Int64 | None = None) -> Rationals:
    """One reduced fraction for each segment (or each of ``segments``, distinct), 0/1 where there is no term."""
    count = part.count
    if segments is not None:
        place = np.full(count, -1, dtype=np.int64)
        place[segments] = np.arange(len(segments))
        kept = place[part.segment] >= 0
        part = Partial(len(segments), place[part.segment[kept]], part.num[kept], part.den[kept])
        count = part.count
    dens, which = _distinct(part.den)
    scale = lcm_within(dens.tolist(), INT64_MAX)
    if scale is not None and part.num.dtype != object:
        factor = np.array([scale // int(x) for x in dens.tolist()] or [1], dtype=np.int64)
        if top(part.num) * top(factor) * max(1, len(dens)) <= INT64_MAX:
            total = np.zeros(count, dtype=np.int64)
            np.add.at(total, part.segment, part.num * factor[which])
            return over_scale(total, scale)
    order = np.argsort(part.segment, kind="stable")
    ends = np.searchsorted(part.segment[order], np.arange(count + 1)).tolist()
    num, den = part.num[order].tolist(), part.den[order].tolist()
    return Rationals.of(fraction_sum(num[a:b], den[a:b]) for a, b in pairwise(ends))


def exact_sums(segment: Int64, load: Rationals, count: int) -> dict[int, Fraction]:
    """The exact sum of the loads of every segment (0 .. count-1) that has any."""
    used = np.unique(segment)
    sums = add_up(partial_sums(segment, load, None, count), used)
    return dict(zip(used.tolist(), sums.fractions(), strict=True))


def exact_total(part: Partial, times: IntArray | None = None) -> Partial:
    """All segments together, segment k taken ``times[k]`` times: a Partial of one segment."""
    weight = None if times is None else np.asarray(times)[part.segment]
    return partial_sums(np.zeros(len(part.num), dtype=np.int64), Rationals(part.num, part.den), weight, 1)


def bounds_of(part: Partial) -> tuple[IntArray, IntArray]:
    """(low, high), shape (count,), in units of 2**-BITS: low <= the exact sum <= high."""
    terms = np.bincount(part.segment, minlength=part.count)
    try:
        ceiling: IntArray = Rationals(part.num, part.den).ceil_fixed(BITS)
        if top(ceiling) * int(terms.max(initial=1)) > INT64_MAX:
            ceiling = ceiling.astype(object)
    except OverflowError:
        pairs = zip(part.num.tolist(), part.den.tolist(), strict=True)
        ceiling = np.array([-((-int(a) << BITS) // int(b)) for a, b in pairs] or [0], dtype=object)[: len(part.num)]
    high = np.zeros(part.count, dtype=ceiling.dtype)
    np.add.at(high, part.segment, ceiling)
    return high - terms, high


def _distinct(values: IntArray) -> tuple[IntArray, Int64]:
    """The distinct values, and for each entry the place of its value among them."""
    if values.dtype == object:
        found: dict[int, int] = {}
        which = np.array([found.setdefault(int(x), len(found)) for x in values], dtype=np.int64)
        return as_int_array(list(found)), which
    if not len(values):
        return values, np.zeros(0, dtype=np.int64)
    high = int(values.max())
    if high == int(values.min()):
        return values[:1], np.zeros(len(values), dtype=np.int64)
    if high <= 4 * len(values) + 65_536:
        seen = np.zeros(high + 1, dtype=bool)
        seen[values] = True
        place = np.cumsum(seen) - 1
        return np.nonzero(seen)[0], place[values]
    # Hashing beats sorting by far here: few distinct values among millions.  What collides is sorted after all.
    size = 1 << max(10, min(22, len(values).bit_length()))
    slot = (values.astype(np.uint64) * _GOLDEN) >> np.uint64(65 - size.bit_length())
    table = np.zeros(size, dtype=np.int64)
    table[slot] = values
    clash = table[slot] != values
    seen = np.zeros(size, dtype=bool)
    seen[slot] = True
    place = np.cumsum(seen) - 1
    kept, which = table[seen], place[slot]
    if clash.any():
        others, where = np.unique(values[clash], return_inverse=True)
        which[clash] = len(kept) + where
        kept = np.concatenate([kept, others])
    return kept, which
