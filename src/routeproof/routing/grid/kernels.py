"""The compiled inner loop of the grid routings.  Import it inside functions: numba is heavy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...machine.compiled import njit

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
