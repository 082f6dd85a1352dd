"""Files of BookSim, SST, CAMINOS and Graphviz, and the worst permutation for other tools."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from routeproof import design_tables, mesh
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.format import read_network, write_network
from routeproof.formats.graphs.dot import dot_text
from routeproof.formats.resolve import resolve_network
from routeproof.formats.simulators.anynet import anynet_text, caminos_text, read_anynet
from routeproof.routing.files.sst import from_sst, sst_document, to_sst
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

TWO_HOSTS = Network.of("two", 3, [(0, 1), (1, 0), (1, 2), (2, 1)], source=[0, 0, 2], sink=[0, 0, 2])


def links(network: Network) -> set[tuple[int, int]]:
    return set(zip(network.tail.tolist(), network.head.tolist(), strict=True))


def written(tmp_path: Path, text: str, name: str = "net.anynet") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


# -- BookSim --------------------------------------------------------------------------------------------------


def test_the_example_of_its_authors_is_read(tmp_path: Path) -> None:
    network = read_anynet(written(tmp_path, "router 0 node 0 node 1 router 1 15\nrouter 1 node 2\nnode 3 router 1\n"))
    assert links(network) == {(0, 1), (1, 0)}
    assert network.source.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("topology", ["torus:4x4", "petersen", "mesh:3x2", "hypercube:3", "complete:5"])
def test_anynet_files_come_back(topology: str, tmp_path: Path) -> None:
    network = resolve_network(topology)
    write_network(network, tmp_path / "net.anynet")
    again = read_network(tmp_path / "net.anynet")
    assert links(again) == links(network)
    assert again.source.tolist() == network.source.tolist()
    first, second = (worst_case(routing_from_spec("minimal", x)).load for x in (again, network))
    assert first == second


@pytest.mark.parametrize("name", ["net.anynet", "net.caminos", "net.sst.json"])
def test_one_bandwidth_of_all_channels_is_left_out_with_a_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--routing", "dor"] if name.endswith("json") else []
    assert main(["convert", "torus:3x3,bandwidth=3/2", *more, str(tmp_path / name)]) == 0
    (line,) = [x for x in capsys.readouterr().err.splitlines() if x]
    assert re.fullmatch(r"warning: an? .* has no bandwidths: 3/2, that of all channels of torus.*, is left out", line)
    assert main(["convert", "torus:3x3", *more, str(tmp_path / name)]) == 0
    assert capsys.readouterr().err == ""


def test_terminals_apart_from_routers_come_back(tmp_path: Path) -> None:
    again = read_anynet(written(tmp_path, anynet_text(TWO_HOSTS)))
    assert (again.source.tolist(), links(again)) == ([0, 0, 2], links(TWO_HOSTS))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no router"),
        ("router 0\nrouter 1 router 0", "has no node"),
        ("rooter 0 node 0", "line 1: 'rooter' is neither"),
        ("router 0 node 0\n\nrouter", "line 3 ends after 'router'"),
        ("router 0 node 0 router x", "line 1: the number of a router is 'x'"),
        ("router 0 node 0 router 1 1.5", "line 1: a latency is '1.5'"),
        ("router 0 node 0 router 0", "line 1: router 0 is joined to itself"),
        ("node 0 node 1", "line 1: node 0 is joined to node 1"),
        ("node 0", "line 1: node 0 stands alone"),
        ("router 0 node 0\nrouter 1 node 0", "line 2: node 0 is joined to router 1; line 1 said 0"),
        ("router 0 node 0 router 2", "no router 1"),
        ("router 0 node 1", "no node 0"),
        ("router 0 node -1", "is '-1'"),
        ("router 99999999999 node 0", "a whole number below"),
        ("# a comment", "line 1: '#' is neither"),
    ],
)
def test_anynet_errors_name_the_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_anynet(written(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_mutilated_anynet_files_are_read_or_refused(tmp_path: Path) -> None:
    rng = random.Random(7)
    whole = anynet_text(resolve_network("torus:3x3"))
    for _ in range(400):
        text = list(whole)
        for _ in range(rng.randint(1, 6)):
            text[rng.randrange(len(text))] = rng.choice("0123456789 rnoe\n\t\r\x00#-.é")
        try:
            network = read_anynet(written(tmp_path, "".join(text[: rng.randint(0, len(text))])))
        except InputError:
            continue
        assert network.num_terminals >= 1


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (resolve_network("torus:3x3,bandwidth=2x1"), "unequal"),
        (resolve_network("ring:5,oneway"), "no opposite"),
        (Network.of("twins", 2, [(0, 1), (0, 1), (1, 0), (1, 0)]), "parallel channels"),
        (Network.of("apart", 2, [(0, 1), (1, 0)], source=[0], sink=[1]), "does not"),
    ],
)
def test_what_a_simulator_cannot_hold_is_not_written(network: Network, message: str) -> None:
    with pytest.raises(InputError, match=message):
        anynet_text(network)


# -- SST ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topology", "routing"), [("torus:3x3", "valiant"), ("petersen", "minimal"), ("mesh:3x3", "romm")]
)
def test_sst_tables_come_back_exactly(
    topology: str, routing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.sst.json"
    assert main(["convert", topology, "--routing", routing, str(path)]) == 0
    network = read_network(path)
    table = routing_from_spec(str(path), network)
    table.check()
    assert worst_case(table).load == worst_case(routing_from_spec(routing, resolve_network(topology))).load
    capsys.readouterr()


def test_sst_objects_are_those_its_python_takes() -> None:
    graph, table = to_sst(routing_from_spec("minimal", resolve_network("mesh:2x2")))
    assert nx.get_node_attributes(graph, "endpoints") == {0: 1, 1: 1, 2: 1, 3: 1}
    assert not graph.is_directed()
    assert sorted(table[0][3]) == [(0.5, [1, 3]), (0.5, [2, 3])]
    again = from_sst(graph, table)
    assert worst_case(again).load == worst_case(routing_from_spec("minimal", resolve_network("mesh:2x2"))).load


def test_tables_made_by_networkx_as_sst_makes_them_are_read() -> None:
    graph = nx.petersen_graph()
    nx.set_node_attributes(graph, 2, "endpoints")
    table: dict[int, dict[int, list[tuple[float, list[int]]]]] = {}
    for u in graph:
        for v in graph:
            ways = list(nx.all_shortest_paths(graph, u, v))
            table.setdefault(u, {})[v] = [(1 / len(ways), way[1:]) for way in ways]
    routing = from_sst(graph, table)
    assert routing.network.num_terminals == 20
    plain = Network.of("p", 10, [e for u, v in graph.edges for e in ((u, v), (v, u))],
                       source=np.repeat(range(10), 2).tolist(), sink=np.repeat(range(10), 2).tolist())  # fmt: skip
    assert worst_case(routing).load == worst_case(routing_from_spec("minimal", plain)).load


@pytest.mark.parametrize("name", ["bandwidth", "capacity", "lanes", "multiplicity"])
def test_what_edges_of_an_sst_graph_state_is_not_used_and_a_line_says_so(name: str) -> None:
    graph, table = to_sst(routing_from_spec("minimal", resolve_network("ring:3")))
    from_sst(graph, table)
    nx.set_edge_attributes(graph, 1, name)
    from_sst(graph, table)
    nx.set_edge_attributes(graph, {(0, 1): 4}, name)
    with pytest.warns(RouteproofWarning, match=rf"^the graph: edges state '{name}', not used: every (?!.*=)"):
        assert set(from_sst(graph, table).network.bandwidth) == {1}


def test_parallel_links_share_a_path() -> None:
    graph = nx.MultiGraph([(0, 1), (0, 1)])
    nx.set_node_attributes(graph, 1, "endpoints")
    routing = from_sst(graph, {0: {1: [(1.0, [1])]}, 1: {0: [(1.0, [0])]}})
    assert worst_case(routing).load == Fraction(1, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("routing_table"), "routing_table is null; an object"),
        (lambda d: d["routing_table"]["0"].pop("1"), "no path"),
        (lambda d: d["routing_table"]["0"].update({"1": [["1/2", [1]]]}), "sum to 1/2"),
        (lambda d: d["routing_table"]["0"].update({"1": [[0.123456789123, [1]]]}), "sum to"),
        (lambda d: d["routing_table"]["0"].update({"1": [["half", [1]]]}), "a weight is 'half'"),
        (lambda d: d["routing_table"]["0"].update({"1": [["1", [2]]]}), "ends at router 2|no link leads"),
        (lambda d: d["routing_table"]["0"].update({"9": [["1", [2]]]}), "routers are 0 to 3"),
        (lambda d: d["links"].append([0, 0]), "two different routers"),
        (lambda d: d["routers"][1].update({"id": 5}), r"routers\[1\]"),
        (lambda d: d.update({"extra": 1}), "has an unknown key 'extra'"),
    ],
)
def test_sst_errors_are_one_line(change, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    document = sst_document(routing_from_spec("minimal", resolve_network("mesh:2x2")))
    change(document)
    path = written(tmp_path, json.dumps(document), "bad.sst.json")
    assert main(["worst-case", str(path), "--routing", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert re.search(message, error)


# -- CAMINOS, Graphviz, permutations --------------------------------------------------------------------------


def test_caminos_adjacency() -> None:
    assert caminos_text(resolve_network("ring:3")) == "NODOS 3\nGRADO 2\nN 0\n1 2\nN 1\n0 2\nN 2\n0 1\n"
    with pytest.raises(InputError, match="equally many terminals"):
        caminos_text(TWO_HOSTS)


def test_dot_holds_every_link_and_harmless_names(tmp_path: Path) -> None:
    text = dot_text(resolve_network("torus:4x4"))
    assert text.count(" -- ") == 32
    assert dot_text(resolve_network("ring:5,oneway")).count(" -> ") == 5
    odd = Network.of('a"b', 2, [(0, 1), (1, 0)], labels=['x"\n];y', "\\"], bandwidth="3/2")
    assert 'label="x\\" ];y"' in dot_text(odd)
    assert '[label="3/2", bandwidth="3/2"]' in dot_text(odd)
    assert read_network(written(tmp_path, text, "net.dot")).num_channels == 64


def test_the_worst_permutation_for_other_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["worst-case", "torus:3x3", "--routing", "dor", "--json", str(report)]) == 0
    for form in ("txt", "map", "matrix"):
        assert main(["convert", str(report), str(tmp_path / f"worst.{form}")]) == 0
    image = [int(x) for x in (tmp_path / "worst.txt").read_text().split()]
    assert sorted(image) == list(range(9))
    pairs = [line.split() for line in (tmp_path / "worst.map").read_text().splitlines()]
    assert pairs == [[str(i), str(j)] for i, j in enumerate(image)]
    (line,) = (tmp_path / "worst.matrix").read_text().splitlines()  # YATES: one matrix, one line of n^2 numbers
    matrix = np.array(line.split(), dtype=float).reshape(9, 9)
    assert (matrix.argmax(axis=1) == image).all()
    for form in ("txt", "matrix"):
        capsys.readouterr()
        command = ["worst-case", "torus:3x3", "--routing", "dor", "--traffic", str(tmp_path / f"worst.{form}")]
        assert main([*command, "--json", "-"]) == 0
        claims = json.loads(capsys.readouterr().out)["claims"]
        worst = next(x["value"] for x in claims if x["quantity"] == "worst_case_throughput")
        assert [x["value"] for x in claims if x["quantity"] == "throughput"][1] == worst
    assert main(["convert", "torus:3x3", str(tmp_path / "x.map")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_tables_for_terminals_come_back_where_each_node_has_one() -> None:
    found = design_tables(mesh(2, 3), proposals=50).routing
    again = from_sst(*to_sst(found))
    assert not found.by_node
    assert worst_case(again).load == worst_case(found).load


@pytest.mark.parametrize(
    ("topology", "paths", "output", "message"),
    [
        ("fat-tree:4", "tables", "x.sst.json", "nodes with several terminals"),
        ("fat-tree:4", "single", "x.sst.json", "nodes with several terminals"),
        ("torus:46x46", "tables", "x.csv", "4,477,456 pairs of terminals"),
        ("torus:46x46", "single", "x.json", "4,477,456 pairs of terminals"),
        ("torus:46x46", "single", "x.xyz", "has the extension '.xyz'"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_search(
    topology: str, paths: str, output: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--objective", "worst-case", "--paths", paths, "--output", output]
    assert main(["design", topology, *arguments]) == 2
    assert message in capsys.readouterr().err
