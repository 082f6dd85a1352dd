"""Compiled walks of next-hop tables: every source to every destination, bucketed by channel."""

from __future__ import annotations

from ...machine.compiled import njit

__all__ = ["count_crossings", "fill_crossings"]


@njit(cache=True, nogil=True, error_model="numpy")
def count_crossings(next_channel, tail, head, source, column, target, count):  # type: ignore[no-untyped-def]
    """Add to ``count`` (int64, (C,)) how many pairs cross each channel; returns (source, column) of a pair that
    does not arrive, or (-1, -1).

    next_channel: int32 (N, D); source: int32 (S,) nodes; column: int32 (Q,) columns that are used; target: int32 (D,)
    the node at which each column's packets arrive.
    """
    most = len(next_channel)
    for s in source:
        for d in column:
            v = s
            hops = 0
            end = target[d]
            while v != end:
                c = next_channel[v, d]
                if c < 0 or tail[c] != v or hops > most:
                    return s, d
                count[c] += 1
                v = head[c]
                hops += 1
    return -1, -1


@njit(cache=True, nogil=True, error_model="numpy")
def fill_crossings(next_channel, head, source, column, target, at, row_of, column_of):  # type: ignore[no-untyped-def]
    """Write every crossing's source and column to its channel's part of ``row_of`` and ``column_of``, in order.

    at: int64 (C,), the beginning of every channel's part, which moves to its end; arrival is known.
    """
    for s in source:
        for d in column:
            v = s
            end = target[d]
            while v != end:
                c = next_channel[v, d]
                k = at[c]
                row_of[k] = s
                column_of[k] = d
                at[c] = k + 1
                v = head[c]
