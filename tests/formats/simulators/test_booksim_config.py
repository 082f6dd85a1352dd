"""BookSim's configuration files: the networks and routing functions that they name, and all that is not followed."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.routing.base.routing import Routing
from routeproof.routing.files.table import routing_from_file

MESH = """// from the examples
topology = mesh;
k = 4;   // a side
n = 2;

routing_function = dor;
"""


def config(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mesh44"
    path.write_text(text)
    return str(path)


def both(tmp_path: Path, text: str) -> tuple[Network, Routing]:
    path = config(tmp_path, text)
    network = read_network(path)
    return network, routing_from_file(path, network)


def nodes_on_the_way(start: int, end: int, radix: int) -> list[int]:
    """As BookSim routes on a mesh: the least significant digit first."""
    walk, weight, here = [start], 1, start
    while here != end:
        while here // weight % radix != end // weight % radix:
            here += weight if here // weight % radix < end // weight % radix else -weight
            walk.append(here)
        weight *= radix
    return walk


@pytest.mark.parametrize(("radix", "dimensions"), [(4, 2), (3, 3), (5, 1)])
def test_dimension_order_is_that_of_booksim(radix: int, dimensions: int, tmp_path: Path) -> None:
    text = f"topology=mesh;k={radix};n={dimensions};routing_function=dim_order;"
    network, routing = both(tmp_path, text)
    assert network.spec == f"mesh:{'x'.join([str(radix)] * dimensions)}"
    for i in range(network.num_nodes):
        for j in range(network.num_nodes):
            if i != j:
                ((weight, path),) = routing.paths(i, j)
                assert weight == 1
                assert [i, *network.head[path].tolist()] == nodes_on_the_way(i, j, radix)


@pytest.mark.parametrize(
    ("text", "network", "routing"),
    [
        (MESH, "mesh:4x4", "dor:order=yx"),
        ("topology = torus; k = 5; n = 3; routing_function = dim_order_bal;", "torus:5x5x5", "dor:order=zyx"),
        ("routing_function = dim_order;", "torus:8x8", "dor:order=yx"),
        ("topology = mesh; k = 3; routing_function = xy_yx;", "mesh:3x3", "o1turn"),
        ("topology = mesh; k = 3; routing_function = romm;", "mesh:3x3", "romm:order=yx-yx"),
        ("topology = fattree; k = 2; n = 3; routing_function = nca;", "k-ary-tree:2,3", "minimal:choice=per-path"),
    ],
)
def test_routing_functions_that_are_ours(text: str, network: str, routing: str, tmp_path: Path) -> None:
    found = both(tmp_path, text)
    assert (found[0].spec, found[1].name) == (network, routing)


def test_valiant_says_what_differs_and_routes_the_last_dimension_first(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match="packets to their own node"):
        network, routing = both(tmp_path, "topology=torus;k=3;n=2;routing_function=valiant;")
    assert routing.name == "valiant:order=yx"
    for i in range(9):
        for j in range(9):
            own: dict[int, Fraction] = {}
            for weight, path in routing.paths(i, j):
                for c in path:
                    own[c] = own.get(c, Fraction(0)) + weight
                legs = "".join("y" if abs(int(network.tail[c]) - int(network.head[c])) < 3 else "x" for c in path)
                assert re.fullmatch("y*x*y*x*", legs)
            if i != j:
                assert routing.pair_loads([i], [j]).as_dict() == own


def test_an_anynet_beside_its_configuration(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("router 0 node 0 router 1\nrouter 1 node 1\n")
    path = config(tmp_path, "topology = anynet; network_file = links; routing_function = min;")
    network = read_network(path)
    assert (network.num_nodes, network.num_terminals) == (2, 2)
    with pytest.raises(InputError, match="--routing minimal is the mean over all"):
        routing_from_file(path, network)
    assert read_network(tmp_path / "links").num_nodes == 2  # by what it says, without an extension
    with pytest.raises(InputError, match="holds a network \\(BookSim's anynet\\); a routing document was expected"):
        routing_from_file(str(tmp_path / "links"), network)


def test_the_command_reads_it_and_says_what_it_leaves_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report = config(tmp_path, MESH + "num_vcs = 8; traffic = transpose;"), str(tmp_path / "report.json")
    assert main(["worst-case", path, "--routing", path, "--json", report]) == 0
    told = capsys.readouterr()
    assert "dor:order=yx on mesh:4x4" in told.out
    assert "num_vcs = 8, traffic = transpose" in told.err
    assert main(["verify", report]) == 0
    assert main(["check", path]) == 0
    assert main(["worst-case", "mesh:5x5", "--routing", path]) == 2
    assert "about another network" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topology = mesh;\nk = 4;\nk = 5;", "line 3: 'k' is given again; line 2 gave it first"),
        ("topology = mesh;\nk = 4", "'k = 4' does not end with ';'"),
        ("topology = mesh;\nk == 4;", "line 2: 'k == 4'; 'key = value;' was expected"),
        ("topology = mesh;\nk = four;", "line 2: k is 'four'; a whole number"),
        ("topology = mesh; subnets = 2;", "subnets is 2: several networks"),
        ("topology = mesh;\nlink_failures = 3;", "line 2: link_failures is 3: failures"),
        ("topology = mseh;", "did you mean 'mesh'"),
        ("topology = cmesh;", "concentration=4"),
        ("topology = torus; k = 2;", "two channels each way"),
        ("topology = mesh; n = 99;", "1 to 22 dimensions"),
        ("topology = anynet;", "network_file"),
        ("topology = mesh; routing_function = xyyx;", "did you mean 'xy_yx'"),
        ("topology = torus; routing_function = min_adapt;", "it is adaptive"),
        ("topology = mesh;", "'none' is none that BookSim has"),
    ],
)
def test_what_is_not_followed_is_refused_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as caught:
        both(tmp_path, text)
    assert "\n" not in str(caught.value)
