"""Compiled kernels for shortest paths in a graph of states, and for the first few simple paths."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True)
def count_to(in_offset, in_state, goals, hops, ways, queue):  # type: ignore[no-untyped-def]
    """Fill ``hops`` (int32, -1 unreachable) and ``ways`` (int64, capped at 2**61) from every state to ``goals``."""
    hops[:] = -1
    ways[:] = 0
    last = 0
    for g in goals:
        hops[g] = 0
        ways[g] = 1
        queue[last] = g
        last += 1
    first = 0
    while first < last:
        w = queue[first]
        first += 1
        for p in range(in_offset[w], in_offset[w + 1]):
            s = in_state[p]
            if hops[s] < 0:
                hops[s] = hops[w] + 1
                queue[last] = s
                last += 1
            if hops[s] == hops[w] + 1:
                ways[s] = min(ways[s] + ways[w], 1 << 61)


@njit(cache=True, nogil=True)
def walk_ranks(out_offset, out_state, out_channel, starts, ranks, hops, ways, offset, channel):  # type: ignore[no-untyped-def]
    """Write the shortest paths from ``starts[k]``, the ``ranks[k]``-th in order of channels, into ``channel``."""
    for k in range(len(starts)):
        at = starts[k]
        rank = ranks[k]
        place = offset[k]
        while hops[at] > 0:
            for p in range(out_offset[at], out_offset[at + 1]):
                there = out_state[p]
                if hops[there] >= 0 and hops[there] + 1 == hops[at]:
                    if rank < ways[there]:
                        channel[place] = out_channel[p]
                        place += 1
                        at = there
                        break
                    rank -= ways[there]


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


@njit(cache=True, nogil=True)
def balanced_trees(in_offset, in_channel, tail, head, ends, supply, weight, table):  # type: ignore[no-untyped-def]
    """Fill ``table`` (int32 (N, D)): the next channel of every node in a lightest tree to each of ``ends``.

    ``weight`` (int64, by channel) grows by the terminals whose packets cross it, destination after destination.
    Ties go to the lower channel.  Dijkstra with a binary heap.
    """
    num_nodes = table.shape[0]
    far = np.int64(1) << 62
    cost = np.empty(num_nodes, dtype=np.int64)
    done = np.empty(num_nodes, dtype=np.bool_)
    order = np.empty(num_nodes, dtype=np.int32)
    crossing = np.empty(num_nodes, dtype=np.int64)
    heap_cost = np.empty(len(tail) + 1, dtype=np.int64)
    heap_node = np.empty(len(tail) + 1, dtype=np.int32)
    for d in range(len(ends)):
        cost[:] = far
        done[:] = False
        end = ends[d]
        cost[end] = 0
        heap_cost[0] = 0
        heap_node[0] = end
        size = 1
        settled = 0
        while size > 0:
            w = heap_node[0]
            size -= 1
            last_cost = heap_cost[size]
            last_node = heap_node[size]
            p = 0
            while True:
                q = 2 * p + 1
                if q >= size:
                    break
                if q + 1 < size and (heap_cost[q + 1], heap_node[q + 1]) < (heap_cost[q], heap_node[q]):
                    q += 1
                if (last_cost, last_node) <= (heap_cost[q], heap_node[q]):
                    break
                heap_cost[p] = heap_cost[q]
                heap_node[p] = heap_node[q]
                p = q
            heap_cost[p] = last_cost
            heap_node[p] = last_node
            if done[w]:
                continue
            done[w] = True
            order[settled] = w
            settled += 1
            for k in range(in_offset[w], in_offset[w + 1]):
                c = in_channel[k]
                s = tail[c]
                if done[s]:
                    continue
                total = cost[w] + weight[c]
                if total < cost[s]:
                    cost[s] = total
                    table[s, d] = c
                    p = size
                    size += 1
                    while p > 0:
                        q = (p - 1) // 2
                        if (heap_cost[q], heap_node[q]) <= (total, s):
                            break
                        heap_cost[p] = heap_cost[q]
                        heap_node[p] = heap_node[q]
                        p = q
                    heap_cost[p] = total
                    heap_node[p] = s
                elif total == cost[s] and c < table[s, d]:
                    table[s, d] = c
        crossing[:] = supply
        for k in range(settled - 1, 0, -1):
            s = order[k]
            c = table[s, d]
            weight[c] += crossing[s]
            crossing[head[c]] += crossing[s]
