"""Packets under ideal flow control: the run that another implementation makes, and the prediction that it meets."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from routeproof.claims.routings.loads_simulated import replay_load
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.sampling.seeded import FULL, threshold, word
from routeproof.core.traffic import Traffic
from routeproof.formats.documents.report import digest
from routeproof.formats.resolve import resolve_network, resolve_traffic
from routeproof.routing.named.spec import routing_from_spec
from routeproof.simulate.load.queueing import simulate_load, walks_of
from routeproof.simulate.load.queueing_kernels import draw_of, mixed


def test_chance_is_the_same_compiled_and_plain() -> None:
    for seed, which, use in ((0, 0, 0), (1, 2, 3), ((1 << 62) - 1, 10**15, 64), (7, 123456789, 1)):
        key = mixed(np.uint64(mixed(np.uint64(seed))) ^ np.uint64(which))
        assert draw_of(np.uint64(key), use) == word(seed, which, use)
        assert 0 <= word(seed, which, use) < FULL
    draws = [word(5, k, 0) for k in range(4000)]
    assert abs(sum(x < threshold(1, 3) for x in draws) / 4000 - 1 / 3) < 0.03
    assert len(set(draws)) == 4000


@pytest.mark.parametrize("order", ["fifo", "farthest-first"])
@pytest.mark.parametrize(
    ("topology", "routing", "traffic"),
    [
        ("torus:4x4", "dor", "tornado"),
        ("torus:4x4,bandwidth=3/2x1", "valiant", "uniform"),
        ("ring:5,bandwidth=7", "dor", "uniform"),
        ("torus:5x3", "goal", "uniform"),
        ("mesh:3x4", "minimal-adaptive", "random:seed=1"),
        ("torus:2x4", "minimal-adaptive", "uniform"),
        ("petersen", "minimal", "random:seed=3"),
        ("kautz:2,2", "valiant", "uniform"),
    ],
)
def test_a_second_implementation_makes_the_same_run(topology: str, routing: str, traffic: str, order: str) -> None:
    network = resolve_network(topology)
    rates = resolve_traffic(traffic, network)
    adaptive = routing in ("goal", "minimal-adaptive")
    plain = routing if adaptive else routing_from_spec(routing, network)
    fast = routing if adaptive else walks_of(routing_from_spec(routing, network), rates)
    run = simulate_load(network, fast, rates, Fraction(2, 3), order=order, warm_up=37, cycles=103, seed=11)  # type: ignore[arg-type]
    again = replay_load(network, plain, rates, rate=Fraction(2, 3), order=order, ends=run.batch_ends, seed=11)
    assert run.counts.tolist() == again
    made, accepted, _, _, _, waiting = again[-1]
    assert made == accepted + waiting  # nothing is lost, nothing is made of nothing


def test_a_matrix_of_rates_is_followed() -> None:
    network = resolve_network("ring:3")
    half = Fraction(1, 2)
    traffic = Traffic.of_matrix([[0, half, half], [0, 0, half], [0, 0, 0]])
    walks = walks_of(routing_from_spec("dor", network), traffic)
    run = simulate_load(network, walks, traffic, Fraction(1), warm_up=0, cycles=4000, seed=2)
    how = routing_from_spec("dor", network)
    ends = run.batch_ends
    again = replay_load(network, how, traffic, rate=Fraction(1), order="fifo", ends=ends, seed=2)
    assert run.counts.tolist() == again
    assert abs(again[-1][0] / 4000 - 1.5) < 0.05  # one packet a cycle from the first, half of one from the second


def test_queues_are_short_below_the_proved_throughput_and_grow_above_it() -> None:
    network = resolve_network("torus:8x8")
    traffic = resolve_traffic("tornado", network)
    walks = walks_of(routing_from_spec("dor", network), traffic)  # throughput 1/3
    growth = []
    for rate in (Fraction(30, 100), Fraction(36, 100)):
        counts = simulate_load(network, walks, traffic, rate, warm_up=1000, cycles=4000, seed=3).counts
        growth.append((counts[-1, 5] - counts[0, 5]) / 4000 / 64)
    assert abs(growth[0]) < 0.002
    assert growth[1] > 0.02


def test_hops_of_goal_are_those_of_its_definition() -> None:
    network = resolve_network("torus:8x8")
    counts = simulate_load(
        network, "goal", Traffic.uniform(64), Fraction(1, 5), warm_up=200, cycles=4000, seed=1
    ).counts
    spent = counts[-1] - counts[0]
    per_packet = spent[4] / (spent[2] * 64 / 63)  # packets to oneself need no hop
    assert abs(per_packet - 2 * 2.625) < 0.05  # sum of 2 d (8 - d) / 64, in each dimension


def test_the_queue_that_waits_for_the_farthest() -> None:
    network = resolve_network("mesh:6")
    traffic = Traffic.uniform(6)
    walks = walks_of(routing_from_spec("dor", network), traffic)
    delays = []
    for order in ("fifo", "farthest-first"):
        run = simulate_load(network, walks, traffic, Fraction(6, 10), order=order, warm_up=500, cycles=4000)  # type: ignore[arg-type]
        spent = run.counts[-1] - run.counts[0]
        assert spent[4] / spent[2] > 2
        delays.append(spent[3])
    assert delays[0] != delays[1]


def test_the_command_proves_samples_and_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, picture = tmp_path / "load.json", tmp_path / "load.svg"
    command = ["simulate", "load", "torus:4x4", "--routing", "dor", "--cycles", "200", "--warm-up", "50"]
    assert main([*command, "--json", str(report), "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "PROVED" in out
    assert "SAMPLED" in out
    assert picture.read_text().startswith("<?xml")
    document = json.loads(report.read_text())
    names = {claim["quantity"] for claim in document["claims"]}
    assert {"throughput", "offered_rate", "accepted_rate", "queue_growth", "average_delay"} <= names
    assert main(["verify", str(report)]) == 0
    for claim in document["claims"]:
        if claim["quantity"] == "accepted_rate":
            claim["value"]["best"] += 0.001
            claim["digest"] = digest({key: x for key, x in claim.items() if key != "digest"})
            break
    report.write_text(json.dumps(document))
    assert main(["verify", str(report)]) == 1
    assert "the run gives" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4"], "no routing is given"),
        (["torus:4x4", "-r", "dor", "--rate", "2"], "--rate is 2"),
        (["torus:4x4", "-r", "goal", "--traffic", "worst"], "its worst permutation is not known"),
        (["petersen", "-r", "goal"], "needs a torus or a mesh"),
        (["mesh:4x4", "-r", "goal"], "goes around rings"),
        (["torus:4x4", "-r", "dor", "--cycles", "3"], "at least 20, after 0 or more"),
        (["torus:4x4", "-r", "dor", "--seed", "-1"], "the seed is -1"),
        (["torus:4x4", "-r", "dor", "--plot", "x.jpeg"], "a name that ends in .svg"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "load", *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_tables_too_large_are_refused_before_they_are_made() -> None:
    network = resolve_network("torus:32x32")
    with pytest.raises(InputError, match="GB of tables"):
        walks_of(routing_from_spec("valiant", network), Traffic.uniform(1024))
