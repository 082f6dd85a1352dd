"""Worst case, capacity and deadlock of random small networks against brute force, and the reports about them.

Several terminals a node, parallel channels of unequal bandwidths, switches without terminals, terminals that send and
receive at different nodes; tables by terminal, next-hop tables, random shortest paths, and mixtures of all of them.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute_force import (
    Judged,
    Plan,
    Ways,
    capacity,
    followed,
    minimal_ways,
    mixed,
    random_next_hops,
    random_plan,
    random_table,
)

from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.formats.packed_ints import unpack_ints
from routeproof.formats.report_file import claims_to_document, document_to_claims
from routeproof.report.compare import compare, comparison_subject
from routeproof.routing.base import Routing
from routeproof.routing.mixture import Mixture
from routeproof.routing.next_hop import NextHop
from routeproof.routing.spec import routing_from_spec
from routeproof.routing.table import TableRouting
from routeproof.verification import verify_claims

NETWORKS = 60
FEW = 10  # networks to one test


def network_of(plan: Plan) -> Network:
    return Network.of("random", plan.num_nodes, plan.ends, bandwidth=plan.width, source=plan.source, sink=plan.sink)


def routings_on(rng: random.Random, plan: Plan, network: Network) -> list[tuple[Routing, Ways]]:
    """Routings of all kinds, each with the paths that it was made from."""

    def table(name: str) -> tuple[Routing, Ways]:
        ways = random_table(rng, plan)
        items = [(i, j, weight, path) for (i, j), some in ways.items() for path, weight in some.items()]
        return TableRouting(network, name, Paths.of(items)), ways

    def next_hops(name: str, *, by_node: bool) -> tuple[Routing, Ways]:
        entries = random_next_hops(rng, plan, by_node=by_node)
        columns = "node" if by_node else "terminal"
        return NextHop(np.array(entries), columns=columns, name=name).on(network), followed(
            plan, entries, by_node=by_node
        )

    def minimal(choice: str) -> tuple[Routing, Ways]:
        return routing_from_spec(f"minimal:choice={choice}", network), minimal_ways(plan, choice)

    def mixture(name: str, *parts: tuple[Routing, Ways]) -> tuple[Routing, Ways]:
        share = [Fraction(x, sum(range(1, len(parts) + 1))) for x in range(1, len(parts) + 1)]
        one = Mixture([(w, routing) for w, (routing, _) in zip(share, parts, strict=True)], name=name)
        return one, mixed([(w, ways) for w, (_, ways) in zip(share, parts, strict=True)])

    by_node, by_terminal = next_hops("by node", by_node=True), next_hops("by terminal", by_node=False)
    per_path, per_hop = minimal("per-path"), minimal("per-hop")
    return [
        table("table"),
        by_node,
        by_terminal,
        per_path,
        per_hop,
        mixture("tables", by_node, by_terminal),
        mixture("paths", table("more"), by_node, table("still more")),
        mixture("all", table("one"), by_terminal, per_path if rng.random() < 0.5 else per_hop),
    ]


@pytest.mark.parametrize("first", range(0, NETWORKS, FEW))
def test_brute_force_agrees_and_reports_verify(first: int) -> None:
    for seed in range(first, first + FEW):
        rng = random.Random(seed)
        plan = random_plan(rng)
        network = network_of(plan)
        made = routings_on(rng, plan, network)
        found = compare([routing for routing, _ in made], virtual=True)
        for (routing, ways), claims in zip(made, found.claims, strict=True):
            check(Judged(plan, ways), {x.quantity: x for x in claims}, f"seed {seed}, {routing.name}")
        assert found.unjudged == (None,) * len(made)
        best = [x.value for claims in found.claims for x in claims if x.quantity == "capacity"]
        assert len(set(best)) <= 1
        if best:
            assert abs(float(best[0]) - capacity(plan)) < 1e-9 * max(1.0, float(best[0])), seed
        subject = comparison_subject(found, topology="net.json")
        report = json.loads(json.dumps(claims_to_document(subject, found.all_claims())))
        assert len(verify_claims(*document_to_claims(report))) == len(found.all_claims())


def check(truth: Judged, claims: dict[str, Any], what: str) -> None:
    assert claims["worst_case_load"].value == truth.worst_load(), what
    assert claims["worst_case_throughput"].value == 1 / truth.worst_load(), what
    assert claims["throughput"].value == 1 / truth.uniform_load(), what
    assert claims["average_path_length"].value == truth.average_length(), what
    minimal = Judged(truth.plan, minimal_ways(truth.plan, "per-path"))
    assert claims["average_path_length_of_minimal"].value == truth.average_length() / minimal.average_length(), what
    paths = claims["deadlock_free"].about["paths"]
    assert (claims["deadlock_free"].value == "true") == truth.deadlock_free(paths), what
    if "minimal" in what:  # all that the loads allow is what packets do
        assert truth.edges("own") == truth.edges("of-loads")
    lanes = claims["virtual_channels"]
    if lanes.about == {"assignment": "descents", "paths": "own"}:
        size = len(truth.plan.ends)
        number = unpack_ints(lanes.evidence.data["channels"], what="channels", max_items=size).tolist()
        needed = truth.lanes_needed(number)
        assert needed is not None, what
        assert needed <= lanes.value, what
