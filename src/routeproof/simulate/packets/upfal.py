"""Packet switching on a multibutterfly by Upfal's algorithm (waves, stages of two phases, colours, moves and swaps)
and, for comparison, greedily: every packet follows its logical path, first come, first served.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 2 (greedy: sec. 1); Upfal 1989 (STOC); conventions on
multistage networks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ...core.spread import Progress

if TYPE_CHECKING:
    from .kernels import Packets


Watch = Callable[[int, npt.NDArray[np.integer]], None]

CHECKED_SWITCHES = 1 << 16  # networks up to this many switches check the phase invariant by default


@dataclass(frozen=True)
class PacketRun:
    """What came of it.

    - ``steps``: the step of the last delivery, counted from 1 at every colour step; 0 if nothing was delivered;
    - ``stages``: the stage of that step; a stage has 4d steps;
    - ``moves``: forward moves into an empty switch or into an output; ``swaps``: exchanges of two packets;
    - ``packets``, ``delivered``: all packets, those that arrived (fewer only where faults leave no way);
    - ``arrival``: int32, shape (P, N): the step at which the packet of permutation p to output j arrived, 0: none;
    - ``worked``: pairs of a switch and a step that took work: a level without packets, or of the other parity, takes
      none.
    """

    steps: int
    stages: int
    moves: int
    swaps: int
    packets: int
    delivered: int
    worked: int
    arrival: Int32 = field(repr=False)


def check_images(wiring: Wiring, images: npt.ArrayLike) -> Int32:
    """``images`` as int32, shape (P, N), -1 for no packet; raises InputError unless each is a partial permutation."""
    array = np.atleast_2d(np.asarray(images))
    rows = wiring.inputs
    if array.ndim != 2 or not array.shape[0] or not np.issubdtype(array.dtype, np.integer):
        raise InputError(f"permutations have shape {array.shape}; whole numbers [permutation][input] were expected")
    if array.shape[1] != rows:
        raise InputError(f"a permutation of {array.shape[1]} terminals was given; the network has {rows} inputs")
    for p, image in enumerate(array):
        sent = image[image != -1]
        if sent.size and (int(sent.min()) < 0 or int(sent.max()) >= rows):
            bad = int(sent[(sent < 0) | (sent >= rows)][0])
            raise InputError(f"permutation {p} sends to {bad}; outputs are 0 to {rows - 1}")
        counts = np.bincount(sent, minlength=rows)
        if counts.max(initial=0) > 1:
            j = int(np.argmax(counts))
            first, second = np.nonzero(image == j)[0][:2].tolist()
            raise InputError(f"permutation {p} is not a permutation: inputs {first} and {second} both send to {j}")
    return np.ascontiguousarray(array, dtype=np.int32)


def check_multibutterfly(wiring: Wiring, why: str) -> None:
    """Raise InputError for a multi-Benes wiring; ``why``: what this is for."""
    if wiring.reversed_levels:
        raise InputError(f"{wiring.name} is not a multibutterfly: {why}")


def check_load(load: int, rows: int) -> int:
    """L itself; raises InputError unless 1 <= L <= N."""
    if isinstance(load, bool) or not isinstance(load, int) or not 1 <= load <= rows:
        raise InputError(f"load is {load}; a whole number from 1 to {rows}, the number of outputs, was expected")
    return load


def route_packets(
    wiring: Wiring,
    images: npt.ArrayLike,
    *,
    load: int,
    alive: npt.NDArray[np.bool_] | None = None,
    check: bool | None = None,
    watch: Watch | None = None,
    progress: Progress | None = None,
) -> PacketRun:
    """Route P permutations by Upfal's algorithm, pipelined.

    ``images``: int, shape (P, N) or (N,): the packet of permutation p at input i goes to output ``images[p, i]``; -1:
    no packet.  The packet to output j of permutation p is in wave ``p * load + j % load``.  ``alive``: bool, shape (n
    + 1, N): the switches that work (default: all); packets that start or end at a dead switch are bad input.

    A stage is an even phase (edge levels 0, 2, ...) and an odd phase (1, 3, ...); a phase is 2d steps, one colour
    each.  A packet crosses an edge that leads its way if the head is empty, or swaps with a packet of a strictly
    later wave.  The last level absorbs.  At each stage's start an input takes the lowest wave of its own and its
    queue (on equal waves its own, then the lowest destination).

    ``check``: hold the phase invariant (``check_phase``) after every phase; by default for small networks.  That no
    packet is lost or doubled, and that each arrives where it should, is always checked.  ``watch(step, state)`` is
    called after every step with the switches' contents: int64, shape (n, N), wave * N + destination, -1 empty, -2
    dead.

    Stops when all have arrived, or when a whole stage changes nothing.  Raises InputError for a multi-Benes wiring,
    for a load outside 1 .. N, and for images that are no partial permutations.
    """
    from .kernels import Packets, refill

    check_multibutterfly(wiring, "packets need log2 N edge levels, not twice as many")
    rows, n, colours = wiring.inputs, wiring.log_inputs, 2 * wiring.multiplicity
    images = check_images(wiring, images)
    load = check_load(load, rows)
    waves = len(images) * load
    kind: type[np.int32 | np.int64] = np.int32 if waves < (1 << (31 - n)) - 1 else np.int64
    if waves >= (1 << (63 - n)) - 1 or images.size >= 1 << 31:
        raise InputError(f"{len(images)} permutations of {rows} terminals are too many packets for one run")
    empty = kind(np.iinfo(kind).max)
    state = np.full((n, rows), empty, dtype=kind)
    outputs = np.ones(rows, dtype=np.bool_)
    if alive is not None:
        _check_alive(wiring, alive, images)
        state[~alive[:n]] = -1
        outputs = np.ascontiguousarray(alive[n])
    arrival, present = np.zeros(images.size, dtype=np.int32), np.zeros(n + 1, dtype=np.int64)
    totals, room = np.zeros(3, dtype=np.int64), np.empty(rows, dtype=np.uint32)
    packets = Packets(state, wiring.wire, outputs, n, load, empty, arrival, present, totals, room)
    first, following, count = _queues(images)
    check = (n + 1) * rows <= CHECKED_SWITCHES if check is None else check
    step = 0
    before = -1
    while int(present[n]) < count:
        taken = int(refill(first, following, packets)) if int(present.sum()) < count else 0
        if int(totals[0] + totals[1]) == before and not taken:
            break
        before = int(totals[0] + totals[1])
        for parity in (0, 1):
            _phase(packets, parity, step, watch)
            step += colours
            if check:
                check_phase(wiring, _shown(packets), parity)
        if progress is not None:
            progress(int(present[n]), count)
    _check_conserved(packets, first, following, count)
    steps = int(arrival.max(initial=0))
    return PacketRun(
        steps=steps,
        stages=-(-steps // (2 * colours)),
        moves=int(totals[0]),
        swaps=int(totals[1]),
        packets=count,
        delivered=int(present[n]),
        worked=int(totals[2]),
        arrival=arrival.reshape(images.shape),
    )


def _phase(packets: Packets, parity: int, step: int, watch: Watch | None) -> None:
    """The colours of a phase after ``step`` steps, one by one where each is watched."""
    from .kernels import run_steps

    colours = packets.wire.shape[1]
    whole = True
    if watch is None:
        whole = run_steps(parity, 0, colours, step + 1, packets)
    else:
        for colour in range(colours):
            whole &= run_steps(parity, colour, colour + 1, step + colour + 1, packets)
            watch(step + colour + 1, _shown(packets))
    if not whole:
        raise AssertionError("a packet arrived twice or at a wrong output")


def check_phase(wiring: Wiring, state: npt.NDArray[np.integer], parity: int) -> None:
    """Raise AssertionError unless the phase invariant holds after a phase of ``parity``.

    A packet that is still on a level of the phase sees, along every edge that leads its way, a packet of an earlier or
    the same wave (or a dead switch); before the last level it sees none.  ``state`` as ``watch`` gets it.
    """
    n, rows = wiring.log_inputs, wiring.inputs
    for level in range(parity, n - 1, 2):
        at = np.nonzero(state[level] >= 0)[0]
        packet = state[level, at]
        for image in wiring.wire[level]:
            head = image[at]
            other = state[level + 1, head]
            late = (other == -1) | ((other >= 0) & (other // rows > packet // rows))
            late &= (packet ^ head) >> (n - 1 - level) & 1 == 0
            if late.any():
                r = int(at[np.argmax(late)])
                raise AssertionError(f"phase invariant: level {level}, row {r} could have moved or swapped")


def _queues(images: Int32) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """Every input's packets in order of their permutations, as linked lists by packet number."""
    count, rows = images.shape
    first = np.full(rows, -1, dtype=np.int64)
    following = np.full(images.size, -1, dtype=np.int64)
    packets = 0
    for p in range(count - 1, -1, -1):
        at = np.nonzero(images[p] >= 0)[0]
        number = p * rows + images[p, at].astype(np.int64)
        following[number] = first[at]
        first[at] = number
        packets += len(at)
    return first, following, packets


def _check_alive(wiring: Wiring, alive: npt.NDArray[np.bool_], images: Int32) -> None:
    n, rows = wiring.log_inputs, wiring.inputs
    if alive.shape != (n + 1, rows):
        raise InputError(f"alive has shape {alive.shape}; {(n + 1, rows)}, [level][row], was expected")
    for p, image in enumerate(images):
        at = np.nonzero(image >= 0)[0]
        bad = at[~(alive[0, at] & alive[n, image[at]])]
        if bad.size:
            i = int(bad[0])
            raise InputError(f"permutation {p} sends from {i} to {int(image[i])}, one of which does not survive")


def _shown(packets: Packets) -> npt.NDArray[np.int64]:
    wide = packets.state.astype(np.int64)
    wide[packets.state < 0] = -2
    wide[packets.state == packets.empty] = -1
    return wide


def _check_conserved(
    packets: Packets, first: npt.NDArray[np.int64], following: npt.NDArray[np.int64], count: int
) -> None:
    """Raise AssertionError if a packet was lost or doubled."""
    size = packets.state.dtype.itemsize
    inside = int(np.count_nonzero(packets.state.view(f"u{size}") < int(packets.empty)))  # not -1, a dead switch
    waiting = 0
    at = first[first >= 0]
    while at.size:
        waiting += len(at)
        at = following[at]
        at = at[at >= 0]
    arrived = int(np.count_nonzero(packets.arrival))
    if inside + waiting + arrived != count or arrived != int(packets.present[-1]):
        raise AssertionError(f"{count} packets became {inside} inside, {waiting} waiting and {arrived} delivered")


def route_greedily(
    wiring: Wiring,
    images: npt.ArrayLike,
    *,
    alive: npt.NDArray[np.bool_] | None = None,
    progress: Progress | None = None,
) -> PacketRun:
    """Route P permutations, all of them at once: ``images`` and ``alive`` as in ``packets.route_packets``.

    Every switch has a queue without limit for up and one for down.  In a step every edge carries at most one packet:
    the edges of a switch take packets off the front of their queue, in order of colour.  Packets that reach a switch
    in one step are queued in order of (colour, row of the tail); at first in order of their permutations.  A packet
    needs at least n steps.  Here a step uses all edges at once, a step of Upfal's algorithm those of one colour and
    parity: 4d of those (a stage) use every edge once, as one step does here.

    ``stages`` is 0 (there are none), ``swaps`` too.  Raises InputError for a multi-Benes wiring and bad images.
    """
    from .kernels import run_greedy

    check_multibutterfly(wiring, "packets need log2 N edge levels, not twice as many")
    images = check_images(wiring, images)
    rows, n = wiring.inputs, wiring.log_inputs
    working = np.ones((n + 1, rows), dtype=np.bool_) if alive is None else np.ascontiguousarray(alive)
    first = np.full((n, 2, rows), -1, dtype=np.int64)
    last = first.copy()
    following = np.full(images.size, -1, dtype=np.int64)
    goal = np.maximum(images.reshape(-1), 0)
    for p, image in enumerate(images):
        at = np.nonzero(image >= 0)[0]
        number, side = p * rows + at, image[at] >> (n - 1) & 1
        behind = last[0, side, at]
        fresh = behind < 0
        first[0, side[fresh], at[fresh]] = number[fresh]
        following[behind[~fresh]] = number[~fresh]
        last[0, side, at] = number
    packets = int(np.count_nonzero(images >= 0))
    arrival = np.zeros(images.size, dtype=np.int32)
    moved = np.empty((2, wiring.wire.shape[1] * rows), dtype=np.int64)
    step = moves = delivered = 0
    while delivered < packets:
        step += 1
        more, arrived = run_greedy(wiring.wire, goal, first, last, following, moved, arrival, working, n, step)
        if more < 0:
            raise AssertionError("a packet arrived twice or at a wrong output")
        if not more:
            break
        moves, delivered = moves + int(more), delivered + int(arrived)
        if progress is not None:
            progress(delivered, packets)
    by_output = np.zeros_like(images)
    which, i = np.nonzero(images >= 0)
    by_output[which, images[which, i]] = arrival[which * rows + i]
    steps = int(arrival.max(initial=0))
    worked = steps * n * rows
    return PacketRun(steps, 0, moves, 0, packets, delivered, worked, by_output)
