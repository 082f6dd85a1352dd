"""Random minimal routing per hop, on any network."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_routing import all_loads
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.graph.per_hop import MinimalPerHop
from routeproof.topologies.family import network_from_spec


def brute(net: Network) -> dict[tuple[int, int, int], Fraction]:
    """Every shortest path, channel by channel, with the product of its choices."""
    size = net.num_nodes
    hops = np.full((size, size), 10**6)
    np.fill_diagonal(hops, 0)
    for _ in range(size):
        for u, v in zip(net.tail, net.head, strict=True):
            hops[u] = np.minimum(hops[u], hops[v] + 1)
    loads: dict[tuple[int, int, int], Fraction] = {}
    for i in np.unique(net.source).tolist():
        for j in np.unique(net.sink).tolist():
            todo = [(i, Fraction(1))] if i != j else []
            while todo:
                at, weight = todo.pop()
                good = [c for c in range(net.num_channels) if net.tail[c] == at and hops[net.head[c], j] < hops[at, j]]
                for c in good:
                    share = weight / len(good)
                    loads[c, i, j] = loads.get((c, i, j), Fraction(0)) + share
                    if net.head[c] != j:
                        todo.append((int(net.head[c]), share))
    return loads


@pytest.mark.parametrize("spec", ["torus:4x3", "mesh:3x4", "petersen", "kautz:2,3", "ring:6,oneway", "hypercube:3"])
def test_known_networks_against_enumeration(spec: str) -> None:
    net = network_from_spec(spec)
    assert all_loads(MinimalPerHop(net)) == brute(net)


@settings(max_examples=40)
@given(st.integers(3, 7), st.randoms(use_true_random=False))
def test_random_directed_multigraphs_against_enumeration(size: int, random: object) -> None:
    channels = [(v, (v + 1) % size) for v in range(size)]
    for _ in range(2 * size):
        u, v = random.sample(range(size), 2)  # type: ignore[attr-defined]
        channels.append((u, v))
    net = Network.of("random", size, channels, source=[0, 1, 1], sink=[2, 2, 0])
    routing = MinimalPerHop(net)
    assert all_loads(routing) == brute(net)


def test_parallel_channels_are_choices_of_their_own() -> None:
    net = Network.of("double", 3, [(0, 1), (0, 1), (0, 2), (1, 0), (2, 0), (1, 2), (2, 1)])
    loads = all_loads(MinimalPerHop(net))
    assert loads[0, 0, 1] == loads[1, 0, 1] == Fraction(1, 2)


class Wide(MinimalPerHop):
    """The same routing, every destination with Python integers."""

    @property
    def _wide(self) -> np.ndarray:  # type: ignore[override]
        return np.ones(self.network.num_nodes, dtype=bool)


def test_python_integers_give_the_same_loads() -> None:
    for spec in ("torus:4x4", "petersen"):
        net = network_from_spec(spec)
        assert all_loads(Wide(net)) == all_loads(MinimalPerHop(net))


def test_probabilities_beyond_64_bits_are_exact() -> None:
    # A circle of 60 nodes with two or three parallel channels in turn: 2^30 * 3^30 paths, but loads of 1/2 and 1/3.
    stages = 60
    channels = [(v, (v + 1) % stages) for v in range(stages) for _ in range(3 if v % 2 else 2)]
    routing = MinimalPerHop(Network.of("circle", stages, channels, source=[0], sink=[stages - 1]))
    assert routing._wide.any()
    loads = all_loads(routing)
    assert len(loads) == len(channels) - 3
    assert all(x == Fraction(1, 3 if channels[c][0] % 2 else 2) for (c, _, _), x in loads.items())


def test_a_wide_network_is_found_wide_and_conserves() -> None:
    # A mesh of 40 x 40 has 78 free choices in a row: probabilities of 2^-78.
    net = network_from_spec("mesh:40x40")
    small = Network.of("corner", net.num_nodes, np.stack([net.tail, net.head], axis=1), source=[0], sink=[1599])
    routing = MinimalPerHop(small)
    assert routing._wide.any()
    loads = routing.pair_loads([0], [1599]).as_dict()
    into = sum(x for c, x in loads.items() if small.head[c] == 1599)
    assert into == 1
    assert min(loads.values()) < Fraction(1, 2**30)
    c = int(np.nonzero((small.tail == 40) & (small.head == 41))[0][0])
    assert routing.channel_loads([c]).as_dict() == {(0, 1599): loads[c]}


def test_pairs_that_are_not_connected_are_named() -> None:
    net = Network.of("apart", 4, [(0, 1), (1, 0), (2, 3), (3, 2)], labels=["a", "b", "c", "d"])
    with pytest.raises(InputError, match=r"no path from node a to node c \(8 such pairs\)"):
        MinimalPerHop(net)


def test_rows_can_be_restricted() -> None:
    routing = MinimalPerHop(network_from_spec("petersen"))
    rows = np.zeros(10, dtype=bool)
    rows[[2, 5]] = True
    for c in range(30):
        full = routing.channel_loads([c]).as_dict()
        assert routing.channel_loads([c], rows=rows).as_dict() == {k: x for k, x in full.items() if rows[k[0]]}
    assert len(routing.channel_loads([]).row) == 0


def test_it_respects_every_automorphism_but_nothing_else() -> None:
    net = network_from_spec("torus:3x3")
    routing = MinimalPerHop(net)
    assert net.symmetry is not None
    for g in net.symmetry.generators:
        assert routing.respects(g)
        assert super(MinimalPerHop, routing).respects(g)
