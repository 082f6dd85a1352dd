"""Graphviz files, read as YATES writes them and as we do, and its matrices of nothing but numbers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.demands.matrices import read_matrices
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.formats.graphs.dot import dot_text
from routeproof.formats.resolve import resolve_network
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

CYCLE = """digraph topology {
  s1[type=switch,id=1,ip="192.168.1.3"]; s2[type=switch,id=2]; s3[type=switch,id=3]; // switches
  h1[type=host]; h2[type=host]; h3[type=host];
  s1 -> s2 [src_port=1, dst_port=2, cost=0, capacity="1Gbps"];
  s2 -> s1 [src_port=2, dst_port=1, cost=0, capacity="1Gbps"];
  s2 -> s3 [cost=0, capacity="1Gbps"]; s3 -> s2 [cost=0, capacity="1Gbps"];
  s1 -> s3 [cost=0, capacity="1Gbps"]; s3 -> s1 [cost=0, capacity="1Gbps"];
  h1 -> s1 [capacity="5Gbps"]; s1 -> h1 [capacity="5Gbps"]; h2 -> s2 [capacity="5Gbps"];
  s2 -> h2 [capacity="5Gbps"]; h3 -> s3 [capacity="5Gbps"]; s3 -> h3 [capacity="5Gbps"];
}
"""
LINE = "0.0 500e+6 500e+6 500e+6 0.0 500e+6 500e+6 500e+6 0.0\n"
Shape = tuple[list[tuple[int, int]], list[int], tuple[Fraction, ...]]


def read(folder: Path, text: str, options: str = "") -> Network:
    (folder / "net.dot").write_text(text)
    return resolve_network(f"{folder / 'net.dot'}{options}")


def shape(network: Network) -> Shape:
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    return ends, network.source.tolist(), tuple(network.bandwidth)


def test_hosts_are_the_terminals_and_capacities_are_in_bits_per_second(tmp_path: Path) -> None:
    network = read(tmp_path, CYCLE)
    assert [network.label(int(v)) for v in network.source] == ["h1", "h2", "h3"]
    assert set(network.bandwidth) == {Fraction(10**9), Fraction(5 * 10**9)}
    assert network.num_channels == 12


@pytest.mark.parametrize("text", [LINE * 3, "0 500e6 500e6\n500e6 0 500e6\n\n500e6 500e6 0\n"])
def test_matrices_of_numbers_are_in_the_order_of_the_hosts(text: str, tmp_path: Path) -> None:
    network = read(tmp_path, CYCLE)
    (tmp_path / "tm.txt").write_text(text)
    found = read_matrices(tmp_path / "tm.txt", network)
    assert len(found) == (3 if text.startswith(LINE) else 1)
    every = {(i, j): Fraction(500_000_000) for i in range(3) for j in range(3) if i != j}
    assert all(x == every for x in found.values())
    demands = demands_from_spec([f"matrix:{tmp_path / 'tm.txt'}"], network)
    assert answer_worst_case(routing_from_spec("ecmp", network), demands=demands).worst_case.load == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 1 2\n3 0 4\n", "has 2 lines of 3 numbers; 3 lines were expected"),
        ("0 1 2 3\n", "line 1: 4 numbers; 9 (a matrix a line) or 3 (a row a line) were expected"),
        (f"{LINE}0 1\n", "line 2: 2 numbers"),
        ("1 1 2\n3 0 4\n1 1 0\n", "sends '1' to itself"),
        ("0 -1 2\n3 0 4\n1 1 0\n", "cannot be negative"),
    ],
)
def test_other_numbers_are_refused(text: str, words: str, tmp_path: Path) -> None:
    network = read(tmp_path, CYCLE)
    (tmp_path / "tm.txt").write_text(text)
    with pytest.raises(InputError) as error:
        read_matrices(tmp_path / "tm.txt", network)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "spec", ["torus:3x3,concentration=2", "kautz:2,2", "fat-tree:4", "random-regular:10,degree=3,seed=2"]
)
def test_what_is_written_is_read(spec: str, tmp_path: Path) -> None:
    network = network_from_spec(spec)
    again = read(tmp_path, dot_text(network))
    ends, source, widths = shape(again)
    assert sorted(ends) == sorted(shape(network)[0])
    assert (source, set(widths)) == (network.source.tolist(), {Fraction(1)})


def test_the_language(tmp_path: Path) -> None:
    text = """# made by hand
graph "a net" {
  node [terminals=1]; edge [bandwidth=3];
  rankdir = LR
  "n 1" -- b -- c [weight=2]; /* two
  links */ c -- "n 1" [bandwidth="1/2", weight=1]
  b [label="the \\"b\\""]
}"""
    network = read(tmp_path, text)
    assert [network.label(v) for v in range(3)] == ["n 1", 'the "b"', "c"]
    assert [str(x) for x in network.bandwidth] == ["3", "3", "3", "3", "1/2", "1/2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("graph { a -> b }", "an edge with -> in a graph"),
        ("digraph { a -- b }", "an edge with -- in a digraph"),
        ("digraph { subgraph x { a } }", "a subgraph"),
        ("digraph { {a b} -> c }", "a subgraph"),
        ("digraph { a:p -> b }", "node 'a' with a port"),
        ("strict graph { a -- b }", "a strict graph"),
        ("digraph { a -> b", "the end of the file"),
        ("digraph {\n\n a -> b [x] }", "line 3: ']' where = was expected"),
        ('digraph { "a -> b }', "is a text or a comment not closed?"),
        ("digraph { a -> b } digraph { }", "after the graph; one graph was expected"),
        ("nonsense", "graph or digraph was expected"),
        ("", "is empty"),
        ('digraph { a -> b [capacity="1Gbps"]; b -> a [capacity="0Gbps"] }', "a rate above 0"),
    ],
)
def test_what_is_not_read_is_refused_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path, text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_several_matrices_by_pattern_list_and_repetition(tmp_path: Path) -> None:
    network = read(tmp_path, CYCLE)
    for name, text in (("a.txt", LINE), ("b.txt", LINE.replace("500", "700"))):
        (tmp_path / name).write_text(text)
    one, other = (f"{tmp_path}/{x}.txt" for x in "ab")
    routing = routing_from_spec("ecmp", network)
    for given in ([f"matrix:{tmp_path}/?.txt"], [f"matrix:{one},{other}"], [f"matrix:{one}", f"matrix:{other}"]):
        demands = demands_from_spec(given, network)
        assert answer_worst_case(routing, demands=demands).worst_case.load == Fraction(7, 10)
    scaled = demands_from_spec([f"matrix:{one},unit=2", f"matrix:{other}"], network)  # each has its own unit
    assert answer_worst_case(routing, demands=scaled).worst_case.load == Fraction(1)
    for wrong, words in (
        ([f"matrix:{tmp_path}/z*.txt"], "no file fits"),
        ([f"matrix:{one},{one}"], "is given twice"),
        ([f"matrix:{one},unit=2", f"matrix:{one}"], "is given twice"),
        ([f"matrix:{one}", f"matrix:{other}", "sparse:2"], "cannot be combined"),
    ):
        with pytest.raises(InputError, match=words):
            demands_from_spec(wrong, network)
