"""Compiled: the nodes of trees, numbered so that what is below a node stands together."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def number_nodes(via, tail, head, root, order, start, size):  # type: ignore[no-untyped-def]
    """Of tree m, whose node v is reached by channel ``via[m, v]`` (-1: not at all): the nodes below v, itself first,
    are ``order[m, start[m, v] : start[m, v] + size[m, v]]``.  All int32 (M, N); root: int32 (M,).

    Returns -1, or the first tree that is none: channels that do not lead to their node, or that lead in a cycle.
    """
    nodes = via.shape[1]
    children = np.empty(nodes, dtype=np.int64)
    ready = np.empty(nodes, dtype=np.int64)
    next_place = np.empty(nodes, dtype=np.int64)
    for m in range(len(via)):
        children[:] = 0
        inside = 1
        for v in range(nodes):
            c = via[m, v]
            if c >= 0:
                if v == root[m] or head[c] != v:
                    return m
                children[tail[c]] += 1
                inside += 1
        for v in range(nodes):
            size[m, v] = 0
            start[m, v] = -1
            if children[v] > 0 and v != root[m] and via[m, v] < 0:
                return m
        done = 0
        for v in range(nodes):
            if children[v] == 0 and (via[m, v] >= 0 or v == root[m]):
                ready[done] = v
                done += 1
        at = 0
        while at < done:
            v = ready[at]
            at += 1
            size[m, v] += 1
            if v != root[m]:
                u = tail[via[m, v]]
                size[m, u] += size[m, v]
                children[u] -= 1
                if children[u] == 0:
                    ready[done] = u
                    done += 1
        if done != inside:
            return m
        for k in range(done - 1, -1, -1):
            v = ready[k]
            if v == root[m]:
                start[m, v] = 0
            else:
                u = tail[via[m, v]]
                start[m, v] = next_place[u]
                next_place[u] += size[m, v]
            next_place[v] = start[m, v] + 1
            order[m, start[m, v]] = v
    return -1
