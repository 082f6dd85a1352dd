"""Dependencies of lanes against all packets written out hop by hop, and what is claimed of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from infiniband_files import read_ibnetdiscover
from places import INFINIBAND
from routeproof.claims.context import Context
from routeproof.claims.kinds import check_form
from routeproof.claims.routings import deadlock as checker
from routeproof.core.claim import Claim, Evidence
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.dependencies.channels import turn_numbers
from routeproof.routing.fabrics.forwarding_tables import read_forwarding
from routeproof.routing.fabrics.service_levels import (
    ServiceLevels,
    lane_dependencies,
    levels_from_description,
    packet_makes,
    read_service_levels,
    tables_of,
)
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import lane_deadlock


def random_table(topology: str, seed: int) -> Routing:
    """Shortest paths, the first hop of each at random."""
    network = network_from_spec(topology)
    rng = np.random.default_rng(seed)
    size = network.num_nodes
    distance = np.where(np.eye(size, dtype=bool), 0, size)
    for _ in range(size):
        np.minimum.at(distance, network.tail, distance[network.head] + 1)
    table = np.full((size, size), -1)
    for v, d in np.argwhere(distance > 0).tolist():
        out = np.flatnonzero(network.tail == v)
        table[v, d] = rng.choice(out[distance[network.head[out], d] == distance[v, d] - 1])
    return NextHop(table, name=f"table{seed}").on(network)


def random_levels(routing: Routing, tables: int, *, most: int, with_lanes: bool, seed: int) -> ServiceLevels:
    network = routing.network
    rng = np.random.default_rng(seed)
    size = network.num_terminals
    level = (1 << rng.integers(0, most, (tables, size, size))).astype(np.uint16)
    level |= np.where(rng.random(level.shape) < 0.2, 1 << rng.integers(0, most, level.shape), 0).astype(np.uint16)
    level[rng.random(level.shape) < 0.1] = 0  # these send nothing
    missing = int(((level == 0) & (network.source[:, None] != network.sink[None, :])).sum())
    lane = rng.integers(0, 3, (turn_numbers(network).count, 16)).astype(np.uint8) if with_lanes else None
    return ServiceLevels(network, level, lane, missing)


def written_out(routing: Routing, levels: ServiceLevels) -> tuple[set[tuple[int, int]], set[int]]:
    """Dependencies and lanes, packet by packet."""
    network, edges, lanes = routing.network, set(), set()
    for k, part in enumerate(tables_of(routing, levels)):
        for i, j in np.argwhere(levels.level[k] > 0).tolist():
            path = part.paths(int(part.row_of[i]), int(part.column_of[j]))[0][1]
            for s in range(16):
                if levels.level[k, i, j] >> s & 1 and path:
                    along = levels.along(i, path, s)
                    lanes |= set(along)
                    edges |= set(pairwise(x * network.num_channels + c for x, c in zip(along, path, strict=True)))
    return edges, lanes


@pytest.mark.parametrize("with_lanes", [False, True])
@pytest.mark.parametrize("topology", ["torus:4x3", "torus:5x3", "ring:6"])
def test_dependencies_are_those_of_all_packets(topology: str, with_lanes: bool) -> None:
    verdicts = set()
    for seed in range(6):
        routing = random_table(topology, seed)
        levels = random_levels(routing, 1, most=1 + 2 * seed, with_lanes=with_lanes, seed=seed)
        found = lane_dependencies(routing, levels)
        edges, lanes = written_out(routing, levels)
        assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == sorted(edges)
        assert set(found.lanes) == lanes
        verdict = lane_deadlock(routing, levels)
        verdicts.add(verdict.free)
        cycle = verdict.cycle
        for x, y, packet in zip(cycle, cycle[1:] + cycle[:1], verdict.packets, strict=True):
            assert packet_makes(routing, levels, packet, x, y)
        again = levels_from_description(levels.describe(), routing.network)
        check_deadlock(routing, verdict.claim(), again)
    assert False in verdicts


def test_several_tables_have_levels_of_their_own() -> None:
    one, two = random_table("torus:4x3", 1), random_table("torus:4x3", 2)
    two = NextHop(two.next_channel, name="two").on(one.network)  # type: ignore[attr-defined]
    both = Mixture([("1/2", one), ("1/2", two)])
    levels = random_levels(both, 2, most=4, with_lanes=True, seed=5)
    found = lane_dependencies(both, levels)
    edges, _ = written_out(both, levels)
    assert set(zip(found.first.tolist(), found.second.tolist(), strict=True)) == edges
    check_deadlock(both, lane_deadlock(both, levels).claim(), levels)
    with pytest.raises(InputError, match="mixes 2 tables, and host ports have 1 lids"):
        lane_dependencies(both, random_levels(both, 1, most=4, with_lanes=False, seed=5))


def test_other_routings_are_refused() -> None:
    routing = routing_from_spec("valiant", network_from_spec("torus:3x3"))
    with pytest.raises(InputError, match="service levels are for forwarding tables"):
        lane_dependencies(routing, random_levels(routing, 1, most=2, with_lanes=False, seed=1))
    with pytest.raises(InputError, match="has none: give the output of ibnetdiscover"):
        read_service_levels(str(INFINIBAND / "ring5.paths"), routing.network)


def check_deadlock(routing: Routing, claim: Claim, levels: ServiceLevels | None) -> None:
    """Its form, then its evidence, as in a report whose subject describes ``levels``."""
    check_form(claim, ["lane-order", "lane-cycle"])
    context = Context(routing, ())
    context.levels = levels
    checker.check_deadlock(context, claim, claim.value, claim.evidence.data)


def lash() -> tuple[Routing, ServiceLevels, ServiceLevels]:
    network = read_ibnetdiscover(INFINIBAND / "ring5.topo")
    routing = read_forwarding(str(INFINIBAND / "ring5.lft"), network)
    plain = read_service_levels(str(INFINIBAND / "ring5.paths"), network)
    tables = read_service_levels(str(INFINIBAND / "ring5.paths"), network, lanes=str(INFINIBAND / "ring5.sl2vl"))
    return routing, plain, tables


def test_lash_on_a_ring_is_free_on_two_lanes() -> None:
    routing, plain, tables = lash()
    for levels in (plain, tables):
        verdict = lane_deadlock(routing, levels)
        assert verdict.free
        assert verdict.dependencies.lanes == (0, 1)
        assert levels.used() == [0, 1]
        check_deadlock(routing, verdict.claim(), levels)
    assert tables.lane is not None
    one = replace(tables, lane=np.where(tables.lane == 255, 255, 0).astype(np.uint8))
    verdict = lane_deadlock(routing, one)
    assert not verdict.free
    assert len(verdict.cycle) == 5
    assert "s3[1] -> s2[2] on lane 0 (held by a packet from s3-h0 to s1-h0 on level" in verdict.cycle_text()
    check_deadlock(routing, verdict.claim(), one)


def test_packets_without_a_lane_are_named() -> None:
    routing, plain, tables = lash()
    assert tables.lane is not None
    for value, words in ((255, "have no entry at s"), (15, "put service level 1 on lane 15 at s")):
        lane = tables.lane.copy()
        lane[:, 1] = value
        with pytest.raises(InputError, match=words):
            lane_deadlock(routing, replace(tables, lane=lane))
    last = replace(plain, level=np.where(plain.level == 2, 1 << 15, plain.level).astype(np.uint16))
    with pytest.raises(InputError, match=r"service level 15 at s.* lane 15, which is for management only"):
        lane_deadlock(routing, last)


def test_a_dropped_packet_holds_nothing() -> None:
    """A cycle on lane 15 is none: switches drop these packets."""
    routing, levels, _ = lash()
    single = replace(levels, level=np.where(levels.level > 0, 1, 0).astype(np.uint16))
    claim = lane_deadlock(routing, single).claim()
    lane = np.full((levels.turns.count, 16), 15, dtype=np.uint8)
    on_last = changed(claim, cycle=[[c, 15] for c, _ in claim.evidence.data["cycle"]])
    with pytest.raises(VerificationError, match="no packet from terminal"):
        check_deadlock(routing, on_last, replace(single, lane=lane))


def changed(claim: Claim, **data: object) -> Claim:
    return replace(claim, evidence=Evidence(claim.evidence.kind, {**claim.evidence.data, **data}))


def test_corrupted_claims_are_refused() -> None:
    routing, levels, _ = lash()
    claim = lane_deadlock(routing, levels).claim()
    number = unpack_ints(claim.evidence.data["number"], what="it", max_items=100)
    deps = lane_dependencies(routing, levels)
    swapped = number.copy()
    swapped[[deps.first[0], deps.second[0]]] = swapped[[deps.second[0], deps.first[0]]]
    single = replace(levels, level=np.where(levels.level > 0, 1, 0).astype(np.uint16))
    cyclic = lane_deadlock(routing, single).claim()
    cycle, packets = cyclic.evidence.data["cycle"], cyclic.evidence.data["packets"]
    wrong = [
        (claim, None, "which the report's subject does not have"),
        (changed(claim, number=pack_ints(swapped)), levels, "do not increase from s"),
        (changed(claim, number=pack_ints(number[:-1])), levels, "has 19 entries; 20 were expected"),
        (replace(claim, value="false"), levels, "true was expected"),
        (replace(claim, about={**claim.about, "lanes": "all"}), levels, "its qualifier.lanes is 'all'"),
        (claim, single, "20 entries; 10 were expected|holds 20 integers"),
        (replace(claim, evidence=Evidence("channel-order", claim.evidence.data)), levels, "which proves nothing here"),
        (cyclic, levels, "no packet from terminal"),
        (changed(cyclic, cycle=cycle[1:] + cycle[:1]), single, "no packet from terminal"),
        (changed(cyclic, cycle=[[c, 1] for c, _ in cycle]), single, "no packet from terminal"),
        (changed(cyclic, cycle=cycle[:1], packets=packets[:1]), single, "at least two channels"),
        (changed(cyclic, packets=[[9, 0, 0, 0]] * 5), single, "no packets such as"),
        (changed(cyclic, packets=["x"] * 5), single, "a list was expected"),
        (changed(cyclic, packets=[[0, 1, 0]] * 5), single, "not a list of source, destination"),
        (changed(cyclic, cycle=[[0, 16]] * 5), single, "lane from 0 to 15"),
    ]
    check_deadlock(routing, cyclic, single)
    for one, given, words in wrong:
        with pytest.raises(VerificationError, match=words):
            check_deadlock(routing, one, given)


def test_descriptions_that_make_no_sense() -> None:
    _, _, levels = lash()
    good = levels.describe()
    assert levels_from_description(good, levels.network).lane is not None
    for change, words in (
        ({"tables": 0}, "for 0 tables"),
        ({"tables": 2}, "do not fit 2 tables"),
        ({"level": "x"}, "not a packed list"),
        ({"level": pack_ints([1 << 16] * 25)}, "do not fit"),
        ({"lane": pack_ints([1, 2, 3])}, "virtual lanes do not fit"),
        ({"level": pack_ints([0] * 25)}, "none of the subject's packets has a service level"),
        ({"level": pack_ints([0, 1, *[0] * 23])}, "0 of its pairs of terminals have no service level; 19 have none"),
        ({"missing": 3}, "3 of its pairs of terminals have no service level; 0 have none"),
        ({"replies": "other"}, "in a form that is not known"),
        ({"certainly": 1}, "in a form that is not known"),
        ({"replies": "same", "level": pack_ints([1, 2, *[1] * 23])}, "some do not"),
        ({"missing": "3"}, "'3' of its pairs of terminals"),
    ):
        with pytest.raises(VerificationError, match=words):
            levels_from_description({**good, **change}, levels.network)
    with pytest.raises(VerificationError, match="are no object"):
        levels_from_description([], levels.network)
