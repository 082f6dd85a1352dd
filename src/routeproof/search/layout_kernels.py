"""Compiled kernel: simulated annealing over two trees of slots, and over which tree each slot belongs to.

Slot n * width + k is the step n (from 0) with the move type k (from 0).  Its ``kind`` is 0 in the prefix tree, whose
parents are slots of earlier steps, 1 in the suffix tree, whose parents are slots of later steps.  A slot's sum is its
own vector plus its parent's sum; it stands in the array of its tree, and in the other one stands a node that is none.
A prefix of step n meets the suffixes of later steps.  A group acts on the slots: whatever is done to one is done to its
images.  ``annealing_kernels`` is faster where the layout is given.
"""

# ruff: noqa: NPY002 (compiled code has numpy's old generator, seeded by seed_kernel)

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


@njit(cache=True, nogil=True)
def put_sum(tree, slot, value, prefix, suffix, width, table, cover):  # type: ignore[no-untyped-def]
    """Give a slot another sum; returns the change in the number of nodes uncovered.

    prefix: the root, then the slots; suffix: the slots, then the root.  table: sums of two nodes, None for bitwise.
    """
    step = slot // width
    if tree == 0:
        old = prefix[slot + 1]
        prefix[slot + 1] = value
        first, last, other = (step + 1) * width, len(suffix), suffix
    else:
        old = suffix[slot]
        suffix[slot] = value
        first, last, other = 0, step * width + 1, prefix
    change = 0
    for o in range(first, last):
        x = old ^ other[o] if table is None else np.int32(table[old, other[o]])
        cover[x] -= 1
        if cover[x] == 0:
            change += 1
    for o in range(first, last):
        x = value ^ other[o] if table is None else np.int32(table[value, other[o]])
        if cover[x] == 0:
            change -= 1
        cover[x] += 1
    return change


@njit(cache=True, nogil=True)
def sum_below(slot, above, tree, prefix, suffix, vector, table):  # type: ignore[no-untyped-def]
    """The sum of a slot whose parent is ``above`` (-1: the root)."""
    if above < 0:
        return vector[slot]
    value = prefix[above + 1] if tree == 0 else suffix[above]
    return value ^ vector[slot] if table is None else np.int32(table[value, vector[slot]])


@njit(cache=True, nogil=True)
def may_hang(slot, above, tree, width):  # type: ignore[no-untyped-def]
    """Does the parent come before the slot in its tree?"""
    if above < 0:
        return True
    if tree == 0:
        return above // width < slot // width
    return above // width > slot // width


@njit(cache=True, nogil=True)
def hang(slot, above, parent, children):  # type: ignore[no-untyped-def]
    if parent[slot] >= 0:
        children[parent[slot]] -= 1
    parent[slot] = above
    if above >= 0:
        children[above] += 1


@njit(cache=True, nogil=True)
def anneal_layout(  # type: ignore[no-untyped-def]
    iterations,
    hot,
    cold,
    cost,
    flips,
    exchanges,
    steps,
    width,
    vector,
    image,
    kind,
    parent,
    children,
    prefix,
    suffix,
    away,
    table,
    dead,
    cover,
):
    """Run ``iterations`` moves while the temperature falls from ``hot`` to ``cold``; returns the nodes uncovered.

    A share ``exchanges`` of the moves exchanges two parents, ``flips`` takes a leaf to the other tree, the others hang
    a slot elsewhere.  image: (group, slots), the identity first.  away: by tree, the sum of a slot that is not in it.
    A slot's sum must be below ``dead``.  kind, parent, children (how many), prefix, suffix and cover (by node, and
    large for what is none) are changed in place.  Stops when nothing is uncovered.
    """
    count = steps * width
    images = image.shape[0]
    ratio = (cold / hot) ** (1.0 / max(1, iterations))
    temperature = hot
    marked = np.zeros(count, dtype=np.int64)
    log = np.empty((4 * count, 3), dtype=np.int64)
    moved = np.empty((2 * images, 3), dtype=np.int64)
    for turn in range(1, iterations + 1):
        temperature *= ratio
        s = np.random.randint(count)
        tree = kind[s]
        kinds = np.random.random()
        r = -1
        flip = False
        below = np.int64(-1)
        if kinds < exchanges:
            r = np.random.randint(count)
            new, below = parent[r], parent[s]
            if kind[r] != tree or new == below or not may_hang(s, new, tree, width):
                continue
            if not may_hang(r, below, tree, width):
                continue
            alike = False
            for g in range(images):
                alike |= image[g, s] == r
            if alike:
                continue
        else:
            step = s // width
            if kinds < exchanges + flips:
                if children[s] or step == 0 or step == steps - 1:
                    continue
                flip = True
                tree = 1 - tree
            if tree == 0:
                new = np.random.randint(-1, step * width)
            else:
                new = np.random.randint((step + 1) * width - 1, count)
                if new < (step + 1) * width:
                    new = -1
            if (new >= 0 and kind[new] != tree) or (new == parent[s] and not flip):
                continue
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
                    log[n] = kind[a], a, np.int64(prefix[a + 1] if kind[a] == 0 else suffix[a])
                    n += 1
                    change += put_sum(kind[a], a, away[kind[a]], prefix, suffix, width, table, cover)
                    kind[a] = 1 - kind[a]
                hang(a, b, parent, children)
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
                value = sum_below(a, b, way, prefix, suffix, vector, table)
                if value >= dead:
                    sound = False
                    break
                log[n] = way, a, np.int64(prefix[a + 1] if way == 0 else suffix[a])
                n += 1
                change += put_sum(way, a, value, prefix, suffix, width, table, cover)
            if not sound:
                break
        if sound and (change <= 0 or np.random.random() < np.exp(-change / temperature)):
            cost += change
            if cost == 0:
                break
            continue
        for k in range(n - 1, -1, -1):
            put_sum(log[k, 0], log[k, 1], np.int32(log[k, 2]), prefix, suffix, width, table, cover)
        for k in range(m - 1, -1, -1):
            hang(moved[k, 0], moved[k, 1], parent, children)
            kind[moved[k, 0]] = moved[k, 2]
    return cost
