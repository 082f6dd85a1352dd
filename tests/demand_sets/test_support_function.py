"""The most that a set makes of weights: brute force over its extreme points, a linear program, and multipliers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations as orders

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof.core.errors import InputError
from routeproof.core.rational import Rationals
from routeproof.demand_sets.demand_set import DemandSet, Multipliers, Pair, Weights
from routeproof.demand_sets.hull import Hull, Routable
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import EverySparse, Unbalanced, sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose

T = 5
PAIRS = [(i, j) for i in range(T) for j in range(T) if i != j]
RATES = [Fraction(x, 3) for x in (3, 0, 4, 3, 5)]
LIMITS = {(i, j): (Fraction((i + j) % 2, 9), Fraction(1 + (i * j) % 4, 4)) for i, j in PAIRS}
SETS: list[TransportSet] = [
    permutations(T),
    sparse(T, 2),
    sparse(T, 1),
    hose(RATES, RATES[::-1]),
    replace(hose(RATES, RATES[::-1]), total=Fraction(5, 2)),
    TransportSet(T, "total", total=Fraction(3, 2)),
    TransportSet(T, "total and rows", sends=tuple(RATES), total=Fraction(7, 2)),
    within([[0, 1, 4], [2, 3]], T),
    among([(0, 1), (2, 1), (3, 4)], T),
    between(LIMITS, T),
    replace(between(LIMITS, T), total=Fraction(9, 2)),
    replace(between(LIMITS, T), sends=(Fraction(3, 2),) * T, receives=(Fraction(4, 3),) * T),
]  # fmt: skip


def weights_of(seed: int) -> dict[Pair, Fraction]:
    rng = np.random.default_rng(seed)
    given = {pair: Fraction(int(rng.integers(0, 9)), int(rng.integers(1, 7))) for pair in PAIRS if rng.random() < 0.8}
    return {pair: x for pair, x in given.items() if x}


def arrays(weights: dict[Pair, Fraction]) -> Weights:
    source, destination = np.array(list(weights), dtype=np.int64).reshape(-1, 2).T
    return Weights(source, destination, Rationals.of(weights.values()))


def by_program(demands: TransportSet, weights: dict[Pair, Fraction]) -> float:
    pairs = [pair for pair in PAIRS if demands.allows(*pair)]
    rows, most = [], []
    for side, rates in enumerate((demands.sends, demands.receives)):
        for t, x in enumerate(rates or ()):
            rows.append([float(pair[side] == t) for pair in pairs])
            most.append(float(x))
    if demands.total is not None:
        rows.append([1.0] * len(pairs))
        most.append(float(demands.total))
    ends = [(float(a), None if b is None else float(b)) for a, b in (demands.limits(*pair) for pair in pairs)]
    found = linprog([-float(weights.get(x, 0)) for x in pairs], A_ub=rows or None, b_ub=most or None, bounds=ends)
    assert found.status == 0
    return -float(found.fun)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("demands", SETS, ids=lambda x: x.text)
def test_demand_and_multipliers_meet_where_a_linear_program_says(demands: TransportSet, seed: int) -> None:
    weights = weights_of(seed)
    found = demands.maximise(arrays(weights))
    assert float(found.value) == pytest.approx(by_program(demands, weights), abs=1e-9)
    demands.check_admits(found.demand)
    assert sum((x * weights.get(pair, 0) for pair, x in found.demand.items()), Fraction(0)) == found.value
    assert demands.check(weights, found.multipliers) == found.value


@pytest.mark.parametrize("seed", range(4))
def test_of_permutations_none_makes_more(seed: int) -> None:
    weights = weights_of(seed)
    most = max(sum(weights.get((i, j), Fraction(0)) for i, j in enumerate(image)) for image in orders(range(T)))
    assert permutations(T).maximise(arrays(weights)).value == most


def test_of_matrices_one_is_the_most() -> None:
    matrices = tuple({pair: Fraction(1 + k, 2 + i) for i, pair in enumerate(PAIRS) if (i + k) % 3} for k in range(3))
    demands, weights = Hull(T, "matrix:x", matrices, ("a", "b", "c")), weights_of(0)
    found = demands.maximise(arrays(weights))
    paid = [sum((x * weights.get(pair, 0) for pair, x in some.items()), Fraction(0)) for some in matrices]
    assert found.value == max(paid) == demands.check(weights, found.multipliers)
    assert found.demand is matrices[paid.index(max(paid))]
    assert demands.admits(found.demand)
    assert not demands.admits({(0, 1): Fraction(1)})


def test_what_proves_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="do not bound what terminal 0 sends to 1"):
        permutations(T).check({(0, 1): Fraction(1)}, Multipliers({0: Fraction(1, 2)}))
    for wrong in (Multipliers({0: Fraction(-1)}), Multipliers(total=Fraction(1))):
        with pytest.raises(InputError, match="of no limit or below 0"):
            permutations(T).check({}, wrong)


@pytest.mark.parametrize(
    "demands", [Unbalanced(T), EverySparse(T, "sparse:all", permutations(T)), Routable(T)], ids=lambda x: x.text
)
def test_without_one_largest_demand_the_set_says_why(demands: DemandSet) -> None:
    with pytest.raises(InputError, match=demands.text):
        demands.maximise(arrays(weights_of(0)))
    with pytest.raises(InputError, match=demands.text):
        demands.check({}, Multipliers())
