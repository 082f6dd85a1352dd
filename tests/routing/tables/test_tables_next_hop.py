"""Deterministic next-hop tables."""

import numpy as np
import pytest

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.tables.next_hop import NextHop
from routeproof.topologies.grid.lattice import ring


def clockwise(k: int) -> np.ndarray:
    """Towards every destination the next node is v + 1."""
    return np.tile((np.arange(k) + 1) % k, (k, 1)).T


def test_next_nodes_and_next_channels_say_the_same() -> None:
    net = ring(5)
    forward = np.array(
        [next(c for c in range(10) if net.tail[c] == v and net.head[c] == (v + 1) % 5) for v in range(5)]
    )
    by_node = NextHop(clockwise(5), by="node").on(net)
    by_channel = NextHop(np.tile(forward, (5, 1)).T).on(net)
    loads = all_loads(by_node)
    assert loads == all_loads(by_channel)
    assert loads == {
        (int(forward[(i + x) % 5]), i, (i + h) % 5): 1 for i in range(5) for h in range(1, 5) for x in range(h)
    }
    assert by_node.by_node
    assert by_node.paths(0, 2) == [(1, forward[:2].tolist())]


def test_a_loop_is_named_with_node_and_destination() -> None:
    table = clockwise(5)
    table[2, 0] = 1  # towards 0: 1 -> 2 -> 1
    with pytest.raises(InputError, match=r"from node 1 to node 0: packets run in the loop 1 -> 2 -> 1"):
        NextHop(table, by="node").on(ring(5))


def test_long_loops_are_shortened() -> None:
    table = clockwise(40)
    table[0, 0] = 1
    for d in range(40):
        table[:, d] = (np.arange(40) + 1) % 40
    table[38, 39] = 37
    with pytest.raises(InputError, match="loop 37 -> 38 -> 37"):
        NextHop(table, by="node").on(ring(40))
    net = Network.of("circle and one", 41, [(v, (v + 1) % 40) for v in range(40)] + [(0, 40), (40, 0)])
    table = np.full((41, 41), -1)
    table[:40] = ((np.arange(40) + 1) % 40)[:, None]
    table[40] = 0
    with pytest.raises(InputError, match=r"from node 0 to node 40: .*\(30 more\) -> 0") as caught:
        NextHop(table, by="node").on(net)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, r"at node 3 it has no entry \(a dead end\)"),
        (1, "at node 3 its entry is not a neighbour of that node"),
    ],
)
def test_dead_ends_are_named(value: int, message: str) -> None:
    table = clockwise(5)
    table[3, 0] = value
    with pytest.raises(InputError, match="from node 1 to node 0: " + message):
        NextHop(table, by="node").on(ring(5))


def test_a_channel_that_leaves_another_node_is_named() -> None:
    net = ring(5)
    forward = np.array(
        [next(c for c in range(10) if net.tail[c] == v and net.head[c] == (v + 1) % 5) for v in range(5)]
    )
    table = np.tile(forward, (5, 1)).T
    table[3, 0] = forward[1]
    with pytest.raises(InputError, match=rf"at node 3 its channel {forward[1]} leaves node 1 instead"):
        NextHop(table).on(net)


def test_parallel_channels_need_channels_not_nodes() -> None:
    net = Network.of("double", 2, [(0, 1), (0, 1), (1, 0)])
    with pytest.raises(InputError, match="several parallel channels lead to its entry; give channels"):
        NextHop([[-1, 1], [0, -1]], by="node").on(net)
    assert all_loads(NextHop([[-1, 1], [2, -1]]).on(net)) == {(1, 0, 1): 1, (2, 1, 0): 1}


@pytest.mark.parametrize("table", [[[0, 1]], np.zeros((5, 4), dtype=int), np.zeros((5, 5)), "nonsense"])
def test_a_table_of_the_wrong_shape_is_refused(table: object) -> None:
    with pytest.raises(InputError, match=r"integers in shape \(5, 5\)"):
        NextHop(table).on(ring(5))  # type: ignore[arg-type]


def test_a_number_outside_the_network_is_refused() -> None:
    table = clockwise(5)
    table[4, 1] = 5
    with pytest.raises(InputError, match="names node 5 at node 4 towards 1; -1 to 4 was expected"):
        NextHop(table, by="node").on(ring(5))


def fabric() -> Network:
    """Switches 0 and 1 joined by channels 0, 1 (up) and 2, 3 (down); two terminals at each."""
    return Network.of("fabric", 2, [(0, 1), (0, 1), (1, 0), (1, 0)], source=[0, 0, 1, 1], sink=[0, 0, 1, 1])


def test_destinations_may_be_terminals() -> None:
    routing = NextHop([[-1, -1, 0, 1], [2, 3, -1, -1]], columns="terminal").on(fabric())
    assert not routing.by_node
    assert routing.row_of.tolist() == [0, 0, 1, 1]
    assert routing.column_of.tolist() == [0, 1, 2, 3]
    assert all_loads(routing) == {(0, 0, 2): 1, (1, 0, 3): 1, (2, 1, 0): 1, (3, 1, 1): 1}


def test_terminals_that_are_reached_alike_become_nodes() -> None:
    routing = NextHop([[-1, -1, 0, 0], [2, 2, -1, -1]], columns="terminal").on(fabric())
    assert routing.by_node
    assert all_loads(routing) == {(0, 0, 1): 1, (2, 1, 0): 1}


def test_entries_that_no_packet_needs_are_not_looked_at() -> None:
    # Node 2 is a switch on the way; towards it and from it nothing has to work.
    net = Network.of("star", 3, [(0, 2), (2, 0), (1, 2), (2, 1)], source=[0, 1], sink=[0, 1])
    routing = NextHop([[-1, 0, -1], [2, -1, -1], [1, 3, -1]]).on(net)
    assert all_loads(routing) == {(0, 0, 1): 1, (3, 0, 1): 1, (2, 1, 0): 1, (1, 1, 0): 1}
