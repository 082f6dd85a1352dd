"""Greedy routing with queues, for comparison: every packet follows its logical path, first come, first served.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1 (messages on butterflies and dilated butterflies).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.multistage.wiring import Wiring
from ...core.spread import Progress
from .upfal import PacketRun, check_images, check_multibutterfly


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
