"""Compiled kernels for minimal routing per path: loads from distances and numbers of shortest paths."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...machine.compiled import njit


class Tables(NamedTuple):
    """Of shape (N, N): hops from row to column, int16, and shortest paths, int64, each with its transpose.  Of shape
    (N,): which nodes send, which receive, bool; the largest distance from each, int16."""

    dist: Any
    dist_to: Any
    ways: Any
    ways_to: Any
    is_row: Any
    is_column: Any
    farthest: Any


class Entries(NamedTuple):
    """Room for loads num / den from ``row`` to ``column``."""

    row: Any
    column: Any
    num: Any
    den: Any


@njit(cache=True, nogil=True)
def _columns_behind(u, v, tables, plain, ordered, level_end):  # type: ignore[no-untyped-def]
    """(number, highest level) of the columns d with a shortest path from u over v: into ``plain`` in ascending order,
    into ``ordered`` by level, their distance from v; level b ends at ``level_end[b]``."""
    dist, is_column = tables.dist, tables.is_column
    size = 0
    top = -1
    for d in range(len(is_column)):
        b = dist[v, d]
        if is_column[d] and b >= 0 and b + 1 == dist[u, d]:
            plain[size] = d
            size += 1
            while top < b:
                top += 1
                level_end[top] = 0
            level_end[b] += 1
    for b in range(1, top + 1):
        level_end[b] += level_end[b - 1]
    for t in range(size - 1, -1, -1):
        b = dist[v, plain[t]]
        level_end[b] -= 1
        ordered[level_end[b]] = plain[t]
    # level_end[b] is now the start of level b; make it the end.
    for b in range(top):
        level_end[b] = level_end[b + 1]
    if top >= 0:
        level_end[top] = size
    return size, top


@njit(cache=True, nogil=True)
def _sort(values, low, high):  # type: ignore[no-untyped-def]
    if high - low > 24:
        values[low:high] = np.sort(values[low:high])
        return
    for t in range(low + 1, high):
        x = values[t]
        h = t
        while h > low and values[h - 1] > x:
            values[h] = values[h - 1]
            h -= 1
        values[h] = x


@njit(cache=True, nogil=True)
def loads_by_channel(tails, heads, start, tables, offset, entries):  # type: ignore[no-untyped-def]
    """Loads of channels ``start``.. into the ``entries``, as long as they fit; returns the number of channels done."""
    dist, dist_to, ways, ways_to, is_row, _, farthest = tables
    row, column, num, den = entries
    num_nodes = len(is_row)
    ordered = np.empty(num_nodes, dtype=np.int32)
    plain = np.empty(num_nodes, dtype=np.int32)
    level = np.empty(num_nodes, dtype=np.int32)
    level_end = np.zeros(num_nodes + 2, dtype=np.int32)
    at = np.int64(0)
    for k in range(start, len(tails)):
        u = tails[k]
        v = heads[k]
        size, top = _columns_behind(u, v, tables, plain, ordered, level_end)
        for t in range(size):
            level[t] = dist[v, ordered[t]]
        for s in range(num_nodes):
            a = dist_to[u, s]
            if not is_row[s] or a < 0 or a + 1 != dist_to[v, s]:
                continue
            reach = farthest[s] - a - 1
            if reach < 0 or top < 0:
                continue
            stop = level_end[min(reach, top)]
            if at + stop > len(row):
                return k - start
            line = at
            if 3 * stop > size:
                for t in range(size):
                    d = plain[t]
                    if a + 1 + dist[v, d] == dist[s, d]:
                        column[line] = d
                        line += 1
            else:
                for t in range(stop):
                    d = ordered[t]
                    if a + 1 + level[t] == dist[s, d]:
                        column[line] = d
                        line += 1
                _sort(column, at, line)
            before = ways_to[u, s]
            for t in range(at, line):
                d = column[t]
                row[t] = s
                num[t] = before * ways[v, d]
                den[t] = ways[s, d]
            at = line
        offset[k + 1 - start] = at
    return len(tails) - start


@njit(cache=True, nogil=True)
def loads_by_pair(leaving, heads, dist, count, rows, cols, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """Loads of all channels for pairs (rows[k], cols[k]), as long as they fit; returns the number of pairs done."""
    offset_out, channels_out = leaving
    num_nodes = dist.shape[0]
    seen = np.full(num_nodes, -1, dtype=np.int64)
    stack = np.empty(num_nodes, dtype=np.int32)
    at = np.int64(0)
    for k in range(len(rows)):
        s = rows[k]
        d = cols[k]
        begin = at
        if s != d:
            stack[0] = s
            size = 1
            seen[s] = k
            while size > 0:
                size -= 1
                x = stack[size]
                for p in range(offset_out[x], offset_out[x + 1]):
                    c = channels_out[p]
                    y = heads[c]
                    if dist[y, d] >= 0 and dist[y, d] + 1 == dist[x, d]:
                        if at >= len(channel):
                            return k
                        channel[at] = c
                        num[at] = count[s, x] * count[y, d]
                        den[at] = count[s, d]
                        at += 1
                        if seen[y] != k:
                            seen[y] = k
                            stack[size] = y
                            size += 1
            order = np.argsort(channel[begin:at])
            channel[begin:at] = channel[begin:at][order]
            num[begin:at] = num[begin:at][order]
        offset[k + 1] = at
    return len(rows)
