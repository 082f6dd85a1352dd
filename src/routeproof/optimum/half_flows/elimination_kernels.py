"""Compiled: what the elimination of potentials takes from the equations of links, and the halves of symmetric matrices
made whole."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True)
def mirrored(lower, less, found):  # type: ignore[no-untyped-def]
    """``found``: the symmetric matrix whose lower triangle is ``lower``, every entry by ``less`` smaller."""
    size = len(lower)
    for i in range(size):
        for j in range(i + 1):
            x = lower[i, j] - less
            found[i, j] = x
            found[j, i] = x


@njit(cache=True)
def take_from_links(dense, inverse, tail, head, share, first, last):  # type: ignore[no-untyped-def]
    """Rows ``first`` to ``last`` - 1 of the lower triangle between links, and of the columns of nodes behind them.

    ``inverse``: (K, N, N); ``share``: (K, E), weight times skew.  From the entry of links e and f is taken, summed over
    k, share[k, e] share[k, f] times the difference of potentials that a unit along f makes along e.
    """
    count, size = len(inverse), inverse.shape[1]
    links = len(tail)
    row = np.empty(size)
    for e in range(first, last):
        for k in range(count):
            own = share[k, e]
            if own == 0.0:
                continue
            for v in range(size):
                row[v] = own * (inverse[k, tail[e], v] - inverse[k, head[e], v])
                dense[e, links + v] += row[v]
            for f in range(e + 1):
                dense[e, f] -= share[k, f] * (row[tail[f]] - row[head[f]])
