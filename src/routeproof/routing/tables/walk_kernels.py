"""Compiled walks of next-hop tables and trees: what crosses every channel, which turns packets make, on what lanes."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _tree(channel_of, tail, head, source, end, queue, seen, mark):  # type: ignore[no-untyped-def]
    """The nodes that packets to node ``end`` pass, in ``queue``, what is next to come after what is nearer to the end.

    channel_of: int32 (N,), by which channel a packet leaves each node; source: int32 (S,); seen: int64 (N,), ``mark``
    at nodes of this tree.  Returns (how many nodes, -1), or (0, a source whose packets do not arrive).
    """
    queue[0] = end
    seen[end] = mark
    count = 1
    most = len(queue)
    for s in source:
        v = s
        length = 0
        while seen[v] != mark:
            c = channel_of[v]
            if c < 0 or tail[c] != v or count + length >= most:
                return 0, s
            length += 1
            v = head[c]
        v = s
        for k in range(length):
            queue[count + length - 1 - k] = v
            seen[v] = mark
            v = head[channel_of[v]]
        count += length
    return count, -1


@njit(cache=True, nogil=True, error_model="numpy")
def count_crossings(tables, tail, head, source, column, target, count, room):  # type: ignore[no-untyped-def]
    """Add to ``count`` (int64, (C,)) how many of the columns' packets cross each channel; returns a (source, column) of
    a pair that does not arrive, or (-1, -1).

    tables: int32 (Q, N), the channel by which packets for each column leave each node; source: int32 (S,) nodes;
    column: int32 (Q,); target: int32 (D,), the node at which each column's packets arrive; room: int64 (5, N), the
    first line -1.
    """
    seen, queue = room[0], room[1]
    for k in range(len(column)):
        d = column[k]
        nodes, lost = _tree(tables[k], tail, head, source, target[d], queue, seen, d)
        if lost >= 0:
            return lost, d
        for q in range(1, nodes):
            count[tables[k, queue[q]]] += 1
    return -1, -1


@njit(cache=True, nogil=True, error_model="numpy")
def place_crossings(tables, tail, head, source, column, target, at, order, runs, pairs, room):  # type: ignore[no-untyped-def]
    """Write every crossing of a channel to its part of ``runs``, whose begin ``at`` (int64, (C,)) moves to its end.

    Arguments as of ``count_crossings``, after which arrival is known.  order: (Q, S), the sources for each column, so
    that those whose packets cross one channel stand together; runs: (column, first, last) of every crossing: the
    sources are ``order[column, first:last]``; pairs: int64 (C,), to which the sizes of a channel's runs are added.
    """
    seen, queue, size, start, sends = room[0], room[1], room[2], room[3], room[4]
    of, first, last = runs
    sends[:] = 0
    for s in source:
        sends[s] = 1
    for k in range(len(column)):
        d = column[k]
        table = tables[k]
        nodes, _ = _tree(table, tail, head, source, target[d], queue, seen, d)
        for q in range(nodes):
            size[queue[q]] = sends[queue[q]]
        for q in range(nodes - 1, 0, -1):
            v = queue[q]
            size[head[table[v]]] += size[v]
        start[queue[0]] = 0
        for q in range(nodes):
            v = queue[q]
            if q > 0:
                c = table[v]
                above = head[c]
                begin = start[above]
                start[above] = begin + size[v]
                start[v] = begin
                e = at[c]
                of[e] = d
                first[e] = begin
                last[e] = begin + size[v]
                at[c] = e + 1
                pairs[c] += size[v]
            if sends[v]:
                order[k, start[v]] = v
                start[v] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def list_pairs(channel, offset, runs, order, wanted, begin, row, column, place):  # type: ignore[no-untyped-def]
    """Write the rows and columns of the pairs that cross channel[k] from begin[k] on, sorted by row, then column; begin
    moves to the end, so that the pairs of rows that are not ``wanted`` are left out.

    order: (D, S), int; wanted: bool (N,); place: int64 (N + 1,).
    """
    of, first, last = runs
    for k in range(len(channel)):
        c = channel[k]
        low, high = offset[c], offset[c + 1]
        place[:] = 0
        for e in range(low, high):
            d = of[e]
            for x in range(first[e], last[e]):
                place[order[d, x] + 1] += 1
        at = begin[k]
        for v in range(len(wanted)):
            here = place[v + 1] if wanted[v] else 0
            place[v] = at
            at += here
        for e in range(low, high):
            d = of[e]
            for x in range(first[e], last[e]):
                v = order[d, x]
                if wanted[v]:
                    row[place[v]] = v
                    column[place[v]] = d
                    place[v] += 1
        begin[k] = at


@njit(cache=True, nogil=True, error_model="numpy")
def count_hops(next_channel, head, row, column, target, hops):  # type: ignore[no-untyped-def]
    """How many channels the packet of each pair (row[k], column[k]) crosses, in ``hops``, int64 (K,)."""
    for k in range(len(row)):
        v = row[k]
        d = column[k]
        while v != target[d]:
            v = head[next_channel[v, d]]
            hops[k] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def list_hops(next_channel, head, row, column, target, offset, channel):  # type: ignore[no-untyped-def]
    """Those channels, ascending, in ``channel[offset[k]:offset[k + 1]]``."""
    for k in range(len(row)):
        v = row[k]
        d = column[k]
        low = at = offset[k]
        while v != target[d]:
            c = next_channel[v, d]
            v = head[c]
            x = at
            while x > low and channel[x - 1] > c:
                channel[x] = channel[x - 1]
                x -= 1
            channel[x] = c
            at += 1


@njit(cache=True, nogil=True, error_model="numpy")
def reverses(next_channel, head, opposite, row, column, target):  # type: ignore[no-untyped-def]
    """Do packets from node d to node s take the way of those from s to d back, for all s of ``row``, d of ``column``?

    Of tables whose columns are nodes; opposite: int32 (C,).
    """
    for s in row:
        for d in column:
            v = s
            while v != target[d]:
                c = next_channel[v, d]
                v = head[c]
                if next_channel[v, s] != opposite[c]:
                    return False
    return True


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


@njit(cache=True, nogil=True, error_model="numpy")
def number_nodes(via, tail, head, root, order, start, size):  # type: ignore[no-untyped-def]
    """Of tree m, whose node v is reached by channel ``via[m, v]`` (-1: not at all): the nodes below v, itself first,
    are ``order[m, start[m, v] : start[m, v] + size[m, v]]``.  All int32 (M, N); root: int32 (M,).

    Returns -1, or the first tree that is none: channels that do not lead to their node, or that lead in a cycle.
    """
    nodes = via.shape[1]
    children = np.empty(nodes, dtype=np.int64)
    ready = np.empty(nodes, dtype=np.int64)
    next_place = np.empty(nodes, dtype=np.int64)
    for m in range(len(via)):
        children[:] = 0
        inside = 1
        for v in range(nodes):
            c = via[m, v]
            if c >= 0:
                if v == root[m] or head[c] != v:
                    return m
                children[tail[c]] += 1
                inside += 1
        for v in range(nodes):
            size[m, v] = 0
            start[m, v] = -1
            if children[v] > 0 and v != root[m] and via[m, v] < 0:
                return m
        done = 0
        for v in range(nodes):
            if children[v] == 0 and (via[m, v] >= 0 or v == root[m]):
                ready[done] = v
                done += 1
        at = 0
        while at < done:
            v = ready[at]
            at += 1
            size[m, v] += 1
            if v != root[m]:
                u = tail[via[m, v]]
                size[m, u] += size[m, v]
                children[u] -= 1
                if children[u] == 0:
                    ready[done] = u
                    done += 1
        if done != inside:
            return m
        for k in range(done - 1, -1, -1):
            v = ready[k]
            if v == root[m]:
                start[m, v] = 0
            else:
                u = tail[via[m, v]]
                start[m, v] = next_place[u]
                next_place[u] += size[m, v]
            next_place[v] = start[m, v] + 1
            order[m, start[m, v]] = v
    return -1
