"""Compiled: the steps of the splitting method, a link after the other."""

from __future__ import annotations

from ...machine.compiled import njit


@njit(cache=True)
def thresholds(point, weight, most, threshold, count, first, last):  # type: ignore[no-untyped-def]
    """For links ``first`` to ``last`` - 1: the least threshold >= 0 with sum_k weight[k] max(0, |point[e, k]| - it) <=
    ``most[e]``, by Newton's method from the one that ``threshold`` holds; ``count``: the weight of those beyond it."""
    nodes = len(weight)
    for e in range(first, last):
        t = threshold[e]
        beyond = 0.0
        for _ in range(60):
            total = 0.0
            beyond = 0.0
            for k in range(nodes):
                x = abs(point[e, k]) - t
                if x > 0.0:
                    total += weight[k] * x
                    beyond += weight[k]
            if beyond == 0.0:  # too far: Newton's method never goes beyond the root from below
                if t == 0.0:
                    break
                t = 0.0
                continue
            change = (total - most[e]) / beyond
            if t + change <= 0.0:
                t = 0.0
                if change < 0.0:
                    break
            else:
                t += change
            if abs(change) <= 1e-13 * t:
                break
        threshold[e] = t
        count[e] = beyond


@njit(cache=True)
def leaving(point, threshold, start, link, sign, found, first, last):  # type: ignore[no-untyped-def]
    """For nodes ``first`` to ``last`` - 1: what leaves them, less what arrives, of twice the points shrunk by their
    thresholds less the points.

    ``link``, ``sign``: from ``start[v]`` to ``start[v + 1]`` - 1, the links of node v, and 1 where it is the tail.
    """
    nodes = point.shape[1]
    for v in range(first, last):
        for k in range(nodes):
            found[v, k] = 0.0
        for at in range(start[v], start[v + 1]):
            e, s = link[at], sign[at]
            t = threshold[e]
            for k in range(nodes):
                x = point[e, k]
                found[v, k] += s * (x - 2.0 * t if x > t else x + 2.0 * t if x < -t else -x)


@njit(cache=True)
def moved(point, threshold, push, tail, head, step, first, last):  # type: ignore[no-untyped-def]
    """Links ``first`` to ``last`` - 1: every point goes ``step`` times to where conserved flows send its reflection."""
    nodes = point.shape[1]
    for e in range(first, last):
        t = threshold[e]
        for k in range(nodes):
            x = point[e, k]
            shrunk = x - t if x > t else x + t if x < -t else 0.0
            point[e, k] = x + step * (shrunk - x - (push[tail[e], k] - push[head[e], k]))


@njit(cache=True)
def shrunk(point, threshold, found, first, last):  # type: ignore[no-untyped-def]
    """``found[e, k]``: the points shrunk by the thresholds of their links."""
    nodes = point.shape[1]
    for e in range(first, last):
        t = threshold[e]
        for k in range(nodes):
            x = point[e, k]
            found[e, k] = x - t if x > t else x + t if x < -t else 0.0
