"""Packets of a report are those of terminals: nodes without terminals send nothing, and nothing is sent to them."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.errors import VerificationError
from routeproof.core.faults import Faults
from routeproof.core.graph import lost_pair
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.core.rational import Rationals
from routeproof.formats.documents.network import network_to_document
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import digest
from routeproof.questions.answer import subject_of
from routeproof.routing.base.pair_table import PairTable
from routeproof.routing.base.routing import Routing
from routeproof.routing.base.tabled import TabledRouting
from routeproof.routing.dependencies.channels import channel_dependencies
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.failures import Failure, all_failures
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.failures import base_of, solve_failures, solve_rebuilt

pytestmark = pytest.mark.filterwarnings("ignore:updown has one root")

SOURCE = "Dally & Seitz 1987"


def ring_with_two_hosts() -> Network:
    """Five switches in a ring, both ways; terminals at nodes 0 and 1 only."""
    ends = [(v, (v + 1) % 5) for v in range(5)] + [((v + 1) % 5, v) for v in range(5)]
    return Network.of("two hosts on a ring", 5, ends, source=[0, 1], sink=[0, 1])


def round_the_ring(paths: str) -> Claim:
    """A cycle of packets, all of them between other nodes than those of the terminals, or to node 0 from outside."""
    packets = [[v, (v + 2) % 5] for v in range(5)]
    evidence = Evidence("channel-cycle", {"cycle": [0, 1, 2, 3, 4], "packets": packets})
    return Claim("deadlock_free", "==", "false", Grade.PROVED, evidence, source=SOURCE, about={"paths": paths})


def clockwise_tables(network: Network) -> Routing:
    """Next-hop entries round the ring, also from and to nodes without terminals."""
    return NextHop(np.array([[v if d != v else -1 for d in range(5)] for v in range(5)])).on(network)


def clockwise_loads(network: Network) -> Routing:
    """Loads in full round the ring, also of rows and columns without terminals."""
    entries = [(c % 5, i, (i + n) % 5) for i in range(5) for n in range(1, 5) for c in range(i, i + n)]
    channel, row, column = np.array(entries).T
    table = PairTable.of(channel, row, column, Rationals.ones(len(entries)), shape=(10, 5, 5))
    return TabledRouting(network, "loads", table)


ROUTINGS: dict[str, tuple[Any, str]] = {
    "minimal": (lambda network: routing_from_spec("minimal", network), "of-loads"),
    "next-hop": (clockwise_tables, "own"),
    "loads": (clockwise_loads, "of-loads"),
}


@pytest.mark.parametrize("name", ROUTINGS)
def test_a_cycle_of_packets_that_nobody_sends_is_refused(name: str) -> None:
    network = ring_with_two_hosts()
    make, paths = ROUTINGS[name]
    routing = make(network)
    verdict = deadlock(routing)
    assert verdict.free
    subject = subject_of(routing, topology="net.json")
    assert verify_claims(subject, [verdict.claim()])
    with pytest.raises(VerificationError, match="there are no packets from 0 to 2"):
        verify_claims(subject, [round_the_ring(paths)])


def test_packets_between_terminals_of_one_node_enter_no_channel() -> None:
    """A terminal's row and column may be on one node: by terminal, too, such a packet is none."""
    network = Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 0, 1], sink=[0, 0, 1])
    some = [(0, 2, 1, [0]), (1, 2, 1, [0, 1, 0]), (2, 0, 1, [1]), (2, 1, 1, [1])]
    routing = TableRouting(network, "mine", Paths.of(some))
    assert not routing.by_node
    assert not routing.sends(0, 1)
    assert routing.sends(0, 2)
    subject = {**subject_of(routing, topology="net.json"), "routing": describe_routing(routing, paths=True)}
    claim = deadlock(routing).claim()
    assert claim.value == "false"
    assert verify_claims(subject, [claim])
    wrong = Evidence(claim.evidence.kind, {**claim.evidence.data, "packets": [[0, 1], [1, 2]]})
    with pytest.raises(VerificationError, match="there are no packets from 0 to 1"):
        verify_claims(subject, [replace(claim, evidence=wrong)])


def crossed() -> TableRouting:
    """Two terminals on node 0 with equal loads and different paths; the second one closes a cycle."""
    ends = [(0, 1), (0, 1), (1, 2), (1, 2), (2, 0), (2, 0)]
    network = Network.of("two-rails", 3, ends, source=[0, 0, 1, 2], sink=[0, 0, 1, 2])
    half = Fraction(1, 2)
    some: list[Any] = [(0, 3, half, [0, 3]), (0, 3, half, [1, 2]), (1, 3, half, [0, 2]), (1, 3, half, [1, 3])]
    for t in (0, 1):
        some += [(t, 2, 1, [1]), (2, t, 1, [2, 4]), (3, t, 1, [4])]
    return TableRouting(network, "crossed", Paths.of([*some, (2, 3, 1, [3]), (3, 2, 1, [4, 0])]))


def numbered(number: list[int]) -> list[Claim]:
    """What 0.1.0 stated of ``crossed``: its numbers increase along the paths of the first terminal."""
    order = Evidence("channel-order", {"number": pack_ints(number)})
    free = Claim("deadlock_free", "==", "true", Grade.PROVED, order, source=SOURCE, about={"paths": "own"})
    alone = Evidence("virtual-channels", {"channels": pack_ints(number), "number": pack_ints(number)})
    about = {"assignment": "descents", "paths": "own"}
    few = Claim("virtual_channels", "<=", Fraction(1), Grade.PROVED, alone, SOURCE, about)
    return [free, few]


@pytest.mark.parametrize("which", [0, 1])
def test_what_was_proved_of_one_terminal_only_is_refused(which: int) -> None:
    routing = crossed()
    number = [4, 1, 2, 5, 3, 0]
    first = [path for _, path in routing.paths(0, 3)] + [[2, 4], [4, 0]]
    assert all(number[a] < number[b] for path in first for a, b in itertools.pairwise(path))
    subject = {**subject_of(routing, topology="net.json"), "routing": describe_routing(routing, paths=True)}
    with pytest.raises(VerificationError, match=r"do not increase from channel|uses 2 virtual channels"):
        verify_claims(subject, [numbered(number)[which]])


# -- grids, and paths by class, whose terminals are on some nodes only ----------------------------------------------


@pytest.mark.parametrize("name", ["dor", "valiant", "romm", "o1turn", "ival"])
@pytest.mark.parametrize("topology", ["torus:4x4", "mesh:3x3"])
def test_grids_with_terminals_on_some_nodes(topology: str, name: str) -> None:
    if name == "ival" and topology.startswith("mesh"):
        topology = "torus:5x3"
    whole = network_from_spec(topology)
    some = np.array([0, 1, 5])
    network = replace(whole, source=some, sink=some[::-1], symmetry=None)
    routing = routing_from_spec(name, network)
    edges = {
        edge
        for i in some.tolist()
        for j in some.tolist()
        if i != j
        for _, path in routing.paths(i, j)
        for edge in itertools.pairwise(path)
    }
    found = channel_dependencies(routing)
    assert set(zip(found.first.tolist(), found.second.tolist(), strict=True)) == edges
    assert {*found.row.tolist(), *found.column.tolist()} <= set(some.tolist())
    ends = {(int(i), int(j)) for x in routing.bundles() for i, j in zip(x.row, x.column, strict=True)}
    assert ends == {(i, j) for i in some.tolist() for j in some.tolist() if i != j}


# -- failures -------------------------------------------------------------------------------------------------------


def pendant() -> Network:
    """A triangle of terminals, and a switch without one that hangs on node 0."""
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (0, 3), (3, 0)]
    return Network.of("pendant", 4, ends, source=[0, 1, 2], sink=[0, 1, 2])


def pendant_loads(network: Network) -> Routing:
    entries = [(0, 0, 1), (5, 0, 2), (1, 1, 0), (2, 1, 2), (4, 2, 0), (3, 2, 1), (7, 3, 0), (6, 0, 3)]
    channel, row, column = np.array(entries).T
    table = PairTable.of(channel, row, column, Rationals.ones(len(entries)), shape=(8, 4, 4))
    return TabledRouting(network, "rt.json", table)


def pendant_table(network: Network) -> Routing:
    ways = {(0, 1): [0], (0, 2): [5], (1, 0): [1], (1, 2): [2], (2, 0): [4], (2, 1): [3]}
    return TableRouting(network, "table", Paths.of([(i, j, 1, path) for (i, j), path in ways.items()]))


def pendant_next_hops(network: Network) -> Routing:
    return NextHop(np.array([[-1, 0, 5, 6], [1, -1, 2, 1], [4, 3, -1, 4], [7, 7, 7, -1]])).on(network)


PENDANT: dict[str, Any] = {"loads": pendant_loads, "table": pendant_table, "next-hop": pendant_next_hops}


@pytest.mark.parametrize("name", [*PENDANT, "minimal", "sssp", "valiant", "updown"])
@pytest.mark.parametrize("failure", [Failure(links=((0, 3),)), Failure(nodes=(3,)), Failure(cables=((6, 7),))])
def test_what_separates_a_switch_without_terminals_separates_nothing(name: str, failure: Failure) -> None:
    network = pendant()
    routing = PENDANT[name](network) if name in PENDANT else routing_from_spec(name, network)
    some = [(list(failure.nodes), failure.channels(network))]
    (found,) = solve_failures(base_of(routing), failures=some)
    (whole,) = solve_failures(base_of(routing), failures=[([], [])])
    assert "lost" not in found
    assert found["load"] == whole["load"]
    if name not in PENDANT:
        document = {"network": network_to_document(network), "routing": describe_routing(routing)}
        (anew,) = solve_rebuilt(**document, failures=some)
        assert anew["load"] == solve_rebuilt(**document, failures=[([], [])])[0]["load"]


def false_failure(report: dict[str, Any]) -> dict[str, Any]:
    """The same report, its first claim saying that the failure separates terminals."""
    claim = next(x for x in report["claims"] if x["evidence"]["kind"] == "failure" and x["failed"] == "dead-links=0-3")
    about = {key: claim[key] for key in ("failed", "grade", "source")}
    evidence = {key: claim["evidence"][key] for key in ("kind", "nodes", "links")}
    false = {"quantity": "connected", "relation": "==", "value": "false", "unit": "", **about, "evidence": evidence}
    return {**report, "claims": [{**false, "digest": digest(false)}]}


@pytest.mark.parametrize("repair", ["reroute", "rebuild"])
@pytest.mark.parametrize("of", ["links", "switches", "cables"])
def test_the_command_end_to_end(repair: str, of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net, report = tmp_path / "net.json", tmp_path / "report.json"
    net.write_text(json.dumps(network_to_document(pendant())))
    words = ["failures", str(net), "--routing", "minimal", f"--{of}", "1", "--repair", repair]
    assert main([*words, "--json", str(report)]) == 0
    made = json.loads(report.read_text())
    assert {x["quantity"] for x in made["claims"]} == {"worst_case_load", "adaptive_load", "throughput"}
    assert main(["verify", str(report)]) == 0
    if of != "links":
        return
    report.write_text(json.dumps(false_failure(made)))
    assert main(["verify", str(report)]) == 1
    assert "every terminal still reaches every other" in capsys.readouterr().err


def test_loads_of_the_whole_network_are_not_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under ``rebuild`` a table speaks of the channels of what is left, whichever those are: it is no routing there."""
    net, report = tmp_path / "net.json", tmp_path / "report.json"
    net.write_text(json.dumps(network_to_document(pendant())))
    assert main(["failures", str(net), "-r", "minimal", "--repair", "rebuild", "--json", str(report)]) == 0
    made = json.loads(report.read_text())
    subject = {key: x for key, x in made["subject"].items() if key != "digest"}
    subject["routing"] = describe_routing(pendant_loads(pendant()))
    made["subject"] = {**subject, "digest": digest(subject)}
    report.write_text(json.dumps(made))
    capsys.readouterr()
    assert main(["verify", str(report)]) != 0
    assert "a routing made anew needs a name" in capsys.readouterr().err


def test_potentials_of_another_shape_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["failures", "ring:4", "-r", "minimal", "--repair", "rebuild", "--json", str(report)]) == 0
    made = json.loads(report.read_text())
    subject = {**made["subject"], "potentials": {"scale": "1", "column": pack_ints([0])}}
    made["subject"] = {**subject, "digest": digest(subject)}
    report.write_text(json.dumps(made))
    capsys.readouterr()
    assert main(["verify", str(report)]) == 1
    assert "potentials.column has 1 entries; 32 were expected" in capsys.readouterr().err


def two_islands() -> Network:
    """Terminal 1 sends from an island of its own (nodes 2 and 3), and receives at node 1."""
    return Network.of("islands", 4, [(0, 1), (1, 0), (2, 3), (3, 2)], source=[0, 2], sink=[0, 1])


def test_a_source_on_an_island_is_lost_though_the_first_source_reaches_all() -> None:
    assert lost_pair(two_islands()) == (2, 0)
    joined = Network.of("joined", 4, [(0, 1), (1, 0), (2, 1), (1, 2), (3, 2), (2, 3)], source=[0, 2], sink=[0, 1])
    assert lost_pair(joined) is None


def fly() -> Network:
    """Terminals that send at nodes 0, 1 and receive at nodes 4, 5; two switches between, and a way back."""
    ends = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 4), (2, 5), (3, 4), (3, 5), (0, 1), (1, 0), (4, 5), (5, 4)]
    return Network.of("fly", 6, ends, source=[0, 0, 1, 1], sink=[4, 4, 5, 4])


@pytest.mark.parametrize("count", [{"links": 1}, {"switches": 1}, {"links": 1, "switches": 1}])
def test_a_terminal_goes_with_either_of_its_nodes(count: dict[str, int]) -> None:
    """What is left of a terminal that sends at one node and receives at another is nothing, under both repairs."""
    network = fly()
    routing = routing_from_spec("minimal", network)
    some = [(list(x.nodes), x.channels(network)) for x in all_failures(network, **count)]
    kept = [
        x for x in some if any(v not in x[0] and w not in x[0] for v, w in zip([0, 0, 1, 1], [4, 4, 5, 4], strict=True))
    ]
    found = solve_failures(base_of(routing), failures=kept)
    anew = solve_rebuilt(network=network_to_document(network), routing=describe_routing(routing), failures=kept)
    for (nodes, channels), one, two in zip(kept, found, anew, strict=True):
        assert ("lost" in one) == ("lost" in two), (nodes, channels)
        assert one.get("load") == two.get("load"), (nodes, channels)
        left = Faults(nodes, channels).survivors(network).network
        assert ("lost" in one) == (lost_pair(left) is not None)


def test_reports_about_such_failures_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends = [(u, v) for u in range(5) for v in range(5) if u != v and (u, v) not in ((0, 3), (3, 0))]
    network = Network.of("shifted", 5, ends, source=[0, 1, 2, 2], sink=[1, 2, 3, 4])
    net, report = tmp_path / "net.json", tmp_path / "report.json"
    net.write_text(json.dumps(network_to_document(network)))
    for repair in ("reroute", "rebuild"):
        words = ["failures", str(net), "-r", "minimal", "--switches", "1", "--repair", repair, "--json", str(report)]
        assert main(words) == 0, capsys.readouterr().err
        assert main(["verify", str(report)]) == 0, capsys.readouterr().err
