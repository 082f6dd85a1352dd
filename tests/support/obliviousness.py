"""The price of obliviousness of every connected graph of few nodes, all cables of one bandwidth in both directions.

``python tests/support/obliviousness.py 6 FILE`` asks ``adaptive`` about all 112 graphs of six nodes, in about a minute
of processor time, and writes a line for each to FILE; the same command goes on where it stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
from networkx.generators.atlas import graph_atlas_g

from integer_tables import of_graph
from routeproof import adaptive


def connected(nodes: int) -> list[nx.Graph]:
    """One of each class of isomorphic connected graphs of up to seven nodes."""
    return [g for g in graph_atlas_g() if g.number_of_nodes() == nodes and nx.is_connected(g)]


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


if __name__ == "__main__":
    report(int(sys.argv[1]), Path(sys.argv[2]))
