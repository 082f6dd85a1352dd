"""What a graph file states of rates and terminals is used, refused, or said to be passed over; never ignored."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from places import ZOO
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.formats.graphs.networkx_graph import from_networkx
from routeproof.formats.graphs.unused_attributes import (
    is_multiplicity_name,
    is_rate_name,
    is_state_name,
    is_terminals_name,
)

NS = "http://graphml.graphdrawing.org/xmlns"


def gml(tmp_path: Path, first: str, second: str, nodes: Sequence[str] = ("", "")) -> Path:
    """A graph of two nodes with two edges, which have these attributes."""
    path = tmp_path / "net.gml"
    path.write_text(
        f"graph [ node [ id 1 {nodes[0]} ] node [ id 2 {nodes[1]} ] edge [ source 1 target 2 {first} ] "
        f"edge [ source 2 target 1 {second} ] ]"
    )
    return path


def said(path: Path, bandwidth: str | int | None = None) -> tuple[Network, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        network = read_network(path, bandwidth=bandwidth)
    return network, [str(x.message) for x in caught]


@pytest.mark.parametrize(
    "name",
    [
        "Bandwidth", "BANDWIDTH", "band_width", "bw", "capacity", "Capacity", "link_capacity", "speed", "LinkSpeed",
        "LinkSpeedRaw", "LinkSpeedUnits", "rate", "data_rate", "width", "LinkWidth", "weight", "bandwidth_gbps", "Mbps",
        "capacityMbit", "speed(Gb/s)", "maxBandwidth", "lanes", "num_lanes",
    ],
)  # fmt: skip
def test_names_of_rates(name: str, tmp_path: Path) -> None:
    assert is_rate_name(name)
    if not name.replace("_", "").isalnum():
        return
    network, lines = said(gml(tmp_path, f"{name} 10", f"{name} 40"))
    assert set(network.bandwidth) == {1}
    also = "; --routing ecmp:weight=weight routes by it" if name == "weight" else ""
    assert lines == [
        f"file {tmp_path / 'net.gml'}: edges state '{name}', not used: every channel has bandwidth 1 (bandwidth={name} "
        f"uses it{also}; bandwidth=1 says that this is meant)"
    ]
    assert said(gml(tmp_path, f"{name} 10", f"{name} 40"), 1)[1] == []
    network, lines = said(gml(tmp_path, f"{name} 10", f"{name} 40"), name)
    assert (sorted(set(network.bandwidth)), lines) == ([10, 40], [])


@pytest.mark.parametrize(
    "name",
    ["label", "Latitude", "LinkLabel", "LinkType", "LinkNote", "id", "key", "color", "type", "Country", "length"],
)
def test_names_that_only_describe(name: str, tmp_path: Path) -> None:
    assert not any(x(name) for x in (is_rate_name, is_terminals_name, is_multiplicity_name, is_state_name))
    assert said(gml(tmp_path, f'{name} "10"', f'{name} "40"'))[1] == []


def test_a_rate_that_is_1_everywhere_is_what_is_taken_and_nothing_is_said(tmp_path: Path) -> None:
    assert said(gml(tmp_path, "weight 1.0", "weight 1.0"))[1] == []
    assert said(gml(tmp_path, 'LinkSpeedUnits "G"', 'LinkSpeedUnits "G"'))[1] == []
    assert said(gml(tmp_path, "bandwidth 1 capacity 3", "bandwidth 2 capacity 5"))[1] == []


@pytest.mark.parametrize("value", ["100", "1e10", "0.5", '"3/2"', '"10 Gb/s"'])
def test_a_rate_that_all_edges_share_is_another_unit(value: str, tmp_path: Path) -> None:
    """With bandwidth=capacity the throughput is in the file's units, without it is per link."""
    (line,) = said(gml(tmp_path, f"capacity {value}", f"capacity {value}"))[1]
    assert "edges state 'capacity', not used: every channel has bandwidth 1" in line


@pytest.mark.parametrize(
    "name",
    ["multiplicity", "links", "num_links", "linkCount", "number_of_cables", "parallel_links", "count", "fibres"],
)
def test_how_many_cables_an_edge_stands_for(name: str, tmp_path: Path) -> None:
    assert is_multiplicity_name(name)
    told = (
        f"file {tmp_path / 'net.gml'}: edges state '{name}', not used: every edge is one link (several are parallel "
        f"edges, or one of their whole bandwidth)"
    )
    for first, second in ((f"{name} 4", f"{name} 1"), (f"{name} 4", f"{name} 4"), (f"{name} 4", "")):
        assert said(gml(tmp_path, first, second))[1] == [told]
        assert said(gml(tmp_path, f"{first} bandwidth 2", f"{second} bandwidth 3"))[1] == [told]
        assert said(gml(tmp_path, first, second), 1)[1] == []
    assert said(gml(tmp_path, f"{name} 1", f"{name} 1"))[1] == []
    network, lines = said(gml(tmp_path, f"{name} 4", f"{name} 1"), name)
    assert (sorted(set(network.bandwidth)), lines) == ([1, 4], [])


@pytest.mark.parametrize("name", ["status", "state", "linkState", "oper_status", "adminState", "up", "enabled"])
def test_links_and_nodes_that_are_down(name: str, tmp_path: Path) -> None:
    assert is_state_name(name)
    network, (line,) = said(gml(tmp_path, f'{name} "up"', f'{name} "down"'), 1)
    assert network.num_channels == 4
    assert line.endswith(
        f"edges state '{name}' ('down', 'up'), not used: every edge is taken, up or down (dead-links= removes some)"
    )
    assert said(gml(tmp_path, f'{name} "up"', f'{name} "up"'))[1] == []
    lines = said(gml(tmp_path, "", "", (f'{name} "up" terminals 1', f'{name} "down" terminals 1')))[1]
    if name == "state":
        assert lines == []  # of a country
    else:
        assert f"nodes state '{name}' ('down', 'up'), not used: every node is taken" in lines[0]


@pytest.mark.parametrize(
    ("first", "second", "hint"),
    [
        ("capacity 3", "", "none of them is a number on every edge"),
        ('capacity "10 Gb/s"', 'capacity "40 Gb/s"', "none of them"),
        ("capacity 3", "capacity -3", "none of them"),
        ("capacity 3", "capacity NAN", "none of them"),
        ("capacity 3 speed 1", "capacity 3 speed 2", "state 'speed', not used: .*bandwidth=speed uses it"),
        ("LinkSpeed 1 LinkSpeedRaw 10", "LinkSpeed 2 LinkSpeedRaw 20", "bandwidth=LinkSpeedRaw uses it"),
    ],
)
def test_what_could_be_used(first: str, second: str, hint: str, tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match=hint):
        read_network(gml(tmp_path, first, second))


def test_a_file_of_the_topology_zoo_says_so_in_one_line_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ZOO / "Cernet.graphml"
    assert main(["convert", str(path), str(tmp_path / "net.json")]) == 0
    (line,) = [x for x in capsys.readouterr().err.splitlines() if x]
    assert line.startswith(f"warning: file {path}: edges state 'LinkSpeed', 'LinkSpeedUnits', 'LinkSpeedRaw', not used")
    assert main(["convert", f"{path},bandwidth=1", str(tmp_path / "net.json")]) == 0
    assert capsys.readouterr().err == ""


def test_numbers_in_several_units_are_refused(tmp_path: Path) -> None:
    path = gml(tmp_path, 'LinkSpeed 155 LinkSpeedUnits "M"', 'LinkSpeed 10 LinkSpeedUnits "G"')
    with pytest.raises(InputError, match=r"'LinkSpeed' is in several units, as 'LinkSpeedUnits' tells \('G', 'M'\)"):
        read_network(path, bandwidth="LinkSpeed")
    path = gml(tmp_path, 'LinkSpeed 155 LinkSpeedUnits "M" LinkSpeedRaw 155e6', "LinkSpeed 10 LinkSpeedRaw 1e10")
    with pytest.raises(InputError, match=r"\(none, 'M'\); bandwidth=LinkSpeedRaw was expected"):
        read_network(path, bandwidth="LinkSpeed")
    path = gml(tmp_path, 'bandwidth 10 unit "Gb/s"', 'bandwidth 100 unit "Mb/s"')
    with pytest.raises(InputError, match=r"'bandwidth' is in several units, as 'unit' tells \('Gb/s', 'Mb/s'\)"):
        read_network(path)
    path = gml(tmp_path, 'LinkSpeedRaw 10 Units "G"', 'LinkSpeedRaw 100 Units "M"')
    assert set(read_network(path, bandwidth="LinkSpeedRaw").bandwidth) == {10, 100}
    same = gml(tmp_path, 'LinkSpeed 1 LinkSpeedUnits "G"', 'LinkSpeed 10 LinkSpeedUnits "G"')
    assert set(read_network(same, bandwidth="LinkSpeed").bandwidth) == {1, 10}


@pytest.mark.parametrize("name", ["Terminals", "terminal", "hosts", "num_hosts", "endpoints", "servers_per_node"])
def test_terminals_under_another_name(name: str, tmp_path: Path) -> None:
    assert is_terminals_name(name)
    network, lines = said(gml(tmp_path, "", "", (f"{name} 2", f"{name} 3")))
    assert network.num_terminals == 2
    assert [x.partition(": ")[2] for x in lines] == [
        f"nodes state '{name}', not used: every node has one terminal (the attribute 'terminals' counts them)"
    ]
    assert said(gml(tmp_path, "", "", (f"{name} 1", f"{name} 1")))[1] == []
    assert f"nodes state '{name}', not used" in said(gml(tmp_path, "", "", (f"{name} 4", f"{name} 4")))[1][0]


@pytest.mark.parametrize("name", ["type", "kind", "role", "node_type"])
def test_nodes_that_are_hosts_and_nodes_that_are_not(name: str, tmp_path: Path) -> None:
    assert [x.partition(": ")[2] for x in said(gml(tmp_path, "", "", (f'{name} "Host"', f'{name} "switch"')))[1]] == [
        f"nodes state '{name}', not used: every node has one terminal (the attribute 'terminals' counts them)"
    ]
    for nodes in (
        (f'{name} "host"', f'{name} "host"'),
        (f'{name} "Red Node"', f'{name} "Green Node"'),
        (f'{name} "host" terminals 1', f'{name} "switch" terminals 0'),
    ):
        assert said(gml(tmp_path, "", "", nodes))[1] == []


def test_networkx_graphs_say_it_too() -> None:
    graph = nx.Graph()
    graph.add_edge(0, 1, capacity=2)
    graph.add_edge(1, 2, capacity=4)
    with pytest.warns(RouteproofWarning, match="edges state 'capacity', not used"):
        from_networkx(graph)
    assert set(from_networkx(graph, bandwidth="capacity").bandwidth) == {2, 4}


def test_floats_of_networkx_are_the_decimals_that_they_print_as() -> None:
    for value, exact in ((0.1, "1/10"), (np.float64(0.1), "1/10"), (np.float32(0.1), "1/10"), (1e22, str(10**22))):
        graph = nx.DiGraph([(0, 1, {"bandwidth": value})])
        assert str(from_networkx(graph).bandwidth[0]) == exact


HEAD = f'<graphml xmlns="{NS}" xmlns:y="http://example.org/y">'
NODES = '<node id="a"/><node id="b"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f'<graph>{NODES}<edge source="a" target="b" bandwidth="4"/></graph>',
            "line 1: <edge> has an attribute 'b",
        ),
        (
            f'<graph>{NODES}<edge source="a" target="b" weight="4"/></graph>',
            "an attribute 'weight'; <data key",
        ),
        (f'<graph>{NODES}<node id="c" terminals="4"/></graph>', "<node> has an attribute 'terminals'"),
        (f'<graph>{NODES}<Edge source="a" target="b"/></graph>', "<Edge> in a graph; <node> and <edge> were expected"),
        (f'<graph>{NODES}<link source="a" target="b"/></graph>', "<link> in a graph"),
        (
            '<key id="k" for="edges" attr.name="bandwidth"><default>3</default></key><graph/>',
            "is for 'edges'; node",
        ),
        (
            '<key id="k" for="edge" attr.name="bandwidth"><default>3</default></key>'
            '<key id="l" for="all" attr.name="bandwidth"><default>4</default></key>'
            f'<graph>{NODES}<edge source="a" target="b"/></graph>',
            r"bandwidth of edge 0 \(a -- b\) is several values; one number was expected",
        ),
        (
            '<key id="k" for="edge" attr.name="bandwidth"><default>3</default><default>4</default></key><graph/>',
            "key 'k' has a second <default>",
        ),
        (
            f'<key id="k" attr.name="bandwidth"/><graph>{NODES}'
            '<edge source="a" target="b"><data key="k">10<b/>0</data></edge></graph>',
            "bandwidth of edge 0 .* is '10<b>0'; a number",
        ),
        (f'<graph>{NODES}</graph><edge source="a" target="b"/>', "line 1: <edge> inside <graphml>; inside <graph>"),
        (f'<graph>{NODES}<desc><edge source="a" target="b"/></desc></graph>', "<edge> inside <desc>; inside <graph>"),
        ('<graph><node id="a"><node id="b"/></node></graph>', "<node> inside <node>; inside <graph> it was expected"),
        (
            f'<graph>{NODES}<edge source="a" target="b"><edge source="a" target="b"/></edge></graph>',
            "<edge> inside <edge>",
        ),
    ],
)
def test_graphml_that_means_something_else(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "net.graphml"
    path.write_text(f"{HEAD}{text}</graphml>")
    with pytest.raises(InputError, match=message) as caught:
        read_network(path)
    assert "\n" not in str(caught.value)


def test_elements_of_other_vocabularies_describe(tmp_path: Path) -> None:
    path = tmp_path / "net.graphml"
    body = (
        f'<graph><desc>x</desc>{NODES}<y:edge source="a" target="b"/><edge source="a" target="b" y:style="1"/></graph>'
    )
    path.write_text(f"{HEAD}{body}</graphml>")
    assert read_network(path).num_channels == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph [ node [ id 1 ] Node [ id 2 ] ]", "line 1: 'Node' was found; 'node' was expected"),
        ("graph [ node [ id 1 ] node [ id 2 ] EDGE [ source 1 target 2 ] ]", "'EDGE' was found; 'edge' was expected"),
        (
            "graph [ directed 0 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 directed 1 ] ]",
            "an edge has a 'directed' of its own",
        ),
        ("graph [\nDirected 1 node [ id 1 ] ]", "line 2: 'Directed' was found; 'directed' was expected"),
        ("graph [ node [ id 1 ] ] Graph [ node [ id 2 ] ]", "holds 2 graphs"),
        ("graph [ node [ id 1 ] graph [ node [ id 2 ] ] ]", "'graph' was found inside 'graph'"),
        ("graph [ node [ id 1 ] ]\nedge [ source 1 target 1 ]", "line 2: 'edge' was found outside 'graph'"),
        (
            "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 bandwidth 1 bandwidth 2 ] ]",
            r"bandwidth of edge 0 \(1 -- 2\) is several values; one number was expected",
        ),
    ],
)
def test_gml_that_means_something_else(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "net.gml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_network(path)
