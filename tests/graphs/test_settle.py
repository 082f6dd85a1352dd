"""Exact values of all channels: long fixed point against exact fractions, where ties and near ties abound."""

from __future__ import annotations

import numpy as np
import pytest

from routeproof.graphs import transport
from routeproof.graphs.transport import Weights, channels_of, solve_block, solve_one, weights_of
from routeproof.graphs.transport_arrays import Rates
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

CASES = [
    ("random-regular:40,degree=5,seed=1", "minimal"),
    ("random-regular:60,degree=9,seed=2", "minimal"),
    ("torus:7x7,dead-links=3-4;19-20", "minimal"),
    ("torus:6x5", "romm"),
    ("mesh:5x4", "minimal:choice=per-hop"),
]


@pytest.mark.parametrize(("topology", "routing"), CASES)
def test_fixed_point_settles_channels_to_their_exact_values(topology: str, routing: str) -> None:
    subject = routing_from_spec(routing, network_from_spec(topology))
    network = subject.network
    block = subject.channel_loads(np.arange(network.num_channels))
    rates = Rates(network.supply, network.demand)
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    values = transport.exact_values(block.load, channels, solved, rates.unit, fixed)
    for k in range(network.num_channels):
        assert values[k] == solve_one(block.one(k), rates).value
    # Nearly all channels are settled by the compiled check itself.
    settled = transport._settled(block.load, channels, solved, 40)[0]
    assert settled.mean() > 0.9


def test_a_flow_that_is_not_optimal_is_never_settled() -> None:
    subject = routing_from_spec("minimal", network_from_spec("random-regular:30,degree=4,seed=3"))
    network = subject.network
    rates = Rates(network.supply, network.demand)
    block = subject.channel_loads(np.arange(network.num_channels))
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    rng = np.random.default_rng(0)
    for k in range(network.num_channels):
        part = slice(int(block.offset[k]), int(block.offset[k + 1]))
        used = np.nonzero(solved.flow[part])[0]
        solved.flow[part.start + int(rng.choice(used))] = 0
    assert not transport._settled(block.load, channels, solved, 40)[0].any()


def test_long_denominators_ask_for_digits_of_the_pairs_in_use_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = routing_from_spec("minimal", network_from_spec("torus:7x7,dead-links=3-4;19-20"))
    network = subject.network
    rates = Rates(network.supply, network.demand)
    block = subject.channel_loads(np.arange(network.num_channels))
    fixed = Weights(1 << 40, False, 4 * network.num_terminals)
    channels = channels_of(block, weights_of(block.load, fixed), rates)
    solved = solve_block(channels, stop=np.full(network.num_channels, -1), full=True)
    whole = transport._settled(block.load, channels, solved, 40)[0]
    monkeypatch.setattr(transport, "_SHORT", 1)  # as if the common denominator of all were too long
    asked = []
    kept = transport._digits_for
    monkeypatch.setattr(transport, "_digits_for", lambda *x: asked.append(kept(*x)) or asked[-1])
    assert np.array_equal(transport._settled(block.load, channels, solved, 40)[0], whole)
    assert len(asked) > 1, "pairs along which potentials were built count, too"
    assert (asked[-1] >= asked[0]).all()
    # More digits than there may be: such channels are left to exact fractions, and the values are the same.
    monkeypatch.setattr(transport, "_MOST_DIGITS", int(asked[0].max()) - 1)
    left = transport._settled(block.load, channels, solved, 40)[0]
    assert left.sum() < whole.sum()
    values = transport.exact_values(block.load, channels, solved, rates.unit, fixed)
    assert values == [solve_one(block.one(k), rates).value for k in range(network.num_channels)]


@pytest.mark.parametrize("most", [600, 0])
@pytest.mark.parametrize(("topology", "routing"), CASES)
def test_potentials_of_few_pairs_prove_the_value(
    topology: str, routing: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fractions without a bound: pairs hold, nothing is negative, both sides meet; without digits, too, by a search."""
    subject = routing_from_spec(routing, network_from_spec(topology))
    rates = Rates(subject.network.supply, subject.network.demand)
    fixed = Weights(1 << 40, False, 4 * subject.network.num_terminals)
    searched = []
    kept = transport.make_exact
    monkeypatch.setattr(transport, "make_exact", lambda *x, **more: searched.append(x) or kept(*x, **more))
    monkeypatch.setattr(transport, "_MOST_DIGITS", most)
    for c in range(0, subject.network.num_channels, 5):
        block = subject.channel_loads([c])
        value = solve_one(block, rates).value
        searched.clear()
        with monkeypatch.context() as patched:
            patched.setattr(transport, "choose_scale", lambda *_: fixed)
            found = solve_one(block, rates, one_of_many=True)
        assert bool(searched) == (most == 0)
        u, v = (dict(zip(x.tolist(), y, strict=True)) for x, y in ((found.row, found.u), (found.column, found.v)))
        pairs = zip(block.row.tolist(), block.column.tolist(), block.load.fractions(), strict=True)
        assert all(x <= u.get(i, 0) + v.get(j, 0) for i, j, x in pairs)
        assert min(*found.u, *found.v) >= 0
        assert (
            found.value
            == value
            == sum(u[i] * int(rates.supply[i]) for i in u) + sum(v[j] * int(rates.demand[j]) for j in v)
        )
