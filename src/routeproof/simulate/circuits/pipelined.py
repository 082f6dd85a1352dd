"""Circuit switching on a multibutterfly without waiting for stragglers: placeholders go ahead, cancellations follow.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 3.2, the O(log N)-bit-step algorithm (Arora, Leighton & Maggs
1990).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ...core.spread import Progress
from .levels import CircuitRun, begin_circuits, check_circuits

if TYPE_CHECKING:
    from .pipelined_kernels import Paths, Switches

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
