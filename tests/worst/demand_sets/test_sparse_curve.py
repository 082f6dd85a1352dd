"""The worst load against the number of packets: each number alone, its witness, and the lines that prove it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from routeproof import Network, mesh, named_routing, torus
from routeproof.core.errors import InputError
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import EverySparse, sparse
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.worst.demand_sets import sparse_curve as module
from routeproof.worst.demand_sets.sparse_curve import SparseCurve, sparse_curve
from routeproof.worst.scan.exact import worst_case_over


def uneven() -> Network:
    ends = [(k, (k + 1) % 6) for k in range(6)] + [((k + 1) % 6, k) for k in range(6)] + [(0, 3), (3, 0), (1, 4)]
    return Network.of("uneven", 6, ends, bandwidth=[Fraction(1 + k % 3, 1 + k % 2) for k in range(len(ends))])


def named(x: object) -> str:
    return x.name if isinstance(x, Network) else x.text if isinstance(x, EverySparse) else str(x)


def several() -> Network:
    """Two or three terminals a node."""
    ends = [(k, (k + 1) % 4) for k in range(4)] + [((k + 1) % 4, k) for k in range(4)]
    at = [0, 0, 1, 1, 2, 2, 3, 3, 3, 0]
    return Network.of("several", 4, ends, source=at, sink=at)


def all_sparse(size: int) -> EverySparse:
    return EverySparse(size, "sparse:all", permutations(size))


def with_others(size: int) -> list[EverySparse]:
    found = []
    for other in (within([[0, 1, 2], [3, 4]], size), among([(0, 1), (2, 1), (0, 3), (4, 1), (5, 0)], size)):
        both = all_sparse(size) & other
        assert isinstance(both, EverySparse)
        found.append(both)
    return [all_sparse(size), *found]


CASES = [
    (network, routing, demands)
    for network in (mesh(3, 2), torus(6), uneven())
    for routing in ("valiant", "minimal", "sssp")
    for demands in with_others(6)
] + [(torus(4, 4), "romm", all_sparse(16)), (several(), "minimal", all_sparse(10))]


def check(found: SparseCurve) -> None:
    """Every number of packets alone; witnesses of the corners; and the lines of every focus channel."""
    total = found.demands.most_packets
    assert [worst_case_over(found.routing, found.demands.at(k)).load for k in range(1, total + 1)] == found.loads[1:]
    corners = found.corners
    assert (corners[0].packets, corners[-1].packets) == (1, total)
    for a, b in pairwise(corners):
        assert b.packets == a.packets + 1 or a.channel == b.channel
        for k in range(a.packets, b.packets + 1):
            share = Fraction(k - a.packets, b.packets - a.packets)
            assert found.loads[k] == a.load + share * (b.load - a.load)
    for corner in corners:
        sent = found.witness(corner)
        demand: dict[tuple[int, int], Fraction] = {}
        for i, j, x in sent:
            demand[i, j] = demand.get((i, j), Fraction(0)) + x
        found.demands.at(corner.packets).check_admits(demand)
        block = found.routing.pair_loads(
            found.routing.row_of[[i for i, _ in demand]], found.routing.column_of[[j for _, j in demand]]
        )
        load = sum(
            (x * block.as_dict(k).get(corner.channel, Fraction(0)) for k, x in enumerate(demand.values())), Fraction(0)
        )
        assert load / found.routing.network.bandwidth[corner.channel] == corner.load
    for c in found.classes.focus.tolist():
        bounds = [proved(found, c, k) for k in range(1, total + 1)]
        assert all(x <= y for x, y in zip(bounds, found.loads[1:], strict=True)), c


def proved(found: SparseCurve, channel: int, packets: int) -> Fraction:
    """The least that the channel's lines allow, from their multipliers and the loads alone."""
    shaped = found.shaped
    inner = found.demands.inner
    assert inner.sends is not None
    assert inner.receives is not None
    supply, demand = [Fraction(0)] * len(shaped.row_node), [Fraction(0)] * len(shaped.column_node)
    for i, (r, x) in enumerate(zip(shaped.row_of.tolist(), inner.sends, strict=True)):
        supply[r] += x
        demand[shaped.column_of[i]] += inner.receives[i]
    width = shaped.network.bandwidth[channel]
    loads = shaped.channel_loads([channel]).as_dict()
    values = []
    for line in found.lines[channel]:
        slope = Fraction(line.slope, line.scale)
        v = {j: Fraction(int(x), line.scale) for j, x in zip(line.column.tolist(), line.v.tolist(), strict=True)}
        assert slope >= 0
        assert all(x >= 0 for x in v.values())
        u: dict[int, Fraction] = {}
        for (i, j), load in loads.items():
            if demand[j]:
                u[i] = max(u.get(i, Fraction(0)), load / width - v.get(j, Fraction(0)) - slope)
        values.append(
            slope * packets
            + sum((supply[i] * x for i, x in u.items()), Fraction(0))
            + sum((demand[j] * x for j, x in v.items()), Fraction(0))
        )
    return min(values)


@pytest.mark.parametrize(
    ("network", "routing", "demands"), CASES, ids=lambda x: getattr(x, "name", getattr(x, "text", x))
)
def test_every_number_of_packets_is_proved(network: Network, routing: str, demands: EverySparse) -> None:
    check(sparse_curve(named_routing(routing, network), demands))


def test_loads_that_64_bits_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """With loads rounded up the curve and its proof stay exact."""
    choose = module.choose_scale
    monkeypatch.setattr(module, "choose_scale", lambda _, total: choose(None, total))
    for network, routing, demands in CASES[3:9]:
        check(sparse_curve(named_routing(routing, network), demands))


def test_the_largest_of_several_channels_need_not_be_concave() -> None:
    """A narrow channel that one packet fills, and a wide one that many share."""
    ends = [(0, 1), (1, 0)] + [(k, 6) for k in (2, 3, 4, 5)] + [(6, 7), (7, 6)] + [(7, k) for k in (8, 9, 10, 11)]
    ends += [(b, a) for a, b in ends if (b, a) not in ends] + [(1, 6), (6, 1)]
    width = [Fraction(2) if {a, b} == {6, 7} else Fraction(8) if {a, b} != {0, 1} else Fraction(1) for a, b in ends]
    network = Network.of("bells", 12, ends, bandwidth=width)
    found = sparse_curve(named_routing("sssp", network), all_sparse(12))
    check(found)
    steps = [b - a for a, b in zip(found.loads, found.loads[1:], strict=False)]
    assert steps != sorted(steps, reverse=True)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="about 5 terminals, mesh:3x2 has 6"):
        sparse_curve(named_routing("dor", mesh(3, 2)), all_sparse(5))
    with pytest.raises(InputError, match="one packet, was expected"):
        EverySparse(2, "sparse:all", hose(["1/2", 1], [1, 1]))
    with pytest.raises(InputError, match="it has no other limit"):
        EverySparse(4, "sparse:all", sparse(4, 2))
