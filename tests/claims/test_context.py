"""What the claims of one report share: sums over all pairs of terminals, exact or by bounds."""

from __future__ import annotations

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

from routeproof.claims.context import Context
from routeproof.core.network import Network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec


@pytest.mark.parametrize("cheap", [True, False])
@pytest.mark.parametrize("topology", ["torus:5x4,dead-links=0-1;7-11", "fat-tree:4,bandwidth=2x1", "torus:4x4"])
def test_sums_over_all_pairs(topology: str, cheap: bool) -> None:
    """Bounds find the busiest channel as exact sums do; a channel that a block names twice counts once."""
    network = network_from_spec(topology)
    routing = routing_from_spec("minimal", network)
    rows, columns = (np.bincount(x, minlength=network.num_nodes).tolist() for x in (routing.row_of, routing.column_of))
    pairs = [routing.channel_loads([c]).one(0).as_dict() for c in range(network.num_channels)]
    loads = [sum((x * rows[i] * columns[j] for (i, j), x in some.items()), Fraction(0)) for some in pairs]
    context = Context(routing, ())
    with mock.patch("routeproof.claims.context.is_cheap", return_value=cheap):
        wanted = np.unique(context.label)[:3]
        for _ in range(2):
            context.note(routing.channel_loads([*wanted, *wanted]))
        assert context.crossings == sum(loads)
        assert context.busiest_between_all == max(x / y for x, y in zip(loads, network.bandwidth, strict=True))
        assert [context.between_all(c) for c in range(network.num_channels)] == loads


def test_no_channel_carries_anything() -> None:
    network = Network.of("alone", 1, [], bandwidth=[], source=[0, 0], sink=[0, 0])
    context = Context(routing_from_spec("minimal", network), ())
    assert context.crossings == context.busiest_between_all == 0
