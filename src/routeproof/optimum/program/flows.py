"""From a program's solution to a routing: whole flows, conserved, symmetric and without cycles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...graphs.flow_paths import whole_paths
from ...lp.exact import ExactPoint
from ...routing.classes.path_classes import ClassLoads, SymmetricRouting, describe_classes
from ...routing.classes.symmetric import RoutingOfClasses, routing_of_classes
from ...symmetry.pair_classes import PairClass, Reduction

_FINE = 1 << 30
NAME = "designed"


def routing_from_exact(reduction: Reduction, flow: list[Int64], point: ExactPoint) -> RoutingOfClasses:
    """The routing of an exact solution; cycles are taken out, which loads no channel more."""
    return routing_of_flows(reduction, classes_from_exact(reduction, flow, point))


def classes_from_exact(reduction: Reduction, flow: list[Int64], point: ExactPoint) -> list[ClassLoads]:
    """What that routing does for one pair of every class."""
    each = (np.where(columns >= 0, point.num[columns], 0) for columns in flow)
    return whole_classes(reduction, each, point.den)


def whole_classes(reduction: Reduction, flows: Iterable[npt.NDArray[Any]], den: int) -> list[ClassLoads]:
    """As ``classes_from_exact``, of the whole loads of all channels by one pair of every class, (C,), over ``den``."""
    classes = []
    for pair, amount in zip(reduction.pairs, flows, strict=True):
        loads = {c: int(amount[c]) for c in np.flatnonzero(amount).tolist()}
        common = gcd(den, *loads.values())
        classes.append(_class(reduction.network, pair, {c: x // common for c, x in loads.items()}, den // common))
    return classes


def routing_from_floats(reduction: Reduction, flow: list[Int64], x: npt.NDArray[np.float64]) -> RoutingOfClasses:
    """A routing near an approximate solution: its flows decomposed into paths, their weights rounded to a sum of 1,
    and averaged over what leaves the pair as it is."""
    classes = []
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        amount = np.where(columns >= 0, x[columns], 0.0)
        whole = {c: int(s) for c, s in enumerate(np.floor(np.maximum(amount, 0.0) * _FINE).tolist()) if s >= 64}
        shares = _paths_of(reduction.network, pair, whole)
        total = sum(share for share, _ in shares)
        weights = [share * _FINE // total for share, _ in shares]
        weights[0] += _FINE - sum(weights)
        loads: dict[int, int] = {}
        for weight, (_, path) in zip(weights, shares, strict=True):
            for c in path:
                loads[int(pair.channel[c])] = loads.get(int(pair.channel[c]), 0) + weight
        members = np.bincount(pair.channel, minlength=len(pair.channel))
        common = lcm(*(int(members[o]) for o in loads))
        average = {o: s * (common // int(members[o])) for o, s in loads.items()}
        spread = {c: average[o] for c, o in enumerate(pair.channel.tolist()) if average.get(o)}
        classes.append(_class(reduction.network, pair, spread, _FINE * common))
    return routing_of_flows(reduction, classes)


def _paths_of(network: Network, pair: PairClass, whole: Mapping[int, int]) -> list[tuple[int, list[int]]]:
    """Paths that carry nearly all of a flow that is nearly conserved; a shortest path where there is none."""
    arriving = sum(x for c, x in whole.items() if int(network.head[c]) == pair.destination)
    shares = _as_many(network, whole, pair.source, pair.destination, arriving)
    if shares:
        return shares
    everything = dict.fromkeys(range(network.num_channels), 1)
    return [(1, whole_paths(network, everything, pair.source, pair.destination, 1)[0][1])]


def _as_many(
    network: Network, whole: Mapping[int, int], start: int, end: int, amount: int
) -> list[tuple[int, list[int]]]:
    """As ``whole_paths``, but what does not arrive is left where it is."""
    left = dict(whole)
    result: list[tuple[int, list[int]]] = []
    while amount > 0:
        try:
            (share, path) = whole_paths(network, left, start, end, 1)[0]
        except InputError:
            break
        share = min(left[c] for c in path)
        for c in path:
            left[c] -= share
            if not left[c]:
                del left[c]
        amount -= share
        result.append((share, path))
    return result


def _class(network: Network, pair: PairClass, loads: dict[int, int], den: int) -> ClassLoads:
    loads, den = _without_cycles(network, pair, loads, den)
    channels = sorted(loads)
    return ClassLoads(
        pair.source, pair.destination, np.array(channels, dtype=np.int32), [loads[c] for c in channels], den
    )


def _without_cycles(network: Network, pair: PairClass, loads: dict[int, int], den: int) -> tuple[dict[int, int], int]:
    """Take cycles out, each with all its images at once, so that the flow stays symmetric."""
    members = np.bincount(pair.channel, minlength=len(pair.channel))
    while True:
        cycle = _cycle(network, loads)
        if cycle is None:
            return loads, den
        uses: dict[int, int] = {}
        for c in cycle:
            uses[int(pair.channel[c])] = uses.get(int(pair.channel[c]), 0) + 1
        # The average image of the cycle loads each channel of class o with uses / members.
        share = {o: Fraction(n, int(members[o])) for o, n in uses.items()}
        most = min(loads[o] / s for o, s in share.items())
        factor = lcm(*((most * s).denominator for s in share.values()))
        loads, den = {c: x * factor for c, x in loads.items()}, den * factor
        for c in list(loads):
            s = share.get(int(pair.channel[c]))
            if s is not None:
                loads[c] -= int(most * s * factor)
                if not loads[c]:
                    del loads[c]
        common = gcd(den, *loads.values())
        loads, den = {c: x // common for c, x in loads.items()}, den // common


def _cycle(network: Network, loads: Mapping[int, int]) -> list[int] | None:
    """The channels of a directed cycle among those that carry something, or None."""
    leaving: dict[int, list[int]] = {}
    for c in loads:
        leaving.setdefault(int(network.tail[c]), []).append(c)
    state: dict[int, int] = {}
    for root in leaving:
        if root in state:
            continue
        state[root] = 1
        trail: list[int] = []
        stack = [(root, iter(leaving[root]))]
        while stack:
            v, rest = stack[-1]
            for c in rest:
                u = int(network.head[c])
                if state.get(u) == 1:
                    trail.append(c)
                    nodes = [int(network.tail[x]) for x in trail]
                    return trail[nodes.index(u) :]
                if u not in state:
                    state[u] = 1
                    trail.append(c)
                    stack.append((u, iter(leaving.get(u, ()))))
                    break
            else:
                state[v] = 2
                stack.pop()
                if trail:
                    trail.pop()
    return None


def routing_from_classes(reduction: Reduction, classes: Sequence[ClassLoads]) -> SymmetricRouting:
    return SymmetricRouting(reduction.network, NAME, [*classes, *idle_classes(reduction)], reduction.symmetry)


def routing_of_flows(reduction: Reduction, classes: list[ClassLoads]) -> RoutingOfClasses:
    """As ``routing_from_classes``, in whichever form takes less memory."""
    return routing_of_classes(reduction.network, NAME, [*classes, *idle_classes(reduction)], reduction.symmetry)


def idle_classes(reduction: Reduction) -> list[ClassLoads]:
    """Shortest paths for pairs that send nothing, so that the routing is one for all pairs: one path for each class,
    averaged over what leaves its pair as it is."""
    network = reduction.network
    offset, leaving = network.out_channels
    far: dict[int, npt.NDArray[np.integer]] = {}
    found = []
    for pair in reduction.idle:
        end, v = pair.destination, pair.source
        if end not in far:
            far[end] = hops_from(network.num_nodes, network.head, network.tail, end)
        path = []
        while v != end:
            out = leaving[offset[v] : offset[v + 1]]
            path.append(int(out[np.argmax(far[end][network.head[out]] == far[end][v] - 1)]))
            v = int(network.head[path[-1]])
        members = np.bincount(pair.channel, minlength=len(pair.channel))
        uses = np.bincount(pair.channel[path], minlength=len(pair.channel))
        common = lcm(*(int(members[o]) for o in np.flatnonzero(uses).tolist()))
        loads = {c: int(uses[o]) * (common // int(members[o])) for c, o in enumerate(pair.channel.tolist()) if uses[o]}
        found.append(_class(network, pair, loads, common))
    return found


def description_of_classes(reduction: Reduction, classes: Sequence[ClassLoads]) -> dict[str, Any]:
    """What reports say of ``routing_from_classes(...)``, without the table of all loads."""
    return {"spec": NAME, **describe_classes([*classes, *idle_classes(reduction)], reduction.symmetry)}
