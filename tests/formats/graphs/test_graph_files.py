"""GraphML, GML and networkx graphs become the networks that they describe."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from places import ZOO
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.documents.network import first_difference
from routeproof.formats.format import read_network, write_network
from routeproof.formats.graphs.networkx_graph import from_networkx, to_networkx
from routeproof.formats.resolve import convert

ZOO_FILES = sorted(ZOO.glob("*.graphml"))

# Some files of the Topology Zoo state link speeds, on some edges.
zoo = pytest.mark.filterwarnings("ignore:.*not used. every channel has bandwidth 1")

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="b" for="edge" attr.name="bandwidth"/>'

ONE_EDGE = (
    '<graph edgedefault="directed"><node id="a"/><node id="b"/>'
    '<edge source="a" target="b"><data key="b">{}</data></edge></graph>'
)


def graphml(tmp_path: Path, body: str, *, head: str = HEAD, name: str = "net.graphml") -> Path:
    path = tmp_path / name
    path.write_text(f"{head}{body}</graphml>", encoding="utf-8")
    return path


def gml(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "net.gml"
    path.write_text(text, encoding="utf-8")
    return path


def channels(network: Network) -> list[tuple[int, int, Fraction]]:
    return list(zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True))


def same(a: Network, b: Network) -> bool:
    return first_difference(a, b) is None and a.labels == b.labels


# -- real files -----------------------------------------------------------------------------------------------


@zoo
@pytest.mark.parametrize("path", ZOO_FILES, ids=lambda path: path.stem)
def test_real_files_agree_with_networkx(path):
    network = read_network(path)
    graph = nx.read_graphml(path, force_multigraph=True)
    assert network.num_nodes == len(graph)
    assert network.num_channels == 2 * graph.number_of_edges()
    number = {node: v for v, node in enumerate(graph)}
    theirs = Counter()
    for u, v in graph.edges():
        theirs[number[u], number[v]] += 1
        theirs[number[v], number[u]] += 1
    assert Counter(zip(network.tail.tolist(), network.head.tolist(), strict=True)) == theirs
    assert network.reverse is not None
    assert network.name == path.stem
    assert len(set(network.labels)) == network.num_nodes
    assert set(network.bandwidth) == {Fraction(1)}


def test_edges_keep_the_order_of_the_file():
    network = read_network(ZOO / "Abilene.graphml")
    assert network.channel_label(0) == "New York -> Chicago"
    assert network.channel_label(1) == "Chicago -> New York"
    assert network.channel_label(27) == "Indianapolis -> Atlanta"


@zoo
def test_parallel_edges_of_a_real_file_stay_parallel():
    network = read_network(ZOO / "Cernet.graphml")
    assert max(Counter(zip(network.tail.tolist(), network.head.tolist(), strict=True)).values()) == 2


def test_a_disconnected_network_is_read():
    network = read_network(ZOO / "DeutscheTelekom.graphml")
    parts = nx.weakly_connected_components(to_networkx(network))
    assert sorted(map(len, parts)) == [1, 1, 7, 30]


def test_a_named_bandwidth_that_some_edges_lack_is_refused():
    with pytest.raises(InputError, match=r"6 of 59 edges have no attribute 'LinkSpeedRaw', first edge 9 \(Xianggang"):
        read_network(ZOO / "Cernet.graphml", bandwidth="LinkSpeedRaw")


def test_a_misspelt_bandwidth_gets_the_nearest_name():
    with pytest.raises(InputError, match="did you mean 'LinkSpeedRaw'"):
        read_network(ZOO / "Cernet.graphml", bandwidth="LinkSpeedRow")


@zoo
@pytest.mark.parametrize("extension", ["json", "graphml", "gml", "xml"])
@pytest.mark.parametrize("path", ZOO_FILES, ids=lambda path: path.stem)
def test_real_files_survive_conversion(path, extension, tmp_path):
    target = tmp_path / f"out.{extension}"
    assert same(convert(str(path), target), read_network(target))
    assert same(read_network(path), read_network(target))


# -- meaning --------------------------------------------------------------------------------------------------


def test_directed_undirected_and_mixed_edges(tmp_path):
    path = graphml(
        tmp_path,
        '<graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>'
        '<edge source="b" target="a"/><edge source="c" target="b" directed="true"/>'
        '<edge source="a" target="b"/></graph>',
    )
    network = read_network(path)
    assert [x[:2] for x in channels(network)] == [(1, 0), (0, 1), (2, 1), (0, 1), (1, 0)]
    assert network.labels == ("a", "b", "c")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e9", Fraction(10**9)),
        ("155000000.0", Fraction(155 * 10**6)),
        ("0.1", Fraction(1, 10)),
        (" 3/2\n", Fraction(3, 2)),
        ("0.1000000000000000000000000001", Fraction(10**27 + 1, 10**28)),
    ],
)
def test_bandwidths_are_exact_decimals(text, value, tmp_path):
    assert channels(read_network(graphml(tmp_path, ONE_EDGE.format(text)))) == [(0, 1, value)]
    if "/" not in text:
        path = gml(
            tmp_path, f"graph [ directed 1 node [ id 7 ] node [ id 9 ] edge [ source 7 target 9 bandwidth {text} ] ]"
        )
        assert channels(read_network(path)) == [(0, 1, value)]


@pytest.mark.parametrize("text", ["0", "-1", "NaN", "inf", "-inf", "fast", "", "1e99999", "1/0", "9" * 5000])
def test_bandwidths_that_are_no_positive_numbers_are_refused(text, tmp_path):
    with pytest.raises(InputError, match=r"net.graphml: bandwidth of edge 0 \(a -> b\)") as caught:
        read_network(graphml(tmp_path, ONE_EDGE.format(text)))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    with pytest.raises(InputError, match="bandwidth of edge 0"):
        read_network(
            gml(tmp_path, f'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 bandwidth "{text}" ] ]')
        )


def test_a_second_bandwidth_on_one_edge_is_refused(tmp_path):
    path = gml(tmp_path, "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 bandwidth 2 bandwidth 3 ] ]")
    with pytest.raises(InputError, match="is several values; one number was expected"):
        read_network(path)


def test_edges_without_bandwidth_among_others_are_refused(tmp_path):
    path = gml(
        tmp_path,
        "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 bandwidth 5 ] edge [ source 2 target 1 ] ]",
    )
    with pytest.raises(
        InputError, match=r"1 of 2 edges have no attribute 'bandwidth', first edge 1 .*missing=5.*bandwidth=1"
    ):
        read_network(path)
    assert set(read_network(path, bandwidth=1).bandwidth) == {1}


def test_one_number_for_all_channels():
    network = read_network(ZOO / "Abilene.graphml", bandwidth=Fraction(3, 2))
    assert set(network.bandwidth) == {Fraction(3, 2)}
    with pytest.raises(InputError, match="positive"):
        read_network(ZOO / "Abilene.graphml", bandwidth=0)


def test_self_loops_are_dropped_with_a_warning(tmp_path):
    path = gml(tmp_path, "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 1 ] edge [ source 1 target 2 ] ]")
    with pytest.warns(RouteproofWarning, match=r"a self-loop dropped \(at node 1\)"):
        network = read_network(path)
    assert [x[:2] for x in channels(network)] == [(0, 1), (1, 0)]


def test_equal_labels_get_the_identifier(tmp_path):
    path = gml(tmp_path, 'graph [ node [ id 1 label "x" ] node [ id 2 label "x" ] node [ id 3 label "y&#10;z" ] ]')
    assert read_network(path).labels == ("x (1)", "x (2)", "y z")


def test_terminals_are_counted_per_node(tmp_path):
    path = gml(tmp_path, "graph [ node [ id 1 terminals 2 ] node [ id 2 terminals 0 ] node [ id 3 terminals 1 ] ]")
    network = read_network(path)
    assert network.source.tolist() == network.sink.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (
            "node [ id 1 terminals 2 ] node [ id 2 ]",
            "1 of 2 nodes have no attribute 'terminals', first node 2; write 0",
        ),
        ("node [ id 1 terminals -1 ]", "terminals of node 1 is '-1'"),
        ("node [ id 1 terminals 1.5 ]", "an integer of at least 0"),
        ("node [ id 1 terminals 0 ]", "has 0 terminals"),
        ("node [ id 1 terminals 1000000000000 ]", "has 1000000000000 terminals"),
    ],
)
def test_terminals_that_make_no_sense_are_refused(nodes, message, tmp_path):
    with pytest.raises(InputError, match=message):
        read_network(gml(tmp_path, f"graph [ {nodes} ]"))


def test_defaults_of_keys_apply(tmp_path):
    head = HEAD.replace(
        "/>", '><default>5</default></key><key id="t" for="node" attr.name="terminals"><default>0</default></key>'
    )
    body = (
        '<graph edgedefault="directed"><node id="a"><data key="t">1</data></node><node id="b"/>'
        '<edge source="a" target="b"/><edge source="b" target="a"><data key="b">2</data></edge></graph>'
    )
    network = read_network(graphml(tmp_path, body, head=head))
    assert [x[2] for x in channels(network)] == [5, 2]
    assert network.source.tolist() == [0]


def test_foreign_elements_inside_data_are_not_read(tmp_path):
    body = (
        '<graph edgedefault="directed"><node id="a"><data key="b"><y><data key="zz">7</data><graph/></y></data></node>'
        '<node id="b"><port name="p"/></node><edge source="a" target="b"><data key="b">2</data></edge></graph>'
    )
    assert channels(read_network(graphml(tmp_path, body))) == [(0, 1, 2)]
    with pytest.raises(InputError, match=r"bandwidth of edge 0 .* is '2<y>'; a number"):
        read_network(graphml(tmp_path, body.replace("2</data>", "2<y>3</y></data>")))


# -- refusals -------------------------------------------------------------------------------------------------


BOMB = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB + "<graphml>&b;</graphml>", "line 1: document type and entity declarations are not read"),
        ("<graphml><graph edgedefault='directed'><node id='a'/>", "not well-formed XML: no element found at line 1"),
        ("<graphml>\n<graph></grph>", "mismatched tag at line 2, column 10"),
        ("", "is empty; a network document was expected"),
        ("<svg/>", "starts with <svg>; <graphml> was expected"),
        ("<graphml/>", "holds no <graph>"),
        ("<graphml><graph/></graphml>", "has no nodes"),
        ("<graphml><graph><node id='a'/></graph><graph/></graphml>", "second or nested <graph>"),
        ("<graphml><graph><node id='a'><graph/></node></graph></graphml>", "second or nested <graph>"),
        ("<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", "node 'a' is there twice"),
        ("<graphml><graph><node/></graph></graphml>", "<node> has no attribute 'id'"),
        ("<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>", "<edge> has no attribute 'target'"),
        ("<graphml><graph>\n<node id='a'/>\n<edge source='a' target='b'/></graph></graphml>", "line 3: .* node 'b'"),
        ("<graphml><graph edgedefault='both'/></graphml>", "edgedefault is 'both'"),
        ("<graphml><graph><node id='a'><data key='q'>1</data></node></graph></graphml>", "key 'q', which no <key>"),
        ("<graphml><key id='k'/><key id='k'/></graphml>", "key 'k' is declared twice"),
        ("<graphml><graph><hyperedge/></graph></graphml>", "hyperedges are not read"),
        ("<graphml>" + "<a>" * 10_000, "nested too deeply"),
        ("<graphml>" + "".join(f"<key id='{k}'/>" for k in range(2000)), "more than 1000 keys"),
        ("<?xml version='1.0' encoding='shift_jis'?><graphml/>", "encoding"),
        ("<?xml version='1.0' encoding='nonsense'?><graphml/>", "encoding"),
    ],
)
def test_graphml_that_cannot_be_read_is_refused_in_one_line(text, message, tmp_path):
    path = tmp_path / "bad.graphml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_network(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; a network document was expected"),
        ("# nothing", "holds 0 graphs"),
        ("graph [", "ends too early"),
        ("graph [ node [ id 1 ]", "ends too early"),
        ("graph", "ends too early"),
        ('graph [ node [ id "1', "a string is not closed"),
        ("graph [ ] ]", "found ']'; a key was expected"),
        ("graph [ node ]", "key 'node' has no value"),
        ("graph [ node 3 ]", "'node' is '3'"),
        ("graph [\n node [ id 1 ]\n node [ id 1 ] ]", "line 3: node '1' is there twice"),
        ("graph [ node [ label 1 ] ]", "a node has no 'id'"),
        ("graph [ node [ id 1 id 2 ] ]", "more than one 'id'"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "an edge ends at node '2'"),
        ("graph [ node [ id 1 ] edge [ source 1 ] ]", "an edge has no 'target'"),
        ("graph [ directed 2 node [ id 1 ] ]", "directed is '2'"),
        ("graph [ node [ id 1 ] ] graph [ node [ id 1 ] ]", "holds 2 graphs"),
        ("graph [ node [ id { ] ]", "'{.*' is unexpected"),
        ("graph [ " * 10_000, "nested too deeply"),
        ("\x00\xff", "unexpected"),
    ],
)
def test_gml_that_cannot_be_read_is_refused_in_one_line(text, message, tmp_path):
    path = gml(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        read_network(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("extension", ["graphml", "gml"])
def test_enormous_graph_files_are_not_read(extension, tmp_path):
    path = tmp_path / f"big.{extension}"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(InputError, match=r"is 100.0 MB; at most 64.0 MB are expected"):
        read_network(path)


def test_unknown_extensions_name_the_known_ones(tmp_path):
    for name in ("net.txt", "net"):
        with pytest.raises(InputError, match=r"there is no file .*net"):
            read_network(tmp_path / name)
        (tmp_path / name).write_text("?")
        with pytest.raises(InputError, match=r"is in no known format of networks; docs/formats\.md lists them"):
            read_network(tmp_path / name)
        (tmp_path / name).unlink()
        with pytest.raises(InputError, match=r"known formats: \.json"):
            convert("torus:3x3", tmp_path / name)
    assert not list(tmp_path.iterdir())


# -- writing --------------------------------------------------------------------------------------------------


def odd_network() -> Network:
    return Network.of(
        "odd",
        3,
        [(2, 0), (0, 1), (0, 1), (1, 2)],
        bandwidth=[Fraction(1, 3), Fraction(10**30), Fraction(2), Fraction(7)],
        source=[0, 0, 2],
        sink=[0, 0, 2],
        labels=['<a & "b">', "ü", "x y"],
    )


@pytest.mark.parametrize("extension", ["json", "graphml", "gml"])
def test_what_is_written_reads_as_the_same_network(extension, tmp_path):
    for network in (odd_network(), Network.of("plain", 4, [(0, 1), (3, 2), (1, 0)])):
        write_network(network, tmp_path / f"net.{extension}")
        assert same(read_network(tmp_path / f"net.{extension}"), network)


def test_networkx_reads_what_is_written(tmp_path):
    network = odd_network()
    write_network(network, tmp_path / "net.graphml")
    write_network(network, tmp_path / "net.gml")
    for graph in (
        nx.read_graphml(tmp_path / "net.graphml", force_multigraph=True),
        nx.read_gml(tmp_path / "net.gml", label="id"),
    ):
        assert sorted(channels(from_networkx(graph))) == sorted(channels(network))


@pytest.mark.parametrize("extension", ["graphml", "gml"])
def test_terminals_that_a_graph_file_cannot_hold_are_refused(extension, tmp_path):
    for source, sink in (([0], [1]), ([1, 0], [1, 0])):
        network = Network.of("net", 2, [(0, 1)], source=source, sink=sink)
        with pytest.raises(InputError, match=r"write a network document \(.json\)"):
            write_network(network, tmp_path / f"net.{extension}")
    assert not list(tmp_path.iterdir())


def test_labels_that_xml_cannot_hold_are_refused(tmp_path):
    network = Network.of("net", 1, [], labels=["\x00"])
    with pytest.raises(InputError, match="label of node 0"):
        write_network(network, tmp_path / "net.graphml")


def test_convert_takes_any_topology(tmp_path):
    network = convert("torus:3x3", tmp_path / "torus.json")
    assert first_difference(read_network(tmp_path / "torus.json"), network) is None


# -- networkx -------------------------------------------------------------------------------------------------


def test_networkx_graphs_of_all_kinds():
    assert [x[:2] for x in channels(from_networkx(nx.path_graph(3)))] == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert from_networkx(nx.path_graph(3)).labels is None
    assert [x[:2] for x in channels(from_networkx(nx.DiGraph([("a", "b")])))] == [(0, 1)]
    assert from_networkx(nx.MultiGraph([(0, 1), (0, 1)])).num_channels == 4
    assert from_networkx(nx.grid_2d_graph(2, 2)).labels[3] == "(1, 1)"


@pytest.mark.parametrize("width", [2, 2.0, np.float64(2), np.int64(2), Fraction(2), "2"])
def test_bandwidths_of_networkx_graphs(width):
    graph = nx.Graph()
    graph.add_edge(0, 1, speed=width)
    assert set(from_networkx(graph, bandwidth="speed").bandwidth) == {Fraction(2)}
    assert set(from_networkx(graph, bandwidth=3).bandwidth) == {Fraction(3)}
    graph.add_edge(0, 1, speed=0.1)
    assert set(from_networkx(graph, bandwidth="speed").bandwidth) == {Fraction(1, 10)}


@pytest.mark.parametrize("width", [float("nan"), float("inf"), -1, 0, True, None, [1]])
def test_odd_bandwidths_of_networkx_graphs_are_refused(width):
    graph = nx.Graph()
    graph.add_edge("u", "v", bandwidth=width)
    with pytest.raises(InputError, match=r"bandwidth of edge 0 \(u -- v\)"):
        from_networkx(graph)


def test_terminals_of_networkx_graphs():
    graph = nx.star_graph(["hub", "x", "y"])
    assert from_networkx(graph, terminals=["y", "x", "x"]).source.tolist() == [1, 1, 2]
    nx.set_node_attributes(graph, {"hub": 0, "x": 1, "y": 2}, "hosts")
    assert from_networkx(graph, terminals="hosts").sink.tolist() == [1, 2, 2]
    with pytest.raises(InputError, match="'z', which is not a node"):
        from_networkx(graph, terminals=["z"])
    with pytest.raises(InputError, match="3 of 3 nodes have no attribute 'guests'"):
        from_networkx(graph, terminals="guests")
    with pytest.raises(InputError, match="a networkx graph was expected"):
        from_networkx({"a": ["b"]})


@zoo
def test_there_and_back_through_networkx():
    for network in (odd_network(), read_network(ZOO / "Cernet.graphml")):
        graph = to_networkx(network)
        assert same(from_networkx(graph), network)
        assert from_networkx(graph).name == network.name
