"""Compiled: the first few simple paths, by hops."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


@njit(cache=True, nogil=True)
def simple_paths(leaving, head, hops, start, goal, wanted, longest, effort, length, channel):  # type: ignore[no-untyped-def]
    """The ``wanted`` shortest paths from start to goal that visit no node twice, by length, then by channels.

    ``hops[v]``: distance from v to the goal.  ``channel``: int32 (wanted, longest); ``length``: int32 (wanted,).
    Returns how many there are, or -1 where more than ``effort`` steps were taken.
    """
    out_offset, out_channel = leaving
    if hops[start] < 0:
        return 0
    on_path = np.zeros(len(hops), dtype=np.bool_)
    at = np.empty(longest + 1, dtype=np.int32)
    place = np.empty(longest + 1, dtype=np.int64)
    found = 0
    steps = 0
    for limit in range(hops[start], longest + 1):
        depth = 0
        at[0] = start
        place[0] = out_offset[start]
        on_path[:] = False
        on_path[start] = True
        while depth >= 0:
            u = at[depth]
            if place[depth] == out_offset[u + 1]:
                on_path[u] = False
                depth -= 1
                continue
            c = out_channel[place[depth]]
            place[depth] += 1
            v = head[c]
            steps += 1
            if steps > effort:
                return -1
            if on_path[v] or hops[v] < 0 or depth + 1 + hops[v] > limit:
                continue
            channel[found, depth] = c
            if v == goal:
                if depth + 1 == limit:
                    length[found] = limit
                    found += 1
                    if found == wanted:
                        return found
                    channel[found, : depth + 1] = channel[found - 1, : depth + 1]
                continue
            depth += 1
            at[depth] = v
            place[depth] = out_offset[v]
            on_path[v] = True
    return found
