"""The best routing over a hose of uneven rates, against its linear program as one writes it with scipy and HiGHS.

    python benchmarks/run.py hose-abilene hose-nsfnet hose-geant2012 hose-cernet

Networks of the Internet Topology Zoo; every terminal sends at most a whole rate between 1 and 10 and receives at most
another one, so that there is no symmetry, not even reversal of paths.  Ours ends with a routing that is judged exactly
and adversaries that prove what no routing can beat; the other with floats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from cases import Row, timed
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, identity, kron, vstack

from routeproof import Network, network
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.rates import hose
from routeproof.optimum.design import Design
from routeproof.optimum.worst_case import design_worst_case

__all__ = ["HOSE_CASES", "HOSE_LONG"]

LIMIT_S = 300.0
_ZOO = Path(__file__).resolve().parent.parent / "tests" / "data" / "topology-zoo"
_AGREE = 1e-5
_TO = Fraction(1, 10**6)


def hose_of(net: Network) -> TransportSet:
    rng = np.random.default_rng(7)
    return hose(*(rng.integers(1, 11, net.num_terminals).tolist() for _ in range(2)))


def program(net: Network, demands: TransportSet, *, seconds: float) -> tuple[float | None, str]:
    """(the least load, what HiGHS says): all pairs and channels; for networks with one terminal a node."""
    nodes, count = net.num_nodes, net.num_channels
    assert np.array_equal(net.source, np.arange(nodes))
    pairs = [(i, j) for i in range(nodes) for j in range(nodes) if i != j]
    each = np.arange(count)
    leaving = csr_array((np.ones(count), (net.tail, each)), shape=(nodes, count))
    leaving -= csr_array((np.ones(count), (net.head, each)), shape=(nodes, count))
    unit = np.zeros((len(pairs), nodes))
    for k, (i, j) in enumerate(pairs):
        unit[k, i], unit[k, j] = 1.0, -1.0
    flows, potentials = len(pairs) * count, nodes * count
    right_of = [csr_array((np.ones(len(pairs)), (np.arange(len(pairs)), [x[side] for x in pairs])),
                          shape=(len(pairs), nodes)) for side in (0, 1)]  # fmt: skip
    nothing = csr_array((flows, 1))
    covered = hstack([identity(flows), *(-kron(x, identity(count)) for x in right_of), nothing])
    sends, receives = (np.array([[float(x) for x in y or ()]]) for y in (demands.sends, demands.receives))
    bandwidth = csr_array(np.array([[-float(x)] for x in net.bandwidth]))
    used = hstack([csr_array((count, flows)), kron(sends, identity(count)), kron(receives, identity(count)), bandwidth])
    balance = hstack([kron(identity(len(pairs)), leaving), csr_array((len(pairs) * nodes, 2 * potentials + 1))])
    cost = np.zeros(flows + 2 * potentials + 1)
    cost[-1] = 1.0
    found = linprog(
        cost, vstack([covered, used]).tocsr(), np.zeros(flows + count), balance.tocsr(), unit.ravel(),
        method="highs-ipm", options={"time_limit": seconds},
    )  # fmt: skip
    return (None, found.message.split(".")[0][:60]) if found.fun is None or found.status else (float(found.fun), "")


def _against_program(name: str, wanted: str, *, quick: bool) -> list[Row]:
    net = network(f"{_ZOO / name}.graphml,bandwidth=1")
    demands, kept = hose_of(net), dict[str, Any]()

    def ours() -> None:
        kept["design"] = design_worst_case(replace(net), demands=demands)

    def other() -> None:
        kept["program"] = program(net, demands, seconds=LIMIT_S)

    mine, theirs = timed(ours, quick=quick), timed(other, quick=True)
    made: Design = kept["design"]
    load, said = kept["program"]
    if made.gap > _TO:
        raise AssertionError(f"{name}: the interval is {float(made.gap):.1e} wide")
    if load is not None and abs(load / float(made.load) - 1) > _AGREE:
        raise AssertionError(f"{name}: {float(made.least_load)} to {float(made.load)}; HiGHS says {load}")
    how = "scipy / HiGHS interior point" + (f", stopped after {LIMIT_S:.0f} s: {said}" if load is None else "")
    case = f"hose design: {name} ({net.num_nodes} nodes, {net.num_channels} channels)"
    return [Row(case, mine, wanted, theirs, how, f"{float(made.load):g}, within {float(made.gap):.0e}")]


HOSE_CASES: dict[str, Callable[..., list[Row]]] = {
    f"hose-{x.lower()}": partial(_against_program, x, "60 s") for x in ("Abilene", "Nsfnet", "Geant2012", "Cernet")
}
HOSE_LONG = ("hose-geant2012", "hose-cernet")
