"""Compiled kernel: local search over orders of channels, so that more paths go along them."""

# ruff: noqa: NPY002 (compiled code has numpy's old generator, seeded by seed_kernel)

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..machine.compiled import njit

_BESIDE = 0.85  # share of the moves that put a channel beside the one before or after it on a path
_PLACES = 6.0  # how far from it, on average


class Paths(NamedTuple):
    """channel: of the hops, path by path; path p has those from offset[p] to offset[p + 1]; over: of channel c, the
    paths over[start[c] : start[c + 1]] cross it; kept: do paths keep to one virtual channel?"""

    channel: Int64
    offset: Int64
    over: Int64
    start: Int64
    kept: bool


class Orders(NamedTuple):
    """rank: (V, C), of virtual channel v of channel c; failed: the paths along which the ranks do not grow, as many as
    the kernel returns; place: where a path is in ``failed``, or -1; weight: what it counts there."""

    rank: npt.NDArray[np.float64]
    failed: Int64
    place: Int64
    weight: npt.NDArray[np.float64]


@njit(cache=True, nogil=True)
def goes(path, paths, rank):  # type: ignore[no-untyped-def]
    """Do ranks grow along the path: on one virtual channel, or always on the next one that is free to take?"""
    first, last = paths.offset[path], paths.offset[path + 1]
    if paths.kept:
        for v in range(len(rank)):
            at = first + 1
            while at < last and rank[v, paths.channel[at - 1]] < rank[v, paths.channel[at]]:
                at += 1
            if at >= last:
                return True
        return False
    reached = -np.inf
    for at in range(first, last):
        least = np.inf
        for v in range(len(rank)):
            if reached < rank[v, paths.channel[at]] < least:
                least = rank[v, paths.channel[at]]
        if least == np.inf:
            return False
        reached = least
    return True


@njit(cache=True, nogil=True)
def _turn(path, number, orders):  # type: ignore[no-untyped-def]
    """Add the path to the ``number`` that failed, or take it away; how many there are then."""
    failed, place = orders.failed, orders.place
    if place[path] < 0:
        failed[number], place[path] = path, number
        return number + 1
    last = failed[number - 1]
    failed[place[path]], place[last] = last, place[path]
    place[path] = -1
    return number - 1


@njit(cache=True, nogil=True)
def begin(paths, orders):  # type: ignore[no-untyped-def]
    """Fill ``failed`` and ``place``; how many paths fail."""
    number = 0
    orders.place[:] = -1
    for path in range(len(orders.place)):
        if not goes(path, paths, orders.rank):
            number = _turn(path, number, orders)
    return number


@njit(cache=True, nogil=True)
def improve(moves, temperature, number, paths, orders):  # type: ignore[no-untyped-def]
    """So many ``moves`` of one channel of a path that fails, from ``number`` of them; how many fail then.

    A move that makes the weights of paths that fail larger is kept by chance, as in simulated annealing.
    """
    channel, offset, rank = paths.channel, paths.offset, orders.rank
    count, size = rank.shape
    changed = np.empty(len(orders.place), dtype=np.int64)
    for _ in range(moves):
        if number == 0:
            break
        path = orders.failed[np.random.randint(number)]
        at = np.random.randint(offset[path], offset[path + 1])
        c, v = channel[at], np.random.randint(count)
        before = rank[v, c]
        if np.random.random() < _BESIDE:
            after = at > offset[path] and (at == offset[path + 1] - 1 or np.random.random() < 0.5)
            beside = rank[v if paths.kept else np.random.randint(count), channel[at - 1 if after else at + 1]]
            away = np.random.exponential(_PLACES / (size if paths.kept else size * count))
            rank[v, c] = (beside + away if after else beside - away) % 1.0
        else:
            rank[v, c] = np.random.random()
        change, n = 0.0, 0
        for k in range(paths.start[c], paths.start[c + 1]):
            other = paths.over[k]
            now = goes(other, paths, rank)
            if now != (orders.place[other] < 0):
                change += -orders.weight[other] if now else orders.weight[other]
                changed[n] = other
                n += 1
        if change > 0 and np.random.random() >= np.exp(-change / temperature):
            rank[v, c] = before
            continue
        for k in range(n):
            number = _turn(changed[k], number, orders)
    return number
