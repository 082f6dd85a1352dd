"""Whatever is wrong with the input: exit status 2, one line on standard error, nothing else, nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def network_document(**changes: Any) -> dict[str, Any]:
    channels = [[0, 1], [1, 0], [1, 2], [2, 1]]
    return {"format": "routeproof/network", "num_nodes": 3, "channels": channels, **changes}


def routing_document(weights: tuple[str, ...] = ("1",), **changes: Any) -> dict[str, Any]:
    paths = {(0, 1): [0], (0, 2): [0, 2], (1, 0): [1], (1, 2): [2], (2, 0): [3, 1], (2, 1): [3]}
    pairs = [
        {"source": i, "destination": j, "paths": [{"weight": w, "channels": path} for w in weights]}
        for (i, j), path in paths.items()
    ]
    return {"format": "routeproof/routing", "network": network_document(), "pairs": pairs, **changes}


def graphml(speed: str, head: str = "") -> str:
    return (
        f'<?xml version="1.0"?>{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="s" for="edge" attr.name="speed" attr.type="double"/><graph edgedefault="undirected">'
        f'<node id="a"/><node id="b"/><edge source="a" target="b"><data key="s">{speed}</data></edge></graph></graphml>'
    )


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

FUNCTIONS = """
def loops(state, node, destination):
    return [(1, state, (node + 1) % 2)]

def loses(state, node, destination):
    return []

def raises(state, node, destination):
    raise RuntimeError("first line\\nsecond line")

def half(state, node, destination):
    return [("1/2", state, destination)]

def floats(state, node, destination):
    return [(0.1, state, destination)] * 10

def teleports(state, node, destination):
    return [(1, state, 99)]

not_a_function = 3
"""

COMMANDS: dict[str, tuple[list[str], str]] = {
    "no such family": (["worst-case", "tours:9x9", "-r", "romm"], "did you mean 'torus'"),
    "no such routing": (["worst-case", "torus:3x3", "-r", "romn"], "did you mean 'romm'"),
    "no routing at all": (["worst-case", "torus:3x3"], "no routing is given: add --routing dor"),
    "no such pattern": (["worst-case", "torus:3x3", "-r", "dor", "-t", "tornadoo"], "did you mean 'tornado'"),
    "no such model": (["worst-case", "torus:3x3", "-r", "dor", "--model", "banana"], "balanced"),
    "no such option": (["worst-case", "torus:3x3", "-r", "dor", "--frobnicate"], "--frobnicate"),
    "no such verb": (["frobnicate"], "frobnicate"),
    "a choice that is none, very long": (
        ["design", "torus:3x3", "--objective", "x" * 10_000],
        "'" + "x" * 57 + "...' is not one of 'worst-case', 'average-case', 'capacity'",
    ),
    "an option that is none, very long": (["design", "torus:3x3", "--" + "x" * 10_000], "x... (see"),
    "a number that is none": (
        ["simulate", "load", "torus:4x4", "-r", "dor", "--cycles=few"],
        "'--cycles': 'few'; a whole number was expected",
    ),
    "a number below the least": (
        ["simulate", "packets", "hypercube:3", "--permutation", "transpose", "--seed", "-1"],
        "'--seed': '-1'; at least 0 was expected",
    ),
    "no traffic at all": (["simulate", "load", "torus:4x4", "-r", "dor", "--traffic", ""], "--traffic is empty"),
    "no algorithm at all": (["simulate", "packets", "hypercube:3", "--algorithm=", "-p", "x"], "--algorithm is empty"),
    "no such permutation": (
        ["simulate", "packets", "butterfly:3", "--permutation", "bit-revesal"],
        "is neither a known pattern nor an existing file; did you mean 'bit-reversal'?",
    ),
    "a study's long name": (["study", "x" * 10_000], "x'; routeproof study lists them"),
    "no such study": (["study", "towles-dally-2002-table-2"], "did you mean 'towles-dally-2002-table-1'"),
    "a report of the list of studies": (
        ["study", "list", "--json", "list.json"],
        "--json writes the result of a study",
    ),
    "no topology": (["worst-case"], "TOPOLOGY"),
    "empty topology": (["worst-case", "", "-r", "dor"], "no network is given"),
    "radix 1": (["worst-case", "torus:1x9", "-r", "romm"], "radix"),
    "radix 0": (["worst-case", "ring:0", "-r", "dor"], "radix"),
    "malformed radix": (["worst-case", "torus:9xx9", "-r", "romm"], "radix"),
    "zero bandwidth": (["worst-case", "torus:3x3,bandwidth=0", "-r", "dor"], "bandwidth"),
    "negative bandwidth": (["worst-case", "torus:3x3,bandwidth=-1x1", "-r", "dor"], "bandwidth"),
    "NaN bandwidth": (["worst-case", "torus:3x3,bandwidth=nan", "-r", "dor"], "bandwidth"),
    "bandwidth too long to write": (["worst-case", "torus:3x3,bandwidth=1e9999", "-r", "dor"], "out of range"),
    "bandwidth with underscores": (["worst-case", "torus:3x3,bandwidth=1_0", "-r", "dor"], "bandwidth"),
    "seed without samples": (["worst-case", "torus:3x3", "-r", "dor", "--seed", "3"], "--samples"),
    "one file for two things": (
        ["worst-case", "torus:3x3", "-r", "dor", "--json", "both.svg", "--plot", "./both.svg"],
        "written twice, for --json and for --plot",
    ),
    "a device as a network": (["worst-case", "/dev/zero", "-r", "dor"], "a regular file was expected"),
    "absurd size": (["worst-case", "torus:99999x99999", "-r", "dor"], "torus"),
    "needs a grid": (["worst-case", "petersen", "-r", "dor"], "grid"),
    "hose without rates": (["worst-case", "torus:3x3", "-r", "dor", "--model", "hose"], "--rates"),
    "rates without hose": (["worst-case", "torus:3x3", "-r", "dor", "--rates", "x"], "--model hose"),
    "samples not a number": (["worst-case", "torus:3x3", "-r", "dor", "--samples", "many"], "--samples"),
    "unknown routing option": (["worst-case", "torus:4x4", "-r", "romm:tie=plus"], "tie"),
    "a picture of a kind unknown": (["worst-case", "torus:3x3", "-r", "dor", "--plot", "a.gif"], ".svg"),
    "no directory to write in": (["worst-case", "torus:3x3", "-r", "dor", "--json", "no/such/x.json"], "no directory"),
    "a directory as a file": (["worst-case", "torus:3x3", "-r", "dor", "--json", "."], "directory"),
    "a zero byte in a name": (["worst-case", "torus:3x3", "-r", "dor", "--json", "a\0b"], "cannot write"),
    "a name that is too long": (["worst-case", "torus:3x3", "-r", "dor", "--json", "a" * 5000], "cannot write"),
    "no such file": (["check", "nothing.json"], "nothing.json"),
    "no such report": (["verify", "nothing.json"], "nothing.json"),
    "unknown format to convert to": (["convert", "torus:3x3", "a.xyz"], "known formats"),
    "convert nothing": (["convert", "tours:3x3", "a.json"], "did you mean 'torus'"),
    "control characters": (["worst-case", "torus\x1b[31m:3", "-r", "dor"], "torus"),
    "rich markup": (["worst-case", "[red]torus[/red]", "-r", "dor"], "[red]torus[/red]"),
    "no such module": (["worst-case", "torus:3x3", "-r", "nowhere_module:route"], "nowhere_module"),
}

FILES: dict[str, tuple[str, str, list[str], str]] = {
    "truncated JSON": ("a.json", json.dumps(network_document())[:40], [], "not valid JSON"),
    "not JSON": ("a.json", "hello", [], "not valid JSON"),
    "empty": ("a.json", "", [], "is empty"),
    "nested ten thousand deep": ("a.json", "[" * 10_000 + "]" * 10_000, [], "nested too deeply"),
    "a list": ("a.json", "[1, 2]", [], "object"),
    "another format": ("a.json", json.dumps({"format": "routeproof/networks"}), [], "routeproof/network"),
    "NaN": ("a.json", '{"format": NaN}', [], "NaN"),
    "bandwidth zero": ("a.json", json.dumps(network_document(channels=[[0, 1, 0]])), [], "positive"),
    "bandwidth negative": ("a.json", json.dumps(network_document(channels=[[0, 1, "-1/2"]])), [], "positive"),
    "a channel to nowhere": ("a.json", json.dumps(network_document(channels=[[0, 7]])), [], "nodes are 0 to 2"),
    "no nodes": ("a.json", json.dumps(network_document(num_nodes=0)), [], "num_nodes"),
    "disconnected": ("a.json", json.dumps(network_document(channels=[[0, 1], [1, 0]])), [], ""),
    "an unknown key": ("a.json", json.dumps(network_document(colour=1)), [], "colour"),
    "not UTF-8": ("a.json", "\udcff{", [], "UTF-8"),
    "XML entities": ("a.graphml", graphml("1", BOMB), [], "DOCTYPE"),
    "truncated XML": ("a.graphml", graphml("1")[:150], [], "XML"),
    "a bandwidth that is NaN": ("a.graphml", graphml("nan"), [",bandwidth=speed"], "speed"),
    "a bandwidth that is infinite": ("a.graphml", graphml("inf"), [",bandwidth=speed"], "speed"),
    "no such attribute": ("a.graphml", graphml("1"), [",bandwidth=sped"], "did you mean 'speed'"),
    "GML cut off": ("a.gml", 'graph [ node [ id 0 label "a', [], "not closed"),
}


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    return path


def one_clear_line(ran: Any, says: str) -> None:
    assert ran.status == 2, ran
    assert ran.out == ""
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    assert len(ran.err) < 1200
    assert says.lower() in ran.err.lower()


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, says = COMMANDS[name]
    one_clear_line(run(*arguments), says)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_network_files(name: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, text, options, says = FILES[name]
    write(tmp_path / file, text)
    one_clear_line(run("worst-case", file + "".join(options), "--routing", "minimal:choice=per-path"), says)
    assert [x.name for x in tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (routing_document(weights=("1/2", "1/4")), "sum to 3/4"),
        (routing_document(weights=("-1",)), "positive"),
        (routing_document(weights=("0.1",) * 9), "sum to 9/10"),
        (routing_document(pairs=routing_document()["pairs"][:-1]), "no path from terminal 2"),
        (routing_document(pairs=[{"source": 0, "destination": 2, "paths": [{"weight": 1, "channels": [0, 3]}]}]), ""),
        (routing_document(network=network_document(num_nodes=4)), ""),
    ],
    ids=["three quarters", "negative", "nine tenths", "a pair missing", "a broken path", "another network"],
)
def test_routing_documents(document: Any, says: str, run: Any, tmp_path: Path) -> None:
    network = write(tmp_path / "net.json", json.dumps(network_document()))
    routing = write(tmp_path / "routing.json", json.dumps(document))
    one_clear_line(run("worst-case", str(network), "--routing", str(routing)), says)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("loops", ""),
        ("loses", ""),
        ("raises", "first line"),
        ("half", "1/2"),
        ("floats", "sum"),
        ("teleports", "99"),
        ("not_a_function", "a function was expected"),
        ("lopes", "did you mean"),
    ],
)
def test_routing_functions(function: str, says: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "bad_functions.py", FUNCTIONS)
    one_clear_line(run("worst-case", "complete:3", "--routing", f"bad_functions:{function}"), says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0 1 2 3 4 5 6 7 7", "nobody goes to 8"),
        ("0 1 2", "3 entries"),
        ("[0, 1, 2, 3, 4, 5, 6, 7, 9]", "0 to 8"),
        ("1 2 3 four 5 6 7 8 0", "four"),
        ("\n".join(" ".join(["1"] * 9) for _ in range(9)), "at most 1"),
        ("\n".join(" ".join(["-1"] * 9) for _ in range(9)), "negative"),
        ("\n".join(" ".join(["nan"] * 9) for _ in range(9)), "nan"),
        ("0" * 200_000, "KB"),
    ],
    ids=["twice", "short", "outside", "a word", "rows above one", "negative", "NaN", "far too large"],
)
def test_traffic_files(text: str, says: str, run: Any, tmp_path: Path) -> None:
    file = write(tmp_path / "traffic.txt", text)
    one_clear_line(run("worst-case", "torus:3x3", "--routing", "dor", "--traffic", str(file)), says)


@pytest.mark.parametrize(
    ("text", "says"),
    [("1 1\n" * 3, "two for each of 4"), ("1 -1\n" * 4, "negative"), ("[[1]]", "pair"), ("1 x\n" * 4, "number")],
)
def test_rates_files(text: str, says: str, run: Any, tmp_path: Path) -> None:
    file = write(tmp_path / "rates.txt", text)
    ran = run("worst-case", "ring:4", "--routing", "dor", "--model", "hose", "--rates", str(file))
    one_clear_line(ran, says)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "routeproof/report"}', "[" * 10_000, '{"format": "routeproof/network"}', "\x00"],
)
def test_reports_that_are_none(text: str, run: Any, tmp_path: Path) -> None:
    one_clear_line(run("verify", str(write(tmp_path / "report.json", text))), "report.json")


@pytest.mark.parametrize("text", ["", "{}", '{"format": "x"}', '"word"', "{"])
def test_documents_that_are_none(text: str, run: Any, tmp_path: Path) -> None:
    one_clear_line(run("check", str(write(tmp_path / "document.json", text))), "document.json")


def test_a_file_of_a_hundred_megabytes_is_not_read(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "traffic.txt"
    with file.open("wb") as out:
        out.truncate(100_000_000)
    one_clear_line(run("worst-case", "torus:3x3", "-r", "dor", "-t", str(file)), "100.0 MB")
    graph = file.rename(tmp_path / "net.graphml")
    one_clear_line(run("worst-case", str(graph), "-r", "minimal"), "100.0 MB")


@pytest.mark.parametrize("verb", [["worst-case"], ["simulate", "load"]])
def test_the_name_of_a_figure_is_looked_at_before_a_routing_is_made(verb: list[str], run: Any) -> None:
    ran = run(*verb, "torus:3x3", "--routing", "nonsense", "--plot", "figure.txt")
    assert ran.status == 2
    assert "cannot draw into 'figure.txt'" in ran.err


def test_a_result_that_cannot_be_written_leaves_the_old_one(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("old")
    one_clear_line(run("worst-case", "torus:1x3", "-r", "dor", "--json", str(report)), "radix")
    assert report.read_text() == "old"
    assert [x.name for x in tmp_path.iterdir()] == ["report.json"]
