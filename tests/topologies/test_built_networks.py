"""Topologies that people build, against their published counts, and their bad parameters."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.symmetry import check_automorphism
from routeproof.topologies.datacenter.dragonfly import ARRANGEMENTS
from routeproof.topologies.datacenter.projective import finite_field
from routeproof.topologies.family import network_from_spec


def graph(network: Network) -> nx.MultiDiGraph:
    return nx.MultiDiGraph(list(zip(network.tail.tolist(), network.head.tolist(), strict=True)))


PUBLISHED = [
    # text, nodes, channels, terminals, diameter between nodes
    ("xgft:4x4x4,w=1x4x4", 48, 256, 64, 4),
    ("xgft:2x3,w=2x2", 16, 48, 6, 4),  # Oehring et al.: w_1 = 2, processing nodes are nodes
    ("k-ary-tree:4,3", 48, 256, 64, 4),  # n k^(n-1) switches, k^n terminals
    ("k-ary-tree:2,4", 32, 96, 16, 6),
    ("fat-tree:4", 20, 64, 16, 4),  # Al-Fares et al.: 5k^2/4 switches, k^3/4 hosts
    ("fat-tree:8", 80, 512, 128, 4),
    ("fat-tree:4,hosts", 36, 96, 16, 6),
    ("fat-tree:8,levels=2", 12, 64, 32, 2),
    ("fat-tree:12,levels=2,oversubscription=3", 15, 72, 108, 2),
    ("dragonfly:2,4,2", 36, 180, 72, 3),  # Kim et al. 2008, fig. 5: N = 72
    ("dragonfly:4,8,4", 264, 2904, 1056, 3),  # BookSim's: N = 1056
    ("dragonfly:2,4,2,groups=5", 20, 100, 40, 3),
    ("cray-dragonfly:4,16x6,10,groups=11,local=1x3", 1056, 42240, 4224, 5),
    ("hyperx:4x4", 16, 96, 16, 2),
    ("flattened-butterfly:4,3", 16, 96, 64, 2),  # k^(n-1) routers, k^n terminals
    ("slim-fly:3", 18, 90, 54, 2),
    ("slim-fly:4", 32, 192, 96, 2),
    ("slim-fly:5", 50, 350, 200, 2),  # the Hoffman-Singleton graph
    ("slim-fly:7", 98, 1078, 588, 2),
    ("slim-fly:8", 128, 1536, 768, 2),
    ("slim-fly:9", 162, 2106, 1134, 2),
    ("slim-fly:19", 722, 20938, 10830, 2),  # Besta & Hoefler 2014: 10,830 endpoints
    ("polarfly:7", 57, 448, 228, 2),  # q^2 + q + 1 routers; Lakhotia et al. 2022
    ("polarfly:4", 21, 100, 63, 2),
    ("orthogonal-fat-tree:4", 39, 208, 104, 3),  # Kathareios et al. 2015: 3 (k^2 - k + 1) routers, 2 k^3 - 2 k^2 + 2 k
    ("orthogonal-fat-tree:3", 21, 84, 42, 3),
    ("mlfm:4", 30, 160, 80, 4),  # 3 h (h + 1) / 2 routers, h^3 + h^2 terminals
    ("dragonfly-plus:2,2,2,2", 20, 60, 20, 4),  # s h + 1 = 5 groups; 3 between leaves
    ("dragonfly-plus:2,4,4,4,groups=5", 40, 240, 40, 3),
    ("spectralfly:11,7", 168, 2016, 168, 3),  # Young et al. 2022, Table I: 168 routers of degree 12
    ("spectralfly:23,11", 660, 15840, 660, None),  # 660 routers of degree 24
    ("spectralfly:3,5", 120, 480, 120, 6),
    ("dring:12,3,ports=20", 36, 432, 288, 3),
    ("dring:6,2", 12, 96, 12, 2),
    ("rail-optimized:4,8,spines=4,nvlink=9", 48, 192, 32, 4),
    ("rail-optimized:4,8,nvlink=9", 44, 128, 32, 4),
    ("polarstar:4,3,concentration=3", 168, 1344, 504, 3),  # SST, polarstar_504_test: degree 8, 504 endpoints
    ("polarstar:11,3", 1064, 15960, 5320, 3),  # degree 15
    ("polarstar:2,4", 70, 490, 140, 3),
    ("fat-clique:2,4,3,2", 24, 144, 48, 3),
    ("fat-clique:5,3,1,4", 12, 60, 60, 2),
    ("leaf-spine:48,16,4,oversubscription=3", 20, 128, 768, 2),
    ("three-tier-clos:4,4,2,2,3,oversubscription=3x2", 22, 72, 48, 4),
    ("fat-tree:8,pods=5", 56, 320, 80, 4),  # 5 pods of 8 switches, 16 switches above
    ("jellyfish:20,ports=6,degree=4,seed=7", 20, 80, 40, None),
    ("xpander:5,4,seed=7", 24, 120, 24, None),
    ("twisted-torus:4x8", 32, 128, 32, 4),  # k, against 3k/2 for the torus
    ("twisted-torus:8x4", 32, 128, 32, 4),
    ("twisted-torus:4x4x8", 128, 768, 128, 6),  # 3k/2, against 2k
    ("twisted-torus:8x4x8", 256, 1536, 256, 6),  # 3k/2, against 5k/2
    ("tofu:4x3x5", 720, 7200, 720, 8),  # ten links a node
    ("bluegene-q:4x4x4x4", 512, 4608, 512, 9),  # a midplane
    ("bcube:4,1", 24, 64, 16, 4),  # n^(k+1) servers; k + 1 hops between servers, each of two channels
    ("bcube:3,2", 54, 162, 27, 6),
    ("dcell:4,1", 25, 60, 20, 5),  # t_1 = 20
    ("dcell:2,2", 63, 168, 42, 9),  # t_2 = 42
]


@pytest.mark.parametrize(("text", "nodes", "channels", "terminals", "diameter"), PUBLISHED)
def test_published_counts(text: str, nodes: int, channels: int, terminals: int, diameter: int | None) -> None:
    network = network_from_spec(text)
    assert (network.num_nodes, network.num_channels, network.num_terminals) == (nodes, channels, terminals)
    assert network.spec == text
    assert network.reverse is not None
    if nodes <= 300:
        found = nx.diameter(nx.DiGraph(graph(network)))
        assert diameter is None or found == diameter
    if network.symmetry is not None:
        for g in network.symmetry.generators:
            check_automorphism(network, g)


def test_hoffman_singleton() -> None:
    ours = nx.Graph(graph(network_from_spec("slim-fly:5")).to_undirected())
    assert nx.is_isomorphic(ours, nx.Graph(nx.hoffman_singleton_graph()))


@pytest.mark.parametrize("q", [3, 4, 5, 7, 8, 9, 11, 13, 16, 17])
def test_slim_fly_is_regular_of_diameter_two(q: int) -> None:
    network = network_from_spec(f"slim-fly:{q}")
    delta = {0: 0, 1: 1, 3: -1}[q % 4]
    adjacent = np.zeros((network.num_nodes, network.num_nodes), dtype=np.int64)
    adjacent[network.tail, network.head] = 1
    assert set(adjacent.sum(axis=1).tolist()) == {(3 * q - delta) // 2}
    assert bool((adjacent + adjacent @ adjacent > 0).all())


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9, 11, 13])
def test_polarfly_has_one_walk_of_two_steps_between_any_two(q: int) -> None:
    network = network_from_spec(f"polarfly:{q}")
    size = q * q + q + 1
    adjacent = np.zeros((size, size), dtype=np.int64)
    adjacent[network.tail, network.head] = 1
    assert sorted(np.bincount(network.tail).tolist()) == [q] * (q + 1) + [q + 1] * q * q
    loops = np.diag((adjacent.sum(axis=1) == q).astype(np.int64))  # points on their own polar line
    walks = (adjacent + loops) @ (adjacent + loops)
    assert (walks[~np.eye(size, dtype=bool)] == 1).all()


@pytest.mark.parametrize("text", ["orthogonal-fat-tree:5", "mlfm:5", "dragonfly-plus:1,3,3,2"])
def test_leaves_are_near_one_another(text: str) -> None:
    network = network_from_spec(text)
    hops = dict(nx.all_pairs_shortest_path_length(nx.DiGraph(graph(network))))
    leaves = np.unique(network.source).tolist()
    most = 3 if text.startswith("dragonfly") else 2
    assert max(hops[a][b] for a in leaves for b in leaves) == most


def test_orthogonal_fat_tree_has_one_path_between_leaves_of_other_points() -> None:
    network = network_from_spec("orthogonal-fat-tree:4")
    adjacent = np.zeros((network.num_nodes, network.num_nodes), dtype=np.int64)
    adjacent[network.tail, network.head] = 1
    twice = (adjacent @ adjacent)[:26, :26]
    point = np.arange(26) % 13
    assert (twice[point[:, None] != point[None, :]] == 1).all()


@pytest.mark.parametrize(("p", "q"), [(3, 5), (5, 7), (11, 7), (13, 11), (7, 11)])
def test_spectralfly_is_a_ramanujan_graph(p: int, q: int) -> None:
    network = network_from_spec(f"spectralfly:{p},{q}")
    adjacent = np.zeros((network.num_nodes, network.num_nodes))
    adjacent[network.tail, network.head] = 1
    values = np.linalg.eigvalsh(adjacent)
    others = values[np.abs(np.abs(values) - (p + 1)) > 1e-6]
    assert np.abs(others).max() <= 2 * p**0.5 + 1e-9


def test_rails_are_joined_by_spines_and_by_nvlink() -> None:
    network = network_from_spec("rail-optimized:4,8,pods=2,spines=4,planes=2,nvlink=9")
    assert network.labels is not None
    number = {name: v for v, name in enumerate(network.labels)}
    width = {(int(a), int(b)): x for a, b, x in zip(network.tail, network.head, network.bandwidth, strict=True)}
    gpu = number["pod1.server2.gpu5"]
    assert width[gpu, number["pod1.server2.nvswitch"]] == 9
    assert width[gpu, number["plane0.pod1.rail5"]] == width[gpu, number["plane1.pod1.rail5"]] == Fraction(1, 2)
    assert width[number["plane1.pod1.rail5"], number["plane1.spine3"]] == Fraction(4, 2 * 4)
    assert len(width) == network.num_channels


@pytest.mark.parametrize("q", [2, 3, 4, 5, 8, 9, 16, 25, 27])
def test_finite_fields(q: int) -> None:
    field = finite_field(q)
    rng = np.random.default_rng(q)
    for a, b, c in rng.integers(0, q, size=(200, 3)).tolist():
        assert field.multiply[a, field.add[b, c]] == field.add[field.multiply[a, b], field.multiply[a, c]]
        assert field.multiply[a, field.multiply[b, c]] == field.multiply[field.multiply[a, b], c]
        assert field.subtract[field.add[a, b], b] == a
    assert sorted(set(field.power.tolist())) == list(range(1, q))


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize(("groups", "each"), [(9, 1), (5, 2), (8, 1), (4, 2)])
def test_every_two_groups_have_alike_many_links(arrangement: str, groups: int, each: int) -> None:
    network = network_from_spec(f"dragonfly:2,4,2,groups={groups},arrangement={arrangement}")
    assert network.groups is not None
    one, two = network.groups[network.tail], network.groups[network.head]
    count = np.zeros((groups, groups), dtype=np.int64)
    np.add.at(count, (one, two), 1)
    assert (count[~np.eye(groups, dtype=bool)] == each).all()
    across = network.tail[one != two]
    assert np.bincount(across).max() <= 2  # global links of a router


@pytest.mark.parametrize("text", ["torus:4x4,concentration=2,hosts", "fat-tree:4,hosts", "slim-fly:5,hosts"])
def test_hosts_are_nodes_and_keep_the_symmetry(text: str) -> None:
    network = network_from_spec(text)
    assert np.array_equal(network.source, np.arange(network.num_nodes - network.num_terminals, network.num_nodes))
    assert network.symmetry is not None
    for g in network.symmetry.generators:
        check_automorphism(network, g)


def test_twisted_torus_of_tpu_pods_has_shorter_paths() -> None:
    for k in (2, 4):
        for shape in ((k, 2 * k), (k, k, 2 * k), (k, 2 * k, 2 * k)):
            text = "x".join(map(str, shape))
            twisted, plain = (
                nx.average_shortest_path_length(nx.DiGraph(graph(network_from_spec(f"{family}:{text}"))))
                for family in ("twisted-torus", "torus")
            )
            assert twisted < plain


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("slim-fly:6", "a prime power 4w - 1, 4w or 4w + 1 was expected"),
        ("slim-fly:15", "15 = 3 * 5; a prime power"),
        ("slim-fly:139", "at most 128"),
        ("polarfly:6", "6 = 2 * 3; a prime power"),
        ("orthogonal-fat-tree:7", "k - 1 of orthogonal-fat-tree is 6"),
        ("orthogonal-fat-tree:2", "at least 3"),
        ("dring:4,2", "at least 5"),
        ("dring:6,2,ports=8", "more were expected"),
        ("spectralfly:19,7", "q > 2 sqrt(p)"),
        ("spectralfly:9,7", "an odd prime"),
        ("dragonfly-plus:2,2,2,2,groups=6", "at most 5 groups"),
        ("rail-optimized:4,8", "spines= or nvlink= was expected"),
        ("rail-optimized:4,8,pods=2,nvlink=9", "pods are not joined"),
        ("fat-tree:8,pods=9", "at most 8 pods"),
        ("fat-tree:5", "an even number"),
        ("fat-tree:8,oversubscription=2", "a multiple of 3"),
        ("fat-tree:8,levels=1", "at least 2"),
        ("fat-tree:100000", "are supported"),
        ("xgft:4x4", "needs w="),
        ("xgft:4x4,w=1", "2 numbers of children and 1 of parents"),
        ("xgft:4,w=1", "a single switch"),
        ("xgft:0x4,w=1x1", "m_1 of xgft is 0"),
        ("xgft:4x4,w=1x2,bandwidth=1x2", "1 dimensions but 2 bandwidths"),
        ("k-ary-tree:1,3", "at least 2"),
        ("dragonfly:2,4,2,groups=10", "reach at most 9 groups"),
        ("dragonfly:2,4,2,groups=1", "at least 2"),
        ("dragonfly:2,4,2,arrangement=palm", "did you mean 'palmtree'"),
        ("dragonfly:2,4", "needs 3 parameters"),
        ("dragonfly:2,4,0", "at least 1"),
        ("cray-dragonfly:4,16,10", "1 dimensions"),
        ("jellyfish:20,ports=4,degree=4,seed=1", "fewer were expected"),
        ("jellyfish:20,degree=4,seed=1", "needs ports="),
        ("xpander:5,4", "needs seed="),
        ("xpander:1,4,seed=1", "at least 2"),
        ("twisted-torus:4x4", "k x 2k"),
        ("twisted-torus:4x8x16", "k x 2k"),
        ("tofu:4x4", "three were expected"),
        ("bluegene-q:4x4x4", "four were expected"),
        ("bcube:1,1", "at least 2"),
        ("bcube:4,99", "are supported"),
        ("dcell:9,9", "are supported"),
        ("torus:4x4,concentration=0", "at least 1"),
        ("fat-tree:4,concentration=2", "its terminals are placed already"),
        ("bcube:4,1,hosts,concentration=2", "its terminals are placed already"),
        ("clos:2,2,2,hosts", "send and receive at different nodes"),
        ("flattened-butterfly:4,1", "at least 2"),
    ],
)
def test_bad_parameters_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        network_from_spec(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
