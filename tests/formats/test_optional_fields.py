"""Optional fields that are there and not understood are errors with their place, never defaults.

(Graph files: test_unused_attributes.  The output of ibnetdiscover: test_infiniband_rates.)
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infiniband_files import read_ibnetdiscover
from places import INFINIBAND
from routeproof.core.errors import InputError
from routeproof.formats.demands.rates import read_rates
from routeproof.formats.documents.network import network_from_document
from routeproof.formats.documents.routing import next_hops_from_document
from routeproof.formats.documents.traffic import read_permutations, read_traffic
from routeproof.formats.documents.wiring import splitter_from_document, wiring_from_document
from routeproof.formats.infiniband.forwarding_tables import read_forwarding_tables
from routeproof.formats.infiniband.service_levels import read_path_levels
from routeproof.formats.infiniband.sl2vl import read_lane_tables
from routeproof.formats.simulators.anynet import read_anynet
from routeproof.formats.simulators.sst import sst_to_network
from routeproof.symmetry.automorphisms import symmetry_of
from routeproof.topologies.family import network_from_spec

DOCUMENTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "network": (
        lambda x: network_from_document(x, what="it"),
        {"format": "routeproof/network", "num_nodes": 2, "channels": [[0, 1], [1, 0]]},
    ),
    "next-hop": (
        lambda x: next_hops_from_document(x, what="it"),
        {
            "format": "routeproof/next-hop",
            "network": {"spec": "ring:3"},
            "columns": "node",
            "tables": [{"channel": [[-1, 0, 0], [2, -1, 2], [4, 4, -1]]}],
        },
    ),
    "wiring": (
        lambda x: wiring_from_document(x, what="it"),
        {"format": "routeproof/wiring", "inputs": 2, "multiplicity": 1, "wire": [[[0, 1], [1, 0]]]},
    ),
    "splitter": (
        lambda x: splitter_from_document(x, what="it"),
        {"format": "routeproof/splitter", "inputs": 2, "adjacent": [[0], [0]]},
    ),
    "sst": (
        lambda x: sst_to_network(x, what="it", name="it"),
        {
            "format": "sst-anytopo",
            "routers": [{"id": 0, "endpoints": 1}, {"id": 1, "endpoints": 1}],
            "links": [[0, 1]],
        },
    ),
}


@pytest.mark.parametrize("kind", list(DOCUMENTS))
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", 2), ("version", "1"), ("name", 3), ("name", ["x"]),
        ("name", "a\nb"), ("comment", 3), ("bandwidth", 2), ("capacity", [1, 2]), ("Name", "x"),
    ],
)  # fmt: skip
def test_documents(kind: str, key: str, value: object) -> None:
    read, document = DOCUMENTS[kind]
    read(document)
    with pytest.raises(InputError, match="it") as caught:
        read({**document, key: value})
    assert key in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["no such", "torus:1x", "torus:1000000x1000000", "a\nb", ""])
def test_a_spec_that_is_none_names_the_file(spec: str) -> None:
    read, document = DOCUMENTS["next-hop"]
    with pytest.raises(InputError, match=r"^it: network: ") as caught:
        read({**document, "network": {"spec": spec}})
    assert "\n" not in str(caught.value)


def test_every_float_bandwidth_is_its_own() -> None:
    read, document = DOCUMENTS["network"]
    network = read({**document, "channels": [[0, 1, 0.5], [1, 0, 0.25]]})
    assert network.bandwidth == (Fraction(1, 2), Fraction(1, 4))


@pytest.mark.parametrize("width", ["NaN", "inf", "-1", 0, "10G", "4xEDR", True, None, [1], {"gbps": 1}, "1 2", ""])
def test_bandwidths_of_network_documents(width: object) -> None:
    read, document = DOCUMENTS["network"]
    with pytest.raises(InputError, match="bandwidth of channel 0"):
        read({**document, "channels": [[0, 1, width], [1, 0]]})
    with pytest.raises(InputError, match=r"channels\[0\]"):
        read({**document, "channels": [[0, 1, 1, width], [1, 0]]})


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [
        ({"reversal": "true", "found": []}, "'reversal' of the symmetry is 'true'; true or false was expected"),
        ({"reversal": 1, "found": []}, "'reversal' of the symmetry is '1'"),
        ({"reversal": None, "found": []}, "'reversal'"),
        ({"reversal": True, "found": [], "declared": []}, "one of 'found' and 'declared'"),
        ({"reversal": True}, "one of 'found' and 'declared'"),
        ({"revers": True, "found": []}, "has other keys"),
    ],
)
def test_symmetry_of_routings_by_classes(symmetry: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        symmetry_of(network_from_spec("ring:3"), symmetry)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("router 0 node 0 router 1 fast", "a latency is 'fast'"),
        ("router 0 node 0 router 1 -3", "a latency is '-3'"),
        ("router 0 node 0 router 1 1.5", "a latency is '1.5'"),
        ("router 0 node 0 router 1 4 40", "'40' is neither"),
        ("router 0 node 0 router 1 bandwidth 4", "a latency is 'bandwidth'"),
        ("router 0 node 0 router 1 # fast", "a latency is '#'"),
    ],
)
def test_anynet(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "net.anynet"
    path.write_text(f"router 1 node 1\n{line}\n")
    with pytest.raises(InputError, match=f"line 2: {message}"):
        read_anynet(path)


@pytest.mark.parametrize("word", ["1_0", "\uff12", "1e0", "0x1", "1.0", "--1"])
def test_permutations_with_numbers_that_are_none(word: str, tmp_path: Path) -> None:
    path = tmp_path / "permutation.txt"
    path.write_text(f"0 {word} " + " ".join(map(str, range(11))))
    with pytest.raises(InputError, match=r"permutation.txt: entry 1 is '.*'; a terminal from 0 to 12 was expected"):
        read_permutations(path, 13)


def test_what_a_document_says_of_its_size_takes_no_memory() -> None:
    read, document = DOCUMENTS["wiring"]
    with pytest.raises(InputError, match=r"wire\[0\] holds 2 colours; 2000000000000"):
        read({**document, "multiplicity": 10**12})
    with pytest.raises(InputError, match=r"wire\[0\]\[0\] holds 2 rows; 1099511627776"):
        read({**document, "inputs": 2**40, "wire": document["wire"] * 40})
    read, document = DOCUMENTS["sst"]
    routers = [{"id": k, "endpoints": 100_000} for k in range(1000)]
    with pytest.raises(InputError, match="routers 0 to 100 have more than 10000000 endpoints in all"):
        read({**document, "routers": routers})


def test_a_number_in_the_wrong_row_is_found(tmp_path: Path) -> None:
    path = tmp_path / "traffic.txt"
    path.write_text("# from\n0 1/2\n1/2 0 0 0\n0 0 0\n")
    with pytest.raises(InputError, match=r"traffic.txt, line 2: 2 numbers; 3, one line for each row, were expected"):
        read_traffic(path, 3)
    path.write_text("0 1/2 1/2  1/2\n0 0 0 0 0\n")  # lines may be broken anywhere
    assert read_traffic(path, 3).name == str(path)
    path.write_text("1 1\n1\n1 1 1\n")
    with pytest.raises(InputError, match=r"traffic.txt, line 2: 1 numbers; 2, one line for each row, were expected"):
        read_rates(str(path), 3)
    path.write_text("1 1 1 1\n1 1\n")
    assert read_rates(str(path), 3)[0] == [1, 1, 1]


RECORD = """SL2VLTableRecord dump:
\t\tLID........................1
\t\tInPort.....................1
\t\tOutPort....................2
\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
\t\tVL: 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "InPort.....................1\n",
            "InPort...1\nInPort...2\n",
            "line 4: a second InPort in the record",
        ),
        ("LID........................1\n", "LID........................one\n", "line 2: 'LID"),
        ("OutPort....................2\n", "OutPort....................2 3\n", "line 4: 'OutPort"),
        ("OutPort....................2\n", "", "has no OutPort"),
        ("OutPort....................2\n", "OutPort....................2\nPort.......4\n", "line 5: 'Port"),
        ("VL: 0|", "VL: x|", "line 6: 'VL"),
    ],
)
def test_records_of_lanes(old: str, new: str, message: str, tmp_path: Path) -> None:
    network = read_ibnetdiscover(INFINIBAND / "ring3.topo")
    path = tmp_path / "lanes"
    path.write_text(RECORD)
    read_lane_tables(path, network)
    path.write_text(RECORD.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_lane_tables(path, network)


@pytest.mark.parametrize(
    "line",
    ["0x0002 : 0  : 4   : 3 more", "0x0002 : 0  : 4x  : 3   ", "0x0002 : 0  : 4   : 3x", "0x0002 : 0  : 4   : 3   : 1"],
)
def test_entries_of_path_records(line: str, tmp_path: Path) -> None:
    network = read_ibnetdiscover(INFINIBAND / "ring3.topo")
    path = tmp_path / "paths"
    head = f'Channel Adapter 0x{network.hosts[0].guid:016x}, base LID {network.hosts[0].lid}, "h5", port 1\n'
    path.write_text(head + "0x0002 : 0  : 4   : 3   \n")
    read_path_levels(path, network, allow_missing=True)
    path.write_text(head + line + "\n")
    with pytest.raises(InputError, match=r"line 2: .* is not a line of path records"):
        read_path_levels(path, network, allow_missing=True)


def test_a_port_guid_that_is_none(tmp_path: Path) -> None:
    network = read_ibnetdiscover(INFINIBAND / "ring3.topo")
    text = (INFINIBAND / "ring3.lft").read_text()
    path = tmp_path / "tables"
    path.write_text(text.replace("portguid 0x0000000000100001", "portguid 0xg000000000100001", 1))
    with pytest.raises(InputError, match=r"line 5: .*portguid and a GUID such as"):
        read_forwarding_tables(path, network)


@pytest.mark.parametrize("more", [" 005 : x", " down : x", " 4", "x"])
def test_a_second_port_of_a_lid_is_no_comment(more: str, tmp_path: Path) -> None:
    network = read_ibnetdiscover(INFINIBAND / "ring3.topo")
    text = (INFINIBAND / "ring3.lft").read_text()
    path = tmp_path / "tables"
    for end in ("", " ", " : x", "\t# x", "\r"):
        path.write_text(text.replace("0x0002 003", f"0x0002 003{end}\n#", 1))
        read_forwarding_tables(path, network)
    path.write_text(text.replace("0x0002 003", f"0x0002 003{more}", 1))
    with pytest.raises(InputError, match=r"line 5: .* is not a line of forwarding tables"):
        read_forwarding_tables(path, network)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    network = read_ibnetdiscover(INFINIBAND / "ring5.topo")
    path = tmp_path / "marked"
    for name, read in (
        ("ring5.lft", read_forwarding_tables),
        ("ring5.paths", read_path_levels),
        ("ring5.sl2vl", read_lane_tables),
    ):
        path.write_bytes(b"\xef\xbb\xbf" + (INFINIBAND / name).read_bytes())
        read(path, network)
        path.write_bytes((INFINIBAND / name).read_bytes() + b"\xef\xbb\xbf")
        with pytest.raises(InputError, match="line"):
            read(path, network)
