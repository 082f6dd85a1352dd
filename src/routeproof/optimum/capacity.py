"""Capacity of any network by linear programming, with evidence that needs no solver.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (6).  Uniform traffic is the same for all destinations, so the flows of
one source are one commodity: a variable for every class of (source, channel).  Their multipliers are lengths that
bound every routing (``worst.capacity``); flows and lengths meet at the optimum.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..claims.routings.capacity import CAPACITY
from ..core.arrays import Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import orbit_labels
from ..formats.documents.packed_ints import pack_ints
from ..lp.exact import ExactPoint, NotExactError, solve_exactly
from ..lp.program import Program, Triplets
from ..lp.solver import SolverError
from ..symmetry.automorphisms import generators_of
from ..symmetry.groups import OrbitTree, identity, stabiliser, tree
from .program.flow_program import bandwidth_unit

MOST_VARIABLES = 60_000
_MOST_CELLS = 1 << 23
# Some ten seconds; no time, so that all machines state the same.
_QUICK_VARIABLES, _QUICK_ITERATIONS = 20_000, 50_000


def capacity_by_program(
    network: Network, *, iterations: int | None = None, most_variables: int = MOST_VARIABLES
) -> Claim | None:
    """The exact capacity with its evidence; None where the network is too large, or the solution cannot be made exact
    (in ``iterations`` of the simplex method).
    """
    unit = bandwidth_unit(network)
    if unit is None or network.num_nodes * network.num_channels > _MOST_CELLS:
        return None
    generators = generators_of(network)[0]
    nodes = tree(generators, identity(network))
    count = network.num_channels
    focus = orbit_labels(count, [g.channel for g in generators])
    column: dict[int, Int64] = {}
    number = 1
    for r in nodes.representatives:
        if network.supply[r]:
            label = orbit_labels(count, [g.channel for g in stabiliser(nodes, generators, r)])
            names, index = np.unique(label, return_inverse=True)
            column[r] = index.astype(np.int64) + number
            number += len(names)
    if number > most_variables:
        return None
    program, load_row = _program(network, nodes, column, focus, number, unit)
    try:
        primal, dual = solve_exactly(program, iterations=iterations)
    except (NotExactError, SolverError):
        return None
    return _claim(network, nodes, column, focus, primal, dual, load_row)


def _program(
    network: Network, nodes: OrbitTree, column: dict[int, Int64], focus: npt.NDArray[np.int32], number: int, unit: int
) -> tuple[Program, dict[int, int]]:
    """Minimise the largest load per bandwidth (column 0) when every terminal sends one unit to every other."""
    entries = Triplets()
    bound: list[int] = []
    for r, columns in column.items():
        for v in range(network.num_nodes):
            if v != r:
                row = len(bound)
                entries.add(row, columns[network.head == v], 1)
                entries.add(row, columns[network.tail == v], -1)
                bound.append(int(network.supply[r] * network.demand[v]))
    equal = len(bound)
    load_row = {}
    for c in np.unique(focus).tolist():
        row = load_row[c] = len(bound)
        bound.append(0)
        entries.add(row, 0, int(network.bandwidth[c] * unit))
        for i in np.nonzero(network.supply)[0].tolist():
            entries.add(row, column[int(nodes.rep[i])][nodes.to[i].channel[c]], -unit)
    return entries.program(number, equal, bound), load_row


def _claim(
    network: Network,
    nodes: OrbitTree,
    column: dict[int, Int64],
    focus: npt.NDArray[np.int32],
    primal: ExactPoint,
    dual: ExactPoint,
    load_row: dict[int, int],
) -> Claim | None:
    worst = primal.fraction(0)
    members = np.bincount(focus, minlength=network.num_channels)
    share = {c: dual.fraction(row) / int(members[c]) for c, row in load_row.items()}
    scale = lcm(*(x.denominator for x in share.values()))
    lengths = {c: int(x * scale) for c, x in share.items()}
    if not worst or max(lengths.values()) * network.num_nodes >= 1 << 50 or int(max(primal.num)) >= 1 << 60:
        return None
    flows = np.zeros((network.num_nodes, network.num_channels), dtype=np.int64)
    for i in np.nonzero(network.supply)[0].tolist():
        rep = int(nodes.rep[i])
        flows[i] = primal.num[column[rep][nodes.to[i].channel]].astype(np.int64)
    classes = [
        {"length": length, "channels": np.nonzero(focus == c)[0].tolist()} for c, length in lengths.items() if length
    ]
    data: dict[str, Any] = {
        "lengths": {"kind": "explicit", "classes": classes},
        "flows": {"scale": str(primal.den), "flow": pack_ints(flows.ravel())},
    }
    source, value = "Towles, Dally & Boyd 2003 (SPAA), eq. 6", Fraction(network.num_terminals) / worst
    return CAPACITY.claim(value, data, source=source)


def capacity_if_possible(network: Network) -> Claim | None:
    """As ``capacity_by_program``, but quick."""
    try:
        return capacity_by_program(network, iterations=_QUICK_ITERATIONS, most_variables=_QUICK_VARIABLES)
    except InputError:
        return None
