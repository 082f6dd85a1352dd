"""2TURN and 2TURNA: exact weights, routings like any other, and what verify refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from routeproof.core.symmetry import Automorphism
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.kernel.port_gauge import AdversaryPair
from routeproof.optimum.adversary import Adversary
from routeproof.optimum.restricted import design_restricted
from routeproof.routing.base.routing import Routing
from routeproof.routing.grid.two_turns import is_made_for
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.path_sets.names import path_set
from routeproof.topologies.traffic_models import sample_traffic
from routeproof.worst.average import average_case, sampled_average_case
from routeproof.worst.deadlock.channels import virtual_channels
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize(
    ("text", "load", "length"),
    [
        ("torus:8x8", "2", "95/64"),  # conventions, "Routing design"
        ("torus:4x4", "1", "27/20"),  # "for the k = 4 and k = 6 cases, 2TURN exactly matches the optimal"
        ("torus:6x4,bandwidth=2x1", "1", "83/70"),
        ("torus:4x4,oneway", "3", "1"),
        ("mesh:3x3", "7/6", "4/3"),
        ("mesh:5x5", "11/5", "33/25"),
    ],
)
def test_the_best_weights_for_paths_of_two_turns(text: str, load: str, length: str) -> None:
    made = design_restricted(network(text), path_set("2turn", network(text)), shortest=True)
    assert made.load == made.least_load == Fraction(load)
    assert made.length == made.least_length == Fraction(length) * made.minimal
    made.routing.check()
    assert worst_case(made.routing, symmetry="none").load == Fraction(load)


def test_the_reduction_changes_nothing() -> None:
    net = network("torus:3x3")
    known = [
        design_restricted(net, path_set("2turn", net), shortest=True, symmetry=x)
        for x in ("auto", "translations", "none")
    ]
    assert len({(x.load, x.length) for x in known}) == 1
    assert len({len(x.reduction.pairs) for x in known}) == 3


def test_with_a_bound_on_path_length() -> None:
    net = network("torus:4x4")
    made = design_restricted(net, path_set("2turn", net), shortest=True, path_length=Fraction(11, 10))
    assert made.length <= Fraction(11, 10) * made.minimal
    assert made.load == made.least_load
    with pytest.raises(InputError, match="the smallest feasible is 1"):
        design_restricted(net, path_set("2turn", net), path_length=Fraction(9, 10))


def rows(bundles: Any) -> list[tuple[int, int, tuple[int, ...]]]:
    return sorted(
        (int(i), int(j), tuple(path))
        for one in bundles
        for i, j, path in zip(one.row, one.column, one.channel.tolist(), strict=True)
    )


@pytest.mark.parametrize("text", ["torus:4x4", "mesh:3x3"])
def test_its_packets_take_paths_of_at_most_two_turns(text: str) -> None:
    net = network(text)
    routing = routing_from_spec("2turn", net)
    allowed = path_set("2turn", net)
    every = rows(routing.bundles())
    assert every == rows(Routing._bundles(routing, None))  # pair by pair
    assert all(list(path) in allowed.paths(i, j) for i, j, path in every)


def test_four_virtual_channels() -> None:
    """Sec. 5.2: "2TURN can also be made deadlock-free with four virtual channels per physical channel"."""
    for name in ("2turn", "2turna:samples=5"):
        assert virtual_channels(routing_from_spec(name, network("torus:5x5")), "turns").count == 4


def test_the_routing_comes_back_from_its_description_with_its_paths() -> None:
    """Its name there is none that makes it: nothing is solved where a report is read."""
    net = network("torus:4x4")
    for name, told in (("2turn", "designed as 2turn"), ("mix:1/2*dor+1/2*2turn", "mix:1/2*dor+1/2*designed as 2turn")):
        routing = routing_from_spec(name, net)
        again = routing_from_description(json.loads(json.dumps(describe_routing(routing))), net)
        assert again.name == told
        assert all(again.paths(0, j) == routing.paths(0, j) for j in range(16))


def test_the_average_case_of_2turna_is_above_that_of_2turn() -> None:
    net = network("torus:5x5")
    sample = sample_traffic(net, "permutation", count=30, seed=0)
    best = routing_from_spec("2turna:samples=30", net)
    assert average_case(best, sample, seed=0)[1] < average_case(routing_from_spec("2turn", net), sample, seed=0)[1]
    assert average_path_length(best) < 2 * minimal_average(net)


@pytest.mark.parametrize(
    ("name", "traffic", "seed", "made"),
    [
        ("2turna", "permutation", 0, True),
        ("2turna", "permutation", 1, False),
        ("2turna", "sinkhorn", 0, False),
        ("2turna:samples=30,seed=07", "permutation", 7, True),
        ("designed as 2turna:traffic=sinkhorn", "sinkhorn", 0, True),
        ("designed as 2turna: samples=30, seed = 7", "permutation", 7, True),
        ("mix:1/2*dor+1/2*designed as 2turna:seed=3", "permutation", 3, True),
        ("2turn", "permutation", 0, False),
        ("./tables-2turna.json", "permutation", 0, False),
    ],
)
def test_which_sample_a_routing_was_made_for(name: str, traffic: str, seed: int, made: bool) -> None:
    assert is_made_for(name, traffic=traffic, seed=seed) is made


def test_the_sample_that_2turna_was_made_for_is_no_estimate() -> None:
    best = routing_from_spec("2turna:samples=3", network("torus:3x3"))
    with pytest.raises(InputError, match="another seed was expected, such as --seed 1"):
        sampled_average_case(best, "permutation", samples=3, seed=0)
    assert sampled_average_case(best, "permutation", samples=3, seed=1).seed == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("2turn", "torus:3x3x3", "torus or mesh of two dimensions"),
        ("2turn", "petersen", "torus or mesh of two dimensions"),
        ("2turn:tie=split", "torus:3x3", "2turn has no options"),
        ("2turna:sample=3", "torus:3x3", "unknown option 'sample'"),
        ("2turna:samples=0", "torus:3x3", "at least 1"),
        ("2turna:traffic=white", "torus:3x3", "traffic model"),
    ],
)
def test_bad_input(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        routing_from_spec(name, network(text))


def test_symmetry_that_turns_dimensions_into_one_another_channel_by_channel_is_refused() -> None:
    net = network("torus:4x4")
    allowed = path_set("2turn", net)
    assert net.symmetry is not None
    assert all(allowed.is_kept_by(g) for g in net.symmetry.generators)
    channel = np.arange(net.num_channels, dtype=np.int32)
    channel[[0, 2]] = channel[[2, 0]]
    assert not allowed.is_kept_by(Automorphism("odd", np.arange(16, dtype=np.int32), channel))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("two_turn") / "report.json"
    options = ["--objective", "worst-case", "--then", "path-length", "--paths", "2turn", "--json", str(path)]
    assert main(["design", "torus:5x5", *options]) == 0
    return path


def changed(report: Path, edit: Any) -> str:
    document = json.loads(report.read_text())
    edit(document)
    for entry in document["claims"]:
        entry["digest"] = digest(entry)
    path = report.with_name("changed.json")
    path.write_text(json.dumps(document))
    return str(path)


def test_the_report_is_verified(report: Path) -> None:
    assert main(["verify", str(report)]) == 0
    assert main(["verify", changed(report, lambda document: None)]) == 0


def _claim(document: Any, quantity: str) -> Any:
    return next(x for x in document["claims"] if x["quantity"] == quantity)


def _bound(document: Any) -> Any:
    """That of the path length, within the least worst-case load."""
    of = ("average_path_length", ">=")
    return next(x for x in document["claims"] if (x["quantity"], x["relation"]) == of)


def _for_all_routings(document: Any) -> None:
    del _bound(document)["evidence"]["paths"]


def _other_paths(document: Any) -> None:
    _claim(document, "worst_case_load")["evidence"]["adversary"]["paths"] = "3turn"


def _weight(document: Any) -> None:
    entry = document["subject"]["routing"]["path_classes"][-1][2][0]
    entry[0] = str(int(entry[0]) + 1)


def _another_path(document: Any) -> None:
    paths = document["subject"]["routing"]["path_classes"][-1][2]
    paths[0][1] = paths[1][1]


def _broken_path(document: Any) -> None:
    paths = document["subject"]["routing"]["path_classes"][-1][2]
    paths[0][1] = pack_ints(unpack_ints(paths[0][1], what="path", max_items=100)[:-1])


def _called_2turn(document: Any) -> None:
    document["subject"]["routing"]["spec"] = "2turn"
    document["subject"]["routing"]["allowed"] = None


def _weak(document: Any) -> None:
    for pair in _bound(document)["evidence"]["pairs"]:
        pair["traffic"] = pack_ints(np.zeros(100, dtype=np.int64))


@pytest.mark.parametrize(
    "edit", [_for_all_routings, _other_paths, _weight, _another_path, _broken_path, _called_2turn, _weak]
)
def test_corrupted_reports_are_refused(edit: Any, report: Path) -> None:
    assert main(["verify", changed(report, edit)]) in (1, 2)


def test_multipliers_of_more_than_64_bits_are_packed_and_judged() -> None:
    made = design_restricted(network("torus:4x4"), path_set("2turn", network("torus:4x4")), shortest=True)
    small = made.length_adversary
    assert small is not None
    pairs = [AdversaryPair(p.source, p.destination, p.traffic.astype(object) << 70) for p in small.pairs]
    large = Adversary(small.reduction, pairs, small.hops << 70, small.paths)
    assert large.line.least_path_length(made.load) == made.length
    packed = large.data()["pairs"]
    assert packed[0]["traffic"].startswith("i16:64:")
    for pair, item in zip(pairs, packed, strict=True):
        assert unpack_ints(item["traffic"], what="it", max_items=64, wide=True).tolist() == pair.traffic.tolist()
    with pytest.raises(VerificationError, match="128 bits; at most 64 were expected"):
        unpack_ints(packed[0]["traffic"], what="it", max_items=64)
    with pytest.raises(VerificationError, match="at most 63"):
        unpack_ints(packed[0]["traffic"], what="it", max_items=63, wide=True)
    with pytest.raises(OverflowError, match="128 bits"):
        pack_ints([1 << 127], wide=True)
    negative = [1 << 90, -1 << 90]
    assert unpack_ints(pack_ints(negative, wide=True), what="it", max_items=2, wide=True).tolist() == negative


def test_a_design_says_where_two_turns_are_as_good_with_fewer_paths(capsys: Any) -> None:
    told = {}
    for size in ("torus:8x8", "torus:6x6", "mesh:3x3,bandwidth=2x1"):
        assert main(["design", size, "--objective", "worst-case", "--then", "path-length"]) == 0
        told[size] = [x for x in capsys.readouterr().out.splitlines() if x.startswith("simpler")]
    [line] = told["torus:8x8"]
    assert "--paths 2turn has the same worst case with paths of at most two turns" in line
    assert "% longer" in line
    assert told["torus:6x6"] == []  # as good, but with more paths
