"""Compiled local search over deterministic destination-based tables; see ``optimum.tables.exchange``."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit
from .value_kernels import forward, matched_value, mixed_value

_THRICE = 3.0


@njit(cache=True, nogil=True, error_model="numpy")
def _random(state, below):  # type: ignore[no-untyped-def]
    """A number in 0 .. below - 1 (xorshift64*, enough for a search)."""
    x = state[0]
    x ^= x >> 12
    x ^= (x << 25) & 0x7FFFFFFFFFFFFFFF
    x ^= x >> 27
    state[0] = x
    return ((x * 0x2545F4914F6CDD1D) & 0x7FFFFFFFFFFFFFFF) % below


@njit(cache=True, nogil=True, error_model="numpy")
def _worst(c, problem, work, mixed):  # type: ignore[no-untyped-def]
    """``matched_value`` where ``mixed`` is None, else ``mixed_value`` with it as scratch; compiled where used."""
    if mixed is None:
        return matched_value(c, problem, work)
    return mixed_value(c, problem, work, mixed)


@njit(cache=True, nogil=True, error_model="numpy")
def channel_values(problem, rep, out, work, mixed):  # type: ignore[no-untyped-def]
    """``out[c]``: the worst case of channel c, where it represents itself."""
    for c in range(len(out)):
        if rep[c] == c:
            out[c] = _worst(c, problem, work, mixed)


@njit(cache=True, nogil=True, error_model="numpy")
def complete(table, lost, tail, first, into):  # type: ignore[no-untyped-def]
    """Give entries (N, T) that are ``lost``, bool (N, T), shortest ways to nodes that have one; those without any stay.

    first, into: the channels into node v are ``into[first[v]:first[v + 1]]``.
    """
    queue = np.empty(len(lost), dtype=np.int64)
    for t in range(lost.shape[1]):
        last = 0
        for v in range(len(lost)):
            if not lost[v, t]:
                queue[last] = v
                last += 1
        k = 0
        while k < last < len(lost):
            v = queue[k]
            k += 1
            for c in into[first[v] : first[v + 1]]:
                u = tail[c]
                if lost[u, t]:
                    lost[u, t] = False
                    table[u, t] = c
                    queue[last] = u
                    last += 1


@njit(cache=True, nogil=True, error_model="numpy")
def count_dependencies(problem, d, mark, after, step):  # type: ignore[no-untyped-def]
    """Add ``step`` to the count of all dependencies on the ways of packets by column d."""
    next_channel, head, end = problem.next_channel, problem.head, problem.target[d]
    for v in range(len(next_channel)):
        mark[v] = 0
    mark[end] = 1
    for s in problem.sources:
        v = s
        while mark[v] == 0:
            mark[v] = 1
            c = next_channel[v, d]
            w = head[c]
            if w != end:
                after.uses[c, after.place[next_channel[w, d]]] += step
            v = w


@njit(cache=True, nogil=True, error_model="numpy")
def is_acyclic(after, head):  # type: ignore[no-untyped-def]
    """Is the graph of dependencies that are counted free of cycles?"""
    dependency, out_ptr, out_link, _, degree, stack = after
    count = len(head)
    for c in range(count):
        degree[c] = 0
    for c in range(count):
        w = head[c]
        for k in range(out_ptr[w + 1] - out_ptr[w]):
            if dependency[c, k] > 0:
                degree[out_link[out_ptr[w] + k]] += 1
    last = 0
    for c in range(count):
        if degree[c] == 0:
            stack[last] = c
            last += 1
    done = 0
    while last > 0:
        last -= 1
        c = stack[last]
        done += 1
        w = head[c]
        for k in range(out_ptr[w + 1] - out_ptr[w]):
            if dependency[c, k] > 0:
                following = out_link[out_ptr[w] + k]
                degree[following] -= 1
                if degree[following] == 0:
                    stack[last] = following
                    last += 1
    return done == count


@njit(cache=True, nogil=True, error_model="numpy")
def _worst_channel(value, width, state):  # type: ignore[no-untyped-def]
    """(ratio, channel): a channel of the largest value / width, any of them."""
    top = -1.0
    ties = 0
    c = 0
    for x in range(len(value)):
        ratio = value[x] / width[x]
        if ratio > top * (1 + 1e-12):
            top = ratio
            ties = 1
            c = x
        elif ratio >= top * (1 - 1e-12):
            ties += 1
            if _random(state, ties) == 0:
                c = x
    return top, c


@njit(cache=True, nogil=True, error_model="numpy")
def _proposal(c, problem, work, after, hops, state):  # type: ignore[no-untyped-def]
    """(node, column, channel): another channel for a packet that is brought across c, at a node before; (-1, -1, -1)
    where what was drawn changes nothing, closes a loop, or is a longer hop where ``hops`` are given."""
    next_channel, tail, head, target, _, _, _, _, _ = problem
    hit, stack = work.hit, work.stack
    number = 0
    d = -1
    for x in range(len(hit)):
        if hit[x] >= 0:
            number += 1
            if _random(state, number) == 0:
                d = x
    if d < 0:
        return -1, -1, -1
    v = hit[d]
    length = 0
    while True:
        stack[length] = v
        length += 1
        if v == tail[c]:
            break
        v = head[next_channel[v, d]]
    v = stack[_random(state, length)]
    free = after.out_ptr[v + 1] - after.out_ptr[v]
    new = after.out_link[after.out_ptr[v] + _random(state, free)]
    if new == next_channel[v, d]:
        return -1, -1, -1
    if hops.shape[1] > 0 and hops[head[new], d] + 1 > hops[v, d]:
        return -1, -1, -1
    w = head[new]
    while w != target[d]:
        if w == v:
            return -1, -1, -1
        w = head[next_channel[w, d]]
    return v, d, new


@njit(cache=True, nogil=True, error_model="numpy")
def _way(v, d, problem, rep, changed, known):  # type: ignore[no-untyped-def]
    """Append what represents the channels of the way from v by column d to the first ``known`` of ``changed``, once.

    Returns how many there are now, and the hops of the way.
    """
    count = known
    hops = 0
    while v != problem.target[d]:
        channel = problem.next_channel[v, d]
        x = rep[channel]
        hops += 1
        new = True
        for k in range(count):
            if changed[k] == x:
                new = False
        if new:
            changed[count] = x
            count += 1
        v = problem.head[channel]
    return count, hops


@njit(cache=True, nogil=True, error_model="numpy")
def _set(v, d, channel, problem, images, work, after, ordered):  # type: ignore[no-untyped-def]
    """Forward column d at node v by ``channel``, and all images of it likewise; are the dependencies free of cycles
    then (if ``ordered``)?"""
    for g in range(len(images.node)):
        column = images.column[g, d]
        if ordered:
            count_dependencies(problem, column, work.mark, after, -1)
        forward(images.node[g, v], column, images.channel[g, channel], problem, work.moved)
        if ordered:
            count_dependencies(problem, column, work.mark, after, 1)
    return not ordered or is_acyclic(after, problem.head)


@njit(cache=True, nogil=True, error_model="numpy")
def exchange(rounds, heat, state, problem, images, search, work, mixed, after, ordered):  # type: ignore[no-untyped-def]
    """``rounds`` proposals to the table ``next_channel`` (int32 (N, D), changed in place); returns how many were taken.

    A proposal takes a worst channel, a packet that the worst permutation brings across it, and a node on that packet's
    way to the channel; there the packet's destination is forwarded by another channel, and so are all ``images`` of it.
    Its growth is that of the sum over channels of a power of value / width, with the worst channel's as unit, such that
    one part of a packet more there is three units, and a hundredth of the new hops; it is taken if it does not grow, or
    with probability exp(-growth / heat), and, with ``ordered``, if the dependencies stay free of cycles.
    """
    value, width, hops, changed, before = search
    taken = 0
    for _ in range(rounds):
        top, c = _worst_channel(value, width, state)
        if top <= 0:
            return taken
        power = np.log(_THRICE) / np.log((value[c] + 1.0) / value[c])
        _worst(c, problem, work, mixed)
        v, d, new = _proposal(c, problem, work, after, hops, state)
        if v < 0:
            continue
        old = problem.next_channel[v, d]
        num_changed, old_hops = _way(v, d, problem, images.rep, changed, 0)
        if _set(v, d, new, problem, images, work, after, ordered):
            growth = -0.01 * old_hops
            num_changed, new_hops = _way(v, d, problem, images.rep, changed, num_changed)
            for _ in range(new_hops):
                growth += 0.01
            for k in range(num_changed):
                x = changed[k]
                before[k] = value[x]
                value[x] = _worst(x, problem, work, mixed)
                growth += (value[x] / width[x] / top) ** power - (before[k] / width[x] / top) ** power
            if growth <= 1e-12 or growth < -heat * np.log((1 + _random(state, 1 << 40)) / (1 << 40)):
                taken += 1
                continue
            for k in range(num_changed):
                value[changed[k]] = before[k]
        _set(v, d, old, problem, images, work, after, ordered)
    return taken
