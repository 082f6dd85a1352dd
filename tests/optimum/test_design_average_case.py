"""Average-case designs: better than what is there on a fresh sample, reproducible, and honest about being sampled."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, Network, named_routing, network
from routeproof.cli.main import main
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.report import digest
from routeproof.optimum.average_case import design_average_case
from routeproof.topologies.traffic_models import TRAFFIC_MODELS, sample_traffic
from routeproof.worst.average import average_case


@pytest.mark.parametrize("model", TRAFFIC_MODELS)
def test_samples_are_admissible_and_reproducible(model: str) -> None:
    net = network("mesh:3x2")
    sample = sample_traffic(net, model, count=5, seed=3)
    assert np.array_equal(sample, sample_traffic(net, model, count=5, seed=3))
    assert not np.array_equal(sample, sample_traffic(net, model, count=5, seed=4))
    square = sample.reshape(5, 6, 6)
    assert (square >= 0).all()
    assert (square.sum(axis=1) <= 1 + 1e-12).all()
    assert (square.sum(axis=2) <= 1 + 1e-12).all()
    assert not square[:, np.arange(6), np.arange(6)].any()


@pytest.mark.parametrize("shortest", [False, True])
def test_a_time_limit_leaves_a_routing_of_which_nothing_is_said(shortest: bool) -> None:
    """Over before the first round, which is finished nevertheless; the next ones are not begun."""
    made = design_average_case(network("mesh:3x2"), count=5, shortest=shortest, time_limit=1e-9)
    made.routing.check()
    assert made.gap == float("inf")


def test_the_average_case_of_a_routing_is_the_mean_over_its_throughputs() -> None:
    from routeproof.worst.loads import channel_loads_under, throughput

    net = network("torus:4x4")
    routing = named_routing("romm", net)
    sample = sample_traffic(net, "permutation", count=4, seed=1)
    interval, load = average_case(routing, sample, seed=1)
    each = []
    for rates in sample.reshape(4, 16, 16):
        traffic = Traffic.of_matrix([[Fraction(int(x)) for x in row] for row in rates.tolist()])
        each.append(float(throughput(channel_loads_under(routing, traffic), net)))
    assert interval.best == pytest.approx(np.mean(each))
    assert load == pytest.approx(np.mean([1 / x for x in each]))
    assert interval.low < interval.best < interval.high


def test_the_design_beats_what_it_was_made_to_beat() -> None:
    net = network("torus:4x4")
    made = design_average_case(net, count=40, shortest=True)
    sample = sample_traffic(net, "permutation", count=40, seed=0)
    for name in ("dor", "romm", "valiant", "ival"):
        assert made.inside_load < average_case(named_routing(name, net), sample, seed=0)[1]
    other = sample_traffic(net, "permutation", count=40, seed=1)
    assert made.fresh == average_case(made.routing, other, seed=1)[0]
    assert made.fresh_load < average_case(named_routing("ival", net), other, seed=1)[1]
    assert 0 <= made.gap < 1e-5
    made.routing.check()


def test_less_symmetry_can_only_help_in_the_sample() -> None:
    net = network("mesh:3x3")
    full = design_average_case(net, count=20)
    free = design_average_case(net, count=20, symmetry="none")
    assert free.inside_load <= full.inside_load + 1e-6


def test_a_bound_on_the_path_length_is_kept() -> None:
    net = network("torus:4x4")
    short = design_average_case(net, count=10, path_length=Fraction(11, 10))
    assert float(short.length / short.minimal) <= 1.1 + 1e-6
    assert short.inside_load > design_average_case(net, count=10).inside_load
    with pytest.raises(InputError, match="smallest feasible is 1"):
        design_average_case(net, path_length=Fraction(1, 2))


def test_terminals_apart_from_nodes_and_unequal_bandwidths() -> None:
    ends = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (1, 3)]
    widths = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(1), Fraction(1), Fraction(3, 4)]
    net = Network.of("odd", 4, ends, bandwidth=widths, source=[0, 0, 2], sink=[3, 1, 1])
    made = design_average_case(net, model="sinkhorn", count=8)
    made.routing.check()
    assert made.gap < 1e-5


def test_the_verb_says_that_it_is_sampled(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["design", "torus:4x4", "--objective", "average-case", "--samples", "10", "--seed", "5", "--json", "-"]
    assert main(words) == 0
    document: Any = json.loads(capsys.readouterr().out)
    found = {x["sample"]: x for x in document["claims"] if x["quantity"] == "average_case_throughput_of_capacity"}
    assert {x["grade"] for x in found.values()} == {"SAMPLED"}
    assert found["optimised"]["value"]["seed"] == 5
    assert found["fresh"]["value"]["seed"] == 6
    assert document["subject"]["design"]["objective"] == "average-case"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--traffic-model", "zipf"], "traffic model is 'zipf'"),
        (["--samples", "0"], "0 matrices"),
        (["--path-length", "1/2"], "smallest feasible"),
    ],
)
def test_bad_options(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "torus:4x4", "--objective", "average-case", *options]) == 2
    assert message in capsys.readouterr().err


def _verified(document: Any, folder: Path) -> int:
    for entry in document["claims"]:
        entry["digest"] = digest(entry)
    path = folder / "changed.json"
    path.write_text(json.dumps(document))
    return main(["verify", str(path)])


def test_sampled_values_are_drawn_again_by_verify(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    words = ["design", "torus:4x4", "--objective", "average-case", "--samples", "10", "--json", str(path)]
    assert main(words) == 0
    assert main(["verify", str(path)]) == 0
    for change in ({"high": 0.99}, {"low": 0.1}, {"seed": 7}, {"trials": 11}, {"confidence": 0.999}):
        document = json.loads(path.read_text())
        document["claims"][0]["value"].update(change)
        assert _verified(document, tmp_path) == 1
    document = json.loads(path.read_text())
    document["claims"][0]["evidence"]["traffic"] = "sinkhorn"
    assert _verified(document, tmp_path) == 1
