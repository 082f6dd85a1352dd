"""The best routing for given matrices among those with the paths of a set, or with short paths: one program for all.

    minimise w,  bandwidth(c) w >= sum over pairs of D_k(i, j) * flow of c from i to j   for every channel c, matrix k,

with flows that are weighted paths of the set (or, for all paths, or all shortest ones, flows on their channels).  The
multipliers of channel c and matrix k are the lengths l_k(c) of ``kernel.gauges``.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ...core.arrays import Float64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import as_int_array
from ...core.spread import Stage, silent
from ...demand_sets.hull import Hull
from ...lp.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from ...lp.program import Program, Triplets, solve
from ...lp.rounding import rounded_down
from ...lp.solver import Proposal
from ...machine.deadlines import Deadline
from ...routing.path_sets.path_set import PathSet
from ...symmetry.pair_classes import reduce
from ...worst.locality import average_path_length
from ...worst.over import worst_over
from ..program.flow_program import FlowProgram, flow_columns, flow_rows, hop_cost, length_bound, needed_unit
from ..program.path_variables import designed_name
from ..program.worst_case import check_flows
from ..result import Design
from .problem import Problem
from .rounding import MatrixBound

_FINE = 1 << 30  # rates are rounded to whole parts of the largest one where they need more
_MOST_BITS = 126  # evidence packs integers of 128 bits
_LEAST_TIME = 1.0
_MOST_FLOWS = 200_000  # over all paths: some ten seconds
_ROOM = Fraction(1, 10**7)


def design_on_paths(
    network: Network,
    demands: Hull,
    paths: PathSet | None,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> Design:
    """As ``design_for_matrices``, with the ``paths`` of a set, or with all paths (None); ``shortest`` and
    ``path_length`` as in ``design_worst_case``.  Exact where rates and multipliers are short enough, else an
    interval."""
    step, deadline = stage or silent, Deadline(time_limit)
    minimal, most_length = length_bound(network, path_length)
    with step("program"):
        asked = _Asked(network, demands, paths)
    program, per_hop = asked.model.within(most_length)
    with step("worst case"):
        first = _Solved(program, deadline)
        bound = asked.bound(first, hops=per_hop, own=0)
    second = most = None
    if shortest:
        near = Fraction(float(first.proposal.x[0])) * (1 + _ROOM)
        most = near if first.primal is None or first.dual is None else first.primal.fraction(0)
        with step("path length"):
            second = _Solved(program.asking(asked.model.hops, {0: most}), deadline)
    with step("judging"):
        last = second or first
        name = designed_name(paths)
        if last.primal is not None:
            routing = asked.model.routing(last.primal, name)
        else:
            routing = asked.model.routing_from_floats(last.proposal.x, name)
        worst = worst_over(routing, demands)
    return Design(
        asked.model.reduction,
        routing,
        worst,
        bound,
        average_path_length(routing),
        minimal,
        most_length,
        None if second is None else asked.bound(second, hops=per_hop, own=1),
        None if second is None else worst.load,
        complete=not deadline.over,
        demands=demands,
    )


class _Solved:
    """One program's answer, exact where it could be made so."""

    def __init__(self, program: Program, deadline: Deadline) -> None:
        self.proposal: Proposal = solve(program, seconds=deadline.left(_LEAST_TIME))
        self.primal: ExactPoint | None = None
        self.dual: ExactPoint | None = None
        with suppress(NotExactError):
            self.primal, self.dual = exact_primal(program, self.proposal), exact_dual(program, self.proposal)


class _Asked:
    """The program, its rows of loads (``row[k][c]``, -1 where matrix k loads nothing), and what a rate 1 is in it."""

    def __init__(self, network: Network, demands: Hull, paths: PathSet | None) -> None:
        self.network, self.demands, self.paths = network, demands, paths
        problem = Problem.of(network, demands)
        flows = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand)) * network.num_channels
        if paths is None and flows > _MOST_FLOWS:
            raise InputError(
                f"path lengths over {demands.text} take one program of all flows, {flows:,} on {network.name}; at most "
                f"{_MOST_FLOWS:,} are tried: leave --then and --path-length out, or give --paths, such as ksp:4"
            )
        top = max(x for row in problem.whole for x in row)
        fine = top if top <= _FINE else _FINE
        self.scale = Fraction(problem.unit * fine, top)
        reduction = reduce(network, symmetry="none", within=paths)
        flow, size = flow_columns(reduction, 1, paths)
        check_flows(network, size - 1)
        entries = Triplets()
        bound, variables, size = flow_rows(reduction, flow, paths, size, entries)
        equal = next_row = len(bound)
        self.wide = needed_unit(network)
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
                entries.add(self.row[k, at], columns[at], -whole * self.wide)
            used = np.flatnonzero(self.row[k] >= 0)
            entries.add(self.row[k, used], 0, [int(network.bandwidth[c] * self.wide) for c in used.tolist()])
        if self.wide * fine * max(float(b) for b in network.bandwidth) >= 2.0**62:
            raise InputError(
                f"the bandwidths of {network.name} are too long for a program: {network.longest_bandwidth}"
            )
        program = entries.program(size, equal, bound + [0] * (next_row - equal))
        self.model = FlowProgram(reduction, program, flow, hop_cost(reduction, flow, size), variables, paths)

    def bound(self, solved: _Solved, *, hops: Fraction, own: int) -> MatrixBound:
        """Lengths of the multipliers; a hop costs ``own``, and ``hops`` times what its bound is worth."""
        factor = self.wide * self.scale
        used = self.row >= 0
        if solved.dual is not None:
            each = own + (hops * solved.dual.fraction(-1) if hops else 0)
            y = solved.dual
            values = [[factor * y.fraction(r) if r >= 0 else Fraction(0) for r in row] for row in self.row.tolist()]
            common = lcm(each.denominator, *(x.denominator for row in values for x in row))
            top = max(int(x * common) for row in values for x in row)
            if max(top, int(each * common)).bit_length() <= _MOST_BITS:
                exact = [as_int_array([int(x * common) for x in row]) for row in values]
                return self._lines(exact, int(each * common))
        near: Float64 = np.where(used, np.maximum(solved.proposal.y[np.maximum(self.row, 0)], 0.0), 0.0) * float(factor)
        about = own + (float(hops) * max(0.0, float(solved.proposal.y[-1])) if hops else 0.0)
        whole, fine = rounded_down(near, beside=about)
        return self._lines(list(whole), int(about * fine))

    def _lines(self, lengths: Sequence[Any], hops: int) -> MatrixBound:
        return MatrixBound(self.network, self.demands, lengths, hops=hops, paths=self.paths)
