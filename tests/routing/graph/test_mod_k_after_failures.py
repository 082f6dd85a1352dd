"""D-mod-K after failures, made anew in part, beside the routing of what is left of the network."""

from __future__ import annotations

import numpy as np
import pytest

import routeproof as rp
from routeproof.core.errors import InputError
from routeproof.core.faults import Faults
from routeproof.routing.base.pair_table import PairTable
from routeproof.routing.base.repair import placed_loads

Paths = dict[tuple[int, int], set[int]]


def _paths(channel: np.ndarray, row: np.ndarray, column: np.ndarray) -> Paths:
    found: Paths = {}
    for c, *ends in zip(channel.tolist(), row.tolist(), column.tolist(), strict=True):
        found.setdefault((ends[0], ends[1]), set()).add(c)
    return found


@pytest.mark.parametrize("topology", ["fat-tree:4", "leaf-spine:4,3,2", "fat-tree:6,levels=2", "xgft:3x3x2,w=2x2x1"])
def test_the_pairs_that_change_are_those_of_the_routing_made_anew(topology: str) -> None:
    network, rng, compared = rp.network(topology), np.random.default_rng(3), 0
    routing = rp.named_routing("dmodk", network)
    table: PairTable = routing.pair_table()
    whole = _paths(np.repeat(np.arange(network.num_channels), np.diff(table.offset)), table.row, table.column)
    for count in [1, 1, 1, 2, 2, 4] * 4:
        dead = np.zeros(network.num_channels, dtype=bool)
        dead[rng.choice(network.num_channels, size=count, replace=False)] = True
        before = routing.ways.below.copy(), routing.ways.reach.copy()
        of = Faults([], np.flatnonzero(dead).tolist()).survivors(network)
        try:
            made = rp.named_routing("dmodk", of.network)
        except InputError:
            with pytest.raises(InputError):
                routing.pairs_remade(dead)
        else:
            row, column, block = routing.pairs_remade(dead)
            ends = np.repeat(row, np.diff(block.offset)), np.repeat(column, np.diff(block.offset))
            found = {**whole, **_paths(block.channel, *ends)}
            assert found == _paths(*placed_loads(routing, made, of)[:3])
            compared += 1
        assert all(np.array_equal(*x) for x in zip(before, (routing.ways.below, routing.ways.reach), strict=True))
    assert compared
