"""A package with entry points adds a topology, a routing and a format: the one in ``examples/plugin``, broken ones."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from routeproof.cli.frame.options import complete_routing, complete_topology
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.format import FORMATS, read_network
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.names import ROUTINGS
from routeproof.topologies.family import TOPOLOGIES, network_from_spec

EXAMPLE = ROOT / "examples" / "plugin"
Points = dict[str, dict[str, str]]


@contextlib.contextmanager
def installed(folder: Path, points: Points) -> Iterator[None]:
    """The example's module and its entry points, as pip would leave them in ``folder``, on Python's path."""
    shutil.copy(EXAMPLE / "routeproof_chordal.py", folder)
    about = folder / "routeproof_chordal-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: routeproof-chordal\nVersion: 1.0\n")
    lines = [x for group, of in points.items() for x in (f"[{group}]", *(f"{k} = {v}" for k, v in of.items()))]
    (about / "entry_points.txt").write_text("\n".join(lines))
    sys.path.insert(0, str(folder))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("routeproof_chordal", None)
        _forget()


def _forget() -> None:
    for table in (TOPOLOGIES, ROUTINGS, FORMATS):
        table.__dict__.pop("others", None)


def example() -> Points:
    points: Points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]
    return points


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[None]:
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", example()):
        yield


Said = Callable[..., str]


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Said:
    """What a command says, both streams, white space and frames aside."""

    def run(*arguments: str, status: int = 0) -> str:
        capsys.readouterr()
        assert main(list(arguments)) == status
        said = capsys.readouterr()
        return " ".join((said.out + said.err).replace("│", " ").split())

    return run


def test_a_topology_of_another_package(plugin: None) -> None:
    network = resolve_network("chordal-ring: 12, 5 ,bandwidth=2,dead-nodes=3")
    assert network.name == "chordal-ring:12,5,bandwidth=2,dead-nodes=3"
    assert network.spec is None
    assert (network.num_nodes, network.num_channels) == (11, 40)
    assert ("chordal-ring:12,5", "a ring with chords: every node is also joined to the one so much further on") in (
        complete_topology("cho")
    )
    with pytest.raises(InputError, match=r"the chord is 6; .* \(for example: chordal-ring:12,5\)"):
        resolve_network("chordal-ring:12,6")
    with pytest.raises(InputError, match="did you mean 'chordal-ring'"):
        resolve_network("chordal-rung:12,5")


def test_a_format_of_another_package(plugin: None, tmp_path: Path, says: Said) -> None:
    path = tmp_path / "net.edges"
    assert "12 nodes, 48 channels" in says("convert", "chordal-ring:12,5", str(path))
    assert read_network(path).num_channels == 48
    assert "connected" in says("check", str(path))
    path.write_text("0 1\n1 two\n")
    with pytest.raises(InputError, match=r"net\.edges, line 2: '1 two'; two nodes were expected"):
        read_network(path)


def test_help_shows_what_is_installed(plugin: None, says: Said) -> None:
    for verb in ("worst-case", "design", "failures", "convert"):
        said = says(verb, "--help")
        assert "chordal-ring:12,5: a ring with chords" in said, verb
    assert ".edges (a list of edges)" in says("convert", "--help")


def test_reports_verify_where_the_package_is_not(tmp_path: Path, says: Said) -> None:
    report = tmp_path / "report.json"
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", example()):
        says("worst-case", "chordal-ring:8,3", "--routing", "minimal", "--json", str(report))
    with pytest.raises(InputError, match="is neither a known family nor an existing file"):
        resolve_network("chordal-ring:8,3")
    subject = json.loads(report.read_text())["subject"]
    assert subject["topology"] == "chordal-ring:8,3"
    assert len(subject["network"]["channels"]) == 32
    assert "claims verified" in says("verify", str(report))


def test_a_routing_of_another_package(tmp_path: Path, says: Said) -> None:
    report = tmp_path / "report.json"
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", example()):
        assert complete_routing("clock") == [("clockwise", "always to the node with the next number")]
        assert "clockwise: always to the node with the next number" in says("worst-case", "--help")
        assert "PROVED" in says("worst-case", "ring:4", "-r", "clockwise", "--json", str(report))
        assert "clockwise:way=back on ring:4" in says("worst-case", "ring:4", "-r", "clockwise:way=back")
        wrong = says("worst-case", "ring:4", "-r", "clockwise:way=up", status=2)
        assert "way is 'up'; on or back was expected" in wrong
        assert "unknown option 'sense'" in says("worst-case", "ring:4", "-r", "clockwise:sense=1", status=2)
    subject = json.loads(report.read_text())["subject"]
    assert set(subject["routing"]) > {"spec"}, "the report holds its table"
    assert "claims verified" in says("verify", str(report))
    assert "clockwise" in says("worst-case", "ring:4", "-r", "clockwise", status=2)


def test_documents_never_name_what_another_package_makes(plugin: None) -> None:
    with pytest.raises(InputError, match="unknown network family 'chordal-ring'"):
        network_from_spec("chordal-ring:12,5")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module:X", "cannot be loaded: ModuleNotFoundError"),
        ("routeproof_chordal:NOTHING", "cannot be loaded: AttributeError"),
        ("routeproof_chordal:chordal_ring", "a Family of that name was expected"),
        ("routeproof_chordal:EDGES", "a Family of that name was expected"),
    ],
)
def test_a_broken_topology_is_refused_in_a_line(value: str, reason: str, tmp_path: Path, says: Said) -> None:
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", {"routeproof.topologies": {"chordal-ring": value}}):
        said = says("worst-case", "chordal-ring:12,5", "-r", "minimal", status=2)
        assert said.startswith("error: topology chordal-ring of the package routeproof-chordal")
        assert reason in said
        assert "Broken: topology chordal-ring of the package routeproof-chordal" in says("worst-case", "--help")
        assert complete_topology("cho") == []
        assert resolve_network("ring:3").num_nodes == 3, "the others do not mind"


def test_a_broken_format_does_not_hide_the_others(tmp_path: Path, says: Said) -> None:
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", {"routeproof.formats": {"edges": "no_such_module:X"}}):
        assert "3 nodes" in says("convert", "ring:3", str(tmp_path / "net.gml"))
        (tmp_path / "net.edges").write_text("0 1\n")
        with pytest.raises(InputError, match=r"lists them; format edges of the package routeproof-chordal"):
            read_network(tmp_path / "net.edges")


def test_what_a_topology_must_make(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    points: dict[str, Any] = {"routeproof.topologies": {"odd": "routeproof_odd:ODD", "torus": "routeproof_odd:TORUS"}}
    (tmp_path / "site" / "routeproof_odd.py").write_text(
        "from routeproof.topologies.family import Family\n"
        "ODD = Family('odd:3', 'a number', lambda p: 3)\n"
        "TORUS = Family('torus:3', 'a number', lambda p: 3)\n"
    )
    with installed(tmp_path / "site", points):
        with pytest.raises(InputError, match="build made a int; a Network was expected"):
            resolve_network("odd:3")
        assert resolve_network("torus:3x3").num_nodes == 9, "nobody replaces ours"
