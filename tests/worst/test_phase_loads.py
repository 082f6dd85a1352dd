"""Loads of phases: as the loads of each phase's traffic alone, and what is known of shifts on fat trees."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.network import Network
from routeproof.core.schedules.phases import ALGORITHMS, Phase, phases_of
from routeproof.core.traffic import Permutation, Traffic
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.loads import busiest_channels, channel_loads_under, largest_load
from routeproof.worst.phase_loads import phase_loads, total_time

UNEQUAL = Network.of(
    "ladder", 4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3)],
    bandwidth=[Fraction(3, 2), 1, Fraction(5, 7), 1, 1, 1, 2, 2], source=[0, 1, 2, 3], sink=[0, 1, 2, 3],
)  # fmt: skip


@pytest.mark.parametrize("routing", ["dor", "romm", "valiant", "o1turn", "minimal:choice=per-path", "ival"])
def test_each_phase_is_a_permutation(routing: str) -> None:
    network = network_from_spec("torus:4x4")
    r = routing_from_spec(routing, network)
    order = np.random.default_rng(3).permutation(16).tolist()
    found = phase_loads(r, phases_of("linear-shift", "all-to-all", 16), order)
    for by, x in enumerate(found, 1):
        image = np.zeros(16, dtype=np.int64)
        image[order] = np.roll(order, -by)
        loads = channel_loads_under(r, Traffic.of_permutation(Permutation(image)))
        assert x.load == largest_load(loads, network)
        assert x.channel == busiest_channels(loads, network)[0]


def test_bandwidths_that_differ() -> None:
    r = routing_from_spec("minimal:choice=per-path", UNEQUAL)
    (ring,) = phase_loads(r, phases_of("ring", "all-gather", 4), [0, 1, 2, 3])
    assert (ring.load, ring.channel, ring.times) == (Fraction(7, 5), 2, 3)
    assert total_time([ring], Fraction(1, 2)) == 3 * (Fraction(1, 2) + Fraction(7, 5))


def test_long_fractions_are_added_up_exactly() -> None:
    """Denominators without a small common multiple."""
    network = network_from_spec("torus:3x3")
    shares = [Fraction(1, p) for p in (10**9 + 7, 10**9 + 9, 10**9 + 21, 10**9 + 33)]
    names = ("dor", "valiant", "romm", "o1turn")
    text = "mix:" + "+".join(f"{x}*{name}" for x, name in zip(shares, names, strict=True)) + f"+{1 - sum(shares)}*ival"
    r = routing_from_spec(text, network)
    (found,) = phase_loads(r, phases_of("ring", "all-gather", 9), range(9))
    loads = channel_loads_under(r, Traffic.of_permutation(Permutation(np.roll(np.arange(9), -1))))
    assert found.load == largest_load(loads, network)


@pytest.mark.parametrize(("tree", "count"), [("fat-tree:4", 16), ("fat-tree:8", 128), ("xgft:3x3x3,w=1x3x3", 27)])
def test_shifts_are_free_of_contention_with_d_mod_k(tree: str, count: int) -> None:
    """Zahavi 2012: no two messages of a shift share a channel."""
    network = network_from_spec(tree)
    assert network.num_terminals == count
    found = phase_loads(
        routing_from_spec("dmodk", network), phases_of("linear-shift", "all-to-all", count), range(count)
    )
    assert len(found) == count - 1
    assert {x.load for x in found} <= {Fraction(0), Fraction(1)}


def test_ranks_at_one_node_need_no_channel() -> None:
    network = Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 0, 1, 1], sink=[0, 0, 1, 1])
    r = routing_from_spec("minimal:choice=per-path", network)
    one, two = phase_loads(r, phases_of("pairwise", "all-to-all", 4), range(4))[:2]
    assert (one.load, one.channel) == (0, -1)
    assert (two.load, two.channel) == (2, 0)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_relabelled_ranks_on_a_relabelled_network(algorithm: str) -> None:
    """A translation of the torus moves ranks and channels alike: the same loads."""
    r = routing_from_spec("dor", network_from_spec("torus:4x4"))
    operation = next(iter(ALGORITHMS[algorithm]))
    order = list(range(16))
    moved = [4 * ((i // 4 + 1) % 4) + (i + 3) % 4 for i in order]

    def loads(ranks: list[int]) -> list[Fraction]:
        return [x.load for x in phase_loads(r, phases_of(algorithm, operation, 16), ranks)]

    assert loads(order) == loads(moved)


def test_messages_counted_twice_load_twice() -> None:
    r = routing_from_spec("dor", network_from_spec("torus:3x3"))
    both = Phase(np.array([0, 0]), np.array([1, 1]), Fraction(1))
    (found,) = phase_loads(r, [both], range(9))
    assert found.load == 2
