"""Lists of matrices: the load of each by hand, and the worst of them on every channel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof import Network, mesh, named_routing
from routeproof.core.errors import InputError
from routeproof.demand_sets.hull import Hull
from routeproof.formats.resolve import resolve_network
from routeproof.worst.demand_sets import matrices as module
from routeproof.worst.demand_sets.matrices import loads_of_matrix, worst_matrix

T = 6


def matrices(count: int) -> tuple[dict[tuple[int, int], Fraction], ...]:
    rng = np.random.default_rng(3)
    return tuple(
        {
            (i, j): Fraction(int(rng.integers(1, 90)), int(rng.integers(1, 9)))
            for i in range(T)
            for j in range(T)
            if i != j and rng.random() < 0.5
        }
        for _ in range(count)
    )


def uneven() -> Network:
    ends = [(k, (k + 1) % 6) for k in range(6)] + [((k + 1) % 6, k) for k in range(6)]
    return Network.of("uneven", 6, ends, bandwidth=[Fraction(1 + k % 3, 1 + k % 2) for k in range(12)])


@pytest.mark.parametrize("large", [256, 1], ids=["whole", "few"])
@pytest.mark.parametrize("routing", ["valiant", "minimal", "sssp"])
@pytest.mark.parametrize("network", [mesh(3, 2), uneven()], ids=lambda x: x.name)
def test_loads_add_up(network: Network, routing: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGE", large)
    monkeypatch.setattr(module, "_FEW", 1)
    given, rates = named_routing(routing, network), matrices(3)
    by_hand = []
    for matrix in rates:
        block = given.pair_loads([i for i, _ in matrix], [j for _, j in matrix])
        loads = [Fraction(0)] * network.num_channels
        for k, x in enumerate(matrix.values()):
            for c, load in block.as_dict(k).items():
                loads[c] += x * load / network.bandwidth[c]
        by_hand.append(loads)
        found = loads_of_matrix(given, matrix)
        assert found.per_bandwidth() == loads
        assert loads[found.busiest] == found.largest == max(loads)
    worst = worst_matrix(given, Hull(T, "matrix:three", rates, ("a", "b", "c")), all_channels=True)
    k = "abc".index(worst.stated[0].evidence.data["matrix"])
    assert worst.load == max(map(max, by_hand)) == by_hand[k][worst.channel]
    assert worst.channel_loads == [max(x[c] for x in by_hand) for c in range(network.num_channels)]
    assert worst.traffic == [(i, j, x) for (i, j), x in sorted(rates[k].items())]


def test_what_is_refused() -> None:
    given = named_routing("dor", mesh(3, 2))
    with pytest.raises(InputError, match="about 5 terminals"):
        worst_matrix(given, Hull(5, "matrix:x", ({(0, 1): Fraction(1)},), ("x",)))
    for bad, said in (
        ({(0, 0): Fraction(1)}, "terminal 0 sends to itself"),
        ({(0, 1): Fraction(-1)}, "it cannot be negative"),
        ({(0, 9): Fraction(1)}, "terminals are 0 to 5"),
        ({}, "holds no positive rate"),
    ):
        with pytest.raises(InputError, match=said):
            Hull(6, "matrix:x", (bad,), ("x",))


def test_rates_between_the_same_switches_add_up_beyond_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGE", 1)
    network = resolve_network("mesh:2x2,concentration=2")
    rate = Fraction(5 * 10**18 + 1)
    rates = {(0, 2): rate, (1, 3): rate, (0, 3): rate, (1, 2): rate}  # from one switch to its neighbour
    assert loads_of_matrix(named_routing("minimal", network), rates).largest == 4 * rate
