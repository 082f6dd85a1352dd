"""Compiled kernels: loads of some pairs, spread alike over the shortest paths of the channels that are left."""

from __future__ import annotations

from math import gcd

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True)
def detours(leaving, head, alive, before, start, end, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """For pairs (start[k], end[k]): entries offset[k]:offset[k + 1] of ``channel`` with the load num / den.

    ``before[d, v]``: distances while all channels were there, at most what they are now: a node x is on a path of
    length L only if hops from the start to x, and the old ones on to the end, do not pass L.
    Returns how many pairs fit into ``channel``; -1 - k if no path is left for pair k; -1 - number of pairs if
    there are more than 2**60 paths.
    """
    out_offset, out_channel = leaving
    size = len(out_offset) - 1
    hops = np.empty(size, dtype=np.int32)
    ahead = np.empty(size, dtype=np.int64)
    back = np.empty(size, dtype=np.int64)
    stamp = np.zeros(size, dtype=np.int64)
    queue = np.empty(size, dtype=np.int32)
    tick = 0
    at = 0
    for k in range(len(start)):
        s = start[k]
        d = end[k]
        if before[d, s] < 0:
            return -1 - k
        longest = before[d, s] - 1
        last = 0
        while True:
            longest = longest + 1 if longest < before[d, s] + 3 else 2 * size
            tick += 1
            stamp[s] = tick
            hops[s] = 0
            ahead[s] = 1
            queue[0] = s
            first = 0
            last = 1
            while first < last:
                u = queue[first]
                if stamp[d] == tick and hops[u] >= hops[d]:
                    break
                first += 1
                for p in range(out_offset[u], out_offset[u + 1]):
                    c = out_channel[p]
                    v = head[c]
                    if not alive[c] or before[d, v] < 0 or hops[u] + 1 + before[d, v] > longest:
                        continue
                    if stamp[v] != tick:
                        stamp[v] = tick
                        hops[v] = hops[u] + 1
                        ahead[v] = 0
                        queue[last] = v
                        last += 1
                    if hops[v] == hops[u] + 1:
                        ahead[v] += ahead[u]
                        if ahead[v] > 1 << 60:
                            return -1 - len(start)
            if stamp[d] == tick:
                break
            if longest >= 2 * size:
                return -1 - k
        total = ahead[d]
        for q in range(last - 1, -1, -1):
            u = queue[q]
            back[u] = u == d
            if u == d or hops[u] >= hops[d]:
                continue
            for p in range(out_offset[u], out_offset[u + 1]):
                c = out_channel[p]
                v = head[c]
                if not alive[c] or stamp[v] != tick or hops[v] != hops[u] + 1 or back[v] == 0:
                    continue
                back[u] += back[v]
                if at == len(channel):
                    return k
                common = gcd(ahead[u] * back[v], total)
                channel[at] = c
                num[at] = ahead[u] * back[v] // common
                den[at] = total // common
                at += 1
        offset[k + 1] = at
    return len(start)
