"""Boxes and their intersections: a linear program of scipy for every channel; multipliers and demands exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof import Network, mesh, named_routing, torus
from routeproof.core.errors import InputError
from routeproof.demand_sets import transportation
from routeproof.demand_sets.demand_set import NO_MULTIPLIERS, Multipliers
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.graphs import long_transport
from routeproof.routing.base.routing import Routing
from routeproof.worst.demand_sets.matrices import worst_case_in_box
from routeproof.worst.scan.exact import WorstCase

Pair = tuple[int, int]
T = 6


def uneven() -> Network:
    """Two terminals on node 0; bandwidths differ."""
    ends = [(k, (k + 1) % 5) for k in range(5)] + [((k + 1) % 5, k) for k in range(5)] + [(0, 2), (2, 0)]
    width = [Fraction(1 + k % 3, 1 + k % 2) for k in range(len(ends))]
    at = [0, 0, 1, 2, 3, 4]
    return Network.of("uneven", 5, ends, bandwidth=width, source=at, sink=at)


def box(seed: int, *, lows: bool = True) -> TransportSet:
    rng = np.random.default_rng(seed)
    limits = {}
    for i in range(T):
        for j in range(T):
            if i != j and rng.random() < 0.8:
                low = Fraction(int(rng.integers(0, 3)), 20) if lows else Fraction(0)
                limits[i, j] = low, low + Fraction(int(rng.integers(0, 6)), int(rng.integers(2, 8)))
    return between(limits, T)


HIGH = [Fraction(x, 3) for x in (3, 2, 4, 3, 5, 2)]
SETS = [
    *(box(seed) for seed in range(2)),
    *(box(seed) & permutations(T) for seed in range(3)),
    *(box(seed, lows=False) & sparse(T, 2) for seed in range(3)),
    *(box(seed) & hose(HIGH, HIGH[::-1]) for seed in range(3)),
    *(replace(box(seed), total=Fraction(7, 2)) for seed in range(2)),
    box(0, lows=False) & within([[0, 1, 2], [3, 4]], T),
    box(0, lows=False) & among([(0, 1), (2, 1), (0, 3), (4, 1), (5, 0)], T) & sparse(T, 1),
    between({(i, j): (Fraction(i == 0 and j < 3, 2), Fraction(1)) for i in range(T) for j in range(T) if i != j}, T)
    & permutations(T),
]


def pair_loads(routing: Routing, channel: int) -> dict[Pair, Fraction]:
    pairs = [(i, j) for i in range(T) for j in range(T) if i != j]
    rows, columns = routing.row_of[[i for i, _ in pairs]], routing.column_of[[j for _, j in pairs]]
    block = routing.pair_loads(rows, columns)
    found = {pair: block.as_dict(k).get(channel, Fraction(0)) for k, pair in enumerate(pairs)}
    return {pair: x for pair, x in found.items() if x}


def by_program(demands: TransportSet, weights: Mapping[Pair, Fraction]) -> float:
    assert demands.box is not None
    pairs = [pair for pair in demands.box if demands.allows(*pair)]
    rows, limits = [], []
    for side, rates in enumerate((demands.sends, demands.receives)):
        for t, x in enumerate(rates or ()):
            rows.append([float(pair[side] == t) for pair in pairs])
            limits.append(float(x))
    if demands.total is not None:
        rows.append([1.0] * len(pairs))
        limits.append(float(demands.total))
    cost = [-float(weights.get(pair, 0)) for pair in pairs]
    ends = [(float(low), float(high)) for low, high in (demands.box[pair] for pair in pairs)]
    found = linprog(cost, A_ub=rows or None, b_ub=limits or None, bounds=ends)
    assert found.status == 0
    return -float(found.fun)


def witness(found: WorstCase) -> dict[Pair, Fraction]:
    return {(i, j): x for i, j, x in found.traffic or ()}


def multipliers(found: WorstCase, channel: int) -> Multipliers:
    """Those of the evidence."""
    listed = found.stated[0].evidence.data.get("multipliers", ())
    for x in listed:
        if x["channel"] == channel:
            sides = ({t: Fraction(y) for t, y in x[side]} for side in ("sends", "receives"))
            return Multipliers(*sides, Fraction(x["total"]))
    return NO_MULTIPLIERS


@pytest.mark.parametrize("bits", [60, 0], ids=["short rates", "long rates"])
@pytest.mark.parametrize("number", range(len(SETS)))
@pytest.mark.parametrize("routing", ["valiant", "minimal", "sssp"])
@pytest.mark.parametrize("network", [mesh(3, 2), uneven()], ids=lambda x: x.name)
def test_every_channel_as_a_linear_program_says(
    network: Network, routing: str, number: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``bits``: rates of more digits are sent in Python integers."""
    monkeypatch.setattr(transportation, "_LONG", 1 << bits)
    monkeypatch.setattr(long_transport, "_BITS", 8)
    demands, given = SETS[number], named_routing(routing, network)
    found = worst_case_in_box(given, demands, all_channels=True)
    assert found.channel_loads is not None
    assert found.load == max(found.channel_loads) == found.channel_loads[found.channel]
    for c, load in enumerate(found.channel_loads):
        weights, width = pair_loads(given, c), network.bandwidth[c]
        assert by_program(demands, weights) == pytest.approx(float(load * width), abs=1e-9)
        assert demands.check(weights, multipliers(found, c)) == load * width
    demands.check_admits(witness(found))
    weights = pair_loads(given, found.channel)
    reached = sum((x * weights.get(pair, Fraction(0)) for pair, x in witness(found).items()), Fraction(0))
    assert reached == found.load * network.bandwidth[found.channel]


@pytest.mark.parametrize("number", range(len(SETS)))
def test_channels_that_cannot_be_worst_are_bounded_at_once(number: int) -> None:
    demands, given = SETS[number], named_routing("minimal", uneven())
    found = worst_case_in_box(given, demands)
    assert found.load == worst_case_in_box(given, demands, all_channels=True).load
    for c, width in enumerate(given.network.bandwidth):
        assert demands.check(pair_loads(given, c), multipliers(found, c)) <= found.load * width
    if demands.sends is None and demands.total is None:
        assert "multipliers" not in found.stated[0].evidence.data


def test_multipliers_prove_whatever_they_are() -> None:
    """Any numbers >= 0 give a bound; none is below the worst case."""
    rng = np.random.default_rng(0)
    demands, given = SETS[5], named_routing("minimal", uneven())
    found = worst_case_in_box(given, demands, all_channels=True)
    assert found.channel_loads is not None
    for _ in range(30):
        some = [{t: Fraction(int(rng.integers(0, 3)), 3) for t in range(T)} for _ in range(2)]
        proof = Multipliers(some[0], some[1], Fraction(int(rng.integers(0, 3)), 4))
        for c, width in enumerate(given.network.bandwidth):
            assert demands.check(pair_loads(given, c), proof) >= found.channel_loads[c] * width


def test_a_box_scales_and_grows() -> None:
    given = named_routing("minimal", torus(6))
    one, scaled = box(1), box(1)
    assert one.box is not None
    scaled = between({pair: (3 * a, 3 * b) for pair, (a, b) in one.box.items()}, T)
    assert worst_case_in_box(given, scaled).load == 3 * worst_case_in_box(given, one).load
    wider = between({pair: (a / 2, b * 2) for pair, (a, b) in one.box.items()}, T)
    assert (
        worst_case_in_box(given, wider & permutations(T)).load >= worst_case_in_box(given, one & permutations(T)).load
    )
    assert worst_case_in_box(given, one & permutations(T)).load <= worst_case_in_box(given, one).load


def refuse(*_: object) -> None:
    raise OverflowError


def test_what_is_refused() -> None:
    given = named_routing("dor", mesh(3, 2))
    with pytest.raises(InputError, match="a box was expected"):
        worst_case_in_box(given, permutations(6))
    with pytest.raises(InputError, match="about 5 terminals"):
        worst_case_in_box(given, between({(0, 1): (Fraction(0), Fraction(1))}, 5))


@pytest.mark.parametrize("kernels", [True, False])
def test_rates_of_many_digits(monkeypatch: pytest.MonkeyPatch, *, kernels: bool) -> None:
    """Such as doubles, and fractions without a short common denominator; with and without a start from kernels."""
    if not kernels:
        monkeypatch.setattr(long_transport, "solve_exactly", refuse)
    rng = np.random.default_rng(7)
    pairs = [(i, j) for i in range(T) for j in range(T) if i != j]
    limits = {}
    for k, pair in enumerate(pairs):
        low = Fraction(float(rng.random())) / 9
        limits[pair] = low, low + Fraction(int(rng.integers(1, 10**9)), 10**9 + 2 * k + 1)
    demands = between(limits, T) & permutations(T)
    given = named_routing("minimal", uneven())
    found = worst_case_in_box(given, demands, all_channels=True)
    assert found.channel_loads is not None
    for c, load in enumerate(found.channel_loads):
        weights, width = pair_loads(given, c), given.network.bandwidth[c]
        assert by_program(demands, weights) == pytest.approx(float(load * width), abs=1e-9)
        assert demands.check(weights, multipliers(found, c)) == load * width
    demands.check_admits(witness(found))
