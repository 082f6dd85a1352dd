"""Compiled walks of next-hop tables: which turns packets make, and on which lanes."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def mark_turns(next_channel, head, source, column, target, start, rank, row_of, column_of):  # type: ignore[no-untyped-def]
    """Write a source and a column whose packets make it to every turn that some packet makes.

    next_channel: int32 (N, D), known to deliver; source: int32 (S,) nodes; column: int32 (Q,) columns that are used;
    target: int32 (D,) where each column's packets arrive; start, rank: int64, numbers of turns (``turn_numbers``);
    row_of, column_of: int32 by number of turn, -1 where there is no packet yet.
    """
    done = [-1] * len(next_channel)
    for d in column:
        end = target[d]
        for s in source:
            v = s
            while v != end and done[v] != d:
                done[v] = d
                a = next_channel[v, d]
                v = head[a]
                if v != end:
                    k = start[a] + rank[next_channel[v, d]]
                    if row_of[k] < 0:
                        row_of[k] = s
                        column_of[k] = d


@njit(cache=True, nogil=True, error_model="numpy")
def mark_lanes(next_channel, head, source, column, target, level, turns, lane, follows, used):  # type: ignore[no-untyped-def]
    """Set bit l' of ``follows[turn, l]`` where some packet crosses the turn's first channel on lane l and then at once
    its second on lane l'; bit l of ``used[channel]`` where some packet is on lane l.

    As ``mark_turns``, with source: int32 (T,) a node for every terminal; level: uint16 (T, D), bit s where the terminal
    sends to the column on service level s; turns: (start, inject, rank); lane: uint8 (turns, 16), the lane on the
    turn's second channel by service level; follows: uint16 (turns, 16); used: uint16 (C,).

    Returns (-1, 0), or (turn, s) of a packet whose table gives it no lane, or lane 15.
    """
    start, inject, rank = turns
    done = np.zeros(len(next_channel), dtype=np.uint16)
    for d in column:
        end = target[d]
        done[:] = 0
        for t in range(len(source)):
            left = level[t, d]
            v = source[t]
            if left == 0 or v == end:
                continue
            a = next_channel[v, d]
            before = inject[t] + rank[a]
            for s in range(16):
                if left >> s & 1:
                    if lane[before, s] >= 15:
                        return before, s
                    used[a] |= 1 << lane[before, s]
            while left != 0:
                w = head[a]
                if w == end:
                    break
                b = next_channel[w, d]
                turn = start[a] + rank[b]
                for s in range(16):
                    if left >> s & 1:
                        if lane[turn, s] >= 15:
                            return turn, s
                        follows[turn, lane[before, s]] |= 1 << lane[turn, s]
                        used[b] |= 1 << lane[turn, s]
                # What comes after depends on the turn from a, which others of these levels have made before.
                left &= ~done[v]
                done[v] |= left
                v, a, before = w, b, turn
    return -1, 0
