"""The best routing for given matrices: exact where it can be made so, else an interval with both ends certified.

With one matrix this is maximum concurrent flow (Shahrokhi & Matula 1990, J. ACM 37; Leighton & Rao 1999, J. ACM 46):
the least maximum link utilisation that any routing reaches, were it made for this matrix alone.  Several matrices: the
oblivious routing whose largest utilisation under the worst of them is least.

Among the paths of a set, or with short paths, one program holds all flows:

    minimise w,  bandwidth(c) w >= sum over pairs of D_k(i, j) * flow of c from i to j   for every channel c, matrix k,

with flows that are weighted paths of the set (or, for all paths, or all shortest ones, flows on their channels).  The
multipliers of channel c and matrix k are the lengths l_k(c) of ``kernel.gauges``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import as_int_array
from ...core.spread import Stage, silent
from ...demand_sets.hull import Hull
from ...lp.exact import Triplets, rounded_down
from ...machine.deadlines import Deadline, held_interrupts, shown_gap
from ...machine.memory import check_memory
from ...routing.path_sets.path_set import PathSet
from ...symmetry.pair_classes import reduce
from ...worst.demand_sets.matrices import worst_matrix
from ...worst.locality import average_path_length, minimal_average
from ..design import Bound, Design, designed
from ..program.flow_program import FlowProgram, flow_columns, flow_rows, hop_cost, length_bound, needed_unit
from ..program.path_variables import designed_name
from ..program.simplex import ROOM, Simplex
from ..program.worst_case import check_flows
from .problem import Problem
from .rounding import MOST_BITS, MatrixBound
from .search import PathGeneration
from .tree_search import TreeGeneration

_MOST_PAIRS = 40_000  # beyond, trees are looked for, and not paths
_HOP_BYTES, _PAIR_BYTES = 60, 1_500
_FINE = 1 << 30  # rates are rounded to whole parts of the largest one where they need more
_MOST_FLOWS = 200_000  # over all paths: some ten seconds


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
    proved: Callable[[Bound], None] | None = None,
) -> Design:
    """The routing whose largest load per bandwidth under the worst of the matrices is least.

    ``accuracy``: how near, relative to it, load and bound may come before the search ends; ``time_limit``: seconds,
    then what is certified by then is returned; ``shortest``, ``path_length``, ``paths``, ``proved``: as in
    ``design_worst_case``.
    Raises InputError where some pair has no path, the matrices load nothing or are about other terminals, and where it
    would take more memory than there is; with the latter three for networks that are too large for one program.
    """
    step, deadline = stage or silent, Deadline(time_limit)
    if paths is not None or shortest or path_length is not None:
        _, most_length = length_bound(network, path_length)
        with step("program"):
            method = _OverMatrices(network, demands, paths, most_length, deadline)
        return designed(method, shortest=shortest, stage=step, proved=proved)
    check_memory(_bytes(network), f"the best flow on {network.name}, with {network.num_nodes:,} nodes,")
    problem = Problem.of(network, demands)
    by_trees = len(demands.matrices) == 1 and problem.num_pairs > _MOST_PAIRS
    with step("best flow") as show:
        found = (TreeGeneration if by_trees else PathGeneration)(problem, deadline, accuracy)
        found.search(shown_gap(show, "best flow: {:,} rounds, gap {:.1e}"))
    with step("judging"), held_interrupts() as held:
        routing, lengths = found.answer()
        bound = MatrixBound(network, demands, lengths)
        if proved is not None:
            proved(bound)
        worst = worst_matrix(routing, demands)
        length = average_path_length(routing)
    complete, minimal = found.complete and not held.happened, minimal_average(network)
    return Design(None, routing, worst, bound, length, minimal, complete=complete, demands=demands)


def _bytes(network: Network) -> int:
    """Two or three paths for every pair of nodes, as objects and as loads."""
    pairs = int((network.supply > 0).sum()) * int((network.demand > 0).sum())
    far = 2.0 * network.num_nodes**0.5
    return int(pairs * (_PAIR_BYTES + 3 * far * _HOP_BYTES))


class _OverMatrices(Simplex):
    """The program, its rows of loads (``row[k][c]``, -1 where matrix k loads nothing), and what a rate 1 is in it."""

    most_columns = _MOST_FLOWS

    def __init__(
        self, network: Network, demands: Hull, paths: PathSet | None, most_length: Fraction | None, deadline: Deadline
    ) -> None:
        self.hull = demands
        problem = Problem.of(network, demands)
        flows = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand)) * network.num_channels
        if paths is None and flows > _MOST_FLOWS:
            raise InputError(
                f"path lengths over {demands.text} take one program of all flows, {flows:,} on {network.name}; at most "
                f"{_MOST_FLOWS:,} are tried: leave --then and --path-length out, or give --paths, such as ksp:4"
            )
        top = max(x for row in problem.whole for x in row)
        fine = min(top // gcd(*(x for row in problem.whole for x in row)), _FINE)
        self.scale = Fraction(problem.unit * fine, top)
        reduction = reduce(network, symmetry="none", within=paths)
        flow, size = flow_columns(reduction, 1, paths)
        check_flows(network, size - 1)
        entries = Triplets()
        bound, variables, size = flow_rows(reduction, flow, paths, size, entries)
        equal = next_row = len(bound)
        unit = needed_unit(network)
        width = [int(b * unit) for b in network.bandwidth]
        common = gcd(*width)  # the program is the same in bits and in gigabits per second
        if max(width) // common >= 1 << 32:
            raise InputError(
                f"the bandwidths of {network.name} are too long for a program: {network.longest_bandwidth}"
            )
        place = {(p.source, p.destination): columns for p, columns in zip(reduction.pairs, flow, strict=True)}
        self.row = np.full((len(problem.whole), network.num_channels), -1, dtype=np.int64)
        for k, rates in enumerate(problem.whole):
            for p, rate in enumerate(rates):
                whole = rate * fine // top
                if not whole:
                    continue
                i, j = problem.pair[:, p].tolist()
                columns = place[i, j]
                at = np.flatnonzero(columns >= 0)
                new = at[self.row[k, at] < 0]
                self.row[k, new] = next_row + np.arange(len(new))
                next_row += len(new)
                entries.add(self.row[k, at], columns[at], -whole)
            used = np.flatnonzero(self.row[k] >= 0)
            entries.add(self.row[k, used], 0, [width[c] // common for c in used.tolist()])
        program = entries.program(size, equal, bound + [0] * (next_row - equal))
        model = FlowProgram(reduction, program, flow, hop_cost(reduction, flow, size), variables, paths)
        super().__init__(model, demands, designed_name(paths), most_length, deadline)

    def shorten(self, least: Fraction, show: object) -> bool:  # noqa: ARG002  # rates may be rounded in the program
        proposal, primal, dual = self.found[-1]
        near = Fraction(float(proposal.x[0])) * (1 + ROOM)
        most = near if primal is None or dual is None else primal.fraction(0)
        second = self.solved(self.program.asking(self.model.hops, {0: most}))
        if second is None:
            return False
        self.found.append(second)
        self.own = 1
        return True

    def bound(self) -> MatrixBound:
        """Lengths of the multipliers; a hop costs ``own``, and what its bound is worth."""
        factor, hops, (proposal, _, y) = self.scale, self.per_hop, self.found[-1]
        if y is not None:
            each = self.own + (hops * y.fraction(-1) if hops else 0)
            values = [[factor * y.fraction(r) if r >= 0 else Fraction(0) for r in row] for row in self.row.tolist()]
            common = lcm(each.denominator, *(x.denominator for row in values for x in row))
            top = max(int(x * common) for row in values for x in row)
            if max(top, int(each * common)).bit_length() <= MOST_BITS:
                return self._lines([as_int_array([int(x * common) for x in row]) for row in values], int(each * common))
        near = np.where(self.row >= 0, np.maximum(proposal.y[np.maximum(self.row, 0)], 0.0), 0.0) * float(factor)
        beside = self.own + (float(hops) * max(0.0, float(proposal.y[-1])) if hops else 0.0)
        whole, fine = rounded_down(near, beside=beside)
        return self._lines(list(whole), int(beside * fine))

    def _lines(self, lengths: Sequence[Any], hops: int) -> MatrixBound:
        return MatrixBound(self.model.reduction.network, self.hull, lengths, hops=hops, paths=self.model.allowed)
