"""Compiled walks of tables of next-hop groups: which packets come to a node, and what they load, all exactly.

Group g is ``channel[start[g]:start[g + 1]]``, ascending, with ``weight``.  ``group[v, d]``, int32 (N, D), is that of
node v for column d, -1 for none.  A *visit* is a distribution over sources: which of their packets come to a node.
Nodes have the same visit for many columns; ``visit[v, d]`` numbers them.
"""

from __future__ import annotations

import math

import numpy as np

from ...machine.compiled import njit

LIMIT = 1 << 62
_PRIME = 2147483647


@njit(cache=True, error_model="numpy")
def _place(start, channel, g, c):  # type: ignore[no-untyped-def]
    low, high = start[g], start[g + 1]
    while low < high:
        middle = (low + high) // 2
        if channel[middle] < c:
            low = middle + 1
        else:
            high = middle
    return low if low < start[g + 1] and channel[low] == c else -1


@njit(cache=True, error_model="numpy")
def _grown(array, needed):  # type: ignore[no-untyped-def]
    if needed <= len(array):
        return array
    longer = np.zeros(max(needed, 2 * len(array)), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


@njit(cache=True, error_model="numpy")
def _sorted_nodes(group, start, channel, head, d, stop, sends, order, left, reached):  # type: ignore[no-untyped-def]
    """Write to ``order`` the nodes that packets for column d come to, each after all that send to it.

    ``reached[v]`` is d for these.  Returns (how many, -1), or (-1, a node without a group), (-2, a node on a cycle).
    """
    size = 0
    for v in range(len(group)):
        if sends[v] and v != stop:
            reached[v] = d
            left[v] = 0
            order[size] = v
            size += 1
    done = 0
    while done < size:
        v = order[done]
        done += 1
        g = group[v, d]
        if g < 0:
            return -1, v
        for e in range(start[g], start[g + 1]):
            u = head[channel[e]]
            if u != stop:
                if reached[u] != d:
                    reached[u] = d
                    left[u] = 0
                    order[size] = u
                    size += 1
                left[u] += 1
    free = 0
    for v in range(len(group)):
        if reached[v] == d and left[v] == 0:
            order[free] = v
            free += 1
    done = 0
    while done < free:
        g = group[order[done], d]
        done += 1
        for e in range(start[g], start[g + 1]):
            u = head[channel[e]]
            if u != stop:
                left[u] -= 1
                if left[u] == 0:
                    order[free] = u
                    free += 1
    if free < size:
        for v in range(len(group)):
            if reached[v] == d and left[v] > 0:
                return -2, v
    return size, -1


@njit(cache=True, error_model="numpy")
def number_visits(group, start, channel, head, incoming, columns, end, sends, visit):  # type: ignore[no-untyped-def]
    """Number the visits: equal numbers for nodes to which packets come alike, from the same groups of the same visits.

    ``incoming``: (first, channels into every node ascending, their tails); ``end``: the node of every column;
    ``sends``: bool (N,); ``visit`` is written.

    Returns (status, column, node, count, node of each visit, first, entry, before): what comes to visit k is, for j in
    first[k]:first[k + 1], of visit before[j] by the group's entry[j].  Status 0, or -1 (no group) or -2 (a cycle) at
    that column and node.
    """
    first_in, channel_in, tail_in = incoming
    n = len(group)
    order, left, reached = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    node, first = np.zeros(1024, dtype=np.int64), np.zeros(1025, dtype=np.int64)
    entry, before = np.zeros(4096, dtype=np.int64), np.zeros(4096, dtype=np.int64)
    slot = np.full(4096, -1, dtype=np.int64)
    count = 0
    for d in columns:
        size, bad = _sorted_nodes(group, start, channel, head, d, end[d], sends, order, left, reached)
        if size < 0:
            return size, d, bad, count, node, first, entry, before
        for k in range(size):
            v = order[k]
            begin = first[count]
            used = 0
            mixed = v + 1
            entry = _grown(entry, begin + first_in[v + 1] - first_in[v])
            before = _grown(before, begin + first_in[v + 1] - first_in[v])
            for i in range(first_in[v], first_in[v + 1]):
                w = tail_in[i]
                if reached[w] == d and group[w, d] >= 0:
                    e = _place(start, channel, group[w, d], channel_in[i])
                    if e >= 0:
                        entry[begin + used] = e
                        before[begin + used] = visit[w, d]
                        used += 1
                        mixed = ((mixed * 1000003 + e) % _PRIME * 1000003 + visit[w, d]) % _PRIME
            at = mixed % len(slot)
            found = -1
            while slot[at] >= 0 and found < 0:
                x = slot[at]
                same = node[x] == v and first[x + 1] - first[x] == used
                if same:
                    for j in range(used):
                        if entry[first[x] + j] != entry[begin + j] or before[first[x] + j] != before[begin + j]:
                            same = False
                            break
                if same:
                    found = x
                else:
                    at = (at + 1) % len(slot)
            if found < 0:
                found = count
                slot[at] = found
                node = _grown(node, count + 1)
                first = _grown(first, count + 2)
                node[count] = v
                first[count + 1] = begin + used
                count += 1
                if 2 * count > len(slot):
                    slot = np.full(4 * len(slot), -1, dtype=np.int64)
                    for x in range(count):
                        mixed = node[x] + 1
                        for j in range(first[x], first[x + 1]):
                            mixed = ((mixed * 1000003 + entry[j]) % _PRIME * 1000003 + before[j]) % _PRIME
                        at = mixed % len(slot)
                        while slot[at] >= 0:
                            at = (at + 1) % len(slot)
                        slot[at] = x
            visit[v, d] = found
    return 0, -1, -1, count, node, first, entry, before


@njit(cache=True, error_model="numpy")
def fill_visits(visits, groups, sends, most):  # type: ignore[no-untyped-def]
    """What every visit is: of the packets of ``row[r]`` the part ``num[r] / den[k]``, r in begin[k]:begin[k + 1].

    ``visits``: (count, node, first, entry, before); ``groups``: (group of every entry, weight, total of every group).
    Returns (status, begin, row, num, den); status -1 where 62 bits do not suffice, -2 for more than ``most`` rows.
    """
    count, node, first, entry, before = visits
    group_of, weight, total = groups
    n = len(sends)
    begin, den = np.zeros(count + 1, dtype=np.int64), np.ones(count, dtype=np.int64)
    row, num = np.zeros(1024, dtype=np.int32), np.zeros(1024, dtype=np.int64)
    amount, mark, touched = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for k in range(count):
        common = 1
        for j in range(first[k], first[k + 1]):
            parts, share = den[before[j]], total[group_of[entry[j]]]
            if parts > LIMIT // share:
                return -1, begin, row, num, den
            parts *= share
            common //= math.gcd(common, parts)
            if common > LIMIT // parts:
                return -1, begin, row, num, den
            common *= parts
        size = 0
        if sends[node[k]]:
            mark[node[k]] = k
            amount[node[k]] = common
            touched[0] = node[k]
            size = 1
        for j in range(first[k], first[k + 1]):
            x = before[j]
            times = common // (den[x] * total[group_of[entry[j]]]) * weight[entry[j]]
            for r in range(begin[x], begin[x + 1]):
                v = row[r]
                if mark[v] != k:
                    mark[v] = k
                    amount[v] = 0
                    touched[size] = v
                    size += 1
                amount[v] += num[r] * times
        at = begin[k]
        if at + size > most:
            return -2, begin, row, num, den
        row, num = _grown(row, at + size), _grown(num, at + size)
        touched[:size].sort()
        divisor = common
        for r in range(size):
            if divisor == 1:
                break
            divisor = math.gcd(divisor, amount[touched[r]])
        for r in range(size):
            row[at + r] = touched[r]
            num[at + r] = amount[touched[r]] // divisor
        den[k] = common // divisor
        begin[k + 1] = at + size
    return 0, begin, row, num, den


@njit(cache=True, error_model="numpy")
def count_loads(group, visit, columns, start, channel, begin, count):  # type: ignore[no-untyped-def]
    """Add to ``count``, int64 (C,), how many pairs load each channel."""
    for v in range(len(group)):
        for d in columns:
            x = visit[v, d]
            if x >= 0:
                for e in range(start[group[v, d]], start[group[v, d] + 1]):
                    count[channel[e]] += begin[x + 1] - begin[x]


@njit(cache=True, error_model="numpy")
def fill_loads(asked, offset, tail, tables, columns, groups, visits, row_of, column_of, num_of, den_of):  # type: ignore[no-untyped-def]
    """Write the pair loads of the channels ``asked``, by row and then column, in lowest terms, from ``offset`` on.

    ``tables``: (group, visit); ``groups``: (start, channel, weight, total); ``visits``: (begin, row, num, den).
    """
    group, visit = tables
    start, channel, weight, total = groups
    begin, row, num, den = visits
    at = np.zeros(len(group) + 1, dtype=np.int64)
    for k in range(len(asked)):
        c = asked[k]
        v = tail[c]
        at[:] = 0
        for d in columns:
            x = visit[v, d]
            if x >= 0 and _place(start, channel, group[v, d], c) >= 0:
                for r in range(begin[x], begin[x + 1]):
                    at[row[r] + 1] += 1
        at[0] = offset[k]
        for r in range(len(group)):
            at[r + 1] += at[r]
        for d in columns:
            x = visit[v, d]
            if x < 0:
                continue
            e = _place(start, channel, group[v, d], c)
            if e < 0:
                continue
            last, top, low = 0, 0, 0
            whole = den[x] * total[group[v, d]]
            for r in range(begin[x], begin[x + 1]):
                if num[r] != last:
                    last = num[r]
                    divisor = math.gcd(last * weight[e], whole)
                    top, low = last * weight[e] // divisor, whole // divisor
                k_at = at[row[r]]
                at[row[r]] = k_at + 1
                row_of[k_at] = row[r]
                column_of[k_at] = d
                num_of[k_at] = top
                den_of[k_at] = low


@njit(cache=True, error_model="numpy")
def pair_crossings(rows, columns, tables, groups, visits, offset, channel_of, num_of, den_of):  # type: ignore[no-untyped-def]
    """The loads of the pairs (rows[k], columns[k]): with empty arrays only ``offset``, int64 (K + 1,), is written."""
    group, visit = tables
    start, channel, weight, total = groups
    begin, row, num, den = visits
    write = len(channel_of) > 0
    size = 0
    for k in range(len(rows)):
        d = columns[k]
        for v in range(len(group)):
            x = visit[v, d]
            if x < 0:
                continue
            low, high = begin[x], begin[x + 1]
            while low < high:
                middle = (low + high) // 2
                if row[middle] < rows[k]:
                    low = middle + 1
                else:
                    high = middle
            if low == begin[x + 1] or row[low] != rows[k]:
                continue
            g = group[v, d]
            for e in range(start[g], start[g + 1]):
                if write:
                    divisor = math.gcd(num[low] * weight[e], den[x] * total[g])
                    channel_of[size] = channel[e]
                    num_of[size] = num[low] * weight[e] // divisor
                    den_of[size] = den[x] * total[g] // divisor
                size += 1
        offset[k + 1] = size


@njit(cache=True, error_model="numpy")
def same_under(node, moved, tables, start, channel, weight, columns, image):  # type: ignore[no-untyped-def]
    """Does the group of v for column d move to that of node[v] for column node[d], wherever packets come?

    ``moved``: the image of every channel; ``image``: int64 (G,), -1 everywhere, room for the image of every group.
    """
    group, visit = tables
    for d in columns:
        for v in range(len(group)):
            if visit[v, d] < 0:
                continue
            a, b = group[v, d], group[node[v], node[d]]
            if b < 0:
                return False
            if image[a] >= 0:
                if image[a] != b:
                    return False
                continue
            if start[a + 1] - start[a] != start[b + 1] - start[b]:
                return False
            for e in range(start[a], start[a + 1]):
                there = _place(start, channel, b, moved[channel[e]])
                if there < 0 or weight[there] != weight[e]:
                    return False
            image[a] = b
    return True


@njit(cache=True, error_model="numpy")
def mark_group_turns(tables, columns, end, head, start, channel, visits, turns, row_of, column_of):  # type: ignore[no-untyped-def]
    """Write a source and a column whose packets make it to every turn that some packet makes.

    ``visits``: (begin, row); ``turns``: (start, rank), see ``turn_numbers``; row_of, column_of: int32 by turn, -1 yet.
    """
    group, visit = tables
    begin, row = visits
    first, rank = turns
    for d in columns:
        for v in range(len(group)):
            x = visit[v, d]
            if x < 0:
                continue
            for e in range(start[group[v, d]], start[group[v, d] + 1]):
                a = channel[e]
                u = head[a]
                if u == end[d]:
                    continue
                for f in range(start[group[u, d]], start[group[u, d] + 1]):
                    k = first[a] + rank[channel[f]]
                    if row_of[k] < 0:
                        row_of[k] = row[begin[x]]
                        column_of[k] = d
