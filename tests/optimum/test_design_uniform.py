"""The best routing under uniform traffic: exact, on any network, with lengths that verify checks without a solver."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.network import network_from_document
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import digest
from routeproof.kernel.gauges import gauge_of_uniform
from routeproof.kernel.theorem import supporting_line
from routeproof.optimum import capacity as module
from routeproof.optimum.capacity import capacity_by_program, design_capacity, uniform_claims
from routeproof.worst.loads import channel_loads_under, throughput


@pytest.mark.parametrize(
    ("text", "capacity", "length"),
    [
        ("torus:4x4", "2", "1"),
        ("torus:5x5", "5/3", "1"),  # 8k/(k^2 - 1)
        ("mesh:4x3", "1", "1"),
        ("kautz:2,2", "18/13", "13/12"),
        ("torus:6x4,bandwidth=1x3", "4/3", "1"),
        ("butterfly:4", "2", "1"),
        ("ring:5,oneway", "1/2", "1"),
    ],
)
def test_capacity_and_then_the_shortest_paths(text: str, capacity: str, length: str) -> None:
    made = design_capacity(network(text), shortest=True)
    assert 1 / made.load == Fraction(capacity)
    assert made.length == Fraction(length) * made.minimal
    net = made.routing.network
    loads = channel_loads_under(made.routing, Traffic.uniform(net.num_terminals))
    assert throughput(loads, net) == Fraction(capacity)
    made.routing.check()
    assert made.load_lengths.line.least_load() == made.load
    assert made.path_lengths is not None
    assert made.path_lengths.line.least_path_length(made.load) == made.length


@pytest.mark.parametrize(
    ("text", "capacity", "routing"),
    [("torus:6x6x6", "4/3", "dor"), ("mesh:9x8", "9/20", "dor"), ("twisted-torus:4x4x8", "96/55", "minimal")],
)
def test_a_routing_that_has_a_name_is_taken_where_it_reaches_the_capacity(
    text: str, capacity: str, routing: str
) -> None:
    """The program of torus:6x6x6 is not made exact: its basis is too ill-conditioned."""
    made = design_capacity(network(text), shortest=True)
    assert (1 / made.load, made.num_pairs) == (Fraction(capacity), None)
    assert made.routing.name.startswith(routing)
    assert made.load_lengths.line.least_load() == made.load
    assert made.path_lengths is not None
    assert made.path_lengths.line.least_path_length(made.load) == made.length == made.minimal
    with pytest.raises(InputError, match="no routing has an average path length of 1/2 times"):
        design_capacity(network(text), path_length=Fraction(1, 2))


@pytest.mark.parametrize(
    ("text", "capacity"),
    [("random-regular:20,degree=3,seed=1", "20/33"), ("mesh:3x4", "1"), ("fat-tree:4", "8/7"), ("kautz:2,3", None)],
)
@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_flows_of_sources_are_divided_into_a_routing(text: str, capacity: str | None, symmetry: str) -> None:
    """By paths without symmetry, else backwards from every destination; the loads are those of the flows."""
    net = network(text)
    made = design_capacity(net, symmetry=symmetry)
    made.routing.check()
    assert throughput(channel_loads_under(made.routing, Traffic.uniform(net.num_terminals)), net) == 1 / made.load
    assert made.load_lengths.line.least_load() == made.load
    assert capacity is None or 1 / made.load == Fraction(capacity)
    assert made.load == design_capacity(net, symmetry="none" if symmetry == "auto" else "auto").load


def test_parallel_channels_unequal_bandwidths_and_terminals_apart() -> None:
    """Three channels from 0 to 1, of bandwidths 1, 2 and 1/2, and one back; two terminals at node 0, one at node 1."""
    document = {
        "format": "routeproof/network",
        "num_nodes": 2,
        "channels": [[0, 1], [0, 1, "2"], [0, 1, "1/2"], [1, 0]],
        "source": [0, 0, 1],
        "sink": [0, 0, 1],
    }
    net = network_from_document(document, what="test", name="parallel")
    made = design_capacity(net)
    assert made.load == Fraction(2, 3)  # node 1 sends 2/3 over one channel; 2/3 comes over 7/2


def test_within_a_bound_on_path_length() -> None:
    net = network("kautz:2,2")
    made = design_capacity(net, shortest=True, path_length=Fraction(51, 50))
    assert 1 / made.load == Fraction(150, 121)
    assert made.length == Fraction(34, 25)
    bound = uniform_claims(made)
    assert [(x.quantity, x.relation, x.value) for x in bound] == [
        ("throughput", "<=", Fraction(150, 121)),
        ("average_path_length", ">=", Fraction(34, 25)),
    ]
    with pytest.raises(InputError, match="the smallest feasible is 1"):
        design_capacity(net, path_length=Fraction(1, 2))


@pytest.mark.parametrize("symmetry", ["none", "translations"])
def test_the_reduction_changes_nothing(symmetry: str) -> None:
    net = network("torus:3x4")
    full, other = design_capacity(net, shortest=True), design_capacity(net, shortest=True, symmetry=symmetry)
    assert (full.load, full.length) == (other.load, other.length)


def test_lengths_of_nothing_prove_nothing() -> None:
    ring = network("ring:5")
    line = supporting_line(ring, gauge_of_uniform(ring, np.zeros(10, dtype=np.int64)), hops=1)
    assert line.least_load() is None
    assert line.least_path_length(Fraction(100)) == Fraction(6, 5)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("uniform") / "report.json"
    options = ["--objective", "capacity", "--then", "path-length", "--path-length", "51/50", "--json", str(path)]
    assert main(["design", "kautz:2,2", *options]) == 0
    return path


def changed(report: Path, edit: Any) -> str:
    document = json.loads(report.read_text())
    edit(document["claims"][-2:])
    for entry in document["claims"]:
        entry["digest"] = digest(entry)
    path = report.with_name("changed.json")
    path.write_text(json.dumps(document))
    return str(path)


def test_the_report_is_verified(report: Path) -> None:
    assert main(["verify", str(report)]) == 0
    assert main(["verify", changed(report, lambda claims: None)]) == 0


def _less(claims: Any) -> None:
    claims[0]["value"] = "149/121"


def _no_bound(claims: Any) -> None:
    claims[0]["evidence"]["within"] = {}
    del claims[0]["within"]


def _longer(claims: Any) -> None:
    claims[1]["value"] = "35/25"


def _faster(claims: Any) -> None:
    claims[1]["evidence"]["within"]["throughput"] = "18/13"


def _weak(claims: Any) -> None:
    claims[1]["evidence"]["lengths"] = pack_ints(np.zeros(12, dtype=np.int64))


def _other_paths(claims: Any) -> None:
    claims[0]["evidence"]["paths"] = "2turn"


@pytest.mark.parametrize("edit", [_less, _no_bound, _longer, _faster, _weak, _other_paths])
def test_corrupted_reports_are_refused(edit: Any, report: Path) -> None:
    assert main(["verify", changed(report, edit)]) == 1


def test_options_that_contradict(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "torus:4x4", "--objective", "capacity", "--samples", "5"]) == 2
    assert "--samples is for --objective average-case" in capsys.readouterr().err


def _refused(*_: object) -> None:
    raise InputError("too many variables")


@pytest.mark.parametrize("text", ["kautz:2,2", "random-regular:20,degree=3,seed=1"])
def test_where_the_program_is_refused_there_are_two_ends(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = network(text)
    exact = capacity_by_program(net)
    assert exact is not None
    monkeypatch.setattr(module, "_uniform_program", _refused)
    path = tmp_path / "capacity.json"
    assert main(["design", text, "--objective", "capacity", "--json", str(path)]) == 0
    document = json.loads(path.read_text())
    found = [x for x in document["claims"] if x["quantity"] == "capacity"]
    for claim in found:
        value = Fraction(claim["value"])
        assert {"==": value == exact.value, ">=": value <= exact.value, "<=": value >= exact.value}[claim["relation"]]
        assert abs(value / exact.value - 1) < Fraction(1, 10**6)
    assert main(["verify", str(path)]) == 0
    top = found[-1]  # it says more than its lengths prove
    top["value"] = str(Fraction(top["value"]) * Fraction(99, 100))
    top["digest"] = digest(top)
    path.write_text(json.dumps(document))
    assert main(["verify", str(path)]) == 1
    capsys.readouterr()
    with pytest.raises(InputError, match="too many variables"):
        module.design_capacity(net, shortest=True)
