"""Tables of groups that share what is alike: the same loads as the plain ones, and what reports may say of them."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.tables.group_table import GroupTable, GroupTableRouting, UnevenWeightsError
from routeproof.routing.tables.groups import GroupRouting
from routeproof.symmetry.automorphisms import find_automorphisms

Groups = dict[tuple[int, int], tuple[tuple[int, int], ...]]


def random_groups(network: Network, seed: int, most: int = 4) -> Groups:
    """At every node some channels that lead closer to the destination, or all of them, with weights."""
    rng, found = random.Random(seed), Groups()
    for d in range(network.num_nodes):
        level = {d: 0}
        todo = [d]
        for u in todo:
            for v in network.tail[network.head == u].tolist():
                if v not in level:
                    level[v] = level[u] + 1
                    todo.append(v)
        for v in range(network.num_nodes):
            ways = [c for c in np.nonzero(network.tail == v)[0].tolist() if level[int(network.head[c])] < level[v]]
            if ways:
                kept = sorted(rng.sample(ways, rng.randint(1, len(ways))))
                found[v, d] = tuple((c, rng.randint(1, most)) for c in kept)
    return found


def shared(network: Network, groups: Groups) -> GroupTableRouting:
    return GroupTableRouting(network, "some groups", GroupTable.of((network.num_nodes,) * 2, groups))


@pytest.mark.parametrize("spec", ["random-regular:14,degree=4,seed=3", "torus:4x3", "mesh:3x3", "dragonfly:2,2,1"])
@pytest.mark.parametrize("seed", range(3))
def test_loads_are_those_of_the_plain_table(spec: str, seed: int) -> None:
    network = resolve_network(spec)
    groups = random_groups(network, seed)
    one, other = shared(network, groups), GroupRouting(network, "plain", groups)
    for c in range(network.num_channels):
        assert one.channel_loads([c]).as_dict() == other.channel_loads([c]).as_dict()
        assert one.expected_loads(c) == len(other.channel_loads([c]).row)
    rows, columns = (x.ravel() for x in np.meshgrid(np.arange(network.num_nodes), np.arange(network.num_nodes)))
    mine, theirs = one.pair_loads(rows, columns), other.pair_loads(rows, columns)
    assert all(mine.as_dict(k) == theirs.as_dict(k) for k in range(len(rows)))
    half = np.arange(network.num_nodes) % 2 == 0
    asked = np.arange(network.num_channels)[::-1]
    some, plain = one.channel_loads(asked, rows=half), other.channel_loads(asked, rows=half)
    assert [some.as_dict(k) for k in range(len(asked))] == [plain.as_dict(k) for k in range(len(asked))]
    dens = one.denominators
    assert all(any(d % x == 0 for d in dens) for x in other.denominators)


def test_paths_carry_the_loads() -> None:
    network = resolve_network("random-regular:10,degree=3,seed=5")
    routing = shared(network, random_groups(network, 9))
    pairs = set()
    for i in range(10):
        for j in range(10):
            loads: dict[int, Fraction] = {}
            for weight, path in routing.paths(i, j):
                for c in path:
                    loads[c] = loads.get(c, Fraction(0)) + weight
                pairs.update(pairwise(path))
            assert routing.pair_loads([i], [j]).as_dict() == loads
    made = [(a, b) for first, second, *_ in routing.dependencies() for a, b in zip(first, second, strict=True)]
    assert set(made) == pairs
    assert all(
        routing.makes_dependency(int(r), int(d), int(a), int(b))
        for x in routing.dependencies()
        for a, b, r, d in zip(*x, strict=True)
    )


def test_symmetry_is_respected_by_equal_splitting_alone() -> None:
    network = resolve_network("torus:4x4")
    found = find_automorphisms(network)
    assert found is not None
    every = Groups()
    for key, group in random_groups(network, 1).items():
        v, d = key
        del group
        level = {u: _distance(u, d) for u in range(16)}
        every[key] = tuple(
            (c, 1) for c in np.nonzero(network.tail == v)[0].tolist() if level[int(network.head[c])] < level[v]
        )
    assert all(shared(network, every).respects(g) for g in found.generators)
    assert shared(network, every).respects_reversal() == GroupRouting(network, "x", every).respects_reversal()
    uneven = {key: tuple((c, 1 + (k == 0 and key == (5, 0))) for k, (c, _) in enumerate(x)) for key, x in every.items()}
    one, other = shared(network, uneven), GroupRouting(network, "x", uneven)
    assert [one.respects(g) for g in found.generators] == [other.respects(g) for g in found.generators]
    assert not all(one.respects(g) for g in found.generators)


def _distance(u: int, d: int) -> int:
    return sum(min((a - b) % 4, (b - a) % 4) for a, b in zip(divmod(u, 4), divmod(d, 4), strict=True))


def test_columns_of_terminals_that_are_routed_unlike() -> None:
    network = resolve_network("ring:4")
    cw = {v: int(np.nonzero((network.tail == v) & (network.head == (v + 1) % 4))[0][0]) for v in range(4)}
    ccw = {v: int(np.nonzero((network.tail == v) & (network.head == (v - 1) % 4))[0][0]) for v in range(4)}
    column_of = np.array([0, 1, 2, 3], dtype=np.int32)
    groups = {(v, d): (((cw if d % 2 else ccw)[v], 1),) for v in range(4) for d in range(4) if v != d}
    routing = GroupTableRouting(network, "some", GroupTable.of((4, 4), groups), column_of)
    assert not routing.by_node
    again = routing_from_description(json.loads(json.dumps(describe_routing(routing))), network)
    assert again.pair_loads([0], [1]).as_dict() == routing.pair_loads([0], [1]).as_dict() == {cw[0]: 1}
    assert len(again.pair_loads([0], [2]).as_dict()) == 2


def test_what_does_not_arrive_and_what_is_too_uneven() -> None:
    network = resolve_network("ring:6")
    groups = random_groups(network, 4)
    missing = {key: x for key, x in groups.items() if key != (1, 3)}
    with pytest.raises(InputError, match="do not arrive: node 1 has no group"):
        shared(network, missing)
    back = {**groups}
    c = int(np.nonzero((network.tail == 2) & (network.head == 1))[0][0])
    d = int(np.nonzero((network.tail == 1) & (network.head == 2))[0][0])
    back[2, 4], back[1, 4] = ((c, 1),), ((d, 1),)
    with pytest.raises(InputError, match="go round in a cycle at"):
        shared(network, back)
    wide = resolve_network("torus:6x6")
    with pytest.raises(UnevenWeightsError, match="62 bits"):
        shared(wide, random_groups(wide, 1, most=10**7))


def _change(entry: dict[str, Any], key: str, values: list[int]) -> dict[str, Any]:
    from routeproof.formats.documents.packed_ints import pack_ints

    return {**entry, "group_table": {**entry["group_table"], key: pack_ints(values)}}


@pytest.mark.parametrize("key", ["group", "size", "channel", "weight"])
@pytest.mark.parametrize("by", [-5, 1, 1000])
def test_a_report_that_was_changed_describes_another_routing_or_none(key: str, by: int) -> None:
    from routeproof.formats.documents.packed_ints import unpack_ints

    network = resolve_network("random-regular:8,degree=3,seed=5")
    routing = shared(network, random_groups(network, 2))
    entry = describe_routing(routing)
    again = routing_from_description(json.loads(json.dumps(entry)), network)
    assert again.pair_table().load.fractions() == routing.pair_table().load.fractions()
    values = unpack_ints(entry["group_table"][key], what="x", max_items=1000).tolist()
    refused = 0
    for k in range(0, len(values), 3):
        changed = _change(entry, key, [x + by if j == k else x for j, x in enumerate(values)])
        try:
            routing_from_description(changed, network).check()
        except (InputError, VerificationError):
            refused += 1
    assert refused or (key == "weight" and by > 0) or by == 1
    for text in ("i1:5:", 7, None):
        with pytest.raises((InputError, VerificationError)):
            routing_from_description({**entry, "group_table": {**entry["group_table"], key: text}}, network)
    with pytest.raises(InputError):
        routing_from_description({**entry, "group_table": {}}, network)


def test_weights_and_tables_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    network = resolve_network("ring:4")
    groups = {key: tuple((c, 10**30) for c, _ in x) for key, x in random_groups(network, 2).items()}
    with pytest.raises(UnevenWeightsError, match="weights above"):
        shared(network, groups)
    entry = describe_routing(shared(network, random_groups(network, 2)))
    weights = [1 << 62] * len(random_groups(network, 2))
    with pytest.raises(InputError, match=r"a weight is a whole number from 1 to|every group must have channels"):
        routing_from_description(_change(entry, "weight", weights), network)
    with pytest.raises(VerificationError, match="at most 16 were expected"):
        routing_from_description(_change(entry, "group", [0] * 1000), network)
    monkeypatch.setattr("routeproof.routing.tables.group_table.LIMIT", 1)
    with pytest.raises(InputError, match="a group of more than"):
        shared(network, random_groups(network, 2))
