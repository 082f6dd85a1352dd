"""Every family: counts, degrees, distances, numbering, and the declared symmetry."""

from __future__ import annotations

import math
from fractions import Fraction

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.symmetry import check_automorphism, orbit_labels
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.grid.lattice import complete, hypercube, hyperx, mesh, ring, torus
from routeproof.topologies.random.kautz import kautz, petersen
from routeproof.topologies.random.random_regular import random_regular


def digraph(network: Network) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(network.num_nodes))
    graph.add_edges_from(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    assert graph.number_of_edges() == network.num_channels, "no family has parallel channels"
    return graph


def isomorphic(one: nx.Graph, other: nx.Graph) -> bool:
    return bool(igraph.Graph.from_networkx(one).isomorphic(igraph.Graph.from_networkx(other)))


def channel_orbits(network: Network) -> int:
    assert network.symmetry is not None
    return len(set(orbit_labels(network.num_channels, [g.channel for g in network.symmetry.generators]).tolist()))


SHAPES = [
    # text, nodes, channels, out-degrees, diameter
    ("torus:9x9", 81, 324, {4}, 8),
    ("torus:4x3", 12, 48, {4}, 3),
    ("torus:5", 5, 10, {2}, 2),
    ("torus:2x2x2", 8, 24, {3}, 3),
    ("torus:4x2", 8, 24, {3}, 3),
    ("torus:3x4,oneway", 12, 24, {2}, 5),
    ("mesh:6x4", 24, 76, {2, 3, 4}, 8),
    ("mesh:2", 2, 2, {1}, 1),
    ("ring:7", 7, 14, {2}, 3),
    ("ring:2", 2, 2, {1}, 1),
    ("ring:7,oneway", 7, 7, {1}, 6),
    ("ring:2,oneway", 2, 2, {1}, 1),
    ("hypercube:6", 64, 384, {6}, 6),
    ("hypercube:1", 2, 2, {1}, 1),
    ("hyperx:3x3", 9, 36, {4}, 2),
    ("hyperx:4x2x3", 24, 144, {6}, 3),
    ("complete:8", 8, 56, {7}, 1),
    ("petersen", 10, 30, {3}, 2),
    ("kautz:2,4", 24, 48, {2}, 4),
    ("kautz:3,2", 12, 36, {3}, 2),
    ("kautz:4,1", 5, 20, {4}, 1),
    ("kautz:1,6", 2, 2, {1}, 1),
    ("random-regular:64,degree=6,seed=7", 64, 384, {6}, None),
]


@pytest.mark.parametrize(("text", "nodes", "channels", "degrees", "diameter"), SHAPES)
def test_shape(text: str, nodes: int, channels: int, degrees: set[int], diameter: int | None) -> None:
    network = network_from_spec(text)
    graph = digraph(network)
    assert (network.num_nodes, network.num_channels) == (nodes, channels)
    assert {degree for _, degree in graph.out_degree} == degrees
    assert nx.is_strongly_connected(graph)
    if diameter is not None:
        assert nx.diameter(graph) == diameter
    assert network.spec == network.name == text
    assert network.source.tolist() == network.sink.tolist() == list(range(nodes))
    assert np.all(np.diff(network.tail) >= 0), "channels are numbered by the node that they leave"


@pytest.mark.parametrize("text", [shape[0] for shape in SHAPES if "random" not in shape[0]])
def test_declared_symmetry_holds(text: str) -> None:
    network = network_from_spec(text)
    assert network.symmetry is not None
    names = [g.name for g in network.symmetry.generators]
    assert len(set(names)) == len(names)
    for g in network.symmetry.generators:
        check_automorphism(network, g)
        assert not np.array_equal(g.channel, np.arange(network.num_channels)), f"{g.name} does nothing"


@pytest.mark.parametrize(
    ("text", "orbits"),
    [
        ("torus:9x9", 1),
        ("torus:4x3", 2),
        ("torus:4x3x4", 2),
        ("torus:2x2x2", 1),
        ("torus:9x9,bandwidth=2x1", 2),
        ("torus:4x4,oneway", 1),
        ("torus:4x5,oneway", 2),
        ("hypercube:5", 1),
        ("hyperx:3x3", 1),
        ("hyperx:4x3x4", 2),
        ("complete:7", 1),
        ("petersen", 1),
        ("ring:6", 1),
        ("mesh:4", 3),
        ("kautz:2,2", 2),
    ],
)
def test_channel_orbits(text: str, orbits: int) -> None:
    assert channel_orbits(network_from_spec(text)) == orbits


def group_order(network: Network) -> int:
    """By closing the generators under composition: only for small groups."""
    assert network.symmetry is not None
    generators = [tuple(g.node.tolist()) for g in network.symmetry.generators]
    seen = {tuple(range(network.num_nodes))}
    todo = list(seen)
    while todo:
        here = todo.pop()
        for g in generators:
            there = tuple(g[x] for x in here)
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return len(seen)


@pytest.mark.parametrize(
    "text", ["petersen", "hypercube:3", "hyperx:3x3", "complete:5", "kautz:2,2", "torus:5x3", "mesh:3x3", "mesh:3x2"]
)
def test_declared_symmetry_is_the_whole_group(text: str) -> None:
    network = network_from_spec(text)
    graph = igraph.Graph(network.num_nodes, list(digraph(network).edges), directed=True)
    assert group_order(network) == graph.count_automorphisms()


@settings(max_examples=40)
@given(
    radix=st.lists(st.integers(2, 5), min_size=1, max_size=4).filter(lambda r: math.prod(r) <= 200),
    kind=st.sampled_from(["torus", "oneway", "mesh", "hyperx"]),
    data=st.data(),
)
def test_grid_layout(radix: list[int], kind: str, data: st.DataObject) -> None:
    """channel_at says where every channel leads; the numbering follows it; automorphisms respect bandwidth."""
    widths = data.draw(st.lists(st.sampled_from([1, 2, Fraction(3, 2)]), min_size=len(radix), max_size=len(radix)))
    if kind == "hyperx":
        network = hyperx(*radix, bandwidth=widths)
    elif kind == "mesh":
        network = mesh(*radix, bandwidth=widths)
    else:
        network = torus(*radix, bandwidth=widths, oneway=kind == "oneway")
    grid = network.grid
    assert grid is not None
    assert grid.kind == ("torus" if kind == "oneway" else kind)
    assert grid.oneway == (kind == "oneway")
    assert not grid.channel_at.flags.writeable
    expected = 0
    for v in range(network.num_nodes):
        x = grid.coordinates[v]
        assert grid.node(x) == v
        for m, k in enumerate(radix):
            for j in range(grid.channel_at.shape[2]):
                step = j + 1 if kind == "hyperx" else (1, -1)[j]
                y = x.copy()
                y[m] += step
                exists = {
                    "torus": True,
                    "oneway": j == 0 or k == 2,
                    "mesh": 0 <= y[m] < k,
                    "hyperx": step < k,
                }[kind]
                c = int(grid.channel_at[v, m, j])
                if not exists:
                    assert c == -1
                    continue
                y[m] %= k
                assert (network.tail[c], network.head[c]) == (v, grid.node(y))
                assert network.bandwidth[c] == widths[m]
                if grid.kind == "torus" and k == 2 and j == 1:
                    assert c == grid.channel_at[v, m, 0]
                else:
                    assert c == expected
                    expected += 1
    assert expected == network.num_channels
    assert network.symmetry is not None
    for g in network.symmetry.generators:
        check_automorphism(network, g)
    assert network.spec is not None
    again = network_from_spec(network.spec)
    assert again.spec == network.spec
    assert (again.tail.tolist(), again.head.tolist()) == (network.tail.tolist(), network.head.tolist())
    assert again.bandwidth == network.bandwidth


def test_node_numbers_are_row_major() -> None:
    grid = torus(4, 3).grid
    assert grid is not None
    assert grid.coordinates[:4].tolist() == [[0, 0], [0, 1], [0, 2], [1, 0]]


@pytest.mark.parametrize("radix", [(5,), (3, 4), (3, 3, 3)])
def test_torus_and_mesh_are_those_of_networkx(radix: tuple[int, ...]) -> None:
    for network, periodic in ((torus(*radix), True), (mesh(*radix), False)):
        # networkx lists dimensions the other way round and names a line's nodes by bare numbers
        other = nx.grid_graph(radix[::-1], periodic=periodic)
        names = {u: int(np.ravel_multi_index(u if isinstance(u, tuple) else (u,), radix)) for u in other}
        assert nx.utils.graphs_equal(digraph(network).to_undirected(), nx.relabel_nodes(other, names))


def test_cubes() -> None:
    assert isomorphic(digraph(torus(2, 2, 2)), nx.hypercube_graph(3).to_directed())
    for d in (1, 2, 3, 4):
        cube = hypercube(d)
        differ = cube.tail ^ cube.head
        assert np.all((differ & (differ - 1)) == 0)
        assert differ[:d].tolist() == [1 << (d - 1 - m) for m in range(d)], "dimension 0 is the highest bit"
        same = hyperx(*(2,) * d)
        assert (same.tail.tolist(), same.head.tolist()) == (cube.tail.tolist(), cube.head.tolist())


def test_hyperx_is_a_product_of_complete_graphs() -> None:
    product = nx.cartesian_product(nx.complete_graph(4), nx.complete_graph(3))
    assert isomorphic(digraph(hyperx(4, 3)).to_undirected(), product)
    assert digraph(complete(6)).to_undirected().edges == nx.complete_graph(6).edges


def test_petersen_is_that_of_networkx_node_for_node() -> None:
    assert digraph(petersen()).edges == nx.petersen_graph().to_directed().edges


@pytest.mark.parametrize(("d", "diameter"), [(1, 1), (1, 4), (2, 1), (2, 2), (2, 4), (3, 3), (4, 2)])
def test_kautz(d: int, diameter: int) -> None:
    network = kautz(d, diameter)
    graph = digraph(network)
    assert network.num_nodes == d**diameter + d ** (diameter - 1)
    assert isomorphic(graph, igraph.Graph.Kautz(d, diameter - 1).to_networkx())
    assert network.labels is not None
    assert list(network.labels) == sorted(network.labels)
    for u, v in graph.edges:
        assert network.labels[u][1:] == network.labels[v][:-1]
    if d > 1:
        assert nx.diameter(graph) == diameter
    # the line digraph of one is the next
    assert isomorphic(nx.line_graph(graph), digraph(kautz(d, diameter + 1)))


def test_kautz_labels_of_many_letters_are_unambiguous() -> None:
    labels = kautz(11, 2).labels
    assert labels is not None
    assert len(set(labels)) == 132
    assert "1.11" in labels


def test_random_regular_is_seeded_and_connected() -> None:
    one, same, other = (random_regular(40, degree=3, seed=s) for s in (7, 7, 8))
    assert one.head.tolist() == same.head.tolist()
    assert one.head.tolist() != other.head.tolist()
    assert one.symmetry is None
    for seed in range(20):  # most 2-regular graphs on 12 nodes fall apart: the retry is what connects them
        graph = digraph(random_regular(12, degree=2, seed=seed))
        assert isomorphic(graph.to_undirected(), nx.cycle_graph(12))


def test_random_regular_first_attempt_is_that_of_networkx() -> None:
    theirs = nx.random_regular_graph(4, 30, seed=3)
    assert nx.is_connected(theirs)
    assert nx.utils.graphs_equal(digraph(random_regular(30, degree=4, seed=3)).to_undirected(), theirs)


def test_random_regular_graph_of_a_seed_does_not_change() -> None:
    network = random_regular(8, degree=3, seed=1)
    assert network.head.tolist() == [1, 3, 4, 0, 4, 7, 3, 5, 6, 0, 2, 7, 0, 1, 6, 2, 6, 7, 2, 4, 5, 1, 3, 5]


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_random_regular_of_any_density(degree: int) -> None:
    n = 6 if degree > 1 else 2
    network = random_regular(n, degree=degree, seed=0)
    assert np.bincount(network.tail).tolist() == [degree] * n
    assert network.reverse is not None


def test_large_torus_has_its_symmetry() -> None:
    network = torus(16, 16, 16)
    assert channel_orbits(network) == 1


def test_large_sizes_are_built() -> None:
    network = torus(32, 32, 32)
    assert (network.num_nodes, network.num_channels) == (32768, 196608)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: torus(9, 1), "radix below 2: dimension 1 of torus has radix 1"),
        (lambda: mesh(0), "radix below 2"),
        (lambda: hyperx(3, 1), "radix below 2"),
        (lambda: ring(1), "radix below 2: dimension 0 of ring"),
        (lambda: complete(1), "number of nodes of complete is 1"),
        (lambda: torus(), "at least one radix"),
        (lambda: torus(2.5), "whole number"),
        (lambda: torus(True, 3), "whole number"),
        (lambda: torus(-4), "-4"),
        (lambda: torus(10**9, 10**9), "10\\^15 nodes and take more than .*; at most 4,194,304"),
        (lambda: torus(10**5000), "beyond 2\\^63"),
        (lambda: torus(*[2] * 5000), "nodes and take .*; at most"),
        (lambda: hyperx(4000, 4000), "at most"),
        (lambda: hyperx(5000, 2, 2, 2), "channels and take .*; at most"),
        (lambda: complete(100_000), "complete:100000 would have at least 9,999,900,000 channels"),
        (lambda: hypercube(0), "at least 1"),
        (lambda: hypercube(10**6), "10\\^15 nodes"),
        (lambda: hypercube(22), "hypercube:22 would have"),
        (lambda: hypercube(20), "hypercube:20 .* images of channels"),
        (lambda: kautz(0, 3), "degree d"),
        (lambda: kautz(2, 0), "at least 1"),
        (lambda: kautz(2, 10**9), "nodes and take .*; at most"),
        (lambda: kautz(1, 10**9), "letters"),
        (lambda: random_regular(7, degree=3, seed=1), "odd number of ends"),
        (lambda: random_regular(6, degree=6, seed=1), "below the number of nodes"),
        (lambda: random_regular(6, degree=1, seed=1), "not connected"),
        (lambda: random_regular(6, degree=0, seed=1), "at least 1"),
        (lambda: random_regular(6, degree=3, seed=-1), "seed"),
        (lambda: torus(4, 4, bandwidth=0), "positive fraction"),
        (lambda: torus(4, 4, bandwidth=-1), "positive fraction"),
        (lambda: torus(4, 4, bandwidth=float("nan")), "finite"),
        (lambda: torus(4, 4, bandwidth=[1, 2, 3]), "2 dimensions but 3 bandwidths"),
        (lambda: torus(4, 4, bandwidth=[1]), "2 dimensions but 1 bandwidths"),
        (lambda: petersen(bandwidth="2x1"), "one fraction"),
    ],
)
def test_refused(build, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        build()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
