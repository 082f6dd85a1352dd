"""Circuit switching on a multibutterfly: disjoint paths, level by level, by proposals and acceptances.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 3.2, the simple algorithm (Arora, Leighton & Maggs 1990).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ..packets.upfal import check_load, check_multibutterfly

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
