"""The least worst case of forwarding tables by an integer program in HiGHS, which takes nothing from the package
but the list of channels of a ``Network``.

``python tests/support/integer_tables.py`` compares ``design_tables`` with it on all 142 connected graphs of two to six
nodes, in a minute of processor time.
"""

from __future__ import annotations

import time

import networkx as nx
import numpy as np
from networkx.generators.atlas import graph_atlas_g
from scipy.optimize import Bounds, LinearConstraint, milp

from routeproof.core.network import Network

SMALL = [g for g in graph_atlas_g() if 2 <= g.number_of_nodes() <= 6 and nx.is_connected(g)]


def of_graph(graph: nx.Graph, bandwidth: list[int] | int = 1) -> Network:
    channels = [x for a, b in graph.edges for x in ((a, b), (b, a))]
    return Network.of("a graph", graph.number_of_nodes(), channels, bandwidth=bandwidth)


def least_by_integers(net: Network, *, single: bool = False) -> float:
    """The least worst case of tables by HiGHS: unsplit flows along one next channel for each node and destination (not
    for single paths), and potentials of every channel's matching."""
    size, count = net.num_nodes, net.num_channels
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    flow = {(p, c): k for k, (p, c) in enumerate((p, c) for p in pairs for c in range(count))}
    following = {(j, c): len(flow) + k for k, (j, c) in enumerate((j, c) for j in range(size) for c in range(count))}
    first = len(flow) + len(following)
    potential = {
        (x, c, end): first + 2 * (x * count + c) + end for x in range(size) for c in range(count) for end in (0, 1)
    }
    width = first + len(potential) + 1
    rows: list[np.ndarray] = []
    low: list[float] = []
    high: list[float] = []

    def row(entries: list[tuple[int, float]], least: float, most: float) -> None:
        line = np.zeros(width)
        for k, x in entries:
            line[k] += x
        rows.append(line)
        low.append(least)
        high.append(most)

    for i, j in pairs:
        for v in range(size):
            out = [(flow[(i, j), c], 1.0) for c in range(count) if net.tail[c] == v]
            into = [(flow[(i, j), c], -1.0) for c in range(count) if net.head[c] == v]
            wanted = (v == i) - (v == j)
            row(out + into, wanted, wanted)
        for c in range(count):
            if not single:
                row([(flow[(i, j), c], 1.0), (following[j, c], -1.0)], -np.inf, 0)
            row([(potential[i, c, 0], 1.0), (potential[j, c, 1], 1.0), (flow[(i, j), c], -1.0)], 0, np.inf)
    for j in range(size):
        for v in range(size):
            row([(following[j, c], 1.0) for c in range(count) if net.tail[c] == v], 0, 1)
    for c in range(count):
        own = [(potential[x, c, end], 1.0) for x in range(size) for end in (0, 1)]
        row([*own, (width - 1, -float(net.bandwidth[c]))], -np.inf, 0)
    cost = np.zeros(width)
    cost[-1] = 1.0
    whole = np.ones(width)
    whole[first:-1] = 0
    whole[-1] = set(net.bandwidth) == {1}  # a matching is whole
    top = np.ones(width)
    top[-1] = np.inf
    found = milp(
        cost, constraints=LinearConstraint(np.array(rows), low, high), integrality=whole, bounds=Bounds(0, top)
    )
    assert found.success
    return float(found.fun)


def compare() -> None:
    from routeproof import design_tables

    differ = 0
    for k, graph in enumerate(SMALL):
        net, begun = of_graph(graph), time.process_time()
        made = design_tables(net)
        took, begun = time.process_time() - begun, time.process_time()
        claim = next(x for x in made.claims() if x.about.get("among") == "tables" and x.quantity == "worst_case_load")
        least = least_by_integers(net)
        differ += claim.relation != "==" or round(least) != claim.number
        size = f"{len(graph)} nodes, {graph.number_of_edges()} edges"
        print(
            f"{k} {size}: {claim.relation} {claim.number} in {took:.2f} s, by integers {least:g} in "
            f"{time.process_time() - begun:.1f} s; {differ} differ",
            flush=True,
        )


if __name__ == "__main__":
    compare()
