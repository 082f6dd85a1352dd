"""Circuit switching on a multibutterfly: disjoint paths, level by level, by proposals and acceptances; or without
waiting for stragglers, where placeholders go ahead and cancellations follow.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 3.2, the simple and the O(log N)-bit-step algorithm (Arora,
Leighton & Maggs 1990).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ...core.spread import Progress
from ..packets.upfal import check_load, check_multibutterfly

if TYPE_CHECKING:
    from .pipelined_kernels import Paths, Switches

Whole = npt.NDArray[np.integer]


@dataclass(frozen=True)
class CircuitRun:
    """What came of it.

    - ``rounds``: for every level (for every phase, where levels overlap), the path-extension steps in which something
      advanced;
    - ``requests``, ``connected``: the circuits asked for, those that were established;
    - ``moves``: extensions of a path by one level, those of paths that failed later included;
    - ``row``: int32, shape (n + 1, T): the row of every circuit on every level, -1 where it failed before;
    - ``colour``: int32, shape (n, T): the colour of the edge that it takes, -1 likewise;
    - ``pauses``: bit-steps outside path-extension steps; ``placeholders`` sent to switches that were free;
      ``cancellations``: edges that carried one.  All three are 0 for the simple algorithm.
    """

    rounds: tuple[int, ...]
    requests: int
    connected: int
    moves: int
    row: Int32 = field(repr=False)
    colour: Int32 = field(repr=False)
    pauses: int = 0
    placeholders: int = 0
    cancellations: int = 0

    @property
    def steps(self) -> int:
        """All path-extension steps, one after the other."""
        return sum(self.rounds)

    @property
    def bit_steps(self) -> int:
        """Three for every path-extension step (proposal, acceptance, advance), and the pauses."""
        return 3 * self.steps + self.pauses


def route_circuits(
    wiring: Wiring, image: npt.ArrayLike, *, load: int, alive: npt.NDArray[np.bool_] | None = None
) -> CircuitRun:
    """Connect terminal t to terminal ``image[t]`` for all t (-1: no request), by disjoint paths.

    Terminal t is row t * L of the first and the last level (``load`` L divides N; ``image``: int, shape (N / L,)).
    At each level steps are repeated: every path not yet extended proposes to all its neighbours in its direction
    (parallel edges count once); a switch that receives precisely one proposal accepts; a path with acceptances
    advances along the lowest colour among them.  A level ends when all paths are extended, or when no path advances:
    the paths left over fail, and are dropped.  A proposal never hits a switch that a path has advanced to (checked).

    ``alive``: bool, shape (n + 1, N): the switches that work; proposals go to these only.  The result is checked by
    ``check_circuits``.  Raises InputError for a load that does not divide N, or an image that is not a partial
    permutation.
    """
    target, row, colour, working = begin_circuits(wiring, image, load=load, alive=alive)
    rows, n = wiring.inputs, wiring.log_inputs
    rounds = []
    for level in range(n):
        left = np.nonzero(row[level] >= 0)[0]
        held = np.zeros(rows, dtype=np.bool_)
        count = 0
        while left.size:
            at, edge = _advance(wiring, level, row[level, left], target[left], working[level + 1], held)
            moved = at >= 0
            if not moved.any():
                break
            count += 1
            row[level + 1, left[moved]] = at[moved]
            colour[level, left[moved]] = edge[moved]
            held[at[moved]] = True
            left = left[~moved]
        rounds.append(count)
    connected, moves = int(np.count_nonzero(row[n] >= 0)), int(np.count_nonzero(row[1:] >= 0))
    run = CircuitRun(tuple(rounds), int(np.count_nonzero(target >= 0)), connected, moves, row, colour)
    check_circuits(wiring, run, target, working)
    return run


def terminals_at(load: int, rows: int) -> int:
    """N / L; raises InputError unless L divides N."""
    check_load(load, rows)
    if rows % load:
        raise InputError(f"load {load} does not divide the number of rows, {rows}: a power of two was expected")
    return rows // load


def begin_circuits(
    wiring: Wiring, image: npt.ArrayLike, *, load: int, alive: npt.NDArray[np.bool_] | None
) -> tuple[Int32, Int32, Int32, npt.NDArray[np.bool_]]:
    """(the target row of every terminal, -1: none; rows and colours of paths that are yet to be found; the switches
    that work), checked as ``route_circuits`` says."""
    check_multibutterfly(wiring, "this algorithm is for log2 N edge levels")
    rows, n = wiring.inputs, wiring.log_inputs
    terminal = _targets(image, terminals_at(load, rows))
    target = np.where(terminal >= 0, terminal * load, -1).astype(np.int32)
    row = np.full((n + 1, len(target)), -1, dtype=np.int32)
    colour = np.full((n, len(target)), -1, dtype=np.int32)
    row[0] = np.where(target >= 0, np.arange(len(target)) * load, -1)
    working = np.ones((n + 1, rows), dtype=np.bool_) if alive is None else alive
    asked = np.nonzero(target >= 0)[0]
    if not np.all(working[0, row[0, asked]] & working[n, target[asked]]):
        raise InputError("a circuit is asked for from or to a switch that does not survive")
    return target, row, colour, working


def check_circuits(wiring: Wiring, run: CircuitRun, target: Int32, alive: npt.NDArray[np.bool_]) -> None:
    """Raise AssertionError unless the paths run along wires, through live switches, disjoint, to their targets."""
    n = wiring.log_inputs
    for level in range(n + 1):
        here = run.row[level, run.row[level] >= 0]
        if len(np.unique(here)) != len(here):
            raise AssertionError(f"two circuits share a switch on level {level}")
        if not alive[level, here].all():
            raise AssertionError(f"a circuit runs through a dead switch on level {level}")
        if level < n:
            on = run.row[level + 1] >= 0
            led = wiring.wire[level, run.colour[level, on], run.row[level, on]]
            if not np.array_equal(led, run.row[level + 1, on]):
                raise AssertionError(f"a circuit leaves level {level} along no wire")
    done = run.row[n] >= 0
    if not np.array_equal(run.row[n, done], target[done]):
        raise AssertionError("a circuit ends at another output than it was asked for")


def _advance(
    wiring: Wiring, level: int, row: Int32, target: Int32, working: npt.NDArray[np.bool_], held: npt.NDArray[np.bool_]
) -> tuple[Int32, Int32]:
    """One path-extension step of the paths at ``row``: (next row, colour) of those that advance, else -1."""
    heads = wiring.wire[level][:, row]
    bit = wiring.direction_bit(level)
    open_ = ((heads ^ target) >> bit & 1 == 0) & working[heads]
    proposed, at, edge = accepted(heads, open_)
    if held[proposed].any():
        raise AssertionError(f"a proposal on level {level} hits a switch that is on a path")
    return at.astype(np.int32), edge.astype(np.int32)


def accepted(heads: Whole, open_: npt.NDArray[np.bool_]) -> tuple[Whole, Whole, Whole]:
    """One step: every path (a column) proposes along its open edges (rows), parallel ones once; a head with precisely
    one proposal accepts.  (Heads proposed to, each path's head along its first accepted edge, that edge), -1: none."""
    once = open_.copy()
    for c in range(1, len(heads)):
        once[c] &= ~(open_[:c] & (heads[:c] == heads[c])).any(axis=0)
    proposed = heads[once]
    single = open_ & (np.bincount(proposed, minlength=int(heads.max()) + 1)[heads] == 1)
    edge = np.where(single.any(axis=0), np.argmax(single, axis=0), -1)
    return proposed, np.where(edge >= 0, heads[edge, np.arange(heads.shape[1])], -1), edge


def _targets(image: npt.ArrayLike, terminals: int) -> Int32:
    array = np.asarray(image)
    if array.ndim != 1 or len(array) != terminals or not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            f"circuits are asked for with shape {array.shape}; {terminals} terminals, N / L, were expected"
        )
    sent = array[array != -1]
    if sent.size and (int(sent.min()) < 0 or int(sent.max()) >= terminals or np.bincount(sent).max() > 1):
        raise InputError(f"the circuits asked for are not a partial permutation of {terminals} terminals")
    result: Int32 = array.astype(np.int32)
    return result


_TOO_FAR = 1 << 20


def route_pipelined(
    wiring: Wiring,
    image: npt.ArrayLike,
    *,
    load: int,
    rho: Fraction = Fraction(1, 2),
    distance: int = 2,
    alive: npt.NDArray[np.bool_] | None = None,
    progress: Progress | None = None,
) -> CircuitRun:
    """Connect terminal t to terminal ``image[t]`` (-1: no request); arguments and checks as ``route_circuits``.

    Phase p = 0, 1, ... has three parts.  (1) Path-extension steps on levels 0 .. p: whoever is not extended (a path in
    its direction, a placeholder in both) proposes to all its neighbours there, parallel edges counting once; a switch
    that receives precisely one proposal accepts; who is accepted is extended along the lowest colour, and a placeholder
    that is extended makes its output one.  A path moves by at most one level a phase; where its next switch is
    reserved it needs no proposal.  The steps end when in every splitter and direction at most ``rho`` times as many are
    unextended as at the phase's start, or when a step changes nothing (which is not counted).  (2) The unextended of
    the wavefront, level p, hold all their neighbours by placeholders.  (3) Cancellations travel ``distance`` levels, C:
    a switch that needs an output no longer says so; a placeholder that nobody needs any more stops, and says so.

    The run ends when all paths have arrived.  If a phase after the wavefront's arrival changes nothing at all, the
    paths that are farthest behind fail and are dropped.

    In ``CircuitRun``: ``rounds`` are the steps of each phase; a step takes three bit-steps (proposal, acceptance,
    advance), and there is one for placeholders and one for each level of cancellations in every phase.

    Differs from the paper: it does not say when a phase ends whose splitters cannot reach rho, nor what becomes of
    paths where its conditions do not hold.  Raises InputError for rho outside 0 .. 1 (1
    excluded) or a distance below 1.
    """
    if not 0 <= rho < 1:
        raise InputError(f"rho is {rho}; a fraction of at least 0 and less than 1 was expected")
    if not 1 <= distance <= _TOO_FAR:
        raise InputError(f"the distance of cancellations is {distance}; at least 1 level was expected")
    target, row, colour, working = begin_circuits(wiring, image, load=load, alive=alive)
    from .pipelined_kernels import run_phase

    n = wiring.log_inputs
    switches, paths = _begin(wiring, target, row, colour, working)
    unfinished = np.ones(n, dtype=np.bool_)
    front = paths.front
    asked = int(np.count_nonzero(target >= 0))
    rounds: list[int] = []
    totals = np.zeros(3, dtype=np.int64)  # moves, placeholders, cancellations
    while np.any((front >= 0) & (front < n)):
        phase = len(rounds)
        steps, *more = run_phase(phase, rho.as_integer_ratio(), distance, switches, paths, unfinished)
        if steps < 0:
            what = "proposal" if steps == -1 else "placeholder"
            raise AssertionError(f"a {what} on level {more[0]} hits a switch that is another's")
        totals += more
        rounds.append(int(steps))
        if phase >= n and not steps and not more[-1]:  # the paths that are farthest behind fail
            stuck = np.nonzero((front >= 0) & (front < n))[0]
            last = stuck[front[stuck] == front[stuck].min()]
            switches.circuit[front[last], row[front[last], last]] = -2
            front[last] = -1
        if progress is not None:
            progress(int(np.count_nonzero(front == n)), asked)
    moves, placeholders, cancellations = totals.tolist()
    connected, pauses = int(np.count_nonzero(front == n)), len(rounds) * (1 + distance)
    run = CircuitRun(tuple(rounds), asked, connected, moves, row, colour, pauses, placeholders, cancellations)
    check_circuits(wiring, run, target, working)
    return run


def _begin(
    wiring: Wiring, target: Int32, row: Int32, colour: Int32, working: npt.NDArray[np.bool_]
) -> tuple[Switches, Paths]:
    from .pipelined_kernels import Paths, Switches

    n, rows, colours = wiring.log_inputs, wiring.inputs, wiring.wire.shape[1]
    asked = np.nonzero(target >= 0)[0]
    circuit = np.full((n + 1, rows), -1, dtype=np.int32)
    circuit[0, row[0, asked]] = asked
    placeholder, taken = (np.zeros((n + 1, rows), dtype=np.bool_) for _ in range(2))
    sent, hold = (np.zeros((n, count, rows), dtype=np.bool_) for count in (2, colours))
    reach, held = np.full((n, 2, rows), -1, dtype=np.int16), np.zeros((n + 1, rows), dtype=np.int32)
    goal = np.maximum(target, 0)
    switches = Switches(wiring.wire, working, goal, circuit, placeholder, taken, reach, sent, hold, held)
    return switches, Paths(np.where(target >= 0, 0, -1).astype(np.int32), row, colour)
