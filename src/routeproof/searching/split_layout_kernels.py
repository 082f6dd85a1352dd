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


@njit(cache=True, nogil=True, inline="always")
def change_cover(sign, slots, totals, others, plan, trees, table, orbit):  # type: ignore[no-untyped-def]
    """Add (sign 1) or remove (-1) the pairs of slots, whose sums are ``totals``, with the other tree's and its root.

    ``others``: the first slot of the other tree, and the first after it.  Returns the change in the number of nodes
    uncovered.  ``orbit`` is None where every node is an orbit.
    """
    first, last = others
    slot_time, span, support, minimum, size = plan.time, plan.steps, plan.support, plan.minimum, plan.size
    sums, cover = trees.sums, trees.cover
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
def replace_cover(slots, old, new, others, plan, trees, table, orbit):  # type: ignore[no-untyped-def]
    """``change_cover`` from the sums ``old`` of ``slots`` to ``new``; returns the change in the nodes uncovered."""
    away = change_cover(-1, slots, old, others, plan, trees, table, orbit)
    return away + change_cover(1, slots, new, others, plan, trees, table, orbit)


@njit(cache=True, nogil=True, inline="always")
def _move(plan, parent):  # type: ignore[no-untyped-def]
    """(slot, its new parent, the slot that takes its old one or -1); (-1, -1, -1): what was drawn is not a move."""
    leaders, split, later = plan.leaders, plan.split, plan.later
    s = leaders[np.random.randint(len(leaders))]
    base = 0 if s < split else split
    candidates = later[s]
    if candidates == 0:
        return -1, -1, -1
    old = parent[s]
    if np.random.random() < 0.2:  # exchange parents with another leader of the tree
        r = leaders[np.random.randint(len(leaders))]
        if (r < split) != (s < split) or r == s or parent[r] == old:
            return -1, -1, -1
        new = parent[r]
        if (new >= 0 and new - base >= candidates) or (old >= 0 and old - base >= later[r]):
            return -1, -1, -1
        return s, new, r
    new = base + np.random.randint(-1, candidates)
    if new == base - 1:
        new = -1
    if new == old:
        return -1, -1, -1
    return s, new, -1


@njit(cache=True, nogil=True, inline="always")
def _new_sums(s, swap, last, plan, trees, table, fresh, marked, changed):  # type: ignore[no-untyped-def]
    """(how many, allowed?): of the leaders whose sums change since ``s``, and ``swap``, have new parents, in order of
    time, up to slot ``last``; ``changed`` and ``marked`` are those, ``fresh`` their new sums."""
    parent, sums, vector, leader = trees.parent, trees.sums, plan.vector, plan.leader
    n = 0
    start = s if swap < 0 or s < swap else swap
    for r in range(start, last):
        if leader[r] != r:
            continue
        q = parent[r]
        moved = r in (s, swap)
        if q >= 0 and marked[leader[q]]:
            moved = True
            value = plan.act[plan.element[q], fresh[leader[q]]]
        elif q >= 0:
            value = sums[q]
        else:
            value = np.int32(0)
        if not moved:
            continue
        if plan.minimum and plan.support[value] & plan.support[vector[r]]:
            return n, False
        value = plus(value, vector[r], table)
        if value != sums[r]:
            fresh[r] = value
            marked[r] = True
            changed[n] = r
            n += 1
    return n, True


@njit(cache=True, nogil=True)
def anneal(iterations, hot, cold, cost, plan, trees, table, orbit):  # type: ignore[no-untyped-def]
    """Run ``iterations`` moves while the temperature falls from ``hot`` to ``cold``; returns the nodes uncovered.

    ``plan`` and ``trees``: see ``split_layout``; ``trees`` is changed in place.  ``table``: sums of two nodes, None for
    bitwise; ``orbit``: as for ``change_cover``.  Stops when nothing is uncovered.
    """
    split, leader = plan.split, plan.leader
    parent, sums, offspring, _ = trees
    count = len(leader)
    fresh = np.zeros(count, dtype=np.int32)
    marked = np.zeros(count, dtype=np.bool_)
    changed = np.empty(count, dtype=np.int64)
    ratio = (cold / hot) ** (1.0 / max(1, iterations))
    temperature = hot
    for _ in range(iterations):
        temperature *= ratio
        s, new, swap = _move(plan, parent)
        if s < 0:
            continue
        end, others = (split, (split, count)) if s < split else (count, (0, split))
        old = parent[s]
        parent[s] = new
        if swap >= 0:
            parent[swap] = old
        simple = swap < 0 and offspring[s] == 0
        last = s + 1 if simple else end
        n, sound = _new_sums(s, swap, last, plan, trees, table, fresh, marked, changed)
        change = 0
        if sound:
            mine = changed[:n]
            change = replace_cover(mine, sums, fresh, others, plan, trees, table, orbit)
            if change > 0 and np.random.random() >= np.exp(-change / temperature):
                replace_cover(mine, fresh, sums, others, plan, trees, table, orbit)
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
        if n and len(plan.act) > 1:
            for r in range(s if swap < 0 or s < swap else swap, end):
                q = leader[r]
                if q != r:
                    sums[r] = plan.act[plan.element[r], sums[q]]
        if swap < 0:
            if old >= 0:
                offspring[leader[old]] -= 1
            if new >= 0:
                offspring[leader[new]] += 1
        cost += change
        if cost <= 0:
            break
    return cost
