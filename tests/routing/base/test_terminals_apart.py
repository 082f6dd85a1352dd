"""Terminals of one node with equal loads and different paths: every reader of paths sees every terminal's own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths, path_numbers
from routeproof.formats.documents.network import network_to_document
from routeproof.formats.documents.routing import paths_to_document
from routeproof.graphs.flow_paths import flow_paths
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.files.sst import sst_document
from routeproof.routing.files.table import routing_from_file, routing_writer
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import deadlock, virtual_channels

HALF = Fraction(1, 2)
Item = tuple[int, int, Fraction | int, Sequence[int]]


def two_rails() -> Network:
    """A one-way ring of three nodes, every channel twice (0, 1; 2, 3; 4, 5); terminals 0 and 1 share node 0."""
    ends = [(0, 1), (0, 1), (1, 2), (1, 2), (2, 0), (2, 0)]
    return Network.of("two-rails", 3, ends, source=[0, 0, 1, 2], sink=[0, 0, 1, 2])


def items(ways: dict[int, list[list[int]]]) -> list[Item]:
    """``ways``: the paths, all alike, from terminals 0 and 1 to terminal 3, with equal loads; the rest is fixed."""
    result: list[Item] = [(i, 3, Fraction(1, len(paths)), path) for i, paths in ways.items() for path in paths]
    for t in (0, 1):
        result += [(t, 2, 1, [1]), (2, t, 1, [2, 4]), (3, t, 1, [4])]
    return [*result, (2, 3, 1, [3]), (3, 2, 1, [4, 0])]


CROSSED = {0: [[0, 3], [1, 2]], 1: [[0, 2], [1, 3]]}


def crossed() -> TableRouting:
    """Terminal 1 alone waits for channel 2 while it holds 0: with 2 -> 4 and 4 -> 0 that is a cycle."""
    return TableRouting(two_rails(), "crossed", Paths.of(items(CROSSED)))


def test_equal_loads_are_not_equal_paths() -> None:
    routing = crossed()
    assert not routing.by_node
    assert routing.row_of.tolist() == [0, 1, 2, 3]
    assert sorted(routing.paths(0, 3)) == [(HALF, [0, 3]), (HALF, [1, 2])]
    assert sorted(routing.paths(1, 3)) == [(HALF, [0, 2]), (HALF, [1, 3])]
    loads = routing.pair_loads([0, 1], [3, 3])
    assert loads.as_dict(0) == loads.as_dict(1)


def test_equal_paths_are_merged_whatever_their_order_and_parts() -> None:
    same = items({0: [[0, 3], [1, 2]], 1: [[1, 2], [0, 3]]})
    parted = [x for i, j, w, p in same for x in [(i, j, w / 2, p)] * (2 if i == 1 else 1)]
    parted += [(i, j, w / 2, p) for i, j, w, p in same if i != 1]
    for some in (same, parted):
        routing = TableRouting(two_rails(), "alike", Paths.of([(i, j, Fraction(w), p) for i, j, w, p in some]))
        assert routing.by_node
        assert sorted(routing.paths(0, 2)) == [(HALF, [0, 3]), (HALF, [1, 2])]
    heavier = [(i, j, {(0, 3): Fraction(2, 3), (1, 2): Fraction(1, 3)}.get(tuple(p), w) if i == 1 else w, p)
               for i, j, w, p in same]  # fmt: skip
    assert not TableRouting(two_rails(), "other weights", Paths.of(heavier)).by_node


def test_terminals_that_share_a_sink_are_told_apart_too() -> None:
    """The other way round: two receivers on one node, with equal loads and different paths."""
    net = Network.of(
        "rails", 3, [(0, 1), (0, 1), (1, 2), (1, 2), (2, 1), (1, 0)], source=[0, 1, 2, 2], sink=[0, 1, 2, 2]
    )
    some: list[Item] = [(0, 1, 1, [0]), (1, 0, 1, [5])]
    some += [(0, t, HALF, path) for t, ways in ((2, ([0, 2], [1, 3])), (3, ([0, 3], [1, 2]))) for path in ways]
    for t in (2, 3):
        some += [(1, t, 1, [2]), (t, 0, 1, [4, 5]), (t, 1, 1, [4])]
    routing = TableRouting(net, "crossed", Paths.of(some))
    assert not routing.by_node
    assert sorted(routing.paths(0, 3)) == [(HALF, [0, 3]), (HALF, [1, 2])]


def test_path_numbers_tell_paths_apart() -> None:
    paths = Paths.of(
        [(0, 1, 1, [0, 2]), (0, 2, 1, [0]), (1, 0, 1, [0, 2]), (2, 0, 1, [2, 0]), (1, 1, 1, []), (2, 2, 1, [])]
    )
    number = path_numbers(paths).tolist()
    assert number[0] == number[2]
    assert number[4] == number[5]
    assert len(set(number)) == 4
    assert path_numbers(Paths.of([])).tolist() == []


def own_edges(routing: TableRouting) -> set[tuple[int, int]]:
    """Dependencies of the paths as they were given."""
    given = routing.given
    return {edge for k in range(len(given)) for edge in zip(given.path(k), given.path(k)[1:], strict=False)}


def test_its_deadlock_is_seen() -> None:
    routing = crossed()
    assert not nx.is_directed_acyclic_graph(nx.DiGraph(own_edges(routing)))
    verdict = deadlock(routing)
    assert not verdict.free
    assert set(zip(verdict.dependencies.first.tolist(), verdict.dependencies.second.tolist(), strict=True)) == (
        own_edges(routing)
    )
    assert (1, 3) in verdict.packets  # terminal 1, which a merged row did not show
    assert virtual_channels(routing).count == 2


@pytest.mark.parametrize("other", ["table", "next-hop", "next-hop by terminal"])
def test_in_a_mixture_with_parts_of_other_rows(other: str) -> None:
    """Rows of the parts become terminals of the mixture, each with its own paths."""
    network = two_rails()
    by_node = np.array([[-1, 1, 1], [2, -1, 3], [4, 4, -1]])
    parts = {
        "table": TableRouting(network, "plain", Paths.of(items({0: [[1, 3]], 1: [[1, 3]]}))),
        "next-hop": NextHop(by_node).on(network),
        "next-hop by terminal": NextHop(
            np.array([[-1, -1, 1, 1], [2, 3, -1, 3], [4, 5, 4, -1]]), columns="terminal"
        ).on(network),
    }
    mixture = Mixture([(HALF, crossed()), (HALF, parts[other])])
    verdict = deadlock(mixture)
    assert not verdict.free
    for c, following, (row, column) in zip(
        verdict.cycle, verdict.cycle[1:] + verdict.cycle[:1], verdict.packets, strict=True
    ):
        ways = [path for _, path in mixture.decomposition(row, column)]
        assert any((c, following) in itertools.pairwise(path) for path in ways)
    assert {tuple(p): w for w, p in mixture.decomposition(1, 3)}[0, 2] == Fraction(1, 4)


def test_what_is_written_is_what_was_read(tmp_path: Path) -> None:
    routing = crossed()
    path = tmp_path / "out.json"
    routing_writer(path)(routing)
    again = routing_from_file(str(path), routing.network)
    assert isinstance(again, TableRouting)
    for i in range(4):
        for j in range(4):
            assert sorted(again.paths(i, j)) == sorted(routing.paths(i, j))
    network = Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 0, 1], sink=[0, 0, 1])
    some = [(0, 2, 1, [0]), (1, 2, 1, [0, 1, 0]), (2, 0, 1, [1]), (2, 1, 1, [1])]
    with pytest.raises(InputError, match="SST's tables go by router"):
        sst_document(TableRouting(network, "apart", Paths.of(some)))


def test_a_description_with_loads_keeps_terminals_apart() -> None:
    """Loads of terminals that are told apart come by terminal; they never speak of paths."""
    routing = crossed()
    described = describe_routing(routing)
    assert (described["rows"], described["columns"]) == ("terminal", "terminal")
    again = routing_from_description(described, routing.network)
    assert not deadlock(again).dependencies.by_paths
    assert not deadlock(again).free


def files(folder: Path) -> list[str]:
    routing = crossed()
    network, table = folder / "net.json", folder / "routing.json"
    network.write_text(json.dumps(network_to_document(routing.network)))
    table.write_text(json.dumps(paths_to_document(routing.given, routing.network)))
    return [str(network), str(table)]


@pytest.mark.parametrize("verb", ["deadlock", "check", "compare"])
def test_the_command_says_so_and_verifies_it(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network, table = files(tmp_path)
    report = str(tmp_path / "report.json")
    words = {"deadlock": [network, "--routing", table], "check": [table], "compare": [network, table]}[verb]
    assert main([verb, *words, "--json", report]) == 0
    found = {x["quantity"]: x["value"] for x in json.loads(Path(report).read_text())["claims"]}
    assert found["deadlock_free"] == "false"
    assert main(["verify", report]) == 0
    assert "verified" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weight": 0}, "a positive number was expected"),
        ({"weight": "-1/2"}, "a positive number was expected"),
        ({"source": 0, "destination": 1, "channels": [0, 2, 4]}, "such a packet never enters the network"),
        ({"source": 3, "destination": 3, "channels": [4, 0, 2]}, "such a packet never enters the network"),
        ({"channels": []}, "is empty, but leads from node 0 to node 2"),
        ({"channels": [0, 4]}, "is broken"),
    ],
)
def test_paths_that_no_packet_takes_are_refused(
    change: dict[str, Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path of weight 0, and paths between terminals on one node: refused by name, by every reader of the document."""
    network, table = files(tmp_path)
    document = json.loads(Path(table).read_text())
    pair = next(x for x in document["pairs"] if (x["source"], x["destination"]) == (0, 3))
    new = {"weight": 1, "channels": [0, 3], "source": 0, "destination": 3, **change}
    if (new["source"], new["destination"]) == (0, 3):
        pair["paths"].append({key: new[key] for key in ("weight", "channels")})
    else:
        paths = [{key: new[key] for key in ("weight", "channels")}]
        document["pairs"].append({"source": new["source"], "destination": new["destination"], "paths": paths})
    Path(table).write_text(json.dumps(document))
    assert main(["worst-case", network, "--routing", table]) == 2
    assert words in capsys.readouterr().err
    assert main(["deadlock", network, "--routing", table]) == 2
    assert words in capsys.readouterr().err


def test_a_path_through_its_own_destination_counts_in_loads_and_in_deadlock() -> None:
    """It passes the node where it will end, and crosses one channel twice: both are as the document says."""
    net = Network.of("ring", 3, [(0, 1), (1, 2), (2, 0)])
    some: list[Item] = [(0, 1, 1, [0, 1, 2, 0]), (0, 2, 1, [0, 1]), (1, 2, 1, [1]), (1, 0, 1, [1, 2]), (2, 0, 1, [2])]
    some += [(2, 1, 1, [2, 0])]
    routing = TableRouting(net, "round", Paths.of(some))
    assert routing.pair_loads([0], [1]).as_dict() == {0: 2, 1: 1, 2: 1}
    edges = zip(deadlock(routing).dependencies.first.tolist(), deadlock(routing).dependencies.second.tolist(),
                strict=True)  # fmt: skip
    assert set(edges) == own_edges(routing) == {(0, 1), (1, 2), (2, 0)}


def test_paths_of_loads_have_these_loads_with_their_cycles() -> None:
    """Valiant's packets may pass a channel twice: the paths that its loads are taken apart into do so as well."""
    routing = routing_from_spec("valiant", network_from_spec("petersen"))
    for i, j in itertools.permutations(range(10), 2):
        loads: dict[int, Fraction] = {}
        for weight, path in routing.decomposition(i, j):
            for c in path:
                loads[c] = loads.get(c, Fraction(0)) + weight
        assert loads == routing.pair_loads([i], [j]).as_dict()


@pytest.mark.parametrize(
    ("loads", "paths"),
    [
        ({0: "1", 1: "1/2", 2: "1/2", 3: "1/2"}, [("1/2", [0, 1, 2, 3]), ("1/2", [0])]),
        ({0: "7/2", 1: "5/2", 2: "5/2", 3: "1"}, None),
        ({0: "1", 1: "5/2", 2: "5/2", 3: "5/2"}, [("1/2", [0, *[1, 2, 3] * 3]), ("1/2", [0, *[1, 2, 3] * 2])]),
        ({0: "1", 4: "1", 5: "1"}, None),
    ],
)
def test_cycles_are_walked_by_those_who_pass_them(
    loads: dict[int, str], paths: list[tuple[str, list[int]]] | None
) -> None:
    """From 0 to 1; 1 -> 2 -> 3 -> 1 is a cycle on the way, 4 <-> 5 is one that no packet comes to."""
    network = Network.of("loops", 6, [(0, 1), (1, 2), (2, 3), (3, 1), (4, 5), (5, 4)])
    flow = {c: Fraction(x) for c, x in loads.items()}
    if paths is None:
        with pytest.raises(InputError, match="no path there leads over it"):
            flow_paths(network, flow, 0, 1)
        return
    assert flow_paths(network, flow, 0, 1) == [(Fraction(w), path) for w, path in paths]


def test_paths_that_are_not_the_routings_own_are_called_so(tmp_path: Path) -> None:
    """Loads are taken apart into few paths: they need not wait for one another as the routing's packets do."""
    write = routing_writer(tmp_path / "routing.json")
    network = network_from_spec("mesh:3x3")
    assert write(routing_from_spec("romm", network)) == "routing document"
    for name in ("minimal", "mix:1/2*romm+1/2*minimal"):
        assert write(routing_from_spec(name, network)) == "routing document (few paths with the same loads)"
    sst = routing_writer(tmp_path / "routing.sst.json")
    assert sst(routing_from_spec("minimal", network)) == "SST path table (few paths with the same loads)"
