"""Networks in parts: what no single node separates, solved for itself and put together again.

A packet between two nodes crosses each part at most once, from one fixed node to another.  Where every node that
separates parts has terminals, what can be routed inside a part is all that the part may ever see, so the best ratio of
the network is the largest of its parts', and each part is a smaller program.

Source: biconnected components, Hopcroft & Tarjan 1973.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.network import Network
from ...routing.base.routing import Routing
from ...routing.classes.path_classes import ClassLoads
from ...routing.classes.symmetric import routing_of_classes
from ...symmetry.automorphisms import ClassSymmetry
from ..program.flow_program import flows_of_pairs
from ..program.flows import NAME
from .program import RatioProgram
from .solution import FlowAdversary, Solution


@dataclass(frozen=True, eq=False)
class Part:
    """``network``, whose nodes and channels are ``node`` and ``channel`` of the whole; ``gate``: int64 (N,), the part's
    node through which each node of the whole reaches it."""

    network: Network
    node: Int64
    channel: Int64
    gate: Int64


def parts_of(network: Network) -> list[Part]:
    """The largest first; one part where nothing separates, or nodes that do have no terminals."""
    import networkx as nx

    graph = nx.Graph(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    blocks, cut = [sorted(x) for x in nx.biconnected_components(graph)], [*nx.articulation_points(graph)]
    if not cut or any(not network.supply[v] or not network.demand[v] for v in cut):
        return [whole_of(network)]
    if any(np.count_nonzero(network.supply[some]) != np.count_nonzero(network.demand[some]) for some in blocks):
        return [whole_of(network)]  # a part is a network of its own, with as many senders as receivers
    found = [_part(network, np.array(some, dtype=np.int64)) for some in sorted(blocks)]
    return sorted((part for part in found if _crossed(part.network)), key=lambda part: -part.network.num_channels)


def whole_of(network: Network) -> Part:
    """The network as its only part."""
    everything = np.arange(network.num_nodes)
    return Part(network, everything, np.arange(network.num_channels), everything)


def _crossed(network: Network) -> bool:
    """Has it two terminals at different nodes, one that sends and one that receives?"""
    senders, receivers = set(network.source.tolist()), set(network.sink.tolist())
    return bool(senders and receivers) and len(senders | receivers) > 1


def _part(network: Network, node: Int64) -> Part:
    number = np.full(network.num_nodes, -1, dtype=np.int64)
    number[node] = np.arange(len(node))
    tail, head = number[network.tail], number[network.head]
    channel = np.flatnonzero((tail >= 0) & (head >= 0))
    senders, receivers = np.flatnonzero(network.supply[node]), np.flatnonzero(network.demand[node])
    own = Network.of(
        f"{network.name} ({len(node)} nodes)", len(node), np.stack([tail[channel], head[channel]], axis=1),
        bandwidth=[network.bandwidth[c] for c in channel.tolist()], source=senders, sink=receivers,
        labels=[network.label(v) for v in node.tolist()],
    )  # fmt: skip
    outside = np.ones(network.num_channels, dtype=np.bool_)
    outside[channel] = False
    gate = number.copy()
    while True:
        before = gate.copy()
        for one, other in ((network.tail, network.head), (network.head, network.tail)):
            reached = outside & (gate[one] >= 0) & (gate[other] < 0)
            gate[other[reached]] = gate[one[reached]]
        if np.array_equal(before, gate):
            return Part(own, node, channel, gate)


def composed_routing(network: Network, parts: Sequence[Part], solved: Sequence[Solution]) -> Routing:
    """The routing that goes through the parts as their solutions do; by pairs of nodes, and reversal if all have it."""
    reversal = all(one.reduction.reversal for one in solved)
    tables = [_loads(one) for one in solved]
    classes = []
    for i in np.flatnonzero(network.supply).tolist():
        for j in np.flatnonzero(network.demand).tolist():
            if i == j or (reversal and i > j):
                continue
            channels: list[int] = []
            loads: list[Fraction] = []
            for part, table in zip(parts, tables, strict=True):
                u, v = int(part.gate[i]), int(part.gate[j])
                if u != v:
                    for c, x in table[u, v]:
                        channels.append(int(part.channel[c]))
                        loads.append(x)
            order = np.argsort(channels)
            den = lcm(*(x.denominator for x in loads))
            whole = [int(loads[k] * den) for k in order.tolist()]
            classes.append(ClassLoads(i, j, np.array(channels, dtype=np.int32)[order], whole, den))
    return routing_of_classes(network, NAME, classes, ClassSymmetry([], reversal))


def _loads(solved: Solution) -> dict[tuple[int, int], list[tuple[int, Fraction]]]:
    """For every pair of a part's nodes the channels that it loads, and how much."""
    reduction = solved.reduction
    count, nodes = reduction.network.num_channels, reduction.network.num_nodes
    place = [np.full(count, -1, dtype=np.int64) for _ in solved.classes]
    values: list[Fraction] = []
    for one, at in zip(solved.classes, place, strict=True):
        for c, x in zip(one.channel.tolist(), one.load, strict=True):
            at[c] = len(values)
            values.append(Fraction(x, one.den))
    by_pair = flows_of_pairs(reduction, place, np.arange(count))
    found = {}
    for u in range(nodes):
        for v in range(nodes):
            used = np.flatnonzero(by_pair[:, u, v] >= 0)
            found[u, v] = [(c, values[at]) for c, at in zip(used.tolist(), by_pair[used, u, v].tolist(), strict=True)]
    return found


def composed_lengths(network: Network, parts: Sequence[Part], solved: Sequence[Solution]) -> npt.NDArray[Any]:
    """(C, C): channels of other parts have no length."""
    whole = all(one.whole for one in solved)
    found = np.zeros((network.num_channels, network.num_channels), dtype=np.int64 if whole else np.float64)
    for part, one in zip(parts, solved, strict=True):
        found[np.ix_(part.channel, part.channel)] = one.length
    return found


def composed_adversary(
    network: Network, parts: Sequence[Part], solved: Sequence[Solution], programs: Sequence[RatioProgram]
) -> FlowAdversary:
    """That of the part which is worst, against the whole."""
    own = [
        FlowAdversary(part.network, one.flows, one.reduction.symmetry) for part, one in zip(parts, solved, strict=True)
    ]
    worst = max(range(len(parts)), key=lambda k: own[k].least_load())
    part, program, reversal = parts[worst], programs[worst], all(x.reduction.reversal for x in solved)
    opposite = network.reverse if reversal else None
    flows: dict[int, npt.NDArray[Any]] = {}
    for c, r in enumerate(program.orbits.rep.tolist()):
        at = int(part.channel[c])
        if r not in own[worst].flows or (opposite is not None and int(opposite[at]) in flows):
            continue
        there, flow = program.orbits.to[c], own[worst].flows[r]
        moved = np.zeros((network.num_nodes, network.num_channels), dtype=flow.dtype)
        moved[np.ix_(part.node, part.channel)] = flow[np.ix_(there.channel, there.node)]
        flows[at] = moved
    return FlowAdversary(network, flows, ClassSymmetry([], reversal))
