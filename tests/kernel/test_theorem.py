"""The theorem by brute force on tiny networks, for every family of demands.

Three checks that share no code with it: the line entry by entry; that no routing, of many that are drawn, is below the
line, whatever its worst case and its path length; and, where the set of routings is small enough for a linear program
by scipy, that the adversaries of the program's own multipliers prove the optimum.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from itertools import permutations as permutations_of
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof import network
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.ports import ports_of
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet
from routeproof.kernel import port_gauge
from routeproof.kernel.gauges import gauge_of_flows, gauge_of_matrices, gauge_of_uniform, proved_load
from routeproof.kernel.port_gauge import AdversaryPair, _Images, gauge_of_ports, least_weights
from routeproof.kernel.ports import Ports
from routeproof.kernel.shortest_paths import distances, sum_of_distances
from routeproof.kernel.theorem import SupportingLine, supporting_line


def drawn(net: Network, *, seed: int, shift: int = 0) -> list[AdversaryPair]:
    rng = np.random.default_rng(seed)
    found = []
    for i in range(net.num_nodes):
        for j in range(net.num_nodes):
            if i != j:
                values = rng.integers(0, 100, net.num_channels) * (rng.random(net.num_channels) < 0.7)
                found.append(AdversaryPair(i, j, values.astype(object) << shift if shift else values))
    return found


def by_hand(net: Network, pairs: list[AdversaryPair]) -> tuple[Fraction, int]:
    """(load, total) of the line, entry by entry."""
    load = Fraction(0)
    for c in range(net.num_channels):
        sums: dict[tuple[int, int], int] = {}
        for pair in pairs:
            for key in ((0, pair.source), (1, pair.destination)):
                sums[key] = sums.get(key, 0) + int(pair.traffic[c])
        load += max(sums.values()) * net.bandwidth[c]
    return load, sum(shortest(net, p.source, p.destination, p.traffic.tolist()) for p in pairs)


def shortest(net: Network, source: int, destination: int, length: list[int]) -> int:
    heap, seen = [(0, source)], set()
    while heap:
        far, v = heapq.heappop(heap)
        if v == destination:
            return far
        if v in seen:
            continue
        seen.add(v)
        for c, (a, b) in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True)):
            if a == v:
                heapq.heappush(heap, (far + length[c], b))
    raise AssertionError


@pytest.mark.parametrize(
    "text", ["kautz:2,2", "mesh:2x3,bandwidth=2x1", "ring:5,oneway", "random-regular:8,degree=3,seed=2"]
)
@pytest.mark.parametrize("shift", [0, 40, 57, 90])
def test_the_line_is_that_by_hand(text: str, shift: int) -> None:
    net = network(text)
    pairs = drawn(net, seed=7, shift=shift)
    line = supporting_line(net, gauge_of_ports(net, Ports.of_nodes(net), pairs))
    assert (line.load, line.total) == by_hand(net, pairs)


@pytest.mark.parametrize("shift", [0, 90])
def test_channels_over_which_every_pair_sends_alike_are_judged_once(
    monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    net = network("random-regular:12,degree=3,seed=1")
    across = np.where(np.arange(net.num_channels) % 3 == 0, 5, 2).astype(object if shift else np.int64) << shift
    pairs = [AdversaryPair(i, (5 * i + 1) % 12, across * (1 + i % 2)) for i in range(12) if i % 4 != 2]
    judged = list[int]()
    heaviest = port_gauge._heaviest

    def counted(ports: Ports, out: Any, into: Any, common: int, channels: Any) -> list[Fraction]:
        judged.append(out.shape[1])
        return heaviest(ports, out, into, common, channels)

    monkeypatch.setattr(port_gauge, "_heaviest", counted)
    line = supporting_line(net, gauge_of_ports(net, Ports.of_nodes(net), pairs))
    assert (line.load, line.total) == by_hand(net, pairs)
    assert judged == [2]


def test_a_channel_of_which_more_is_sent_than_may_be_is_named() -> None:
    net = network("fat-tree:4")
    idle = int(np.flatnonzero(net.supply == 0)[0])
    traffic = np.where(np.arange(net.num_channels) < 5, 0, 3)
    with pytest.raises(VerificationError, match="channel 5 sends where nothing more"):
        gauge_of_ports(net, Ports.of_nodes(net), [AdversaryPair(idle, 0, traffic)])


def test_distances_of_many_are_those_of_each() -> None:
    net = network("random-regular:12,degree=3,seed=1")
    pairs = drawn(net, seed=3)
    weight = [k % 5 + 1 for k in range(len(pairs))]
    expected = sum(
        m * (distances(net, [2 + x for x in p.traffic.tolist()])(p.source)[p.destination] or 0)
        for m, p in zip(weight, pairs, strict=True)
    )
    wanted = [(p.source, p.destination, p.traffic, 2, m) for m, p in zip(weight, pairs, strict=True)]
    assert sum_of_distances(net, wanted) == expected


@pytest.mark.parametrize("shift", [0, 90])
def test_no_path_is_an_error(shift: int) -> None:
    net = Network.of("no way back", 3, [(0, 1), (1, 0), (1, 2)])
    with pytest.raises(VerificationError, match="no path leads from node 2 to node 0"):
        sum_of_distances(net, [(2, 0, np.array([1, 1, 1], dtype=object) << shift, 0, 1)])


# -- no routing is below the line -----------------------------------------------------------------------------------

Loads = dict[tuple[int, int], list[Fraction]]
"""For each pair of nodes, what one unit puts on every channel."""


def simple_paths(net: Network, source: int, destination: int) -> list[list[int]]:
    """All paths that visit no node twice, as channels."""
    found: list[list[int]] = []

    def go(at: int, path: list[int], seen: set[int]) -> None:
        if at == destination:
            found.append(path)
            return
        for c, (a, b) in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True)):
            if a == at and b not in seen:
                go(b, [*path, c], {*seen, b})

    go(source, [], {source})
    return found


def drawn_routing(net: Network, rng: np.random.Generator) -> Loads:
    """Any mixture of paths for every pair; now and then a single one."""
    found: Loads = {}
    for i, j in permutations_of(range(net.num_nodes), 2):
        paths = simple_paths(net, i, j)
        weight = rng.integers(0, 4, len(paths)) if rng.random() < 0.7 else np.zeros(len(paths), dtype=np.int64)
        weight[rng.integers(len(paths))] += 1
        loads = [Fraction(0)] * net.num_channels
        for path, x in zip(paths, weight.tolist(), strict=True):
            for c in path:
                loads[c] += Fraction(x, int(weight.sum()))
        found[i, j] = loads
    return found


def congestion(net: Network, routing: Loads, demand: dict[tuple[int, int], Fraction]) -> Fraction:
    """Its largest load per bandwidth; the demand is between nodes."""
    return max(
        sum((x * routing[i, j][c] for (i, j), x in demand.items() if i != j), Fraction(0)) / b
        for c, b in enumerate(net.bandwidth)
    )


def path_length(net: Network, routing: Loads) -> Fraction:
    supply, demand = net.supply.tolist(), net.demand.tolist()
    hops = sum((sum(x) * supply[i] * demand[j] for (i, j), x in routing.items()), Fraction(0))
    return hops / net.num_terminals**2


def between(net: Network, demand: Mapping[tuple[int, int], Fraction]) -> dict[tuple[int, int], Fraction]:
    found: dict[tuple[int, int], Fraction] = {}
    for (i, j), x in demand.items():
        ends = int(net.source[i]), int(net.sink[j])
        found[ends] = found.get(ends, Fraction(0)) + x
    return found


def check_no_routing_is_below(net: Network, line: SupportingLine, extreme: Sequence[Any], seed: int) -> None:
    """``extreme``: demands between terminals, of which the worst is one."""
    rng = np.random.default_rng(seed)
    for _ in range(max(2, min(20, 600 // len(extreme)))):
        routing = drawn_routing(net, rng)
        worst = max(congestion(net, routing, between(net, x)) for x in extreme)
        assert line.hops * path_length(net, routing) + line.load * worst >= line.total


RING = "ring:4"
TINY = [RING, "ring:4,oneway", "mesh:2x2,bandwidth=2x1", "complete:3", "ring:3,concentration=2"]


def all_matchings(size: int, most: int) -> list[dict[tuple[int, int], Fraction]]:
    """The largest demands of packets, each terminal sending and receiving at most one, at most ``most`` in all."""
    found = []
    for count in [min(size, most)]:  # fewer never load a channel more
        for senders in combinations(range(size), count):
            found += [
                {(i, j): Fraction(1) for i, j in zip(senders, image, strict=True)}
                for image in permutations_of(range(size), count)
            ]
    return found


def pairs_between(ports: Ports, net: Network, seed: int) -> list[AdversaryPair]:
    rng = np.random.default_rng(seed)
    return [
        AdversaryPair(r, k, rng.integers(0, 9, net.num_channels) * (rng.random(net.num_channels) < 0.4))
        for r, k in np.argwhere(ports.may).tolist()
    ]


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("hops", [0, 3])
@pytest.mark.parametrize("packets", [1, 2, 9])
def test_no_routing_is_below_the_line_over_packets(text: str, hops: int, packets: int) -> None:
    net = network(text)
    size = net.num_terminals
    ports = ports_of(sparse(size, packets) if packets < size else permutations(size), net)
    for seed in range(3):
        gauged = gauge_of_ports(net, ports, pairs_between(ports, net, seed))
        check_no_routing_is_below(
            net, supporting_line(net, gauged, hops=hops), all_matchings(size, packets), seed
        )  # fmt: skip


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("hops", [0, 3])
def test_no_routing_is_below_the_line_over_a_box(text: str, hops: int) -> None:
    """Corners of a box of three pairs, limited together."""
    net, rng = network(text), np.random.default_rng(5)
    limits = {}
    for i, j in [(0, 1), (1, 2), (2, 0)]:
        low = Fraction(int(rng.integers(0, 3)), 2)
        limits[i, j] = low, low + Fraction(int(rng.integers(1, 4)), 3)
    most = sum((high for _, high in limits.values()), Fraction(0)) - Fraction(1, 3)
    box = TransportSet(net.num_terminals, "box", total=most, box=limits)
    corners = []
    for ends in product((0, 1), repeat=3):
        corner = {pair: both[end] for (pair, both), end in zip(limits.items(), ends, strict=True)}
        over = sum(corner.values(), Fraction(0)) - most
        if over <= 0:
            corners.append(corner)
            continue
        for pair, (low, _) in limits.items():  # one pair gives way
            if corner[pair] - over >= low:
                corners.append({**corner, pair: corner[pair] - over})
    ports = ports_of(box, net)
    pairs = pairs_between(ports, net, 6)
    weight = np.array([math.ceil(x) + 1 for x in least_weights(net, ports, pairs)])
    line = supporting_line(net, gauge_of_ports(net, ports, pairs, weight=weight), hops=hops)
    check_no_routing_is_below(net, line, corners, 7)
    with pytest.raises(VerificationError, match="at least is needed"):
        gauge_of_ports(net, ports, pairs, weight=np.zeros_like(weight))


def drawn_demand(net: Network, seed: int) -> dict[tuple[int, int], Fraction]:
    rng = np.random.default_rng(seed)
    ends = permutations_of(range(net.num_terminals), 2)
    return {pair: Fraction(int(rng.integers(1, 5)), 3) for pair in ends if rng.random() < 0.6}


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("hops", [0, 3])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_routing_is_below_the_line_over_matrices(text: str, hops: int, count: int) -> None:
    net, rng = network(text), np.random.default_rng(8)
    matrices = [drawn_demand(net, 10 + k) for k in range(count)]
    lengths = [rng.integers(0, 5, net.num_channels) for _ in matrices]
    line = supporting_line(net, gauge_of_matrices(net, matrices, lengths), hops=hops)
    check_no_routing_is_below(net, line, matrices, 9)


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("hops", [0, 3])
def test_uniform_traffic_is_one_matrix(text: str, hops: int) -> None:
    net = network(text)
    length = np.random.default_rng(3).integers(0, 5, net.num_channels)
    size = net.num_terminals
    uniform = {(i, j): Fraction(1, size) for i in range(size) for j in range(size)}
    line = supporting_line(net, gauge_of_uniform(net, length), hops=hops)
    assert line == supporting_line(net, gauge_of_matrices(net, [uniform], [size * length]), hops=hops)
    check_no_routing_is_below(net, line, [uniform], 4)


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("hops", [0, 3])
def test_no_routing_is_below_the_line_over_all_that_is_routable(text: str, hops: int) -> None:
    """The extreme demands are those of flows: each adversary's own, at full bandwidth, is one that counts."""
    net, rng = network(text), np.random.default_rng(2)
    flows, extreme = {}, []
    for c in range(net.num_channels):
        flow, sent = np.zeros((net.num_nodes, net.num_channels), dtype=np.int64), dict[tuple[int, int], int]()
        for i, j in permutations_of(range(net.num_nodes), 2):
            path, amount = simple_paths(net, i, j)[0], int(rng.integers(0, 3))
            flow[i, path] += amount
            sent[i, j] = amount
        top = max(Fraction(x) / b for x, b in zip(flow.sum(axis=0).tolist(), net.bandwidth, strict=True))
        flows[c] = flow
        extreme.append({pair: x / top for pair, x in sent.items()})
    line = supporting_line(net, gauge_of_flows(net, flows), hops=hops)
    for seed in range(20):
        routing = drawn_routing(net, np.random.default_rng(seed))
        worst = max(congestion(net, routing, x) for x in extreme)
        assert line.hops * path_length(net, routing) + line.load * worst >= line.total


# -- the optimum is proved --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TINY)
def test_the_multipliers_of_the_best_flow_prove_it(text: str) -> None:
    """Maximum concurrent flow as a linear program over all paths: its optimum, by lengths that its multipliers are."""
    net, demand = network(text), drawn_demand(network(text), 21)
    pairs = {ends: x for ends, x in between(net, demand).items() if ends[0] != ends[1]}
    paths = [(ends, path) for ends in pairs for path in simple_paths(net, *ends)]
    equal = np.array([[ends == own for ends, _ in paths] + [0] for own in pairs], dtype=float)
    loads = np.array([[c in path for _, path in paths] + [-float(b)] for c, b in enumerate(net.bandwidth)])
    cost = np.array([0.0] * len(paths) + [1.0])
    found = linprog(cost, loads, np.zeros(len(loads)), equal, [float(x) for x in pairs.values()], method="highs")
    lengths = np.rint(-found.ineqlin.marginals * 5040 * 64).astype(np.int64)
    assert float(proved_load(net, demand, lengths)) == pytest.approx(found.fun, rel=1e-4)
    assert proved_load(net, demand, lengths) <= Fraction(found.fun) + Fraction(1, 10**9)


# -- symmetry, and sets that are the same ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", [RING, "torus:3x3", "hypercube:3", "ring:3,concentration=2"])
@pytest.mark.parametrize("reversal", [False, True])
@pytest.mark.parametrize("hops", [0, 2])
def test_one_pair_of_every_class_stands_for_all(
    text: str, reversal: bool, hops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By classes, from node 0, and written out, pair by pair, the line is the same."""
    net = network(text)
    assert net.symmetry is not None
    generators = net.symmetry.generators
    nodes = Ports.of_nodes(net)
    images = _Images(net, nodes, generators, reversal)
    rng, seen, pairs = np.random.default_rng(4), set[tuple[int, int]](), []
    for i, j in permutations_of(range(net.num_nodes), 2):
        if (i, j) not in seen:
            pairs.append(AdversaryPair(i, j, _averaged(net, images, i, j, rng.integers(0, 9, net.num_channels))))
            seen |= {(r, k) for r, k, _ in images.of(pairs[-1:])}
    folded = {"generators": generators, "reversal": reversal}
    short = supporting_line(net, gauge_of_ports(net, nodes, pairs, **folded), hops=hops)
    every = [AdversaryPair(*x) for x in images.of(pairs)]
    assert supporting_line(net, gauge_of_ports(net, nodes, every), hops=hops) == short
    monkeypatch.setattr(port_gauge, "_MOST_SUMS", 0)
    assert supporting_line(net, gauge_of_ports(net, nodes, pairs, **folded), hops=hops) == short
    with pytest.raises(VerificationError, match="of one class"):
        gauge_of_ports(net, nodes, [*pairs, AdversaryPair(1, 0, pairs[0].traffic)], **folded)


def _averaged(net: Network, images: _Images, i: int, j: int, traffic: np.ndarray) -> np.ndarray:
    """Numbers that do not depend on which symmetry takes a pair to itself: of all images, the sum back at the pair."""
    count = net.num_channels
    found, queue = {tuple(range(count))}, [(i, j, np.arange(count))]
    seen = {(i, j, tuple(range(count)))}
    for r, k, image in queue:
        for row, column, channel, turned in images._moves:
            to = (int(row[k]), int(column[r])) if turned else (int(row[r]), int(column[k]))
            key = (*to, tuple(channel[image].tolist()))
            if key not in seen:
                seen.add(key)
                queue.append((*to, channel[image]))
                if to == (i, j):
                    found.add(key[2])
    total = np.zeros(count, dtype=np.int64)
    for image in found:
        total[list(image)] += traffic
    return total


@pytest.mark.parametrize("text", TINY)
def test_permutations_are_the_set_whose_ports_are_nodes(text: str) -> None:
    net = network(text)
    nodes, ports = Ports.of_nodes(net), ports_of(permutations(net.num_terminals), net)
    pairs = pairs_between(nodes, net, 1)
    own = pairs_between(ports, net, 1)
    assert supporting_line(net, gauge_of_ports(net, nodes, pairs), hops=2) == supporting_line(
        net, gauge_of_ports(net, ports, own), hops=2
    )


def test_pairs_that_nothing_is_sent_between_cost_their_hops() -> None:
    """Left out or with nothing: the same line."""
    net = network("torus:3x3")
    nodes = Ports.of_nodes(net)
    pairs = pairs_between(nodes, net, 1)
    silent = [AdversaryPair(p.source, p.destination, p.traffic * (p.source > 3)) for p in pairs]
    some = [p for p in silent if p.traffic.any()]
    for hops in (0, 5):
        both = [supporting_line(net, gauge_of_ports(net, nodes, x), hops=hops) for x in (silent, some)]
        assert both[0] == both[1]
