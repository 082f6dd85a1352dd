"""The worst case after failures: by reuse, anew, and by brute force; what verify refuses."""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.faults import Faults
from routeproof.core.network import Network
from routeproof.formats.documents.network import network_from_document
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import digest
from routeproof.routing.named.described import describe_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.failures import (
    Failure,
    all_failures,
    cables_of,
    drawn_failures,
    links_of,
    number_of_failures,
    switches_of,
)
from routeproof.topologies.family import network_from_spec
from routeproof.worst.failures import base_of, solve_failures, solve_rebuilt
from routeproof.worst.scan.exact import worst_case


def arguments(network: Network, some: list[Failure]) -> list[tuple[list[int], list[int]]]:
    return [(list(x.nodes), x.channels(network)) for x in some]


@pytest.mark.parametrize(
    ("topology", "links", "switches"),
    [
        ("petersen", 1, 0),
        ("torus:4x3,bandwidth=2x1,concentration=2", 1, 0),
        ("random-regular:16,degree=3,seed=5", 1, 0),
        ("random-regular:16,degree=3,seed=5", 0, 1),
        ("fat-tree:4", 0, 1),
        ("fat-tree:4,hosts", 1, 0),
        ("ring:5,oneway", 1, 0),
        ("mesh:3x2", 2, 0),
        ("dragonfly:1,2,1", 1, 1),
    ],
)
def test_reuse_gives_what_judging_anew_gives(topology: str, links: int, switches: int) -> None:
    """Random shortest paths made anew are the same as those of the pairs that crossed the failure, rerouted."""
    network = network_from_spec(topology)
    routing = routing_from_spec("minimal", network)
    some = all_failures(network, links=links, switches=switches)[:60]
    results = solve_failures(base_of(routing), failures=arguments(network, some))
    described = {"network": {"spec": network.spec}, "routing": describe_routing(routing)}
    anew = solve_rebuilt(**described, failures=arguments(network, some))
    for failure, one, two in zip(some, results, anew, strict=True):
        assert ("lost" in one) == ("lost" in two), failure.text
        assert one.get("load") == two.get("load"), failure.text


@pytest.mark.parametrize(
    ("topology", "name"), [("mesh:3x2", "dor"), ("torus:3x2", "valiant"), ("xgft:2x3,w=1x2", "dmodk")]
)
def test_rerouting_by_brute_force(topology: str, name: str) -> None:
    network = network_from_spec(topology)
    routing = routing_from_spec(name, network)
    terminals = network.num_terminals
    some = all_failures(network, links=1, switches=0)
    results = solve_failures(base_of(routing), failures=arguments(network, some))
    for failure, result in zip(some, results, strict=True):
        dead = set(failure.channels(network))
        left = nx.DiGraph(
            [(int(u), int(v)) for c, (u, v) in enumerate(zip(network.tail, network.head, strict=True)) if c not in dead]
        )
        number = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(network.tail, network.head, strict=True))}
        load = np.zeros((network.num_channels, terminals, terminals), dtype=object)
        for i, j in itertools.product(range(terminals), repeat=2):
            row, column = int(routing.row_of[i]), int(routing.column_of[j])
            start, end = int(network.source[i]), int(network.sink[j])
            if start == end:
                continue
            loads = routing.pair_loads([row], [column]).as_dict()
            if dead & loads.keys():
                paths = list(nx.all_shortest_paths(left, start, end))
                loads = {}
                for path in paths:
                    for pair in itertools.pairwise(path):
                        c = number[pair]
                        loads[c] = loads.get(c, Fraction(0)) + Fraction(1, len(paths))
            for c, x in loads.items():
                load[c, i, j] = x / network.bandwidth[c]
        worst = max(
            sum(load[c, i, image[i]] for i in range(terminals))
            for image in itertools.permutations(range(terminals))
            for c in range(network.num_channels)
        )
        assert Fraction(result["load"]) == worst, failure.text


def test_which_failures_there_are() -> None:
    network = network_from_spec("fat-tree:4,hosts")
    assert len(links_of(network)) == 48
    assert len(switches_of(network)) == 20
    assert len(all_failures(network_from_spec("torus:4x4"), links=2, switches=0)) == 32 * 31 // 2
    counts = {"links": 2, "switches": 1}
    some = drawn_failures(network, counts, start=0, stop=30, seed=4)
    assert some == drawn_failures(network, counts, start=0, stop=30, seed=4)
    assert len(set(some)) == 30
    assert all(len(x.links) == 2 and len(x.nodes) == 1 for x in some)
    assert Failure((3,), ((0, 1), (4, 5))).text == "dead-nodes=3,dead-links=0-1;4-5"
    for links, switches in ((0, 0), (49, 0), (1, 21)):
        with pytest.raises(InputError):
            all_failures(network, links=links, switches=switches)
    with pytest.raises(InputError, match="--samples"):
        all_failures(network_from_spec("torus:16x16"), links=3, switches=0)


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """With digests made again, as an adversary would."""
    for claim in document["claims"]:
        claim["digest"] = digest(claim)
    return document


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("failures") / "report.json"
    assert (
        main(
            [
                "failures",
                "random-regular:12,degree=3,seed=2",
                "--routing",
                "minimal",
                "--repair",
                "split",
                "--json",
                str(path),
            ]
        )
        == 0
    )
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def verdict(document: dict[str, Any], tmp_path: Path) -> int:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document))
    return main(["verify", str(path)])


def test_a_report_verifies_and_says_what_it_should(report: dict[str, Any], tmp_path: Path) -> None:
    assert verdict(report, tmp_path) == 0
    every, *single = [x for x in report["claims"] if x["quantity"] == "worst_case_load"]
    assert every["failed"] == "any of the links"
    assert sum(x["evidence"]["like"] for x in single) == 18
    assert Fraction(every["value"]) == max(Fraction(x["value"]) for x in single)
    network = network_from_spec("random-regular:12,degree=3,seed=2," + single[2]["failed"])
    assert worst_case(routing_from_spec("minimal", network)).load == Fraction(single[2]["value"])


def bundles() -> Network:
    """Three switches; two cables join the first two, one of them twice as wide, and a one-way channel besides."""
    ends = [(0, 1), (0, 1), (1, 0), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0), (0, 1)]
    widths = [1, 2, 2, 1, 1, 1, 1, 1, 1]
    return Network.of("bundles", 3, ends, bandwidth=widths, source=[0, 0, 1, 2, 2], sink=[0, 0, 1, 2, 2])


def test_cables_are_pairs_of_opposite_channels() -> None:
    network = bundles()
    assert network.opposite.tolist() == [3, 2, 1, 0, 5, 4, 7, 6, 8]
    assert cables_of(network) == [(0, 3), (1, 2), (4, 5), (6, 7), (8,)]
    assert [x.text for x in all_failures(network, cables=1)][:2] == ["dead-channels=0;3", "dead-channels=1;2"]
    some = drawn_failures(network, {"cables": 2, "links": 1}, start=0, stop=20, seed=3)
    alone = [
        drawn_failures(network, {"cables": 2, "links": 1}, start=k, stop=k + 1, seed=3, opposite=network.opposite)
        for k in range(20)
    ]
    assert [x for drawn in alone for x in drawn] == some
    assert len(set(some)) > 10
    assert number_of_failures(network, cables=2, links=1) == 30
    assert all(len(x.cables) == 2 and len(x.links) == 1 for x in some)
    with pytest.raises(InputError, match="has 5 cables"):
        all_failures(network, cables=6)


@pytest.mark.parametrize("cables", [1, 2])
def test_a_cable_of_a_bundle_by_reuse_and_anew(cables: int) -> None:
    """One cable less: the pairs that crossed it take the shortest paths of what is left, by its twin among others."""
    for network in (bundles(), network_from_spec("dragonfly:1,2,2,groups=3")):
        routing = routing_from_spec("minimal", network)
        some = all_failures(network, cables=cables)[:40]
        results = solve_failures(base_of(routing), failures=arguments(network, some))
        for failure, result in zip(some, results, strict=True):
            try:
                left = routing_from_spec("minimal", Faults((), failure.channels(network)).survivors(network).network)
                expected = worst_case(left).load
            except InputError:
                assert "lost" in result
                continue
            assert Fraction(result["load"]) == expected, failure.text


@pytest.mark.parametrize(
    ("topology", "routing", "links", "switches"),
    [
        ("fat-tree:4", "dmodk", 1, 0),
        ("fat-tree:4", "dmodk", 0, 1),
        ("fat-tree:4,dead-links=0-8", "dmodk", 1, 0),
        ("xgft:3x3x2,w=2x2x1", "dmodk", 2, 0),
        ("xgft:2x3,w=1x2", "dmodk", 1, 0),
        ("random-regular:12,degree=3,seed=2", "minimal:choice=per-hop", 1, 0),
        ("random-regular:12,degree=3,seed=3", "minimal:choice=per-hop", 0, 1),
        ("mesh:3x2", "minimal:choice=per-hop", 2, 0),
        ("torus:3x3", "minimal", 0, 1),
    ],
)
def test_made_anew_in_part_is_made_anew(topology: str, routing: str, links: int, switches: int) -> None:
    """What the pairs that change give is what the routing on what is left gives, judged by itself."""
    network = network_from_spec(topology)
    described, whole = {"spec": routing}, routing_from_spec(routing, network)
    some = arguments(network, all_failures(network, links=links, switches=switches)[:24])
    ours = solve_failures(base_of(whole, "rebuild"), failures=some)
    anew = solve_rebuilt(network={"spec": topology}, routing=described, failures=some)
    for one, other in zip(ours, anew, strict=True):
        assert ("refused" in one) == ("refused" in other)
        for key in ("load", "lost", "uniform"):
            assert str(one.get(key)) == str(other.get(key)), key
        assert "refused" in one or one.get("bound") == other.get("bound")


def test_a_failure_may_leave_nothing_to_judge() -> None:
    """Of two nodes with terminals and one without, the one that is left sends to itself alone."""
    around = Network.of(
        "ring", 3, [(v, w) for v in range(3) for w in range(3) if v != w], source=[0, 1, 1], sink=[0, 1, 1]
    )
    base = base_of(routing_from_spec("minimal", around), "rebuild")
    assert solve_failures(base, failures=[([0], [])]) == [{"nothing": True}]


@pytest.mark.parametrize("each", [1, 2])
def test_channels_of_a_crossbar_all_fail(tmp_path: Path, each: int) -> None:
    """From nodes that only send to nodes that only receive: none is a host's channel to itself, which does not fail."""
    source = [v for v in range(2) for _ in range(each)]
    crossbar = {
        "format": "routeproof/network", "num_nodes": 4, "channels": [[0, 2], [1, 3], [0, 3], [1, 2]],
        "source": source, "sink": [2 + v for v in source],
    }  # fmt: skip
    (tmp_path / "network.json").write_text(json.dumps(crossbar))
    network = network_from_document(crossbar, what="crossbar")
    assert links_of(network) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert cables_of(network) == [(0,), (1,), (2,), (3,)]
    path = tmp_path / "report.json"
    verb = ["failures", str(tmp_path / "network.json"), "-r", "minimal", "--repair", "none", "--cables", "1"]
    assert main([*verb, "--json", str(path)]) == 0
    assert main(["verify", str(path)]) == 0


def test_every_cable_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cables.json"
    verb = ["failures", "dragonfly:1,2,2,groups=3", "-r", "minimal", "--cables", "1", "--repair", "split"]
    assert main([*verb, "--json", str(path)]) == 0
    assert "all 9 cables, one at a time" in capsys.readouterr().out
    document = json.loads(path.read_text())
    every, *single = [x for x in document["claims"] if x["quantity"] == "worst_case_load"]
    assert every["failed"] == "any of the cables"
    assert sum(x["evidence"]["like"] for x in single) == 9
    assert all(x["failed"].startswith("dead-channels=") for x in single)
    assert main(["verify", str(path)]) == 0
    count = network_from_spec("dragonfly:1,2,2,groups=3").num_channels
    for k, (change, part) in enumerate(
        [
            (lambda d: d["claims"].pop(1), "nothing is stated about"),
            (lambda d: d["claims"][0]["evidence"].update(opposite=pack_ints(np.arange(count))), "could be a cable"),
            (
                lambda d: d["claims"][0]["evidence"].update(opposite=pack_ints(np.arange(count)[::-1])),
                "are not a cable",
            ),
            (
                lambda d: d["claims"][0]["evidence"].update(opposite=pack_ints(np.zeros(3, int))),
                "opposite has 3 entries",
            ),
            (lambda d: d["claims"][1]["evidence"].update(cables=[[3, 1]]), "the lower first"),
            (lambda d: d["claims"][1]["evidence"].update(cables=[[0, 10**9]]), "outside"),
            (lambda d: d["claims"][1]["evidence"].update(cables=[["0"]]), "a whole number was expected"),
            (lambda d: d["claims"][1]["evidence"].update(cables=[[4]]), "it is about"),
            (lambda d: d["claims"][0]["evidence"].update(of="switches"), "it must be about any"),
        ]
    ):
        changed = copy.deepcopy(document)
        change(changed)
        if changed["claims"][1]["evidence"].get("cables") == [[0, 10**9]]:
            changed["claims"][1]["failed"] = "dead-channels=0;1000000000"
        path.write_text(json.dumps(sealed(changed)))
        assert main(["verify", str(path)]) == 1, k
        assert part in capsys.readouterr().err, k


def test_cables_made_anew_and_by_symmetry(tmp_path: Path) -> None:
    for verb in (
        ["xgft:2x3,w=1x2", "-r", "dmodk", "--repair", "rebuild"],
        ["mesh:3x2", "-r", "updown"],
        ["torus:4x4", "-r", "dor"],
        ["ring:5,oneway", "-r", "minimal"],
    ):
        path = tmp_path / "report.json"
        assert main(["failures", *verb, "--cables", "1", "--json", str(path)]) == 0
        assert main(["verify", str(path)]) == 0


def test_what_is_changed_is_refused(report: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = report["claims"]

    def changed(change: Any) -> dict[str, Any]:
        document = copy.deepcopy(report)
        change(document)
        return document

    other = next(k for k in range(2, len(claims)) if claims[k]["value"] != claims[1]["value"])
    attempts = [
        lambda d: d["claims"][1].update(value="1"),
        lambda d: d["claims"][0].update(value="99"),
        lambda d: d["claims"][1].update(failed=claims[2]["failed"]),
        lambda d: d["claims"].pop(4),
        lambda d: d["claims"][1]["evidence"].update(bounds=[], exact=[]),
        lambda d: d["claims"][1]["evidence"].update(links=claims[other]["evidence"]["links"]),
        lambda d: d["claims"][1]["evidence"].pop("witness"),
        lambda d: d["subject"]["potentials"].update(scale="7"),
        lambda d: d["claims"].append({**d["claims"][1], "quantity": "connected", "value": "false"}),
    ]
    for k, attempt in enumerate(attempts):
        assert verdict(changed(attempt), tmp_path) in (1, 2), k
        assert "Traceback" not in capsys.readouterr().err


def test_a_failure_that_separates_is_no_connected_one(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    assert main(["failures", "fat-tree:4,hosts", "-r", "minimal", "--json", str(path)]) == 0
    document = json.loads(path.read_text())
    cut = [x for x in document["claims"] if x["quantity"] == "connected"]
    assert [x["value"] for x in cut] == ["false"]
    assert main(["verify", str(path)]) == 0


def test_rebuilt_routings_verify(tmp_path: Path) -> None:
    path = tmp_path / "rebuilt.json"
    for verb in (["xgft:2x3,w=1x2", "-r", "dmodk"], ["random-regular:12,degree=3,seed=1", "-r", "ecmp"]):
        assert main(["failures", *verb, "--repair", "rebuild", "--json", str(path)]) == 0
        assert main(["verify", str(path)]) == 0
        document = json.loads(path.read_text())
        assert "potentials" in document["subject"]
        for change in (
            lambda d: d["claims"][1].update(value="1/2"),
            lambda d: d["subject"].update(repair="none"),
            lambda d: d["subject"]["potentials"].update(column=pack_ints(np.zeros(3, int))),
            lambda d: d["claims"][1]["evidence"].pop("witness"),
        ):
            changed = copy.deepcopy(document)
            change(changed)
            path.write_text(json.dumps(sealed(changed)))
            assert main(["verify", str(path)]) == 1


def test_a_run_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    text = ["failures", "torus:4x4", "-r", "dor", "--links", "2", "--samples", "40", "--run", str(tmp_path / "run")]
    assert main([*text, "--json", str(tmp_path / "one.json")]) == 0
    assert main([*text, "--json", str(tmp_path / "two.json")]) == 0
    one, two = (json.loads((tmp_path / name).read_text())["claims"] for name in ("one.json", "two.json"))
    assert one == two


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (["torus:4x4", "-r", "dor", "--links", "0"], "at least one of them was expected"),
        (["torus:4x4", "-r", "dor", "--links", "33"], "has 32 links"),
        (["torus:4x4", "-r", "dor", "--repair", "rebuilt"], "did you mean 'rebuild'"),
        (["torus:4x4", "-r", "dor", "--repair", "rebuild"], "--repair none says what is lost"),
        (["torus:16x16", "-r", "dor", "--links", "3"], "--samples draws some"),
        (["torus:4x4", "-r", "dmodk"], "needs a fat tree"),
    ],
)
def test_refused_in_one_line(text: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["failures", *text]) == 2
    error = capsys.readouterr().err
    assert part in error
    assert error.count("\n") == 1


def test_a_failure_that_cuts_every_pair_of_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 sends to 2 alone on a ring of 5: two links cut this pair, and the others cost it nothing."""
    matrix, report = tmp_path / "tm.csv", tmp_path / "report.json"
    matrix.write_text("source,destination,rate\n0,2,1\n")
    asked = ["failures", "ring:5", "--routing", "minimal", "--demands", f"matrix:{matrix}", "--json", str(report)]
    assert main([*asked, "--repair", "none"]) == 0
    said = "every pair that may send and takes a link loses packets"
    rows = [line for line in capsys.readouterr().out.splitlines() if said in line]
    assert [row.split()[0] for row in rows] == ["dead-links=0-1", "dead-links=1-2"]
    assert main(["verify", str(report)]) == 0


def test_pairs_at_one_switch_lose_nothing_where_all_others_do(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["failures", "leaf-spine:2,2,1", "--routing", "ecmp", "--switches", "1", "--repair", "none"]
    assert main(asked) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "every pair that takes a link loses packets" in said
    assert "at most 8 of 12" in said
