"""Node-link JSON, REPETITA and SNDlib: networks of traffic engineering, with their metrics."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from routeproof.core.errors import InputError
from routeproof.formats.format import read_network
from routeproof.formats.resolve import resolve_network

GRAPH = """NODES 3
label x y
0_Ada 0.0 0.0
1_Bea 1.0 0.0
2_Cyd 1.0 1.0

EDGES 4
label src dest weight bw delay
edge_0 0 1 10 100 5
edge_1 1 0 10 100 5
edge_2 1 2 20 50 7
edge_3 2 1 20 50 7
"""

NATIVE = """?SNDlib native format; type: network; version: 1.0
# network small
META (
  unit = MBITPERSEC
)
NODES (
  Ada ( -84.38 33.75 )
  Bea ( -87.62 41.83 )
)
LINKS (
  L1 ( Ada Bea ) 99.5 0.00 1133.00 0.00 ( 40.00 133.00 )
  L2 ( Bea Ada ) 10 0.00 700.00 0.00 ( 40.00 133.00 80.00 200.00 )
)
DEMANDS (
  D ( Ada Bea ) 1 10.00 UNLIMITED
)
ADMISSIBLE_PATHS (
  D (
    P_0 ( L1 )
    P_1 ( L2 L1 )
  )
)
"""

XML = """<?xml version="1.0"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0"><networkStructure>
<nodes coordinatesType="geographical"><node id="Ada"><coordinates><x>1</x><y>2</y></coordinates></node><node id="Bea"/>
</nodes><links><link id="L1"><source>Ada</source><target>Bea</target>
<preInstalledModule><capacity>99.5</capacity><cost>0.0</cost></preInstalledModule><routingCost>1133</routingCost>
<additionalModules><addModule><capacity>40.0</capacity><cost>133.0</cost></addModule></additionalModules>
</link></links></networkStructure></network>
"""


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_repetita(tmp_path: Path) -> None:
    network = read_network(written(tmp_path, "small.graph", GRAPH))
    assert network.labels == ("0_Ada", "1_Bea", "2_Cyd")
    assert list(zip(network.tail.tolist(), network.head.tolist(), strict=True)) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert network.bandwidth == (100, 100, 50, 50)
    assert network.channel_attributes == {"weight": ["10", "10", "20", "20"], "delay": ["5", "5", "7", "7"]}


@pytest.mark.filterwarnings("ignore:.*every channel has bandwidth 1")
@pytest.mark.parametrize(("name", "text", "links"), [("small.txt", NATIVE, 2), ("small.xml", XML, 1)])
def test_sndlib(tmp_path: Path, name: str, text: str, links: int) -> None:
    path = written(tmp_path, name, text)
    network = read_network(path)
    assert network.labels == ("Ada", "Bea")
    assert network.num_channels == 2 * links
    costs = [Fraction(x) for x in network.channel_attributes["routing_cost"]]
    assert costs == [1133, 1133, 700, 700][: 2 * links]
    assert network.channel_attributes["module_capacity"][:2] == ["40.00", "40.00"] or links == 1
    wide = resolve_network(f"{path},bandwidth=preinstalled_capacity")
    assert wide.bandwidth == (Fraction("99.5"), Fraction("99.5"), 10, 10)[: 2 * links]


@pytest.mark.parametrize("edges", ["links", "edges"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph])
def test_node_link(tmp_path: Path, edges: str, kind: Any) -> None:
    graph = kind([("a", "b", {"metric": 0.1}), ("b", "c", {"metric": 3}), ("c", "a", {"metric": 2})])
    path = written(tmp_path, "graph.json", json.dumps(nx.node_link_data(graph, edges=edges)))
    network = read_network(path)
    assert network.labels == ("a", "b", "c")
    each = 1 if graph.is_directed() else 2
    assert network.num_channels == 3 * each
    assert sorted(network.channel_attributes["metric"]) == sorted([Fraction(1, 10), 3, 2] * each)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.graph", GRAPH.replace("EDGES 4", "EDGES 5"), "5 edges are stated, 4 are there"),
        ("a.graph", GRAPH.replace("edge_1 1 0 10 100 5", "edge_1 1 0 10 100"), "line 10: 'edge_1 1 0 10 100'"),
        ("a.graph", GRAPH.replace("1 2 20", "1 3 20"), "node '3'; 0 to 2 were expected"),
        ("a.graph", GRAPH + "EDGES 2\n", "the end was expected"),
        ("a.graph", "hello\n", "line 1: 'hello'; NODES and a number"),
        ("a.graph", GRAPH.replace("20 50 7", "20 fast 7"), "bandwidth of edge 2 (1_Bea -> 2_Cyd) is 'fast'"),
        ("a.txt", NATIVE.replace("( 40.00 133.00 )\n", "( 40.00 )\n"), "name ( source target ) capacity"),
        ("a.txt", NATIVE.replace("L1 ( Ada Bea )", "L1 ( Ada Bob )"), "ends at node 'Bob', which is not there"),
        ("a.txt", NATIVE.replace("  Bea (", "  Ada ("), "node 'Ada' is there twice"),
        ("a.txt", NATIVE.rpartition(")")[0], "ADMISSIBLE_PATHS does not end"),
        ("a.xml", XML.replace("<target>Bea", "<target>Bob"), "ends at node 'Bob'"),
        ("a.xml", XML.replace("</link>", ""), "no XML that can be read"),
        ("a.json", '{"nodes": [{"id": 1}], "links": [], "colour": 1}', "unknown key 'colour'"),
        (
            "a.json",
            '{"nodes": [{"id": 1}, {"id": 1}], "links": []}',
            "nodes[1]: node '1' is there twice",
        ),
        ("a.json", '{"nodes": [{"id": 1}], "links": [{"source": 1}]}', "links[0] has no target"),
        ("a.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": "1"}]}', "which is not there"),
        ("a.json", '{"nodes": 3, "links": []}', "a list of objects was expected"),
        ("a.json", '{"nodes": [{"id": 1}, 5], "links": []}', "nodes[1] is 5; an object was expected"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_network(written(tmp_path, name, text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_node_without_a_name_has_none(tmp_path: Path) -> None:
    text = '{"nodes": [{"id": ""}, {"id": 1}], "links": [{"source": "", "target": 1}]}'
    assert read_network(written(tmp_path, "a.json", text)).labels == ("", "1")
