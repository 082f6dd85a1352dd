"""The average case: its throughputs by brute force, also where terminals of one node are routed apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof.claims.routings.average_case import _largest_loads
from routeproof.core.errors import InputError
from routeproof.core.traffic import Traffic
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.traffic_models import TRAFFIC_MODELS, drawn_image, draws_permutations
from routeproof.worst.average import measure_matrices, sampled_average_case
from routeproof.worst.scan.exact import worst_case
from true_reports import hosts_network, table

PERMUTATIONS = [x for x in TRAFFIC_MODELS if draws_permutations(x)]
CLUSTERS = ["fat-tree:4,levels=2", "fat-tree:4", "torus:3x3,concentration=2"]


def on(text: str, routing: str) -> Routing:
    return routing_from_spec(routing, network_from_spec(text))


def exact_load(routing: Routing, image: list[int]) -> Fraction:
    """The largest load per bandwidth, path by path."""
    network = routing.network
    load = [Fraction(0)] * network.num_channels
    for i, j in enumerate(image):
        if network.source[i] != network.sink[j]:
            for weight, path in routing.decomposition(int(routing.row_of[i]), int(routing.column_of[j])):
                for c in path:
                    load[c] += weight
    return max(x / b for x, b in zip(load, network.bandwidth, strict=True))


@pytest.mark.parametrize("model", PERMUTATIONS)
@pytest.mark.parametrize(("text", "name"), [(CLUSTERS[0], "dmodk"), (CLUSTERS[1], "smodk"), (CLUSTERS[2], "minimal")])
def test_permutations_are_judged_exactly_terminal_by_terminal(text: str, name: str, model: str) -> None:
    routing = on(text, name)
    tops = measure_matrices({"routing": routing, "model": model, "seed": 5}, first=3, count=6)
    size = routing.network.num_terminals
    images = [drawn_image(model, size, seed=5, number=k).tolist() for k in range(3, 9)]
    assert tops.tolist() == [float(exact_load(routing, image)) for image in images]


@pytest.mark.parametrize("model", TRAFFIC_MODELS)
def test_the_checker_finds_the_same_by_other_code(model: str) -> None:
    for routing in (table(hosts_network()), on("fat-tree:4,levels=2", "dmodk"), on("torus:4x3", "valiant")):
        tops = measure_matrices({"routing": routing, "model": model, "seed": 1}, first=0, count=5)
        assert _largest_loads(routing, model, count=5, seed=1, first=0) == pytest.approx(tops, rel=1e-12)


def test_shifts_and_rings_are_what_they_are_called() -> None:
    for number in range(20):
        shift = drawn_image("shift", 7, seed=2, number=number)
        assert len({int(x) for x in (shift - np.arange(7)) % 7}) == 1
        assert shift[0] != 0
        ring, at = drawn_image("ring", 7, seed=2, number=number), 0
        seen = [at := int(ring[at]) for _ in range(7)]
        assert sorted(seen) == list(range(7))  # one cycle of all terminals
    assert len({int(drawn_image("shift", 7, seed=2, number=k)[0]) for k in range(60)}) == 6
    assert drawn_image("shift", 1, seed=0, number=0).tolist() == [0]


def test_d_mod_k_carries_every_shift_of_a_full_fat_tree() -> None:
    """Zahavi 2012: that is what it is for; its worst case is one of the lowest."""
    routing = on("fat-tree:4", "dmodk")
    assert sampled_average_case(routing, "shift", samples=40).best == 1
    assert worst_case(routing).throughput == Fraction(1, 3)
    assert sampled_average_case(routing, "permutation", samples=40).best < 0.7


def test_large_fabrics_take_permutations_but_no_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.worst.average._MOST_CELLS", 200)
    routing = on("fat-tree:4", "dmodk")
    assert sampled_average_case(routing, "permutation", samples=3).trials == 3
    with pytest.raises(InputError, match="too many for the model sinkhorn; permutation, shift and ring"):
        sampled_average_case(routing, "sinkhorn", samples=3)


def test_patterns_of_shifts() -> None:
    from routeproof.topologies.patterns import traffic_pattern

    network = network_from_spec("petersen")
    by_three = traffic_pattern("shift:by=3", network)
    assert by_three.permutation is not None
    assert by_three.permutation.image.tolist() == [(i + 3) % 10 for i in range(10)]
    ring = traffic_pattern("ring", network)
    assert isinstance(ring, Traffic)
    assert ring.permutation == traffic_pattern("shift:by=1", network).permutation
    for text, message in (("shift", "as in shift:by=3"), ("shift:by=10", "1 to 9"), ("shift:by=0", "1 to 9")):
        with pytest.raises(InputError, match=message):
            traffic_pattern(text, network)
