"""Shortest paths by a channel attribute, per path, per hop and in proportion to bandwidth."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_routing import all_loads
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.faults import Faults
from routeproof.core.network import Network
from routeproof.formats.format import write_network
from routeproof.formats.resolve import convert, resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.symmetry.channel_classes import channel_classes
from routeproof.topologies.family import network_from_spec
from true_reports import sealed

Loads = dict[tuple[int, int, int], Fraction]
SQUARE = """graph [
 node [ id 0 label "A" ] node [ id 1 label "B" ] node [ id 2 label "C" ] node [ id 3 label "D" ]
 edge [ source 0 target 1 metric 10 ] edge [ source 1 target 2 metric 10 ] edge [ source 0 target 2 metric 20.0 ]
 edge [ source 2 target 3 metric 0.5 ] edge [ source 1 target 3 metric 100 ]
]"""


def brute(net: Network, *, choice: str) -> Loads:
    """Every path without a node twice; the lightest ones are shared out by definition."""
    loads: Loads = {}
    weight = [Fraction(x) for x in net.channel_attributes["w"]]
    for i in set(net.source.tolist()):
        for j in set(net.sink.tolist()) - {i}:
            todo, found = [(i, [])], []
            while todo:
                at, path = todo.pop()
                if at == j:
                    found.append(path)
                    continue
                seen = {i, *(int(net.head[c]) for c in path)}
                todo += [
                    (int(net.head[c]), [*path, c])
                    for c in range(net.num_channels)
                    if net.tail[c] == at and int(net.head[c]) not in seen
                ]
            least = min(sum(weight[c] for c in path) for path in found)
            best = [path for path in found if sum(weight[c] for c in path) == least]
            for path in best:
                share = Fraction(1, len(best))
                if choice != "per-path":
                    share = Fraction(1)
                    for k, c in enumerate(path):
                        # What comes after a node does not depend on how packets came there.
                        out = {p[p.index(d)] for p in best for d in p if net.tail[d] == net.tail[c]}
                        part = {d: net.bandwidth[d] if choice == "wcmp" else Fraction(1) for d in out}
                        share *= part[c] / sum(part.values())
                        assert k == 0 or net.tail[c] == net.head[path[k - 1]]
                for c in path:
                    loads[c, i, j] = loads.get((c, i, j), Fraction(0)) + share
    return loads


TEXTS = {
    "per-path": "ecmp:choice=per-path,weight=w", "per-hop": "ecmp:weight=w", "wcmp": "wcmp:weight=w",
}  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.randoms(use_true_random=False), st.sampled_from(sorted(TEXTS)))
def test_random_weighted_multigraphs_against_enumeration(size: int, random: object, choice: str) -> None:
    channels = [(v, (v + 1) % size) for v in range(size)]
    for _ in range(2 * size):
        channels.append(tuple(random.sample(range(size), 2)))  # type: ignore[attr-defined]
    values = ["1/3", "2/3", "1", 2, "0.5"]
    weight = [random.choice(values) for _ in channels]  # type: ignore[attr-defined]
    width = [random.choice([1, 2, "3/2"]) for _ in channels]  # type: ignore[attr-defined]
    net = Network.of(
        "random", size, channels, bandwidth=width, source=[0, 1, 1], sink=[2, 2, 0], channel_attributes={"w": weight}
    )
    assert all_loads(routing_from_spec(TEXTS[choice], net)) == brute(net, choice=choice)


@pytest.mark.parametrize("text", ["minimal:choice=per-path", "minimal:choice=per-hop", "wcmp"])
def test_equal_weights_count_hops(text: str) -> None:
    plain = network_from_spec("mesh:3x4")
    net = Network.of(
        "mesh", 12, list(zip(plain.tail.tolist(), plain.head.tolist(), strict=True)),
        channel_attributes={"w": ["2.5"] * plain.num_channels},
    )  # fmt: skip
    weighted = routing_from_spec(f"{text}{',' if ':' in text else ':'}weight=w", net)
    assert all_loads(weighted) == all_loads(routing_from_spec(text, plain))


def test_weights_are_compared_exactly_however_long() -> None:
    """0.1 + 0.2 is 0.3; and a path that is longer by 10^-30, or 10^30 times as long, is longer."""
    edges = [(0, 1), (1, 2), (0, 2)]

    def shares(*weights: object) -> Loads:
        net = Network.of("three", 3, edges, source=[0, 0], sink=[0, 2], channel_attributes={"w": weights})
        return all_loads(routing_from_spec("minimal:weight=w", net))

    half = Fraction(1, 2)
    assert shares("0.1", "0.2", "0.3") == {(0, 0, 2): half, (1, 0, 2): half, (2, 0, 2): half}
    assert shares("0.1", "0.2", "0." + "3" + "0" * 28 + "1") == {(0, 0, 2): 1, (1, 0, 2): 1}
    assert shares(10**30, 10**30, 2 * 10**30 - 1) == {(2, 0, 2): 1}


def test_symmetry_respects_weights() -> None:
    """A ring has all rotations and reflections; with one heavy link it has one reflection."""
    ring = [(v, (v + 1) % 6) for v in range(6)] + [((v + 1) % 6, v) for v in range(6)]
    weights = {"equal": [3] * 12, "one": [9, *[1] * 5] * 2}
    net = Network.of("ring", 6, ring, channel_attributes=weights)
    assert len(channel_classes(routing_from_spec("minimal:weight=equal", net)).focus) == 1
    assert len(channel_classes(routing_from_spec("minimal:weight=one", net)).focus) == 4


def test_what_is_left_of_a_network_keeps_its_weights(tmp_path: Path) -> None:
    file = tmp_path / "square.gml"
    file.write_text(SQUARE)
    net = resolve_network(f"{file},dead-links=0-2")
    assert [str(x) for x in net.channel_attributes["metric"]] == ["10"] * 4 + ["0.5"] * 2 + ["100"] * 2
    assert (
        net.channel_attributes
        == Faults(channels=[4, 5]).survivors(resolve_network(str(file))).network.channel_attributes
    )
    one = Network.of("two", 2, [(0, 1), (1, 0)], bandwidth=2, channel_attributes={"w": [1, 2]})
    one_document = tmp_path / "two.json"
    write_network(one, one_document)
    assert resolve_network(f"{one_document},cables=1").channel_attributes == {"w": [1, 1, 2, 2]}


@pytest.mark.parametrize("ending", ["json", "graphml", "gml"])
def test_convert_keeps_weights(tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / "square.gml", tmp_path / f"other.{ending}"
    first.write_text(SQUARE)
    convert(str(first), second)
    found = resolve_network(str(second)).channel_attributes["metric"]
    assert [Fraction(x) for x in found] == [10, 10, 10, 10, 20, 20, Fraction(1, 2), Fraction(1, 2), 100, 100]


def test_networkx_graphs_there_and_back() -> None:
    import networkx as nx

    from routeproof.formats.graphs.networkx_graph import from_networkx, to_networkx

    graph = nx.cycle_graph(4)
    nx.set_edge_attributes(graph, {edge: 0.1 * (k + 1) for k, edge in enumerate(graph.edges)}, "metric")
    net = from_networkx(graph)
    again = from_networkx(to_networkx(net))
    assert all_loads(routing_from_spec("minimal:weight=metric", net)) == all_loads(
        routing_from_spec("minimal:weight=metric", again)
    )


@pytest.mark.parametrize(
    ("edge", "text", "words"),
    [
        ("metric 0", "minimal:weight=metric", "metric of channel A -> B of network net is '0'; a positive number"),
        ("metric -3", "minimal:weight=metric", "metric of channel A -> B of network net is '-3'; a positive number"),
        ('metric "fast"', "minimal:weight=metric", "is 'fast'; a positive number"),
        ("metric 1 metric 2", "minimal:weight=metric", "is several values; a positive number"),
        ("cost 1", "minimal:weight=metric", "states no 'metric' of its channels"),
        ("metrics 1", "minimal:weight=metric", "did you mean 'metrics'"),
        ("", "minimal:weight=cost", "cost of channel A -> B of network net is not given (2 of 4 channels have none)"),
    ],
)
def test_bad_weights_are_one_line_that_names_the_edge(
    tmp_path: Path, edge: str, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "cost 2" if not edge or edge.startswith("cost") else edge.partition(" ")[0] + " 5"
    file = tmp_path / "net.gml"
    file.write_text(
        f'graph [ node [ id 0 label "A" ] node [ id 1 label "B" ] node [ id 2 label "C" ]\n'
        f"edge [ source 0 target 1 {edge} ] edge [ source 1 target 2 {other} ] ]"
    )
    assert main(["worst-case", str(file), "--routing", text]) == 2
    line = [x for x in capsys.readouterr().err.splitlines() if x.startswith("error")]
    assert len(line) == 1
    assert words in line[0]


def test_families_state_no_weights() -> None:
    with pytest.raises(InputError, match=r"network torus:4x4 states no attributes .*families have none.*GraphML"):
        routing_from_spec("minimal:weight=metric", network_from_spec("torus:4x4"))


def test_a_report_holds_the_weights_that_are_used_and_verify_uses_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "square.gml", tmp_path / "report.json"
    file.write_text(SQUARE.replace("metric", "colour 1 metric"))
    both = "mix:1/2*minimal:weight=metric+1/2*minimal"
    assert main(["worst-case", str(file), "--routing", both, "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    data = json.loads(report.read_text())
    assert list(data["subject"]["network"]["channel_attributes"]) == ["metric"]
    assert main(["compare", str(file), "minimal:weight=metric", "minimal", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    assert main(["worst-case", str(file), "--routing", "minimal", "--json", str(report)]) == 0
    assert "channel_attributes" not in json.loads(report.read_text())["subject"]["network"]
    capsys.readouterr()


@pytest.mark.parametrize("values", [[1] * 10, [10] * 8, None])
def test_other_weights_under_the_same_number_are_refused(
    values: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "square.gml", tmp_path / "report.json"
    file.write_text(SQUARE)
    assert main(["worst-case", str(file), "--routing", "minimal:weight=metric", "--json", str(report)]) == 0
    data = json.loads(report.read_text())
    data["subject"]["network"].update(channel_attributes={"metric": values} if values else {})
    report.write_text(json.dumps(sealed(data)))
    assert main(["verify", str(report)]) in (1, 2)
    capsys.readouterr()


@pytest.mark.parametrize("verb", ["deadlock", "failures", "tradeoff"])
def test_other_verbs_make_reports_that_verify(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, report = tmp_path / "square.gml", tmp_path / "report.json"
    file.write_text(SQUARE)
    more = {"failures": ["--repair", "rebuild"], "tradeoff": ["--against", "worst-case"], "deadlock": []}[verb]
    assert main([verb, str(file), "--routing", "ecmp:weight=metric", *more, "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, 2], "holds 2 values; one for each of 4 channels"),
        ([1, 2, 3, "x"], "'metric'][3] is 'x'"),
        (7, "a list was expected"),
    ],
)
def test_attributes_of_a_document_are_numbers_one_each(values: object, words: str, tmp_path: Path) -> None:
    document = {"format": "routeproof/network", "num_nodes": 3, "channels": [[0, 1], [1, 0], [1, 2], [2, 1]]}
    file = tmp_path / "net.json"
    file.write_text(json.dumps({**document, "channel_attributes": {"metric": values}}))
    with pytest.raises(InputError, match=words.replace("[", r"\[")):
        resolve_network(str(file))


def test_what_would_never_end_is_refused() -> None:
    ends = [(0, 1), (1, 0)]
    primes = [p for p in range(3, 9000) if all(p % q for q in range(2, int(p**0.5) + 1))]
    values = [f"1/{p}" for p in primes]
    many = Network.of("many", 2, ends * (len(values) // 2), channel_attributes={"w": values[: len(values) // 2 * 2]})
    with pytest.raises(InputError, match=r"weights of many have a common denominator of more than 4,096 bits"):
        routing_from_spec("minimal:weight=w", many)
    size, copies = 1500, 8
    ring = [(v, (v + 1) % size) for v in range(size) for _ in range(2 * copies)]
    wide = Network.of("wide", size, ring, channel_attributes={"w": [1] * len(ring)})
    with pytest.raises(InputError, match=r"1,500 destinations and 24,000 channels; at most"):
        routing_from_spec("minimal:weight=w", wide)
