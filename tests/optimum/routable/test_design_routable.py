"""The best oblivious ratio: known theorems, an independent program without symmetry, and relations between networks."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from routeproof import complete, hypercube, mesh, ring, torus
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.hull import Routable
from routeproof.optimum.design import Design
from routeproof.optimum.routable import design as routable_design
from routeproof.optimum.routable.design import _best_bound, design_routable, parts_of
from routeproof.optimum.routable.interior import RatioInterior
from routeproof.optimum.routable.solution import Solution
from routeproof.questions.design.design import Design as DesignQuestion
from routeproof.routing.base.views import dense
from routeproof.symmetry.pair_classes import Reduction
from routeproof.worst.routable.loads import pair_loads
from routeproof.worst.routable.ratio import oblivious_ratio
from true_reports import verify


def designed(network: Network, **options: object) -> Design:
    return design_routable(network, Routable(network.num_terminals), **options)


def both_ways(size: int, links: list[tuple[int, int]], **more: object) -> Network:
    return Network.of("links", size, [pair for i, j in links for pair in ((i, j), (j, i))], **more)


def best(network: Network) -> float:
    """The least oblivious ratio by the program of theorem 1, written without symmetry: flows of all pairs, lengths of
    all channels for every channel, and a distance for every channel and pair."""
    nodes, count = network.num_nodes, network.num_channels
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    width = [float(x) for x in network.bandwidth]
    pairs = [(i, j) for i in set(network.source.tolist()) for j in set(network.sink.tolist()) if i != j]
    flow = {(p, e): 1 + k for k, (p, e) in enumerate((p, e) for p in pairs for e in range(count))}
    first = 1 + len(flow)
    length = {(c, e): first + c * count + e for c in range(count) for e in range(count)}
    first += count * count
    far = {
        (c, i, j): first + (c * nodes + i) * nodes + j for c in range(count) for i in range(nodes) for j in range(nodes)
    }
    size = first + count * nodes * nodes
    above: list[dict[int, float]] = []
    equal: list[tuple[dict[int, float], float]] = []
    for i, j in pairs:
        for v in range(nodes):
            if v != j:
                row: dict[int, float] = {}
                for e, (tail, head) in enumerate(ends):
                    if tail != head and v in (tail, head):
                        row[flow[(i, j), e]] = 1.0 if tail == v else -1.0
                equal.append((row, 1.0 if v == i else 0.0))
    for c in range(count):
        above.append({**{length[c, e]: width[e] for e in range(count)}, 0: -1.0})
        above += [{flow[p, c]: 1 / width[c], far[c, *p]: -1.0} for p in pairs]
        equal += [({far[c, i, i]: 1.0}, 0.0) for i in range(nodes)]
        above += [
            {far[c, i, head]: 1.0, far[c, i, tail]: -1.0, length[c, e]: -1.0}
            for i in range(nodes)
            for e, (tail, head) in enumerate(ends)
            if head != i and tail != i
        ]
        above += [{far[c, tail, head]: 1.0, length[c, e]: -1.0} for e, (tail, head) in enumerate(ends)]

    def matrix(rows: list[dict[int, float]]) -> object:
        from scipy.sparse import csr_matrix

        at = [(r, k, x) for r, row in enumerate(rows) for k, x in row.items()]
        return csr_matrix(([x for _, _, x in at], ([r for r, _, _ in at], [k for _, k, _ in at])), (len(rows), size))

    cost = np.zeros(size)
    cost[0] = 1
    found = optimize.linprog(
        cost, matrix(above), np.zeros(len(above)), matrix([x for x, _ in equal]), [x for _, x in equal], (0, None)
    )
    assert found.status == 0
    return float(found.fun)


def random_network(seed: int) -> Network:
    """Strongly connected, up to 5 nodes, bandwidths 1 to 3; some nodes may have no terminal, some two."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 6))
    if seed % 2:
        links = [(i, i + 1) for i in range(size - 1)]
        links += [(int(i), int(j)) for i, j in rng.integers(0, size, (3, 2)) if i != j]
        widths = [int(x) for x in rng.integers(1, 4, len(links)) for _ in range(2)]
        ends = [pair for i, j in links for pair in ((i, j), (j, i))]
    else:
        ends = [(i, (i + 1) % size) for i in range(size)]
        ends += [(int(i), int(j)) for i, j in rng.integers(0, size, (4, 2)) if i != j]
        widths = [int(x) for x in rng.integers(1, 4, len(ends))]
    terminals = None if seed % 3 else sorted(int(x) for x in rng.integers(0, size, size))
    if terminals is not None and len(set(terminals)) == 1:
        terminals = None
    return Network.of(f"random {seed}", size, ends, bandwidth=widths, source=terminals, sink=terminals)


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_an_independent_program_says(seed: int) -> None:
    network = random_network(seed)
    made = designed(network)
    assert float(made.load) == pytest.approx(best(network), abs=1e-6)
    assert float(made.least_load) == pytest.approx(float(made.load), rel=1e-6)
    assert made.least_load <= made.load


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_rings_and_complete_networks(size: int) -> None:
    """A demand between neighbours alone, and one between all: 2 - 2 / n for both."""
    for network in (ring(size), complete(size)):
        made = designed(network)
        assert made.load == made.least_load == 2 - Fraction(2, size)


def test_where_nothing_can_be_chosen_the_ratio_is_1() -> None:
    tree = both_ways(6, [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)], bandwidth=[1, 1, 2, 2, 3, 3, 1, 1, 2, 2])
    for network in (tree, ring(5, oneway=True), both_ways(2, [(0, 1)])):
        made = designed(network)
        assert made.load == made.least_load == 1


@pytest.mark.parametrize("network", [torus(4), hypercube(3), mesh(3), torus(3, 3)], ids=lambda x: x.name)
def test_symmetry_changes_nothing_but_the_time(network: Network) -> None:
    made, plain = designed(network), designed(network, symmetry="none")
    assert made.load == made.least_load == plain.load == plain.least_load


def test_the_routing_is_judged_alike_by_the_analysis() -> None:
    for network in (torus(4, 3), mesh(2, 3), random_network(1)):
        made = designed(network)
        found = oblivious_ratio(made.routing)
        assert found.low == found.high == made.load


def test_it_does_not_depend_on_the_unit_of_bandwidths() -> None:
    network = random_network(4)
    ends = np.stack([network.tail, network.head], axis=1)
    scaled = Network.of("scaled", network.num_nodes, ends, bandwidth=[x * Fraction(7, 3) for x in network.bandwidth])
    plain = Network.of("plain", network.num_nodes, ends, bandwidth=network.bandwidth)
    assert designed(scaled).load == designed(plain).load


def test_the_ratio_of_parts_is_that_of_the_worst() -> None:
    bowtie = both_ways(9, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 3), (6, 7), (8, 7)])
    assert [part.network.num_nodes for part in parts_of(bowtie)] == [4, 3, 2, 2, 2]
    made = designed(bowtie)
    assert made.load == made.least_load == Fraction(3, 2)  # of the ring of four
    assert float(made.load) == pytest.approx(best(bowtie), abs=1e-7)


def test_parts_that_a_node_without_terminals_separates_are_one() -> None:
    links = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]
    network = both_ways(5, links, source=[0, 1, 3, 4], sink=[0, 1, 3, 4])
    assert len(parts_of(network)) == 1
    made = designed(network)
    assert float(made.load) == pytest.approx(best(network), abs=1e-7)


def test_reversal_inside_parts_of_a_directed_network() -> None:
    network = Network.of("mixed", 5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3), (4, 2), (2, 4)])
    made = designed(network)
    assert made.load == made.least_load == Fraction(4, 3)


@pytest.mark.parametrize("network", [torus(4), mesh(3, 2), *map(random_network, range(12))], ids=lambda x: x.name)
def test_the_interior_point_comes_near(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = designed(network)
    monkeypatch.setattr("routeproof.optimum.routable.design.EXACT_COLUMNS", 0)
    near = designed(network)
    assert near.complete
    assert exact.load * (1 - Fraction(1, 10**7)) < near.least_load <= exact.load
    assert exact.load <= near.load < exact.load * (1 + Fraction(1, 10**7))


def test_the_interior_point_in_parts_of_a_directed_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.optimum.routable.design.EXACT_COLUMNS", 0)
    made = designed(Network.of("mixed", 5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4), (4, 3), (4, 2), (2, 4)]))
    assert made.least_load <= Fraction(4, 3) <= made.load
    assert made.gap < Fraction(1, 10**7)


def test_an_interior_point_that_is_interrupted_leaves_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = designed(random_network(5)).load
    monkeypatch.setattr("routeproof.optimum.routable.design.EXACT_COLUMNS", 0)
    step, steps = RatioInterior.step, []

    def three(self: RatioInterior, pool: ThreadPoolExecutor) -> None:
        if len(steps) == 3:
            raise KeyboardInterrupt
        steps.append(step(self, pool))

    monkeypatch.setattr(RatioInterior, "step", three)
    made = designed(random_network(5))
    assert not made.complete
    assert exact / 2 < made.least_load < exact < made.load < 2 * exact


def test_stopped_at_once_there_is_an_interval() -> None:
    made = designed(mesh(4, 2), time_limit=0.0)
    assert not made.complete
    best_ratio = designed(mesh(4, 2)).load
    assert 0 < made.least_load <= best_ratio <= made.load


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"shortest": True}, "--then path-length does not go with --demands routable"),
        ({"path_length": Fraction(2)}, "--path-length does not go with"),
        ({"solver": "interior"}, "--solver interior does not solve for"),
    ],
)
def test_what_it_cannot_do_is_said(options: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        designed(ring(4), **options)


def test_a_network_in_two_pieces_is_refused() -> None:
    with pytest.raises(InputError, match="no path leads from"):
        designed(both_ways(4, [(0, 1), (2, 3)]))


def test_parts_with_more_senders_than_receivers_are_not_taken_apart() -> None:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1)]
    network = Network.of("line", 3, ends, source=[2, 2, 1, 1], sink=[1, 2, 0, 1])
    assert [part.network for part in parts_of(network)] == [network]


def test_a_design_that_is_stopped_at_once_verifies() -> None:
    ends = [(0, 1), (1, 0), (1, 0), (0, 1), (0, 1), (1, 0), (0, 1), (1, 0)]
    widths = [Fraction(x, 2) for x in (4, 4, 1, 3, 2, 4, 2, 2)]
    network = Network.of("many cables", 2, ends, bandwidth=widths, source=[0, 1, 1], sink=[0, 1, 1])
    answer = DesignQuestion(network, time_limit=1e-9, demands=Routable(3)).answer()
    assert verify(json.loads(json.dumps(answer.document())))


def test_lengths_that_are_all_zero_prove_nothing() -> None:
    loads = pair_loads(dense(designed(mesh(3, 2)).routing), 0)
    assert _best_bound(loads, np.zeros(mesh(3, 2).num_channels))[0] is None


def test_an_interrupt_in_a_smaller_part_is_answered_by_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list[int]()
    solved = routable_design._solved

    def counted(reduction: Reduction, *others: Any) -> Solution:
        begun.append(reduction.network.num_nodes)
        return solved(reduction, *others)

    monkeypatch.setattr(routable_design, "_solved", counted)
    monkeypatch.setattr(routable_design, "was_interrupted", lambda: True)
    network = Network.of("ring with a tail", 4, [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2), (2, 3), (3, 2)])
    with pytest.raises(KeyboardInterrupt):
        designed(network)
    assert begun == [2]
