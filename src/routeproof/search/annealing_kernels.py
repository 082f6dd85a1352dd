"""Compiled kernel: simulated annealing over two trees of slots whose sums should cover the cube.

Slots of the prefix tree come first, then those of the suffix tree, each sorted by ``time`` (steps from the start, or
from the end).  A slot's ``sum`` is its own vector plus its parent's sum.  A group acts on slots and nodes; only one
slot of every orbit, a leader, chooses its parent, and nodes are counted by orbit.
"""

# ruff: noqa: NPY002 (compiled code has numpy's old generator, seeded by seed_kernel)

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


@njit(cache=True, nogil=True)
def seed_kernel(seed):  # type: ignore[no-untyped-def]
    np.random.seed(seed)


@njit(cache=True, nogil=True)
def plus(a, b, table):  # type: ignore[no-untyped-def]
    return a ^ b if table is None else np.int32(table[a, b])


@njit(cache=True, nogil=True)
def change_cover(  # type: ignore[no-untyped-def]
    sign, slots, totals, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover
):
    """Add (sign 1) or remove (-1) the pairs of slots, whose sums are ``totals``, with the other tree's and its root.

    Returns the change in the number of nodes uncovered.  ``orbit`` is None where every node is an orbit.
    """
    change = 0
    for r in slots:
        total = totals[r]
        mine = support[total]
        for o in range(first - 1, last):
            b = np.int32(0)
            if o >= first:
                if slot_time[r] + slot_time[o] > span:  # the suffix would start before the prefix ends
                    break
                b = sums[o]
                if minimum and mine & support[b]:
                    continue
            x = plus(total, b, table)
            weight = 1
            if orbit is not None:
                x = orbit[x]
                weight = size[x]
            if sign > 0:
                if cover[x] == 0:
                    change -= weight
                cover[x] += 1
            else:
                cover[x] -= 1
                if cover[x] == 0:
                    change += weight
    return change


@njit(cache=True, nogil=True)
def replace_cover(  # type: ignore[no-untyped-def]
    slots, old, new, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover
):
    """``change_cover`` from the sums ``old`` of ``slots`` to ``new``; returns the change in the nodes uncovered."""
    away = change_cover(-1, slots, old, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover)
    return away + change_cover(
        1, slots, new, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover
    )


@njit(cache=True, nogil=True)
def anneal(  # type: ignore[no-untyped-def]
    iterations,
    hot,
    cold,
    cost,
    span,
    split,
    slot_time,
    slot_vector,
    slot_leader,
    slot_element,
    leaders,
    parent,
    sums,
    offspring,
    later,
    act,
    table,
    support,
    minimum,
    orbit,
    size,
    cover,
    keep,
):
    """Run ``iterations`` moves while the temperature falls from ``hot`` to ``cold``; returns the nodes uncovered.

    parent: by slot, for leaders; -1 is the root.  offspring: how many leaders have their parent in a slot's orbit.
    later: by slot, how many slots of its tree come at earlier times (the candidates for parents).  cover: by orbit of
    nodes.  All of them, and ``sums``, are changed in place.  Stops at cost ``keep`` or less.
    """
    count = len(slot_time)
    images = act.shape[0]
    fresh = np.zeros(count, dtype=np.int32)
    marked = np.zeros(count, dtype=np.bool_)
    changed = np.empty(count, dtype=np.int64)
    ratio = (cold / hot) ** (1.0 / max(1, iterations))
    temperature = hot
    for _ in range(iterations):
        temperature *= ratio
        s = leaders[np.random.randint(len(leaders))]
        tree = 0 if s < split else 1
        base = 0 if tree == 0 else split
        end = split if tree == 0 else count
        candidates = later[s]
        if candidates == 0:
            continue
        swap = -1
        old = parent[s]
        if np.random.random() < 0.2:  # exchange parents with another leader of the tree
            r = leaders[np.random.randint(len(leaders))]
            if (r < split) != (s < split) or r == s or parent[r] == old:
                continue
            new = parent[r]
            if (new >= 0 and new - base >= candidates) or (old >= 0 and old - base >= later[r]):
                continue
            swap = r
        else:
            new = base + np.random.randint(-1, candidates)
            if new == base - 1:
                new = -1
            if new == old:
                continue
        parent[s] = new
        if swap >= 0:
            parent[swap] = old
        # New sums, in order of time, of the leaders whose sums change.
        n = 0
        sound = True
        start = s if swap < 0 or s < swap else swap
        simple = swap < 0 and offspring[s] == 0
        for r in range(start, start + 1 if simple else end):
            if slot_leader[r] != r:
                continue
            q = parent[r]
            moved = r in (s, swap)
            if q >= 0 and marked[slot_leader[q]]:
                moved = True
                value = act[slot_element[q], fresh[slot_leader[q]]]
            elif q >= 0:
                value = sums[q]
            else:
                value = np.int32(0)
            if not moved:
                continue
            if minimum and support[value] & support[slot_vector[r]]:
                sound = False
                break
            value = plus(value, slot_vector[r], table)
            if value != sums[r]:
                fresh[r] = value
                marked[r] = True
                changed[n] = r
                n += 1
        change = 0
        if sound:
            first = split if tree == 0 else 0
            last = count if tree == 0 else split
            mine = changed[:n]
            change = replace_cover(
                mine, sums, fresh, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover
            )
            if change > 0 and np.random.random() >= np.exp(-change / temperature):
                replace_cover(
                    mine, fresh, sums, slot_time, span, first, last, sums, table, support, minimum, orbit, size, cover
                )
                sound = False
        for k in range(n):
            marked[changed[k]] = False
        if not sound:
            parent[s] = old
            if swap >= 0:
                parent[swap] = new
            continue
        for k in range(n):
            sums[changed[k]] = fresh[changed[k]]
        if n and images > 1:
            for r in range(start, end):
                q = slot_leader[r]
                if q != r:
                    sums[r] = act[slot_element[r], sums[q]]
        if swap < 0:
            if old >= 0:
                offspring[slot_leader[old]] -= 1
            if new >= 0:
                offspring[slot_leader[new]] += 1
        cost += change
        if cost <= keep:
            break
    return cost
