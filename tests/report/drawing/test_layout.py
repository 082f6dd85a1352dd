"""Pictures: every channel drawn once, no node on another, always the same bytes."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import networkx
import numpy as np
import pytest

from routeproof import network
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network
from routeproof.report.drawing.frame import node_labels, outline, strip
from routeproof.report.drawing.layout import place, positions_in_file
from routeproof.report.drawing.plot import Picture, check_picture, picture_figure
from routeproof.report.drawing.recognised import recognised_grid
from routeproof.report.drawing.structure import clusters_of_polarfly
from routeproof.report.figures.style import FORMATS, figure_bytes

SPECS = [
    "torus:9x9",
    "torus:5",
    "torus:4x2",
    "torus:2x2x2",
    "torus:4x4x4",
    "torus:3x3x3x3",
    "torus:5x3,oneway",
    "mesh:6x4",
    "mesh:5",
    "ring:7",
    "ring:2",
    "hypercube:1",
    "hypercube:4",
    "hypercube:6",
    "hyperx:3x3",
    "hyperx:5x2",
    "hyperx:4x3x3",
    "complete:6",
    "petersen",
    "kautz:2,3",
    "random-regular:64,degree=6,seed=7",
    "torus:5x5,dead-nodes=3",
    "slim-fly:5",
    "dragonfly:2,4,2",
    "cray-dragonfly:1,3x2,2",
    "dragonfly-plus:2,2,2,2",
]


@pytest.mark.parametrize("spec", SPECS)
def test_every_channel_is_drawn_and_no_node_hides_another(spec: str) -> None:
    network = resolve_network(spec)
    layout = place(network)
    drawn: dict[int, int] = {}
    for piece in layout.pieces:
        drawn[piece.channel] = drawn.get(piece.channel, 0) + 1
        u, v = network.tail[piece.channel], network.head[piece.channel]
        if piece.leaves:
            assert np.allclose(piece.line[0], layout.node[u])
        if piece.arrives:
            assert np.allclose(piece.line[-1], layout.node[v])
        assert np.isfinite(strip(layout, piece)).all()
    assert sorted(drawn) == list(range(network.num_channels))
    assert set(drawn.values()) <= {1, 2}
    for v in range(network.num_nodes):
        apart = np.hypot(*(layout.node - layout.node[v]).T)
        apart[v] = math.inf
        assert apart.min() > 2 * layout.radius
    low, high = outline(layout)
    assert (low < high).all()


def test_wrap_channels_of_a_torus_are_two_stubs_and_leave_the_middle_whole() -> None:
    network = resolve_network("torus:5x4")
    for centre in (None, 0, 7, 19):
        layout = place(network, centre=centre)
        stubs = [piece for piece in layout.pieces if not (piece.leaves and piece.arrives)]
        assert len(stubs) == 2 * 2 * (5 + 4)
        assert layout.ticks is not None
        assert [sorted(x) for x in layout.ticks] == [list(range(5)), list(range(4))]
    assert np.allclose(place(network, centre=7).node[7], [2, 1])


def test_a_radix_of_two_has_no_stubs() -> None:
    layout = place(resolve_network("torus:2x2"))
    assert all(piece.leaves and piece.arrives for piece in layout.pieces)


def test_parallel_channels_are_bent_apart() -> None:
    network = Network.of("twins", 2, [(0, 1), (0, 1), (0, 1), (1, 0)])
    middles = [piece.line[len(piece.line) // 2] for piece in place(network).pieces[:3]]
    assert all(np.hypot(*(a - b)) > 0.05 for a, b in itertools.pairwise(middles))


def test_nodes_on_one_spot_are_pulled_apart_and_unknown_ones_join_their_neighbours() -> None:
    network = Network.of("line", 4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)])
    positions = np.array([[0.0, 0.0], [0.0, 0.0], [math.nan, math.nan], [5.0, 5.0]])
    node = place(network, positions=positions).node
    assert np.isfinite(node).all()
    assert len({tuple(x) for x in node.round(3).tolist()}) == 4


def _picture(network: Network, title: str = "title") -> Picture:
    load = [Fraction(c % 5, 2) for c in range(network.num_channels)]
    return Picture(network, title, "subtitle", "caption", load, 0, {0: Fraction(1)}, frozenset({0}), frozenset({1}))


def drawn(picture: Picture, form: str) -> bytes:
    return figure_bytes(lambda look: picture_figure(picture, look), form)


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_picture_has_the_same_bytes(form: str) -> None:
    network = resolve_network("torus:4x3")
    first, second = (drawn(_picture(network), form) for _ in range(2))
    assert first == second
    assert first.startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[form])


@pytest.mark.parametrize("spec", ["ring:2", "petersen", "hyperx:4x3x3", "mesh:5", "kautz:2,3"])
def test_all_shapes_can_be_drawn(spec: str) -> None:
    assert drawn(_picture(resolve_network(spec)), ".svg")


def test_hostile_names_are_drawn_as_they_read() -> None:
    labels = ["$\\frac{1}{2}$", "<script>", "a\x1b[31mb", "日本" * 40, "\u202e", ""]
    network = Network.of("hostile", 6, [(i, (i + 1) % 6) for i in range(6)], labels=labels)
    found = node_labels(network, place(network), points=70)
    assert found[2].text == "a\\x1b[31mb"
    assert len(found[3].text) <= 18
    svg = drawn(_picture(network, title="$\\alpha & <b>"), ".svg")
    assert b"<script>" not in svg


def test_refusals_name_the_remedy() -> None:
    network = resolve_network("ring:4")
    with pytest.raises(InputError, match=r"\.svg, \.png or \.pdf was expected"):
        check_picture("a.gif", network)
    with pytest.raises(InputError, match="at most 20000 are drawn"):
        check_picture("a.svg", resolve_network("torus:80x80"))


GRAPHML = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="x" for="node" attr.name="Longitude" attr.type="double"/>
<key id="y" for="node" attr.name="Latitude" attr.type="double"/>
<graph edgedefault="undirected">
<node id="a"><data key="x">10</data><data key="y">60</data></node>
<node id="b"><data key="x">12</data><data key="y">60</data></node>
<node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>"""


def test_longitudes_and_latitudes_make_a_map(tmp_path: Path) -> None:
    file = tmp_path / "net.graphml"
    file.write_text(GRAPHML)
    positions = positions_in_file(f"{file},bandwidth=speed", num_nodes=3)
    assert positions is not None
    assert np.allclose(positions[:2], [[5, 60], [6, 60]])
    assert np.isnan(positions[2]).all()
    assert positions_in_file(str(file), num_nodes=4) is None
    assert positions_in_file("torus:3x3", num_nodes=9) is None
    file.write_text(GRAPHML.replace('<data key="x">10</data>', "").replace(">12<", ">inf<"))
    assert positions_in_file(str(file), num_nodes=3) is None


def _shuffled(net: Network, seed: int = 1) -> Network:
    """The same network with other numbers and no grid, as a file could bring it."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(net.num_nodes)
    order = rng.permutation(net.num_channels)
    ends = np.stack([place[net.tail], place[net.head]], axis=1)[order]
    return Network.of("file", net.num_nodes, ends)


@pytest.mark.parametrize(
    "spec", ["mesh:4x3", "mesh:5x5", "torus:4x4", "torus:5x3", "mesh:3x3x2", "torus:3x3x3", "hypercube:3", "torus:5x2"]
)
def test_a_mesh_or_torus_is_recognised_in_any_order(spec: str) -> None:
    net = _shuffled(network(spec))
    layout = place(net)
    if spec.count("x") == 1:
        assert np.array_equal(layout.node, np.round(layout.node))
        steps = [np.abs(np.diff(x.line, axis=0)).sum(axis=0) for x in layout.pieces if len(x.line) == 2]
        assert max(min(x) for x in steps) < 1e-9  # along an axis
    assert {x.channel for x in layout.pieces} == set(range(net.num_channels))
    for piece in layout.pieces:
        if piece.leaves:
            assert np.allclose(piece.line[0], layout.node[net.tail[piece.channel]])
        if piece.arrives:
            assert np.allclose(piece.line[-1], layout.node[net.head[piece.channel]])
    assert layout.ticks is None


def test_a_recognised_grid_runs_from_the_lower_left_as_its_names_say() -> None:
    net = network("mesh:3x3")
    names = [f"s_{x}_{y}" for y in range(3) for x in range(3)]
    named = Network.of("file", 9, np.stack([net.tail, net.head], axis=1), labels=names)
    node = place(named).node
    assert node[0].tolist() == [0, 0]
    assert node[names.index("s_0_1")].tolist() == [0, 1]
    plain = place(net.plain()).node
    assert (plain[0].tolist(), plain[1].tolist(), plain[3].tolist()) == ([0, 0], [1, 0], [0, 1])


@pytest.mark.parametrize(
    "spec", ["petersen", "slim-fly:5", "fat-tree:4", "ring:6", "hyperx:4x4", "random-regular:16,degree=4,seed=7"]
)
def test_what_is_no_grid_is_not_drawn_as_one(spec: str) -> None:
    assert recognised_grid(network(spec).plain()) is None


@pytest.mark.parametrize(("spec", "groups", "size"), [("dragonfly:2,4,2", 9, 4), ("slim-fly:5", 5, 10)])
def test_groups_stand_together_around_a_ring(spec: str, groups: int, size: int) -> None:
    network = resolve_network(spec)
    layout = place(network)
    names = network.groups
    if names is None:  # of a Slim Fly: routers (0, x, .) and (1, x, .)
        names = np.arange(network.num_nodes) // groups % groups
    centre = np.array([layout.node[names == g].mean(axis=0) for g in range(groups)])
    assert np.allclose(np.hypot(*centre.T), np.hypot(*centre[0]))  # on a ring
    for v in range(network.num_nodes):
        own = int(np.argmin(np.hypot(*(centre - layout.node[v]).T)))
        assert own == names[v]
    assert [int((names == g).sum()) for g in range(groups)] == [size] * groups


@pytest.mark.parametrize(
    ("spec", "pods"), [("fat-tree:6", 6), ("three-tier-clos:2,4,2,4,3", 3), ("rail-optimized:4,3,spines=2", 3)]
)
def test_pods_and_rails_stand_side_by_side(spec: str, pods: int) -> None:
    network = resolve_network(spec)
    x, y = place(network).node.T
    low = np.flatnonzero(y < y.max() - 0.1)
    kept = np.isin(network.tail, low) & np.isin(network.head, low)
    graph = networkx.Graph(zip(network.tail[kept].tolist(), network.head[kept].tolist(), strict=True))
    parts = sorted((x[list(part)].min(), x[list(part)].max()) for part in networkx.connected_components(graph))
    assert len(parts) == pods
    assert all(a[1] < b[0] for a, b in itertools.pairwise(parts))


def test_the_clusters_of_polarfly_are_those_of_its_paper() -> None:
    network = resolve_network("polarfly:7")
    found = clusters_of_polarfly(network)
    assert found is not None
    assert np.bincount(found).tolist() == [8] + [7] * 7  # the quadrics, and a fan for each neighbour of one
    inside = found[network.tail] == found[network.head]
    assert not np.any(found[network.tail][inside] == 0)  # no two quadrics are joined
    triangles = (7 - 1) // 2  # of a fan: its centre with pairs of neighbours
    assert np.bincount(found[network.tail][inside], minlength=8)[1:].tolist() == [2 * 3 * triangles] * 7


def test_a_document_of_our_own_has_places_too(tmp_path: Path) -> None:
    file = tmp_path / "net.json"
    net = {"format": "routeproof/network", "num_nodes": 2, "channels": [[0, 1], [1, 0]]}
    file.write_text(json.dumps(net | {"positions": [[10, 60], [12.5, 60]]}))
    assert resolve_network(str(file)).num_nodes == 2
    found = positions_in_file(str(file), num_nodes=2)
    assert found is not None
    assert np.allclose(found, [[5, 60], [6.25, 60]])
    for wrong in ([[10, 60]], [[10, 60], "Oslo"], [[10, 60], [1, "2"]], [[10, 60], [1, 2, 3]]):
        file.write_text(json.dumps(net | {"positions": wrong}))
        with pytest.raises(InputError, match="positions"):
            resolve_network(str(file))
    file.write_text(json.dumps(net | {"positions": None}))
    assert positions_in_file(str(file), num_nodes=2) is None
    file.write_text(json.dumps({"positions": 5}))  # a document of another kind
    assert positions_in_file(str(file), num_nodes=2) is None
