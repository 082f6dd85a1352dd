"""Ideal adaptive routing against enumeration: every permutation with an independent linear program."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import permutations as orders
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from integer_tables import of_graph
from obliviousness import connected, price_at_most
from places import ROOT
from routeproof import Network, complete, design, hypercube, mesh, petersen, ring, torus
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network as CoreNetwork
from routeproof.core.spread import silent
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.hull import Hull, Routable
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import EverySparse, Unbalanced, sparse
from routeproof.demand_sets.transport import between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.gauges import proved_load
from routeproof.machine.deadlines import Held
from routeproof.optimum.adaptive.search import Chances, hard_demand
from routeproof.questions.adaptive import Adaptive
from routeproof.routing.path_sets.names import path_set
from routeproof.routing.path_sets.path_set import PathSet

F = Fraction
Rates = Mapping[tuple[int, int], Fraction]
K4 = [(a, b) for a in range(4) for b in range(a)]
BULL = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 4)]


def both_ways(name: str, edges: Iterable[tuple[int, int]], size: int, **more: object) -> Network:
    return CoreNetwork.of(name, size, [x for a, b in edges for x in ((a, b), (b, a))], **more)  # type: ignore[arg-type]


BULL_NETWORK = both_ways("bull", BULL, 5)
UNEQUAL = CoreNetwork.of(
    "unequal", 4, [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 0), (0, 2)], bandwidth=[1, 2, 3, 1, F(1, 2), 2, 1]
)
HOSTS = both_ways("hosts", [(0, 1), (1, 2), (2, 0), (2, 3)], 4, source=[0, 0, 1, 3, 3], sink=[0, 0, 1, 3, 3])


def least_congestion(network: Network, demand: Rates) -> float:
    """The maximum concurrent flow as scipy's linear program, one commodity a pair."""
    pairs = [(int(network.source[i]), int(network.sink[j]), float(x)) for (i, j), x in demand.items()]
    pairs = [x for x in pairs if x[0] != x[1]]
    if not pairs:
        return 0.0
    count, nodes = network.num_channels, network.num_nodes
    width = len(pairs) * count + 1
    equal, right = [], []
    for k, (s, t, x) in enumerate(pairs):
        for v in range(nodes):
            row = np.zeros(width)
            for c in range(count):
                row[k * count + c] = float(network.tail[c] == v) - float(network.head[c] == v)
            equal.append(row)
            right.append(x * (float(v == s) - float(v == t)))
    upper = []
    for c in range(count):
        row = np.zeros(width)
        row[c : len(pairs) * count : count] = 1.0
        row[-1] = -float(network.bandwidth[c])
        upper.append(row)
    cost = np.zeros(width)
    cost[-1] = 1.0
    found = linprog(cost, A_ub=np.array(upper), b_ub=np.zeros(count), A_eq=np.array(equal), b_eq=np.array(right))
    return float(found.fun)


def worst_of(network: Network, allowed: Iterable[tuple[int, int]], most: int | None = None) -> float:
    """Over all permutations, of their allowed pairs at most so many."""
    some, size = set(allowed), network.num_terminals
    seen, worst = set(), 0.0
    for image in orders(range(size)):
        pairs = frozenset(pair for pair in enumerate(image) if pair in some)
        if pairs in seen:
            continue
        seen.add(pairs)
        if most is None:
            worst = max(worst, least_congestion(network, dict.fromkeys(pairs, F(1))))
        else:
            from itertools import combinations

            for few in combinations(sorted(pairs), min(most, len(pairs))):
                if few not in seen:
                    seen.add(few)
                    worst = max(worst, least_congestion(network, dict.fromkeys(few, F(1))))
    return worst


def every_pair(network: Network) -> list[tuple[int, int]]:
    size = network.num_terminals
    return [(i, j) for i in range(size) for j in range(size) if i != j]


@pytest.mark.parametrize(
    "network", [BULL_NETWORK, UNEQUAL, HOSTS, ring(5), mesh(2, 3), complete(4)], ids=lambda x: x.name
)  # fmt: skip
def test_permutations_agree_with_enumeration(network: Network) -> None:
    found = Adaptive(network).answer().found
    assert found.low == found.high
    assert float(found.low) == pytest.approx(worst_of(network, every_pair(network)))


@pytest.mark.parametrize("network", [BULL_NETWORK, UNEQUAL, HOSTS], ids=lambda x: x.name)
def test_sparse_sets_pairs_and_jobs_agree_with_enumeration(network: Network) -> None:
    size = network.num_terminals
    jobs = within({"a": [0, 1], "b": [2, 3]}, size, text="within:jobs")
    inside = [(0, 1), (1, 0), (2, 3), (3, 2)]
    some = [(0, 3), (3, 1), (1, 0), (2, 3), (0, 2)]
    for given, allowed, most in (
        (sparse(size, 2), every_pair(network), 2),
        (jobs, inside, None),
        (among(some, size, text="pairs:x"), some, None),
    ):
        found = Adaptive(network, demands=given).answer().found
        assert found.low == found.high
        assert float(found.low) == pytest.approx(worst_of(network, allowed, most)), given.text


def test_one_matrix_needs_its_best_flow_and_several_the_worst_of_them() -> None:
    one: Rates = {(0, 3): F(1), (3, 4): F(1, 3), (4, 2): F(2)}
    two: Rates = {(1, 2): F(3), (2, 0): F(1, 7)}
    each = [least_congestion(BULL_NETWORK, x) for x in (one, two)]
    for matrices, wanted in (((one,), each[0]), ((one, two), max(each))):
        given = Hull(5, "matrix:x", matrices, tuple("ab"[: len(matrices)]))
        found = Adaptive(BULL_NETWORK, demands=given).answer().found
        assert found.low == found.high
        assert float(found.low) == pytest.approx(wanted)


def test_a_box_needs_the_flow_of_its_largest_demand() -> None:
    limits = {(0, 3): (F(1), F(2)), (3, 4): (F(0), F(1)), (4, 2): (F(1, 2), F(1))}
    found = Adaptive(BULL_NETWORK, demands=between(limits, 5, text="box:x")).answer().found
    assert found.low == found.high
    largest = {pair: high for pair, (_, high) in limits.items()}
    assert float(found.low) == pytest.approx(least_congestion(BULL_NETWORK, largest))


def test_a_hose_is_an_interval_whose_demand_is_admitted() -> None:
    given = hose([F(1), F(2), F(1), F(1, 2), F(1)], [F(1)] * 5)
    found = Adaptive(BULL_NETWORK, demands=given).answer().found
    given.check_admits(found.hard.demand)
    assert float(found.low) <= least_congestion(BULL_NETWORK, found.hard.demand) + 1e-9
    assert found.low <= found.high


def test_what_is_routable_needs_just_1() -> None:
    found = Adaptive(UNEQUAL, demands=Routable(4)).answer().found
    assert (found.low, found.high, found.upper) == (1, 1, "definition")


def test_the_price_of_obliviousness_on_the_bull_graph() -> None:
    found = Adaptive(BULL_NETWORK).answer().found
    assert (found.oblivious.load, found.low, found.high, found.upper) == (F(8, 7), 1, 1, "flows")
    assert found.price == (F(8, 7), F(8, 7))


@pytest.mark.parametrize(
    ("network", "load"), [(petersen(), 1), (hypercube(4), 1), (torus(4, 4), 1), (torus(6, 6), F(3, 2))], ids=str
)  # fmt: skip
def test_where_one_demand_is_as_hard_as_the_best_oblivious_routing(network: Network, load: Fraction) -> None:
    found = Adaptive(network).answer().found
    assert (found.low, found.high, found.upper) == (load, load, "oblivious")


@pytest.mark.parametrize("factor", [F(2), F(1, 3)])
def test_twice_the_bandwidth_is_half_the_load(factor: Fraction) -> None:
    wide = CoreNetwork.of(
        "wide", 5, list(zip(BULL_NETWORK.tail.tolist(), BULL_NETWORK.head.tolist(), strict=True)), bandwidth=factor
    )
    assert Adaptive(wide).answer().found.low == Adaptive(BULL_NETWORK).answer().found.low / factor


def test_other_names_of_nodes_change_nothing() -> None:
    name = [3, 0, 4, 1, 2]
    other = both_ways("renamed", [(name[a], name[b]) for a, b in BULL], 5)
    found = Adaptive(other).answer().found
    assert (found.low, found.high) == (1, 1)


def test_fewer_packets_are_no_harder() -> None:
    loads = [Adaptive(BULL_NETWORK, demands=sparse(5, k)).answer().found.high for k in (1, 3, 5)]
    assert loads == sorted(loads)
    assert loads[-1] == Adaptive(BULL_NETWORK).answer().found.high


def test_no_lengths_prove_more_than_the_best_flow() -> None:
    rng = np.random.default_rng(7)
    demand = {(0, 3): F(1), (3, 4): F(1, 3), (4, 2): F(2)}
    best = least_congestion(BULL_NETWORK, demand)
    for _ in range(50):
        length = rng.integers(0, 5, BULL_NETWORK.num_channels)
        if length.any():
            assert float(proved_load(BULL_NETWORK, demand, length)) <= best + 1e-9


def test_lengths_of_0_everywhere_and_negative_ones_are_refused() -> None:
    with pytest.raises(VerificationError, match="0 everywhere"):
        proved_load(BULL_NETWORK, {(0, 1): F(1)}, np.zeros(10, dtype=np.int64))
    with pytest.raises(VerificationError, match="one whole number >= 0"):
        proved_load(BULL_NETWORK, {(0, 1): F(1)}, np.full(10, -1))


@pytest.mark.parametrize(
    ("demands", "reason"),
    [
        (Unbalanced(5), "not one number"),
        (EverySparse(5, "sparse:all", permutations(5)), "sparse:16 is one of them"),
        (permutations(4), "is about 4 terminals"),
    ],
    ids=lambda x: x.text if isinstance(x, DemandSet) else "",
)  # fmt: skip
def test_families_and_sets_of_other_networks_are_refused(demands: DemandSet, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Adaptive(BULL_NETWORK, demands=demands).answer()


def test_a_pair_without_a_path_is_named() -> None:
    apart = CoreNetwork.of("apart", 3, [(0, 1), (1, 0), (1, 2)])
    with pytest.raises(InputError, match="no path leads from node 2 to node"):
        Adaptive(apart).answer()


def test_a_time_limit_keeps_the_best_interval() -> None:
    found = Adaptive(torus(5, 5), time_limit=0.01).answer().found
    assert 0 < found.low <= found.high


@pytest.mark.parametrize(
    ("network", "load"),
    [(mesh(6, 6), 3), (both_ways("dumbbell", [*K4, *((a + 4, b + 4) for a, b in K4), (0, 4)], 8), 4)],
    ids=lambda x: x.name if isinstance(x, Network) else "",
)
def test_cuts_into_halves_bound_adaptive_routing_before_any_search(network: Network, load: int) -> None:
    demands = permutations(network.num_terminals)
    found = hard_demand(
        network, demands, paths=None, known=[], most=F(100), held=Held(), stage=silent, time_limit=0.0
    )  # fmt: skip
    assert found.load == load


def least_on_paths(network: Network, demand: Rates, paths: PathSet) -> float:
    """The least congestion of a demand on listed paths, as scipy's linear program."""
    columns = [(k, path) for k, (i, j) in enumerate(demand) for path in paths.paths(i, j)]
    load = np.zeros((network.num_channels, len(columns) + 1))
    whole = np.zeros((len(demand), len(columns) + 1))
    for at, (k, path) in enumerate(columns):
        whole[k, at] = 1.0
        load[list(path), at] += 1.0
    load[:, -1] = [-float(b) for b in network.bandwidth]
    cost = np.zeros(len(columns) + 1)
    cost[-1] = 1.0
    found = linprog(
        cost, A_ub=load, b_ub=np.zeros(len(load)), A_eq=whole, b_eq=[float(x) for x in demand.values()]
    )  # fmt: skip
    return float(found.fun)


@pytest.mark.parametrize(("name", "network"), [("minimal", mesh(2, 2)), ("ksp:2", mesh(2, 3))], ids=str)
def test_within_paths_the_interval_holds_what_enumeration_finds(name: str, network: Network) -> None:
    allowed = path_set(name, network)
    found = Adaptive(network, paths=allowed).answer().found
    listed = path_set("ksp:2", network) if name == "ksp:2" else _shortest(network)
    worst = max(
        least_on_paths(network, {(i, j): F(1) for i, j in enumerate(image) if i != j}, listed)
        for image in orders(range(network.num_terminals))
        if list(image) != sorted(image)
    )
    assert float(found.low) <= worst + 1e-9 <= float(found.high) + 2e-9
    assert float(found.low) == pytest.approx(worst)


def _shortest(network: Network) -> PathSet:
    """Of the simple paths those with the fewest hops: all of them are among the first eight."""
    many = path_set("ksp:8", network)

    class Shortest:
        @staticmethod
        def paths(i: int, j: int) -> list[list[int]]:
            some = [list(x) for x in many.paths(i, j)]
            least = min(map(len, some))
            return [x for x in some if len(x) == least]

    return Shortest()  # type: ignore[return-value]


def test_an_interrupt_keeps_the_best_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Chances.draw

    def interrupted(self: Chances, best: Any) -> Any:
        drawn.append(1)
        signal.raise_signal(signal.SIGINT)
        return draw(self, best)

    monkeypatch.setattr(Chances, "draw", interrupted)
    found = Adaptive(mesh(3, 3), paths=path_set("2turn", mesh(3, 3))).answer().found
    assert len(drawn) == 1
    assert 0 < found.low < found.high


def test_a_node_that_nothing_leaves_is_no_trouble_within_shortest_paths() -> None:
    """Node 3 has no terminals; from there no other node is reached."""
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (0, 3)]
    network = CoreNetwork.of("dead end", 4, ends, source=[0, 1, 2], sink=[0, 1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Adaptive(network, demands=sparse(3, 2), paths=path_set("minimal", network)).answer().found
    assert found.low == found.high == 1


def hardest(network: Network) -> float:
    """Over the permutations with at most one fixed point, each or its inverse: cables are equal both ways."""
    size, seen = network.num_terminals, set[frozenset[tuple[int, int]]]()
    for image in orders(range(size)):
        pairs = frozenset((i, j) for i, j in enumerate(image) if i != j)
        if len(pairs) >= size - 1 and frozenset((j, i) for i, j in pairs) not in seen:
            seen.add(pairs)
    return max(least_congestion(network, dict.fromkeys(x, F(1))) for x in seen)


def test_the_atlas_has_the_price_of_obliviousness_of_every_graph_of_up_to_five_nodes() -> None:
    """The best oblivious routing against the flows of all permutations, and ``adaptive`` on the dearest."""
    words = " ".join((ROOT / "docs" / "atlas.md").read_text(encoding="utf-8").split())
    dear: list[float] = []
    for nodes, graphs in ((2, 1), (3, 2), (4, 6), (5, 21)):
        assert len(connected(nodes)) == graphs
        for graph in connected(nodes):
            network = of_graph(graph)
            price = float(design(network).value("worst_case_load")) / hardest(network)
            assert float(price_at_most(graph)) == pytest.approx(price)  # its search has found the hardest
            dear += [price] if price > 1 + 1e-6 else []
        assert nodes == 5 or not dear
    assert "none of up to four nodes, 5 of the 21 of five, at most 7/6" in words
    assert (len(dear), max(dear)) == (5, pytest.approx(7 / 6))


@pytest.mark.parametrize("name", ["banner", "k33"])
def test_the_dearest_small_graphs(name: str) -> None:
    found = Adaptive(resolve_network(str(ROOT / "docs" / "paper" / f"{name}.json"))).answer().found
    assert found.price == (F(7, 6), F(7, 6))
