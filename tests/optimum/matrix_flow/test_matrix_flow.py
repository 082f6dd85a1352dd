"""The best routing for given matrices against an independent program over edge flows, and what must hold between such
optima."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof.core.arrays import offsets_of
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.demand_sets.hull import Hull
from routeproof.formats.demands.description import demands_subject
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import claims_to_document
from routeproof.kernel.gauges import gauge_of_matrices
from routeproof.kernel.theorem import supporting_line
from routeproof.machine.deadlines import Deadline
from routeproof.optimum.claims import design_claims
from routeproof.optimum.design import Design
from routeproof.optimum.matrix_flow import design as method
from routeproof.optimum.matrix_flow import path_simplex
from routeproof.optimum.matrix_flow.design import design_for_matrices
from routeproof.optimum.matrix_flow.master import Master
from routeproof.optimum.matrix_flow.path_simplex import PathSimplex
from routeproof.optimum.matrix_flow.problem import Problem
from routeproof.optimum.matrix_flow.rounding import MatrixBound
from routeproof.questions.answer import subject_of
from routeproof.questions.designing import designed_for
from routeproof.routing.tables.trees import read_trees
from routeproof.topologies.family import network_from_spec
from routeproof.worst.demand_sets.matrices import worst_matrix
from true_reports import sealed, verify

Rates = Mapping[tuple[int, int], Fraction]


def _hull(network: Network, *matrices: Rates) -> Hull:
    return Hull(network.num_terminals, "matrix:given", matrices, tuple(f"m{k}" for k in range(len(matrices))))


def _random(seed: int, matrices: int, *, terminals: bool = False) -> tuple[Network, Hull]:
    """A strongly connected network with parallel channels and unequal bandwidths, and sparse matrices."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 8))
    order = rng.permutation(n).tolist()
    ends = list(zip(order, [*order[1:], order[0]], strict=True))
    ends += [tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(int(rng.integers(2, 2 * n)))]
    width = [Fraction(int(rng.integers(1, 6)), int(rng.integers(1, 4))) for _ in ends]
    at = sorted(rng.choice(n, n + 2).tolist()) if terminals else None
    network = Network.of("random", n, ends, bandwidth=width, **({} if at is None else {"source": at, "sink": at}))
    size = network.num_terminals
    found = []
    while len(found) < matrices:
        rates = {
            (i, j): Fraction(int(rng.integers(1, 40)), int(rng.integers(1, 7)))
            for i in range(size)
            for j in range(size)
            if i != j and rng.random() < 0.5
        }
        if any(network.source[i] != network.sink[j] for i, j in rates):
            found.append(rates)
    return network, _hull(network, *found)


def _least_by_edge_flows(network: Network, matrices: Sequence[Rates]) -> float:
    """Flows by pair of nodes and channel, one program for all matrices: nothing of the product is used."""
    n, count = network.num_nodes, network.num_channels
    rate: list[dict[tuple[int, int], float]] = []
    for rates in matrices:
        one: dict[tuple[int, int], float] = {}
        for (i, j), x in rates.items():
            a, b = int(network.source[i]), int(network.sink[j])
            if a != b:
                one[a, b] = one.get((a, b), 0.0) + float(x)
        rate.append(one)
    pairs = sorted(set().union(*rate))
    size = 1 + len(pairs) * count
    equal, right = [], []
    for p, (i, j) in enumerate(pairs):
        for v in range(n):
            row = np.zeros(size)
            for c in range(count):
                row[1 + p * count + c] += (network.tail[c] == v) * 1.0 - (network.head[c] == v)
            equal.append(row)
            right.append((v == i) * 1.0 - (v == j))
    most = []
    for one in rate:
        for c in range(count):
            row = np.zeros(size)
            row[0] = -float(network.bandwidth[c])
            for p, pair in enumerate(pairs):
                row[1 + p * count + c] = one.get(pair, 0.0)
            most.append(row)
    cost = np.zeros(size)
    cost[0] = 1.0
    found = linprog(cost, A_ub=np.array(most), b_ub=np.zeros(len(most)), A_eq=np.array(equal), b_eq=np.array(right))
    return float(found.fun)


def _check(made: Design) -> None:
    """Both sides again, without the design."""
    made.routing.check()
    assert isinstance(made.demands, Hull)
    assert worst_matrix(made.routing, made.demands).load == made.load
    assert isinstance(made.load_adversary, MatrixBound)
    gauged = gauge_of_matrices(made.network, made.demands.matrices, made.load_adversary.lengths)
    assert supporting_line(made.network, gauged).least_load() == made.least_load
    assert made.least_load <= made.load


@pytest.mark.parametrize("seed", range(12))
def test_one_matrix_is_the_optimum_of_edge_flows(seed: int) -> None:
    network, demands = _random(seed, 1, terminals=seed % 3 == 0)
    made = design_for_matrices(network, demands)
    _check(made)
    assert made.load == made.least_load
    assert float(made.load) == pytest.approx(_least_by_edge_flows(network, demands.matrices), rel=1e-7)


@pytest.mark.parametrize("seed", range(20, 30))
def test_several_matrices_are_the_optimum_of_edge_flows(seed: int) -> None:
    network, demands = _random(seed, 2 + seed % 3, terminals=seed % 3 == 0)
    made = design_for_matrices(network, demands)
    _check(made)
    assert made.load == made.least_load
    assert float(made.load) == pytest.approx(_least_by_edge_flows(network, demands.matrices), rel=1e-7)
    each = [design_for_matrices(network, _hull(network, rates)).load for rates in demands.matrices]
    assert max(each) <= made.load


def test_scaled_matrices_and_bandwidths() -> None:
    network, demands = _random(40, 2)
    load = design_for_matrices(network, demands).load
    thrice = _hull(network, *({pair: 3 * x for pair, x in rates.items()} for rates in demands.matrices))
    assert design_for_matrices(network, thrice).load == 3 * load
    wide = replace(network, bandwidth=tuple(Fraction(5, 7) * x for x in network.bandwidth))
    assert design_for_matrices(wide, demands).load == load * Fraction(7, 5)
    for unit in (Fraction(10) ** 11, Fraction(1, 10**11)):  # bits per second, or petabits
        in_units = replace(network, bandwidth=tuple(unit * x for x in network.bandwidth))
        assert design_for_matrices(in_units, demands).load == load / unit
        scaled = _hull(network, *({pair: unit * x for pair, x in rates.items()} for rates in demands.matrices))
        assert design_for_matrices(in_units, scaled).load == load
    again = _hull(network, *demands.matrices, *demands.matrices[:1])
    assert design_for_matrices(network, again).load == load


def test_a_program_of_paths_in_bits_per_second() -> None:
    network, demands = _random(60, 1)
    tight = design_for_matrices(network, demands, path_length=Fraction(1))
    for unit, rate in (10**10, 10**10), (10**9, 10**9 + 7):
        fast = replace(network, bandwidth=tuple(unit * x for x in network.bandwidth))
        busy = _hull(network, {pair: rate * x for pair, x in demands.matrices[0].items()})
        made = design_for_matrices(fast, busy, path_length=Fraction(1))
        assert made.load == tight.load * rate / unit
        assert made.least_load == tight.least_load * rate / unit


def test_mixtures_of_the_matrices_change_nothing() -> None:
    network, demands = _random(41, 2)
    one, other = demands.matrices
    between = {p: (2 * one.get(p, Fraction(0)) + other.get(p, Fraction(0))) / 3 for p in {*one, *other}}
    load = design_for_matrices(network, demands).load
    assert design_for_matrices(network, _hull(network, one, other, between)).load == load


def test_a_ring_that_is_known() -> None:
    """Every node of a ring of five sends 1 to the next but one: 3/5 clockwise... both ways are used evenly."""
    ring = Network.of("ring", 5, [(v, (v + d) % 5) for v in range(5) for d in (1, -1)])
    made = design_for_matrices(ring, _hull(ring, {(v, (v + 2) % 5): Fraction(1) for v in range(5)}))
    assert made.load == made.least_load == Fraction(6, 5)


def test_rates_that_are_no_short_fractions() -> None:
    """Floats are taken as the binary numbers that they are: their denominators are long, and the answer is exact."""
    network, demands = _random(42, 1)
    rates = {pair: Fraction(float(x) * 0.1234567) for pair, x in demands.matrices[0].items()}
    made = design_for_matrices(network, _hull(network, rates))
    _check(made)
    assert made.load == made.least_load


def test_far_apart_rates_end_in_an_interval_at_worst() -> None:
    network, demands = _random(43, 3)
    matrices = [
        {pair: x * Fraction(10) ** (7 * k) for pair, x in rates.items()} for k, rates in enumerate(demands.matrices)
    ]
    made = design_for_matrices(network, _hull(network, *matrices))
    _check(made)
    assert made.gap < Fraction(1, 10**5)


def test_bandwidths_that_are_too_far_apart_for_the_solver() -> None:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3)]
    width = [*[Fraction(1)] * 4, *[Fraction(7, 10**30)] * 2, *[Fraction(1)] * 2]
    net = Network.of("far", 4, ends, bandwidth=width)
    hull = _hull(net, {(0, 1): Fraction(1), (3, 1): Fraction(2, 10**28), (1, 0): Fraction(1, 3), (2, 3): Fraction(1)})
    with pytest.raises(InputError, match="too far apart"):
        design_for_matrices(net, hull)


def _by_exchanges(network: Network, demands: Hull) -> PathSimplex:
    problem = Problem.of(network, demands)
    pairs = np.arange(problem.num_pairs)
    base = problem.look(np.ones((1, network.num_channels)), wanted=pairs)
    simplex = PathSimplex(problem, offsets_of(base.hops), base.path)
    simplex.run(Deadline(None))
    return simplex


@pytest.mark.parametrize("seed", range(60, 90))
def test_exchanges_of_paths_end_at_the_optimum_of_edge_flows(seed: int) -> None:
    network, demands = _random(seed, 1, terminals=seed % 3 == 0)
    simplex = _by_exchanges(network, demands)
    wanted = _least_by_edge_flows(network, demands.matrices)
    problem, price = simplex.problem, simplex.price
    distance = problem.look(price).dist @ problem.largest
    assert distance / (price @ problem.bandwidth).sum() == pytest.approx(wanted, rel=1e-5)
    offset, channel = simplex.keys()
    (pair, more, others), amount = simplex.others(), simplex.amount
    kept = problem.largest - np.bincount(pair, amount, minlength=problem.num_pairs)
    assert kept.min() > -1e-6 * problem.largest.max()
    load = np.bincount(channel, np.repeat(kept, np.diff(offset)), minlength=network.num_channels)
    load += np.bincount(others, np.repeat(amount, np.diff(more)), minlength=network.num_channels)
    assert (load / problem.bandwidth).max() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("text", ["torus:5x5", "mesh:5x5", "hypercube:5", "petersen"])
def test_a_start_by_exchanges_changes_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uniform traffic on symmetric networks, where very many bases are the optimum; and a traffic without symmetry."""
    network = network_from_spec(text)
    size = network.num_terminals
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    for rates in ({pair: Fraction(1) for pair in pairs}, {(i, j): Fraction(1 + i * j % 7) for i, j in pairs}):
        loads = []
        for fewest in (1, 1 << 30):
            monkeypatch.setattr(path_simplex, "_FEWEST_PAIRS", fewest)
            made = design_for_matrices(network, _hull(network, rates))
            _check(made)
            assert made.complete
            assert not made.gap
            loads.append(made.load)
        assert loads[0] == loads[1]


def test_exchanges_that_are_cut_short_leave_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    run = PathSimplex.run

    def interrupted(simplex: PathSimplex, deadline: Deadline) -> None:
        run(simplex, deadline)
        raise KeyboardInterrupt

    monkeypatch.setattr(path_simplex, "_FEWEST_PAIRS", 1)
    monkeypatch.setattr(path_simplex, "_MOST", 0)
    monkeypatch.setattr(path_simplex, "_AT_ONCE", 20)
    monkeypatch.setattr(PathSimplex, "run", interrupted)
    network = network_from_spec("mesh:4x4")
    rates = {(i, j): Fraction(1 + i * j % 5) for i in range(16) for j in range(16) if i != j}
    made = design_for_matrices(network, _hull(network, rates))
    _check(made)
    assert not made.complete
    assert made.gap < 2


def test_a_basis_that_floats_take_for_singular_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def singular(_: object) -> None:
        raise np.linalg.LinAlgError

    network = network_from_spec("mesh:4x4")
    demands = _hull(network, {(i, j): Fraction(1 + i * j % 5) for i in range(16) for j in range(16) if i != j})
    wanted = design_for_matrices(network, demands).load
    monkeypatch.setattr(path_simplex, "_FEWEST_PAIRS", 1)
    monkeypatch.setattr(path_simplex, "_AT_ONCE", 20)
    monkeypatch.setattr(np.linalg, "inv", singular)
    made = design_for_matrices(network, demands)
    assert made.load == made.least_load == wanted


def test_no_time_leaves_an_interval() -> None:
    network, demands = _random(20, 2)
    made = design_for_matrices(network, demands, time_limit=0.0)
    _check(made)
    assert 0 < made.least_load < made.load
    assert not made.complete


def test_an_interrupt_leaves_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    network, demands = _random(20, 2)
    monkeypatch.setattr(Master, "run", interrupt)
    made = design_for_matrices(network, demands)
    _check(made)
    assert not made.complete


@pytest.mark.parametrize("after", [1, 2])
def test_time_that_is_over_in_the_middle(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """The last solution stands, though more paths have come in since; so does an interrupt inside the solver."""
    network, demands = _random(20, 2)
    run, calls = Master.run, list[int]()

    def few_times(master: Master, deadline: Deadline) -> bool:
        calls.append(1)
        return len(calls) <= after and run(master, deadline)

    monkeypatch.setattr(Master, "run", few_times)
    made = design_for_matrices(network, demands)
    _check(made)
    assert made.complete == (len(calls) <= after)


def test_what_cannot_be_routed() -> None:
    one_way = Network.of("one way", 3, [(0, 1), (1, 2), (0, 2)])
    with pytest.raises(InputError, match="no path leads from 2 to 0, between which the matrix asks for a rate"):
        design_for_matrices(one_way, _hull(one_way, {(2, 0): Fraction(1)}))
    with pytest.raises(InputError, match="no path leads from 1 to 0 on one way: no routing serves all pairs"):
        design_for_matrices(one_way, _hull(one_way, {(0, 2): Fraction(1)}))
    together = Network.of("together", 2, [(0, 1), (1, 0)], source=[0, 0, 1], sink=[0, 0, 1])
    with pytest.raises(InputError, match="only for rates inside nodes"):
        design_for_matrices(together, _hull(together, {(0, 1): Fraction(1)}))
    with pytest.raises(InputError, match="is about 3 terminals"):
        design_for_matrices(Network.of("two", 2, [(0, 1), (1, 0)]), _hull(together, {(0, 1): Fraction(1)}))


def test_lengths_that_prove_less_or_nothing() -> None:
    network, demands = _random(44, 2)
    bound = design_for_matrices(network, demands).load_adversary
    assert isinstance(bound, MatrixBound)
    made = bound.least_load()

    def proved(lengths: Sequence[np.ndarray]) -> Fraction:
        gauged = gauge_of_matrices(network, demands.matrices, lengths)
        return supporting_line(network, gauged).least_load() or Fraction(0)

    for c in range(network.num_channels):
        for k in range(2):
            other = [row.astype(object).copy() for row in bound.lengths]
            other[k][c] += 1 + max(int(x) for row in bound.lengths for x in row)
            assert proved(other) < made
    assert proved([row * 3 for row in bound.lengths]) == made
    assert proved([row * 0 for row in bound.lengths]) == 0
    with pytest.raises(VerificationError, match="one each was expected"):
        proved(bound.lengths[:1])
    with pytest.raises(VerificationError, match="not one whole number >= 0 for each channel"):
        proved([-row - 1 for row in bound.lengths])
    with pytest.raises(VerificationError, match="not one whole number >= 0 for each channel"):
        proved([row[1:] for row in bound.lengths])


def test_an_interval_is_two_claims_that_are_verified() -> None:
    network, demands = _random(20, 2)
    made = design_for_matrices(network, demands, time_limit=0.0)
    claims = design_claims(made, None)
    ends = {x.relation: x.value for x in claims if x.quantity == "worst_case_load"}
    assert ends == {"<=": made.load, ">=": made.least_load}
    more = {**designed_for({"objective": "worst-case"}), **demands_subject(demands)}
    subject = {**subject_of(made.routing, topology="a network"), **more}
    document = json.loads(json.dumps(claims_to_document(subject, claims)))
    verify(document)
    lower = next(x for x in document["claims"] if x["relation"] == ">=" and x["quantity"] == "worst_case_load")
    lower["value"] = str(made.load)
    with pytest.raises(VerificationError, match="the adversaries prove at least"):
        verify(sealed(document))


@pytest.mark.parametrize("seed", range(50, 58))
def test_trees_come_as_near_as_paths(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network, demands = _random(seed, 1, terminals=seed % 3 == 0)
    best = design_for_matrices(network, demands).load
    monkeypatch.setattr(method, "_MOST_PAIRS", 0)
    unit = Fraction(10) ** (seed % 2 * 10)
    network = replace(network, bandwidth=tuple(unit * x for x in network.bandwidth))
    best /= unit
    made = design_for_matrices(network, demands)
    _check(made)
    assert made.least_load <= best <= made.load
    assert made.gap < Fraction(1, 10**6)
    again = read_trees(network, {"spec": "designed", **made.routing.written_in_full()})
    pairs = [(i, j) for i in range(network.num_nodes) for j in range(network.num_nodes) if i != j]
    rows, columns = zip(*pairs, strict=True)
    for one in (again, made.routing):
        by_pair = one.pair_loads(rows, columns)
        by_channel = one.channel_loads(range(network.num_channels))
        table = {(c, *pair): x for k, pair in enumerate(pairs) for c, x in by_pair.as_dict(k).items()
                 if network.supply[pair[0]] and network.demand[pair[1]]}  # fmt: skip
        assert table == {
            (c, *pair): x for c in range(network.num_channels) for pair, x in by_channel.as_dict(c).items()
        }
        found: dict[tuple[int, int, int], Fraction] = {}
        for i, j in pairs:
            if network.supply[i] and network.demand[j]:
                for weight, path in one.paths(i, j):
                    for c in path:
                        found[c, i, j] = found.get((c, i, j), Fraction(0)) + weight
        assert found == table


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("scale", 3, "weigh 2/3; 1 was expected"),
        ("source", [0, 7, 2], "a source outside"),
        ("weight", [2, 2], "3 trees need as many weights"),
        ("weight", [2, -2, 2], "must be positive"),
        ("via", [-1, 0, 2, 5, -1, 2, 5, 0, -1], "not connected to it"),
        ("via", [-1, 0, -1, 1, -1, 2, 4, 3, -1], "does not reach node 2"),
        ("via", [-1, 0, 9, 5, -1, 2, 4, 3, -1], "a channel outside"),
    ],
)
def test_trees_that_are_none(key: str, value: object, why: str) -> None:
    ring = Network.of("ring", 3, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)])
    via = [-1, 0, 5, 1, -1, 2, 4, 3, -1]
    entry = {"scale": 2, "source": pack_ints([0, 1, 2]), "weight": pack_ints([2, 2, 2]), "via": pack_ints(via)}
    read_trees(ring, {"spec": "mine", "trees": entry}).check()
    entry[key] = pack_ints(value) if isinstance(value, list) else value
    with pytest.raises(InputError, match=why):
        read_trees(ring, {"spec": "mine", "trees": entry})


@pytest.mark.parametrize("seed", [60, 61, 62])
def test_the_shortest_among_the_best(seed: int) -> None:
    network, demands = _random(seed, 1 + seed % 2)
    made = design_for_matrices(network, demands)
    short = design_for_matrices(network, demands, shortest=True)
    near = 1 + Fraction(2, 10**7)
    assert short.least_load <= made.load <= short.load <= made.load * near
    assert short.least_length is not None
    assert short.least_length <= short.length <= short.least_length * near
    assert short.length <= made.length
    longer = Fraction(math.ceil(short.length / short.minimal * near * 1000), 1000)
    within = design_for_matrices(network, demands, path_length=longer)
    assert within.least_load <= made.load <= within.load <= made.load * near
    tight = design_for_matrices(network, demands, path_length=Fraction(1))
    assert tight.length == tight.minimal
    assert made.load <= tight.least_load * near
    assert tight.load <= tight.least_load * near


def test_short_paths_on_too_large_networks() -> None:
    ring = Network.of("ring", 120, [(v, (v + d) % 120) for v in range(120) for d in (1, -1)])
    with pytest.raises(InputError, match="one program of all flows"):
        design_for_matrices(ring, _hull(ring, {(0, 1): Fraction(1)}), shortest=True)
