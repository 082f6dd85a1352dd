"""From flows and multipliers in floating point to what can be judged: loads by class, whole, conserved and free of
cycles; and adversaries."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.graph import hops_from
from ...kernel.port_gauge import AdversaryPair
from ...machine.compiled import njit
from ...routing.classes.path_classes import ClassLoads
from ...symmetry.pair_classes import Reduction
from ..adversary import Adversary
from .worst_case import Potentials

_UNIT = 1 << 32
_NOTHING = 0.4  # units


def rounded_flows(
    reduction: Reduction, flows: Iterable[tuple[int, Int64, Float64]], *, unit: int = _UNIT
) -> list[ClassLoads]:
    """Unit flows near the given ones, of so many units, exactly conserved, without cycles, symmetric; all over one
    denominator.

    ``flows``, in any order: the number of a pair class, the variable of every channel (-1: none may flow), and what
    flows by variable.
    """
    network = reduction.network
    offset, leaving = network.out_channels
    found: dict[int, tuple[Int64, Int64, Int64]] = {}
    common = 1
    for k, variable, flow in flows:
        pair, live = reduction.pairs[k], variable >= 0
        members = np.bincount(variable[live], minlength=len(flow))
        args = (offset, leaving, network.head, variable, members)
        whole = whole_flow(*args, np.where(flow * unit < _NOTHING, 0.0, flow), pair.source, pair.destination, unit)
        if not whole.any():
            far = hops_from(network.num_nodes, network.head, network.tail, pair.destination)
            shortest = (far[network.head] >= 0) & (far[network.tail] == far[network.head] + 1)
            flow = np.zeros(len(flow))
            flow[variable[shortest & live]] = 1.0
            whole = whole_flow(*args, flow, pair.source, pair.destination, unit)
        total = np.zeros(len(flow), dtype=np.int64)
        np.add.at(total, variable[live], whole[live])
        common = lcm(common, *np.unique(members[total > 0]).tolist())
        used = np.nonzero(live & (total[variable] > 0))[0]
        found[k] = (used, total[variable[used]], members[variable[used]])
    result = []
    for k, pair in enumerate(reduction.pairs):
        used, total, members = found[k]
        load = (total * (common // members)).tolist()
        result.append(ClassLoads(pair.source, pair.destination, used.astype(np.int32), load, unit * common))
    return result


def rounded_adversary(
    reduction: Reduction, multipliers: Iterable[tuple[int, Float64]], scale: float, hops: float
) -> Adversary:
    """The adversaries of multipliers (by channel, with the number of their ``ends``), times ``scale`` and rounded down
    to whole numbers; ``hops``: what a hop of a pair of terminals costs in the objective (0: nothing)."""
    found = {k: np.floor(y * scale).astype(np.int64) for k, y in multipliers}
    ends = Potentials(reduction).ends()
    pairs = [AdversaryPair(x.source, x.destination, found[k]) for k, x in enumerate(ends)]
    return Adversary(reduction, pairs, int(hops * scale))


@njit(cache=True)
def whole_flow(  # type: ignore[no-untyped-def]
    offset, leaving, head, variable, members, flow, source, destination, unit
):
    """int64 (C,): ``unit`` whole units from source to destination, split at every node as ``flow`` is; all zero where
    the flow does not arrive.

    ``offset``, ``leaving``: the channels that leave each node; ``variable``: which class of channels each is in (-1:
    none), ``members`` and ``flow`` by class.  ``flow`` is changed: cycles are taken out, each with all its images.
    """
    n = len(offset) - 1
    order, size = _without_cycles(offset, leaving, head, variable, members, flow)
    alive = np.zeros(n, dtype=np.bool_)
    alive[destination] = True
    for k in range(size):  # later nodes of the flow come first in ``order``
        v = order[k]
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and flow[variable[c]] > 0.0 and alive[head[c]]:
                alive[v] = True
    whole = np.zeros(len(head), dtype=np.int64)
    if not alive[source]:
        return whole
    inflow = np.zeros(n, dtype=np.int64)
    inflow[source] = unit
    for k in range(size - 1, -1, -1):
        v = order[k]
        if v == destination or inflow[v] == 0:
            continue
        total = 0.0
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and alive[head[c]]:
                total += flow[variable[c]]
        done = 0.0
        given = 0
        last = -1
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and alive[head[c]] and flow[variable[c]] > 0.0:
                done += flow[variable[c]]
                upto = min(inflow[v], int(np.floor(inflow[v] * (done / total))))
                whole[c] = upto - given
                given = upto
                last = c
        whole[last] += inflow[v] - given
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            inflow[head[c]] += whole[c]
    return whole


@njit(cache=True)
def _without_cycles(offset, leaving, head, variable, members, flow):  # type: ignore[no-untyped-def]
    """(nodes, those that flow reaches later first; how many): by depth-first search, which meets every cycle."""
    n = len(offset) - 1
    state = np.zeros(n, dtype=np.int8)
    at = offset[:-1].copy()
    stack = np.empty(n + 1, dtype=np.int64)
    via = np.empty(n + 1, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    size = 0
    uses = np.zeros(len(flow), dtype=np.int64)
    for root in range(n):
        if state[root] != 0:
            continue
        depth = 0
        stack[0], via[0] = root, -1
        state[root] = 1
        while depth >= 0:
            v = stack[depth]
            if at[v] == offset[v + 1]:
                state[v] = 2
                order[size] = v
                size += 1
                depth -= 1
                continue
            c = leaving[at[v]]
            if variable[c] < 0 or flow[variable[c]] <= 0.0 or state[head[c]] == 2:
                at[v] += 1
                continue
            u = head[c]
            if state[u] == 0:
                depth += 1
                stack[depth], via[depth] = u, c
                state[u] = 1
                continue
            # A cycle: from u along the stack to v, and back by c.
            first = depth
            while stack[first] != u:
                first -= 1
            uses[variable[c]] += 1
            for k in range(first + 1, depth + 1):
                uses[variable[via[k]]] += 1
            most = np.inf
            least = variable[c]
            for k in range(first, depth + 1):
                o = variable[c] if k == first else variable[via[k]]
                room = flow[o] * members[o] / uses[o]
                if room < most:
                    most, least = room, o
            for k in range(first, depth + 1):
                o = variable[c] if k == first else variable[via[k]]
                if uses[o] > 0:
                    flow[o] = max(0.0, flow[o] - most * uses[o] / members[o])
                    uses[o] = 0
            flow[least] = 0.0
            # Go back to the first node whose way on has vanished.
            for k in range(1, depth + 1):
                if flow[variable[via[k]]] <= 0.0:
                    for m in range(k, depth + 1):
                        state[stack[m]] = 0
                    depth = k - 1
                    break
    return order, size
