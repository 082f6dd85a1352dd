"""The worst-case program on any network, reduced by symmetry.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10), in the potentials of conventions.md: for every channel class
one focus channel c, potentials a, b >= 0 with

    flow of c from i to j <= a(i, c) + b(j, c)   and   sum_i s_i a(i, c) + sum_j d_j b(j, c) <= bandwidth(c) * w,

where s_i, d_j count the terminals at a node.  The program has one flow variable for every class of (source,
destination, channel), one potential for every class of (node, channel), and w.
"""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...routing.path_sets.path_set import PathSet
from .flow_program import FlowProgram, flow_columns, flow_rows, hop_cost, needed_unit
from .linear import Triplets
from .orbits import Reduction

MOST_COLUMNS = 3_000_000


def worst_case_program(reduction: Reduction, allowed: PathSet | None = None) -> FlowProgram:
    """Minimise w, over the routings with ``allowed`` paths if given.  Raises InputError where the program would not fit
    in memory."""
    network = reduction.network
    if reduction.num_flows > MOST_COLUMNS:
        gigabytes = reduction.num_flows * 600 / 10**9
        raise InputError(
            f"the program for {network.name} has {reduction.num_flows:,} flow variables (about {gigabytes:.1f} GB); "
            f"at most {MOST_COLUMNS:,} are tried"
        )
    flow, first_potential = flow_columns(reduction, 1, allowed)
    used = np.full(reduction.num_potentials, -1, dtype=np.int64)
    sides = [(reduction.row_potential(p.source), reduction.column_potential(p.destination)) for p in reduction.pairs]
    for (row, column), columns in zip(sides, flow, strict=True):
        used[row[columns >= 0]] = 0
        used[column[columns >= 0]] = 0
    num_live = int(np.count_nonzero(used == 0))
    used[used == 0] = first_potential + np.arange(num_live)
    entries = Triplets()
    bound, paths, num_columns = flow_rows(reduction, flow, allowed, first_potential + num_live, entries)
    num_equal = next_row = len(bound)
    match = []
    for (row, column), columns in zip(sides, flow, strict=True):
        names, first, index = np.unique(columns, return_index=True, return_inverse=True)
        live = names >= 0
        row_of = np.where(live, next_row + np.cumsum(live) - 1, -1)
        match.append(row_of[index])
        first, rows = first[live], row_of[live]
        next_row += len(rows)
        entries.add(rows, columns[first], -1)
        entries.add(rows, used[row[first]], 1)
        entries.add(rows, used[column[first]], 1)
    unit = needed_unit(network, times=network.num_terminals, instead=" (design: or --solver interior)")
    focus = np.unique(reduction.focus)
    row_ids, column_ids = reduction.potentials_on(focus)
    for k, c in enumerate(focus.tolist()):
        entries.add(next_row, 0, int(network.bandwidth[c] * unit))
        for ids, count in ((row_ids[:, k], network.supply), (column_ids[:, k], network.demand)):
            at = used[ids]
            take = (at >= 0) & (count > 0)
            entries.add(next_row, at[take], -count[take] * unit)
        next_row += 1
    program = entries.program(num_columns, num_equal, bound + [0] * (next_row - num_equal))
    return FlowProgram(reduction, program, flow, hop_cost(reduction, flow, num_columns), paths, allowed, match)
