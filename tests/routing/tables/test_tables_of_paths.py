"""Routings from explicit weighted paths."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.core.symmetry import Automorphism
from routeproof.routing.base.tabled import read_embedded
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.grid.lattice import ring

HALF = Fraction(1, 2)


def line() -> Network:
    """0 = 1 = 2; channels 0: 0->1, 1: 1->0, 2: 1->2, 3: 2->1."""
    return Network.of("line", 3, [(0, 1), (1, 0), (1, 2), (2, 1)])


def line_paths() -> list[tuple[int, int, Fraction | int, list[int]]]:
    return [
        (0, 1, 1, [0]),
        (0, 2, HALF, [0, 2]),
        (0, 2, HALF, [0, 2, 3, 2]),
        (1, 0, 1, [1]),
        (1, 2, 1, [2]),
        (2, 0, 1, [3, 1]),
        (2, 1, 1, [3]),
    ]


def test_every_crossing_counts() -> None:
    routing = TableRouting(line(), "mine", Paths.of(line_paths()))
    loads = all_loads(routing)
    assert loads[2, 0, 2] == Fraction(3, 2)
    assert loads[3, 0, 2] == HALF
    assert loads[0, 0, 2] == 1
    assert routing.by_node
    assert sorted(routing.paths(0, 2)) == [(HALF, [0, 2]), (HALF, [0, 2, 3, 2])]
    assert routing.paths(1, 1) == [(1, [])]


def test_entries_of_a_pair_may_lie_anywhere_and_equal_paths_are_put_together() -> None:
    split = [(i, j, Fraction(w) / 3, p) for i, j, w, p in line_paths()]
    shuffled = split[::-1] + split + split[::2] + split[1::2]
    routing = TableRouting(line(), "mine", Paths.of(shuffled))
    assert all_loads(routing) == all_loads(TableRouting(line(), "mine", Paths.of(line_paths())))
    assert {tuple(p): w for w, p in routing.paths(0, 1)} == {(0,): 1}


def test_a_missing_pair_is_named() -> None:
    items = [item for item in line_paths() if item[:2] != (2, 0)]
    with pytest.raises(InputError, match=r"no path from terminal 2 \(node 2\) to terminal 0 \(node 0\)"):
        TableRouting(line(), "mine", Paths.of(items))
    with pytest.raises(InputError, match="no path from terminal 0"):
        TableRouting(line(), "mine", Paths.of([]))


@pytest.mark.parametrize("weight", [HALF, Fraction(1, 3), 1 - Fraction(1, 10**40)])
def test_weights_that_do_not_sum_to_one_are_named(weight: Fraction) -> None:
    items = [(i, j, weight if (i, j, p) == (0, 2, [0, 2]) else w, p) for i, j, w, p in line_paths()]
    if weight == HALF:
        items.append((2, 1, HALF, [3]))
    with pytest.raises(InputError, match=r"from terminal \d to terminal \d sum to .*; exactly 1 was expected"):
        TableRouting(line(), "mine", Paths.of(items))


def test_weights_of_thousands_of_bits_are_exact() -> None:
    tiny = Fraction(1, 7**2500)
    items = [item for item in line_paths() if item[:2] != (0, 2)]
    items += [(0, 2, tiny, [0, 2, 3, 2]), (0, 2, 1 - tiny, [0, 2])]
    routing = TableRouting(line(), "mine", Paths.of(items))
    assert all_loads(routing)[2, 0, 2] == 1 + tiny
    items[-1] = (0, 2, 1 - 2 * tiny, [0, 2])
    with pytest.raises(InputError, match=r"sum to 1 \(a fraction of 7,019 bits\)"):
        TableRouting(line(), "mine", Paths.of(items))


def two_at_a_switch(alike: bool) -> TableRouting:
    """Nodes 0 and 1, joined by two channels each way; terminals 0 and 1 at node 0, terminal 2 at node 1."""
    net = Network.of("twins", 2, [(0, 1), (0, 1), (1, 0), (1, 0)], source=[0, 0, 1], sink=[0, 0, 1])
    other = 0 if alike else 1
    return TableRouting(
        net, "mine", Paths.of([(0, 2, 1, [0]), (1, 2, 1, [other]), (2, 0, 1, [2]), (2, 1, 1, [2]), (0, 1, 1, [])])
    )


def test_terminals_of_a_node_that_are_routed_alike_become_one() -> None:
    routing = two_at_a_switch(alike=True)
    assert routing.by_node
    assert routing.row_of.tolist() == [0, 0, 1]
    assert all_loads(routing) == {(0, 0, 1): 1, (2, 1, 0): 1}
    assert routing.paths(0, 1) == [(1, [0])]


def test_terminals_of_a_node_that_are_routed_differently_stay_apart() -> None:
    routing = two_at_a_switch(alike=False)
    assert not routing.by_node
    assert routing.row_of.tolist() == routing.column_of.tolist() == [0, 1, 2]
    assert routing.row_node.tolist() == [0, 0, 1]
    assert all_loads(routing) == {(0, 0, 2): 1, (1, 1, 2): 1, (2, 2, 0): 1, (2, 2, 1): 1}
    assert routing.paths(1, 2) == [(1, [1])]
    swap = Automorphism("swap", np.array([0, 1], dtype=np.int32), np.array([1, 0, 2, 3], dtype=np.int32))
    assert not routing.respects(swap)


def test_terminals_that_send_and_receive_at_different_nodes() -> None:
    net = Network.of("butterfly", 4, [(0, 2), (0, 3), (1, 2), (1, 3)], source=[0, 1], sink=[2, 3])
    direct = [(0, 0, 1, [0]), (0, 1, 1, [1]), (1, 0, 1, [2]), (1, 1, 1, [3])]
    routing = TableRouting(net, "mine", Paths.of(direct))
    assert all_loads(routing) == {(0, 0, 2): 1, (1, 0, 3): 1, (2, 1, 2): 1, (3, 1, 3): 1}
    with pytest.raises(InputError, match=r"no path from terminal 0 .* to terminal 0"):
        TableRouting(net, "mine", Paths.of(direct[1:]))


def clockwise(k: int) -> TableRouting:
    net = ring(k)
    forward = {int(net.tail[c]): c for c in range(2 * k) if net.head[c] == (net.tail[c] + 1) % k}
    return TableRouting(
        net,
        "clockwise",
        Paths.of(
            [(i, (i + h) % k, 1, [forward[(i + x) % k] for x in range(h)]) for i in range(k) for h in range(1, k)]
        ),
    )


def test_symmetries_are_compared_entry_by_entry() -> None:
    routing = clockwise(5)
    assert routing.network.symmetry is not None
    verdict = {g.name: routing.respects(g) for g in routing.network.symmetry.generators}
    for g in routing.network.symmetry.generators:
        turns_round = (g.node[1] - g.node[0]) % 5 != 1
        assert verdict[g.name] is not turns_round
    assert set(verdict.values()) == {True, False}
    assert not routing.respects_reversal()


def test_a_false_symmetry_is_refused() -> None:
    routing = clockwise(5)
    with pytest.raises(InputError, match="not a permutation"):
        routing.respects(Automorphism("bad", np.zeros(5, dtype=np.int32), np.arange(10, dtype=np.int32)))


def test_a_description_makes_the_routing_again() -> None:
    for routing in (two_at_a_switch(alike=False), two_at_a_switch(alike=True), clockwise(4)):
        described = describe_routing(routing)
        again = read_embedded(routing.network, described)
        assert all_loads(again) == all_loads(routing)
        assert describe_routing(again) == described


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": "hosts"}, "'node' or 'terminal' was expected"),
        ({"loads": 3}, "must be a list"),
        ({"loads": [[0, 1, [0]]]}, "was expected"),
        ({"loads": [[0, 9, [0], [1]]]}, "column 9 of a routing is outside 0 to 2"),
        ({"loads": [[True, 1, [0], [1]]]}, "row 'True' of a routing is not a number"),
        ({"loads": [[0, 0, [0], [1]]]}, "both on node 0"),
        ({"loads": [[0, 1, [0], [1]], [0, 1, [0], [1]]]}, "given twice"),
        ({"loads": [[0, 1, [0, 0], [1, 1]]]}, "each channel once"),
        ({"loads": [[0, 1, [4], [1]]]}, "channel 4 of a routing is outside 0 to 3"),
        ({"loads": [[0, 1, [0], ["0"]]]}, "must be positive"),
        ({"loads": [[0, 1, [0], ["x"]]]}, "a number or a fraction"),
    ],
)
def test_a_corrupt_description_is_refused(change: dict[str, object], message: str) -> None:
    good = describe_routing(TableRouting(line(), "mine", Paths.of(line_paths())))
    with pytest.raises(InputError, match=message):
        read_embedded(line(), {**good, **change})


def test_loads_that_do_not_deliver_are_found_by_check() -> None:
    data = describe_routing(TableRouting(line(), "mine", Paths.of(line_paths())))
    data["loads"] = [item for item in data["loads"] if item[:2] != [2, 0]]
    with pytest.raises(InputError, match="no path from 2 to 0"):
        read_embedded(line(), data).check()
    data["loads"].append([2, 0, [3, 1], [1, "1/2"]])
    with pytest.raises(InputError, match=r"does not deliver from 2 to 0: at node \d"):
        read_embedded(line(), data).check()


def test_a_cycle_apart_from_the_way_of_the_packets_is_found_by_check() -> None:
    """Every node gets as much as it gives, but no packet can enter the cycle: a deadlock there would be nobody's."""
    net = ring(4)
    data = routing_from_spec("dor", net)
    items = [[i, j, list(x), [str(y) for y in x.values()]] for i in range(4) for j in range(4) if i != j
             for x in [data.pair_loads([i], [j]).as_dict()]]  # fmt: skip
    there = [c for c in range(net.num_channels) if {int(net.tail[c]), int(net.head[c])} == {2, 3}]
    items[0] = [0, 1, [*items[0][2], *there], [*items[0][3], "1", "1"]]
    with pytest.raises(InputError, match="no packet of that pair can get there"):
        read_embedded(net, {"spec": "mine", "rows": "node", "columns": "node", "loads": items}).check()


@settings(max_examples=40)
@given(st.data())
def test_random_tables_load_what_their_paths_cross(data: st.DataObject) -> None:
    net = ring(4)
    leaving = {v: [c for c in range(8) if net.tail[c] == v] for v in range(4)}
    items = []
    wanted: dict[tuple[int, int, int], Fraction] = {}
    for i in range(4):
        for j in range(4):
            if i == j:
                continue
            parts = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
            for part in parts:
                path, at = [], i
                while at != j and len(path) < 6:
                    path.append(data.draw(st.sampled_from(leaving[at])))
                    at = int(net.head[path[-1]])
                while at != j:
                    path.append(next(c for c in leaving[at] if net.head[c] == (at + 1) % 4))
                    at = (at + 1) % 4
                weight = Fraction(part, sum(parts))
                items.append((i, j, weight, path))
                for c in path:
                    wanted[c, i, j] = wanted.get((c, i, j), Fraction(0)) + weight
    assert all_loads(TableRouting(net, "random", Paths.of(items))) == wanted
