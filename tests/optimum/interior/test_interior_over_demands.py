"""The interior-point method over sets of demands: its interval holds the simplex method's exact optimum."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.optimum.design import Design
from routeproof.optimum.interior import method as interior
from routeproof.optimum.interior.blocks import blocks_of
from routeproof.optimum.interior.system import PotentialSystem
from routeproof.optimum.worst_case import design_worst_case
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.scan.exact import worst_case_over
from true_reports import sealed


def _rates(*values: object) -> list[Fraction]:
    return [Fraction(str(x)) for x in values]


def _sets(size: int) -> dict[str, DemandSet]:
    """Sets of every kind: by terminals, by jobs and pairs that split the terminals of a node, and intersections."""
    jobs = within({"a": list(range(0, size, 2)), "b": list(range(1, size - 1, 2))}, size, text="within")
    pairs = among([(0, size - 1), (1, size - 2), (size - 1, 0), (2, 4), (2, size - 1), (3, 0)], size, text="pairs")
    uneven = hose(_rates(*(1 + k % 3 for k in range(size))), _rates(*("0.5", 2) * (size // 2)))
    even = hose(*[_rates(*(1 + k % 2 for k in range(size)))] * 2)
    return {
        "sparse": sparse(size, 2),
        "uneven hose": uneven,
        "even hose": even,
        "jobs": jobs,
        "pairs": pairs,
        "sparse jobs": jobs & sparse(size, 3),
        "hose between pairs": uneven & pairs,
        "total": TransportSet(size, "total", total=Fraction(3, 2)),
    }


def _both(net: Network, demands: DemandSet, **options: Any) -> tuple[Design, Design]:
    assert isinstance(demands, TransportSet)
    exact = design_worst_case(net, demands=demands, solver="simplex", **options)
    return exact, design_worst_case(net, demands=demands, solver="interior", **options)


@pytest.mark.parametrize("kind", list(_sets(6)))
@pytest.mark.parametrize("text", ["mesh:3x2", "hyperx:3,concentration=2", "ring:6,bandwidth=2"])
def test_the_interval_holds_the_optimum_of_the_simplex_method(text: str, kind: str) -> None:
    demands = _sets(6)[kind]
    exact, made = _both(network(text), demands)
    assert exact.gap == 0
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(1, 10**6)
    made.routing.check()
    assert isinstance(demands, TransportSet)
    assert worst_case_over(made.routing, demands, symmetry="none").load == made.load


@pytest.mark.parametrize("kind", ["sparse", "even hose", "sparse jobs"])
def test_the_shortest_of_the_best(kind: str) -> None:
    exact, made = _both(network("mesh:3x2"), _sets(6)[kind], shortest=True)
    assert made.least_length is not None
    assert made.least_length <= exact.length
    assert abs(made.length / exact.length - 1) < Fraction(1, 10**5)
    assert made.length_gap is not None
    assert made.length_gap < Fraction(1, 10**5)


def test_symmetry_and_its_absence_give_the_same() -> None:
    few = sparse(16, 3)
    one, other = (
        design_worst_case(network("torus:4x4"), demands=few, solver="interior", symmetry=x) for x in ("auto", "none")
    )
    assert len(one.reduction.pairs) < 10 < len(other.reduction.pairs)
    assert max(one.least_load, other.least_load) <= min(one.load, other.load)
    assert one.gap < Fraction(1, 10**6)


def test_larger_rates_grow_the_load_and_a_tighter_set_lowers_it() -> None:
    net, rates = network("mesh:3x2"), _rates(1, 2, 1, 3, 2, 1)
    plain, double, few = (
        design_worst_case(net, demands=x, solver="interior")
        for x in (
            hose(rates, rates),
            hose([2 * x for x in rates], [2 * x for x in rates]),
            TransportSet(6, "few", tuple(rates), tuple(rates), total=Fraction(2)),
        )
    )
    assert abs(double.load / plain.load - 2) < Fraction(1, 10**5)
    assert few.load < plain.least_load


def test_permutations_given_as_a_set_are_permutations() -> None:
    one = design_worst_case(network("mesh:3x2"), solver="interior")
    other = design_worst_case(network("mesh:3x2"), demands=permutations(6), solver="interior")
    assert one.least_load <= other.load
    assert other.least_load <= one.load


@pytest.mark.parametrize(("text", "kind"), [("hyperx:3,concentration=2", "sparse jobs"), ("mesh:3x2", "total")])
def test_the_system_with_several_covers_is_the_schur_complement(text: str, kind: str) -> None:
    net, demands = network(text), _sets(6)[kind]
    assert isinstance(demands, TransportSet)
    blocks = blocks_of(reduce(net, symmetry="none", demands=demands))
    rng = np.random.default_rng(1)
    count, size = len(blocks.cover), blocks.num_variables
    over, up = np.zeros((count, blocks.num_potentials + 1)), np.zeros((count, size))
    for column in blocks.cover.T:
        np.add.at(over, (np.arange(count), column), 1.0)
    up[np.arange(count), np.arange(count) if blocks.covered is None else blocks.covered] = 1.0
    balance = np.stack([blocks.balance(x) for x in np.eye(size)], axis=1)
    p, y = rng.normal(size=over.shape[1]), rng.normal(size=count)
    assert np.allclose(blocks.over(p), over @ p)
    assert np.allclose(blocks.under(y), over.T @ y)
    assert np.allclose(blocks.down(y), up.T @ y)
    w, zx = rng.uniform(0.1, 2.0, count), rng.uniform(0.1, 2.0, size)
    d = zx + up.T @ w
    load, potential = rng.uniform(0.1, 2.0, blocks.load.shape[0]), rng.uniform(0.1, 2.0, over.shape[1])
    system = PotentialSystem(blocks, blocks.load)
    with ThreadPoolExecutor(2) as pool:
        flow = w * blocks.up(zx) / blocks.up(d)
        system.factor(w, d, flow=flow, load=load, potential=potential, pool=pool)
    cross = up.T @ np.diag(w) @ over
    g = balance @ np.diag(1 / d) @ cross
    schur = over.T @ np.diag(w) @ over - cross.T @ np.diag(1 / d) @ cross + np.diag(potential)
    schur += blocks.load.toarray().T @ np.diag(load) @ blocks.load.toarray()
    schur += g.T @ np.linalg.solve(balance @ np.diag(1 / d) @ balance.T, g)
    assert np.allclose(schur @ system.solve(p), p)


def test_jobs_have_smaller_blocks() -> None:
    net, jobs = network("mesh:4x4"), within({"a": [0, 1, 4, 5], "b": [10, 11, 14, 15]}, 16)
    small, whole = (blocks_of(reduce(net, symmetry="none", demands=x)) for x in (jobs, None))
    assert len(small.reduction.pairs) == 24
    assert len(whole.reduction.pairs) == 240
    assert small.num_potentials == whole.num_potentials // 2


def test_an_interruption_and_a_time_limit_keep_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    demands = _sets(6)["uneven hose"]
    assert isinstance(demands, TransportSet)
    exact, _ = _both(network("mesh:3x2"), demands)
    late = design_worst_case(network("mesh:3x2"), demands=demands, solver="interior", time_limit=1e-9)
    step, steps = interior._State.step, 0

    def interrupted(state: Any, pool: Any) -> None:
        nonlocal steps
        steps += 1
        if steps > 4:
            raise KeyboardInterrupt
        step(state, pool)

    monkeypatch.setattr(interior._State, "step", interrupted)
    stopped = design_worst_case(network("mesh:3x2"), demands=demands, solver="interior", shortest=True)
    for made in (late, stopped):
        assert not made.complete
        assert 0 < made.least_load <= exact.load <= made.load
        made.routing.check()
    assert stopped.gap < late.gap


def test_reports_are_verified_and_corrupted_ones_refused(tmp_path: Path) -> None:
    rates, target, bad = tmp_path / "rates.txt", tmp_path / "report.json", tmp_path / "bad.json"
    rates.write_text("1 2\n2 1\n1 1\n3 1\n1 2\n2 2\n")
    command = ["design", "mesh:3x2", "--objective", "worst-case", "--demands", f"hose:{rates}", "--demands", "sparse:3"]
    assert main([*command, "--solver", "interior", "--then", "path-length", "--json", str(target)]) == 0
    assert main(["verify", str(target)]) == 0

    def refused(change: Any) -> bool:
        report: dict[str, Any] = json.loads(target.read_text())
        change(report)
        bad.write_text(json.dumps(sealed(report)))
        return main(["verify", str(bad)]) == 1

    def lower(report: dict[str, Any]) -> dict[str, Any]:
        return next(x for x in report["claims"] if (x["quantity"], x["relation"]) == ("worst_case_load", ">="))

    def larger(report: dict[str, Any]) -> None:
        lower(report)["value"] = str(Fraction(lower(report)["value"]) * Fraction(10**6 + 1, 10**6))

    def without_a_pair(report: dict[str, Any]) -> None:
        lower(report)["evidence"]["pairs"].pop()

    def more_is_allowed(report: dict[str, Any]) -> None:
        report["subject"]["demands"]["total"] = "4"

    assert refused(larger)
    assert refused(without_a_pair)
    assert refused(more_is_allowed)


def test_progress_is_told_and_what_the_methods_do_not_take_is_said() -> None:
    told: list[str] = []

    @contextmanager
    def stage(name: str) -> Iterator[object]:
        yield told.append

    design_worst_case(network("mesh:3x2"), demands=sparse(6, 2), solver="interior", stage=stage)
    assert any(x.startswith("worst case: round 2, estimated gap ") for x in told)
    box = between({(0, 5): (Fraction(0), Fraction(2)), (5, 0): (Fraction(1), Fraction(2))}, 6)
    with pytest.raises(InputError, match="interior solver takes no limits of single pairs; over box simplex"):
        design_worst_case(network("mesh:3x2"), demands=box, solver="interior")
    with pytest.raises(InputError, match="as much sent as received, between all of them; over sparse:2"):
        design_worst_case(network("mesh:3x2"), demands=sparse(6, 2), solver="first-order")


def test_rates_that_are_too_long_for_the_exact_program() -> None:
    long = [Fraction(2**45 + k, 2**45) for k in range(6)]
    net = network("mesh:3x2,bandwidth=1000001/1000003")
    with pytest.raises(InputError, match="limits of the demands are too long for the exact program on mesh:3x2"):
        design_worst_case(net, demands=hose(long, long), solver="simplex")
    made = design_worst_case(net, demands=hose(long, long))
    assert 0 < made.gap < Fraction(1, 10**6)
