"""Whatever bytes a file holds, a reader gives a value or says no in one line: never another exception."""

import json
import random
import warnings

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from document_files import permutation_in, read_routing_document
from places import ZOO
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.report import claims_to_document, document_to_claims, read_report
from routeproof.formats.documents.traffic import read_traffic
from routeproof.formats.format import read_network

NET = {
    "format": "routeproof/network", "name": "n", "num_nodes": 3, "channels": [[0, 1], [1, 2, "3/2"], [2, 0, 0.5]],
    "source": [0, 1], "sink": [1, 2], "labels": ["a", "b", "é"],
}  # fmt: skip
ROUTING = {
    "format": "routeproof/routing", "network": NET,
    "pairs": [{"source": 0, "destination": 1, "paths": [{"weight": "1/2", "channels": [0, 1]}]}],
}  # fmt: skip
REPORT = claims_to_document(
    {"network": NET}, [Claim("deadlock_free", "==", "true", Grade.PROVED, Evidence("x", {"y": [1]}))]
)
GML = 'graph [ directed 0 node [ id 1 label "&#233;" terminals 1 ] node [ id 2 terminals 2 ] edge [ source 1 target 2 bandwidth 1.5 ] ]'  # fmt: skip # noqa: E501
GRAPHML = (ZOO / "Nsfnet.graphml").read_bytes()
SPEC = {"format": "routeproof/routing", "network": {"spec": "torus:3x3"}, "pairs": []}

NS3 = b"6 2 1 1 5 H100\n4 5\n0 4 2880Gbps 0.1ms 0\n1 4 9Gbps 1us 0\n2 5 9Gbps 1us 0\n3 5 9Gbps 1us 0\n4 5 9Gbps 1us 0\n"
HTSIM = b"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 9\nRadix_Down 2\nRadix_Up 2\nTier 1\nDownlink_speed_Gbps 9\nRadix_Down 2\n"  # fmt: skip # noqa: E501
ASTRA_SIM = b"# a\ntopology: [ Ring, Switch ]\nnpus_count: [ 3, 2 ]  # n\nbandwidth: [ 50.0, 1 ]\nlatency: [ 5, 5 ]\n"
TENSTORRENT = b"""mesh_descriptors { name: "M"
device_topology { dims: [ 3, 2 ] dim_types: [ RING, LINE ] } channels { count: 2 } }
graph_descriptors { name: "G" instances { mesh { mesh_descriptor: "M" mesh_id: 0 } } }
top_level_instance { graph { graph_descriptor: "G" graph_id: 0 } }"""
TENSTORRENT_1 = b"""ChipSpec: { arch: a, ethernet_ports: { N: 2, E: 2, S: 2, W: 2 } }
Board: [{ name: b, type: Mesh, topology: [2, 2] }]
Mesh: [{ id: 0, board: b, device_topology: [2, 2] }]
Graph: [ ]"""

READERS = {
    "Spectrum-X": (read_network, NS3),
    "htsim.topo": (read_network, HTSIM),
    "network.yml": (read_network, ASTRA_SIM),
    "mesh.textproto": (read_network, TENSTORRENT),
    "mesh.yaml": (read_network, TENSTORRENT_1),
    "network.json": (read_network, json.dumps(NET).encode()),
    "routing.json": (read_routing_document, json.dumps(ROUTING).encode()),
    "spec.json": (read_routing_document, json.dumps(SPEC).encode()),
    "report.json": (read_report, json.dumps(REPORT).encode()),
    "net.graphml": (read_network, GRAPHML),
    "net.gml": (read_network, GML.encode()),
    "permutation.txt": (lambda path: permutation_in(path, 3), b"2, 0 1 # three"),
    "traffic.txt": (lambda path: read_traffic(path, 2), b"0 1/2\n0.5 0"),
    "traffic.json": (lambda path: read_traffic(path, 2), b'[["0", "1/2"], [0.5, 0]]'),
}
QUIET = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
TOKENS = [
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b",",
        b":",
        b"#",
        b"\n",
        b" ",
        b"[[[[",
        b"<",
        b">",
        b"<!DOCTYPE a>",
        b"&amp;",
        b"&x;",
    ),
    *(b"0", b"-1", b"1e999", b"NaN", b"1/0", b"0.0000001", b"99999999999999999999", b"null", b"true"),
    *(b"\\ud800", b"\x00", b"\xff"),
]


def outcome(read, argument):
    """What ``read`` gives, or its refusal; any other exception passes through and fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = read(argument)
        except (InputError, VerificationError) as error:
            result = error
    if isinstance(result, Exception):
        assert str(result).isprintable()
    return result


def survives(read, path, content):
    path.write_bytes(content)
    return outcome(read, path)


@pytest.mark.parametrize("name", READERS)
def test_the_starting_points_are_valid(name, tmp_path):
    read, content = READERS[name]
    assert not isinstance(survives(read, tmp_path / name, content), Exception)


@pytest.mark.parametrize("name", READERS)
@QUIET
@given(content=st.binary(max_size=200))
@example(content=b"")
@example(content=b"[" * 10_000)
@example(content=b'{"a":' * 10_000)
@example(content=b"9" * 100_000)
@example(content=b"\xef\xbb\xbf")
def test_any_bytes(name, content, tmp_path):
    survives(READERS[name][0], tmp_path / name, content)


@pytest.mark.parametrize("name", READERS)
@QUIET
@given(seed=st.integers(0, 2**32))
def test_valid_files_with_some_bytes_changed(name, seed, tmp_path):
    read, content = READERS[name]
    rng = random.Random(seed)
    damaged = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(damaged) + 1)
        damaged[at : at + rng.choice([0, 1, 1, 5])] = rng.choice(TOKENS)
    survives(read, tmp_path / name, bytes(damaged))


@pytest.mark.parametrize("name", READERS)
def test_truncated_files(name, tmp_path):
    read, content = READERS[name]
    for end in range(0, len(content), max(1, len(content) // 60)):
        survives(read, tmp_path / name, content[:end])


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(
    ["1/2", "true", "torus:3x3", "routeproof/network", 0, 1, 2, 10**20]
)  # fmt: skip
values = st.recursive(scalars, lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(max_size=5), x, max_size=3))


@pytest.mark.parametrize("document", [NET, ROUTING, REPORT], ids=["network", "routing", "report"])
@QUIET
@given(data=st.data())
def test_valid_documents_with_one_value_replaced(document, data, tmp_path):
    changed = json.loads(json.dumps(document))
    place = changed
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
            place = place[key]
        else:
            break
    place[key] = data.draw(values)
    read = {"network": read_network, "routing": read_routing_document, "report": read_report}
    kind = document["format"].removeprefix("routeproof/")
    survives(read[kind], tmp_path / "doc.json", json.dumps(changed).encode())


@QUIET
@given(value=values)
def test_any_object_as_a_report(value):
    outcome(document_to_claims, value)
