"""The exact curve of path length against worst-case load: every routing lies on it or above.

The curve is convex and made of straight pieces.  Where two of its points are known, the program that minimises
the weighted sum of load and length whose level lines run through both either finds nothing below them, and then the
piece between them is straight and its multipliers prove it for all routings, or finds a point further down.  So
each breakpoint and each piece costs about one program.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.1 and Figure 1, who solve for a series of path lengths instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from ..analysis.locality import average_path_length, minimal_average
from ..analysis.worst_case import WorstCase, worst_case
from ..core.errors import InputError
from ..core.network import Network
from ..routing.symmetric import SymmetricRouting
from .adversary import Adversary, adversary_from_exact
from .checkpoint import Checkpoint
from .exact import ExactPoint, NotExactError, exact_dual, exact_primal
from .flows import routing_from_exact
from .highs import Proposal, check_solver, solve
from .linear import Program
from .orbits import reduce
from .program import WorstCaseProgram, with_most_hops, worst_case_program

__all__ = ["Breakpoint", "Tradeoff", "worst_case_tradeoff"]

Report = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Breakpoint:
    """A corner of the curve: ``routing`` has the worst-case load ``load`` and the average path length ``length``, and
    by ``adversary`` no routing with at most that load has shorter paths."""

    load: Fraction
    length: Fraction
    routing: SymmetricRouting
    worst: WorstCase
    adversary: Adversary


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """The corners, from the best worst case to the shortest paths; between them the curve is straight."""

    network: Network
    minimal: Fraction
    points: list[Breakpoint]

    def least_length(self, load: Fraction) -> Fraction | None:
        """The shortest average path that a worst-case load of ``load`` allows; None below the best worst case."""
        if load < self.points[0].load:
            return None
        for a, b in zip(self.points, self.points[1:], strict=False):
            if load <= b.load:
                return a.length + (b.length - a.length) * (load - a.load) / (b.load - a.load)
        return self.points[-1].length


@dataclass(frozen=True, eq=False)
class _Vertex:
    load: Fraction
    hops: Fraction
    point: ExactPoint


def worst_case_tradeoff(
    network: Network, *, symmetry: str = "auto", checkpoint: str | None = None, progress: Report | None = None
) -> Tradeoff:
    """All corners of the curve, exactly.

    ``checkpoint``: a file that keeps every solved program, so that a run that was killed goes on where it stopped.
    ``progress(done, total)`` is called with programs solved and known to be needed.  Raises InputError where the solver
    is missing, the network is too large or not connected, or a corner cannot be made exact.
    """
    check_solver()
    model = worst_case_program(reduce(network, symmetry=symmetry))
    try:
        return _curve(model, Checkpoint(checkpoint, model.program), progress)
    except NotExactError as error:
        raise InputError(f"the curve of {network.name} could not be made exact: {error}") from None


def _curve(model: WorstCaseProgram, kept: Checkpoint, progress: Report | None) -> Tradeoff:
    network = model.reduction.network
    squared = network.num_terminals**2
    minimal = minimal_average(network)
    first = _vertex(model, kept.solve("load", model.program, solve), model.program)
    program = model.program.asking(model.hops, {0: first.load})
    left = _vertex(model, kept.solve("load, then length", program, solve), program)
    program, _ = with_most_hops(model, minimal * squared)
    right = _vertex(model, kept.solve("length, then load", program, solve), program)
    done, known = 3, 4
    pieces: list[tuple[_Vertex, _Vertex, Adversary]] = []
    todo = [(left, right)] if left.hops > right.hops else []
    if not todo:  # shortest paths have the best worst case
        program = _asking(model, 0, 1)
        pieces.append((left, left, _adversary(model, program, solve(program), 1)))
    while todo:
        a, b = todo.pop()
        across, down = _weights(a, b)
        program = _asking(model, across, down)
        proposal = kept.solve(f"{across}, {down}", program, solve)
        found = _vertex(model, proposal, program)
        done += 1
        level = across * a.load + down * a.hops
        if across * found.load + down * found.hops < level:
            todo += [(found, b), (a, found)]
            known += 2
        else:
            pieces.append((a, b, _adversary(model, program, proposal, down)))
        if progress is not None:
            progress(done, known)
    return Tradeoff(network, minimal, _corners(model, pieces, squared))


def _asking(model: WorstCaseProgram, across: int, down: int) -> Program:
    """Minimise ``across`` times the load plus ``down`` times the hops of all pairs."""
    cost = model.hops * down
    cost[0] = across
    return model.program.asking(cost, {})


def _weights(a: _Vertex, b: _Vertex) -> tuple[int, int]:
    """Whole weights of load and hops under which ``a`` and ``b`` are equally good."""
    across, down = a.hops - b.hops, b.load - a.load
    scale = lcm(across.denominator, down.denominator)
    x, y = int(across * scale), int(down * scale)
    common = gcd(x, y)
    x, y = x // common, y // common
    if max(x, y) >= 1 << 40:
        raise NotExactError("the slope of a piece is too long a fraction")
    return x, y


def _vertex(model: WorstCaseProgram, proposal: Proposal, program: Program) -> _Vertex:
    point = exact_primal(program, proposal)
    at = np.nonzero(model.hops)[0]
    total = sum(int(h) * int(x) for h, x in zip(model.hops[at], point.num[at], strict=True))
    return _Vertex(point.fraction(0), Fraction(total, point.den), point)


def _adversary(model: WorstCaseProgram, program: Program, proposal: Proposal, hops: int) -> Adversary:
    made = adversary_from_exact(model, exact_dual(program, proposal), hops=Fraction(hops))
    if made is None:
        raise NotExactError("its multipliers are too long")
    return made


def _corners(
    model: WorstCaseProgram, pieces: list[tuple[_Vertex, _Vertex, Adversary]], squared: int
) -> list[Breakpoint]:
    """The corners of the pieces from left to right, each with a line that touches it."""
    pieces.sort(key=lambda piece: piece[0].load)
    ends: list[tuple[_Vertex, Adversary]] = [(pieces[0][0], pieces[0][2])]
    slope: Fraction | None = None
    for a, b, line in pieces:
        if a is b:
            break
        own = (a.hops - b.hops) / (b.load - a.load)
        if own == slope:  # a point in the middle of a straight piece
            ends.pop()
        ends.append((b, line))
        slope = own
    result = []
    for vertex, line in ends:
        routing = routing_from_exact(model.reduction, model.flow, vertex.point)
        worst, length = worst_case(routing), average_path_length(routing)
        if worst.load > vertex.load or length * squared > vertex.hops:
            raise NotExactError("a corner's routing is worse than its program says")
        if line.line.least_path_length(worst.load) != length:
            raise NotExactError("a corner's multipliers prove less than its program says")
        result.append(Breakpoint(worst.load, length, routing, worst, line))
    return result
