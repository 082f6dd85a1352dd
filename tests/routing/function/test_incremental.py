"""The user's own incremental routing function: what it means, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_routing import all_loads, all_paths, loads_of_paths
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.routing.function import transition_graph
from routeproof.routing.function.incremental import Channel, Incremental
from routeproof.routing.graph.per_hop import MinimalPerHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec

HALF = Fraction(1, 2)


def clockwise(state, node, destination):
    return [(1, state, (node + 1) % 5)]


def random_direction(state, node, destination):
    """At the source choose a way round the 5-ring with unequal chances, then keep it."""
    if state is None:
        return [("1/3", +1, (node + 1) % 5), (Fraction(2, 3), -1, (node - 1) % 5)]
    return [(1, state, (node + state) % 5)]


def x_or_y(state, node, destination):
    """On a 4 x 4 mesh: any productive hop, 1/4 to 3/4 in favour of y."""
    x, y = divmod(node, 4)
    p, q = divmod(destination, 4)
    hops = []
    if x != p:
        hops.append((node + (4 if p > x else -4), 1))
    if y != q:
        hops.append((node + (1 if q > y else -1), 3))
    total = sum(w for _, w in hops)
    return [(Fraction(w, total), None, v) for v, w in hops]


@pytest.mark.parametrize(
    ("spec", "function"), [("ring:5", clockwise), ("ring:5", random_direction), ("mesh:4x4", x_or_y)]
)
def test_loads_are_those_of_all_paths(spec, function) -> None:
    net = network_from_spec(spec)
    paths = all_paths(net, function)
    routing = Incremental(function).on(net)
    loads = all_loads(routing)
    assert loads == loads_of_paths(paths)
    as_table = TableRouting(
        net, "table", Paths.of([(i, j, w, p) for (i, j), found in paths.items() for p, w in found.items()])
    )
    assert loads == all_loads(as_table)


def test_python_integers_and_blocks_of_sources_give_the_same(monkeypatch) -> None:
    net = network_from_spec("mesh:4x4")
    usual = all_loads(Incremental(x_or_y).on(net))
    monkeypatch.setattr(transition_graph, "_CELLS", 100)
    assert all_loads(Incremental(x_or_y).on(net)) == usual
    monkeypatch.setattr(transition_graph, "INT64_MAX", 1)
    assert all_loads(Incremental(x_or_y).on(net)) == usual


def test_a_function_and_a_named_routing_of_the_same_algorithm_agree() -> None:
    for spec in ("petersen", "torus:4x3", "kautz:2,3"):
        net = network_from_spec(spec)
        size = net.num_nodes
        hops = np.full((size, size), 10**6)
        np.fill_diagonal(hops, 0)
        for _ in range(size):
            for u, v in zip(net.tail, net.head, strict=True):
                hops[u] = np.minimum(hops[u], hops[v] + 1)

        def per_hop(state, node, destination, net=net, hops=hops):
            near = [
                c for c in np.nonzero(net.tail == node)[0] if hops[net.head[c], destination] < hops[node, destination]
            ]
            return [(Fraction(1, len(near)), None, Channel(c)) for c in near]

        assert all_loads(Incremental(per_hop).on(net)) == all_loads(MinimalPerHop(net))


def test_paths_combine_where_enumeration_explodes() -> None:
    net = network_from_spec("mesh:16x16")

    def minimal(state, node, destination):
        x, y = divmod(node, 16)
        p, q = divmod(destination, 16)
        hops = ([node + (16 if p > x else -16)] if x != p else []) + ([node + (1 if q > y else -1)] if y != q else [])
        return [(Fraction(1, len(hops)), None, v) for v in hops]

    corners = Network.of(
        "corners", 256, np.stack([net.tail, net.head], axis=1), source=[0, 5], sink=[255, 250]
    )  # C(30, 15) paths from corner to corner
    routing = Incremental(minimal).on(corners)
    loads = routing.pair_loads([0], [255]).as_dict()
    first = next(c for c in loads if net.tail[c] == 0)
    assert loads[first] == HALF
    assert sum(loads.values()) == 30


def test_every_crossing_counts() -> None:
    """Round the ring once more with probability 1/4: an extra crossing of every channel."""

    def again(state, node, destination):
        if node == destination and state == 0:
            return []
        laps = 0 if state is None else state
        if state is None:
            return [("1/4", 1, (node + 1) % 4), ("3/4", 0, (node + 1) % 4)]
        if node == destination:
            laps -= 1
        return [(1, laps, (node + 1) % 4)]

    again.passes_destination = True
    net = network_from_spec("ring:4,oneway")
    loads = all_loads(Incremental(again).on(net))
    onto = int(np.nonzero(net.tail == 0)[0][0])
    away = int(np.nonzero(net.tail == 3)[0][0])
    assert loads[onto, 0, 2] == Fraction(5, 4)
    assert loads[away, 0, 2] == Fraction(1, 4)


def test_parallel_channels_by_number_and_several_terminals_a_node() -> None:
    net = Network.of("twins", 2, [(0, 1), (0, 1), (1, 0)], source=[0, 0, 1], sink=[0, 0, 1])

    def split(state, node, destination):
        return [(0.25, None, Channel(0)), (0.75, None, Channel(1))] if node == 0 else [(1.0, None, 0)]

    loads = all_loads(Incremental(split).on(net))
    assert loads == {(0, 0, 1): Fraction(1, 4), (1, 0, 1): Fraction(3, 4), (2, 1, 0): 1}


def test_start_comes_from_the_function_or_from_the_call() -> None:
    def spend(state, node, destination):
        return [(1, state - 1, (node + (1 if state > 0 else -1)) % 5)]

    spend.start = 9
    net = network_from_spec("ring:5")
    assert all_loads(Incremental(spend).on(net)) == all_loads(Incremental(clockwise).on(net))
    backwards = all_loads(Incremental(spend, start=-1).on(net))
    assert backwards == all_loads(Incremental(lambda s, v, d: [(1, s, (v - 1) % 5)]).on(net))


def test_choices_may_repeat_and_may_be_generated() -> None:
    def scattered(state, node, destination):
        for _ in range(4):
            yield "1/4", None, np.int64((node + 1) % 5)

    net = network_from_spec("ring:5")
    assert all_loads(Incremental(scattered).on(net)) == all_loads(Incremental(clockwise).on(net))


def test_progress_counts_destinations() -> None:
    seen = []
    Incremental(clockwise, progress=lambda done, total: seen.append((done, total))).on(network_from_spec("ring:5"))
    assert seen == [(k, 5) for k in range(6)]


# -- cycles -------------------------------------------------------------------------------------------------


def test_a_random_walk_on_a_ring_is_solved_exactly() -> None:
    """Gambler's ruin: from a, before it reaches 0 = k, the walk visits b  2 min(a,b) (k - max(a,b)) / k times."""
    k = 7

    def walk(state, node, destination):
        return [(HALF, None, (node + 1) % k), (HALF, None, (node - 1) % k)]

    net = network_from_spec(f"ring:{k}")
    loads = all_loads(Incremental(walk).on(net))
    for c in range(2 * k):
        for i in range(k):
            for j in range(k):
                if i == j or net.tail[c] == j:
                    assert (c, i, j) not in loads
                    continue
                a, b = (i - j) % k, (int(net.tail[c]) - j) % k
                assert loads[c, i, j] == Fraction(2 * min(a, b) * (k - max(a, b)), k) / 2


def test_a_walk_with_drift_and_an_exit_by_chance() -> None:
    """From 0 to 1, 2, 0, ... round a one-way triangle; at each corner the packet may leave for node 3."""

    def corner(state, node, destination):
        if node == 3:
            return [(1, None, 0)]
        if destination != 3:
            return [(1, None, (node + 1) % 3)]
        return [("9/10", None, (node + 1) % 3), ("1/10", None, 3)]

    net = Network.of("exit", 4, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3), (3, 0)])
    loads = all_loads(Incremental(corner).on(net))
    r = Fraction(9, 10)
    assert [loads[c, 0, 3] for c in range(6)] == [
        r / (1 - r**3), r**2 / (1 - r**3), r**3 / (1 - r**3),
        (1 - r) / (1 - r**3), r * (1 - r) / (1 - r**3), r**2 * (1 - r) / (1 - r**3),
    ]  # fmt: skip
    assert sum(loads[c, 0, 3] for c in range(6)) == 10


@settings(max_examples=30)
@given(st.integers(2, 5), st.data())
def test_random_cyclic_functions_satisfy_their_equations(size: int, data: st.DataObject) -> None:
    """V = start + V P, checked by substitution, with states that change at random."""
    net = network_from_spec(f"complete:{size}")
    table = {}
    for state in (0, 1):
        for v in range(size):
            for d in range(size):
                options = [(t, w) for t in (0, 1) for w in range(size) if w != v]
                weights = data.draw(st.lists(st.integers(0, 3), min_size=len(options), max_size=len(options)))
                weights[options.index((state, d)) if v != d else 0] += 1  # an exit from everywhere
                total = sum(weights)
                table[state, v, d] = [
                    (Fraction(w, total), t, x) for (t, x), w in zip(options, weights, strict=True) if w
                ]
    loads = all_loads(Incremental(lambda s, v, d: table[s, v, d], start=0).on(net))
    to = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(net.tail, net.head, strict=True))}
    for d in range(size):
        for i in range(size):
            if i == d:
                continue
            visits = np.array([[Fraction(0)] * size] * 2)
            # Dense exact solve by repeated elimination over (state, node) pairs.
            keys = [(s, v) for s in (0, 1) for v in range(size) if v != d]
            matrix = [[Fraction(int(a == b)) for b in keys] + [Fraction(int(a == (0, i)))] for a in keys]
            for b, key in enumerate(keys):
                for p, t, x in table[(*key, d)]:
                    if x != d:
                        matrix[keys.index((t, x))][b] -= p
            for b in range(len(keys)):
                pivot = next(a for a in range(b, len(keys)) if matrix[a][b])
                matrix[b], matrix[pivot] = matrix[pivot], matrix[b]
                matrix[b] = [x / matrix[b][b] for x in matrix[b]]
                for a in range(len(keys)):
                    if a != b and matrix[a][b]:
                        factor = matrix[a][b]
                        matrix[a] = [x - factor * y for x, y in zip(matrix[a], matrix[b], strict=True)]
            wanted: dict[int, Fraction] = {}
            for b, (s, v) in enumerate(keys):
                visits[s, v] = matrix[b][-1]
                for p, _, x in table[s, v, d]:
                    wanted[to[v, x]] = wanted.get(to[v, x], Fraction(0)) + matrix[b][-1] * p
            assert {c: x for c, x in wanted.items() if x} == {
                c: x for (c, s, e), x in loads.items() if (s, e) == (i, d)
            }
