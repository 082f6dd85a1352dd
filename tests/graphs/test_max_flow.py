"""Largest flows beside networkx, and the two least cuts of each."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from routeproof.graphs.max_flow import FlowGraph


@pytest.mark.parametrize("seed", range(40))
def test_flows_and_cuts(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    arcs = [(*rng.sample(range(size), 2), rng.randint(0, 9)) for _ in range(rng.randint(1, 30))]
    supply = [rng.randint(0, 5) for _ in range(size)]
    graph = FlowGraph(*zip(*arcs, strict=True), supply)
    plain = nx.DiGraph()
    plain.add_nodes_from(["s", *range(size)])
    for u, v, c in [*arcs, *(("s", v, x) for v, x in enumerate(supply))]:
        plain.add_edge(u, v, capacity=c + plain.get_edge_data(u, v, {"capacity": 0})["capacity"])
    values = [nx.maximum_flow_value(plain, "s", v) for v in range(size)]
    for v, value in enumerate(values):
        assert graph.least([v], most=1000) == (value, 0)
        for side in (graph.side, ~graph.end_side):
            crossing = sum(c for u, w, c in arcs if side[u] and not side[w])
            assert crossing + sum(x for w, x in enumerate(supply) if not side[w]) == value
            assert not side[v]
        assert (graph.side <= ~graph.end_side).all()
    assert graph.least(np.arange(size), most=1000)[0] == min(values)
    assert graph.least(np.arange(size), most=min(values)) == (min(values), -1)
    assert graph.least([0], most=1000, fed=[0])[0] == 1000
