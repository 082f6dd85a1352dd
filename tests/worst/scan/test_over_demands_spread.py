"""The worst case over a set of demands, with its channels done elsewhere."""

from __future__ import annotations

import pytest

from routeproof import mesh, named_routing
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.jobs import within
from routeproof.routing.base.views import seen_through
from routeproof.worst.scan.scan import described, made_again

JOBS = {"a": [0, 1, 6, 7], "b": [3, 4, 5]}


@pytest.mark.parametrize("routing", ["dor", "valiant"])
@pytest.mark.parametrize(
    "demands", [within(JOBS, 12), sparse(12, 3), within(JOBS, 12) & sparse(12, 2)], ids=lambda x: x.text
)
def test_pieces_see_the_same_loads(routing: str, demands: TransportSet) -> None:
    given = named_routing(routing, mesh(4, 3))
    shaped, _ = seen_through(given, demands)
    again = made_again(described(shaped))
    for c in range(given.network.num_channels):
        one, two = shaped.channel_loads([c]), again.channel_loads([c])
        assert one.row.tolist() == two.row.tolist()
        assert one.column.tolist() == two.column.tolist()
        assert one.load.fractions() == two.load.fractions()
