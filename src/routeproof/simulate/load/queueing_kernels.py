"""Compiled cycles of the packet simulation with ideal flow control; see ``queueing``."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit

GENERATED, ACCEPTED, ARRIVED, DELAY, HOPS, BACKLOG = range(6)


@njit(cache=True, nogil=True, error_model="numpy")
def word(seed, which, use):  # type: ignore[no-untyped-def]
    """``core.sampling.seeded.word``."""
    x = np.uint64(seed)
    for step in range(3):
        if step == 1:
            x ^= np.uint64(which)
        elif step == 2:
            x ^= np.uint64(use)
        x += np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return np.int64(x >> np.uint64(2))


@njit(cache=True, nogil=True, error_model="numpy")
def _destination(terminal, draw, kind, image, cumulative):  # type: ignore[no-untyped-def]
    """The terminal that a packet goes to, -1 for no packet.  ``kind``: 0 uniform, 1 permutation, 2 matrix."""
    if kind == 0:
        return ((draw >> 31) * image.shape[0]) >> 31
    if kind == 1:
        return np.int64(image[terminal])
    low = 0
    high = cumulative.shape[1]
    while low < high:  # the first place whose cumulative threshold is above the draw
        middle = (low + high) // 2
        if cumulative[terminal, middle] > draw:
            high = middle
        else:
            low = middle + 1
    return np.int64(low) if low < cumulative.shape[1] else np.int64(-1)


@njit(cache=True, nogil=True, error_model="numpy")
def _by_pair(node, pair, draw, pair_offset, entry_tail, entry_channel, entry_threshold):  # type: ignore[no-untyped-def]
    """The next channel of a packet that walks along its pair's flow; -1 where the flow leads nowhere."""
    low = pair_offset[pair]
    high = pair_offset[pair + 1]
    end = high
    while low < high:  # the first entry (tail, threshold) beyond (node, draw)
        middle = (low + high) // 2
        if entry_tail[middle] > node or (entry_tail[middle] == node and entry_threshold[middle] > draw):
            high = middle
        else:
            low = middle + 1
    if low == end or entry_tail[low] != node:
        return -1
    return entry_channel[low]


@njit(cache=True, nogil=True, error_model="numpy")
def _directions(source, destination, grid, goal, which, seed):  # type: ignore[no-untyped-def]
    """Which ways a packet may go: two bits per dimension, 1 for +, 2 for -."""
    coordinate, radix, _, wraps = grid
    result = 0
    for m in range(radix.shape[0]):
        k = radix[m]
        ahead = coordinate[destination, m] - coordinate[source, m]
        if ahead == 0:
            continue
        if not wraps:
            way = 1 if ahead > 0 else 2
        else:
            ahead = ahead % k
            if goal:  # the + direction, of `ahead` hops, with probability (k - ahead) / k
                draw = word(seed, which, 8 + m)
                way = 1 if ((draw >> 31) * k) >> 31 < k - ahead else 2
            elif 2 * ahead == k:
                way = 3
            else:
                way = 1 if 2 * ahead < k else 2
        result |= way << (2 * m)
    return result


@njit(cache=True, nogil=True, error_model="numpy")
def _adaptive(node, destination, ways, draw, grid, length):  # type: ignore[no-untyped-def]
    """The allowed channel with the shortest queue; ties by chance, in order of dimension and direction."""
    coordinate, _, channel_at, _ = grid
    best = np.int64(1) << 60
    count = 0
    shortest = np.empty(2 * coordinate.shape[1], dtype=np.int64)
    for m in range(coordinate.shape[1]):
        if coordinate[node, m] == coordinate[destination, m]:
            continue
        for side in range(2):
            if not (ways >> (2 * m + side)) & 1:
                continue
            c = channel_at[node, m, side]
            if side == 1 and (ways >> (2 * m)) & 1 and channel_at[node, m, 0] == c:
                continue  # radix 2: both ways are one channel
            if length[c] < best:
                best = length[c]
                count = 0
            if length[c] == best:
                shortest[count] = c
                count += 1
    return shortest[((draw >> 31) * count) >> 31] if count else np.int64(-1)


@njit(cache=True, nogil=True, error_model="numpy")
def _carried(field, queues, moving, moved):  # type: ignore[no-untyped-def]
    """Every channel carries what its bandwidth allows: how many packets, which, and over which channels.

    ``moving``, ``moved``: arrays for the last two, longer ones where they do not suffice.
    """
    first, last, length, credit, packets, _ = queues
    todo = 0
    for c in range(length.shape[0]):
        credit[c] += field.width[c]
        while credit[c] >= field.unit[c] and length[c] > 0:
            level = first.shape[0] - 1
            while first[level, c] < 0:
                level -= 1
            p = first[level, c]
            first[level, c] = packets[0, p]
            if packets[0, p] < 0:
                last[level, c] = -1
            length[c] -= 1
            credit[c] -= field.unit[c]
            if todo == moving.shape[0]:
                moving = np.concatenate((moving, np.empty_like(moving)))
                moved = np.concatenate((moved, np.empty_like(moved)))
            moving[todo] = p
            moved[todo] = c
            todo += 1
        if length[c] == 0:
            credit[c] = credit[c] % field.unit[c]
    return todo, moving, moved


@njit(cache=True, nogil=True, error_model="numpy")
def run_cycles(start, stop, seed, field, walk, grid, queues, counts):  # type: ignore[no-untyped-def]
    """Cycles ``start`` .. ``stop`` - 1, or fewer where the room for packets may run out; returns the next cycle, or -1
    - c if the routing leads nowhere in cycle c.  ``field`` and ``queues``: see ``queueing``; ``walk``, ``grid``: one of
    them is None, and what goes by it is not compiled."""
    source, sink, head = field.source, field.sink, field.head
    first, last, length, _, packets, free = queues
    terminals = source.shape[0]
    channels = head.shape[0]
    levels = first.shape[0]
    moving = np.empty(channels, dtype=np.int64)
    moved = np.empty(channels, dtype=np.int64)
    for cycle in range(start, stop):
        if free[0] < terminals:
            return cycle
        # 1. Terminals make packets; each goes to the end of the queue of its first channel.
        # 2. Every channel carries what its bandwidth allows, from queues as they were.
        # 3. What was carried arrives, in order of channels, and queues for the next channel.
        for phase in range(2):
            if phase == 0:
                todo = terminals
            else:
                todo, moving, moved = _carried(field, queues, moving, moved)
            for x in range(todo):
                if phase == 0:
                    number = np.int64(cycle) * terminals + x
                    if word(seed, number, np.int64(0)) >= field.rate:  # a plain 0 would be a type of its own
                        continue
                    j = _destination(x, word(seed, number, np.int64(1)), *field.traffic)
                    if j < 0:
                        continue
                    counts[GENERATED] += 1
                    node = source[x]
                    target = sink[j]
                    if node == target:
                        counts[ACCEPTED] += 1
                        continue
                    p = free[free[0]]
                    free[0] -= 1
                    counts[BACKLOG] += 1
                    packets[1, p] = number
                    packets[3, p] = target
                    packets[5, p] = cycle
                    packets[6, p] = 0
                    if walk is not None:
                        packets[2, p] = (
                            x if field.traffic[0] == 1 else field.pair_at[field.row_of[x], field.column_of[j]]
                        )
                    if grid is not None:
                        packets[4, p] = _directions(node, target, grid, field.goal, number, seed)
                else:
                    p = moving[x]
                    node = head[moved[x]]
                    packets[6, p] += 1
                    if node == packets[3, p]:
                        counts[ACCEPTED] += 1
                        counts[ARRIVED] += 1
                        counts[DELAY] += cycle + 1 - packets[5, p]
                        counts[HOPS] += packets[6, p]
                        counts[BACKLOG] -= 1
                        free[0] += 1
                        free[free[0]] = p
                        continue
                draw = word(seed, packets[1, p], 64 + packets[6, p])
                c = np.int64(-1)
                if walk is not None:
                    c = _by_pair(node, packets[2, p], draw, *walk)
                if grid is not None:
                    c = _adaptive(node, packets[3, p], packets[4, p], draw, grid, length)
                if c < 0:
                    return -1 - cycle
                level = 0
                if levels > 1:
                    level = field.distance[head[c], packets[3, p]]
                packets[0, p] = -1
                if last[level, c] < 0:
                    first[level, c] = p
                else:
                    packets[0, last[level, c]] = p
                last[level, c] = p
                length[c] += 1
    return stop
