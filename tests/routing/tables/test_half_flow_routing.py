"""Routings of half flows: their closed forms against the generic analyses, and what is refused of reports of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.core.errors import RouteproofError, VerificationError
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.json_text import write_json
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.kernel.differences import most_of_medians, sums_between_all
from routeproof.optimum.half_flows.design import whole_half_flows
from routeproof.routing.base.routing import Routing
from routeproof.routing.base.tabled import TabledRouting
from routeproof.routing.files.table import routing_from_file
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.tables.half_flows import HalfFlowRouting
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.locality import average_path_length
from routeproof.worst.scan.exact import worst_case


def random_network(seed: int) -> Network:
    """3 to 7 nodes, links of bandwidth 1 to 3, 0 to 2 terminals at a node; those of odd seeds send at one node and
    receive at another."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 8))
    links = [(int(rng.integers(v)), v) for v in range(1, size)]
    links += [(u, v) for u in range(size) for v in range(u + 1, size) if rng.random() < 0.5]  # some of them parallel
    ends = [end for u, v in links for end in ((u, v), (v, u))]
    wide = [Fraction(int(x), 2) for x in np.repeat(rng.integers(1, 4, len(links)), 2)]
    at = [v for v in range(size) for _ in range(int(rng.integers(3)))]
    at = at if len(set(at)) > 1 else [0, size - 1]
    sink = rng.permutation(at) if seed % 2 else at
    return Network.of(f"random {seed}", size, ends, bandwidth=wide, source=at, sink=sink)


def random_routing(some: Network, seed: int, unit: int = 1 << 40) -> HalfFlowRouting:
    """Any numbers on the links, and on those of a tree what makes flows of them; rounded coarsely for many ties."""
    rng = np.random.default_rng(seed)
    nodes, links = np.flatnonzero(some.supply), np.flatnonzero(np.arange(some.num_channels) < some.reverse)
    flow = rng.normal(0, 0.5, (len(nodes), len(links)))
    if seed % 3 == 0:
        flow = np.rint(flow * 2) / 2
    return HalfFlowRouting(some, "half", whole_half_flows(some, nodes, links, flow), unit)


@pytest.mark.parametrize("seed", range(16))
def test_closed_forms_are_those_of_the_table(seed: int) -> None:
    some = random_network(seed)
    routing = random_routing(some, seed)
    table = TabledRouting(some, "table", routing.pair_table())
    found, known = worst_case(routing), worst_case(table, symmetry="none", all_channels=True)
    assert found.load == known.load
    assert found.worst_channels == known.worst_channels
    assert worst_case(routing, all_channels=True).channel_loads == known.channel_loads
    assert average_path_length(routing) == average_path_length(table)
    uniform = channel_loads_under(table, Traffic.uniform(some.num_terminals)).load.fractions()
    assert channel_loads_under(routing, Traffic.uniform(some.num_terminals)).load.fractions() == uniform
    assert sums_between_all(some, routing.differences) == [x * some.num_terminals for x in uniform]
    nodes = np.arange(some.num_nodes)
    i, j = np.repeat(nodes, len(nodes)), np.tile(nodes, len(nodes))
    one, other = routing.pair_loads(i, j), table.pair_loads(i, j)
    assert [one.as_dict(k) for k in range(len(i))] == [other.as_dict(k) for k in range(len(i))]
    refused = [False, False]
    for k, checked in enumerate((routing, table)):
        try:
            checked.check()
        except InputError:
            refused[k] = True
    assert refused[0] == refused[1]


def test_the_worst_permutation_by_brute_force() -> None:
    for seed in (1, 5, 8, 12):
        some = random_network(seed)
        if some.num_terminals > 6:
            continue
        routing = random_routing(some, seed)
        flow, own = routing.differences.flow, routing.differences
        place = {int(v): k for k, v in enumerate(own.node)}
        i, j = ([place[v] for v in ends.tolist()] for ends in (some.source, some.sink))
        best = max(
            Fraction(sum(max(0, way * int(flow[i[t], e] - flow[j[image[t]], e])) for t in range(len(i))), own.unit)
            / some.bandwidth[int(own.link[e])]
            for e in range(len(own.link)) for way in (1, -1) for image in permutations(range(len(i)))
        )  # fmt: skip
        assert worst_case(routing).load == best


def test_wide_numbers_do_not_overflow() -> None:
    some = network("ring:5")
    nodes, links = np.arange(5), np.flatnonzero(np.arange(10) < some.reverse)
    flow = whole_half_flows(some, nodes, links, np.random.default_rng(1).normal(0, 100, (5, 5)))
    routing = HalfFlowRouting(some, "wide", flow, 1 << 40)
    middle = np.full(5, 1 << 61)
    by_hand = max(sum(abs(int(x) - (1 << 61)) for x in row) for row in flow.T.tolist())
    assert most_of_medians(some, routing.differences, middle) == Fraction(by_hand, 1 << 40)


def test_any_number_bounds_all_permutations() -> None:
    some = random_network(3)
    routing = random_routing(some, 3)
    load = worst_case(routing).load
    for seed in range(20):
        middle = np.random.default_rng(seed).integers(-(1 << 40), 1 << 40, len(routing.differences.link))
        assert most_of_medians(some, routing.differences, middle) >= load


def test_symmetry_is_told_by_the_flows() -> None:
    some = network("ring:4")
    links = np.flatnonzero(np.arange(8) < some.reverse)
    turned = {(1, 0): 3, (2, 1): 1, (3, 2): -1, (0, 3): -3}  # eighths, by how far head and tail are
    turned |= {(u, v): -x for (v, u), x in turned.items()}
    flow = np.zeros((4, len(links)), dtype=np.int64)
    for k in range(4):
        for e, c in enumerate(links.tolist()):
            u, v = int(some.tail[c]), int(some.head[c])
            flow[k, e] = turned[(v - k) % 4, (u - k) % 4]
    routing = HalfFlowRouting(some, "even", flow, 8)
    assert some.symmetry is not None
    table = TabledRouting(some, "table", routing.pair_table())
    for g in some.symmetry.generators:
        assert routing.respects(g) == table.respects(g)
        assert routing.respects(g)
    assert table.respects_reversal()
    assert not random_routing(some, 2).respects(some.symmetry.generators[0])


def _apart() -> tuple[Network, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two nodes with terminals, a bridge from one of them to a triangle, and a flow from one to the other."""
    ends = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 2)]
    some = Network.of("bridge", 5, [x for u, v in ends for x in ((u, v), (v, u))], source=[0, 1], sink=[0, 1])
    links = np.flatnonzero(np.arange(10) < some.reverse)
    assert (some.tail[links] == [x[0] for x in ends]).all()
    return some, links, np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], dtype=np.int64)


def test_cycles_that_no_packet_gets_to_are_refused() -> None:
    some, _, flow = _apart()
    HalfFlowRouting(some, "half", flow, 1).check()
    flow[1, 2:] = 1  # round the triangle, of one of the two flows
    routing = HalfFlowRouting(some, "half", flow, 1)
    with pytest.raises(InputError, match="no packet of that pair can get there"):
        routing.check()
    flow[0, 2:] = 1  # of both: they cancel
    HalfFlowRouting(some, "half", flow, 1).check()


def test_flows_that_do_not_end_alike_are_refused() -> None:
    some, _, flow = _apart()
    for k, e in ((0, 0), (1, 3)):
        wrong = flow.copy()
        wrong[k, e] += 1
        with pytest.raises(InputError, match="does not end as that of node"):
            HalfFlowRouting(some, "half", wrong, 1)
    for unit in (0, 2, 1 << 51):
        with pytest.raises(InputError):
            HalfFlowRouting(some, "half", flow, unit)
    one_way = Network.of("ring", 3, [(0, 1), (1, 2), (2, 0)], source=range(3), sink=range(3))
    with pytest.raises(InputError, match="equal in both"):
        HalfFlowRouting(one_way, "half", np.zeros((3, 0), dtype=np.int64), 1)


def test_a_description_makes_it_again() -> None:
    some = random_network(6)
    routing = random_routing(some, 6)
    data = json.loads(json.dumps(describe_routing(routing)))
    again = routing_from_description(data, some)
    assert worst_case(again).load == worst_case(routing).load
    flow = unpack_ints(data["half_flows"]["flow"], what="", max_items=1 << 20)
    changes: list[Callable[[dict[str, Any]], Any]] = [
        lambda x: x.pop("scale"),
        lambda x: x.update(more=1),
        lambda x: x.update(scale=x["scale"] + "0"),
        lambda x: x.update(scale=int(x["scale"])),
        lambda x: x.update(scale="-1"),
        lambda x: x.update(flow=pack_ints(flow[:-1])),
        lambda x: x.update(flow=pack_ints(np.append(flow, 0))),
        lambda x: x.update(flow=pack_ints(flow + (np.arange(len(flow)) == 1))),
        lambda x: x.update(flow=flow.tolist()),
    ]
    for change in changes:
        wrong = json.loads(json.dumps(data))
        change(wrong["half_flows"])
        with pytest.raises((InputError, VerificationError)):
            routing_from_description(wrong, some)


def test_it_is_written_and_read_as_a_file(tmp_path: Path) -> None:
    some = network("petersen")
    routing: Routing = random_routing(some, 4)
    path = tmp_path / "half.json"
    write_json(routing.document(), path)
    again = routing_from_file(str(path), some)
    assert worst_case(again).load == worst_case(routing).load
    assert again.decomposition(0, 7)
    with pytest.raises(RouteproofError):
        routing_from_file(str(path), network("ring:10"))
