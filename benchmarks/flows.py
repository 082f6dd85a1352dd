"""The best flow of a traffic matrix against a program over edge flows, in floats and without proof, by scipy.

``by pair``: a flow for every pair of nodes, as a modelling library is usually asked; ``by source``: one for every
source, the smallest program of this kind.  Both by HiGHS.  The matrix is gravity with weights drawn from seed 0.

    python benchmarks/run.py best-flow
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from cases import Row, timed
from scipy.optimize import linprog
from scipy.sparse import block_diag, coo_array, csr_array, hstack

from routeproof import Network, network
from routeproof.demand_sets.hull import Hull
from routeproof.optimum.matrix_flow.design import design_for_matrices

_ZOO = Path(__file__).resolve().parent.parent / "tests" / "data" / "topology-zoo"
_CASES = (
    ("Abilene.graphml", ("by source", "by pair")),
    ("random-regular:30,degree=4,seed=1", ("by source", "by pair")),
    ("Geant2012.graphml", ("by source",)),
    ("random-regular:100,degree=4,seed=1", ("by source",)),
    ("Cogentco.graphml", ("by source",)),
)
_LIMIT_S = 300.0


def gravity(net: Network) -> Hull:
    """Whole rates that add up to about a million."""
    rng = np.random.default_rng(0)
    weight = rng.lognormal(0.0, 1.0, net.num_terminals)
    rates = np.outer(weight, weight)
    np.fill_diagonal(rates, 0.0)
    whole = np.round(rates / rates.sum() * 1e6).astype(int)
    matrix = {(int(i), int(j)): Fraction(int(whole[i, j])) for i, j in zip(*np.nonzero(whole), strict=True)}
    return Hull(net.num_terminals, "gravity", (matrix,), ("gravity",))


def by_edges(net: Network, demands: Hull, form: str) -> float:
    """The least theta with no channel above theta times its bandwidth."""
    nodes, count = net.num_nodes, net.num_channels
    groups: dict[Any, list[tuple[int, int, float]]] = {}
    for (i, j), x in demands.matrices[0].items():
        ends = int(net.source[i]), int(net.sink[j])
        groups.setdefault(ends if form == "by pair" else ends[0], []).append((*ends, float(x)))
    one = np.ones(count)
    leaving = coo_array((one, (net.tail, np.arange(count))), shape=(nodes, count))
    entering = coo_array((one, (net.head, np.arange(count))), shape=(nodes, count))
    conserve = block_diag([leaving - entering] * len(groups))
    right = np.zeros((len(groups), nodes))
    for k, group in enumerate(groups.values()):
        for i, j, x in group:
            right[k, i] += x
            right[k, j] -= x
    equal = hstack([csr_array((conserve.shape[0], 1)), conserve]).tocsr()
    width = csr_array(np.array([[-float(x)] for x in net.bandwidth]))
    most = hstack([width, *[csr_array(np.eye(count))] * len(groups)]).tocsr()
    cost = np.zeros(equal.shape[1])
    cost[0] = 1.0
    found = linprog(cost, most, np.zeros(count), equal, right.ravel(), method="highs", options={"time_limit": _LIMIT_S})
    return float(found.fun) if found.fun is not None else float("nan")


def _kept(values: list[float], net: Network, demands: Hull, form: str) -> None:
    values.append(by_edges(net, demands, form))


def _best_flow(*, quick: bool) -> list[Row]:
    rows = []
    for text, forms in _CASES:
        net = network(f"{_ZOO / text},bandwidth=1" if text.endswith(".graphml") else text)
        demands = gravity(net)
        made = design_for_matrices(net, demands)
        ours = timed(partial(design_for_matrices, net, demands), quick=quick)
        value = "exact" if not made.gap else f"to {float(made.gap):.0e}"
        for form in forms:
            values: list[float] = []
            other = timed(partial(_kept, values, net, demands, form), quick=True)
            said = f"scipy / HiGHS, {form}: {values[0] / float(made.load):.9g} of ours"
            rows.append(Row(f"{text}, {net.num_nodes} nodes", ours, "10x", other, said, value))
    return rows


FLOW_CASES = {"best-flow": _best_flow}
