"""Boxes of GPUs by name, beside others written down independently, and the rates that their sources print."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import gpu_boxes
from routeproof.core.collective import broadcasts_of
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.symmetry import check_automorphism, orbit_labels
from routeproof.optimum.collectives.rate import best_cut
from routeproof.topologies.family import network_from_spec

F = Fraction


def by_gpu(network: Network) -> Counter[tuple[str, str, Fraction]]:
    """Channels by the terminals at their ends (switches by how many there are), with their bandwidths."""
    name = {int(v): f"gpu{i}" for i, v in enumerate(network.source)}
    ends = zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True)
    return Counter((name.get(u, "switch"), name.get(v, "switch"), b) for u, v, b in ends)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("dgx1", gpu_boxes.dgx1()),
        ("ndv2:1", gpu_boxes.dgx1()),
        ("dgx2:2", gpu_boxes.dgx2_pair()),
        ("a100:1", gpu_boxes.a100(1)),
        ("mi250:1", gpu_boxes.mi250(1)),
        ("mi250:2", gpu_boxes.mi250(2)),
    ],
)
def test_channels(text: str, other: Network) -> None:
    network = network_from_spec(text)
    assert by_gpu(network) == by_gpu(other)
    assert network.spec == network.name == text
    assert network.source.tolist() == list(range(network.num_terminals))


@pytest.mark.parametrize(
    ("text", "bandwidth"),
    [
        ("dgx1", F(1200, 7)),
        ("ndv2:2", F(25)),
        ("dgx2:2", F(4000, 31)),
        ("a100:1", F(2400, 7)),
        ("a100:2", F(1040, 3)),
        ("a100:4", F(800, 3)),
        ("ndv4:4", F(800, 3)),
        ("h100:1", F(3600, 7)),
        ("mi250:2", F(5312, 15)),
    ],
)
def test_all_gathers(text: str, bandwidth: Fraction) -> None:
    """ForestColl's A100 with a node for every interface has the same rates."""
    network = network_from_spec(text)
    assert best_cut(broadcasts_of(network, "all-gather")).rate == bandwidth / network.num_terminals


def test_boxes_of_a_cloud() -> None:
    assert by_gpu(network_from_spec("ndv5:3")) == by_gpu(network_from_spec("h100:3"))
    three = network_from_spec("ndv2:3")
    assert (three.num_nodes, three.label(24)) == (25, "switch")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dgx2:3", "boxes of dgx2:n is 3; its source describes 1 to 2"),
        ("a100:0", "boxes of a100:n is 0; at least 1"),
        ("mi250:2,bandwidth=3", "mi250 has the bandwidths of its source, in GB/s"),
        ("h100:1000000000000", "a whole number|would have"),
        ("dgx1:2", "one parameter too many"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        network_from_spec(text)


@pytest.mark.parametrize("spec", ["ndv2:1025", "a100:1025", "mi250:1025"])
def test_many_boxes_declare_that_each_is_like_the_next(spec: str) -> None:
    many = network_from_spec(spec)
    assert many.symmetry is not None
    for g in many.symmetry.generators:
        check_automorphism(many, g)
    gpus = many.num_terminals // 1025
    assert len(np.unique(orbit_labels(many.num_nodes, [g.node for g in many.symmetry.generators])[many.source])) == gpus
