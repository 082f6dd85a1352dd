"""Compiled cycles of the packet simulation with ideal flow control; see ``queueing``."""

from __future__ import annotations

import numpy as np

from ...core.sampling.seeded import FULL
from ...machine.compiled import njit

GENERATED, ACCEPTED, ARRIVED, DELAY, HOPS, BACKLOG = range(6)


@njit(cache=True, nogil=True, error_model="numpy")
def mixed(x):  # type: ignore[no-untyped-def]
    """One round of ``core.sampling.seeded.word``."""
    x += np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True, error_model="numpy")
def draw_of(key, use):  # type: ignore[no-untyped-def]
    """``core.sampling.seeded.word`` of what has the ``key`` ``mixed(mixed(seed) ^ which)``."""
    return np.int64(mixed(np.uint64(key) ^ np.uint64(use)) >> np.uint64(2))


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
def linked(offset, tail, channel, threshold, head, source, place, base, entries, start):  # type: ignore[no-untyped-def]
    """Write entries and starts of ``queueing.Walks`` for a block of pairs, whose first entry has number ``base``.

    ``source``: the node where a pair starts; ``place``: int64, by node, all -1 before and after.
    """
    for pair in range(source.shape[0]):
        low = offset[pair]
        high = offset[pair + 1]
        for e in range(high - 1, low - 1, -1):
            place[tail[e]] = base + e
        start[pair] = place[source[pair]]
        for e in range(low, high):
            entries[e, 0] = threshold[e]
            entries[e, 1] = (place[head[channel[e]]] << 32) | channel[e]
        for e in range(low, high):
            place[tail[e]] = -1


@njit(cache=True, nogil=True, error_model="numpy")
def _directions(source, destination, grid, goal, key):  # type: ignore[no-untyped-def]
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
                way = 1 if ((draw_of(key, 8 + m) >> 31) * k) >> 31 < k - ahead else 2
            elif 2 * ahead == k:
                way = 3
            else:
                way = 1 if 2 * ahead < k else 2
        result |= way << (2 * m)
    return result


@njit(cache=True, nogil=True, error_model="numpy")
def _adaptive(node, destination, ways, draw, grid, length, shortest):  # type: ignore[no-untyped-def]
    """The allowed channel with the shortest queue; ties by chance, in order of dimension and direction.
    ``shortest``: room for two channels a dimension."""
    coordinate, _, channel_at, _ = grid
    best = np.int64(1) << 60
    count = 0
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
def _carried(cycle, field, queues, busy, ready, counts):  # type: ignore[no-untyped-def]
    """Every channel carries what its bandwidth allows.  Returns how many packets are not at their destinations then,
    and these, in order of channels, in ``ready``, or in a longer array where it does not suffice.

    ``busy``: room for all channels.  No branch asks whether a packet has arrived: processors cannot predict it.
    """
    first, _, length, credit, packets, free = queues
    many = 0
    for c in range(length.shape[0]):
        busy[many] = c
        many += int((length[c] > 0) | (field.unit[c] > 1))  # else an idle channel, which saves nothing up
    left = arrived = delay = hops = 0
    top = free[0]
    for k in range(many):
        c = busy[k]
        node = field.head[c]
        unit = field.unit[c]
        saved = credit[c] + field.width[c]
        while saved >= unit and length[c] > 0:
            level = np.uint32(first.shape[0] - 1)
            while first[level, c] < 0:
                level = np.uint32(level - 1)
            p = np.uint32(first[level, c])
            first[level, c] = packets[p, 0]
            length[c] -= 1
            saved -= unit
            spent = packets[p, 6] + 1
            packets[p, 6] = spent
            packets[p, 7] = node
            there = int(node == packets[p, 3])
            arrived += there
            delay += there * (cycle + 1 - packets[p, 5])
            hops += there * spent
            top += there
            free[top] += there * (p - free[top])
            if left == ready.shape[0]:
                ready = np.concatenate((ready, np.empty_like(ready)))
            ready[left] = p
            left += 1 - there
        if saved >= unit and length[c] == 0:  # in this order: the second cannot be predicted
            saved %= unit
        credit[c] = saved
    free[0] = top
    counts[ACCEPTED] += arrived
    counts[ARRIVED] += arrived
    counts[DELAY] += delay
    counts[HOPS] += hops
    counts[BACKLOG] -= arrived
    return left, ready


@njit(cache=True, nogil=True, error_model="numpy")
def _made(cycle, seeded, field, walk, grid, queues, keys, ready, counts):  # type: ignore[no-untyped-def]
    """Write the packets that terminals make to ``ready``; returns how many.  ``seeded``: the seed, mixed once;
    ``keys``: room for all terminals."""
    packets, free = queues.packets, queues.free
    terminals = field.source.shape[0]
    for x in range(terminals):
        keys[x] = mixed(seeded ^ np.uint64(np.int64(cycle) * terminals + x))
    makers = 0
    for x in range(terminals):
        ready[makers] = x
        makers += int(draw_of(keys[x], np.int64(0)) < field.rate)  # a plain 0 would be a type of its own
    count = 0
    for k in range(makers):
        x = ready[k]
        j = _destination(x, draw_of(keys[x], np.int64(1)), *field.traffic)
        if j < 0:
            continue
        counts[GENERATED] += 1
        node = field.source[x]
        target = field.sink[j]
        if node == target:
            counts[ACCEPTED] += 1
            continue
        p = np.uint32(free[free[0]])
        free[0] -= 1
        counts[BACKLOG] += 1
        packets[p, 1] = np.int64(keys[x])
        packets[p, 3] = target
        packets[p, 5] = cycle
        packets[p, 6] = 0
        packets[p, 7] = node
        if walk is not None:
            pair = x if field.traffic[0] == 1 else field.pair_at[field.row_of[x], field.column_of[j]]
            packets[p, 2] = walk[0][pair]
        if grid is not None:
            packets[p, 4] = _directions(node, target, grid, field.goal, keys[x])
        ready[count] = p
        count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _queued(field, walk, grid, queues, ready, count, room):  # type: ignore[no-untyped-def]
    """The first ``count`` packets of ``ready`` queue for their next channels; returns False if one finds none."""
    first, last, length, _, packets, _ = queues
    levels = first.shape[0]
    for k in range(count):
        p = ready[k]
        if walk is not None:
            if packets[p, 2] < 0:
                return False
            entry = np.uint32(packets[p, 2])
            if walk[1][entry, 0] < FULL:  # else there is no choice
                draw = draw_of(packets[p, 1], 64 + packets[p, 6])
                while walk[1][entry, 0] <= draw:
                    entry = np.uint32(entry + 1)
            c = np.uint32(walk[1][entry, 1])
            packets[p, 2] = walk[1][entry, 1] >> 32
        if grid is not None:
            draw = draw_of(packets[p, 1], 64 + packets[p, 6])
            found = _adaptive(packets[p, 7], packets[p, 3], packets[p, 4], draw, grid, length, room)
            if found < 0:
                return False
            c = np.uint32(found)
        level = np.uint32(0)
        if levels > 1:
            level = np.uint32(field.distance[field.head[c], packets[p, 3]])
        front = first[level, c]
        end = last[level, c]
        alone = front >> 63  # all bits set if the queue is empty
        packets[np.uint32(end ^ ((end ^ p) & alone)), 0] = p
        packets[p, 0] = -1
        first[level, c] = front ^ ((front ^ p) & alone)
        last[level, c] = p
        length[c] += 1
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def run_cycles(start, stop, seed, field, walk, grid, queues, counts):  # type: ignore[no-untyped-def]
    """Cycles ``start`` .. ``stop`` - 1, or fewer where the room for packets may run out; returns the next cycle, or -1
    - c if the routing leads nowhere in cycle c.  ``field`` and ``queues``: see ``queueing``; ``walk``, ``grid``: one of
    them is None, and what goes by it is not compiled."""
    terminals = field.source.shape[0]
    channels = field.head.shape[0]
    busy = np.empty(channels, dtype=np.uint32)  # unsigned, like all that follows: no test for indices from the end
    ready = np.empty(max(channels, terminals), dtype=np.uint32)
    keys = np.empty(terminals, dtype=np.uint64)
    room = np.empty(64, dtype=np.int64)
    seeded = mixed(np.uint64(seed))
    for cycle in range(start, stop):
        if queues.free[0] < terminals:
            return cycle
        # 1. Terminals make packets; each goes to the end of the queue of its first channel.
        # 2. Every channel carries what its bandwidth allows, from queues as they were.
        # 3. What was carried arrives, in order of channels, and queues for the next channel.
        count = _made(cycle, seeded, field, walk, grid, queues, keys, ready, counts)
        if not _queued(field, walk, grid, queues, ready, count, room):
            return -1 - cycle
        count, ready = _carried(cycle, field, queues, busy, ready, counts)
        if not _queued(field, walk, grid, queues, ready, count, room):
            return -1 - cycle
    return stop
