"""Designed routings: known optima, reduced against unreduced, and what the routings do when others judge them."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, Network, network
from routeproof.core.symmetry import Automorphism
from routeproof.kernel.port_gauge import gauge_of_ports
from routeproof.kernel.ports import Ports
from routeproof.kernel.theorem import supporting_line
from routeproof.lp.exact import exact_dual, exact_primal, solve, solve_whole
from routeproof.lp.solver import Proposal, SolverError
from routeproof.optimum.adversary import adversary_from_floats
from routeproof.optimum.program import simplex as module
from routeproof.optimum.program.flows import routing_from_floats
from routeproof.optimum.program.worst_case import worst_case_program
from routeproof.optimum.worst_case import design_worst_case
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize(
    ("text", "load", "length"),
    [
        ("torus:8x8", "2", "11359/7680"),  # conventions, "Routing design"
        ("torus:4x4", "1", "27/20"),
        ("mesh:3x3", "7/6", "4/3"),
        ("petersen", "1", "39/25"),
        ("hypercube:4", "1", "27/20"),
        ("kautz:2,2", "4/3", "31/24"),
        ("torus:4,oneway", "3", "1"),
        ("torus:2x4", "1", "5/4"),
    ],
)
def test_the_best_worst_case_and_then_the_shortest_paths(text: str, load: str, length: str) -> None:
    made = design_worst_case(network(text), shortest=True)
    assert made.load == made.least_load == Fraction(load)
    assert made.length == made.least_length == Fraction(length) * made.minimal
    assert made.complete
    made.routing.check()
    assert worst_case(made.routing, symmetry="none").load == Fraction(load)


@pytest.mark.parametrize("text", ["mesh:3x3", "petersen", "mesh:3x2,bandwidth=2x1"])
@pytest.mark.parametrize("symmetry", ["none", "translations"])
def test_the_reduction_changes_the_work_and_not_the_answer(text: str, symmetry: str) -> None:
    full = design_worst_case(network(text), shortest=True)
    other = design_worst_case(network(text), shortest=True, symmetry=symmetry)
    assert (other.load, other.length) == (full.load, full.length)
    assert (other.least_load, other.least_length) == (full.least_load, full.least_length)
    assert len(other.reduction.pairs) > len(full.reduction.pairs) or symmetry == "translations"


def test_translations_alone_on_the_four_ary_two_cube() -> None:
    made = design_worst_case(network("torus:4x4"), shortest=True, symmetry="translations")
    assert (made.load, made.length) == (1, Fraction(27, 10))


def directed(seed: int) -> Network:
    """A strongly connected network of five nodes: a cycle, chords, a parallel channel, unequal bandwidths, and
    terminals apart from nodes."""
    rng = np.random.default_rng(seed)
    ends = [(v, (v + 1) % 5) for v in range(5)]
    ends += [tuple(rng.choice(5, 2, replace=False).tolist()) for _ in range(4)]
    ends.append(ends[0])
    widths = [Fraction(int(x), 2) for x in rng.integers(1, 5, len(ends))]
    return Network.of(f"directed {seed}", 5, ends, bandwidth=widths, source=[0, 0, 1, 3], sink=[2, 2, 4, 0])


@pytest.mark.parametrize("seed", range(6))
def test_directed_channels_parallel_channels_and_terminals_apart_from_nodes(seed: int) -> None:
    net = directed(seed)
    made = design_worst_case(net, shortest=True)
    plain = design_worst_case(net, shortest=True, symmetry="none")
    assert made.load == made.least_load == plain.load
    assert made.length == made.least_length == plain.length
    assert made.load == brute_force(made.routing)


def brute_force(routing: Any) -> Fraction:
    net, best = routing.network, Fraction(0)
    pair = {
        (i, j): routing.pair_loads([i], [j]).as_dict()
        for i in set(net.source.tolist())
        for j in set(net.sink.tolist())
        if i != j
    }
    for image in permutations(range(net.num_terminals)):
        load = [Fraction(0)] * net.num_channels
        for i, j in enumerate(image):
            for c, x in pair.get((int(net.source[i]), int(net.sink[j])), {}).items():
                load[c] += x
        best = max(best, *(x / b for x, b in zip(load, net.bandwidth, strict=True)))
    return best


@pytest.mark.parametrize("text", ["torus:4x4", "mesh:3x3"])
def test_a_bound_on_the_path_length(text: str) -> None:
    net = network(text)
    made = design_worst_case(net, path_length=Fraction(6, 5), shortest=True)
    assert made.length <= Fraction(6, 5) * made.minimal
    assert made.load == made.least_load
    least, best = design_worst_case(net, path_length=Fraction(1)), design_worst_case(net)
    assert least.length == least.minimal
    assert best.load < made.load < least.load


def test_a_bound_that_nothing_satisfies_names_the_smallest_that_something_does() -> None:
    with pytest.raises(InputError, match=r"smallest feasible is 1 \(2 hops\)"):
        design_worst_case(network("torus:4x4"), path_length=Fraction(99, 100))


def test_an_approximate_solution_becomes_an_exact_interval() -> None:
    """What interior points propose is rounded to a routing and to adversaries that hold the optimum between them."""
    net = network("torus:5x4")
    reduction = reduce(net)
    model = worst_case_program(reduction)
    exact = exact_primal(model.program, solve(model.program)).fraction(0)
    proposal = solve(model.program, vertex=False)
    assert proposal.basic_columns is None
    routing = routing_from_floats(reduction, model.flow, proposal.x)
    routing.check()
    assert all(routing.respects(g) for g in routing.symmetry.generators)
    upper = worst_case(routing).load
    lower = adversary_from_floats(model, proposal.y, hops=0.0).line.least_load()
    assert lower is not None
    assert lower <= exact <= upper
    assert upper / lower - 1 < Fraction(1, 10**5)


def test_rubbish_from_a_solver_weakens_the_bounds_and_makes_nothing_wrong() -> None:
    net = network("mesh:3x3")
    reduction = reduce(net)
    model = worst_case_program(reduction)
    rng = np.random.default_rng(5)
    for _ in range(5):
        routing = routing_from_floats(reduction, model.flow, rng.random(model.program.num_columns) - 0.3)
        routing.check()
        assert worst_case(routing).load >= Fraction(7, 6)
        line = adversary_from_floats(model, rng.random(model.program.num_rows) - 0.3, hops=0.0).line
        assert (line.least_load() or 0) <= Fraction(7, 6)


def test_the_description_of_a_designed_routing_makes_it_again() -> None:
    made = design_worst_case(network("mesh:3x3"), shortest=True)
    again = routing_from_description(describe_routing(made.routing), made.network)
    for i in range(9):
        for j in range(9):
            if i != j:
                assert again.pair_loads([i], [j]).as_dict() == made.routing.pair_loads([i], [j]).as_dict()
                loads: dict[int, Fraction] = {}
                for weight, path in made.routing.decomposition(i, j):
                    for c in path:
                        loads[c] = loads.get(c, Fraction(0)) + weight
                assert loads == made.routing.pair_loads([i], [j]).as_dict()


def test_the_adversaries_of_one_pair_a_class_are_those_of_all_pairs() -> None:
    net = network("petersen")
    model = worst_case_program(reduce(net))
    dual = solve(model.program).y
    short = adversary_from_floats(model, dual, hops=0.0)
    generators = [Automorphism("own", g.node, g.channel) for g in model.reduction.generators]
    gauged = gauge_of_ports(net, Ports.of_nodes(net), short.pairs, generators=generators, reversal=True)
    assert supporting_line(net, gauged) == short.line
    wide = worst_case_program(reduce(net, symmetry="none"))
    long = adversary_from_floats(wide, solve(wide.program).y, hops=0.0)
    assert len(long.pairs) == 90
    assert abs(float(long.line.least_load() or 0) - 1) < 1e-6


def test_exact_solutions_of_small_systems() -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(3)
    for size in (1, 2, 7, 30):
        matrix = rng.integers(-3, 4, (size, size)) + 5 * np.eye(size, dtype=np.int64)
        right = np.array([int(x) for x in rng.integers(-(10**6), 10**6, size)] + [None], dtype=object)[:-1]
        right[0] = 10**60 + 7
        point = solve_whole(csr_matrix(matrix), right)
        for row, wanted in zip(matrix.tolist(), right, strict=True):
            assert sum(a * int(x) for a, x in zip(row, point.num, strict=True)) == wanted * point.den


def test_multipliers_are_exact_too() -> None:
    model = worst_case_program(reduce(network("mesh:3x3")))
    proposal = solve(model.program)
    dual = exact_dual(model.program, proposal)
    value = sum(int(a) * int(b) for a, b in zip(dual.num, model.program.bound, strict=True))
    assert Fraction(value, dual.den) == Fraction(7, 6)


def test_networks_without_a_way_are_refused() -> None:
    with pytest.raises(InputError, match="no path from 1 to 0"):
        design_worst_case(Network.of("one way", 2, [(0, 1)]))
    with pytest.raises(InputError, match="nothing to route"):
        design_worst_case(Network.of("alone", 2, [(0, 1), (1, 0)], source=[0], sink=[0]))


def _without_a_solution(*_: object, **__: object) -> None:
    raise SolverError("the solver stopped without a solution (time limit reached)")


def _without_a_vertex(*arguments: Any, **options: Any) -> Proposal:
    """What a solver says that was stopped: numbers which satisfy nothing, and no basis."""
    found = solve(*arguments, **options)
    return Proposal(np.zeros_like(found.x), np.zeros_like(found.y), None, None, None)


@pytest.mark.parametrize("shortest", [False, True])
@pytest.mark.parametrize("stopped", [_without_a_solution, _without_a_vertex])
def test_a_solver_that_had_no_time_leaves_what_the_first_round_proves(
    stopped: Any, shortest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "solve", stopped)
    made = design_worst_case(network("torus:6x5"), shortest=shortest, solver="simplex", time_limit=1e-9)
    assert not made.complete
    assert 0 < made.least_load <= Fraction(3, 2) <= made.load
    made.routing.check()


def test_a_path_length_that_a_stopped_solver_did_not_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solve", _without_a_solution)
    with pytest.raises(InputError, match=r"^the time limit of 1e-09 s was reached before any routing was found$"):
        design_worst_case(network("torus:4x4"), path_length=Fraction(2), time_limit=1e-9)
    with pytest.raises(SolverError, match="stopped without a solution"):  # not because of a limit
        design_worst_case(network("torus:4x4"), solver="simplex")


def test_a_second_stage_without_time_leaves_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def once(*arguments: Any, **options: Any) -> Proposal:
        calls.append(1)
        if len(calls) > 1:
            _without_a_solution()
        return solve(*arguments, **options)

    monkeypatch.setattr(module, "solve", once)
    monkeypatch.setattr(module, "_LEAST_TIME", 600.0)  # the first program is solved on every machine
    made = design_worst_case(network("torus:4x4"), shortest=True, solver="simplex", time_limit=1e-9)
    assert (made.load, made.least_load, made.least_length, made.complete) == (1, 1, None, False)
