"""Compiled kernels for minimal routing per path: distances, numbers of shortest paths, and loads from them."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit

_LIMIT = np.int64(1) << 62


@njit(cache=True, nogil=True)
def count_paths(num_nodes, offset, heads, dist, count):  # type: ignore[no-untyped-def]
    """Fill dist (int16 (N, N), -1 where unreachable) and count (int64 (N, N)): hops, shortest paths from row to column.

    Returns -1, or the first source whose counts pass 2**62 (dist is then complete only up to it).
    """
    queue = np.empty(num_nodes, dtype=np.int32)
    for s in range(num_nodes):
        dist[s, s] = 0
        count[s, s] = 1
        queue[0] = s
        first = 0
        last = 1
        while first < last:
            x = queue[first]
            first += 1
            ahead = dist[s, x] + 1
            for p in range(offset[x], offset[x + 1]):
                y = heads[p]
                if dist[s, y] < 0:
                    dist[s, y] = ahead
                    queue[last] = y
                    last += 1
                if dist[s, y] == ahead:
                    count[s, y] += count[s, x]
                    if count[s, y] < 0 or count[s, y] > _LIMIT:  # two addends of 2**62 wrap around
                        return s
    return -1


@njit(cache=True, nogil=True)
def loads_by_channel(  # type: ignore[no-untyped-def]
    tails, heads, start, dist, dist_to, count, count_to, is_row, is_col, farthest, offset, row, column, num, den,
):  # fmt: skip
    """Loads of channels ``start``.. into the arrays, as long as they fit; returns the number of channels done.

    dist_to and count_to are the transposes; farthest[s] is the largest distance from s.
    """
    num_nodes = len(is_row)
    room = len(row)
    sorted_cols = np.empty(num_nodes, dtype=np.int32)
    plain_cols = np.empty(num_nodes, dtype=np.int32)
    col_level = np.empty(num_nodes, dtype=np.int32)
    level_end = np.zeros(num_nodes + 2, dtype=np.int32)
    at = np.int64(0)
    k = start
    while k < len(tails):
        u = tails[k]
        v = heads[k]
        begin = at
        num_cols = 0
        top = -1
        for d in range(num_nodes):
            if is_col[d] and dist[v, d] >= 0 and dist[v, d] + 1 == dist[u, d]:
                plain_cols[num_cols] = d
                num_cols += 1
                b = dist[v, d]
                while top < b:
                    top += 1
                    level_end[top] = 0
                level_end[b] += 1
        for b in range(1, top + 1):
            level_end[b] += level_end[b - 1]
        for t in range(num_cols - 1, -1, -1):
            b = dist[v, plain_cols[t]]
            level_end[b] -= 1
            sorted_cols[level_end[b]] = plain_cols[t]
        # level_end[b] is now the start of level b; make it the end.
        for b in range(top):
            level_end[b] = level_end[b + 1]
        if top >= 0:
            level_end[top] = num_cols
        for t in range(num_cols):
            col_level[t] = dist[v, sorted_cols[t]]
        fits = True
        for s in range(num_nodes):
            if not is_row[s]:
                continue
            a = dist_to[u, s]
            if a < 0 or a + 1 != dist_to[v, s]:
                continue
            reach = farthest[s] - a - 1
            if reach < 0 or top < 0:
                continue
            stop = level_end[min(reach, top)]
            if at + stop > room:
                fits = False
                break
            line = at
            if 3 * stop > num_cols:
                for t in range(num_cols):
                    d = plain_cols[t]
                    if a + 1 + dist[v, d] == dist[s, d]:
                        column[line] = d
                        line += 1
            else:
                for t in range(stop):
                    d = sorted_cols[t]
                    if a + 1 + col_level[t] == dist[s, d]:
                        column[line] = d
                        line += 1
                if line - at <= 24:
                    for t in range(at + 1, line):
                        d = column[t]
                        h = t
                        while h > at and column[h - 1] > d:
                            column[h] = column[h - 1]
                            h -= 1
                        column[h] = d
                else:
                    column[at:line] = np.sort(column[at:line])
            before = count_to[u, s]
            for t in range(at, line):
                d = column[t]
                row[t] = s
                num[t] = before * count[v, d]
                den[t] = count[s, d]
            at = line
        if not fits:
            at = begin
            break
        k += 1
        offset[k - start] = at
    return k - start


@njit(cache=True, nogil=True)
def loads_by_pair(offset_out, channels_out, heads, dist, count, rows, cols, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """Loads of all channels for pairs (rows[k], cols[k]), as long as they fit; returns the number of pairs done."""
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
