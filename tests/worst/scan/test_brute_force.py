"""Worst case, capacity and deadlock of random small networks against brute force, and the reports about them.

Several terminals a node, parallel channels of unequal bandwidths, switches without terminals, terminals that send and
receive at different nodes; tables by terminal, next-hop tables, random shortest paths, and mixtures of all of them.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
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
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.formats.documents.network import network_to_document
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.formats.documents.report import claims_to_document, document_to_claims
from routeproof.questions.answer import subject_of
from routeproof.questions.compare import Compare
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.files.table import routing_writer
from routeproof.routing.named.described import routing_from_description
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.failures import Failure
from routeproof.verification import verify_claims

pytestmark = pytest.mark.filterwarnings("ignore:updown has one root")

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
        found = Compare([routing for routing, _ in made], virtual_channels=True).answer()
        for (routing, ways), claims in zip(made, found.by_routing, strict=True):
            check(Judged(plan, ways), {x.quantity: x for x in claims}, f"seed {seed}, {routing.name}")
        assert found.unjudged == (None,) * len(made)
        best = [x.value for claims in found.by_routing for x in claims if x.quantity == "capacity"]
        assert len(set(best)) <= 1
        if best:
            assert abs(float(best[0]) - capacity(plan)) < 1e-9 * max(1.0, float(best[0])), seed
        subject = found.subject
        report = json.loads(json.dumps(claims_to_document(subject, found.claims())))
        assert len(verify_claims(*document_to_claims(report))) == len(found.claims())


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


def written(routing: Routing, file: Path) -> Ways:
    """The paths of the document that ``convert`` writes, read as plain JSON; every pair's weights must sum to 1."""
    routing_writer(file)(routing)
    ways: Ways = {}
    for pair in json.loads(file.read_text())["pairs"]:
        some = ways.setdefault((pair["source"], pair["destination"]), {})
        for path in pair["paths"]:
            way = tuple(path["channels"])
            some[way] = some.get(way, Fraction(0)) + Fraction(path["weight"])
    return ways


NAMED = ["valiant", "updown", "updown:paths=one", "sssp", "lash", "random-path:seed=3", "wcmp"]


def test_named_routings_are_what_convert_writes(tmp_path: Path) -> None:
    """Documents of routings by name, judged by brute force: also where packets cross a channel twice on their way."""
    judged = set()
    for seed in range(200, 214):
        plan = random_plan(random.Random(seed))
        network = network_of(plan)
        made = []
        for name in NAMED:
            try:
                routing = routing_from_spec(name, network)
            except InputError:  # up*/down* without channels both ways, Valiant without intermediates
                continue
            made.append((routing, written(routing, tmp_path / "routing.json")))
        found = Compare([routing for routing, _ in made], virtual_channels=True).answer()
        for (routing, ways), claims in zip(made, found.by_routing, strict=True):
            judged.add(routing.name)
            check(Judged(plan, ways), {x.quantity: x for x in claims}, f"seed {seed}, {routing.name}")
        subject = found.subject
        report = json.loads(json.dumps(claims_to_document(subject, found.claims())))
        assert verify_claims(*document_to_claims(report))
    assert judged == set(NAMED)


def test_loads_of_nodes_without_terminals_count_nowhere() -> None:
    """Loads in full by node, some of them of pairs that send nothing: whatever these are, no number knows them."""
    unsent = 0
    for seed in range(100, 120):
        rng = random.Random(seed)
        plan = random_plan(rng)
        network = network_of(plan)
        everyone = replace(plan, source=list(range(plan.num_nodes)), sink=list(range(plan.num_nodes)))
        ways = random_table(rng, everyone)
        loads: list[Any] = []
        for (u, v), some in Judged(everyone, ways).loads.items():
            values = [str(x) for x in some.values()]
            if u not in plan.source or v not in plan.sink:
                unsent += 1
                values = ["70/3"] * len(values)
            loads.append([u, v, list(some), values])
        routing = routing_from_description({"spec": "mine", "rows": "node", "columns": "node", "loads": loads}, network)
        routing.check()
        truth = Judged(plan, {(i, j): ways[plan.source[i], plan.sink[j]] for i, j in plan.pairs})
        found = Compare([routing], virtual_channels=True).answer()
        check(truth, {x.quantity: x for x in found.by_routing[0]}, f"seed {seed}")
        best = next(x.value for x in found.by_routing[0] if x.quantity == "capacity")
        assert abs(float(best) - capacity(plan)) < 1e-9 * max(1.0, float(best)), seed
        for options in ({"all_channels": True}, {"model": "unbalanced"}):
            claims = answer_worst_case(routing, **options).stated
            report = json.loads(json.dumps(claims_to_document(subject_of(routing, topology="net.json"), claims)))
            assert verify_claims(*document_to_claims(report))
    assert unsent > 100


def failed(plan: Plan, ways: Ways, nodes: set[int], channels: set[int]) -> Judged | None:
    """After a failure: pairs that crossed it take all shortest paths of what is left alike; None where one has none."""
    dead = channels | {c for c, x in enumerate(plan.ends) if nodes & set(x)}
    left = replace(plan, ends=[(-1, -2) if c in dead else x for c, x in enumerate(plan.ends)])
    pairs = [(i, j) for i, j in plan.pairs if not nodes & {plan.source[i], plan.sink[i], plan.source[j], plan.sink[j]}]
    known: Ways = {}
    for i, j in pairs:
        known[i, j] = ways[i, j]
        if any(dead & set(path) for path in ways[i, j]):
            if plan.source[i] not in left.distances(plan.sink[j]):
                return None
            alone = replace(left, source=[plan.source[i]], sink=[plan.sink[j]])
            known[i, j] = minimal_ways(alone, "per-path")[0, 0]
    return Judged(plan, known)


@pytest.mark.parametrize("of", ["links", "switches", "cables"])
def test_failures_by_brute_force(of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By split, through the command: values, what is separated, and that the report verifies."""
    seen: set[bool] = set()
    for seed in range(300, 306):
        rng = random.Random(seed)
        plan = random_plan(rng)
        network = network_of(plan)
        net, report = str(tmp_path / "net.json"), tmp_path / "report.json"
        Path(net).write_text(json.dumps(network_to_document(network)))
        made = routings_on(rng, plan, network)
        for name in rng.sample(["table", "by node", "by terminal", "minimal:choice=per-hop"], 2):
            routing, ways = next(x for x in made if x[0].name == name)
            given = name
            if not name.startswith("minimal"):
                given = str(tmp_path / "routing.json")
                routing_writer(given)(routing)
            if main(["failures", net, "-r", given, "--json", str(report), f"--{of}", "1", "--repair", "split"]) != 0:
                assert "no channel of random is ever loaded" in capsys.readouterr().err, seed
                continue
            for claim in json.loads(report.read_text())["claims"]:
                if claim["evidence"]["kind"] != "failure" or claim["quantity"] == "throughput":
                    continue
                failure = Failure(
                    tuple(claim["evidence"]["nodes"]),
                    tuple(map(tuple, claim["evidence"]["links"])),
                    tuple(map(tuple, claim["evidence"].get("cables", ()))),
                )
                truth = failed(plan, ways, set(failure.nodes), set(failure.channels(network)))
                what = f"seed {seed}, {name}, {failure.text}"
                seen.add(truth is None)
                if claim["quantity"] == "adaptive_load":
                    assert truth is None or Fraction(claim["value"]) <= truth.worst_load(), what
                elif truth is None:
                    assert (claim["quantity"], claim["value"]) == ("connected", "false"), what
                else:
                    assert (claim["quantity"], Fraction(claim["value"])) == ("worst_case_load", truth.worst_load()), (
                        what
                    )
            assert main(["verify", str(report)]) == 0, capsys.readouterr().err
    assert seen == {True, False}
