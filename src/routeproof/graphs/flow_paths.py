"""Flow decomposition: a flow from one node to another as weighted paths, widest first.

Source: Ahuja, Magnanti & Orlin 1993 (Network Flows), sec. 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from ..core.errors import InputError
from ..core.network import Network
from .shortest import cheapest, path_by

_MOST_ROUNDS = 1000


def flow_paths(
    network: Network, loads: Mapping[int, Fraction], start: int, end: int
) -> list[tuple[Fraction, list[int]]]:
    """Decompose a unit flow into weighted paths from ``start`` to ``end`` with just these loads, widest path first.

    Cycles in the flow are walked on the way, by paths that pass them.  Raises InputError if less than one unit arrives,
    or a cycle is out of reach.
    """
    scale = lcm(*(x.denominator for x in loads.values()))
    whole = {c: int(x * scale) for c, x in loads.items()}
    found = paths_with_cycles(network, whole, start, end, scale)
    return [(Fraction(width, scale), path) for width, path in found]


def paths_with_cycles(
    network: Network, flow: Mapping[int, int], start: int, end: int, amount: int
) -> list[tuple[int, list[int]]]:
    """As ``flow_paths``, for a flow of ``amount`` in whole numbers."""
    found, missing, left = _decomposed(network, flow, start, end, amount)
    if missing:
        sent = Fraction(amount - missing, amount)
        raise InputError(f"only {sent} of one unit arrives from {network.label(start)} at {network.label(end)}")
    leaving: dict[int, list[int]] = {}  # of what is left, ascending: both only shrink
    for c in sorted(left):
        leaving.setdefault(int(network.tail[c]), []).append(c)
    head = {c: int(network.head[c]) for c in flow}
    parts = [(width, path, 0) for width, path in found]  # before this place no path meets what is left
    k = 0
    while left:
        place = None
        while k < len(parts) and (place := _met(parts[k][1], parts[k][2], start, head, leaving)) is None:
            k += 1
        at = 0 if place is None else place
        cycle = None
        if place is not None:
            width, path, _ = parts[k]
            cycle = _cycle(leaving, head, head[path[at - 1]] if at else start)
        if cycle is None:
            raise InputError(
                f"channel {network.channel_label(min(left))} has a load from {network.label(start)} to "
                f"{network.label(end)}, and no path there leads over it"
            )
        assert at is not None  # there is a cycle where a path meets it
        much = min(left[c] for c in cycle)
        for c in cycle:
            left[c] -= much
            if not left[c]:
                del left[c]
                leaving[int(network.tail[c])].remove(c)
        # Some of the packets go round once more than the others.
        rounds, more = divmod(much, width)
        if rounds >= _MOST_ROUNDS:
            raise InputError(f"packets from {network.label(start)} would go round a cycle {rounds:,} times")
        both = [(more, rounds + 1), (width - more, rounds)]
        parts[k : k + 1] = [(x, path[:at] + cycle * times + path[at:], at) for x, times in both if x]
    return [(width, path) for width, path, _ in parts]


def whole_paths(
    network: Network, flow: Mapping[int, int], start: int, end: int, amount: int
) -> list[tuple[int, list[int]]]:
    """Decompose a flow of ``amount``, in whole numbers, into paths, widest first; cycles are left over.

    Raises InputError if less than ``amount`` arrives.
    """
    found, missing, _ = _decomposed(network, flow, start, end, amount)
    if missing:
        raise InputError(f"{missing} units do not arrive from {network.label(start)} at {network.label(end)}")
    return found


def paths_to_all(
    network: Network, flow: Mapping[int, int], start: int, amounts: Mapping[int, int]
) -> Iterator[tuple[int, list[tuple[int, list[int]]]]]:
    """As ``whole_paths``, by node where the flow of ``start`` ends, for a flow that brings so much to each."""
    left = dict(flow)
    for end, amount in amounts.items():
        found = whole_paths(network, left, start, end, amount)
        for width, path in found:
            for c in path:
                left[c] -= width
        left = {c: x for c, x in left.items() if x}
        yield end, found


def _met(
    path: list[int], first: int, start: int, head: Mapping[int, int], leaving: Mapping[int, list[int]]
) -> int | None:
    """After how many channels of the path, ``first`` or more, it is at a node with channels in ``leaving``."""
    if not first and leaving.get(start):
        return 0
    return next((x for x in range(max(first, 1), len(path) + 1) if leaving.get(head[path[x - 1]])), None)


def _cycle(leaving: Mapping[int, list[int]], head: Mapping[int, int], node: int) -> list[int] | None:
    """A shortest cycle through ``node``, in order from there; None if there is none."""
    came: dict[int, tuple[int, int]] = {}  # by node: the channel to it, and from where
    front = [node]
    for u in front:  # grows while it is walked through
        for c in leaving.get(u, ()):
            v = head[c]
            if v == node:
                cycle = [c]
                while u != node:
                    c, u = came[u]
                    cycle.append(c)
                return cycle[::-1]
            if v not in came:
                came[v] = c, u
                front.append(v)
    return None


def _decomposed(
    network: Network, flow: Mapping[int, int], start: int, end: int, amount: int
) -> tuple[list[tuple[int, list[int]]], int, dict[int, int]]:
    """The paths with their widths, how much of ``amount`` does not arrive, and the flow that is left over."""
    left = dict(flow)
    leaving: dict[int, list[tuple[int, int]]] = {}
    for c in left:
        leaving.setdefault(int(network.tail[c]), []).append((c, int(network.head[c])))
    result: list[tuple[int, list[int]]] = []

    def open_from(v: int) -> Iterator[tuple[int, int]]:
        return (way for way in leaving.get(v, ()) if left[way[0]])

    while amount:
        # The widest path: what it costs is how narrow its narrowest channel is.
        best, via = cheapest(start, -amount, open_from, lambda narrow, c: max(narrow, -left[c]), end)
        if end not in best:
            break
        width, path = -best[end], path_by(via, lambda c: int(network.tail[c]), start, end)
        for c in path:
            left[c] -= width
        amount -= width
        result.append((width, path))
    return result, amount, {c: x for c, x in left.items() if x}
