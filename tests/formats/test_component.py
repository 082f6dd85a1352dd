"""Graph files in several parts, and edges without a rate: ``component=largest``, ``missing=VALUE``."""

from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.graphs.networkx_graph import from_networkx
from routeproof.formats.resolve import resolve_network

PARTS = """graph [ directed {directed}
  node [ id 0 label "Ada" ] node [ id 1 label "Bea" ] node [ id 2 label "Cyd" ]
  node [ id 3 label "Dot" ] node [ id 4 label "Eve" ]
  edge [ source 0 target 1 speed 4 ] edge [ source 1 target 2 speed 0.5 ] edge [ source 2 target 0 ]
  {more}
]"""


def written(tmp_path: Path, *, directed: int = 0, more: str = "edge [ source 3 target 4 speed 1 ]") -> str:
    file = tmp_path / "parts.gml"
    file.write_text(PARTS.format(directed=directed, more=more))
    return str(file)


plain = pytest.mark.filterwarnings("ignore:.*every channel has bandwidth 1")


@plain
def test_the_largest_component_is_kept_and_the_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path)
    assert main(["worst-case", file, "--routing", "ecmp"]) == 2
    assert "component=largest" in capsys.readouterr().err
    assert main(["worst-case", f"{file},component=largest", "--routing", "ecmp", "--json", f"{file}.json"]) == 0
    assert "keeps 3 of 5 nodes, the largest of 2 components; left out: Dot, Eve" in capsys.readouterr().err
    assert main(["verify", f"{file}.json"]) == 0
    capsys.readouterr()


@plain
@pytest.mark.parametrize(("more", "names"), [("", ("Ada", "Bea", "Cyd")), ("edge [ source 2 target 3 ]", None)])
def test_directed_parts_are_strongly_connected(tmp_path: Path, more: str, names: tuple[str, ...] | None) -> None:
    with pytest.warns(RouteproofWarning, match="left out: Dot, Eve"):
        network = resolve_network(f"{written(tmp_path, directed=1, more=more)},component=largest")
    assert network.labels == ("Ada", "Bea", "Cyd")
    assert network.name == "parts,component=largest"


@plain
def test_a_connected_network_is_left_as_it_is(tmp_path: Path) -> None:
    file = written(tmp_path, more="edge [ source 2 target 3 ] edge [ source 3 target 4 ]")
    assert resolve_network(f"{file},component=largest").name == "parts"
    with pytest.warns(RouteproofWarning, match="left out: Eve"):
        assert resolve_network(f"{file},dead-links=3-4,component=largest").num_nodes == 4


@plain
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dead-nodes=2,component=largest", "2 components have 2 nodes (one with Ada and one with Dot)"),
        ("component=2", "component of parts is '2'; component=largest was expected"),
        ("missing=0,bandwidth=speed", "missing is 0; a positive number was expected"),
        ("missing=1,bandwidth=2", "missing= goes with bandwidth=ATTRIBUTE; bandwidth=2 is for all edges"),
        ("missing=1", "4 of 4 edges have no attribute 'bandwidth'"),
        (
            "bandwidth=speed",
            "1 of 4 edges have no attribute 'speed', first edge 2 (Cyd -- Ada); write it on every edge",
        ),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve_network(f"{written(tmp_path)},{text}")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_edges_without_the_attribute_get_what_is_said(tmp_path: Path) -> None:
    with pytest.warns(
        RouteproofWarning, match=r"1 of 4 edges have no 'speed', first edge 2 .*: they get bandwidth 3/2"
    ):
        network = resolve_network(f"{written(tmp_path)},bandwidth=speed,missing=3/2")
    assert network.bandwidth == (4, 4, *[Fraction(1, 2)] * 2, *[Fraction(3, 2)] * 2, 1, 1)
    graph = nx.Graph([(0, 1, {"speed": 4}), (1, 2)])
    with pytest.warns(RouteproofWarning, match="1 of 2 edges"):
        assert from_networkx(graph, bandwidth="speed", missing="0.5").bandwidth == (4, 4, *[Fraction(1, 2)] * 2)


def test_other_files_have_no_edges_without_attributes(tmp_path: Path) -> None:
    (tmp_path / "net.anynet").write_text("router 0 node 0 router 1\nrouter 1 node 1\n")
    with pytest.raises(InputError, match=r"missing= is for edges without an attribute, in .*GraphML"):
        resolve_network(f"{tmp_path}/net.anynet,missing=1")
