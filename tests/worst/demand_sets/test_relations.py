"""What must hold of every set of demands: other names of nodes and terminals change nothing, rates scale, sets grow."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof import Network, named_routing
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.hull import Hull, Routable
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import EverySparse, sparse
from routeproof.demand_sets.transport import between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.worst.over import worst_over

ENDS = [(k, (k + 1) % 6) for k in range(6)] + [((k + 1) % 6, k) for k in range(6)] + [(0, 3), (3, 0), (1, 4), (4, 1)]
WIDTH = [Fraction(1 + k % 3, 1 + k % 2) for k in range(len(ENDS))]
PLAIN = list(range(6))
RATES = {(0, 4): Fraction(2), (5, 1): Fraction(1, 2), (3, 2): Fraction(1), (1, 0): Fraction(3)}


def network(name: list[int]) -> Network:
    """The same network, its nodes (and terminals, one each) called ``name[v]``."""
    ends = [(name[u], name[v]) for u, v in ENDS]
    return Network.of("renamed", 6, ends, bandwidth=WIDTH)


def sets(name: list[int], factor: int = 1) -> list[DemandSet]:
    jobs = {"a": [name[v] for v in (0, 1, 2)], "b": [name[v] for v in (3, 5)]}
    pairs = [(name[u], name[v]) for u, v in [(0, 1), (2, 1), (0, 3), (4, 1), (5, 0)]]
    rates = {(name[u], name[v]): x * factor for (u, v), x in RATES.items()}
    amounts = [0] * 6
    for v in range(6):
        amounts[name[v]] = factor * (1 + v % 3)
    limited = between({pair: (x / 2, 2 * x) for pair, x in rates.items()}, 6)
    return [
        permutations(6), sparse(6, 2), EverySparse(6, "sparse:all", permutations(6)), within(jobs, 6),
        among(pairs, 6), within(jobs, 6) & sparse(6, 2), hose(amounts, amounts), limited,
        limited & hose([4 * factor] * 6, [4 * factor] * 6), Hull(6, "matrix", (rates,), ("0",)), Routable(6),
    ]  # fmt: skip


def load(given: Network, demands: DemandSet, routing: str) -> Fraction:
    return worst_over(named_routing(routing, given), demands).load


@pytest.mark.parametrize("k", range(len(sets(PLAIN))), ids=lambda k: sets(PLAIN)[k].text)
@pytest.mark.parametrize("routing", ["minimal", "valiant"])
def test_other_names_change_nothing(routing: str, k: int) -> None:
    name = np.random.default_rng(k).permutation(6).tolist()
    assert load(network(name), sets(name)[k], routing) == load(network(PLAIN), sets(PLAIN)[k], routing)


@pytest.mark.parametrize("k", [6, 7, 8, 9], ids=lambda k: sets(PLAIN)[k].text)
def test_rates_three_times_as_large_load_three_times_as_much(k: int) -> None:
    assert load(network(PLAIN), sets(PLAIN, 3)[k], "minimal") == 3 * load(network(PLAIN), sets(PLAIN)[k], "minimal")


@pytest.mark.parametrize("routing", ["minimal", "valiant"])
def test_jobs_together_are_at_most_the_sum_of_each_alone(routing: str) -> None:
    jobs = within({"a": [0, 1, 2], "b": [3, 5]}, 6)
    together = load(network(PLAIN), jobs, routing)
    alone = [load(network(PLAIN), jobs.alone(x), routing) for x in ("a", "b")]
    assert max(alone) <= together <= sum(alone)
    merged = within({"ab": [0, 1, 2, 3, 5]}, 6)
    assert together <= load(network(PLAIN), merged, routing) <= load(network(PLAIN), permutations(6), routing)
