"""Weighted groups of next channels: loads against all paths, what is refused, and documents."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from brute_routing import all_loads
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.path_sets.names import path_set
from routeproof.routing.tables.groups import Group, GroupRouting


def drawn_groups(net: rp.Network, seed: int) -> dict[tuple[int, int], Group]:
    """For every node and destination, random weights of some channels that get nearer."""
    rng = np.random.default_rng(seed)
    shortest = path_set("minimal", net)
    groups: dict[tuple[int, int], Group] = {}
    for v, d in itertools.permutations(range(net.num_nodes), 2):
        ways = [c for c in shortest.channels(v, d).tolist() if int(net.tail[c]) == v]
        some = [(c, int(w)) for c, w in zip(ways, rng.integers(0, 4, len(ways)), strict=True) if w]
        groups[v, d] = some or [(ways[0], 1)]
    return groups


def slow_loads(net: rp.Network, groups: dict[tuple[int, int], Group]) -> dict[tuple[int, int, int], Fraction]:
    """Packet by packet: every path with its probability."""
    found: dict[tuple[int, int, int], Fraction] = {}
    for i, j in itertools.permutations(range(net.num_nodes), 2):
        stack = [(i, Fraction(1))]
        while stack:
            v, much = stack.pop()
            total = sum(w for _, w in groups[v, j])
            for c, w in groups[v, j]:
                part = much * Fraction(w, total)
                found[c, i, j] = found.get((c, i, j), Fraction(0)) + part
                if int(net.head[c]) != j:
                    stack.append((int(net.head[c]), part))
    return found


@pytest.mark.parametrize("net", [rp.mesh(3, 3), rp.petersen(), rp.torus(4, 3), rp.kautz(2, 2)], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_loads_are_those_of_all_paths(net: rp.Network, seed: int) -> None:
    groups = drawn_groups(net, seed)
    routing = GroupRouting(net, "mine", groups, path_set("minimal", net))
    assert all_loads(routing) == slow_loads(net, groups)
    assert routing.entries == max(sum(w for _, w in group) for group in groups.values())
    again = routing_from_description(describe_routing(routing), net)
    assert isinstance(again, GroupRouting)
    assert again.groups == routing.groups
    assert again.allowed == "minimal"


def test_a_document_that_others_read(tmp_path: Path, capsys: Any) -> None:
    net = rp.mesh(3, 3)
    routing = GroupRouting(net, "mine", drawn_groups(net, 3))
    file = tmp_path / "groups.json"
    file.write_text(json.dumps(routing.document()))
    assert rp.worst_case(rp.named_routing(str(file), net)).load == rp.worst_case(routing).load
    assert main(["check", str(file)]) == 0
    assert main(["worst-case", "mesh:3x4", "--routing", str(file)]) == 2
    assert "another network" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda groups: groups.update({(0, 1): [(2, 1)]}), "does not leave the node"),
        (lambda groups: groups.update({(0, 1): [(0, 0)]}), "a whole number from 1 on"),
        (lambda groups: groups.update({(0, 1): [(0, 1), (0, 1)]}), "each once"),
        (lambda groups: groups.pop((1, 2)), "node 1 has no group for destination 2"),
        (lambda groups: groups.update({(0, 2): [(0, 1)], (1, 2): [(1, 1)]}), "may go round in a cycle"),
    ],
)
def test_groups_that_make_no_routing(change: Any, says: str) -> None:
    net = rp.Network.of("triangle", 3, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)])
    groups: dict[tuple[int, int], Group] = {
        (0, 1): [(0, 1)], (0, 2): [(5, 1)], (1, 0): [(1, 1)], (1, 2): [(2, 1)], (2, 0): [(4, 1)], (2, 1): [(3, 1)],
    }  # fmt: skip
    GroupRouting(net, "mine", groups)
    change(groups)
    with pytest.raises(InputError, match=says):
        GroupRouting(net, "mine", groups)


def test_packets_that_leave_the_set_of_paths() -> None:
    net = rp.Network.of("triangle", 3, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)])
    groups: dict[tuple[int, int], Group] = {
        (0, 1): [(0, 1)], (0, 2): [(0, 1)], (1, 0): [(1, 1)], (1, 2): [(2, 1)], (2, 0): [(4, 1)], (2, 1): [(3, 1)],
    }  # fmt: skip
    with pytest.raises(InputError, match="is on no path of the set minimal"):
        GroupRouting(net, "mine", groups, path_set("minimal", net))
