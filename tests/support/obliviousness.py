"""The price of obliviousness of every connected graph of few nodes, all cables of one bandwidth in both directions.

``python tests/support/obliviousness.py 6 FILE`` asks ``adaptive`` about all 112 graphs of six nodes, in about a minute
of processor time, and writes a line for each to FILE; the same command goes on where it stopped.  With ``--above
64/55`` small linear programs look for a routing and a permutation which prove, in fractions, that a graph's price is at
most that: on all 853 graphs of seven nodes, in 13 seconds.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from networkx.generators.atlas import graph_atlas_g
from scipy.optimize import linear_sum_assignment, linprog

from integer_tables import of_graph
from routeproof import adaptive


def connected(nodes: int) -> list[nx.Graph]:
    """One of each class of isomorphic connected graphs of up to seven nodes."""
    return [g for g in graph_atlas_g() if g.number_of_nodes() == nodes and nx.is_connected(g)]


def fraction(value: float) -> Fraction:
    return Fraction(value).limit_denominator(1_000_000)


def least_load(sent: Any, edges: Sequence[tuple[int, int]], both: int) -> tuple[Any, Any]:
    """Flows with the least load and the lengths of channels that prove it: ``sent[i, v]`` leaves flow i at node v, less
    q_v where ``both`` is 2, q free with sum 1; the load is per edge (both = 2) or per channel (both = 1)."""
    flows, size = sent.shape
    step = np.zeros((size, 2 * len(edges)))  # node, channel
    for k, (a, b) in enumerate(edges):
        step[a, 2 * k], step[b, 2 * k], step[b, 2 * k + 1], step[a, 2 * k + 1] = 1, -1, 1, -1
    ends = np.tile(np.eye(size), (flows, 1)) if both == 2 else np.zeros((flows * size, size))
    kept = np.hstack((np.kron(np.eye(flows), step), ends, np.zeros((flows * size, 1))))
    total = np.hstack((np.zeros(kept.shape[1] - size - 1), np.ones(size), 0))
    per = np.kron(np.eye(len(edges)), np.ones((1, 2))) if both == 2 else np.eye(2 * len(edges))
    load = np.hstack((np.tile(per, (1, flows)), np.zeros((len(per), size)), -np.ones((len(per), 1))))
    cost = np.zeros(kept.shape[1])
    cost[-1] = 1
    free = [(0, None)] * (flows * 2 * len(edges)) + [(None, None)] * size + [(0, None)]
    found = linprog(
        cost, load, np.zeros(len(per)), np.vstack((kept, total)), np.append(sent.ravel(), 1.0), free, method="highs"
    )
    length = -found.ineqlin.marginals
    return found.x, np.repeat(np.maximum(length, 0), both)


def load_of_half_flows(graph: nx.Graph) -> tuple[Fraction, Any]:
    """The worst-case load of an oblivious routing by half flows (docs/paper), checked in fractions, and lengths."""
    edges, size = list(graph.edges), graph.number_of_nodes()
    found, length = least_load(np.eye(size), edges, 2)
    flow = [fraction(x) for x in found[: size * 2 * len(edges)]]
    rest = [fraction(x) for x in found[len(flow) : len(flow) + size]]
    own = [flow[i * 2 * len(edges) : (i + 1) * 2 * len(edges)] for i in range(size)]
    assert sum(rest) == 1
    assert min(flow) >= 0
    for i, v in itertools.product(range(size), range(size)):
        out = sum((own[i][2 * k] - own[i][2 * k + 1]) * ((v == a) - (v == b)) for k, (a, b) in enumerate(edges))
        assert out == (i == v) - rest[v], f"flow {i} of {graph.name} does not add up at node {v}"
    return max(sum(x[2 * k] + x[2 * k + 1] for x in own) for k in range(len(edges))), length


def hardest(graph: nx.Graph, length: Any) -> tuple[Fraction, Any]:
    """What every routing of the farthest permutation has as its load at least, by these lengths."""
    whole = [fraction(x) for x in length]
    far = [[Fraction(i != j) * sum(whole) for j in graph] for i in graph]
    for k, (a, b) in enumerate(graph.edges):
        far[a][b], far[b][a] = whole[2 * k : 2 * k + 2]
    for k, i, j in itertools.product(graph, graph, graph):
        far[i][j] = min(far[i][j], far[i][k] + far[k][j])
    image = linear_sum_assignment(np.array(far, dtype=float), maximize=True)[1]
    return sum((far[i][image[i]] for i in graph), Fraction(0)) / sum(whole), image


def price_at_most(graph: nx.Graph, enough: Fraction = Fraction(1)) -> Fraction:
    """The load of a routing over what no routing of some permutation is below; the search ends at ``enough``."""
    edges, size = list(graph.edges), graph.number_of_nodes()
    high, first = load_of_half_flows(graph)
    rng, low = np.random.default_rng(0), Fraction(0)
    halves = (set(x) for k in range(1, size // 2 + 1) for x in itertools.combinations(range(size), k))
    cuts = [np.array([float((a in x) != (b in x)) for a, b in edges]).repeat(2) for x in halves]
    near = [first * rng.uniform(0.5, 1.5, len(first)) + rng.uniform(0, 0.3 * first.max()) for _ in range(20)]
    for length in [first, np.ones(len(first)), *cuts, *near, *rng.exponential(size=(20, len(first)))]:
        last = None
        while low * enough < high:
            least, image = hardest(graph, length)
            low = max(low, least)
            if last is not None and (image == last).all():
                break
            last, length = image, least_load(np.eye(size) - np.eye(size)[image], edges, 1)[1]
    return high / low


def prices(nodes: int, kept: Path) -> Iterator[dict[str, Any]]:
    """Each graph with its edges and the ends of its price, read from ``kept`` or asked and added to it."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    done = {x["graph"]: x for x in map(json.loads, lines)}
    for graph in connected(nodes):
        if graph.name not in done:
            low, high = adaptive(of_graph(graph)).answer.found.price
            done[graph.name] = {"graph": graph.name, "edges": list(graph.edges), "low": str(low), "high": str(high)}
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(done[graph.name]) + "\n")
        yield done[graph.name]


def report(nodes: int, kept: Path) -> None:
    """Every graph whose price is not proved to be 1, the largest last."""
    found = list(prices(nodes, kept))
    more = sorted((x for x in found if x["high"] != "1"), key=lambda x: Fraction(x["high"]))
    for x in more:
        print(f"{x['low'] if x['low'] == x['high'] else x['low'] + ' to ' + x['high']}: {x['edges']}")
    print(f"{len(more)} of {len(found)} connected graphs of {nodes} nodes")


def bounds_from_above(nodes: int, enough: Fraction) -> None:
    found = [(price_at_most(x, enough), list(x.edges)) for x in connected(nodes)]
    more = sorted(x for x in found if x[0] > enough)
    print(f"at most {enough} on {len(found) - len(more)} of {len(found)} connected graphs of {nodes} nodes")
    for bound, edges in more:
        print(f"at most {bound}: {edges}")


if __name__ == "__main__":
    if sys.argv[2] == "--above":
        bounds_from_above(int(sys.argv[1]), Fraction(sys.argv[3]))
    else:
        report(int(sys.argv[1]), Path(sys.argv[2]))
