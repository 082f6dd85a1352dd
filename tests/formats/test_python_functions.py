"""The user's own functions by file: routings and topologies, their options, and what reports call them."""

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.grid.lattice import ring

CODE = """
import helper
import networkx as nx
from fractions import Fraction
from routeproof import Network

def clockwise(state, node, destination, *, prob=Fraction(1, 2), word="x"):
    if state == "start":
        return [(prob, 1, (node + 1) % 5), (1 - prob, -1, (node - 1) % 5)]
    return [(1, state, (node + state) % 5)]
clockwise.start = "start"

def ladder(steps=3, width=1):
    print("this is not the report")
    graph = nx.ladder_graph(steps)
    nx.set_edge_attributes(graph, str(width), "bandwidth")
    return graph

def pair(**words):
    assert all(isinstance(x, str) for x in words.values())
    return Network.of("torus:2x2", 2, [(0, 1), (1, 0)])

def wrong():
    return [1]

def ends():
    raise SystemExit(3)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "helper.py").write_text("")
    for name in ("mine", "dor", "torus"):
        (tmp_path / f"{name}.py").write_text(CODE)
    yield tmp_path
    sys.modules.pop("helper", None)
    while str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def first_hop(folder: Path, options: str) -> Fraction:
    routing = routing_from_spec(f"{folder}/mine.py:clockwise{options}", ring(5))
    assert routing.name == f"{folder}/mine.py:clockwise{options}"
    loads = routing.pair_loads([0], [1]).as_dict()
    return max(loads[c] for c in loads if (int(ring(5).tail[c]), int(ring(5).head[c])) == (0, 1))


def test_options_of_a_routing_function(folder: Path) -> None:
    assert first_hop(folder, "") == Fraction(1, 2)
    assert first_hop(folder, ",prob=1/3") == Fraction(1, 3)
    assert first_hop(folder, ",word=anything,prob=0.25") == Fraction(1, 4)
    routing = routing_from_spec(f"{folder}/mine.py:clockwise,prob=1/3,samples=10,seed=2", ring(5))
    assert routing.name.endswith("mine.py:clockwise,prob=1/3,samples=10,seed=2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mine.py:clockwise,probb=1/3", "unknown option 'probb'; did you mean 'prob'?"),
        ("mine.py:clockwise,state=3", "unknown option 'state'; did you mean 'states'?"),
        ("mine.py:clockwise,speed=3", "did you mean 'seed'? It takes prob, "),
        ("mine.py:clockwise,prob", "'prob' is not an option"),
        ("mine.py:clockwise:prob=1/3", "names no function; file.py:function[,option=value] was"),
        ("mine.py:", "names no function; file.py:function["),
        ("mine.py:clockwize", "has no 'clockwize'; did you mean 'clockwise'?"),
        ("mime.py:clockwise", "there is no file"),
        ("mine.py", "is a Python file; name its function"),
    ],
)
def test_what_is_wrong_with_a_routing_function_is_said(folder: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        routing_from_spec(f"{folder}/{text}", ring(5))
    assert words in str(caught.value)


def test_a_topology_from_a_function(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = resolve_network(f"{folder}/mine.py:ladder,steps=4,width=3/2,dead-links=0-1")
    assert (network.num_nodes, network.num_channels, set(network.bandwidth)) == (8, 18, {Fraction(3, 2)})
    assert network.name == f"{folder}/mine.py:ladder,steps=4,width=3/2,dead-links=0-1"
    assert capsys.readouterr().out == ""
    assert resolve_network(f"{folder}/mine.py:pair,one=two").name == f"{folder}/mine.py:pair,one=two"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mine.py:ladder,step=4", "unknown option 'step'; did you mean 'steps'?"),
        ("mine.py:ladder,steps=x", "raised"),
        ("mine.py:wrong", "returned a list; a Network or a networkx graph was expected"),
        ("mine.py:ends", "raised SystemExit: 3"),
        ("mine.py:ladder:4", "names no function; file.py:function[,option=value] was expected"),
        ("mine.py:laddr", "did you mean 'ladder'?"),
        ("mine.py", "is a Python file; name its function"),
    ],
)
def test_what_is_wrong_with_a_topology_function_is_said(folder: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve_network(f"{folder}/{text}")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_called_like_ours_are_told_from_ours(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["worst-case", "torus.py:ladder", "--routing", "ecmp"]) == 2
    assert "reads like the family torus; ./torus.py:ladder names the file" in capsys.readouterr().err
    assert main(["worst-case", "./torus.py:ladder", "--routing", "ecmp", "--json", "one.json"]) == 0
    assert main(["worst-case", "ring:5", "--routing", "dor.py:clockwise", "--json", "two.json"]) == 0
    assert json.loads(Path("two.json").read_text())["subject"]["routing"]["spec"] == "./dor.py:clockwise"
    for name in ("torus", "dor", "mine"):
        (folder / f"{name}.py").unlink()  # a report needs none of it
    assert main(["verify", "one.json"]) == 0
    assert main(["verify", "two.json"]) == 0
    assert "'./dor.py:clockwise', given by the report" in capsys.readouterr().out
