"""Loads of some pairs only: against all permutations of small networks, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations as orders

import numpy as np
import pytest

from routeproof import Network, fat_tree, mesh, named_routing, torus
from routeproof.core.errors import InputError
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.routing.base import views
from routeproof.routing.base.views import Restricted, dense
from routeproof.worst.scan.exact import worst_case

JOBS = [[0, 1, 2], [3, 4]]
PAIRS = [(0, 1), (2, 1), (0, 3), (4, 1)]
SETS = [permutations(6), within(JOBS, 6), among(PAIRS, 6), within(JOBS, 6) & among(PAIRS, 6)]


@pytest.fixture(params=[8, 1], ids=["by channel", "by pair"], autouse=True)
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few pairs may send, their loads are found pair by pair: here wherever it can be."""
    monkeypatch.setattr(views, "_FEW", request.param)


@pytest.mark.parametrize("demands", SETS, ids=lambda x: x.text)
@pytest.mark.parametrize("routing", ["dor", "valiant", "minimal"])
@pytest.mark.parametrize("network", [mesh(3, 2), torus(3, 2), torus(6)], ids=lambda x: x.name)
def test_the_worst_case_is_that_of_all_admitted_permutations(
    network: Network, routing: str, demands: TransportSet
) -> None:
    given = named_routing(routing, network)
    whole = dense(given) if given.channel_loads([0]).base is not None else given
    found = worst_case(Restricted(whole, demands)).load
    assert found == brute_force(whole, demands)


def brute_force(routing: object, demands: TransportSet) -> Fraction:
    best = Fraction(0)
    network = routing.network  # type: ignore[attr-defined]
    for c in range(network.num_channels):
        loads = routing.channel_loads([c]).as_dict()  # type: ignore[attr-defined]
        for image in orders(range(network.num_terminals)):
            pairs = [(i, j) for i, j in enumerate(image) if demands.allows(i, j)]
            nodes = [(int(network.source[i]), int(network.sink[j])) for i, j in pairs]
            best = max(best, sum((loads.get(x, Fraction(0)) for x in nodes), Fraction(0)) / network.bandwidth[c])
    return best


def test_the_loads_of_pairs_and_of_channels_agree() -> None:
    network = fat_tree(4)  # several terminals at a switch, some in one job and some in none
    routing = named_routing("minimal", network)
    demands = within([[0, 1, 4, 5], [2, 7]], network.num_terminals)
    found = Restricted(routing, demands)
    rows, columns = len(found.row_node), len(found.column_node)
    by_channel = {
        (c, *pair): x for c in range(network.num_channels) for pair, x in found.channel_loads([c]).as_dict().items()
    }
    pairs = [(i, j) for i in range(rows) for j in range(columns)]
    block = found.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    assert {(c, *pair): x for k, pair in enumerate(pairs) for c, x in block.as_dict(k).items()} == by_channel


@pytest.mark.parametrize("routing", ["minimal", "sssp", "romm"])
def test_some_rows_and_channels_at_a_time(routing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = torus(4, 4)
    demands = within([[0, 1, 4, 5], [2, 7, 8]], 16) & among([(i, j) for i in range(9) for j in range(9) if i != j], 16)
    monkeypatch.setattr(views, "_FIRST_PAIRS", 5)
    monkeypatch.setattr(views, "_LOADS", 50)
    found = Restricted(named_routing(routing, network), demands)
    monkeypatch.setattr(views, "_FEW", 1 << 40)
    slow = Restricted(named_routing(routing, network), demands)
    for channels in ([3, 0, 17], list(range(network.num_channels))):
        for rows in (None, np.arange(len(found.row_node)) % 2 == 0):
            one, other = (x.channel_loads(channels, rows=rows) for x in (found, slow))
            assert one.channel.tolist() == other.channel.tolist() == channels
            for a, b in ((one.offset, other.offset), (one.row, other.row), (one.column, other.column)):
                assert a.tolist() == b.tolist()
                assert a.dtype == b.dtype
            assert one.load.fractions() == other.load.fractions()


def test_routings_with_many_loads_a_pair_are_read_by_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Valiant's packets may cross every channel: a table of their pairs would be large."""
    demands, network = within([[0, 1, 4, 5], [2, 7, 8]], 16), torus(4, 4)
    routing = dense(named_routing("valiant", network))
    wanted = Restricted(routing, demands).channel_loads(range(network.num_channels)).load.fractions()
    monkeypatch.setattr(views, "_FIRST_PAIRS", 5)
    monkeypatch.setattr(views, "_MOST_LOADS", 200)
    found = Restricted(routing, demands)
    assert found.channel_loads(range(network.num_channels)).load.fractions() == wanted
    assert found._table is None


def test_base_loads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_FEW", 8)
    network = torus(3, 3)
    with pytest.raises(InputError, match="pair by pair first"):
        Restricted(named_routing("valiant", network), permutations(9)).channel_loads([0])
