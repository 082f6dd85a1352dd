"""The best routing for given matrices: exact where it can be made so, else an interval with both ends certified.

With one matrix this is maximum concurrent flow (Shahrokhi & Matula 1990, J. ACM 37; Leighton & Rao 1999, J. ACM 46):
the least maximum link utilisation that any routing reaches, were it made for this matrix alone.  Several matrices: the
oblivious routing whose largest utilisation under the worst of them is least.

The vertex that the search ends at is made exact: shares of all paths, and lengths of channels, as fractions.  The
program's coefficients are whole numbers once every path's amount is counted in units of what divides all rates of its
pair: for one matrix they are 0, 1 and -1, and bandwidths.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.network import Network
from ...core.rational import as_int_array
from ...core.spread import Stage, silent
from ...demand_sets.hull import Hull
from ...lp.exact import ExactPoint, NotExactError, basic_multipliers, basic_solution
from ...lp.program import Program, Triplets
from ...lp.rounding import rounded_down
from ...machine.deadlines import Deadline, held_interrupts, shown_gap
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...routing.path_sets.path_set import PathSet
from ...worst.demand_sets.matrices import worst_matrix
from ...worst.locality import average_path_length, minimal_average
from ..result import Design
from .master import Master
from .problem import Problem
from .rounding import MatrixBound, routing_of, shares_of, shortened
from .search import Found, search
from .tree_search import TreesFound, search_trees

_MOST_PAIRS = 40_000  # beyond, trees are looked for, and not paths
_MOST_ROWS = 60_000  # of a basis that is solved exactly
_HOP_BYTES, _PAIR_BYTES = 60, 1_500


def design_for_matrices(
    network: Network,
    demands: Hull,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    accuracy: float = 1e-9,
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> Design:
    """The routing whose largest load per bandwidth under the worst of the matrices is least.

    ``accuracy``: how near, relative to it, load and bound may come before the search ends; ``time_limit``: seconds,
    then what is certified by then is returned.  Raises InputError where some pair has no path,
    the matrices load nothing or are about other terminals, and where it would take more memory than there is; with
    ``shortest``, ``path_length`` and ``paths`` (see ``given_paths``) for networks that are too large for one program.
    """
    if paths is not None or shortest or path_length is not None:
        from .given_paths import design_on_paths

        return design_on_paths(
            network, demands, paths, shortest=shortest, path_length=path_length, time_limit=time_limit, stage=stage
        )
    step, deadline = stage or silent, Deadline(time_limit)
    size = f"the best flow on {network.name}, with {network.num_nodes:,} nodes,"
    check_memory(_bytes(network), size)
    problem = Problem.of(network, demands)
    by_trees = len(demands.matrices) == 1 and problem.num_pairs > _MOST_PAIRS
    with step("best flow") as show:
        tell = shown_gap(show, "best flow: {:,} rounds, gap {:.1e}")
        found = (search_trees if by_trees else search)(problem, deadline, accuracy=accuracy, tell=tell)
    routing: Routing
    with step("judging"), held_interrupts() as held:
        if isinstance(found, TreesFound):
            lengths, routing = list(rounded_down(found.lengths)[0]), found.routing(problem)
        else:
            share, lengths = _made_exact(found)
            routing = routing_of(found.master, share)
        bound = MatrixBound(network, demands, lengths)
        worst = worst_matrix(routing, demands)
        length = average_path_length(routing)
    return Design(
        None,
        routing,
        worst,
        bound,
        length,
        minimal_average(network),
        complete=found.complete and not held.happened,
        demands=demands,
    )


def _made_exact(found: Found) -> tuple[dict[int, Fraction], list[Any]]:
    """Shares and lengths of the vertex; near ones where the search was cut short or the vertex is not exact."""
    master = found.master
    if found.complete and master.solved and master.num_rows <= _MOST_ROWS:
        with suppress(NotExactError):
            vertex = exact_vertex(master)
            return vertex.share, shortened(vertex.lengths)
    return shares_of(master), list(rounded_down(found.lengths)[0])


def _bytes(network: Network) -> int:
    """Two or three paths for every pair of nodes, as objects and as loads."""
    pairs = int((network.supply > 0).sum()) * int((network.demand > 0).sum())
    far = 2.0 * network.num_nodes**0.5
    return int(pairs * (_PAIR_BYTES + 3 * far * _HOP_BYTES))


_LARGEST = 1 << 40  # of a coefficient


@dataclass(frozen=True, eq=False)
class Vertex:
    """``share``: by number of a path that came in, what part of its pair takes it, where positive; ``lengths``: whole
    numbers (K, C), Python's integers."""

    share: dict[int, Fraction]
    lengths: Sequence[Any]


def exact_vertex(master: Master) -> Vertex:
    """Raises NotExactError where the basis is none of an exact solution, or its numbers are too long."""
    program, proposal = exact_program(master), master.proposal()
    share = _shares(master, basic_solution(program, proposal))
    return Vertex(share, _lengths(master, basic_multipliers(program, proposal)))


def exact_program(master: Master) -> Program:
    """The master's program in whole numbers: column 0 is theta, column q + 1 the amount of path q."""
    problem, entries = master.problem, Triplets()
    width_unit = lcm(*(x.denominator for x in problem.network.bandwidth))
    width = [int(x * width_unit) for x in problem.network.bandwidth]
    width = [x // gcd(*width) for x in width]  # theta is only a scale
    common, base = problem.common, master.whole_base_loads()
    factor = [[rate // one for rate, one in zip(rates, common, strict=True)] for rates in problem.whole]
    if max(max(width), *map(max, factor)) > _LARGEST:
        raise NotExactError("the rates or bandwidths are too long")
    bound = [0] * master.num_rows
    for k, c in np.argwhere(master.row >= 0).tolist():
        row = int(master.row[k, c])
        entries.add(row, 0, width[c])
        bound[row] = base[k][c]
    for p in np.flatnonzero(master.pair_row >= 0).tolist():
        bound[int(master.pair_row[p])] = -common[p]
    pair, offset, channel = master.pool()
    entries.add(master.pair_row[pair], 1 + np.arange(len(pair)), -1)
    delta = master.difference(pair, offset, channel).tocoo()
    path, crossed, sign = delta.row.astype(np.int64), delta.col, delta.data.astype(np.int64)
    for rows, times in zip(master.row, np.array(factor, dtype=np.int64), strict=True):
        known = rows[crossed] >= 0
        entries.add(rows[crossed][known], 1 + path[known], -(sign * times[pair[path]])[known])
    num_columns = 1 + len(pair)
    cost = np.zeros(num_columns, dtype=np.int64)
    cost[0] = 1
    return Program(num_columns, 0, *entries.summed(len(bound), num_columns), as_int_array(bound), cost, {})


def _shares(master: Master, point: ExactPoint) -> dict[int, Fraction]:
    pair, _, _ = master.pool()
    share: dict[int, Fraction] = {}
    taken: dict[int, Fraction] = {}
    for q in np.flatnonzero(point.num[1:]).tolist():
        p = int(pair[q])
        share[q] = part = point.fraction(1 + q) / master.problem.common[p]
        taken[p] = taken.get(p, Fraction(0)) + part
        if part < 0 or taken[p] > 1:
            raise NotExactError("the basis violates a constraint")
    return share


def _lengths(master: Master, price: ExactPoint) -> list[Any]:
    lengths = [np.where(row >= 0, price.num[row], 0) for row in master.row]
    if min(x.min() for x in lengths) < 0:
        raise NotExactError("a length is negative")
    return lengths
