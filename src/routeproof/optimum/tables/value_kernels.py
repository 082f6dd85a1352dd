"""Compiled: the worst case of a channel under destination-based tables, for ``exchange_kernels``.

Under one table it is a matching with capacities between source nodes (as many packets as hosts inject there) and
destinations (one each): Hopcroft & Karp's problem, solved here by augmenting paths that share the marks of failed
searches.  With several tables (the lids of a host, say) a packet's load on a channel is the part of its tables that
lead across it, and the worst case is a transportation problem instead of a matching.

Which sources' packets pass a node is kept as bits, for each column of the tables.
"""

from __future__ import annotations

import numpy as np

from ...graphs.transport_arrays import Channels
from ...graphs.transport_kernels import solve_channels
from ...machine.compiled import njit

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_DE_BRUIJN = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, dtype=np.int64)
for _k in range(64):
    _PLACE[((_DE_BRUIJN << _k) & 0xFFFFFFFFFFFFFFFF) >> 58] = _k
_FACTOR, _SHIFT = np.uint64(_DE_BRUIJN), np.uint64(58)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _lowest(bits):  # type: ignore[no-untyped-def]
    """Where the lowest bit is (de Bruijn's sequence)."""
    return _PLACE[((bits & (~bits + _ONE)) * _FACTOR) >> _SHIFT]


@njit(cache=True, nogil=True, error_model="numpy")
def fill_passing(problem):  # type: ignore[no-untyped-def]
    """Set ``passing`` by the tables."""
    count = len(problem.sources)
    for d in range(problem.next_channel.shape[1]):
        end = problem.target[d]
        for s in range(count):
            if problem.supply[problem.lid[d] * count + s] == 0:
                continue
            bit = _ONE << np.uint64(s & 63)
            v = problem.sources[s]
            problem.passing[v, d, s >> 6] |= bit
            while v != end:
                v = problem.head[problem.next_channel[v, d]]
                problem.passing[v, d, s >> 6] |= bit


@njit(cache=True, nogil=True, error_model="numpy")
def forward(v, d, channel, problem, moved):  # type: ignore[no-untyped-def]
    """Forward column d at node v by ``channel``, and keep ``passing``; moved: uint64 (words,) scratch."""
    end, passing, size = problem.target[d], problem.passing, len(moved)
    for w in range(size):
        moved[w] = passing[v, d, w]
    node = v
    while node != end:
        node = problem.head[problem.next_channel[node, d]]
        for w in range(size):
            passing[node, d, w] &= ~moved[w]
    problem.next_channel[v, d] = channel
    node = v
    while node != end:
        node = problem.head[problem.next_channel[node, d]]
        for w in range(size):
            passing[node, d, w] |= moved[w]


@njit(cache=True, nogil=True, error_model="numpy")
def matched_value(c, problem, work):  # type: ignore[no-untyped-def]
    """The most packets that a permutation sends across channel c."""
    next_channel, tail, _, target, amount, supply, lid, sources, passing = problem
    match, used, seen, fresh, mark, stack, first_column, hit, _ = work
    count, lids, all_columns = len(sources), len(seen), len(hit)
    u = tail[c]
    columns = 0
    for d in range(all_columns):
        hit[d] = -1
        if next_channel[u, d] != c or amount[d] == 0 or target[d] == u:
            continue
        if columns == 0 or first_column[columns - 1] != d - lid[d]:  # all lids of a destination are one
            first_column[columns] = d - lid[d]
            columns += 1
    for v in range(len(used)):
        used[v] = 0
    seen[:] = _NONE
    # match[v, k]: the destinations (places) served by source v.
    value = 0
    for start in range(columns):
        # Breadth-first from this destination over sources with no packet left, back along their destinations.
        first = 0
        num_fresh = 0
        stack[0] = start
        last = 1
        found = -1
        while first < last and found < 0:
            k = stack[first]
            first += 1
            for by in range(lids):
                d = first_column[k] + by
                if d >= all_columns or lid[d] != by or next_channel[u, d] != c or found >= 0:
                    continue
                for w in range(passing.shape[2]):
                    new = passing[u, d, w] & ~seen[by, w]
                    while new != _NONE and found < 0:
                        place = _lowest(new)
                        bit = _ONE << np.uint64(place)
                        new ^= bit
                        seen[by, w] |= bit
                        s = by * count + 64 * w + place
                        fresh[num_fresh] = s
                        num_fresh += 1
                        mark[s] = k
                        if used[s] < supply[s] and used[s] < match.shape[1]:
                            found = s
                        else:
                            for m in range(used[s]):
                                stack[last] = match[s, m]
                                last += 1
        if found < 0:
            continue  # what was seen stays seen: no later search gets any further from there
        value += 1
        # Turn the path round.
        s = found
        k = mark[s]
        match[s, used[s]] = k
        used[s] += 1
        while k != start:
            # Destination k was served by another source; that source now serves the one that led to it.
            other = hit[first_column[k]]
            hit[first_column[k]] = s
            place = 0
            while match[other, place] != k:
                place += 1
            s = other
            k = mark[s]
            match[s, place] = k
        hit[first_column[k]] = s
        for k in range(num_fresh):
            s = fresh[k] % count
            seen[fresh[k] // count, s >> 6] &= ~(_ONE << np.uint64(s & 63))
    for k in range(columns):
        s = hit[first_column[k]]
        if s >= 0:
            hit[first_column[k]] = -1
            hit[first_column[k] + s // count] = sources[s % count]
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def mixed_value(c, problem, work, mixed):  # type: ignore[no-untyped-def]
    """The largest load of channel c under any permutation, in units of what all ``amount`` of a destination sum to."""
    next_channel, tail, _, target, amount, supply, _, sources, passing = problem
    hit = work.hit
    destination, demand, share, offset, row, column, weight, start, stop, solved, scratch = mixed
    u = tail[c]
    for j in range(len(hit)):
        hit[j] = -1
        if amount[j] != 0 and next_channel[u, j] == c and target[j] != u:
            for s in range(len(sources)):
                if passing[u, j, s >> 6] >> np.uint64(s & 63) & _ONE:
                    share[s, destination[j]] += amount[j]
    entries = 0
    for s in range(len(sources)):
        for d in range(len(demand)):
            if share[s, d] > 0:
                row[entries] = s
                column[entries] = d
                weight[entries] = share[s, d]
                share[s, d] = 0
                entries += 1
    offset[1] = entries
    channels = Channels(offset, row, column, weight, supply, demand)
    solve_channels(channels, start, stop, False, 0, solved, scratch)
    for e in range(entries):
        if solved.flow[e] > 0:
            s = row[e]
            for j in range(len(hit)):
                crosses = destination[j] == column[e] and next_channel[u, j] == c and target[j] != u
                if crosses and passing[u, j, s >> 6] >> np.uint64(s & 63) & _ONE:
                    hit[j] = sources[s]
    return solved.value[0]
