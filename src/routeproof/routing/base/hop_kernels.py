"""Compiled breadth-first search, for the kernels that need distances."""

from __future__ import annotations

from ...machine.compiled import njit

__all__ = ["hops_to"]


@njit(cache=True, nogil=True)
def hops_to(d, in_offset, in_tail, hops, queue):  # type: ignore[no-untyped-def]
    """Distances from all nodes to d into ``hops`` (one row, all -1 before); returns how many of ``queue``, in order of
    distance, can reach d."""
    hops[d] = 0
    queue[0] = d
    first = 0
    last = 1
    while first < last:
        w = queue[first]
        first += 1
        for p in range(in_offset[w], in_offset[w + 1]):
            s = in_tail[p]
            if hops[s] < 0:
                hops[s] = hops[w] + 1
                queue[last] = s
                last += 1
    return last
