"""Worst cases over sets of demands: against every partial permutation of small networks, and against one another."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations as orders

import pytest

from routeproof import Network, complete, fat_tree, hypercube, mesh, named_routing, torus
from routeproof.core.errors import InputError
from routeproof.core.traffic import Permutation
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.routing.base.routing import Routing
from routeproof.worst.scan.exact import worst_case, worst_case_over

JOBS = [[0, 1, 2], [3, 4]]
PAIRS = [(0, 1), (2, 1), (0, 3), (4, 1), (5, 0)]


def uneven() -> Network:
    ends = [
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 1),
        (2, 3),
        (3, 2),
        (3, 0),
        (0, 3),
        (3, 4),
        (4, 3),
        (4, 5),
        (5, 4),
        (5, 0),
        (0, 5),
    ]
    return Network.of("uneven", 6, ends, bandwidth=[Fraction(1 + k % 3, 1 + k % 2) for k in range(len(ends))])


SETS = [
    permutations(6), sparse(6, 1), sparse(6, 2), sparse(6, 4), sparse(6, 9), within(JOBS, 6), among(PAIRS, 6),
    within(JOBS, 6) & sparse(6, 2), among(PAIRS, 6) & sparse(6, 2), within(JOBS, 6) & among(PAIRS, 6),
]  # fmt: skip


@pytest.mark.parametrize("demands", SETS, ids=lambda x: x.text)
@pytest.mark.parametrize("routing", ["dor", "valiant", "minimal"])
@pytest.mark.parametrize("network", [mesh(3, 2), torus(6), uneven()], ids=lambda x: x.name)
def test_no_admitted_packets_do_more(network: Network, routing: str, demands: TransportSet) -> None:
    if routing == "dor" and network.grid is None:
        routing = "sssp"
    given = named_routing(routing, network)
    found = worst_case_over(given, demands)
    assert found.load == brute_force(given, demands)
    sent: dict[tuple[int, int], Fraction] = {}
    for i, j, x in found.traffic or packets(found.permutation):
        sent[i, j] = sent.get((i, j), Fraction(0)) + x
    demands.check_admits(sent)
    assert load_of(given, found.channel, sent) == found.load


def packets(permutation: Permutation | None) -> list[tuple[int, int, Fraction]]:
    assert permutation is not None
    return [(i, j, Fraction(1)) for i, j in enumerate(permutation.image.tolist()) if i != j]


def pair_loads(routing: Routing) -> dict[tuple[int, int], dict[int, Fraction]]:
    size = routing.network.num_terminals
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    block = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    return {pair: block.as_dict(k) for k, pair in enumerate(pairs)}


def load_of(routing: Routing, channel: int, sent: dict[tuple[int, int], Fraction]) -> Fraction:
    loads = pair_loads(routing)
    total = sum((x * loads[pair].get(channel, Fraction(0)) for pair, x in sent.items()), Fraction(0))
    return total / routing.network.bandwidth[channel]


def brute_force(routing: Routing, demands: TransportSet) -> Fraction:
    """Of every permutation the allowed pairs, and of those the few that load a channel most."""
    network, loads, best = routing.network, pair_loads(routing), Fraction(0)
    most = len(loads) if demands.total is None else int(demands.total)
    for image in orders(range(network.num_terminals)):
        pairs = [(i, j) for i, j in enumerate(image) if demands.allows(i, j)]
        for c, width in enumerate(network.bandwidth):
            each = sorted((loads[pair].get(c, Fraction(0)) for pair in pairs), reverse=True)
            best = max(best, sum(each[:most], Fraction(0)) / width)
    return best


@pytest.mark.parametrize("symmetry", ["auto", "none"])
@pytest.mark.parametrize(
    ("network", "routing"),
    [(torus(4, 4), "valiant"), (torus(5, 5), "romm"), (hypercube(4), "minimal")],
    ids=lambda x: x if isinstance(x, str) else x.name,
)
def test_the_curve_of_sparse_sets_is_concave_and_ends_at_permutations(
    network: Network, routing: str, symmetry: str
) -> None:
    given = named_routing(routing, network)
    size = network.num_terminals
    curve = [worst_case_over(given, sparse(size, k), symmetry=symmetry).load for k in range(1, size + 1)]
    assert curve[-1] == worst_case(given).load
    steps = [b - a for a, b in zip([Fraction(0), *curve], curve, strict=False)]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] >= 0


def test_a_larger_set_is_worse_and_rates_scale() -> None:
    network = mesh(3, 2)
    given = named_routing("minimal", network)
    jobs, pairs = within(JOBS, 6), among(PAIRS, 6)
    assert worst_case_over(given, jobs & pairs).load <= worst_case_over(given, jobs).load
    assert worst_case_over(given, jobs).load <= worst_case_over(given, permutations(6)).load
    merged = within([[*JOBS[0], *JOBS[1]]], 6)
    assert worst_case_over(given, jobs).load <= worst_case_over(given, merged).load
    rates = [Fraction(1), Fraction(1, 3), Fraction(2), Fraction(1), Fraction(1, 2), Fraction(1)]
    once, thrice = hose(rates, rates), hose([3 * x for x in rates], [3 * x for x in rates])
    assert 3 * worst_case_over(given, once).load == worst_case_over(given, thrice).load
    assert worst_case_over(given, once).load == worst_case(given, model="hose", rates=(rates, rates)).load


def test_what_is_refused() -> None:
    given = named_routing("dor", mesh(3, 2))
    with pytest.raises(InputError, match="about 5 terminals, mesh:3x2 has 6"):
        worst_case_over(given, permutations(5))
    with pytest.raises(InputError, match="between two limits is not available yet"):
        worst_case_over(given, between({(0, 1): (Fraction(0), Fraction(1))}, 6))
    with pytest.raises(InputError, match="nothing limits the demand"):
        worst_case_over(given, TransportSet(6, "anything"))


@pytest.mark.parametrize("size", [3, 4, 6, 9])
def test_load_balancing_on_a_full_mesh_needs_twice_the_rate_over_the_nodes(size: int) -> None:
    """Zhang-Shen & McKeown 2004 (HotNets-III): 2r/N; sent directly, the same demands load a link with r."""
    network = complete(size)
    demands = hose([1] * size, [1] * size)
    assert worst_case_over(named_routing("valiant", network), demands).load == Fraction(2, size)
    assert worst_case_over(named_routing("minimal", network), demands).load == 1


def test_jobs_that_stay_at_their_switch_do_not_collide() -> None:
    network = fat_tree(4)
    with pytest.raises(InputError, match="nothing collides"):
        worst_case_over(named_routing("minimal", network), within([[0, 1], [2, 3]], network.num_terminals))
