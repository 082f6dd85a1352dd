"""Largest flows and least cuts in whole numbers, many on one graph: from a source that feeds nodes to a sink.

Source: Dinic 1970 (Soviet Math. Dokl. 11).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Bools, Int64, offsets_of
from .flow_kernels import least_flow

ENDLESS = 1 << 61
"""A capacity that no flow fills; sums of all others must be less."""


class FlowGraph:
    """Nodes 0 .. N-1 joined by arcs with whole capacities; besides, a source with an arc of capacity ``supply[v]`` to
    every node v, and a sink to which ``least`` opens arcs.

    ``capacity``: int64, that of arc e at 2 e; it may be changed between calls.
    """

    def __init__(
        self, tail: npt.ArrayLike, head: npt.ArrayLike, capacity: npt.ArrayLike, supply: npt.ArrayLike
    ) -> None:  # fmt: skip
        """``tail``, ``head``, ``capacity``: by arc; ``supply``: by node."""
        supply = np.asarray(supply, dtype=np.int64)
        size, nodes = len(supply), np.arange(len(supply))
        tail = np.concatenate([np.asarray(tail, dtype=np.int64), np.full(size, size), nodes])
        head = np.concatenate([np.asarray(head, dtype=np.int64), nodes, np.full(size, size + 1)])
        ends = np.stack([tail, head], axis=1).reshape(-1)
        self.num_nodes, self._arcs = size, len(tail) - 2 * size
        self.capacity = np.zeros(len(ends), dtype=np.int64)
        self.capacity[: 2 * self._arcs : 2] = capacity
        self.capacity[2 * self._arcs : 2 * (self._arcs + size) : 2] = supply
        self._far_end = ends.reshape(-1, 2)[:, ::-1].reshape(-1).copy()
        self._order = np.argsort(ends, kind="stable")
        self._offset = offsets_of(np.bincount(ends, minlength=size + 2)).astype(np.int64)
        self._left = np.empty_like(self.capacity)
        self._level, self._at, self._queue = (np.empty(size + 2, dtype=np.int64) for _ in range(3))
        self._path = np.empty(size + 2, dtype=np.int64)
        self._run: Any = None

    def least(
        self,
        ends: Sequence[int] | Int64,
        *,
        most: int,
        stop: int = -1,
        fed: Sequence[int] = (),
        also: Sequence[int] = (),
    ) -> tuple[int, int]:
        """The least of ``most`` and of the largest flows to one of the nodes ``ends`` at a time; and the place of that
        one in ``ends``, -1 where ``most`` is the least.

        ``fed``: nodes that the source feeds without limit; ``also``: nodes that every flow may end at, besides.  The
        search ends at the first flow of at most ``stop``.
        """
        first = 2 * self._arcs
        capacity = self.capacity
        if len(fed) or len(also):
            capacity = capacity.copy()
            capacity[first + 2 * np.asarray(fed, dtype=np.int64)] = ENDLESS
            capacity[first + 2 * (self.num_nodes + np.asarray(also, dtype=np.int64))] = ENDLESS
        opened = first + 2 * (self.num_nodes + np.asarray(ends, dtype=np.int64))
        if self._run in (None, least_flow.interpreted):  # to ask again takes longer than a small flow
            self._run = least_flow.for_steps(float(len(opened) * len(capacity) * 20))
        value, place = self._run(
            self._offset, self._order, self._far_end, capacity, self._left, self.num_nodes, self.num_nodes + 1, opened,
            ENDLESS, most, stop, self._level, self._at, self._queue, self._path,
        )  # fmt: skip
        return int(value), int(place)

    @property
    def side(self) -> Bools:
        """The nodes on the source's side of the least cut, after ``least`` ended at a flow below ``most``."""
        found: Bools = self._level[: self.num_nodes] >= 0
        return found

    @property
    def end_side(self) -> Bools:
        """After one flow: the nodes from which more could still reach its end; of all sides of its end, if the flow
        was not stopped short of the largest one, that of the least cut with the fewest nodes."""
        size, tail = self.num_nodes, self._far_end[np.arange(len(self._far_end)) ^ 1]
        found = np.zeros(size + 2, dtype=np.bool_)
        found[size + 1] = True
        while True:
            more = (self._left > 0) & found[self._far_end] & ~found[tail]
            if not more.any():
                return found[:size]
            found[tail[more]] = True
