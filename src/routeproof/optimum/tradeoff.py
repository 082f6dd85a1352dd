"""The exact curve of path length against worst-case load: every routing lies on it or above.

The curve is convex and made of straight pieces.  Where two of its points are known, the program that minimises
the weighted sum of load and length whose level lines run through both either finds nothing below them, and then the
piece between them is straight and its multipliers prove it for all routings, or finds a point further down.  So
each breakpoint and each piece costs about one program.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.1 and Figure 1, who solve for a series of path lengths instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Progress
from ..demand_sets.transport import TransportSet
from ..formats.demands.description import demands_from_description, describe_demands
from ..lp.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from ..lp.program import Program, solve
from ..lp.solver import Proposal
from ..routing.classes.path_classes import ClassLoads, SymmetricRouting
from ..symmetry.pair_classes import check_nodes, reduce
from ..worst.locality import average_path_length, minimal_average
from ..worst.over import worst_over
from ..worst.scan.evidence import worst_case_claims
from ..worst.scan.spread import network_described, network_made_again
from .adversary import Adversary, adversary_from_exact
from .checkpoint import Checkpoint
from .program.flow_program import FlowProgram, idle_hops
from .program.flows import classes_from_exact, description_of_classes, routing_from_classes, routing_from_exact
from .program.worst_case import worst_case_program

if TYPE_CHECKING:
    from ..engine import Engine


@dataclass(frozen=True, eq=False)
class Breakpoint:
    """A corner of the curve: ``routing`` has the worst-case load ``load`` (by ``evidence``, {kind: data}) and the
    average path length ``length``, and by ``adversary`` no routing with at most that load has shorter paths."""

    load: Fraction
    length: Fraction
    classes: Sequence[ClassLoads] = field(repr=False)
    evidence: Mapping[str, Any]
    adversary: Adversary

    @cached_property
    def routing(self) -> SymmetricRouting:
        """Made when it is asked for: a curve has many corners, and a table of loads for each takes time and room."""
        return routing_from_classes(self.adversary.reduction, self.classes)

    def description(self) -> dict[str, Any]:
        """As ``describe_routing(routing)``."""
        return description_of_classes(self.adversary.reduction, self.classes)


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """The corners, from the best worst case to the shortest paths; between them the curve is straight.

    ``demands``: the set over which the worst case is meant; None: permutations."""

    network: Network
    minimal: Fraction
    points: list[Breakpoint]
    demands: TransportSet | None = None

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
    network: Network,
    *,
    checkpoint: str | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    demands: TransportSet | None = None,
) -> Tradeoff:
    """All corners of the curve, exactly.

    - ``demands``: the worst case is over this set, by default over permutations;
    - ``checkpoint``: a file that keeps every solved program, so that a run that was killed goes on where it stopped;
    - ``engine``: instead, who solves programs and judges corners (several processes, a run directory).

    ``progress(done, total)`` is called with pieces of work done and known to be needed: programs, then corners.  Raises
    InputError where the network is too large or not connected, or a corner cannot be made exact.
    """
    if engine is not None and checkpoint is not None:
        raise InputError("a checkpoint file and an engine were both given; the engine keeps its own run directory")
    check_nodes(network)
    ready = _ready(network, demands)
    try:
        return _curve(ready, _Worker(ready, checkpoint, engine), progress)
    except NotExactError as error:
        raise InputError(
            f"the curve of {network.name} could not be made exact: {error}; design --path-length X finds single points"
        ) from None


@dataclass(frozen=True, eq=False)
class Ready:
    """The program of the worst case over ``demands``, None standing for permutations."""

    model: FlowProgram
    demands: TransportSet | None


def _ready(network: Network, demands: TransportSet | None) -> Ready:
    return Ready(worst_case_program(reduce(network, demands=demands)), demands)


@dataclass(frozen=True)
class _Ask:
    """Minimise ``across`` times the load plus ``down`` times the hops of all pairs, within limits on either."""

    name: str
    across: int
    down: int
    most_load: Fraction | None = None
    most_length: Fraction | None = None

    def program(self, model: FlowProgram) -> Program:
        program, _ = model.within(self.most_length)
        cost = model.hops * self.down
        cost[0] += self.across
        return program.asking(cost, {} if self.most_load is None else {0: self.most_load})


class _Worker:
    """Solves and judges in this process, one after the other, or hands programs and corners to an engine; whatever
    comes back is judged here like anything else."""

    def __init__(self, ready: Ready, checkpoint: str | None, engine: Engine | None) -> None:
        self.ready, self.model, self.engine, self.rounds = ready, ready.model, engine, 0
        self.kept = Checkpoint(checkpoint, self.model.program)
        self.shared = {"subject": network_described(self.model.reduction.network)}
        if ready.demands is not None:
            self.shared["demands"] = describe_demands(ready.demands)

    def solve(self, asked: Sequence[_Ask]) -> list[Proposal]:
        if self.engine is None:
            return [self.kept.solve(x.name, x.program(self.model), solve) for x in asked]
        from ..engine import Work

        self.rounds += 1
        pieces = {x.name: {"asked": asdict(x)} for x in asked}
        work = Work(f"programs {self.rounds}", solve_weights, pieces, shared=self.shared, prepare=prepare)
        results = self.engine.run(work)
        return [Checkpoint.read_basis(results[x.name], x.program(self.model)) for x in asked]

    def judge(self, vertices: Sequence[_Vertex], done: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        pieces: dict[str, dict[str, Any]] = {
            str(v.load): {"num": [int(x) for x in v.point.num], "den": v.point.den} for v in vertices
        }
        if self.engine is None:
            for k, piece in enumerate(pieces.values(), 1):
                yield judge_corner(self.ready, **piece)
                done(k)
            return
        from ..engine import Work

        work = Work("corners", judge_corner, pieces, shared=self.shared, prepare=prepare, seconds=0.3 * len(pieces))
        results = self.engine.run(work, progress=lambda k, _: done(k))
        yield from (results[str(v.load)] for v in vertices)


def prepare(subject: Mapping[str, Any], demands: Mapping[str, Any] | None = None) -> Ready:
    """What every worker needs: the program of the worst case, over ``demands`` as ``describe_demands`` wrote them."""
    network = network_made_again(subject)
    made = None if demands is None else demands_from_description(demands, network.num_terminals)
    return _ready(network, None if made is None else made.transport)


def solve_weights(ready: Ready, asked: Mapping[str, Any]) -> list[str]:
    """One piece: the basis that solves what is ``asked`` (fields of ``_Ask``), packed."""
    return Checkpoint.basis_of(solve(_Ask(**asked).program(ready.model)))


def judge_corner(ready: Ready, num: list[int], den: int) -> dict[str, Any]:
    """One piece: the exact worst case and path length of a corner's routing."""
    routing = routing_from_exact(ready.model.reduction, ready.model.flow, ExactPoint.of(num, den))
    worst = worst_over(routing, ready.demands)
    found = worst_case_claims(worst)[0].evidence
    length = average_path_length(routing)
    return {"load": worst.load, "length": length, "evidence": {found.kind: dict(found.data)}}


def _curve(ready: Ready, worker: _Worker, progress: Progress | None) -> Tradeoff:
    model = ready.model
    network = model.reduction.network
    minimal = minimal_average(network)
    ends = [_Ask("load", 1, 0), _Ask("length, then load", 1, 0, most_length=minimal)]
    proposals = worker.solve(ends)
    first, right = (_vertex(model, x, y.program(model)) for x, y in zip(proposals, ends, strict=True))
    if _adversary(model, ends[0].program(model), proposals[0], 0).line.least_load() != first.load:
        raise NotExactError("the least load is lower than where the curve would begin")
    then = _Ask("load, then length", 0, 1, most_load=first.load)
    left = _vertex(model, worker.solve([then])[0], then.program(model))
    done, known = 3, 4
    pieces: list[tuple[_Vertex, _Vertex, Adversary]] = []
    todo = [(left, right)] if left.hops > right.hops else []
    if not todo:  # shortest paths have the best worst case
        program = _Ask("", 0, 1).program(model)
        pieces.append((left, left, _adversary(model, program, solve(program), 1)))
    while todo:
        asked = [_Ask("{}, {}".format(*weights), *weights) for weights in (_weights(a, b) for a, b in todo)]
        following: list[tuple[_Vertex, _Vertex]] = []
        for (a, b), ask, proposal in zip(todo, asked, worker.solve(asked), strict=True):
            program = ask.program(model)
            found = _vertex(model, proposal, program)
            done += 1
            if ask.across * (found.load - a.load) + ask.down * (found.hops - a.hops) < 0:
                following += [(a, found), (found, b)]
                known += 2
            else:
                pieces.append((a, b, _adversary(model, program, proposal, ask.down)))
            if progress is not None:
                progress(done, known)
        todo = following
    return Tradeoff(network, minimal, _corners(model, pieces, worker, done, progress), ready.demands)


def _weights(a: _Vertex, b: _Vertex) -> tuple[int, int]:
    """Whole weights of load and hops under which ``a`` and ``b`` are equally good."""
    slope = (a.hops - b.hops) / (b.load - a.load)
    if max(slope.numerator, slope.denominator) >= 1 << 40:
        raise NotExactError("the slope of a piece is too long a fraction")
    return slope.numerator, slope.denominator


def _vertex(model: FlowProgram, proposal: Proposal, program: Program) -> _Vertex:
    point = exact_primal(program, proposal)
    at = np.nonzero(model.hops)[0]
    total = sum(int(h) * int(x) for h, x in zip(model.hops[at], point.num[at], strict=True))
    return _Vertex(point.fraction(0), Fraction(total, point.den), point)


def _adversary(model: FlowProgram, program: Program, proposal: Proposal, hops: int) -> Adversary:
    return adversary_from_exact(model, exact_dual(program, proposal), hops=Fraction(hops))


def _corners(
    model: FlowProgram,
    pieces: list[tuple[_Vertex, _Vertex, Adversary]],
    worker: _Worker,
    before: int,
    progress: Progress | None,
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

    def done(count: int) -> None:
        if progress is not None:
            progress(before + count, before + len(ends))

    squared, idle = model.reduction.network.num_terminals**2, idle_hops(model.reduction)
    result = []
    for (vertex, line), found in zip(ends, worker.judge([vertex for vertex, _ in ends], done), strict=True):
        load, length = found["load"], found["length"]
        if load > vertex.load or length * squared > vertex.hops + idle:
            raise NotExactError("a corner's routing is worse than its program says")
        if line.line.least_path_length(load) != length:
            raise NotExactError("a corner's multipliers prove less than its program says")
        classes = classes_from_exact(model.reduction, model.flow, vertex.point)
        result.append(Breakpoint(load, length, classes, found["evidence"], line))
    return result
