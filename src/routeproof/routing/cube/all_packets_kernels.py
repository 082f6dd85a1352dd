"""Compiled kernel: all N^2 packets of a destination graph, walked step by step over all links."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True)
def walk_all(moves, digit, place, radix, many_one, found):  # type: ignore[no-untyped-def]
    """Walk the packet of every origin and destination; returns the first step (from 1) at which two meet, else 0.

    moves: int16 (N, S).  digit: int32 (N, d).  place: int64 (d,).  many_one: may two packets share a destination?
    found: int64 (6,), filled with origin, destination of both packets, tail and head of the link.
    Two packets count if they have different origins and, unless many_one, different destinations.
    """
    size, steps = moves.shape
    dims = digit.shape[1]
    kinds = dims * (radix - 1) + 1
    here = np.empty((size, size), dtype=np.int32)  # by origin and destination
    start = np.empty((size, size), dtype=np.int32)
    for x in range(size):
        for y in range(size):
            here[x, y] = x
            u = 0
            for m in range(dims):
                u += ((digit[x, m] - digit[y, m]) % radix) * place[m]
            start[x, y] = u
    first_origin = np.empty(size * kinds, dtype=np.int32)
    first_target = np.empty(size * kinds, dtype=np.int32)
    other_origin = np.empty(size * kinds, dtype=np.int64)  # a packet with another origin than the first, as x * N + y
    other_target = np.empty(size * kinds, dtype=np.int64)
    for n in range(steps):
        first_origin[:] = -1
        other_origin[:] = -1
        other_target[:] = -1
        for x in range(size):
            for y in range(size):
                kind = moves[start[x, y], n]
                if kind == 0:
                    continue
                tail = here[x, y]
                m = (kind - 1) // (radix - 1)
                amount = (kind - 1) % (radix - 1) + 1
                value = digit[tail, m]
                head = tail + (((value - amount) % radix) - value) * place[m]
                here[x, y] = head
                link = tail * kinds + kind
                if first_origin[link] < 0:
                    first_origin[link] = x
                    first_target[link] = y
                    continue
                new_origin = x != first_origin[link]
                new_target = y != first_target[link] or many_one
                a = np.int64(-1)
                if new_origin and new_target:
                    a = np.int64(first_origin[link]) * size + first_target[link]
                elif new_origin:
                    other_origin[link] = np.int64(x) * size + y
                    a = other_target[link]
                elif new_target:
                    other_target[link] = np.int64(x) * size + y
                    a = other_origin[link]
                if a >= 0:
                    found[0] = a // size
                    found[1] = a % size
                    found[2] = x
                    found[3] = y
                    found[4] = tail
                    found[5] = head
                    return n + 1
    for x in range(size):
        for y in range(size):
            if here[x, y] != y:
                return -1
    return 0
