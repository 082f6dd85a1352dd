"""Our interior-point method: its interval holds the exact optimum, and routing and adversaries are judged exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof.routing.classes.symmetric as symmetric
from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.exact_arrays import equal
from routeproof.core.symmetry import Automorphism, translations_of
from routeproof.core.traffic import Traffic
from routeproof.kernel import port_gauge
from routeproof.kernel.port_gauge import AdversaryPair, gauge_of_ports
from routeproof.kernel.ports import Ports
from routeproof.kernel.theorem import SupportingLine, supporting_line
from routeproof.optimum.interior.blocks import blocks_of
from routeproof.optimum.simple_bound import simple_bounds
from routeproof.optimum.worst_case import design_worst_case
from routeproof.routing.named.described import describe_routing
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.locality import average_path_length
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize(
    ("text", "load", "length"),
    [
        ("torus:8x8", "2", "11359/7680"),  # conventions, "Routing design"
        ("torus:4x4", "1", "27/20"),
        ("mesh:3x3", "7/6", "4/3"),
        ("petersen", "1", "39/25"),
        ("kautz:2,2", "4/3", "31/24"),
        ("torus:2x4", "1", "5/4"),
        ("hypercube:4", "1", "27/20"),
    ],
)
def test_the_interval_holds_the_exact_optimum(text: str, load: str, length: str) -> None:
    made = design_worst_case(network(text), shortest=True, solver="interior")
    assert made.least_load <= Fraction(load) <= made.load
    assert made.load / made.least_load - 1 < Fraction(1, 10**5)
    assert made.least_length is not None
    # At a load slightly above the best the shortest paths are slightly shorter than at the best.
    assert made.least_length <= Fraction(length) * made.minimal
    assert abs(made.length / (Fraction(length) * made.minimal) - 1) < Fraction(1, 10**5)
    assert made.length / made.least_length - 1 < Fraction(1, 10**4)
    made.routing.check()
    assert worst_case(made.routing, symmetry="none").load == made.load
    assert average_path_length(made.routing) == made.length


def test_where_a_known_routing_is_optimal_only_the_path_length_is_solved_for() -> None:
    torus, begun = network("torus:6x6"), list[str]()

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        begun.append(name)
        yield

    optimum = max(simple_bounds(torus, None), key=lambda x: x.least_load())
    made = design_worst_case(torus, shortest=True, solver="interior", optimum=optimum, stage=stage)
    assert optimum.least_load() == Fraction(3, 2)
    assert "path length" in begun
    assert "worst case" not in begun
    assert made.load_adversary is optimum
    assert made.least_load <= made.load < Fraction(3, 2) * (1 + Fraction(1, 10**5))
    both = design_worst_case(torus, shortest=True, solver="interior")
    assert made.least_length is not None
    assert both.least_length is not None
    assert made.complete
    assert made.length / made.least_length - 1 < Fraction(1, 10**4)
    assert abs(made.least_length / both.least_length - 1) < Fraction(1, 10**5)
    assert worst_case(made.routing, symmetry="none").load == made.load


@pytest.mark.parametrize("symmetry", ["none", "translations"])
def test_less_symmetry_gives_the_same_interval(symmetry: str) -> None:
    made = design_worst_case(network("mesh:3x2,bandwidth=2x1"), solver="interior", symmetry=symmetry)
    exact = design_worst_case(network("mesh:3x2,bandwidth=2x1"), solver="simplex")
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(1, 10**5)


def test_blocks_state_conservation_as_the_program_does() -> None:
    blocks = blocks_of(reduce(network("torus:4x4")))
    rows = np.concatenate([blocks.row1, blocks.row2])
    assert set(rows[rows >= 0].tolist()) == set(range(len(blocks.right)))
    assert int(blocks.right.sum()) == len(blocks.reduction.pairs)
    total = int((blocks.members * np.ones(blocks.num_variables)).sum())
    assert total < 16 * 15 * 64  # some channels are barred


@pytest.mark.parametrize("text", ["torus:4x3", "hypercube:3", "ring:7,oneway", "torus:6x4,bandwidth=2x1", "torus:5x2"])
@pytest.mark.parametrize("choice", ["auto", "translations"])
def test_the_line_by_translations_is_the_line(text: str, choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = network(text)
    reduction = reduce(net, symmetry=choice)
    rng = np.random.default_rng(3)
    pairs = [AdversaryPair(p.source, p.destination, rng.integers(0, 50, net.num_channels)) for p in reduction.pairs]
    generators = [Automorphism("own", g.node, g.channel) for g in reduction.generators]

    def line() -> SupportingLine:
        ports = Ports.of_nodes(net)
        gauged = gauge_of_ports(net, ports, pairs, generators=generators, reversal=reduction.reversal)
        return supporting_line(net, gauged, hops=3)

    whole = line()
    monkeypatch.setattr(port_gauge, "_MOST_SUMS", 0)
    assert line() == whole


@pytest.mark.parametrize("text", ["torus:4x3", "hypercube:4", "ring:7,oneway", "torus:4x2,bandwidth=2x1"])
def test_an_exact_design_kept_by_translations_is_the_one_of_the_table(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = network(text)
    tabled = design_worst_case(net, solver="simplex")
    monkeypatch.setattr(symmetric, "_MOST_TABLED", 0)
    made = design_worst_case(net, solver="simplex")
    assert isinstance(made.routing, symmetric.InvariantRouting)
    assert not isinstance(tabled.routing, symmetric.InvariantRouting)
    assert (made.load, made.length, made.gap) == (tabled.load, tabled.length, 0)
    label = made.routing.channel_representatives()
    uniform, of_tail = Traffic.uniform(net.num_terminals), np.zeros(net.num_channels, dtype=np.int64)
    assert np.array_equal(label[label], label)
    assert np.array_equal(net.tail[label], of_tail)
    one_by_one = channel_loads_under(made.routing, uniform, orbits=np.arange(net.num_channels))
    assert equal(channel_loads_under(made.routing, uniform).load, one_by_one.load)


def test_translations_are_found_only_where_they_are() -> None:
    for text, there in (("torus:4x4", True), ("hypercube:4", True), ("mesh:3x3", False), ("hyperx:3x3", False)):
        net = network(text)
        assert net.symmetry is not None
        found = translations_of(net, net.symmetry.generators)
        assert (found is not None) == there
        if found is not None:
            for v in (1, net.num_nodes - 1):
                image = found.channels(v)
                assert np.array_equal(net.tail[image], found.sum[v, net.tail])
                assert np.array_equal(net.head[image], found.sum[v, net.head])


def test_a_routing_by_translations_is_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = design_worst_case(network("torus:4x3"), solver="interior").routing
    monkeypatch.setattr(symmetric, "_MOST_TABLED", 0)
    net = network("torus:4x3")
    other = symmetric.read_symmetric(net, describe_routing(table))
    assert type(other) is not type(table)
    other.check()
    for c in range(net.num_channels):
        mine, theirs = table.channel_loads([c]), other.channel_loads([c])
        assert np.array_equal(mine.row, theirs.row)
        assert np.array_equal(mine.column, theirs.column)
        assert mine.load.fractions() == theirs.load.fractions()
    every = [(i, j) for i in range(12) for j in range(12) if i != j]
    rows, columns = zip(*every, strict=True)
    mine_by_pair, theirs_by_pair = table.pair_loads(rows, columns), other.pair_loads(rows, columns)
    assert all(mine_by_pair.as_dict(k) == theirs_by_pair.as_dict(k) for k in range(len(every)))
    assert net.symmetry is not None
    assert all(other.respects(g) for g in net.symmetry.generators)
    assert other.respects_reversal()
    assert describe_routing(other) == describe_routing(table)
    assert worst_case(other).load == worst_case(table).load


def test_a_time_limit_leaves_an_honest_interval() -> None:
    """Over before the first round: what the method starts from proves something, too."""
    made = design_worst_case(network("torus:6x6"), shortest=True, solver="interior", time_limit=1e-9)
    assert not made.complete
    assert 0 < made.least_load <= Fraction(3, 2) <= made.load
    made.routing.check()


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(InputError, match="interior solver takes no bound on the path length"):
        design_worst_case(network("torus:3x3"), solver="interior", path_length=Fraction(2))
    with pytest.raises(InputError, match="solver is 'simplx'"):
        design_worst_case(network("torus:3x3"), solver="simplx")


def test_reports_are_verified_and_corrupted_ones_refused(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    command = ["design", "torus:6x6", "--objective", "worst-case", "--then", "path-length", "--solver", "interior"]
    assert main([*command, "--json", str(target)]) == 0
    assert main(["verify", str(target)]) == 0
    report: dict[str, Any] = json.loads(target.read_text())
    for claim in report["claims"]:
        if claim["quantity"] in ("worst_case_load", "average_path_length") and claim["relation"] == ">=":
            good = claim["value"]
            claim["value"] = str(Fraction(good) * Fraction(10**7 + 1, 10**7) + Fraction(1, 10**3))
            bad = tmp_path / "bad.json"
            bad.write_text(json.dumps(report))
            assert main(["verify", str(bad)]) == 1
            claim["value"] = good


def test_the_document_by_classes_is_judged_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetric, "_MOST_TABLED", 0)
    best = str(tmp_path / "best.json")
    target = tmp_path / "report.json"
    command = ["design", "torus:4x3", "--objective", "worst-case", "--solver", "interior", "--output", best]
    assert main([*command, "--then", "path-length"]) == 0
    assert main(["worst-case", "torus:4x3", "--routing", best, "--json", str(target)]) == 0
    assert main(["verify", str(target)]) == 0
    assert main(["worst-case", "torus:3x4", "--routing", best]) == 2
    document = json.loads(Path(best).read_text())
    document["classes"]["scale"] = "7"
    Path(best).write_text(json.dumps(document))
    assert main(["worst-case", "torus:4x3", "--routing", best]) == 2


def test_an_interruption_leaves_an_honest_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.optimum.interior import method as interior

    step = interior._State.step
    steps = 0

    def interrupted(state: Any, pool: Any) -> None:
        nonlocal steps
        steps += 1
        if steps > 6:
            raise KeyboardInterrupt
        step(state, pool)

    monkeypatch.setattr(interior._State, "step", interrupted)
    made = design_worst_case(network("torus:6x6"), shortest=True, solver="interior")
    assert not made.complete
    assert made.least_load <= Fraction(3, 2) <= made.load
    made.routing.check()


def test_what_does_not_fit_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.machine import memory

    small = network("mesh:5x5")
    monkeypatch.setattr(memory, "free_memory", lambda: 1_000_000)
    with pytest.raises(
        InputError, match=r"classes of pairs, .* potentials\) would take about 30\d\.\d MB; 1\.0 MB of memory are free"
    ):
        design_worst_case(network("torus:6x6"), solver="interior")
    with (
        memory.memory_allowed(1000),
        pytest.raises(
            InputError, match=r"25 nodes by as many, 80 channels\) would take about 5\.0 KB; --memory allows"
        ),
    ):
        design_worst_case(small)
