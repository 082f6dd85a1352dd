"""From what the user typed to networks and traffic: families, patterns, files with options, and neither."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from places import INFINIBAND
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.documents.network import first_difference
from routeproof.formats.resolve import resolve_network, resolve_traffic

RING = {
    "format": "routeproof/network",
    "num_nodes": 4,
    "channels": [[u, v] for u in range(4) for v in ((u + 1) % 4, (u - 1) % 4)],
}
GRAPHML = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="speed" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="a"/><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="d0">3.0</data></edge>
    <edge source="b" target="c"><data key="d0">2.0</data></edge>
    <edge source="a" target="c"><data key="d0">2.0</data></edge>
  </graph>
</graphml>
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", ["torus:9x9", "petersen", "petersen,bandwidth=2", " ring:7,oneway "])
def test_families(text: str) -> None:
    assert resolve_network(text).spec == text.strip()


@pytest.mark.parametrize(
    "name", ["net.json", "a:b.json", "C:net.json", "x,y.json", "ring:weird.json", "mesh:,4.json", "with space.json"]
)
def test_files_with_any_name(here: Path, name: str) -> None:
    (here / name).write_text(json.dumps(RING))
    for text in (name, f"./{name}", str(here / name)):
        assert resolve_network(text).num_channels == 8
        left = resolve_network(text + ",dead-links=0-1")
        assert left.num_channels == 6
        assert left.name.endswith(",dead-links=0-1")


def test_a_family_wins_over_a_file_of_its_name(here: Path) -> None:
    for name in ("petersen", "ring:5", "ring:.json"):
        (here / name).write_text(json.dumps(RING))
    assert resolve_network("petersen").num_nodes == 10
    assert resolve_network("ring:5").num_nodes == 5
    assert resolve_network("./ring:5").num_nodes == 4, "what the file says tells its format"
    assert resolve_network("ring:.json").num_nodes == 4, "no ring has this radix: then it is the file"


def test_options_after_a_file(here: Path) -> None:
    (here / "net.graphml").write_text(GRAPHML)
    with pytest.warns(RouteproofWarning, match="'speed', not used"):
        assert set(resolve_network("net.graphml").bandwidth) == {1}
    assert sorted(resolve_network("net.graphml,bandwidth=speed").bandwidth) == [2, 2, 2, 2, 3, 3]
    assert set(resolve_network("net.graphml,bandwidth=3/2").bandwidth) == {Fraction(3, 2)}
    left = resolve_network("net.graphml, bandwidth=speed, kill-links=1, kill-seed=5")
    assert left.num_channels == 4
    assert left.num_nodes == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no network is given"),
        ("   ", "no network is given"),
        ("trous:9x9", "neither a known family nor an existing file or folder; did you mean 'torus'"),
        ("missing.graphml", "network 'missing.graphml': there is no such file"),
        ("no/such", "network 'no/such': there is no such file"),
        ("missing.graphml,bandwidth=x", "there is no such file"),
        ("torus:9x", "whole number"),
        (".", "directory '.' has no dump of a network"),
        ("net.json,bandwith=x", "did you mean 'bandwidth'"),
        ("net.graphml,bandwidth=0", "positive"),
        ("net.graphml,bandwidth=sped", "sped"),
        ("net.json,oneway", "unknown option 'oneway'"),
        ("net.json,", "empty option"),
        ("net.json,dead-nodes=7", "dead node 7"),
        ("a\0b", "neither"),
        ("x" * 100_000, "neither"),
        ("," * 100_000, "neither"),
    ],
)
def test_refused_networks(here: Path, text: str, message: str) -> None:
    (here / "net.json").write_text(json.dumps(RING))
    (here / "net.graphml").write_text(GRAPHML)
    with pytest.raises(InputError, match=message) as caught:
        resolve_network(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_traffic_by_name_and_from_files(here: Path) -> None:
    network = resolve_network("ring:4")
    assert resolve_traffic(" tornado ", network).permutation is not None
    assert resolve_traffic("random:seed=3", network).name == "random:seed=3"
    for name in ("perm.json", "random:2.json", "a:b,c.json"):
        (here / name).write_text("[1, 2, 3, 0]")
        traffic = resolve_traffic(name, network)
        assert traffic.permutation is not None
        assert traffic.permutation.image.tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no traffic is given"),
        ("tornadoe", "neither a known pattern nor an existing file; did you mean 'tornado'"),
        ("missing.txt", "traffic 'missing.txt': there is no such file"),
        (".", "is a directory"),
        ("random", "random:seed=7"),
        ("transpose:x", "no options"),
    ],
)
def test_refused_traffic(here: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        resolve_traffic(text, resolve_network("torus:3x3"))


# -- what is dead, by name ---------------------------------------------------------------------------------------------

FABRIC = str(INFINIBAND / "ring3.topo")


@pytest.mark.parametrize(
    ("by_name", "by_number"),
    [
        ("fat-tree:4,dead-nodes=L1.0;L3.2", "fat-tree:4,dead-nodes=0;18"),
        ("fat-tree:4,dead-links=L1.0-L2.0", "fat-tree:4,dead-links=0-8"),
        (f"{FABRIC},dead-links=s0-s1", f"{FABRIC},dead-links=1-2"),
        (f"{FABRIC},dead-links=s0[3,5] - s1[4,6]", f"{FABRIC},dead-links=1-2"),
        (f"{FABRIC},dead-links=s1[4]-s0[3];s2-s1", f"{FABRIC},dead-links=0-1,dead-channels=4;5"),
        (f"{FABRIC},dead-nodes=s2", f"{FABRIC},dead-nodes=0"),
    ],
)
def test_nodes_and_links_die_by_name(by_name: str, by_number: str) -> None:
    one, two = resolve_network(by_name), resolve_network(by_number)
    assert first_difference(one, two) is None
    assert one.spec == two.spec


def test_names_with_hyphens(tmp_path: Path) -> None:
    labels = ["a-b", "c", "a", "b-c"]
    channels = [[u, v] for u in range(4) for v in range(4) if u != v]
    document = {"format": "routeproof/network", "num_nodes": 4, "channels": channels, "labels": labels}
    path = tmp_path / "net.json"
    path.write_text(json.dumps(document))
    assert resolve_network(f"{path},dead-links=a-b-a").num_channels == 10
    assert resolve_network(f"{path},dead-links=a-b-b-c").num_channels == 10
    with pytest.raises(InputError, match="which may be a and b-c or a-b and c"):
        resolve_network(f"{path},dead-links=a-b-c")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("dead-nodes=s9", "no node is called 's9'; did you mean 's2'"),
        ("dead-nodes=h2", "it is a host, which without=h2 leaves out"),
        ("dead-links=s0", "two nodes such as 3-4 or s2-s1 were expected"),
        ("dead-links=s0-s0", "two different nodes"),
        ("dead-links=s0-s7", "no node is called 's7'"),
        ("dead-links=s1[4]-s0[5]", r"no cable joins s1\[4\] and s0\[5\]; the ports that are joined there: 4-3, 6-5"),
        ("dead-links=s1[4,6]-s0[3]", "as many ports at both ends"),
        ("dead-nodes=s2;0", "holds node 0 twice"),
    ],
)
def test_names_of_nothing_are_refused(option: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        resolve_network(f"{FABRIC},{option}")


def test_a_name_of_two_nodes_is_refused(tmp_path: Path) -> None:
    document = {"format": "routeproof/network", "num_nodes": 3, "channels": [[0, 1], [1, 0], [1, 2], [2, 1]]}
    path = tmp_path / "net.json"
    path.write_text(json.dumps(document | {"labels": ["x", "x", "y"]}))
    with pytest.raises(InputError, match="2 nodes are called 'x'; one of the numbers 0, 1"):
        resolve_network(f"{path},dead-nodes=x")
    assert resolve_network(f"{path},dead-nodes=y").num_nodes == 2


def test_terminals_of_any_file_are_left_out_by_name(tmp_path: Path) -> None:
    document = {"format": "routeproof/network", "num_nodes": 3, "channels": [[0, 1], [1, 0], [1, 2], [2, 1]]}
    path = tmp_path / "net.json"
    path.write_text(json.dumps(document | {"labels": ["Ada", "Bea", "Cyd"]}))
    left = resolve_network(f"{path},without=B*")
    assert (left.num_nodes, left.source.tolist(), left.labels) == (3, [0, 2], ("Ada", "Bea", "Cyd"))
    assert left.name.endswith(",without=B*")
    with pytest.raises(InputError, match="without= chooses hosts of a file; of the family ring, dead-nodes="):
        resolve_network("ring:4,without=0")
