"""Compiled local search over deterministic destination-based tables; see ``design.tables.exchange``."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit
from .matched_kernels import matched_value
from .mixed_kernels import mixed_value

__all__ = ["channel_values", "count_dependencies", "exchange", "is_acyclic"]


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
def _worst(  # type: ignore[no-untyped-def]
    c, next_channel, tail, head, target, amount, supply, sources,
    ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed,
):  # fmt: skip
    """``matched_value`` where ``mixed`` is None, else ``mixed_value`` with it as scratch; compiled where used."""
    if mixed is None:
        return matched_value(
            c, next_channel, tail, head, target, amount, supply, sources,
            ptr, link, match, used, seen, fresh, mark, stack, parent, hit,
        )  # fmt: skip
    return mixed_value(c, next_channel, tail, head, target, amount, supply, sources, mark, stack, hit, *mixed)


@njit(cache=True, nogil=True, error_model="numpy")
def channel_values(  # type: ignore[no-untyped-def]
    channels, next_channel, tail, head, target, amount, supply, sources, out,
    ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed,
):  # fmt: skip
    """``out[k]``: the worst case of channel ``channels[k]``; arguments as for ``_worst``."""
    for k in range(len(channels)):
        out[k] = _worst(
            channels[k], next_channel, tail, head, target, amount, supply, sources,
            ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed,
        )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def count_dependencies(next_channel, d, end, head, sources, mark, place, dependency, step):  # type: ignore[no-untyped-def]
    """Add ``step`` to dependency[c, place of the next channel] for all channels that packets for d cross."""
    for v in range(len(mark)):
        mark[v] = 0
    mark[end] = 1
    for s in sources:
        v = s
        while mark[v] == 0:
            mark[v] = 1
            c = next_channel[v, d]
            w = head[c]
            if w != end:
                dependency[c, place[next_channel[w, d]]] += step
            v = w


@njit(cache=True, nogil=True, error_model="numpy")
def is_acyclic(dependency, head, out_ptr, out_link, degree, stack):  # type: ignore[no-untyped-def]
    """Is the graph of dependencies that are counted free of cycles?"""
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
def exchange(  # type: ignore[no-untyped-def]
    rounds, heat, state, next_channel, tail, head, width, target, amount, supply, sources, out_ptr, out_link, place,
    hops, most_hops, value, dependency, ordered,
    ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed, changed, before, degree, chains,
):  # fmt: skip
    """``rounds`` proposals to the table ``next_channel`` (int32 (N, D), changed in place); returns how many were taken.

    A proposal takes a worst channel, a packet that the worst permutation brings across it, and a node on that packet's
    way to the channel; there the packet's destination is forwarded by another channel.  Its growth is that of the sum
    of (value / width)^8 over channels, with the worst channel's as unit, and a hundredth of the new hops; it is taken
    if it does not grow, or with probability exp(-growth / heat), and, with ``ordered``, if the dependencies stay free
    of cycles.

    width: float64 (C,), bandwidths (to weigh by: what is claimed is computed exactly elsewhere); hops: int32 (N, D) or
    (N, 0), distances to destinations; with ``most_hops`` 0 only shorter hops are proposed.  value: int64 (C,), kept up
    to date.  dependency: int32 (C, largest out-degree).  changed, before, degree, chains: (2 C + 2,) scratch; the rest
    as for ``_worst``.
    """
    taken = 0
    count = len(tail)
    for _ in range(rounds):
        # A worst channel, any of them.
        top = -1.0
        ties = 0
        c = 0
        for x in range(count):
            ratio = value[x] / width[x]
            if ratio > top * (1 + 1e-12):
                top = ratio
                ties = 1
                c = x
            elif ratio >= top * (1 - 1e-12):
                ties += 1
                if _random(state, ties) == 0:
                    c = x
        if top <= 0:
            return taken
        _worst(
            c, next_channel, tail, head, target, amount, supply, sources,
            ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed,
        )  # fmt: skip
        number = 0
        d = -1
        for x in range(len(hit)):
            if hit[x] >= 0:
                number += 1
                if _random(state, number) == 0:
                    d = x
        if d < 0:
            continue
        # A node of the packet's way, from its source to the channel's tail.
        v = hit[d]
        length = 0
        while True:
            stack[length] = v
            length += 1
            if v == tail[c]:
                break
            v = head[next_channel[v, d]]
        v = stack[_random(state, length)]
        old = next_channel[v, d]
        free = out_ptr[v + 1] - out_ptr[v]
        new = out_link[out_ptr[v] + _random(state, free)]
        if new == old:
            continue
        end = target[d]
        if hops.shape[1] > 0 and hops[head[new], d] + 1 > hops[v, d] + most_hops:
            continue
        w = head[new]
        loop = False
        while w != end:
            if w == v:
                loop = True
                break
            w = head[next_channel[w, d]]
        if loop:
            continue
        # Channels whose loads change: those on the old way and on the new one, from v on.
        num_changed = 0
        w = v
        while w != end:
            x = next_channel[w, d]
            changed[num_changed] = x
            num_changed += 1
            w = head[x]
        if ordered:
            count_dependencies(next_channel, d, end, head, sources, mark, place, dependency, -1)
        next_channel[v, d] = new
        fine = True
        if ordered:
            count_dependencies(next_channel, d, end, head, sources, mark, place, dependency, 1)
            fine = is_acyclic(dependency, head, out_ptr, out_link, degree, chains)
        if fine:
            growth = -0.01 * num_changed
            w = v
            while w != end:
                x = next_channel[w, d]
                growth += 0.01
                known = False
                for k in range(num_changed):
                    if changed[k] == x:
                        known = True
                if not known:
                    changed[num_changed] = x
                    num_changed += 1
                w = head[x]
            for k in range(num_changed):
                x = changed[k]
                before[k] = value[x]
                value[x] = _worst(
                    x, next_channel, tail, head, target, amount, supply, sources,
                    ptr, link, match, used, seen, fresh, mark, stack, parent, hit, mixed,
                )  # fmt: skip
                growth += (value[x] / width[x] / top) ** 8 - (before[k] / width[x] / top) ** 8
            if growth <= 1e-12 or growth < -heat * np.log((1 + _random(state, 1 << 40)) / (1 << 40)):
                taken += 1
                continue
            for k in range(num_changed):
                value[changed[k]] = before[k]
        if ordered:
            count_dependencies(next_channel, d, end, head, sources, mark, place, dependency, -1)
        next_channel[v, d] = old
        if ordered:
            count_dependencies(next_channel, d, end, head, sources, mark, place, dependency, 1)
    return taken
