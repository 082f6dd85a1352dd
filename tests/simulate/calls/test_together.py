"""Requests at once beside calls in progress: against a slow implementation, and the laws of disjoint paths."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.claims.calls.replays import Together, replay_calls
from routeproof.core.errors import InputError
from routeproof.simulate.calls.churn import Churn, Exchange, busy_rule
from routeproof.simulate.calls.together import connect_together, run_together
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.multistage.banyan import multi_benes, multibutterfly
from routeproof.topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring


@settings(max_examples=40)
@given(
    n=st.integers(2, 5),
    d=st.integers(1, 4),
    log_load=st.integers(0, 2),
    seed=st.integers(0, 99),
    count=st.integers(1, 12),
    rule=st.booleans(),
    merging=st.booleans(),
)
def test_agrees_with_the_slow_implementation(
    n: int, d: int, log_load: int, seed: int, count: int, rule: bool, merging: bool
) -> None:
    wiring = multi_benes(1 << n, d=d, seed=seed) if merging else multibutterfly(1 << n, d=d, seed=seed)
    graph = call_graph_of_wiring(wiring, load=1 << min(log_load, n - 1))
    chosen = busy_rule(wiring, beta=Fraction(d)) if rule and merging else None
    caps = None if chosen is None else (chosen.splitter, chosen.merger)
    occupancy = Fraction(1, 3)
    count = min(count, graph.terminals)
    _, run = run_together(graph, Churn(20, occupancy, seed, chosen), count=count, trials=4)
    slow = Together(graph, count, seed)
    replay_calls(graph, trials=4, events=20, occupancy=occupancy, seed=seed, random_paths=False, caps=caps, after=slow)
    found = {"together_calls": run.calls, "together_connected": run.connected, "together_steps": run.steps}
    assert slow.counts == {**found, "whole": run.whole}


def test_one_request_alone_gets_through_wherever_switches_work() -> None:
    wiring = multi_benes(512, d=6, seed=1)
    graph = call_graph_of_wiring(wiring, load=16)
    exchange = Exchange(graph, busy_rule(wiring, beta=Fraction(5), merger="argument"))
    for i in range(16):
        assert exchange.connect(i, 31 - i) == 0
    paths, steps = connect_together(exchange, [(31, 0), (30, 15), (17, 3)])
    assert all(paths)
    assert steps >= int(graph.level.max())
    places = [v for path in paths for v in path]
    assert len(places) == len(set(places))
    assert not exchange.used[places].any()
    assert not exchange.blocked[np.array(places)].any()


def test_bad_input() -> None:
    churn = Churn(events=1, occupancy=Fraction(1, 2), seed=1)
    with pytest.raises(InputError, match="no levels of wires"):
        run_together(call_graph_of_network(network_from_spec("cantor:2")), churn, count=1, trials=1)
    graph = call_graph_of_wiring(multi_benes(8, d=2, seed=1))
    with pytest.raises(InputError, match="0 requests at once"):
        run_together(graph, churn, count=0, trials=1)
    with pytest.raises(InputError, match="the number of terminals"):
        run_together(graph, churn, count=9, trials=1)
