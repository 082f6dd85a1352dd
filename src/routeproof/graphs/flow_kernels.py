"""Compiled maximum flow: Dinic's algorithm on whole capacities, and the least flow to any of several sinks."""

from __future__ import annotations

from ..machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def push_flow(offset, order, far_end, left, source, sink, most, level, at, queue, path):  # type: ignore[no-untyped-def]
    """The largest flow from ``source`` to ``sink``, or ``most`` if it is more; ``left`` keeps what capacity remains.

    Half-arc h leads to ``far_end[h]`` and its reverse is h ^ 1; those that leave v are
    ``order[offset[v]:offset[v + 1]]``.  If the flow is less than ``most``, ``level`` is at least 0 just at the nodes
    on the source's side of a least cut: of all such sides the smallest.
    """
    total = 0
    while total < most:
        level[:] = -1
        level[source] = 0
        queue[0] = source
        first, last = 0, 1
        while first < last and level[sink] < 0:
            v = queue[first]
            first += 1
            for k in range(offset[v], offset[v + 1]):
                h = order[k]
                u = far_end[h]
                if left[h] > 0 and level[u] < 0:
                    level[u] = level[v] + 1
                    queue[last] = u
                    last += 1
        if level[sink] < 0:
            break
        at[:] = offset[:-1]
        v = source
        depth = 0
        while True:
            if v == sink:
                amount = most - total
                for k in range(depth):
                    amount = min(amount, left[path[k]])
                back = depth
                for k in range(depth - 1, -1, -1):
                    h = path[k]
                    left[h] -= amount
                    left[h ^ 1] += amount
                    if left[h] == 0:
                        back = k
                total += amount
                if total >= most:
                    break
                depth = back
                v = far_end[path[back] ^ 1]
            found = -1
            while at[v] < offset[v + 1]:
                h = order[at[v]]
                if left[h] > 0 and level[far_end[h]] == level[v] + 1:
                    found = h
                    break
                at[v] += 1
            if found >= 0:
                path[depth] = found
                depth += 1
                v = far_end[found]
            elif v == source:
                break
            else:
                level[v] = -2
                depth -= 1
                v = far_end[path[depth] ^ 1]
                at[v] += 1
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def least_flow(  # type: ignore[no-untyped-def]
    offset, order, far_end, capacity, left, source, sink, opened, endless, most, stop, level, at, queue, path
):
    """The least of ``most`` and of the largest flows that there are with one of the half-arcs ``opened`` made
    ``endless`` at a time; and its place in ``opened``, -1 where ``most`` is the least.

    It returns at the first flow of at most ``stop``; ``level`` is then as ``push_flow`` leaves it.
    """
    place = -1
    for k in range(len(opened)):
        left[:] = capacity
        left[opened[k]] = endless
        value = push_flow(offset, order, far_end, left, source, sink, most, level, at, queue, path)
        if value < most:
            most, place = value, k
            if most <= stop:
                break
    return most, place
