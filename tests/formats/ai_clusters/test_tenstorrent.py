"""Tenstorrent's mesh graph descriptors, versions 1 and 2."""

from __future__ import annotations

import contextlib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.ai_clusters.tenstorrent import parse_textproto
from routeproof.formats.format import read_network

MESH = """# a comment
mesh_descriptors {{
  name: "M0"
  arch: BLACKHOLE
  device_topology {{ dims: {dims}, dim_types: {types} }}
  host_topology   {{ dims: [ 1, 1 ] }}
  channels {{ count: 2 policy: STRICT }}
}}
pinnings {{ logical_fabric_node_id {{ mesh_id: 0 chip_id: 0 }} physical_asic_position {{ tray_id: 1 }} }}
top_level_instance {{ mesh {{ mesh_descriptor: "M0" mesh_id: 0 }} }}
"""
TWO = """mesh_descriptors {
  name: "M0" arch: WORMHOLE_B0
  device_topology { dims: [ 2, 4 ] }
  host_topology { dims: [ 1, 1 ] }
  channels { count: 2 }
}
graph_descriptors {
  name: "G0"
  type: "FABRIC"
  instances { mesh { mesh_descriptor: "M0" mesh_id: 0 } }
  instances { mesh { mesh_descriptor: "M0" mesh_id: 1 } }
  connections {
    nodes { mesh { mesh_descriptor: "M0" mesh_id: 0 device_id: 1 } }
    nodes { mesh { mesh_descriptor: "M0" mesh_id: 1 device_id: 6 } }
    channels { count: 1 }
  }
}
top_level_instance { graph { graph_descriptor: "G0" graph_id: 0 } }
"""
YAML = """ChipSpec: {
  arch: wormhole_b0,
  ethernet_ports: {
    N: 2,
    E: 2,
    S: 2,
    W: 2,
  }
}
Board: [
  { name: 2x4,
    type: Mesh,
    topology: [2, 4]}
]
Mesh: [
{ id: 0, board: 2x4, device_topology: [2, 4], host_topology: [1, 1], },
{ id: 1, board: 2x4, device_topology: [2, 4], host_topology: [1, 1], host_ranks: [[0]]}
]
Graph: [
  [[M0, D1], [M1, D6], 1],
]
"""


def read(tmp_path: Path, text: str, name: str = "net.textproto") -> Network:
    path = tmp_path / name
    path.write_text(text)
    return read_network(path)


def edges(network: Network) -> Counter[tuple[int, int, Fraction]]:
    return Counter(zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True))


@pytest.mark.parametrize(
    ("dims", "types", "name"),
    [
        ([8, 4], ["RING", "RING"], "torus:8x4,bandwidth=2"),
        ([8, 4], ["LINE", "LINE"], "mesh:8x4,bandwidth=2"),
        ([1, 8], ["LINE", "RING"], "torus:8,bandwidth=2"),
        ([2, 8], ["LINE", "RING"], "torus:2x8,bandwidth=2"),
        ([2, 4], ["RING", "LINE"], "mesh:2x4,bandwidth=2"),
        ([3, 4, 5], ["RING", "RING", "RING"], "torus:3x4x5,bandwidth=2"),
    ],
)
def test_one_mesh_is_a_mesh_or_a_torus_of_ours(dims: list[int], types: list[str], name: str, tmp_path: Path) -> None:
    text = MESH.format(dims=dims, types=str(types).replace("'", ""))
    found = read(tmp_path, text)
    assert found.name == name
    assert found.grid is not None


def test_a_ring_in_one_dimension_only(tmp_path: Path) -> None:
    found = read(tmp_path, MESH.format(dims=[3, 5], types="[LINE, RING]"))
    wanted = nx.convert_node_labels_to_integers(
        nx.cartesian_product(nx.path_graph(3), nx.cycle_graph(5)), ordering="sorted"
    )
    both = [(u, v) for e in wanted.edges for u, v in (e, e[::-1])]
    assert edges(found) == Counter((u, v, Fraction(2)) for u, v in both)


def test_both_versions_say_the_same_of_two_meshes(tmp_path: Path) -> None:
    one, two = read(tmp_path, YAML, "net.yaml"), read(tmp_path, TWO)
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(2, 4), ordering="sorted")
    wanted = Counter((u + s, v + s, Fraction(2)) for e in grid.edges for u, v in (e, e[::-1]) for s in (0, 8))
    assert edges(one) == edges(two) == wanted + Counter({(1, 14, Fraction(1)): 1, (14, 1, Fraction(1)): 1})
    assert two.label(14) == "M1D6"
    assert edges(read(tmp_path, TWO.replace("count: 1 }", "count: 1 }\n directional: true")))[14, 1, Fraction(1)] == 0


def test_relaxed_is_said(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match="the policy RELAXED lets fewer links be there than count"):
        read(tmp_path, MESH.format(dims=[2, 4], types="[LINE]").replace("STRICT", "RELAXED"))


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        (" device_id: 1", "",
         "line 12: a connection of the whole of mesh 0: which of its chips .* device_id was expected"),
        ("device_id: 6", "device_id: 8", "line 12: chip 8 of mesh 1: it has 8 chips"),
        ("mesh_id: 1 device_id", "mesh_id: 2 device_id", "chip 6 of mesh 2: mesh 2 is not there"),
        ("mesh_id: 1 }", "mesh_id: 0 }", "mesh 0 is there twice"),
        ('mesh_descriptor: "M0" mesh_id: 1 }', 'mesh_descriptor: "M1" mesh_id: 1 }',
         "mesh descriptor 'M1' is not there"),
        ('type: "FABRIC"', "graph_topology { layout_type: ALL_TO_ALL }",
         "line 9: 'graph_topology' in graph_descriptors is not"),
        ("channels { count: 2 }", "channels { count: 0 }", "line 5: count is '0'; a whole number of at least 1"),
        ("channels { count: 2 }", "", "line 1: mesh_descriptors has 0 channels; one was expected"),
        ("channels { count: 2 }", "channels { count: 2 } express_connections { src: 0 dst: 4 }",
         "how many links express"),
        ("dims: [ 2, 4 ]", "dims: [ 2, 4 ] dim_types: [ LINE, TORUS ]", "dim_types is 'TORUS'"),
        ("dims: [ 2, 4 ]", "dims: [ 2 ] dim_types: [ LINE, LINE ]", "1 dims and 2 dim_types"),
        ('graph_descriptor: "G0" graph', 'graph_descriptor: "G1" graph', "0 graph descriptors are called 'G1'"),
        ("instances { mesh {", "instances { graph {", "an instance is graph; graphs of meshes are read"),
        ("count: 1 }", "count: 1 } directional: maybe", "directional is 'maybe'; true or false"),
        ("count: 1 }\n", "count: 1\n", "line 19: the end of the file where a name or } was expected"),
        ("name: \"M0\"", "name \"M0\"", "line 2: '\"M0\"' where a colon or { was expected"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(change: str, to: str, message: str, tmp_path: Path) -> None:
    assert change in TWO
    with pytest.raises(InputError, match=message):
        read(tmp_path, TWO.replace(change, to, 1))


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ("N: 2", "N: 4", "N 4, S 2, E 2, W 2; N = S and E = W expected"),
        ("type: Mesh", "type: TORUS_1D", "a board of the type 'TORUS_1D' is not read"),
        ("type: Mesh,\n    topology: [2, 4]", "type: TORUS_2D, topology: [4, 4]",
         "a mesh of .2, 4. on a torus of .4, 4."),
        ("device_topology: [2, 4], host_topology", "topology: [1, 1], host_topology",
         "Mesh has topology, in boards or chips"),
        ("D6", "N0", "an end is .*'M1', 'N0'.*; a chip such as .M0, D1. was expected"),
        ("board: 2x4", "board: 4x2", "board '4x2' is not there"),
        ("id: 1,", "id: 0,", "mesh 0 is there twice"),
        ("arch: wormhole_b0,", "ports: 3,", "ChipSpec has an unknown key 'ports'"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_version_1_is_one_line(change: str, to: str, message: str, tmp_path: Path) -> None:
    assert change in YAML
    with pytest.raises(InputError, match=message):
        read(tmp_path, YAML.replace(change, to, 1), "net.yaml")


@given(st.text(alphabet="ab:,[]{}<>#\"' \n1", max_size=40))
def test_any_text_is_fields_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert isinstance(parse_textproto(text, what="file x"), list)
