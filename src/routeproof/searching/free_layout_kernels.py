"""Compiled kernel: simulated annealing over two trees of slots, and over which tree each slot belongs to.

Slot n * width + k is the step n (from 0) with the move type k (from 0).  Its ``kind`` is 0 in the prefix tree, whose
parents are slots of earlier steps, 1 in the suffix tree, whose parents are slots of later steps.  A slot's sum is its
own vector plus its parent's sum; it stands in the array of its tree, and in the other one stands a node that does not
exist.  A prefix of step n meets the suffixes of later steps.  A group acts on the slots: whatever is done to one is
done to its images.  ``split_layout_kernels`` is faster where the layout is given.
"""

# ruff: noqa: NPY002 (compiled code has numpy's old generator, seeded by seed_kernel)

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..machine.compiled import njit
from .split_layout_kernels import plus

_FLIPS, _EXCHANGES = 0.05, 0.2  # shares of the moves that take a leaf to the other tree, and that exchange two parents


class Layout(NamedTuple):
    """vector: by slot; image: (group, slots), the identity first; away: by tree, the sum of a slot that is not in it;
    table: sums of two nodes, None for bitwise.  A slot's sum must be below ``dead``."""

    steps: int
    width: int
    vector: Int32
    image: Int64
    away: Int32
    table: npt.NDArray[np.int16] | None
    dead: int


class FreeTrees(NamedTuple):
    """kind, parent, children (how many): by slot.  prefix: sums of the root, then of the slots; suffix: of the slots,
    then of the root.  cover: by node, and large for what is not a node."""

    kind: Int64
    parent: Int64
    children: Int64
    prefix: Int32
    suffix: Int32
    cover: Int32


@njit(cache=True, nogil=True)
def _sum_of(slot, tree, prefix, suffix):  # type: ignore[no-untyped-def]
    return prefix[slot + 1] if tree == 0 else suffix[slot]


@njit(cache=True, nogil=True)
def _put_sum(tree, slot, value, prefix, suffix, width, table, cover):  # type: ignore[no-untyped-def]
    """Give a slot another sum; returns the change in the number of nodes uncovered."""
    step = slot // width
    old = _sum_of(slot, tree, prefix, suffix)
    if tree == 0:
        prefix[slot + 1] = value
        first, last, other = (step + 1) * width, len(suffix), suffix
    else:
        suffix[slot] = value
        first, last, other = 0, step * width + 1, prefix
    change = 0
    for o in range(first, last):
        x = plus(old, other[o], table)
        cover[x] -= 1
        if cover[x] == 0:
            change += 1
    for o in range(first, last):
        x = plus(value, other[o], table)
        if cover[x] == 0:
            change -= 1
        cover[x] += 1
    return change


@njit(cache=True, nogil=True)
def _sum_below(slot, above, tree, prefix, suffix, vector, table):  # type: ignore[no-untyped-def]
    """The sum of a slot whose parent is ``above`` (-1: the root)."""
    if above < 0:
        return vector[slot]
    return plus(_sum_of(above, tree, prefix, suffix), vector[slot], table)


@njit(cache=True, nogil=True)
def _may_hang(slot, above, tree, width):  # type: ignore[no-untyped-def]
    """Does the parent come before the slot in its tree?"""
    if above < 0:
        return True
    if tree == 0:
        return above // width < slot // width
    return above // width > slot // width


@njit(cache=True, nogil=True)
def _hang(slot, above, parent, children):  # type: ignore[no-untyped-def]
    if parent[slot] >= 0:
        children[parent[slot]] -= 1
    parent[slot] = above
    if above >= 0:
        children[above] += 1


@njit(cache=True, nogil=True, inline="always")
def _draw(steps, width, image, kind, parent, children):  # type: ignore[no-untyped-def]
    """(slot, its new parent, the slot that takes its old one or -1, does it change trees?); slot -1: no move."""
    count = steps * width
    s = np.random.randint(count)
    tree = kind[s]
    draw = np.random.random()
    if draw < _EXCHANGES:
        r = np.random.randint(count)
        new, below = parent[r], parent[s]
        if kind[r] != tree or new == below or not _may_hang(s, new, tree, width):
            return -1, -1, -1, False
        if not _may_hang(r, below, tree, width):
            return -1, -1, -1, False
        for g in range(len(image)):
            if image[g, s] == r:
                return -1, -1, -1, False
        return s, new, r, False
    step = s // width
    flip = draw < _EXCHANGES + _FLIPS
    if flip:
        if children[s] or step == 0 or step == steps - 1:
            return -1, -1, -1, False
        tree = 1 - tree
    if tree == 0:
        new = np.random.randint(-1, step * width)
    else:
        new = np.random.randint((step + 1) * width - 1, count)
        if new < (step + 1) * width:
            new = -1
    if (new >= 0 and kind[new] != tree) or (new == parent[s] and not flip):
        return -1, -1, -1, False
    return s, new, -1, flip


@njit(cache=True, nogil=True)
def anneal_layout(iterations, hot, cold, cost, layout, trees):  # type: ignore[no-untyped-def]
    """Run ``iterations`` moves while the temperature falls from ``hot`` to ``cold``; returns the nodes uncovered.

    A move exchanges two parents, takes a leaf to the other tree, or hangs a slot elsewhere.  ``trees`` are changed in
    place.  Stops when nothing is uncovered.
    """
    steps, width, vector, image, away, table, dead = layout
    kind, parent, children, prefix, suffix, cover = trees
    count, images = len(vector), len(image)
    ratio = (cold / hot) ** (1.0 / max(1, iterations))
    temperature = hot
    marked = np.zeros(count, dtype=np.int64)
    log = np.empty((4 * count, 3), dtype=np.int64)
    moved = np.empty((2 * images, 3), dtype=np.int64)
    for turn in range(1, iterations + 1):
        temperature *= ratio
        s, new, r, flip = _draw(steps, width, image, kind, parent, children)
        if s < 0:
            continue
        below = parent[s]
        n = m = change = 0
        leaves = children[s] == 0 and (r < 0 or children[r] == 0)
        for g in range(images):
            for which in range(2 if r >= 0 else 1):
                a = image[g, s if which == 0 else r]
                b = new if which == 0 else below
                if b >= 0:
                    b = image[g, b]
                moved[m] = a, parent[a], kind[a]
                m += 1
                if flip:
                    log[n] = kind[a], a, np.int64(_sum_of(a, kind[a], prefix, suffix))
                    n += 1
                    change += _put_sum(kind[a], a, away[kind[a]], prefix, suffix, width, table, cover)
                    kind[a] = 1 - kind[a]
                _hang(a, b, parent, children)
                marked[a] = turn
        sound = True
        for way in range(2):
            for k in range(m if leaves else count):
                a = moved[k, 0] if leaves else (k if way == 0 else count - 1 - k)
                if kind[a] != way:
                    continue
                b = parent[a]
                if marked[a] != turn and not (b >= 0 and marked[b] == turn):
                    continue
                marked[a] = turn
                value = _sum_below(a, b, way, prefix, suffix, vector, table)
                if value >= dead:
                    sound = False
                    break
                log[n] = way, a, np.int64(_sum_of(a, way, prefix, suffix))
                n += 1
                change += _put_sum(way, a, value, prefix, suffix, width, table, cover)
            if not sound:
                break
        if sound and (change <= 0 or np.random.random() < np.exp(-change / temperature)):
            cost += change
            if cost == 0:
                break
            continue
        for k in range(n - 1, -1, -1):
            _put_sum(log[k, 0], log[k, 1], np.int32(log[k, 2]), prefix, suffix, width, table, cover)
        for k in range(m - 1, -1, -1):
            _hang(moved[k, 0], moved[k, 1], parent, children)
            kind[moved[k, 0]] = moved[k, 2]
    return cost
