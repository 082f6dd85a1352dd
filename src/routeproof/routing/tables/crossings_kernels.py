"""Compiled walks of next-hop tables: the tree of packets towards each destination, and what crosses every channel."""

from __future__ import annotations

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
