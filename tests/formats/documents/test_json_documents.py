"""JSON text, network documents and routing documents: what is read, and what is refused in one line."""

import json
import os
import stat
from fractions import Fraction

import pytest

from document_files import read_routing, read_routing_document, write_routing
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.formats.documents.json_text import canonical_json, format_json, parse_json
from routeproof.formats.documents.network import first_difference
from routeproof.formats.format import File, read_network, write_network
from routeproof.formats.resolve import convert
from routeproof.formats.text_files import write_text_atomic

NET = {"format": "routeproof/network", "num_nodes": 3, "channels": [[0, 1], [1, 2, "3/2"], [2, 0, 4]]}


def saved(tmp_path, document, name="doc.json"):
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def refused(read, *args, match):
    with pytest.raises(InputError, match=match) as caught:
        read(*args)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 800  # the directory of the test counts too


# -- JSON text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1, 2', "it ends too early, at line 1, column 12"),
        ('{"a": 1\n "b": 2}', "Expecting ',' delimiter at line 2, column 2"),
        ("", "is empty; JSON was expected"),
        ("[" * 10_000, "nested too deeply"),
        ("[" * 10_000 + "]" * 10_000, "nested too deeply"),
        ("[" * 66 + "]" * 66, "nested too deeply"),
        ('{"a":' * 10_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "the key 'a' twice"),
        ('{"a\\n": 1, "a\\n": 2}', "twice"),
        ("[NaN]", "holds NaN, which is not a number"),
        ("[-Infinity]", "holds -Infinity"),
        ("1" * 1_000_000, "an integer of too many digits"),
        ("1e99999", "its exponent is out of range"),
        ("1e9999", "out of range"),
        ('"\\ud800"', "unpaired surrogate"),
        ('{"\\udfff": 1}', "unpaired surrogate"),
    ],
)
def test_hostile_json_is_refused_in_one_line(text, message):
    refused(lambda: parse_json(text, what="file x"), match=message)


def test_numbers_are_exact_or_finite():
    assert parse_json("[0.1, 1e2, 3]", what="x") == [Fraction(1, 10), 100, 3]
    assert parse_json("[0.1]", what="x", exact=False) == [0.1]
    refused(lambda: parse_json("1e999", what="x", exact=False), match="out of range")
    assert parse_json('"\\ud83d\\ude00"', what="x") == "\U0001f600"
    assert parse_json("[" * 64 + "]" * 64, what="x")


def test_files_that_cannot_be_read(tmp_path):
    def read(path):
        return File(path).value

    refused(read, tmp_path / "none.json", match="there is no file")
    refused(read, tmp_path, match="is a directory")
    refused(read, "a\0b", match="null")
    refused(read, tmp_path / "a\nb", match="there is no file '")
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"a": "\xe9"}')
    refused(read, path, match="not text in UTF-8: byte 7 is 0xe9")
    with (tmp_path / "big.json").open("wb") as file:
        file.truncate(300_000_000)
    refused(read_network, tmp_path / "big.json", match=r"is 300.0 MB; at most 256.0 MB are expected for a network")
    refused(lambda: read("/dev/zero"), match="is a device; a regular file was expected")
    path.write_bytes(b"\xef\xbb\xbf[1]")
    assert read(path) == [1]


def test_formatted_json_is_the_same_value_and_fits_the_width():
    value = {
        "short": [1, [2, 3]],
        "numbers": list(range(100)),
        "pairs": [[k, k + 1, "1/3"] for k in range(50)],
        "objects": [{"a": k, "b": list(range(k))} for k in range(30)],
        "text": "é" * 200,
        "empty": [{}, [], {"x": []}],
        "mixed": [1, [list(range(60)), {"y": [1] * 90}], "z", {"w": "v" * 100}, 2],
    }
    text = format_json(value)
    assert json.loads(text) == value
    assert all(len(line) <= 110 for line in text.splitlines() if "é" not in line and "v" not in line)
    assert text.endswith("}\n")
    assert canonical_json({"b": 1, "a": [1, "é"]}) == '{"a":[1,"\\u00e9"],"b":1}'


# -- writing --------------------------------------------------------------------------------------------------


def test_writing_leaves_all_or_nothing(tmp_path):
    path = tmp_path / "out.json"
    write_text_atomic(path, "one")
    path.chmod(0o640)
    write_text_atomic(path, "two")
    assert path.read_text() == "two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    refused(write_text_atomic, path, "\ud800", match="surrogate")
    refused(write_text_atomic, tmp_path / "no" / "out.json", "x", match="there is no directory")
    refused(write_text_atomic, tmp_path, "x", match="it is a directory")
    refused(write_text_atomic, tmp_path / ("n" * 300), "x", match="too long")
    assert path.read_text() == "two"
    assert [x.name for x in tmp_path.iterdir()] == ["out.json"]


def test_links_stay_links_and_devices_are_written(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_text_atomic(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
    write_text_atomic(os.devnull, "gone")


def test_a_failed_replacement_leaves_no_temporary_file(tmp_path, monkeypatch):
    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fail)
    refused(write_text_atomic, tmp_path / "out.json", "x", match="permission denied")
    assert not list(tmp_path.iterdir())


# -- network documents ----------------------------------------------------------------------------------------


def test_a_network_document_is_read(tmp_path):
    network = read_network(saved(tmp_path, NET, "tiny.json"))
    assert network.name == "tiny"
    assert network.tail.tolist() == [0, 1, 2]
    assert network.bandwidth == (1, Fraction(3, 2), 4)
    assert network.source.tolist() == network.sink.tolist() == [0, 1, 2]
    assert network.labels is None


def test_decimals_are_exact(tmp_path):
    network = read_network(saved(tmp_path, {**NET, "channels": [[0, 1, 0.1], [1, 0, "2.5"]]}))
    assert network.bandwidth == (Fraction(1, 10), Fraction(5, 2))


def test_all_keys_survive(tmp_path):
    ends = {"source": [2, 0], "sink": [1, 1], "labels": ["a", "b", "c"]}
    network = Network.of("n", 3, [(0, 1), (0, 1)], bandwidth=[Fraction(2), Fraction(1, 7)], **ends)
    write_network(network, tmp_path / "n.json")
    again = read_network(tmp_path / "n.json")
    assert first_difference(again, network) is None
    assert (again.name, again.labels) == (network.name, network.labels)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "routeproof/routing"}, "'routeproof/routing'; \"routeproof/network\" was expected"),
        ({"format": "routeproof/netwrok"}, "did you mean 'routeproof/network'"),
        ({"format": 7}, "has the format 7"),
        ({"num_nodes": 0}, "num_nodes is 0; 1 to"),
        ({"num_nodes": 10**12}, "num_nodes is 1000000000000; 1 to"),
        ({"num_nodes": True}, "num_nodes is true; an integer was expected"),
        ({"num_nodes": 3.0}, "num_nodes is 3; an integer was expected|Fraction"),
        ({"num_nodes": "3"}, "num_nodes is '3'; an integer was expected"),
        ({"num_nodes": None}, "num_nodes is null; an integer was expected"),
        ({"channels": None}, "channels is null; a list was expected"),
        ({"channels": {}}, "channels is an object; a list was expected"),
        ({"channels": [[0, 1], 5]}, r"channels\[1\] is 5; \[tail, head\] or"),
        ({"channels": [[0, 1, 1, 1]]}, r"channels\[0\] is \[0, 1, 1, ...\]"),
        ({"channels": [[0, 3]]}, r"channels\[0\] is \[0, 3\]; nodes are 0 to 2"),
        ({"channels": [[0, -1]]}, "nodes are 0 to 2"),
        ({"channels": [[False, 1]]}, "nodes are 0 to 2"),
        ({"channels": [[0, "1"]]}, "nodes are 0 to 2"),
        ({"channels": [[0, 10**4000]]}, "nodes are 0 to 2"),
        ({"channels": [[1, 1]]}, r"channels\[0\] goes from node 1 to itself"),
        ({"channels": [[0, 1, 0]]}, "bandwidth of channel 0 is 0; a positive number"),
        ({"channels": [[0, 1, "-1/2"]]}, "bandwidth of channel 0 is -1/2"),
        ({"channels": [[0, 1, "nan"]]}, "bandwidth of channel 0 is 'nan'"),
        ({"channels": [[0, 1, "1/0"]]}, "bandwidth of channel 0 is '1/0'"),
        ({"channels": [[0, 1, None]]}, "bandwidth of channel 0"),
        ({"channels": [[0, 1, True]]}, "bandwidth of channel 0 is True"),
        ({"channels": [[0, 1, [2]]]}, "bandwidth of channel 0"),
        ({"source": [0, 5], "sink": [0, 1]}, r"source\[1\] is 5; a node from 0 to 2"),
        ({"source": [0, 1]}, "2 sources and 3 sinks"),
        ({"source": [], "sink": []}, "no terminals"),
        ({"source": [], "sink": None}, "no terminals"),
        ({"source": "all"}, "source is 'all'; a list was expected"),
        ({"labels": ["a", "b"]}, "2 labels for 3 nodes"),
        ({"labels": ["a", "b", 3]}, r"labels\[2\] is 3; a string"),
        ({"labels": ["a", "b\u001b[31m", "c"]}, r"labels\[1\] is .*no control characters"),
        ({"name": "a\nb"}, "name is 'a.nb'; no control characters"),
        ({"bandwidth": 2}, "unknown key 'bandwidth'"),
        ({"chanels": []}, "unknown key 'chanels'; did you mean 'channels'"),
        ({"version": 2}, "version is 2; 1 was expected"),
    ],
)
def test_wrong_network_documents_are_refused(change, message, tmp_path):
    refused(read_network, saved(tmp_path, {**NET, **change}), match=message)


def test_missing_keys_and_other_tops_are_refused(tmp_path):
    for key in NET:
        document = {k: v for k, v in NET.items() if k != key}
        refused(
            read_network,
            saved(tmp_path, document),
            match='"format": "routeproof/network" was' if key == "format" else f"has no key '{key}'",
        )
    refused(read_network, saved(tmp_path, [NET]), match="holds .an object.; a network document")
    refused(
        lambda path: read_network(path, bandwidth="speed"),
        saved(tmp_path, NET),
        match="bandwidth= is for Graphviz, also of YATES, GML, GraphML, ",
    )


# -- routing documents ----------------------------------------------------------------------------------------

PAIRS = [
    {"source": 0, "destination": 1, "paths": [{"weight": "1/2", "channels": [0]}, {"weight": 0.5, "channels": [0]}]},
    {"source": 0, "destination": 2, "paths": [{"weight": 1, "channels": [0, 1]}]},
]
ROUTING = {"format": "routeproof/routing", "network": NET, "pairs": PAIRS}


def test_a_routing_document_is_read(tmp_path):
    network, paths = read_routing_document(saved(tmp_path, ROUTING))
    assert network.num_channels == 3
    assert paths.source.tolist() == [0, 0, 0]
    assert paths.sink.tolist() == [1, 1, 2]
    assert paths.weight.fractions() == [Fraction(1, 2), Fraction(1, 2), 1]
    assert [paths.path(k) for k in range(3)] == [[0], [0], [0, 1]]


def test_routings_survive(tmp_path):
    network = read_network(saved(tmp_path, NET))
    paths = Paths.of([(2, 1, Fraction(1, 3), [2, 0]), (0, 1, 1, [0]), (2, 1, Fraction(2, 3), [2, 0])])
    write_routing(paths, network, tmp_path / "r.json")
    again = read_routing(tmp_path / "r.json", network)
    key = [(0, 1, 1, [0]), (2, 1, Fraction(1, 3), [2, 0]), (2, 1, Fraction(2, 3), [2, 0])]
    found = zip(again.source.tolist(), again.sink.tolist(), again.weight.fractions(), strict=True)
    assert [(*x, again.path(k)) for k, x in enumerate(found)] == key


def test_grids_are_kept_by_name(tmp_path):
    torus = convert("torus:3x3", tmp_path / "t.json")
    write_routing(Paths.of([(0, 1, 1, [int(torus.out_channels[1][0])])]), torus, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["network"] == {"spec": "torus:3x3"}
    network, _ = read_routing_document(tmp_path / "r.json")
    assert network.grid is not None
    assert read_routing(tmp_path / "r.json", read_network(tmp_path / "t.json")).num_paths == 1


def test_a_routing_of_another_network_is_refused_by_the_first_difference(tmp_path):
    path = saved(tmp_path, ROUTING, "r.json")
    for change, message in (
        ({"num_nodes": 4}, "3 nodes instead of 4"),
        ({"channels": NET["channels"][:2]}, "3 channels instead of 2"),
        ({"channels": [[0, 1], [1, 2, "3/2"], [1, 0, 4]]}, "channel 2 goes from 2 to 0 instead of from 1 to 0"),
        ({"channels": [[0, 1], [1, 2, "5/2"], [2, 0, 4]]}, "channel 1 has bandwidth 3/2 instead of 5/2"),
        ({"source": [0, 2, 1]}, "terminal 1 sends and receives at 1 and 1 instead of 2 and 1"),
        ({"source": [0], "sink": [1]}, "3 terminals instead of 1"),
    ):
        other = read_network(saved(tmp_path, {**NET, **change}, "other.json"))
        refused(read_routing, path, other, match=message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"network": {"spec": "torus:1x1"}}, "."),
        ({"network": {"spec": "donut:3x3"}}, "donut"),
        ({"network": {"spec": "/etc/passwd"}}, "passwd"),
        ({"network": {"spec": "torus:3x3", "num_nodes": 9}}, "it must be a string alone"),
        ({"network": {"spec": 3}}, "it must be a string alone"),
        ({"network": {**NET, "num_nodes": 1}}, r"network: channels\[0\]"),
        ({"network": 3}, "network is 3; an object was expected"),
        ({"pairs": 3}, "pairs is 3; a list was expected"),
        ({"pairs": [3]}, r"pairs\[0\] is 3; an object was expected"),
        ({"pairs": [{**PAIRS[0], "source": 3}]}, r"pairs\[0\].source is 3; a terminal from 0 to 2"),
        ({"pairs": [{**PAIRS[0], "destination": -1}]}, r"pairs\[0\].destination is -1"),
        ({"pairs": [{**PAIRS[0], "source": None}]}, r"pairs\[0\]: source is null; an integer"),
        ({"pairs": [{"source": 0, "paths": []}]}, r"pairs\[0\] has no key 'destination'"),
        ({"pairs": [{**PAIRS[0], "weight": 1}]}, r"pairs\[0\] has an unknown key 'weight'"),
        ({"pairs": [*PAIRS, PAIRS[0]]}, r"pairs\[2\] is about terminals 0 and 1 again, as pairs\[0\]"),
        ({"pairs": [{**PAIRS[0], "paths": [{"weight": 1}]}]}, r"pairs\[0\] has no key 'paths\[0\].channels'"),
        (
            {"pairs": [{**PAIRS[0], "paths": [{"weight": 1, "channels": [9]}]}]},
            r"channels\[0\] is 9; a channel from 0 to 2",
        ),
        ({"pairs": [{**PAIRS[0], "paths": [{"weight": 1, "channels": [0.5]}]}]}, "is 1/2; a channel from 0 to 2"),
        ({"pairs": [{**PAIRS[0], "paths": [{"weight": 0, "channels": [0]}]}]}, "weight is 0; a positive number"),
        ({"pairs": [{**PAIRS[0], "paths": [{"weight": "x", "channels": [0]}]}]}, "weight is 'x'"),
        ({"pairs": [{**PAIRS[0], "paths": [{"weight": 1, "channels": [0], "x": 1}]}]}, "unknown key 'x'"),
    ],
)
def test_wrong_routing_documents_are_refused(change, message, tmp_path):
    refused(read_routing_document, saved(tmp_path, {**ROUTING, **change}), match=message)
