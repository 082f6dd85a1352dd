"""Channel dependencies, cycles and virtual channels: against paths written out, and known numbers."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from routeproof.claims.context import Context
from routeproof.claims.routings.deadlock import check_deadlock
from routeproof.core.errors import InputError
from routeproof.core.graph import first_descent, numbering_or_cycle
from routeproof.core.network import Network
from routeproof.routing.base.delivery import gathered
from routeproof.routing.base.routing import Routing
from routeproof.routing.dependencies.channels import channel_dependencies, depends
from routeproof.routing.dependencies.virtual_dependencies import (
    by_descents,
    by_turns,
    virtual_dependencies,
    virtual_of_descents,
)
from routeproof.routing.grid.lines import channel_places
from routeproof.routing.grid.two_turns import channels_of, two_turn_paths
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.assignments import Layers, few_layers
from routeproof.worst.deadlock.channels import VirtualChannels, deadlock, virtual_channels

OWN = [
    ("torus:4x4", "dor"),
    ("torus:5x3", "ival"),
    ("torus:4x3", "ival:order=random"),
    ("torus:4x4", "valiant"),
    ("torus:4x3", "romm"),
    ("torus:4x2", "rlb"),
    ("ring:5,oneway", "valiant"),
    ("mesh:3x4", "o1turn"),
    ("hyperx:3x3", "valiant"),
    ("hypercube:3", "dor"),
    ("torus:3x3", "mix:1/2*dor+1/2*valiant"),
]


def made(topology: str, name: str) -> Routing:
    return routing_from_spec(name, network_from_spec(topology))


def pairs_of(routing: Routing) -> list[tuple[int, int]]:
    nodes = range(routing.network.num_nodes)
    return [(i, j) for i in nodes for j in nodes if i != j]


def written_out(routing: Routing) -> set[tuple[int, int]]:
    """All dependencies, pair by pair, without translations."""
    return {
        edge
        for i, j in pairs_of(routing)
        for _, path in routing.decomposition(i, j)
        for edge in itertools.pairwise(path)
    }


def has_cycle(edges: set[tuple[int, int]]) -> bool:
    """By taking away, again and again, edges that end where nothing begins."""
    left = set(edges)
    while True:
        begins = {u for u, _ in left}
        kept = {(u, v) for u, v in left if v in begins}
        if kept == left:
            return bool(left)
        left = kept


@pytest.mark.parametrize(("topology", "name"), OWN)
def test_dependencies_are_those_of_all_paths(topology: str, name: str) -> None:
    routing = made(topology, name)
    found = channel_dependencies(routing)
    assert found.by_paths
    assert routing.has_explicit_paths
    edges = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert edges == sorted(written_out(routing))
    for k, (c, d) in enumerate(edges):
        assert depends(routing, int(found.row[k]), int(found.column[k]), c, d, by_paths=True)
    verdict = deadlock(routing)
    assert verdict.free != has_cycle(set(edges))


@pytest.mark.parametrize(
    ("topology", "name"), [("torus:4x4", "minimal"), ("petersen", "minimal:choice=per-hop"), ("torus:4x3", "turns")]
)
def test_loads_stand_for_routings_that_do_not_tell_their_paths(topology: str, name: str) -> None:
    routing = made(topology, name)
    found = channel_dependencies(routing)
    assert not found.by_paths
    edges = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    expected = set()
    net = routing.network
    for i, j in pairs_of(routing):
        loads = routing.pair_loads([i], [j]).as_dict()
        expected |= {(c, d) for c in loads for d in loads if net.head[c] == net.tail[d]}
    assert edges == expected
    assert written_out(routing) <= edges
    with pytest.raises(InputError, match="given by its loads"):
        list(routing.bundles())


def test_paths_come_once_for_every_pair() -> None:
    for topology, name in OWN[:-1]:
        routing = made(topology, name)
        found = sorted(
            (int(i), int(j), tuple(path))
            for b in routing.bundles()
            for i, j, path in zip(b.row, b.column, b.channel.tolist(), strict=True)
        )
        assert found == sorted((i, j, tuple(path)) for i, j in pairs_of(routing) for _, path in routing.paths(i, j))


@pytest.mark.parametrize(
    ("topology", "name", "free"),
    [
        ("mesh:4x4", "dor", True),
        ("mesh:3x3x3", "dor", True),
        ("mesh:4x4", "o1turn", False),
        ("hypercube:4", "dor", True),
        ("hyperx:4x4", "dor", True),
        ("torus:3x3", "dor", True),  # one hop a dimension: nothing to wait for on a ring
        ("torus:4x4", "dor", False),
        ("ring:5", "dor", False),
        ("mesh:5", "minimal", True),
        ("petersen", "minimal", False),
    ],
)
def test_known_verdicts(topology: str, name: str, free: bool) -> None:
    assert deadlock(made(topology, name)).free == free


@pytest.mark.parametrize(
    ("topology", "name", "assignment", "count"),
    [
        ("torus:8x8", "dor", "turns", 2),
        ("torus:6x6", "valiant", "turns", 4),
        ("torus:8x8", "ival", "turns", 4),
        ("torus:5x5", "ival:order=random", "turns", 4),
        ("torus:5x5", "rlb:order=xy", "turns", 4),
        ("torus:5x5", "mix:1/2*dor+1/2*ival", "turns", 4),
        ("torus:5x5", "romm", "turns", 5),
        ("torus:4x4", "dor:order=yx", "turns", 2),
        ("mesh:4x4", "o1turn", "turns", 2),
        ("mesh:4x4", "dor", "turns", 1),
        ("mesh:4x4", "valiant", "turns", 2),
        ("hypercube:4", "valiant", "turns", 2),
        ("hyperx:3x3", "valiant", "turns", 2),
        ("ring:8", "dor", "layers", 2),
        ("ring:8", "dor", "descents", 2),
        ("mesh:4x4", "o1turn", "layers", 2),
        ("petersen", "minimal", "descents", 2),
    ],
)
def test_known_numbers_of_virtual_channels(topology: str, name: str, assignment: str, count: int) -> None:
    found = virtual_channels(made(topology, name), assignment)
    assert (found.count, found.assignment) == (count, assignment)
    assert found.claim().value == Fraction(count)


def test_the_best_of_all_is_found() -> None:
    assert virtual_channels(made("torus:4x4", "dor")).assignment == "turns"
    best = virtual_channels(made("torus:5x5", "romm"))
    assert (best.count, best.assignment) == (3, "descents")
    assert virtual_channels(made("petersen", "valiant")).count == 3


@pytest.mark.parametrize(
    ("topology", "name"),
    [("mesh:16x16", "dor"), ("fat-tree:4", "dmodk"), ("fat-tree:4", "minimal"), ("hyperx:4x4", "dor")],
)
def test_one_is_enough_where_there_is_no_cycle(topology: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known from the dependencies alone: no path is written out, and the rule gives all hops virtual channel 0."""
    routing = made(topology, name)
    alone = deadlock(routing)
    with monkeypatch.context() as patched:
        patched.setattr(
            "routeproof.worst.deadlock.channels.bundles_of", lambda *_: pytest.fail("paths are written out")
        )
        found = virtual_channels(routing, alone=alone)
    assert (found.count, found.assignment) == (1, "descents")
    claim = found.claim()
    check_deadlock(Context(routing, ()), claim, claim.value, claim.evidence.data)
    if topology != "mesh:16x16":
        count, first, second = virtual_dependencies(routing, virtual_of_descents(routing, found.data["channels"]))
        assert count == 1
        assert (found.number[first] < found.number[second]).all()


def test_gathered_paths_are_the_same() -> None:
    routing = made("mesh:3x4", "o1turn")
    one, many = list(routing.bundles()), list(gathered(routing.bundles()))
    assert len(many) == len({b.channel.shape[1] for b in one}) < len(one)
    rows = [
        sorted(
            (int(i), int(j), tuple(path))
            for b in some
            for i, j, path in zip(b.row, b.column, b.channel.tolist(), strict=True)
        )
        for some in (one, many)
    ]
    assert rows[0] == rows[1]


def test_where_a_ring_has_one_channel_each_way() -> None:
    found = virtual_channels(made("torus:2x2", "valiant"), "turns")
    assert isinstance(found, VirtualChannels)


@pytest.mark.parametrize(
    ("topology", "name"), [("torus:4x4", "romm"), ("petersen", "minimal"), ("mesh:3x3", "minimal")]
)
def test_a_cycle_is_a_cycle_and_says_who_holds_what(topology: str, name: str) -> None:
    routing = made(topology, name)
    verdict = deadlock(routing)
    assert not verdict.free
    assert len(set(verdict.cycle)) == len(verdict.cycle) == len(verdict.packets)
    for c, d, (i, j) in zip(verdict.cycle, verdict.cycle[1:] + verdict.cycle[:1], verdict.packets, strict=True):
        assert depends(routing, i, j, c, d, by_paths=verdict.dependencies.by_paths)
    assert routing.network.channel_label(verdict.cycle[0]) in verdict.cycle_text()


def test_a_ring_is_walked_round() -> None:
    verdict = deadlock(made("ring:4", "dor"))
    assert verdict.cycle_text().startswith(
        "a cycle of dependencies: 0 -> 1 (held by a packet from 0 to 2), then 1 -> 2"
    )


# -- parts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_numbering_or_cycle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 12))
    edges = {(int(a), int(b)) for a, b in rng.integers(0, size, (int(rng.integers(0, 20)), 2)) if a != b}
    tail, head = (np.array([e[k] for e in sorted(edges)], dtype=np.int64) for k in (0, 1))
    number, cycle = numbering_or_cycle(size, tail, head)
    assert (number is None) == has_cycle(edges)
    if number is not None:
        assert cycle == []
        assert first_descent(number, tail, head) is None
    else:
        assert set(zip(cycle, cycle[1:] + cycle[:1], strict=True)) <= edges
        assert first_descent(np.arange(size), tail, head) is not None


@pytest.mark.parametrize("seed", range(10))
def test_layers_never_close_a_cycle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers = Layers(8)
    held: dict[int, set[tuple[int, int]]] = {}
    for _ in range(60):
        path = rng.permutation(8)[: int(rng.integers(1, 5))].tolist()
        k = layers.put(path)
        assert layers.put(path) == k
        for below in range(k):
            assert has_cycle(held.get(below, set()) | set(itertools.pairwise(path)))
        held.setdefault(k, set()).update(itertools.pairwise(path))
        assert not has_cycle(held[k])
    assert len(layers) == max(held) + 1
    with pytest.raises(ValueError, match="twice"):
        layers.put([1, 2, 1])


@pytest.mark.parametrize(
    ("topology", "filled", "fewer"), [("torus:6x6", 5, 3), ("torus:4x4x3", 4, 3), ("ring:9", 2, 2)]
)
def test_layers_filled_again_are_fewer(topology: str, filled: int, fewer: int) -> None:
    routing = routing_from_spec("sssp", network_from_spec(topology))
    paths = [tuple(x) for bundle in routing.bundles() for x in bundle.channel.tolist()]
    layers, held = Layers(routing.network.num_channels), defaultdict[int, set[tuple[int, int]]](set)
    assert 1 + max(layers.put(path) for path in paths) == filled
    for path, k in zip(paths, few_layers(routing.network.num_channels, paths), strict=True):
        held[k].update(itertools.pairwise(path))
    assert sorted(held) == list(range(fewer))
    assert not any(has_cycle(x) for x in held.values())


def test_an_interrupt_leaves_what_was_filled_last(monkeypatch: pytest.MonkeyPatch) -> None:
    routing = routing_from_spec("sssp", network_from_spec("torus:6x6"))
    with monkeypatch.context() as once:
        once.setattr("routeproof.worst.deadlock.assignments._FILLS", 1)
        first = virtual_channels(routing, "layers").data["layer"].tolist()
    put, left = Layers.put, [2000]  # of 1,260 paths

    def interrupted(self: Layers, path: Sequence[int]) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return put(self, path)

    monkeypatch.setattr(Layers, "put", interrupted)
    assert virtual_channels(routing, "layers").data["layer"].tolist() == first
    assert virtual_channels(routing).assignment == "descents"
    with pytest.raises(KeyboardInterrupt):
        virtual_channels(routing, "layers")


def test_virtual_channels_of_single_paths() -> None:
    net: Network = network_from_spec("torus:4x4")
    grid = net.grid
    assert grid is not None
    places = channel_places(net, grid)

    def path(start: tuple[int, int], moves: str) -> np.ndarray:
        here, found = list(start), []
        for move in moves:
            m, step = "xXyY".index(move) // 2, 1 if move in "xy" else -1
            found.append(int(grid.channel_at[grid.node(here), m, int(step < 0)]))
            here[m] = (here[m] + step) % 4
        return np.array([found], dtype=np.int32)

    assert by_turns(places, path((2, 0), "xxxy"), (0, 1)).tolist() == [[0, 0, 1, 0]]
    assert by_turns(places, path((0, 0), "Xx"), (0, 1)).tolist() == [[0, 2]]
    assert by_turns(places, path((0, 0), "xyx"), (0, 1)).tolist() == [[0, 0, 2]]
    assert by_turns(places, path((0, 0), "xyx"), (1, 0)).tolist() == [[0, 2, 2]]
    assert by_turns(places, path((3, 0), "xxxxxx"), (0, 1)).tolist() == [[0, 1, 1, 1, 1, 2]]
    assert by_descents(np.array([2, 0, 1]), np.array([[0, 1, 2], [1, 2, 0]])).tolist() == [[0, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("topology", "name", "assignment", "words"),
    [
        ("petersen", "minimal", "turns", "has no grid layout"),
        ("torus:4x4", "dor", "turn", "did you mean 'turns'"),
        ("torus:4x4", "valiant", "layers", "more than 100 paths"),
    ],
)
def test_what_cannot_be_assigned(
    topology: str, name: str, assignment: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routeproof.worst.deadlock.channels.MOST_LAYERED", 100)
    with pytest.raises(InputError, match=words):
        virtual_channels(made(topology, name), assignment)


def test_paths_of_two_turns_need_four() -> None:
    """Towles, Dally & Boyd 2003, sec. 5.2: two sets of two virtual channels for 2TURN."""
    grid = (net := network_from_spec("torus:5x5")).grid
    assert grid is not None
    places, used = channel_places(net, grid), set()
    for start in itertools.product(range(0, 5, 2), repeat=2):
        for end in itertools.product(range(5), repeat=2):
            for legs in two_turn_paths(grid, start, end):
                path = np.array([list(channels_of(grid, start, legs))], dtype=np.int32)
                used |= set(by_turns(places, path, (0, 1)).ravel().tolist()) if path.size else set()
    assert used == {0, 1, 2, 3}
