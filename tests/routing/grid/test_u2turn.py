"""U2TURN on meshes: what its authors state of it comes out exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from routeproof.core.errors import InputError
from routeproof.routing.base.routing import Routing
from routeproof.routing.grid.turns import U2TURN
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.grid.lattice import mesh
from routeproof.worst.capacity import known_capacity
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize(
    ("k", "of_capacity"), [(2, "1/2"), (3, "4/7"), (4, "1/2"), (5, "6/11"), (6, "1/2"), (7, "8/15")]
)
def test_worst_case_and_length(k: int, of_capacity: str) -> None:
    net = mesh(k, k)
    routing = U2TURN().on(net)
    routing.check()
    assert worst_case(routing).throughput / known_capacity(net) == Fraction(of_capacity)
    # 3/2 with a round trip for packets to their own node, which stay where they are (conventions, pair load (i, i)).
    assert average_path_length(routing) / minimal_average(net) == Fraction(3, 2) - Fraction(1, k * k)


def test_paths_have_the_loads_and_few_turns() -> None:
    net = mesh(3, 4)
    routing = routing_from_spec("u2turn", net)
    assert describe_routing(routing) == {"spec": "u2turn"}
    for i, j in ((0, 11), (2, 3), (5, 6)):
        loads: dict[int, Fraction] = {}
        for x, path in routing.paths(i, j):
            along = [abs(int(net.head[c]) - int(net.tail[c])) == 4 for c in path]
            assert sum(a != b for a, b in pairwise(along)) <= 2
            for c in path:
                loads[c] = loads.get(c, Fraction(0)) + x
        assert loads == routing.pair_loads([i], [j]).as_dict()


def test_symmetry() -> None:
    net = mesh(3, 3)
    routing = U2TURN().on(net)
    assert all(routing.respects(g) == Routing.respects(routing, g) for g in net.symmetry.generators)
    assert all(routing.respects(g) for g in net.symmetry.generators)


@pytest.mark.parametrize("topology", ["torus:4x4", "mesh:3x3x3", "hyperx:3x3", "mesh:5"])
def test_other_networks_are_refused(topology: str) -> None:
    with pytest.raises(InputError, match="u2turn needs a mesh of two dimensions"):
        routing_from_spec("u2turn", network_from_spec(topology))
