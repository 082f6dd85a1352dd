"""Routings that people run, against definitions written anew and all permutations of tiny networks."""

from __future__ import annotations

import itertools
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing
from routeproof.routing.graph.up_down import default_root, up_channels
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.names import ROUTINGS
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.scan.evidence import worst_case_claims
from routeproof.worst.scan.exact import worst_case

pytestmark = pytest.mark.filterwarnings("ignore:updown has one root")


def graph(network: Network) -> nx.DiGraph:
    return nx.DiGraph(list(zip(network.tail.tolist(), network.head.tolist(), strict=True)))


def node_paths(routing: Routing, i: int, j: int) -> list[tuple[Fraction, list[int]]]:
    network = routing.network
    return [
        (w, [int(routing.row_node[i]), *(int(network.head[c]) for c in path)])
        for w, path in routing.decomposition(i, j)
    ]


TINY = [
    ("xgft:2x3,w=1x2", name)
    for name in ("updown", "dmodk", "smodk", "random-path:seed=3", "sssp", "lash", "ksp:k=3", "ecmp", "wcmp")
] + [
    ("dragonfly:1,2,1", "dragonfly-minimal"),
    ("dragonfly:1,2,1", "dragonfly-valiant"),
    ("dragonfly:1,2,1", "dragonfly-valiant:local=valiant"),
    ("mesh:3x2", "updown:root=4,paths=one"),
    ("ring:6,bandwidth=2", "ksp:k=2"),
]


@pytest.mark.parametrize(("topology", "name"), TINY)
def test_worst_case_over_all_permutations(topology: str, name: str) -> None:
    network = network_from_spec(topology)
    routing = routing_from_spec(name, network)
    routing.check()
    terminals = network.num_terminals
    assert terminals <= 6
    load = np.zeros((network.num_channels, terminals, terminals), dtype=object)
    for i, j in itertools.product(range(terminals), repeat=2):
        row, column = int(routing.row_of[i]), int(routing.column_of[j])
        total = Fraction(0)
        for weight, path in routing.decomposition(row, column):
            total += weight
            for c in path:
                load[c, i, j] += weight / network.bandwidth[c]
        assert total == 1
    worst = max(
        sum(load[c, i, image[i]] for i in range(terminals))
        for image in itertools.permutations(range(terminals))
        for c in range(network.num_channels)
    )
    found = worst_case(routing)
    assert found.load == worst
    verify_claims({"network": {"spec": network.spec}, "routing": describe_routing(routing)}, worst_case_claims(found))


@pytest.mark.parametrize("topology", ["mesh:3x3", "torus:4x3", "petersen", "dragonfly:1,2,1", "fat-tree:4"])
def test_up_down_takes_all_shortest_legal_paths(topology: str) -> None:
    network = network_from_spec(topology)
    routing = routing_from_spec("updown", network)
    up = up_channels(network, default_root(network))
    assert deadlock(routing).free
    number = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(network.tail, network.head, strict=True))}
    rng = np.random.default_rng(5)
    for i, j in rng.choice(np.unique(network.source), size=(12, 2)).tolist():
        if i == j:
            continue
        legal = []
        for length in range(1, 7):
            for path in nx.all_simple_paths(graph(network), i, j, cutoff=length):
                ups = [bool(up[number[pair]]) for pair in itertools.pairwise(path)]
                if len(path) == length + 1 and ups == sorted(ups, reverse=True):
                    legal.append(path)
            if legal:
                break
        ours = node_paths(routing, i, j)
        assert sorted(path for _, path in ours) == sorted(legal)
        assert {w for w, _ in ours} == {Fraction(1, len(legal))}


def test_d_mod_k_on_a_tree_of_two_levels() -> None:
    """Leaf switches send towards terminal d over spine d mod 4, so each down channel carries one destination."""
    network = network_from_spec("k-ary-tree:4,2")
    routing = routing_from_spec("dmodk", network)
    for leaf, d in itertools.product(range(4), range(16)):
        ((weight, path),) = node_paths(routing, leaf, d)
        wanted = [leaf] if leaf == d // 4 else [leaf, 4 + d % 4, d // 4]
        assert weight == 1
        assert path == wanted
    by_source = routing_from_spec("smodk", network)
    for s, leaf in itertools.product(range(16), range(4)):
        ((_, path),) = node_paths(by_source, s, leaf)
        assert path == ([leaf] if leaf == s // 4 else [s // 4, 4 + s % 4, leaf])


def test_d_mod_k_gives_every_destination_its_own_way_down() -> None:
    """Zahavi 2012: on a full fat tree no down channel carries packets for two terminals of different leaves."""
    network = network_from_spec("fat-tree:8")
    routing = routing_from_spec("dmodk", network)
    level = np.array([int(label[1]) for label in network.labels or ()])
    down = np.nonzero(level[network.head] < level[network.tail])[0]
    block = routing.channel_loads(down)
    for k in range(len(down)):
        assert len(np.unique(block.column[block.offset[k] : block.offset[k + 1]])) <= 1


@pytest.mark.parametrize("topology", ["jellyfish:14,ports=5,degree=4,seed=2", "torus:3x3", "ring:6"])
def test_k_shortest_paths_are_those_of_yen(topology: str) -> None:
    network = network_from_spec(topology)
    routing = routing_from_spec("ksp:k=5", network)
    for i, j in itertools.permutations(range(6), 2):
        ours = node_paths(routing, i, j)
        yen = list(itertools.islice(nx.shortest_simple_paths(graph(network), i, j), 5))
        assert [len(path) for _, path in ours] == [len(path) for path in yen]
        assert len({tuple(path) for _, path in ours}) == len(ours)
        assert all(len(set(path)) == len(path) for _, path in ours)
        assert {w for w, _ in ours} == {Fraction(1, len(yen))}


@pytest.mark.parametrize("name", ["sssp", "lash", "random-path:seed=9"])
def test_single_paths_are_shortest(name: str) -> None:
    network = network_from_spec("jellyfish:16,ports=5,degree=3,seed=4")
    routing = routing_from_spec(name, network)
    away = dict(nx.all_pairs_shortest_path_length(graph(network)))
    for i in range(16):
        for j in np.unique(routing.column_of).tolist():
            end = int(routing.column_node[j])
            if i != end:
                ((weight, path),) = routing.paths(i, j)
                assert weight == 1
                assert len(path) == away[i][end]


def test_sssp_needs_no_table_of_pair_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.routing.base.pair_table.MAX_ENTRIES", 10)
    network = network_from_spec("torus:4x4")
    with pytest.raises(InputError, match="more than"):
        routing_from_spec("lash", network)
    routing = routing_from_spec("sssp", network)
    found = worst_case(routing)
    verify_claims({"network": {"spec": network.spec}, "routing": describe_routing(routing)}, worst_case_claims(found))


def test_random_path_depends_on_its_seed_alone() -> None:
    network = network_from_spec("torus:4x4")
    one, two, other = (routing_from_spec(f"random-path:seed={s}", network) for s in (1, 1, 2))
    assert one.paths(0, 10) == two.paths(0, 10)
    assert any(one.paths(i, j) != other.paths(i, j) for i, j in itertools.permutations(range(16), 2))


def test_dragonfly_paths() -> None:
    network = network_from_spec("dragonfly:2,4,2")
    group = network.groups
    assert group is not None
    minimal = routing_from_spec("dragonfly-minimal", network)
    assert worst_case(minimal).load == 8  # a p packets of one group over one global channel (Kim et al. 2008)
    for i, j in itertools.permutations(range(0, 36, 5), 2):
        ((_, path),) = node_paths(minimal, i, j)
        groups = [int(group[v]) for v in path]
        assert sum(a != b for a, b in itertools.pairwise(groups)) == (groups[0] != groups[-1])
        assert len(path) <= 4
    valiant = routing_from_spec("dragonfly-valiant", network)
    for i, j in [(0, 35), (3, 17)]:
        found = node_paths(valiant, i, j)
        assert len(found) == 7  # groups in between
        for weight, path in found:
            groups = [int(group[v]) for v in path]
            assert weight == Fraction(1, 7)
            assert len(set(groups)) == 3
            assert sum(a != b for a, b in itertools.pairwise(groups)) == 2


def test_wcmp_follows_bandwidth() -> None:
    network = Network.of(
        "diamond", 4, [(0, 1), (0, 2), (1, 3), (2, 3)], bandwidth=[3, "3/2", 1, 1], source=[0], sink=[3]
    )
    loads = routing_from_spec("wcmp", network).pair_loads([0], [3]).as_dict()
    assert loads == {0: Fraction(2, 3), 1: Fraction(1, 3), 2: Fraction(2, 3), 3: Fraction(1, 3)}
    assert routing_from_spec("wcmp", network).channel_loads([0]).as_dict() == {(0, 3): Fraction(2, 3)}


def test_wcmp_with_equal_bandwidths_is_an_equal_split() -> None:
    network = network_from_spec("dragonfly:1,2,1")
    one, two = (routing_from_spec(name, network) for name in ("wcmp", "ecmp"))
    for c in range(network.num_channels):
        assert one.channel_loads([c]).as_dict() == two.channel_loads([c]).as_dict()


@pytest.mark.parametrize(
    ("topology", "name", "part"),
    [
        ("torus:4x4", "dmodk", "all its nodes have terminals"),
        ("dragonfly:2,4,2,hosts", "dmodk", "joins two nodes of level 1"),
        ("torus:4x4", "dragonfly-minimal", "needs a network in groups"),
        ("torus:4x4", "updown:root=16", "nodes of torus:4x4 are 0 to 15"),
        ("torus:4x4", "updown:paths=some", "did you mean 'one'"),
        ("ring:5,oneway", "updown", "needs channels both ways"),
        ("torus:4x4", "random-path", "needs a seed"),
        ("torus:4x4", "ksp:k=0", "1 to 1024"),
        ("torus:4x4", "ksp:n=3", "unknown option 'n'"),
        ("dragonfly:2,4,2", "dragonfly-valiant:local=maximal", "did you mean 'minimal'"),
        ("dragonfly:2,4,2,dead-links=3-32", "dragonfly-minimal", "no global channel from group"),
        ("torus:4x4,bandwidth=100000007x100000009", "wcmp", "at most"),
    ],
)
def test_refused_in_one_line(topology: str, name: str, part: str) -> None:
    if "dead-links" in topology:
        whole = network_from_spec(topology.split(",dead")[0])
        groups = whole.groups
        assert groups is not None
        c = int(np.nonzero(groups[whole.tail] != groups[whole.head])[0][0])
        topology = f"{whole.spec},dead-links={whole.tail[c]}-{whole.head[c]}"
    with pytest.raises(InputError) as caught:
        routing_from_spec(name, network_from_spec(topology))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_name_has_help_and_a_name_of_its_own_that_makes_it_again() -> None:
    network = network_from_spec("dragonfly:1,2,1")
    tree = network_from_spec("xgft:2x3,w=1x2")
    rails = network_from_spec("rail-optimized:4,2,nvlink=9")
    for name, entry in ROUTINGS.own.items():
        assert entry.help
        if not entry.build.__module__.startswith("routeproof.routing.graph"):
            continue  # grids have their own
        on = tree if name.endswith("modk") else rails if name == "rail-local" else network
        routing = routing_from_spec(name + (":seed=1" if name == "random-path" else ""), on)
        again = routing_from_spec(routing.name, on)
        assert again.name == routing.name
        assert again.channel_loads([0]).as_dict() == routing.channel_loads([0]).as_dict()


def test_random_paths_where_their_numbers_pass_64_bits() -> None:
    """2**64 shortest paths half-way round a ring of 128 nodes with doubled channels."""
    ring = [(v, (v + d) % 128) for v in range(128) for d in (1, -1) for _ in range(2)]
    routing = routing_from_spec("random-path:seed=1", Network.of("doubled ring", 128, ring))
    [(weight, path)] = routing.decomposition(0, 64)
    assert (weight, len(path)) == (1, 64)
