"""Two-phase routings are not always the best oblivious ones (docs/decisions/0014-half-flows.md)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from routeproof.core.graph import hops_from
from routeproof.core.network import Network
from routeproof.optimum.worst_case import design_worst_case
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
