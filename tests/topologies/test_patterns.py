"""Traffic patterns: what goes where, and which networks they need."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.patterns import PATTERNS, traffic_pattern


def image(pattern: str, text: str | Network) -> list[int]:
    network = network_from_spec(text) if isinstance(text, str) else text
    traffic = traffic_pattern(pattern, network)
    assert traffic.name == pattern
    assert traffic.size == network.num_terminals
    assert traffic.permutation is not None
    return traffic.permutation.image.tolist()


def on_coordinates(pattern: str, text: str) -> dict[tuple[int, ...], tuple[int, ...]]:
    network = network_from_spec(text)
    assert network.grid is not None
    where = [tuple(x) for x in network.grid.coordinates.tolist()]
    return {where[i]: where[j] for i, j in enumerate(image(pattern, network))}


def test_every_pattern_has_help() -> None:
    assert all(p.help and "\n" not in p.help for p in PATTERNS.values())


def test_uniform() -> None:
    traffic = traffic_pattern("uniform", network_from_spec("ring:5"))
    assert traffic.is_uniform
    assert traffic.size == 5


@pytest.mark.parametrize("text", ["torus:5x4", "mesh:3x2x4", "ring:7", "hyperx:3x3", "complete:8"])
def test_bit_complement_on_a_grid(text: str) -> None:
    network = network_from_spec(text)
    assert network.grid is not None
    for x, y in on_coordinates("bit-complement", text).items():
        assert y == tuple(k - 1 - a for k, a in zip(network.grid.radix, x, strict=True))


def test_bit_complement_is_that_of_bits() -> None:
    assert image("bit-complement", "hypercube:4") == [v ^ 15 for v in range(16)]
    assert image("bit-complement", "random-regular:16,degree=3,seed=1") == [v ^ 15 for v in range(16)]


def test_transpose() -> None:
    assert all(y == (x[1], x[0]) for x, y in on_coordinates("transpose", "torus:5x5").items())
    cube = on_coordinates("transpose", "mesh:2x3x2x3")
    assert all(y == (x[2], x[3], x[0], x[1]) for x, y in cube.items())
    by_bits = [int(f"{v:04b}"[2:] + f"{v:04b}"[:2], 2) for v in range(16)]
    for text in ("hypercube:4", "complete:16", "random-regular:16,degree=3,seed=1", "torus:4x4"):
        assert image("transpose", text) == by_bits


@pytest.mark.parametrize(("k", "shift"), [(2, 0), (3, 1), (4, 1), (5, 2), (8, 3), (9, 4)])
def test_tornado_and_neighbor(k: int, shift: int) -> None:
    for x, y in on_coordinates("tornado", f"torus:{k}x3").items():
        assert y == ((x[0] + shift) % k, x[1])
    for x, y in on_coordinates("neighbor", f"mesh:{k}x3").items():
        assert y == ((x[0] + 1) % k, x[1])


@pytest.mark.parametrize("text", ["ring:8", "hypercube:3", "random-regular:8,degree=3,seed=1", "mesh:2x4"])
def test_patterns_on_bits(text: str) -> None:
    assert image("bit-reversal", text) == [int(f"{v:03b}"[::-1], 2) for v in range(8)]
    assert image("shuffle", text) == [int(f"{v:03b}"[1:] + f"{v:03b}"[0], 2) for v in range(8)]


def test_patterns_act_on_terminals_not_nodes() -> None:
    hosts = Network.of("star", 3, [(0, 2), (2, 0), (1, 2), (2, 1)], source=[0, 0, 1, 1], sink=[0, 0, 1, 1])
    assert image("bit-reversal", hosts) == [0, 2, 1, 3]
    assert image("bit-complement", hosts) == [3, 2, 1, 0]
    assert len(image("random:seed=3", hosts)) == 4


def test_random_is_seeded() -> None:
    assert image("random:seed=7", "torus:9x9") == np.random.default_rng(7).permutation(81).tolist()
    assert image("random:seed=7", "torus:9x9") != image("random:seed=8", "torus:9x9")
    assert traffic_pattern(" random: seed = 07 ", network_from_spec("ring:5")).name == "random:seed=7"


def test_patterns_of_one_terminal() -> None:
    lone = Network.of("lone", 2, [(0, 1), (1, 0)], source=[0], sink=[1])
    for pattern in ("bit-reversal", "shuffle", "bit-complement", "transpose", "random:seed=1"):
        assert image(pattern, lone) == [0]


@pytest.mark.parametrize(
    ("pattern", "text", "message"),
    [
        ("tornadoo", "ring:5", "did you mean 'tornado'"),
        ("", "ring:5", "unknown traffic pattern"),
        ("transpose", "torus:4x3", "square grid.*4 x 3"),
        ("transpose", "torus:4x4x4", "square grid"),
        ("transpose", "ring:8", "halves of 3 bits"),
        ("transpose", "petersen", "a grid or a power of two.*10 terminals"),
        ("bit-complement", "petersen", "power of two"),
        ("bit-reversal", "torus:3x3", "power of two.*9 terminals"),
        ("shuffle", "torus:3x3", "power of two"),
        ("tornado", "petersen", "needs a grid"),
        ("neighbor", "torus:4x4,dead-channels=0", "needs a grid"),
        ("random", "ring:5", "random:seed=7"),
        ("random:seed=x", "ring:5", "'x'"),
        ("random:seed=-1", "ring:5", "'-1'"),
        ("random:sed=1", "ring:5", "did you mean 'seed'"),
        ("random:seed=1,seed=2", "ring:5", "twice"),
        ("tornado:seed=1", "ring:5", "unknown option 'seed'; known: dimensions"),
        ("transpose:seed=1", "torus:4x4", "unknown option 'seed'; it has no options"),
    ],
)
def test_refused_patterns(pattern: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        traffic_pattern(pattern, network_from_spec(text))
    assert "\n" not in str(caught.value)


def test_grid_patterns_need_one_terminal_per_node_in_order() -> None:
    network = network_from_spec("torus:3x3")
    for source in (network.source[::-1].copy(), network.source[:8]):
        moved = dataclasses.replace(network, source=source, sink=source, symmetry=None)
        for pattern in ("tornado", "neighbor", "transpose", "bit-complement"):
            with pytest.raises(InputError, match="exactly one terminal per node"):
                traffic_pattern(pattern, moved)
