"""PolarStar, FatClique and planned Clos networks, each against another way of making it."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.datacenter.projective import inductive_quad
from routeproof.topologies.family import TOPOLOGIES, network_from_spec
from routeproof.topologies.grid.lattice import hyperx
from routeproof.worst.scan.exact import worst_case


def graph(network: Network) -> nx.Graph:
    found = nx.DiGraph(list(zip(network.tail.tolist(), network.head.tolist(), strict=True)))
    assert found.number_of_edges() == network.num_channels
    assert nx.is_isomorphic(found, found.reverse()) or network.num_nodes > 50
    return nx.Graph(found)


@pytest.mark.parametrize("degree", [0, 3, 4, 7, 8, 11, 12, 31, 32])
def test_inductive_quads_have_property_r_star(degree: int) -> None:
    """Lakhotia et al. 2024: any two vertices are joined, or their images are, or each is the other's image."""
    joined, pair = inductive_quad(degree)
    size = 2 * degree + 2
    assert joined.shape == (size, size)
    assert np.array_equal(joined, joined.T)
    assert set(joined.sum(axis=1).tolist()) == {degree}
    assert np.array_equal(pair[pair], np.arange(size))
    assert (pair != np.arange(size)).all()
    covered = joined | joined[np.ix_(pair, pair)]
    covered[np.arange(size), pair] = True
    covered[np.arange(size), np.arange(size)] = True
    assert covered.all()


@pytest.mark.parametrize(("q", "d"), [(2, 0), (2, 3), (3, 3), (4, 3), (3, 4), (5, 0), (2, 7)])
def test_polarstar_is_regular_of_diameter_three(q: int, d: int) -> None:
    network = network_from_spec(f"polarstar:{q},{d}")
    found = graph(network)
    assert network.num_nodes == (q * q + q + 1) * (2 * d + 2)
    assert {x for _, x in found.degree} == {q + 1 + d}
    assert nx.diameter(found) == 3


@pytest.mark.parametrize(("q", "d"), [(2, 3), (3, 0), (3, 3)])
def test_polarstar_by_its_definition(q: int, d: int) -> None:
    """For prime q with plain arithmetic; vectors are in the names of the routers."""
    network = network_from_spec(f"polarstar:{q},{d}")
    joined, pair = inductive_quad(d)
    place = []
    for v in range(network.num_nodes):
        point, _, u = network.label(v).rpartition(".")
        place.append((tuple(map(int, point.strip("()").split(","))), int(u)))
    wanted = set()
    for v, (x, a) in enumerate(place):
        for w, (y, b) in enumerate(place):
            orthogonal = sum(s * t for s, t in zip(x, y, strict=True)) % q == 0
            if v != w and ((x == y and joined[a, b]) or (orthogonal and pair[a] == b)):
                wanted.add((v, w))
    assert set(zip(network.tail.tolist(), network.head.tolist(), strict=True)) == wanted


def test_fat_cliques_are_products_of_complete_graphs() -> None:
    network, same = network_from_spec("fat-clique:3,4,3,2"), hyperx(2, 3, 4)
    ends = [set(zip(x.tail.tolist(), x.head.tolist(), strict=True)) for x in (network, same)]
    assert ends[0] == ends[1]
    assert network.source.tolist() == [v for v in range(24) for _ in range(3)]
    assert network.label(23) == "block1.sub2.3"


@pytest.mark.parametrize("k", [4, 8])
def test_three_tiers_of_half_the_ports_are_the_fat_tree(k: int) -> None:
    h = k // 2
    network, same = network_from_spec(f"three-tier-clos:{h},{h},{h},{h},{k}"), network_from_spec(f"fat-tree:{k}")
    for x in ("tail", "head", "source", "sink"):
        assert np.array_equal(getattr(network, x), getattr(same, x))


@pytest.mark.parametrize(
    ("text", "load"),
    [
        ("leaf-spine:8,4,4", 2),
        ("leaf-spine:8,4,3,oversubscription=5/2", Fraction(5, 2)),
        ("leaf-spine:8,2,3,oversubscription=1", 1),
        ("leaf-spine:6,3,2,bandwidth=3", 1),
        ("three-tier-clos:4,4,2,2,3,oversubscription=3x2", 6),
        ("three-tier-clos:4,3,2,1,2,oversubscription=3/2", Fraction(9, 4)),
        ("three-tier-clos:4,4,2,2,3,oversubscription=3x1", 3),
        ("three-tier-clos:4,4,2,2,3,bandwidth=2x1", 4),
        ("fat-tree:8,levels=2,oversubscription=3", 3),
    ],
)
def test_the_worst_case_is_the_oversubscription(text: str, load: object) -> None:
    network = network_from_spec(text)
    assert worst_case(routing_from_spec("minimal", network)).load == load
    assert network_from_spec(network.spec or "").spec == network.spec == text.replace("=3/2", "=3/2x3/2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("polarstar:4,5", "d of polarstar:q,d is 5; inductive quads have degree 0 or 3 modulo 4, such as 7 or 8"),
        ("polarstar:6,3", "6 = 2 \\* 3; a prime power"),
        ("polarstar:3,3,concentration=0", "concentration of polarstar is 0"),
        ("fat-clique:2,1,1,1", "a single switch"),
        ("fat-clique:2,4,3", "fat-clique:2,4,3 needs 4 parameters"),
        ("leaf-spine:4,3,2,oversubscription=0", "oversubscription of leaf-spine:4,3,2 is 0; a number above 0"),
        ("leaf-spine:4,3,2,oversubscription=2x3", "has 2 ratios for 1 tiers"),
        ("leaf-spine:4,3,2,oversubscription=2,bandwidth=2", "the first makes the second: one was expected"),
        ("three-tier-clos:4,0,2,2,3", "l of three-tier-clos:h,l,a,c,p is 0"),
        ("rail-optimized:2,2,nvlink=9,bandwidth=3", "nvlink= or uplink= was expected, not bandwidth="),
    ],
)
def test_refused_in_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        network_from_spec(text)


OWN_BANDWIDTHS = {"rail-optimized", "dgx1", "dgx2", "ndv2", "ndv4", "ndv5", "a100", "h100", "mi250"}  # refuse others


@pytest.mark.parametrize("name", [x for x in TOPOLOGIES.own if x not in OWN_BANDWIDTHS])
def test_no_family_drops_a_bandwidth(name: str) -> None:
    usage = TOPOLOGIES.own[name].usage.partition(",oversubscription")[0]
    assert Fraction(7, 3) in network_from_spec(f"{usage},bandwidth=7/3").bandwidth
