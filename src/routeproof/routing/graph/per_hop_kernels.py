"""Compiled kernels for minimal routing per hop.  All per destination: ``hops[d, v]`` is the distance from v to d."""

from __future__ import annotations

from math import gcd

import numpy as np

from ...graphs.search_kernels import reach
from ...machine.compiled import njit

_LIMIT = np.int64(1) << 62


@njit(cache=True, nogil=True)
def hop_tables(in_offset, in_tail, out_offset, out_head, wanted, hops, choices, need):  # type: ignore[no-untyped-def]
    """Fill, for every destination d with ``wanted[d]``: hops (int16, -1 unreachable), choices and need.

    choices[d, v]: how many channels out of v come nearer to d.  need[d, v]: an integer that every probability of
    a packet from v to d is a multiple of 1 over; 0 where it would pass 2**62.
    """
    num_nodes = hops.shape[0]
    queue = np.empty(num_nodes, dtype=np.int32)
    start = np.empty(1, dtype=np.int32)
    not_counted = np.empty(0, dtype=np.int64)
    for d in range(num_nodes):
        if not wanted[d]:
            continue
        need[d, d] = 1
        start[0] = d
        last = reach(in_offset, in_tail, start, 0, hops[d], not_counted, queue)
        for t in range(1, last):
            s = queue[t]
            common = 1
            count = 0
            for p in range(out_offset[s], out_offset[s + 1]):
                w = out_head[p]
                if hops[d, w] >= 0 and hops[d, w] + 1 == hops[d, s]:
                    count += 1
                    if common == 0 or need[d, w] == 0:
                        common = 0
                        continue
                    factor = need[d, w] // gcd(common, need[d, w])
                    common = 0 if factor > _LIMIT // common else common * factor
            choices[d, s] = count
            need[d, s] = 0 if common == 0 or count > _LIMIT // common else common * count


@njit(cache=True, nogil=True)
def loads_out_of(u, arriving, is_row, columns, tables, row, column, num, den):  # type: ignore[no-untyped-def]
    """The load of each productive channel out of u, for every pair whose packets can visit u, by row, then column.

    Returns how many entries there are; when they are more than there is room for, the arrays hold rubbish.
    """
    in_offset, in_tail = arriving
    hops, choices, need = tables
    num_nodes = hops.shape[0]
    room = len(row)
    amount = np.zeros(num_nodes, dtype=np.int64)
    queue = np.empty(num_nodes, dtype=np.int32)
    found_row = np.empty(room, dtype=np.int32)
    found_column = np.empty(room, dtype=np.int32)
    found_num = np.empty(room, dtype=np.int64)
    start = np.zeros(num_nodes + 1, dtype=np.int64)
    at = np.int64(0)
    for d in columns:
        if d == u or hops[d, u] < 0:
            continue
        amount[u] = need[d, u] // choices[d, u]
        queue[0] = u
        first = 0
        last = 1
        while first < last:
            w = queue[first]
            first += 1
            if is_row[w]:
                if at < room:
                    found_row[at] = w
                    found_column[at] = d
                    found_num[at] = amount[w]
                start[w + 1] += 1
                at += 1
            for p in range(in_offset[w], in_offset[w + 1]):
                s = in_tail[p]
                if hops[d, s] == hops[d, w] + 1:
                    if amount[s] == 0:
                        queue[last] = s
                        last += 1
                    # The share of one channel out of s, in units of 1 / need[d, s].
                    amount[s] += amount[w] * (need[d, s] // choices[d, s] // need[d, w])
        for t in range(last):
            amount[queue[t]] = 0
    if at <= room:
        for v in range(num_nodes):
            start[v + 1] += start[v]
        for t in range(at):
            s = found_row[t]
            place = start[s]
            start[s] += 1
            scale = need[found_column[t], s]
            common = gcd(found_num[t], scale)
            row[place] = s
            column[place] = found_column[t]
            num[place] = found_num[t] // common
            den[place] = scale // common
    return at


@njit(cache=True, nogil=True)
def loads_of_pairs(rows, columns, leaving, head, tables, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """Loads of all channels for pairs (rows[k], columns[k]), as long as they fit; returns the number of pairs done.

    Within a pair, channels come in no order: a sort compiled here would take seconds to compile.
    """
    out_offset, out_channel = leaving
    hops, choices, need = tables
    amount = np.zeros(len(hops), dtype=np.int64)
    queue = np.empty(len(hops), dtype=np.int32)
    at = np.int64(0)
    for k in range(len(rows)):
        s = rows[k]
        d = columns[k]
        if s != d and hops[d, s] >= 0:
            scale = need[d, s]
            amount[s] = scale
            queue[0] = s
            first = 0
            last = 1
            while first < last:
                w = queue[first]
                first += 1
                if w == d:
                    continue
                if at + choices[d, w] > len(channel):
                    return k
                share = amount[w] // choices[d, w]
                common = gcd(share, scale)
                for p in range(out_offset[w], out_offset[w + 1]):
                    c = out_channel[p]
                    v = head[c]
                    if hops[d, v] >= 0 and hops[d, v] + 1 == hops[d, w]:
                        channel[at] = c
                        num[at] = share // common
                        den[at] = scale // common
                        at += 1
                        if amount[v] == 0:
                            queue[last] = v
                            last += 1
                        amount[v] += share
            for t in range(last):
                amount[queue[t]] = 0
        offset[k + 1] = at
    return len(rows)
