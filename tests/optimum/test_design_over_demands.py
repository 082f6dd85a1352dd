"""The best routing over a set of demands, beside a program over every extreme point of the set."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize
from scipy import sparse as sparse_matrices

import routeproof as rp
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.optimum.worst_case import design_worst_case
from routeproof.topologies.family import network_from_spec
from true_reports import verify


def points(demands: TransportSet) -> npt.NDArray[np.float64]:
    """Whole demands of the set, (n, T, T): all of its extreme points are among them where its limits are whole."""
    size = demands.size
    cells = [(i, j) for i in range(size) for j in range(size) if demands.allows(i, j)]
    most = [sum(x) for x in (demands.sends or [Fraction(99)],)]
    limit = min([*most, sum(demands.receives or [Fraction(99)]), demands.total or Fraction(99)])

    def rest(k: int, out: list[int], into: list[int], left: int) -> Iterator[list[int]]:
        if k == len(cells):
            yield []
            return
        i, j = cells[k]
        low, high = demands.limits(i, j)
        top = min(out[i], into[j], left, 99 if high is None else int(high))
        for x in range(int(low), top + 1):
            out[i], into[j] = out[i] - x, into[j] - x
            for tail in rest(k + 1, out, into, left - x):
                yield [x, *tail]
            out[i], into[j] = out[i] + x, into[j] + x

    ways = ([99] * size if x is None else [int(y) for y in x] for x in (demands.sends, demands.receives))
    found = np.array(list(rest(0, *ways, int(limit))), dtype=float)
    result = np.zeros((len(found), size, size))
    for k, (i, j) in enumerate(cells):
        result[:, i, j] = found[:, k]
    return result


def best(network: Network, demands: TransportSet, most_hops: float | None = None) -> float:
    """The least worst case of any routing that treats the terminals of a node alike, by a program with a row for every
    channel and every point of the set, added where it is violated."""
    count, nodes = network.num_channels, network.num_nodes
    pairs = [(a, b) for a in range(nodes) for b in range(nodes) if a != b]
    number = {pair: k for k, pair in enumerate(pairs)}
    spread = np.zeros((len(pairs), demands.size**2))
    for i, j in itertools.product(range(demands.size), repeat=2):
        ends = int(network.source[i]), int(network.sink[j])
        if ends in number:
            spread[number[ends], i * demands.size + j] = 1
    by_pair = np.unique(points(demands).reshape(-1, demands.size**2) @ spread.T, axis=0)
    width = np.array([float(x) for x in network.bandwidth])
    columns = len(pairs) * count + 1
    equal, right = [], []
    for k, (a, b) in enumerate(pairs):
        for v in range(nodes):
            if v == b:
                continue
            row = np.zeros(columns)
            row[1 + k * count : 1 + (k + 1) * count] = (network.tail == v).astype(float) - (network.head == v)
            equal.append(row)
            right.append(float(v == a))
    rows: list[npt.NDArray[np.float64]] = []
    sides: list[float] = []
    if most_hops is not None:
        supply = np.array([int(network.supply[a]) * int(network.demand[b]) for a, b in pairs])
        rows.append(np.concatenate([[0.0], np.repeat(supply, count)]))
        sides.append(most_hops)
    cost = np.zeros(columns)
    cost[0] = 1
    while True:
        some = sparse_matrices.csr_matrix(np.array(rows)) if rows else None
        made = optimize.linprog(
            cost, A_ub=some, b_ub=sides or None, A_eq=sparse_matrices.csr_matrix(np.array(equal)), b_eq=right,
            method="highs",
        )  # fmt: skip
        assert made.status == 0
        flow = made.x[1:].reshape(len(pairs), count)
        loads = by_pair @ flow
        worst = (loads / width).max()
        if worst <= made.x[0] + 1e-9:
            return float(made.x[0])
        for c in range(count):
            at = int(loads[:, c].argmax())
            if loads[at, c] / width[c] > made.x[0] + 1e-9:
                row = np.zeros((len(pairs), count))
                row[:, c] = by_pair[at]
                rows.append(np.concatenate([[-width[c]], row.ravel()]))
                sides.append(0.0)


def random_network(seed: int, terminals: int) -> Network:
    """A ring of five nodes or fewer with chords, bandwidths 1 and 2, and terminals anywhere."""
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(3, min(5, terminals) + 1))
    links = {(v, (v + 1) % nodes) for v in range(nodes)}
    links |= {(int(a), int(b)) for a, b in rng.integers(nodes, size=(2, 2)) if a != b}
    ends = sorted({(min(x), max(x)) for x in links})
    channels = [pair for x in ends for pair in (x, x[::-1])]
    widths = [int(x) for x in rng.integers(1, 3, len(channels))]
    at = [*range(nodes), *rng.integers(nodes, size=terminals - nodes).tolist()]
    return Network.of("random", nodes, channels, bandwidth=widths, source=at, sink=at)


def random_sets(seed: int, size: int) -> list[TransportSet]:
    rng = np.random.default_rng(seed)
    rates = [[int(x) for x in rng.integers(0, 3, size)] for _ in range(2)]
    rates[0][0] = rates[1][1] = 1
    half = size // 2  # jobs that may share a node
    cells = [(i, j) for i in range(size) for j in range(size) if i != j]
    some = [cells[k] for k in rng.choice(len(cells), size=min(7, len(cells)), replace=False)]
    limits = {pair: (Fraction(int(rng.integers(0, 2))), Fraction(int(rng.integers(1, 3)))) for pair in some[:5]}
    box = between(limits, size)
    enough = hose(
        [max(1, sum(int(x) for (i, _), (x, _) in limits.items() if i == t)) for t in range(size)],
        [max(1, sum(int(x) for (_, j), (x, _) in limits.items() if j == t)) for t in range(size)],
    )
    jobs = within({"a": list(range(half)), "b": list(range(half, size))}, size)
    least = sum(int(x) for x, _ in limits.values())
    found = [
        permutations(size), sparse(size, 2), jobs, among(some, size), hose(*rates), box, box & enough,
        sparse(size, 2) & jobs, among(some, size) & sparse(size, 3), hose(*rates) & sparse(size, 2),
        TransportSet(size, "total", total=Fraction(2)),
        TransportSet(size, "box", total=Fraction(least + 1), box=box.box),
    ]  # fmt: skip
    return [x for x in found if isinstance(x, TransportSet)]


@pytest.mark.parametrize("seed", range(6))
def test_the_best_routing_is_that_of_a_program_over_every_demand_of_the_set(seed: int) -> None:
    size = 4 + seed % 3
    network = random_network(seed, size)
    for demands in random_sets(seed, size):
        if not best(network, demands):
            with pytest.raises(InputError, match="nothing collides"):
                design_worst_case(network, demands=demands)
            continue
        made = design_worst_case(network, demands=demands)
        assert made.gap == 0, demands.text
        assert float(made.load) == pytest.approx(best(network, demands), abs=1e-7), demands.text
        made.routing.check()


@pytest.mark.parametrize("seed", range(2))
def test_shorter_paths_cost_what_that_program_says(seed: int) -> None:
    size = 4 + seed
    network = random_network(seed, size)
    for demands in random_sets(seed, size)[1::2]:
        if not best(network, demands):
            continue
        made = design_worst_case(network, demands=demands, path_length=Fraction(21, 20))
        assert made.gap == 0
        most = float(Fraction(21, 20) * made.minimal * size**2)
        assert float(made.load) == pytest.approx(best(network, demands, most), abs=1e-7), demands.text
        first = design_worst_case(network, demands=demands, shortest=True)
        assert first.gap == first.length_gap == 0, demands.text
        hops = float(first.length * size**2)
        assert best(network, demands, hops + 1e-7) == pytest.approx(float(first.load), abs=1e-6), demands.text
        if first.length > first.minimal:
            assert best(network, demands, hops - 1e-3) > float(first.load) + 1e-9


@pytest.mark.parametrize("text", ["torus:3x3", "mesh:2x3", "ring:6"])
def test_symmetry_that_keeps_the_set_changes_the_work_and_not_the_answer(text: str) -> None:
    network = network_from_spec(text)
    size = network.num_terminals
    rates = [2 if i % 3 == 0 else 1 for i in range(size)]
    jobs = within({"a": [i for i in range(size) if i % 3 == 0], "b": [i for i in range(size) if i % 3]}, size)
    near = among([(i, j) for i in range(size) for j in range(size) if (i - j) % size in (1, size - 1)], size)
    everyone = {(i, j): (Fraction(1, 9), Fraction(1, 3)) for i in range(size) for j in range(size) if i != j}
    box = between(everyone, size) & hose([2] * size, [2] * size)
    for demands in (sparse(size, 3), hose(rates, rates), jobs, near, jobs & sparse(size, 2), box):
        assert isinstance(demands, TransportSet)
        full = design_worst_case(network, demands=demands, shortest=True, symmetry="none")
        less = design_worst_case(network, demands=demands, shortest=True)
        assert (less.load, less.least_load) == (full.load, full.load), demands.text
        assert (less.length, less.least_length) == (full.length, full.length), demands.text
        assert len(less.reduction.pairs) < len(full.reduction.pairs), demands.text


def test_reports_of_every_set_are_verified() -> None:
    for seed in (1, 3):  # of which the second has two terminals on one node
        network = random_network(seed, 5)
        for demands in random_sets(seed, 5):
            if demands.sends is not None or demands.is_only_box:  # what a text can name
                verify(rp.design(network, demands=demands, shortest=True).answer.document())


def test_sets_that_have_no_one_best_routing_say_what_to_use_instead() -> None:
    network = network_from_spec("ring:5")
    for text, instead in (("unbalanced", "hose:FILE"), ("sparse:all", "sparse:16")):
        with pytest.raises(InputError, match=instead):
            rp.design(network, demands=text)
    with pytest.raises(InputError, match="about 4 terminals, ring:5 has 5"):
        rp.design(network, demands=sparse(4, 2))
    with pytest.raises(InputError, match=r"the first-order solver .* over sparse:2"):
        rp.design(network, demands="sparse:2", solver="first-order")
