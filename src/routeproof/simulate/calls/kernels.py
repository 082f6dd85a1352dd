"""Compiled calls: one by one, along the first path found through vertices that may be used; see ``calls``.

``wires`` and ``calls`` are the ``Wires`` and ``Calls`` of ``churn``.
"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _turn(salt, v, degree):  # type: ignore[no-untyped-def]
    """Where the edges of a vertex are begun with: 0 for salt 0, else by the splitmix64 of salt + vertex."""
    if salt == np.uint64(0) or degree <= 1:
        return 0
    z = salt + np.uint64(v) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64(z % np.uint64(degree))


@njit(cache=True, nogil=True, error_model="numpy")
def _mark(v, used_now, wires, calls):  # type: ignore[no-untyped-def]
    """A call takes or leaves vertex ``v``; what that makes blocked, or free again, follows backward."""
    _, _, _, _, cap, side, before, tail, edge = wires
    used, blocked, lost, stack = calls.used, calls.blocked, calls.lost, calls.stack
    used[v] = used_now
    if blocked[v]:
        return
    size = 1
    stack[0] = v
    while size:
        size -= 1
        w = stack[size]
        change = 1 if used[w] or blocked[w] else -1
        for k in range(before[w], before[w + 1]):
            u = tail[k]
            if cap[u] < 0:
                continue
            lost[u, side[edge[k]]] += change
            now = lost[u, 0] > cap[u] or lost[u, 1] > cap[u]
            if now != blocked[u]:
                blocked[u] = now
                if not used[u]:
                    stack[size] = u
                    size += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _find(i, goal, output, wires, calls, salt, rule):  # type: ignore[no-untyped-def]
    """Depth first from vertex ``i`` to vertex ``goal``: the path's length in ``path``, 0 if there is none."""
    start, head, low, high, _, _, _, _, _ = wires
    used, blocked, _, _, stamp, _, path, place, _ = calls
    calls.clock[0] += 1
    clock = calls.clock[0]
    path[0] = i
    place[0] = 0
    stamp[i] = clock
    depth = 0
    while depth >= 0:
        v = path[depth]
        degree = start[v + 1] - start[v]
        if place[depth] >= degree:
            depth -= 1
            continue
        k = place[depth] + _turn(salt, v, degree)
        if k >= degree:
            k -= degree
        place[depth] += 1
        w = head[start[v] + k]
        if used[w] or stamp[w] == clock or output < low[w] or output > high[w] or (rule and blocked[w]):
            continue
        depth += 1
        path[depth] = w
        if w == goal:
            return depth + 1
        stamp[w] = clock
        place[depth] = 0
    return 0


@njit(cache=True, nogil=True, error_model="numpy")
def connect(i, j, terminals, wires, calls, salt, rule):  # type: ignore[no-untyped-def]
    """Call from input ``i`` to output ``j``, both idle: 0 connected, 1 blocked by the rule, 2 without any free path."""
    path, after = calls.path, calls.after
    goal = wires.low.shape[0] - terminals + j
    length = _find(i, goal, j, wires, calls, salt, rule)
    if length == 0:
        if not rule:
            return 2
        return 1 if _find(i, goal, j, wires, calls, salt, False) else 2
    for k in range(length):
        after[path[k]] = path[k + 1] if k + 1 < length else -1
        _mark(path[k], True, wires, calls)
    return 0


@njit(cache=True, nogil=True, error_model="numpy")
def hang_up(i, wires, calls):  # type: ignore[no-untyped-def]
    """The call of input ``i`` ends; returns the vertex of its output."""
    v = i
    while True:
        _mark(v, False, wires, calls)
        w = calls.after[v]
        if w < 0:
            return v
        v = w


@njit(cache=True, nogil=True, error_model="numpy")
def churn(draws, log, occupancy, random_paths, rule, terminals, wires, calls):  # type: ignore[no-untyped-def]
    """One trial from an empty network; returns (requests, by the rule, without a path, hang-ups, busy, outcome).

    ``draws``: uint64, three for each event and three for the last request; ``log``: int32, shape (events + 1, 3), out:
    input, output (-1: hangs up) and outcome (-1: nothing happened) of every event.  ``occupancy``: (numerator,
    denominator).
    """
    numerator, denominator = occupancy
    events = log.shape[0] - 1
    used = calls.used
    idle = np.arange(terminals).astype(np.int32)  # outputs; the last takes the place of one that is called
    count = terminals
    first = wires.low.shape[0] - terminals
    size = np.uint64(terminals)
    requests = by_rule = without = hung = 0
    outcome = 0
    for event in range(events + 1):
        i = np.int64(draws[3 * event] % size)
        coin = np.int64(draws[3 * event + 1] % np.uint64(denominator))
        final = event == events
        log[event, 2] = -1
        if final:  # the trial's own request, by an idle input if there is one
            for _ in range(terminals):
                if not used[i]:
                    break
                i = (i + 1) % terminals
        if used[i]:
            if not final and coin < numerator:
                continue
            v = hang_up(i, wires, calls)
            j = v - first
            idle[count] = j
            count += 1
            hung += 1
            log[event, 0] = i
            log[event, 1] = -1
            log[event, 2] = 0
            if not final:
                continue  # at the end all inputs were busy: this one calls again
        elif not final and coin >= numerator:
            continue
        at = np.int64(draws[3 * event + 2] % np.uint64(count))
        j = idle[at]
        salt = (draws[3 * event + 2] | np.uint64(1)) if random_paths else np.uint64(0)
        outcome = connect(i, j, terminals, wires, calls, salt, rule)
        log[event, 0] = i
        log[event, 1] = j
        log[event, 2] = outcome
        requests += 1
        by_rule += outcome == 1
        without += outcome == 2
        if outcome == 0:
            count -= 1
            idle[at] = idle[count]
    return requests, by_rule, without, hung, terminals - count, outcome
