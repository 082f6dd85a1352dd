"""Two-phase routings are not always the best oblivious ones (docs/decisions/0014-half-flows.md)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from routeproof.core.graph import hops_from
from routeproof.core.network import Network
from routeproof.optimum.capacity import design_capacity
from routeproof.optimum.worst_case import design_worst_case
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case


def switches_with(groups: list[tuple[int, ...]]) -> Network:
    """Five terminals, and a switch for every group, with links to the terminals of the group."""
    links = [(i, 5 + k) for k, group in enumerate(groups) for i in group]
    ends = [end for u, v in links for end in ((u, v), (v, u))]
    return Network.of("switches", 5 + len(groups), ends, source=range(5), sink=range(5))


def two_phase_bound(network: Network) -> Fraction:
    """What no two-phase routing goes below, by lengths 1: twice the way of all terminals to the nearest node."""
    ways = [hops_from(network.num_nodes, network.tail, network.head, int(v)) for v in network.source]
    return Fraction(2 * int(np.sum(ways, axis=0).min()), network.num_channels)


@pytest.mark.parametrize(
    ("groups", "best", "two_phases"),
    [
        (list(combinations(range(5), 4)), Fraction(1, 3), Fraction(7, 20)),
        ([x for x in combinations(range(5), 4) if 0 in x], Fraction(3, 7), Fraction(7, 16)),
    ],
)
def test_a_network_whose_best_routing_is_not_two_phase(
    groups: list[tuple[int, ...]], best: Fraction, two_phases: Fraction
) -> None:
    network = switches_with(groups)
    made = design_worst_case(network)
    assert made.least_load == best == worst_case(made.routing, symmetry="none").load
    assert two_phase_bound(network) == two_phases > best


@pytest.mark.parametrize(
    "name", ["petersen", "ring:7", "hypercube:3", "complete:6", "torus:3x4", "twisted-torus:2x4", "slim-fly:3"]
)
def test_half_of_capacity_is_the_best_where_all_nodes_look_alike(name: str) -> None:
    network = network_from_spec(name)
    assert design_worst_case(network).least_load == 2 * design_capacity(network).load


def test_more_than_half_where_they_do_not() -> None:
    network = network_from_spec("xpander:4,3,seed=1")
    assert design_worst_case(network).least_load < 2 * design_capacity(network).load


@pytest.mark.parametrize("k", range(2, 10))
def test_twisted_tori_have_the_distances_of_the_gaussian_integers_modulo_k_and_ki(k: int) -> None:
    network = network_from_spec(f"twisted-torus:{k}x{2 * k}")
    hops = hops_from(network.num_nodes, network.tail, network.head, 0)
    assert np.bincount(hops).tolist() == [1, *(4 * s for s in range(1, k)), 2 * k - 1]
    assert 3 * hops.sum() == k * (4 * k * k - 1)

    def node(x: int, y: int) -> int:
        return x % k * 2 * k + (y + x // k * k) % (2 * k)

    turned = {node(x, y): node(-y, x) for x in range(k) for y in range(2 * k)}  # multiplication by i
    links = set(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    assert {(turned[u], turned[v]) for u, v in links} == links
