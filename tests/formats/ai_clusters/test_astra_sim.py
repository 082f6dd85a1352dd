"""ASTRA-sim's analytical networks, and the YAML that they are written in."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.ai_clusters.astra_sim import _product
from routeproof.formats.ai_clusters.flow_yaml import parse_flow_yaml
from routeproof.formats.format import File, read_network

THREE = """# Network Configuration

# 3D basic-topology, Ring_FullyConnected_Switch
topology: [ Ring, FullyConnected, Switch ]  # Ring, Switch, FullyConnected

npus_count: [ 3, 4, 2 ]  # number of NPUs
bandwidth: [ 200.0, 100.0, 37.5 ]  # GB/s
latency: [ 50.0, 500.0, 2000.0 ]  # ns
"""


def written(tmp_path: Path, text: str, name: str = "network.yml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def edges(network: Network) -> set[tuple[str, str, Fraction]]:
    ends = ((network.label(int(u)), network.label(int(v))) for u, v in zip(network.tail, network.head, strict=True))
    return {(u, v, b) for (u, v), b in zip(ends, network.bandwidth, strict=True)}


def address(npu: int, sizes: list[int]) -> tuple[int, ...]:
    """As ASTRA-sim's translate_address: dimension 0 is the fastest."""
    found = []
    for k in sizes:
        found.append(npu % k)
        npu //= k
    return tuple(found)


def test_every_link_joins_npus_that_differ_in_one_dimension(tmp_path: Path) -> None:
    sizes = [3, 4, 2]
    found = read_network(written(tmp_path, THREE))
    place = {address(k, sizes): f"npu{k}" for k in range(24)}
    wanted = set()
    switches = {}
    for a, here in place.items():
        for b, there in place.items():
            differ = [m for m in range(3) if a[m] != b[m]]
            if differ in ([0], [1]):  # a ring of three, and a complete graph
                wanted.add((here, there, Fraction(200 if differ == [0] else 100)))
        switch = switches.setdefault(a[:2], f"dim2.switch{len(switches)}")
        wanted |= {(here, switch, Fraction(75, 2)), (switch, here, Fraction(75, 2))}
    assert {(u, v, b) for u, v, b in edges(found) if not u.startswith("dim") and not v.startswith("dim")} == {
        x for x in wanted if not x[0].startswith("dim") and not x[1].startswith("dim")
    }
    assert found.num_channels == len(wanted)
    assert found.num_terminals == 24
    groups = {v: {u for u, w, _ in edges(found) if w == v} for v in found.labels or () if v.startswith("dim")}
    assert sorted(map(sorted, groups.values())) == sorted(
        sorted(place[(*a, z)] for z in range(2)) for a in {x[:2] for x in place}
    )


@pytest.mark.parametrize(("block", "name"), [("Ring", "torus:4x2x3"), ("FullyConnected", "hyperx:4x2x3")])
def test_of_one_kind_they_are_tori_and_hyperx(block: str, name: str, tmp_path: Path) -> None:
    text = f"topology: [{block}, {block}, {block}]\nnpus_count: [3, 2, 4]\nbandwidth: [3, 2, 1]\n"
    found = read_network(written(tmp_path, text))
    assert found.name == f"{name},bandwidth=1x2x3"
    plain = _product(File(tmp_path / "network.yml"), [block] * 3, [3, 2, 4], [Fraction(3), Fraction(2), Fraction(1)])
    same = [(u, v, b) for u, v, b in zip(found.tail.tolist(), found.head.tolist(), found.bandwidth, strict=True)]
    assert sorted(same) == sorted(zip(plain.tail.tolist(), plain.head.tolist(), plain.bandwidth, strict=True))


def test_json_and_lists_with_dashes_say_the_same(tmp_path: Path) -> None:
    for text in (
        '{"topology": ["Switch"], "npus_count": [8], "bandwidth": [400.0], "latency": [936.25]}',
        "---\ntopology:\n  - Switch\nnpus_count:\n  - 8\nbandwidth: [\n  400\n]\n",
    ):
        found = read_network(written(tmp_path, text))
        assert (found.num_nodes, found.num_channels, set(found.bandwidth)) == (9, 16, {400})


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ("Ring,", "Torus,", "topology 'Torus' is unknown; known: FullyConnected, Ring, Switch"),
        ("3, 4, 2", "3, 4", "3 dimensions of topology and 2 of npus_count"),
        ("3, 4, 2", "3, 1, 2", "npus_count is '1'; a whole number of at least 2"),
        ("200.0", "tbd", "bandwidth is 'tbd'; a number or a fraction"),
        ("200.0", "-2", "bandwidth is -2; a positive number"),
        ("npus_count:", "npu_count:", "unknown key 'npu_count'; did you mean 'npus_count'"),
        ("bandwidth: [ 200.0, 100.0, 37.5 ]", "bandwidth: 200.0", "bandwidth is '200.0'; a list with a value for each"),
        ("bandwidth:", "topology:", "line 7: 'topology:"),
        ("latency: [ 50.0, 500.0, 2000.0 ]", "links: [ 1, 1, 1 ]", "unknown key 'links'"),
        ("[ 3, 4, 2 ]", "[ 3, 4, 2", "line 7: 'bandwidth:' where a comma or \\] was expected"),
        ("latency:", " latency:", "line 8: 'latency' where a name at the margin"),
        ("[ 3, 4, 2 ]", "&a [ 3, 4, 2 ]", "line 6: '&a .*' where a word, a number or a bracket"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(change: str, to: str, message: str, tmp_path: Path) -> None:
    assert change in THREE
    with pytest.raises(InputError, match=message):
        read_network(written(tmp_path, THREE.replace(change, to, 1)))


def test_other_files_of_astra_sim_say_what_would_be_right(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="logical dimensions alone; the network is in the list of links for ns-3"):
        read_network(written(tmp_path, '{\n    "logical-dims": ["8","2"]\n}\n', "net.json"))
    with pytest.raises(InputError, match="a network of ASTRA-sim 1"):
        read_network(written(tmp_path, '{"topology-name": "Hierarchical", "units-count": [16]}', "net.json"))


@given(st.text(alphabet="ab:,[]{}#\"' \n-.1", max_size=40))
def test_any_text_is_a_mapping_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert isinstance(parse_flow_yaml(text, what="file x"), dict)
