"""Compiled steps of Upfal's algorithm; see ``upfal`` for what they do.

A switch holds one integer: ``wave << n | destination`` for a packet, the largest integer of the array's type for no
packet (a wave later than all), -1 for a dead switch (a wave earlier than all).  So moving into an empty switch and
swapping with a later packet are one exchange, under one condition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...machine.compiled import njit


class Packets(NamedTuple):
    """What all steps share.  ``state``: (n, N); ``wire``: (n, 2d, N); ``alive``: bool, (N,), outputs that work.

    ``n``: log2 of the rows; ``load``: waves of a permutation; ``empty``: the content of an empty switch.  Out:
    ``arrival``: int32 (P * N,), steps; ``present``: int64 (n + 1,), packets by level; ``totals``: moves, swaps, work.
    ``rows``: uint32 (N,), room for a list.
    """

    state: npt.NDArray[np.integer]
    wire: npt.NDArray[np.int32]
    alive: npt.NDArray[np.bool_]
    n: int
    load: int
    empty: np.integer
    arrival: npt.NDArray[np.int32]
    present: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    rows: npt.NDArray[np.uint32]


@njit(cache=True, nogil=True, error_model="numpy")
def _occupied(here, empty, rows):  # type: ignore[no-untyped-def]
    """Write the rows of a level that hold a packet to ``rows``; returns how many."""
    end = np.uint64(empty)
    count = 0
    for r in range(here.shape[0]):
        rows[count] = r
        count += int(np.uint64(here[r]) < end)  # the -1 of a dead switch becomes the largest of all
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _exchange(here, there, wire, n, bit, rows, count, empty):  # type: ignore[no-untyped-def]
    """One colour between two levels, for the packets of the first ``count`` of ``rows``; returns how many of these stay
    occupied (they come first in ``rows``), and how many packets crossed.

    No branches, as packets are unpredictable: ``go`` has all bits set for an exchange, none otherwise.
    """
    low = (1 << n) - 1
    left = 0
    crossed = 0
    for k in range(count):
        r = rows[k]
        a = here[r]
        h = wire[r]
        at = np.uint32(h)  # unsigned: no test for indices from the end
        b = there[at]
        go = (((a | low) - b) >> 63) & (((a ^ h) >> bit & 1) - 1)  # the wave of a is before that of b; h leads its way
        change = (a ^ b) & go
        here[r] = a ^ change
        there[at] = b ^ change
        crossed -= go
        rows[left] = r
        left += (a ^ change) != empty
    return left, crossed


@njit(cache=True, nogil=True, error_model="numpy")
def _deliver(here, wire, step, rows, count, packets):  # type: ignore[no-untyped-def]
    """One colour into the last level, which absorbs: as ``_exchange``, but -1 if a packet arrives twice or astray."""
    n, load, empty, alive, arrival = packets.n, packets.load, packets.empty, packets.alive, packets.arrival
    left = 0
    size = here.shape[0]
    for k in range(count):
        r = rows[k]
        a = here[r]
        h = wire[r]
        if ((a ^ h) & 1) == 0 and alive[h]:
            at = ((a >> n) // load) * size + h
            if arrival[at] != 0 or (a & (size - 1)) != h:
                return -1, 0
            arrival[at] = step
            here[r] = empty
        else:
            rows[left] = r
            left += 1
    return left, count - left


@njit(cache=True, nogil=True, error_model="numpy")
def run_steps(parity, first, last, step, packets):  # type: ignore[no-untyped-def]
    """Colours ``first`` .. ``last`` - 1 on all edge levels of one parity; the first is step number ``step``.

    Returns False if a packet went astray.  Levels of one parity share no switch, so each takes all its colours at once;
    within a phase no switch of its tails becomes occupied, so that each colour asks only those that the last one left.
    """
    n, state, wire, present, totals = packets.n, packets.state, packets.wire, packets.present, packets.totals
    rows, empty = packets.rows, packets.empty
    for level in range(parity, n, 2):
        if present[level] == 0:
            continue
        count = _occupied(state[level], empty, rows)
        for colour in range(first, last):
            if count == 0:
                break
            totals[2] += state.shape[1]
            if level == n - 1:
                left, crossed = _deliver(state[level], wire[level, colour], step + colour - first, rows, count, packets)
                if left < 0:
                    return False
            else:
                here, there, bit = state[level], state[level + 1], n - 1 - level
                left, crossed = _exchange(here, there, wire[level, colour], n, bit, rows, count, empty)
            moves = count - left
            totals[0] += moves
            totals[1] += crossed - moves
            present[level] -= moves
            present[level + 1] += moves
            count = left
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def refill(first, following, packets):  # type: ignore[no-untyped-def]
    """Every input takes the lowest wave of its own packet and its queue; returns how many took one from the queue.

    Packet number p * N + destination; ``first``: the queue's first packet by row, -1 for none; ``following``: the next
    one in the queue by packet.  Queues are in order of (wave, destination); on equal waves the input keeps its own.
    """
    inputs, n, load, empty = packets.state[0], packets.n, packets.load, packets.empty
    size = inputs.shape[0]
    taken = 0
    for r in range(size):
        q = first[r]
        if q < 0:
            continue
        a = inputs[r]
        wave = (q // size) * load + (q % size) % load
        if a == empty:
            packets.present[0] += 1
        elif not wave < (a >> n):
            continue
        first[r] = following[q]
        inputs[r] = (wave << n) | (q % size)
        taken += 1
        if a != empty:  # back into the queue, in order
            own = ((a >> n) // load) * size + (a & (size - 1))
            at = -1
            nxt = first[r]
            while nxt >= 0:
                w = (nxt // size) * load + (nxt % size) % load
                if ((w << n) | (nxt % size)) > a:
                    break
                at = nxt
                nxt = following[nxt]
            following[own] = nxt
            if at < 0:
                first[r] = own
            else:
                following[at] = own
    return taken


@njit(cache=True, nogil=True, error_model="numpy")
def run_greedy(wire, goal, first, last, following, moved, arrival, alive, n, step):  # type: ignore[no-untyped-def]
    """One step: every edge carries the front packet of its queue.  Returns (moves, deliveries), -1 moves if astray.

    ``first``, ``last``: (n, 2, N) fronts and backs of the queues by level, direction and row, -1 for none;
    ``following``: the packet behind a packet; ``moved``: room for what crosses between two levels, (2, 2d * N):
    packet and row. Levels are taken from the last to the first, so nothing moves twice.
    """
    rows = wire.shape[2]
    moves = 0
    deliveries = 0
    for level in range(n - 1, -1, -1):
        count = 0
        for colour in range(wire.shape[1]):
            for r in range(rows):
                h = wire[level, colour, r]
                side = (h >> (n - 1 - level)) & 1
                q = first[level, side, r]
                if q < 0 or not alive[level + 1, h]:
                    continue
                first[level, side, r] = following[q]
                if following[q] < 0:
                    last[level, side, r] = -1
                moved[0, count] = q
                moved[1, count] = h
                count += 1
        moves += count
        for k in range(count):
            q = moved[0, k]
            h = moved[1, k]
            if level == n - 1:
                if goal[q] != h or arrival[q] != 0:
                    return -1, 0
                arrival[q] = step
                deliveries += 1
                continue
            side = (goal[q] >> (n - 2 - level)) & 1
            following[q] = -1
            if last[level + 1, side, h] < 0:
                first[level + 1, side, h] = q
            else:
                following[last[level + 1, side, h]] = q
            last[level + 1, side, h] = q
    return moves, deliveries
