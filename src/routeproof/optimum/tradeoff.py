"""The exact curve of path length against worst-case load: every routing lies on it or above.

The curve is convex and made of straight pieces.  Where two of its points are known, the program that minimises
the weighted sum of load and length whose level lines run through both either finds nothing below them, and then the
piece between them is straight and its multipliers prove it for all routings, or finds a point further down.  So
each breakpoint and each piece costs about one program.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.1 and Figure 1, who solve for a series of path lengths instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import InputError
from ..core.graph import lost_pair
from ..core.network import Network
from ..core.spread import Progress, Stage, silent
from ..demand_sets.transport import TransportSet
from ..formats.demands.description import demands_from_description, describe_demands
from ..lp.exact import ExactPoint, NotExactError, Program, exact_dual, exact_primal, solve
from ..lp.solver import Proposal
from ..machine.deadlines import certified_before_interrupt, ended_in_time
from ..routing.base.routing import Routing
from ..symmetry.pair_classes import check_nodes, reduce
from ..worst.locality import average_path_length, minimal_average
from ..worst.over import worst_over
from ..worst.scan.evidence import worst_case_claims
from ..worst.scan.exact import WorstCase
from ..worst.scan.scan import network_described, network_made_again
from .adversary import Adversary, adversary_from_exact
from .checkpoint import Checkpoint
from .curve import Breakpoint, Reached, Tradeoff
from .known import Known
from .program.flow_program import FlowProgram, idle_hops
from .program.flows import classes_from_exact, routing_from_exact
from .program.worst_case import worst_case_program

if TYPE_CHECKING:
    from ..engine import Engine
_SMALL_NODES = 64  # up to which nothing is judged beforehand, unless the time is limited
_SOLVING = 0.85  # of the time: until what is reached becomes the answer


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
    beside: Sequence[tuple[Routing, WorstCase]] = (),
    time_limit: float | None = None,
    stage: Stage = silent,
) -> Tradeoff:
    """All corners of the curve, exactly; what is known of it so far where the time is over, at Ctrl-C, and where a
    corner cannot be made exact.

    - ``demands``: the worst case is over this set, by default over permutations;
    - ``checkpoint``: a file that keeps every solved program, so that a run that was killed goes on where it stopped;
    - ``engine``: instead, who solves programs and judges corners (several processes, a run directory);
    - ``beside``: routings that are judged; ``time_limit``: seconds, for this process alone.

    ``progress(done, total)`` is called with pieces of work done and known to be needed: programs, then corners.  Raises
    InputError where the network is too large or not connected, or nothing is reached.
    """
    if engine is not None and checkpoint is not None:
        raise InputError("a checkpoint file and an engine were both given; the engine keeps its own run directory")
    if engine is not None and time_limit is not None:
        raise InputError("a time limit is for one process; --run DIRECTORY keeps the work of several")
    reached, known, limited = Reached(), Known(network, demands, every=True), time_limit is not None
    error: BaseException
    try:
        with ended_in_time(None if time_limit is None else _SOLVING * time_limit):
            if (limited or network.num_nodes > _SMALL_NODES) and lost_pair(network) is None:
                known.look(stage, time_limit)
            check_nodes(network)
            ready = _ready(network, demands)
            return _curve(ready, _Worker(ready, checkpoint, engine, reached), progress, limited=limited)
    except KeyboardInterrupt as raised:
        error = raised
    except NotExactError as raised:
        error = InputError(
            f"the curve of {network.name} could not be made exact: {raised}; design --path-length X finds single points"
        )
    except InputError as raised:
        if not limited:
            raise
        error = raised
    reached.points += [Breakpoint.of(x, worst, average_path_length(x)) for x, worst in (*beside, *known.judged)]
    reached.lines += [] if known.bound is None else [known.bound]
    curve = reached.curve(network, minimal_average(network), demands)
    if curve is None:
        raise error
    if isinstance(error, KeyboardInterrupt):
        certified_before_interrupt()
    return curve


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

    def __init__(self, ready: Ready, checkpoint: str | None, engine: Engine | None, reached: Reached) -> None:
        self.ready, self.model, self.engine, self.rounds, self.reached = ready, ready.model, engine, 0, reached
        self.judged = dict[tuple[Fraction, Fraction], dict[str, Any]]()
        self.kept = Checkpoint(checkpoint, self.model.program)
        self.shared = {"subject": network_described(self.model.reduction.network)}
        if ready.demands is not None:
            self.shared["demands"] = describe_demands(ready.demands)

    def solve(self, asked: Sequence[_Ask]) -> Iterator[Proposal]:
        if self.engine is None:
            yield from (self.kept.solve(x.name, x.program(self.model), solve) for x in asked)
            return
        from ..engine import Work

        self.rounds += 1
        pieces = {x.name: {"asked": asdict(x)} for x in asked}
        work = Work(f"programs {self.rounds}", solve_weights, pieces, shared=self.shared, prepare=prepare)
        results = self.engine.run(work)
        yield from (Checkpoint.read_basis(results[x.name], x.program(self.model)) for x in asked)

    def keep(self, vertex: _Vertex) -> _Vertex:
        """The vertex, judged at once where one process does all: what is known if it is stopped."""
        if self.engine is None:
            found = judge_corner(self.ready, [*vertex.point.num], vertex.point.den)
            self.judged[vertex.load, vertex.hops] = found
            self.reached.points.append(self.corner(vertex, found))
        return vertex

    def corner(self, vertex: _Vertex, found: Mapping[str, Any]) -> Breakpoint:
        """``found``: as ``judge_corner`` gives it."""
        classes = classes_from_exact(self.model.reduction, self.model.flow, vertex.point)
        return Breakpoint(
            found["load"], found["length"], found["evidence"], reduction=self.model.reduction, classes=classes
        )

    def line(self, program: Program, proposal: Proposal, hops: int) -> Adversary:
        """What the multipliers of a solved program prove."""
        found = adversary_from_exact(self.model, exact_dual(program, proposal), hops=Fraction(hops))
        self.reached.lines.append(found)
        return found

    def judge(self, vertices: Sequence[_Vertex], done: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        if self.engine is None:
            for k, v in enumerate(vertices, 1):
                yield self.judged[v.load, v.hops]
                done(k)
            return
        from ..engine import Work

        pieces: dict[str, dict[str, Any]] = {
            str(v.load): {"num": [int(x) for x in v.point.num], "den": v.point.den} for v in vertices
        }
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


def _curve(ready: Ready, worker: _Worker, progress: Progress | None, *, limited: bool) -> Tradeoff:
    model = ready.model
    network = model.reduction.network
    minimal = minimal_average(network)
    ends = [_Ask("load", 1, 0), _Ask("length, then load", 1, 0, most_length=minimal)]
    programs, proposals = [x.program(model) for x in ends], worker.solve(ends)
    proposal = next(proposals)
    first = _vertex(model, proposal, programs[0])
    if worker.line(programs[0], proposal, 0).line.least_load() != first.load:
        raise NotExactError("the least load is lower than where the curve would begin")
    right = worker.keep(_vertex(model, next(proposals), programs[1]))
    then = _Ask("load, then length", 0, 1, most_load=first.load)
    left = worker.keep(_vertex(model, next(worker.solve([then])), then.program(model)))
    done, known = 3, 4
    pieces: list[tuple[_Vertex, _Vertex, Adversary]] = []
    todo = [(left, right)] if left.hops > right.hops else []
    if not todo:  # shortest paths have the best worst case
        program = _Ask("", 0, 1).program(model)
        pieces.append((left, left, worker.line(program, solve(program), 1)))
    while todo:
        asked = [_Ask("{}, {}".format(*weights), *weights) for weights in (_weights(a, b) for a, b in todo)]
        following: list[tuple[_Vertex, _Vertex]] = []
        for (a, b), ask, proposal in zip(todo, asked, worker.solve(asked), strict=True):
            program = ask.program(model)
            found = _vertex(model, proposal, program)
            done += 1
            if ask.across * (found.load - a.load) + ask.down * (found.hops - a.hops) < 0:
                following += [(a, worker.keep(found)), (found, b)]
                if limited:  # it proves that this is a corner
                    worker.line(program, proposal, ask.down)
                known += 2
            else:
                pieces.append((a, b, worker.line(program, proposal, ask.down)))
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
        result.append(replace(worker.corner(vertex, found), adversary=line))
    return result
