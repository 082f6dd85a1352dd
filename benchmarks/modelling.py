"""Program (8) of Towles, Dally & Boyd 2003 as one would write it with cvxpy: the whole network, no symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse

from routeproof import Network


@dataclass(frozen=True)
class Modelled:
    """What the solver says: the best worst-case load and, at 1 + 1e-6 of it, the shortest average path.  ``status`` is
    "optimal", or why one of them is missing (or is not quite optimal)."""

    load: float | None
    hops: float | None
    status: str


def design_with_cvxpy(net: Network, solver: str, *, seconds: float) -> Modelled:
    """Flows of every pair over every channel; potentials of sources and destinations for every channel."""
    import cvxpy as cp

    n, count = net.num_nodes, net.num_channels
    incidence = sparse.csr_array(
        (np.r_[np.ones(count), -np.ones(count)], (np.r_[net.tail, net.head], np.r_[: 2 * count] % count)),
        shape=(n, count),
    )
    pairs = np.arange(n * n)
    of_source = sparse.csr_array((np.ones(n * n), (pairs, pairs // n)), shape=(n * n, n))
    of_destination = sparse.csr_array((np.ones(n * n), (pairs, pairs % n)), shape=(n * n, n))
    bandwidth = np.array([float(x) for x in net.bandwidth])
    flow = cp.Variable((n * n, count), nonneg=True)
    source, destination = cp.Variable((n, count)), cp.Variable((n, count))
    load = cp.Variable()
    rules = [
        flow @ incidence.T == (of_source - of_destination).toarray(),
        flow <= of_source @ source + of_destination @ destination,
        cp.sum(source, axis=0) + cp.sum(destination, axis=0) <= load * bandwidth,
    ]
    options: dict[str, Any] = {"time_limit": seconds}
    hops = cp.sum(flow) / n**2
    try:
        best = cp.Problem(cp.Minimize(load), rules)
        best.solve(solver=solver, **options)
        if best.status not in _SOLVED:
            return Modelled(None, None, best.status)
        found = float(load.value)
        shortest = cp.Problem(cp.Minimize(hops), [*rules, load <= found * (1 + 1e-6)])
        shortest.solve(solver=solver, **options)
    except cp.SolverError as error:
        return Modelled(None, None, str(error).split(".")[0])
    return Modelled(found, float(hops.value) if shortest.status in _SOLVED else None, shortest.status)


_SOLVED = ("optimal", "optimal_inaccurate")
