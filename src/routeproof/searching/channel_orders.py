"""Virtual channels for many paths by local search: an order of them for which every path goes forward.

Without a cycle of dependencies there is such an order (Dally & Seitz 1987), so the search is for the order.  For layers
it is one order of the channels for each layer, and every path has to go forward in one; for hops one order of all
virtual channels, where a path takes the next copy of each channel that comes.  A move changes the place of a channel of
a path that fails, by simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983); paths that keep failing weigh more
(Morris 1993, the breakout method).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..kernel.layer_clauses import Sharing
from ..machine.deadlines import Deadline, held_interrupts
from .channel_orders_kernels import Orders, Paths, begin, goes, improve
from .split_layout_kernels import seed_kernel

_MOVES = 20_000  # between two looks at the clock
_LOOKS = 100  # of the first run; each later one takes twice as many
_HOT, _COLD, _HEAVIER = 1.0, 0.8, 0.3


def ordered_lanes(
    paths: Sequence[tuple[int, ...]], count: int, sharing: Sharing, deadline: Deadline
) -> list[tuple[int, ...]] | None:
    """Virtual channels of the hops of every path, 0 to ``count`` - 1, with no cycle of dependencies: one for each path
    (layers), or any; None once time is over.  No path crosses a channel twice."""
    if not paths:
        return []
    size, owner = sharing.size, np.repeat(np.arange(len(paths)), [len(x) for x in paths])
    channel = np.array([c for path in paths for c in path], dtype=np.int64)
    over = np.argsort(channel, kind="stable")
    words = Paths(
        channel, np.searchsorted(owner, np.arange(len(paths) + 1)), owner[over],
        np.searchsorted(channel[over], np.arange(size + 1)), sharing.within,
    )  # fmt: skip
    with held_interrupts() as held:  # to import numba may take a second, in which nothing else can be done
        goes(0, words, np.zeros((count, size)))
    if held.happened:
        raise KeyboardInterrupt
    looks = _LOOKS
    while not deadline.over:
        seed_kernel(looks)
        rank = np.random.default_rng(looks).random((count, size))
        failed, place = (np.empty(len(paths), dtype=np.int64) for _ in range(2))
        orders = Orders(rank, failed, place, np.ones(len(paths)))
        number = begin(words, orders)
        for temperature in np.geomspace(_HOT, _COLD, looks).tolist():
            number = improve(_MOVES, temperature, number, words, orders)
            if number == 0:
                return [_lanes(path, rank, kept=sharing.within) for path in paths]
            if deadline.over:
                break
            orders.weight[failed[:number]] += _HEAVIER
        looks *= 2
    return None


def _lanes(path: tuple[int, ...], rank: npt.NDArray[np.float64], *, kept: bool) -> tuple[int, ...]:
    """Along which the ranks grow."""
    if kept:
        own = next(v for v, x in enumerate(rank[:, path].tolist()) if all(a < b for a, b in pairwise(x)))
        return (own,) * len(path)
    found: list[int] = []
    reached = -np.inf
    for ranks in rank.T[list(path)].tolist():
        reached, own = min((x, v) for v, x in enumerate(ranks) if x > reached)
        found.append(own)
    return tuple(found)
