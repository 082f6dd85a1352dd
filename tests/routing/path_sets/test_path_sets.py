"""Sets of paths against all simple paths, listed the slow way: which are in, how far they are, what keeps them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

import routeproof as rp
from routeproof.core.errors import InputError
from routeproof.core.symmetry import Automorphism
from routeproof.routing.named.described import describe_paths, paths_from_description
from routeproof.routing.named.spec import paths_from_spec
from routeproof.routing.path_sets.names import path_set
from routeproof.routing.path_sets.path_set import PathSet


def simple_paths(net: rp.Network, source: int, destination: int) -> Iterator[list[int]]:
    """Every path that visits no node twice."""
    stack: list[tuple[int, list[int], set[int]]] = [(source, [], {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == destination:
            yield path
            continue
        for c in np.nonzero(net.tail == node)[0].tolist():
            if int(net.head[c]) not in seen:
                stack.append((int(net.head[c]), [*path, c], seen | {int(net.head[c])}))


def tangled(seed: int) -> rp.Network:
    """Directed, strongly connected, with parallel channels, weights, and terminals apart from nodes."""
    rng = np.random.default_rng(seed)
    ends = [(v, (v + 1) % 6) for v in range(6)]
    ends += [tuple(rng.choice(6, 2, replace=False).tolist()) for _ in range(7)]
    ends.append(ends[0])
    weights = [Fraction(int(x), 2) for x in rng.integers(1, 5, len(ends))]
    source, sink = [0, 0, 1, 3, 5], [2, 2, 4, 0, 1]
    return rp.Network.of(f"tangled {seed}", 6, ends, source=source, sink=sink, channel_attributes={"cost": weights})


def pairs(net: rp.Network) -> list[tuple[int, int]]:
    sources, sinks = set(net.source.tolist()), set(net.sink.tolist())
    return [(i, j) for i in sorted(sources) for j in sorted(sinks) if i != j]


def costs(net: rp.Network, *, weighted: bool) -> list[Fraction]:
    return list(net.channel_attributes["cost"]) if weighted else [Fraction(1)] * net.num_channels


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 3, 40])
def test_the_k_shortest_by_length_and_then_by_channel_numbers(seed: int, k: int, weighted: bool) -> None:
    net = tangled(seed)
    cost = costs(net, weighted=weighted)
    some = path_set(f"ksp:{k}{',weight=cost' if weighted else ''}", net)
    for i, j in pairs(net):
        wanted = sorted(simple_paths(net, i, j), key=lambda path: (sum(cost[c] for c in path), path))[:k]
        assert [list(path) for path in some.paths(i, j)] == wanted


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_minimal_is_all_shortest_paths(seed: int, weighted: bool) -> None:
    net = tangled(seed)
    cost = costs(net, weighted=weighted)
    some = path_set("minimal:weight=cost" if weighted else "minimal", net)
    assert not some.listed
    for i, j in pairs(net):
        every = list(simple_paths(net, i, j))
        least = min(sum(cost[c] for c in path) for path in every)
        shortest = [path for path in every if sum(cost[c] for c in path) == least]
        assert [path for path in every if some.holds(i, j, path)] == shortest
        assert some.channels(i, j).tolist() == sorted({c for path in shortest for c in path})
        assert not some.holds(i, j, shortest[0][:-1])


@pytest.mark.parametrize("name", ["minimal", "minimal:weight=cost", "ksp:3", "ksp:2,weight=cost"])
def test_distances_within_a_set(name: str) -> None:
    net = tangled(2)
    some, rng = path_set(name, net), np.random.default_rng(5)
    for _ in range(5):
        length = rng.integers(0, 6, net.num_channels).tolist()
        for i, j in pairs(net):
            held = [path for path in simple_paths(net, i, j) if some.holds(i, j, path)]
            assert some.distance(i, j, length) == min(sum(length[c] for c in path) for path in held)


def moved(some: PathSet, g: Automorphism, *, back: bool = False) -> bool:
    """Does the automorphism (then turning paths round, if ``back``) keep the set?  One path after the other."""
    net = some.network
    for i, j in itertools.permutations(range(net.num_nodes), 2):
        for path in some.paths(i, j):
            image = g.channel[list(path)]
            ends = int(g.node[i]), int(g.node[j])
            if back:
                assert net.reverse is not None
                image, ends = net.reverse[image][::-1], ends[::-1]
            if not some.holds(*ends, image.tolist()):
                return False
    return True


@pytest.mark.parametrize("net", [rp.torus(3, 3), rp.mesh(3, 3), rp.petersen(), rp.hypercube(3)], ids=str)
@pytest.mark.parametrize("text", ["ksp:1", "ksp:2", "ksp:4"])
def test_only_what_keeps_the_set_is_a_symmetry(net: rp.Network, text: str) -> None:
    some = path_set(text, net)
    assert net.symmetry is not None
    nothing = Automorphism("nothing", np.arange(net.num_nodes, dtype=np.int32), np.arange(net.num_channels))
    for g in net.symmetry.generators:
        assert some.is_kept_by(g) == moved(some, g)
    assert some.is_kept_by(nothing)
    assert some.reversible == moved(some, nothing, back=True)


def test_shortest_paths_are_kept_by_all_symmetry_and_by_turning_round() -> None:
    net = rp.torus(4, 3)
    some = path_set("minimal", net)
    assert some.reversible
    assert net.symmetry is not None
    assert all(some.is_kept_by(g) for g in net.symmetry.generators)


def test_weights_break_symmetry() -> None:
    ring = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)]
    net = rp.Network.of("ring", 3, ring, channel_attributes={"cost": [1, 1, 1, 1, 1, 3]})
    assert path_set("minimal", net).reversible
    assert not path_set("minimal:weight=cost", net).reversible


def test_the_paths_of_a_routing_whatever_its_weights() -> None:
    net = rp.mesh(3, 3)
    some = paths_from_spec("mix:1/3*dor:order=xy+2/3*dor:order=yx", net)
    for i, j in itertools.permutations(range(9), 2):
        ways = [rp.DOR(order=order).on(net).paths(i, j)[0][1] for order in ("xy", "yx")]
        assert sorted(map(list, some.paths(i, j))) == sorted(way for k, way in enumerate(ways) if way not in ways[:k])
    again = paths_from_description(describe_paths(some), net)
    assert again.name == some.name
    assert all(again.paths(i, j) == some.paths(i, j) for i, j in itertools.permutations(range(9), 2))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ksp:0", "ksp:K was expected"),
        ("ksp:x", "ksp:K was expected"),
        ("ksp:5000", "1 to 1,024"),
        ("ksp:2,weight=cost", "states no attributes"),
        ("minimal:weight=cost", "states no attributes"),
        ("valiant", "are not known, only its loads"),
        ("nothing", "unknown paths 'nothing'; 2turn, "),
        ("missing.json", "there is no file missing.json"),
    ],
)
def test_what_is_no_set_of_paths_is_one_line(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        paths_from_spec(text, rp.petersen())
    assert "\n" not in str(caught.value)


def test_a_pair_without_a_path_is_named() -> None:
    channels = [(0, 1), (1, 0), (2, 3), (3, 2)]
    net = rp.Network.of("two islands", 4, channels, channel_attributes={"cost": [1, 1, 1, 1]})
    for text in ("minimal", "ksp:2", "ksp:2,weight=cost"):
        with pytest.raises(InputError, match=r"from node \d to node \d"):
            path_set(text, net)


def test_lists_that_have_no_room_are_refused_first() -> None:
    from routeproof.machine.memory import memory_allowed

    with memory_allowed(100_000), pytest.raises(InputError, match="would take about"):
        path_set("ksp:8", rp.torus(6, 6))
