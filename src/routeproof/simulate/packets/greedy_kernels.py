"""Compiled steps of greedy routing with queues; see ``greedy``."""

from __future__ import annotations

from ...machine.compiled import njit


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
