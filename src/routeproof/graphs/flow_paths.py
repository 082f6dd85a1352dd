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
    while left:
        place = next(((k, v) for k, (_, path) in enumerate(found) for v in _passed(network, path, left)), None)
        cycle = None if place is None else _cycle(network, left, place[1])
        if place is None or cycle is None:
            raise InputError(
                f"channel {network.channel_label(min(left))} has a load from {network.label(start)} to "
                f"{network.label(end)}, and no path there leads over it"
            )
        k, v = place
        width, path = found[k]
        much = min(left[c] for c in cycle)
        for c in cycle:
            left[c] -= much
            if not left[c]:
                del left[c]
        # Some of the packets go round once more than the others.
        rounds, more = divmod(much, width)
        if rounds >= _MOST_ROUNDS:
            raise InputError(f"packets from {network.label(start)} would go round a cycle {rounds:,} times")
        at = 0 if v == start else 1 + next(x for x, c in enumerate(path) if int(network.head[c]) == v)
        parts = [(more, rounds + 1), (width - more, rounds)]
        found[k : k + 1] = [(x, path[:at] + cycle * times + path[at:]) for x, times in parts if x]
    return found


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


def _passed(network: Network, path: list[int], left: Mapping[int, int]) -> list[int]:
    """The first node of a path that a channel of ``left`` leaves, if any."""
    leaving = {int(network.tail[c]) for c in left}
    nodes = [int(network.tail[path[0]]), *(int(network.head[c]) for c in path)]
    return [v for v in nodes if v in leaving][:1]


def _cycle(network: Network, left: Mapping[int, int], node: int) -> list[int] | None:
    """A shortest cycle of channels of ``left`` through ``node``, in order from there; None if there is none."""
    leaving: dict[int, list[int]] = {}
    for c in sorted(left):
        leaving.setdefault(int(network.tail[c]), []).append(c)
    way: dict[int, list[int]] = {node: []}
    front = [node]
    for u in front:  # grows while it is walked through
        for c in leaving.get(u, ()):
            v = int(network.head[c])
            if v == node:
                return [*way[u], c]
            if v not in way:
                way[v] = [*way[u], c]
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
