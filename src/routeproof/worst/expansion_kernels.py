"""Compiled enumeration of all sets of outputs of a splitter; see ``expansion``."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _add(one, other, total):  # type: ignore[no-untyped-def]
    for x in range(one.shape[0]):
        total[x] = one[x] + other[x]


@njit(cache=True, nogil=True, error_model="numpy")
def _beats(count, best):  # type: ignore[no-untyped-def]
    found = np.uint8(0)
    for x in range(count.shape[0]):
        found |= np.uint8(count[x] > best[x])
    return found != 0


@njit(cache=True, nogil=True, error_model="numpy")
def enumerate_outputs(low, high, inside, start, stop, best, witness):  # type: ignore[no-untyped-def]
    """Go through the sets of outputs whose upper part is in ``start .. stop - 1``.

    An input's outputs are the bits of ``low[i]`` (the lower part) and ``high[i]``.  ``inside[i, x]``: uint8, is low[i]
    within the set x of lower outputs?  ``best[y]``: uint8, the most inputs found with all outputs within y outputs;
    ``witness[y]``: those outputs as bits, lower part first.

    For an upper part H, the number of inputs inside (H, x) for all x at once is a vector; it is built bit by bit from
    the highest: the inputs whose last upper output is that bit join in.  Counting H upwards changes only the last
    bits.
    """
    inputs = low.shape[0]
    size = inside.shape[1]
    low_bits = 0
    while (1 << low_bits) < size:
        low_bits += 1
    high_bits = best.shape[0] - 1 - low_bits
    members = np.zeros(size, np.int64)
    for x in range(1, size):
        members[x] = members[x >> 1] + (x & 1)
    limit = np.empty((high_bits + 1, size), np.uint8)
    for p in range(high_bits + 1):
        for x in range(size):
            limit[p, x] = best[p + members[x]]
    count = np.zeros((high_bits + 1, size), np.uint8)
    at = np.zeros(high_bits + 1, np.int64)
    for i in range(inputs):
        if high[i] == 0:
            _add(count[0], inside[i], count[0])
    for upper in range(start, stop):
        changed = high_bits - 1
        if upper != start:
            changed = 0
            while (upper >> changed) & 1 == 0:
                changed += 1
        for k in range(high_bits - 1 - changed, high_bits):
            bit = high_bits - 1 - k
            source = at[k]
            if (upper >> bit) & 1:
                for i in range(inputs):
                    h = high[i]
                    if (h >> bit) & 1 and (h & ((1 << bit) - 1)) == 0 and (h & ~upper) == 0:
                        _add(count[source], inside[i], count[k + 1])
                        source = k + 1
            at[k + 1] = source
        chosen = 0
        rest = upper
        while rest:
            chosen += rest & 1
            rest >>= 1
        counts = count[at[high_bits]]
        if _beats(counts, limit[chosen]):
            for x in range(size):
                y = chosen + members[x]
                if counts[x] > best[y]:
                    best[y] = counts[x]
                    witness[y] = (upper << low_bits) | x
            for p in range(high_bits + 1):
                for x in range(size):
                    limit[p, x] = best[p + members[x]]


@njit(cache=True, nogil=True, error_model="numpy")
def enumerate_unique(adjacent, degree, most, fewest, witness):  # type: ignore[no-untyped-def]
    """Go through all subsets of up to ``most`` inputs, and count the members that have an output to themselves.

    ``adjacent``: (M, largest degree), distinct outputs of every input; ``degree``: how many.  ``fewest[k]``: the least
    count over subsets of k inputs (start it at k + 1); ``witness[k]``: such a subset, (k + 1, most).
    """
    inputs = adjacent.shape[0]
    chosen = np.zeros(most + 1, np.int64)
    covers = np.zeros(inputs, np.int64)
    size = 0
    following = 0
    while True:
        if size < most and following < inputs:
            i = following
            chosen[size] = i
            size += 1
            for k in range(degree[i]):
                covers[adjacent[i, k]] += 1
            own = 0
            for m in range(size):
                for k in range(degree[chosen[m]]):
                    if covers[adjacent[chosen[m], k]] == 1:
                        own += 1
                        break
            if own < fewest[size]:
                fewest[size] = own
                for m in range(size):
                    witness[size, m] = chosen[m]
            following = i + 1
            continue
        if size == 0:
            return
        size -= 1
        i = chosen[size]
        for k in range(degree[i]):
            covers[adjacent[i, k]] -= 1
        following = i + 1
