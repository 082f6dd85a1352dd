"""The denominators that routings announce cover all that occur: an exact scale is chosen by them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.paths import Paths
from routeproof.core.rational import Rationals
from routeproof.routing.grid.closed_form import GridRouting
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case

GRIDS = (
    "ring:5", "ring:6", "ring:6,oneway", "torus:4x3", "torus:2x6", "torus:8x8", "torus:4x3x2", "mesh:5x4", "mesh:2x3x2",
    "hyperx:3x3", "hyperx:4x2", "hypercube:3", "torus:7,bandwidth=1/3",
)  # fmt: skip
NAMES = ("dor", "dor:tie=plus", "dor:order=random", "valiant", "valiant:tie=plus", "romm", "romm:tie=union")


def occurring(routing) -> set[int]:
    """Every denominator as it is stored, by channel (base parts too) and by pair."""
    block = routing.channel_loads(np.arange(routing.network.num_channels))
    found = set(block.load.denominators())
    if block.base is not None:
        found |= {int(x) for part in (block.base.row, block.base.column) for x in np.unique(part.den)}
    nodes = np.arange(routing.network.num_nodes)
    pairs = routing.pair_loads(np.repeat(nodes, len(nodes)), np.tile(nodes, len(nodes)))
    return found | set(pairs.load.denominators())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grid", GRIDS)
def test_grid_routings_announce_all_of_theirs(grid: str, name: str) -> None:
    routing = routing_from_spec(name, network_from_spec(grid))
    announced = routing.denominators
    assert announced == sorted(set(announced))
    for x in occurring(routing):
        assert any(y % x == 0 for y in announced), (x, announced)
    block = routing.channel_loads(np.arange(routing.network.num_channels))
    assert set(block.load.denominators()) <= set(announced)


@settings(max_examples=40)
@given(
    kind=st.sampled_from(["torus", "mesh", "hyperx"]),
    radix=st.lists(st.integers(2, 7), min_size=1, max_size=3).filter(lambda x: math.prod(x) <= 60),
    name=st.sampled_from(NAMES),
)
def test_on_any_grid(kind: str, radix: list[int], name: str) -> None:
    routing = routing_from_spec(name, network_from_spec(f"{kind}:{'x'.join(map(str, radix))}"))
    common = math.lcm(*routing.denominators)
    assert all(common % x == 0 for x in occurring(routing))


def test_too_many_are_not_listed() -> None:
    routing = routing_from_spec("romm", network_from_spec("mesh:31x37x41"))
    assert routing.denominators is None


@pytest.mark.parametrize("name", ["dor", "romm", "romm:tie=union", "dor:order=random"])
def test_the_worst_case_is_the_same_without_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = network_from_spec("mesh:4x3")
    known = worst_case(routing_from_spec(name, net), all_channels=True)
    assert known.weights.exact
    monkeypatch.setattr(GridRouting, "denominators", None)
    unknown = worst_case(routing_from_spec(name, net), all_channels=True)
    assert not unknown.weights.exact
    assert (known.load, known.channel_loads) == (unknown.load, unknown.channel_loads)


def test_tables_list_exactly_what_occurs() -> None:
    net = network_from_spec("ring:3")
    forward = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(net.tail, net.head, strict=True))}
    channel, offset, source, sink, weight = [], [0], [], [], []
    for i in range(3):
        for j in range(3):
            if i != j:
                k = 3 - i - j
                for x, path in ((f"{i + 1}/7", [forward[i, j]]), (f"{6 - i}/7", [forward[i, k], forward[k, j]])):
                    channel += path
                    offset.append(len(channel))
                    source.append(i)
                    sink.append(j)
                    weight.append(x)
    paths = Paths(
        np.array(source), np.array(sink), np.array(offset), np.array(channel), Rationals.of(map(Fraction, weight))
    )
    routing = TableRouting(net, "sevenths", paths)
    assert routing.denominators == [7]
    assert worst_case(routing).weights.exact


def test_next_hop_tables_have_whole_loads() -> None:
    net = network_from_spec("ring:5")
    routing = NextHop(np.tile((np.arange(5) + 1) % 5, (5, 1)).T, by="node").on(net)
    assert routing.denominators == [1]
    found = worst_case(routing)
    assert found.weights.exact
    assert found.weights.scale == 1
