"""Minimal and Valiant routing on Dragonfly+ (Megafly), against their paths written out anew."""

from __future__ import annotations

import itertools
from fractions import Fraction

import networkx as nx
import pytest

from routeproof.core.network import Network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case

Paths = dict[tuple[int, ...], Fraction]


def inside(network: Network, u: int, v: int) -> Paths:
    """All shortest paths in the group of both."""
    assert network.groups is not None
    same = [x for x in range(network.num_nodes) if network.groups[x] == network.groups[u]]
    graph = nx.DiGraph(list(zip(network.tail.tolist(), network.head.tolist(), strict=True)))
    found = [tuple(x) for x in nx.all_shortest_paths(graph.subgraph(same), u, v)]
    return {x: Fraction(1, len(found)) for x in found}


def joined(*parts: Paths) -> Paths:
    total: Paths = {(): Fraction(1)}
    for part in parts:
        longer: Paths = {}
        for (one, a), (two, b) in itertools.product(total.items(), part.items()):
            path = one[:-1] + two if one else two
            longer[path] = longer.get(path, Fraction(0)) + a * b
        total = longer
    return total


def to_group(network: Network, u: int, group: int) -> dict[int, Paths]:
    """From u over each global channel that leads to the group, all alike: paths by the node where they arrive."""
    assert network.groups is not None
    here = network.groups[u]
    links = [
        (a, b)
        for a, b in zip(network.tail.tolist(), network.head.tolist(), strict=True)
        if network.groups[a] == here and network.groups[b] == group
    ]
    found: dict[int, Paths] = {}
    for a, b in links:
        each = joined(inside(network, u, a), {(a, b): Fraction(1, len(links))})
        found.setdefault(b, {})
        for path, weight in each.items():
            found[b][path] = found[b].get(path, Fraction(0)) + weight
    return found


def minimal(network: Network, u: int, v: int) -> Paths:
    assert network.groups is not None
    if network.groups[u] == network.groups[v]:
        return inside(network, u, v)
    total: Paths = {}
    for b, paths in to_group(network, u, int(network.groups[v])).items():
        total |= joined(paths, inside(network, b, v))
    return total


def valiant(network: Network, u: int, v: int) -> Paths:
    assert network.groups is not None
    ends = {int(network.groups[u]), int(network.groups[v])}
    others = sorted(set(network.groups.tolist()) - ends)
    if len(ends) == 1 or not others:
        return minimal(network, u, v)
    total: Paths = {}
    for group in others:
        for b, paths in to_group(network, u, group).items():
            for path, weight in joined(paths, minimal(network, b, v)).items():
                total[path] = total.get(path, Fraction(0)) + weight / len(others)
    return total


@pytest.mark.parametrize("topology", ["dragonfly-plus:1,2,2,1", "dragonfly-plus:1,2,1,2", "dragonfly-plus:2,1,2,1"])
@pytest.mark.parametrize(("name", "rule"), [("dragonfly-plus-minimal", minimal), ("megafly-valiant", valiant)])
def test_worst_case_over_all_permutations(topology: str, name: str, rule: object) -> None:
    assert callable(rule)
    network = network_from_spec(topology)
    routing = routing_from_spec(name, network)
    assert routing.name == f"dragonfly-{name.rpartition('-')[2]}"
    routing.check()
    number = {pair: c for c, pair in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True))}
    count = network.num_terminals
    load: dict[tuple[int, int, int], Fraction] = {}
    for i, j in itertools.product(range(count), repeat=2):
        u, v = int(network.source[i]), int(network.sink[j])
        if u == v:
            continue
        paths = rule(network, u, v)
        assert sum(paths.values()) == 1
        ours = {(u, *(int(network.head[c]) for c in path)): weight for weight, path in routing.decomposition(u, v)}
        assert ours == paths
        for path, weight in paths.items():
            for pair in itertools.pairwise(path):
                key = (number[pair], i, j)
                load[key] = load.get(key, Fraction(0)) + weight
    zero = Fraction(0)
    worst = max(
        sum((load.get((c, i, image[i]), zero) for i in range(count)), zero)
        for image in itertools.permutations(range(count))
        for c in range(network.num_channels)
    )
    assert worst_case(routing).load == worst


def test_minimal_paths_have_three_hops_and_valiants_at_most_six() -> None:
    """Shpiner et al. 2017: up, across, down; through a third group also down to a leaf and up again."""
    network = network_from_spec("dragonfly-plus:2,2,2,2")
    lengths = {}
    for name in ("dragonfly-minimal", "dragonfly-valiant"):
        routing = routing_from_spec(name, network)
        pairs = itertools.permutations(range(2, 20, 4), 2)
        lengths[name] = {len(path) for i, j in [(0, 4), (0, 5), *pairs] if i % 4 < 2 and j % 4 < 2 and i // 4 != j // 4
                         for _, path in routing.decomposition(i, j)}  # fmt: skip
    assert lengths["dragonfly-minimal"] == {3}
    assert lengths["dragonfly-valiant"] <= {4, 6}
