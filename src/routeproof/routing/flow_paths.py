"""A flow from one node to another, taken apart into paths, widest first."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from ..core.errors import InputError
from ..core.network import Network

__all__ = ["flow_paths", "whole_paths"]


def flow_paths(
    network: Network, loads: Mapping[int, Fraction], start: int, end: int
) -> list[tuple[Fraction, list[int]]]:
    """Take a unit flow apart into weighted paths from ``start`` to ``end``, widest path first.

    Cycles in the flow, if any, are left over; raises InputError if less than one unit arrives.
    """
    scale = lcm(*(x.denominator for x in loads.values()))
    found, missing = _taken_apart(network, {c: int(x * scale) for c, x in loads.items()}, start, end, scale)
    if missing:
        sent = Fraction(scale - missing, scale)
        raise InputError(f"only {sent} of one unit arrives from {network.label(start)} at {network.label(end)}")
    return [(Fraction(width, scale), path) for width, path in found]


def whole_paths(
    network: Network, flow: Mapping[int, int], start: int, end: int, amount: int
) -> list[tuple[int, list[int]]]:
    """Take a flow of ``amount``, in whole numbers, apart into paths, widest first; cycles are left over.

    Raises InputError if less than ``amount`` arrives.
    """
    found, missing = _taken_apart(network, flow, start, end, amount)
    if missing:
        raise InputError(f"{missing} units do not arrive from {network.label(start)} at {network.label(end)}")
    return found


def _taken_apart(
    network: Network, flow: Mapping[int, int], start: int, end: int, amount: int
) -> tuple[list[tuple[int, list[int]]], int]:
    """The paths with their widths, and how much of ``amount`` does not arrive."""
    left = dict(flow)
    leaving: dict[int, list[int]] = {}
    for c in left:
        leaving.setdefault(int(network.tail[c]), []).append(c)
    head = {c: int(network.head[c]) for c in left}
    result: list[tuple[int, list[int]]] = []
    while amount:
        best = {start: amount}
        via: dict[int, int] = {}
        heap = [(-amount, start)]
        done: set[int] = set()
        while heap:
            width, u = heapq.heappop(heap)
            if u == end:
                break
            if u in done:
                continue
            done.add(u)
            for c in leaving.get(u, ()):
                wide = min(-width, left[c])
                v = head[c]
                if wide > best.get(v, 0) and v not in done:
                    best[v], via[v] = wide, c
                    heapq.heappush(heap, (-wide, v))
        if end not in best:
            break
        path = []
        v = end
        while v != start:
            path.append(via[v])
            v = int(network.tail[via[v]])
        path.reverse()
        for c in path:
            left[c] -= best[end]
        amount -= best[end]
        result.append((best[end], path))
    return result, amount
