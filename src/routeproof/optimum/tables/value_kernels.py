"""Compiled: the worst case of a channel under destination-based tables, for ``exchange_kernels``.

Under one table it is a matching with capacities between source nodes (as many packets as hosts inject there) and
destinations (one each): Hopcroft & Karp's problem, solved here by augmenting paths that share the marks of failed
searches.  With several tables (the lids of a host, say) a packet's load on a channel is the part of its tables that
lead across it, and the worst case is a transportation problem instead of a matching.
"""

from __future__ import annotations

from ...graphs.transport_arrays import Channels
from ...graphs.transport_kernels import solve_channels
from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _begin(mark, u, end, size):  # type: ignore[no-untyped-def]
    """Which sources' packets pass u on their way to ``end``?  1: yes, 2: no, as ``_mark_of`` finds out; size: nodes."""
    for v in range(size):
        mark[v] = 0
    mark[u] = 1
    mark[end] = 2


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _mark_of(s, d, next_channel, head, mark, stack):  # type: ignore[no-untyped-def]
    """The mark of the first marked node from s on by column d of the table; all nodes before it have it too, then.

    ``mark``: int (N,), 0 where there is none; stack: (N,) scratch.
    """
    v = s
    depth = 0
    while mark[v] == 0:
        stack[depth] = v
        depth += 1
        v = head[next_channel[v, d]]
    answer = mark[v]
    for k in range(depth):
        mark[stack[k]] = answer
    return answer


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _entries(c, problem, work):  # type: ignore[no-untyped-def]
    """Which sources' packets cross channel c to which destinations, in ``ptr`` and ``link``, as ``supply`` is numbered;
    returns how many destinations, each in ``parent`` by its first column."""
    next_channel, tail, head, target, amount, supply, lid, sources = problem
    size = next_channel.shape[0]
    ptr, link, _, _, _, _, mark, stack, parent, _ = work
    u = tail[c]
    columns = 0
    entries = 0
    for d in range(next_channel.shape[1]):
        if amount[d] == 0 or next_channel[u, d] != c or target[d] == u:
            continue
        if columns == 0 or parent[columns - 1] != d - lid[d]:  # all lids of a destination are one
            parent[columns] = d - lid[d]
            ptr[columns] = entries
            columns += 1
        _begin(mark, u, target[d], size)
        for s in sources:
            by_lid = lid[d] * size + s
            if supply[by_lid] > 0 and _mark_of(s, d, next_channel, head, mark, stack) == 1:
                link[entries] = by_lid
                entries += 1
    ptr[columns] = entries
    return columns


@njit(cache=True, nogil=True, error_model="numpy")
def matched_value(c, problem, work):  # type: ignore[no-untyped-def]
    """The most packets that a permutation sends across channel c."""
    ptr, link, match, used, seen, fresh, mark, stack, parent, hit = work
    supply = problem.supply
    for d in range(len(hit)):
        hit[d] = -1
    columns = _entries(c, problem, work)
    for v in range(len(used)):
        used[v] = 0
        seen[v] = 0
    # match[v * width + k]: the columns (places) served by source v.
    width = match.shape[1]
    value = 0
    for start in range(columns):
        # Breadth-first from this column over sources with no packet left, back along their columns.
        first = 0
        num_fresh = 0
        stack[0] = start
        last = 1
        found = -1
        while first < last and found < 0:
            k = stack[first]
            first += 1
            for e in range(ptr[k], ptr[k + 1]):
                s = link[e]
                if seen[s]:
                    continue
                seen[s] = 1
                fresh[num_fresh] = s
                num_fresh += 1
                mark[s] = k
                if used[s] < supply[s] and used[s] < width:
                    found = s
                    break
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
            # Column k was served by another source; that source now serves the column that led to it.
            other = hit[parent[k]]
            hit[parent[k]] = s
            place = 0
            while match[other, place] != k:
                place += 1
            s = other
            k = mark[s]
            match[s, place] = k
        hit[parent[k]] = s
        for k in range(num_fresh):
            seen[fresh[k]] = 0
    size = problem.next_channel.shape[0]
    for k in range(columns):
        s = hit[parent[k]]
        if s >= size:  # a source that is pinned to another lid than the first
            hit[parent[k]] = -1
            hit[parent[k] + s // size] = s % size
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def mixed_value(c, problem, work, mixed):  # type: ignore[no-untyped-def]
    """The largest load of channel c under any permutation, in units of what all ``amount`` of a destination sum to."""
    next_channel, tail, head, target, amount, supply, _, sources = problem
    mark, stack, hit = work.mark, work.stack, work.hit
    destination, demand, share, offset, row, column, weight, start, stop, solved, scratch = mixed
    u = tail[c]
    for j in range(len(hit)):
        hit[j] = -1
    for j in range(len(hit)):
        if amount[j] == 0 or next_channel[u, j] != c or target[j] == u:
            continue
        _begin(mark, u, target[j], len(next_channel))
        for s in sources:
            if _mark_of(s, j, next_channel, head, mark, stack) == 1:
                share[s, destination[j]] += amount[j]
    entries = 0
    for s in sources:
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
            for j in range(len(hit)):
                if destination[j] == column[e] and next_channel[u, j] == c and target[j] != u:
                    v = row[e]
                    while v != u and v != target[j]:
                        v = head[next_channel[v, j]]
                    if v == u:
                        hit[j] = row[e]
    return solved.value[0]
