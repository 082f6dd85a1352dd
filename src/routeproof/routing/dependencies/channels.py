"""Channel dependencies: which channel a packet may hold while it asks for which other one.

Source: Dally & Seitz 1987 (IEEE Trans. Computers C-36(5)), the channel dependency graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.stage import Progress
from ..base.exact_arrays import ragged
from ..base.path_bundles import own_bundles, tells_its_paths
from ..base.routing import Routing
from ..grid.paths import own_paths

if TYPE_CHECKING:
    from ..tables.next_hop import NextHopRouting

__all__ = ["Dependencies", "channel_dependencies", "depends"]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
_HELD = 1 << 22


@dataclass(frozen=True, eq=False)
class Dependencies:
    """Dependency k: some packet crosses channel ``first[k]`` and then at once ``second[k]``; int32, sorted, no doubles.

    ``row``, ``column``: a pair whose packets do so.

    ``by_paths``: the routing told its paths.  Otherwise its loads stand for it: at every node a packet may go on over
    any channel that its pair loads.  For random shortest paths and next-hop tables that is exactly what packets do; for
    others it may be more, so that "no cycle" still holds for every routing with these loads, and a cycle is one of
    the routing that forwards by these loads.
    """

    first: Int32
    second: Int32
    row: Int32
    column: Int32
    by_paths: bool

    def __len__(self) -> int:
        return len(self.first)


def channel_dependencies(
    routing: Routing, progress: Progress | None = None, *, by_paths: bool | None = None
) -> Dependencies:
    """All dependencies of a routing.

    ``by_paths``: from its paths, or from its loads; by default from its paths if it tells them.
    Raises InputError for sampled routings, for paths that are not told, and for too many of them.
    """
    from ..function.sampled import SampledRouting

    if isinstance(routing, SampledRouting):
        raise InputError(f"{routing.name} is sampled; its dependencies are not known")
    if by_paths is None:
        by_paths = tells_its_paths(routing)
    table = _Table(routing.network.num_channels)
    if by_paths:
        for found in _of_paths(routing, progress):
            table.add(*found)
    else:
        _by_loads(routing, table, progress)
    first, second, row, column = table.result()
    return Dependencies(first, second, row, column, by_paths)


def _of_paths(routing: Routing, progress: Progress | None) -> Iterator[tuple[Int32, Int32, Int32, Int32]]:
    """(first, second, row, column) of every dependency of the routing's own paths, some of them often."""
    from ..base.mixture import Mixture
    from ..grid.closed_form import GridRouting
    from ..tables.next_hop import NextHopRouting

    if isinstance(routing, Mixture):
        for _, part in routing.parts:
            for first, second, row, column in _of_paths(part, progress):
                yield (
                    first,
                    second,
                    _index(part.row_of, routing.row_of, row),
                    _index(part.column_of, routing.column_of, column),
                )
    elif isinstance(routing, NextHopRouting):
        yield _of_tables(routing)
    elif isinstance(routing, GridRouting) and (routing.network.supply > 0).all() and (routing.network.demand > 0).all():
        from ..grid.dependencies import grid_dependencies

        yield from grid_dependencies(routing)
    else:
        for bundle in own_bundles(routing, progress):
            hops = bundle.channel.shape[1] - 1
            row, column = np.repeat(bundle.row, hops), np.repeat(bundle.column, hops)
            yield bundle.channel[:, :-1].ravel(), bundle.channel[:, 1:].ravel(), row, column


def _of_tables(routing: NextHopRouting) -> tuple[Int32, Int32, Int32, Int32]:
    """Those of a next-hop table: each node is gone through once for every destination."""
    from .turn_kernels import mark_turns
    from .turn_numbers import turn_numbers

    network = routing.network
    turns = turn_numbers(network)
    row, column = (np.full(turns.count, -1, dtype=np.int32) for _ in range(2))
    sources, columns = (np.unique(x).astype(np.int32) for x in (routing.row_of, routing.column_of))
    mark_turns(
        routing.next_channel, network.head, sources, columns, routing.column_node, turns.start, turns.rank, row, column
    )
    made = np.flatnonzero(row >= 0)
    first, second = (x[made].astype(np.int32) for x in (turns.first, turns.second))
    return first, second, row[made], column[made]


def _index(own: Int32, wanted: Int32, value: Int32) -> Int32:
    """Rows (columns) of a part of a mixture as those of the mixture, by a terminal that has both."""
    if np.array_equal(own, wanted):
        return value
    terminal = np.zeros(int(own.max()) + 1, dtype=np.int64)
    terminal[own[::-1]] = np.arange(len(own))[::-1]
    return wanted[terminal[value]]


def depends(routing: Routing, row: int, column: int, first: int, second: int, *, by_paths: bool) -> bool:
    """May a packet from ``row`` to ``column`` cross ``first`` and then at once ``second``?  From the routing alone."""
    if routing.network.head[first] != routing.network.tail[second]:
        return False
    if by_paths:
        return _on_own_paths(routing, row, column, first, second)
    loads = routing.pair_loads([row], [column]).as_dict()
    return first in loads and second in loads


def _on_own_paths(routing: Routing, row: int, column: int, first: int, second: int) -> bool:
    from ..base.mixture import Mixture
    from ..grid.closed_form import GridRouting

    if isinstance(routing, Mixture):
        for _, part in routing.parts:
            (i,) = _index(routing.row_of, part.row_of, np.array([row], dtype=np.int32)).tolist()
            (j,) = _index(routing.column_of, part.column_of, np.array([column], dtype=np.int32)).tolist()
            if _on_own_paths(part, i, j, first, second):
                return True
        return False
    if isinstance(routing, GridRouting) and own_paths(routing.grid, routing.lines, routing.orders, row, column) is None:
        from ..grid.dependencies import grid_dependencies

        # Too many paths to write out: the packet that the rule names for this dependency, and no other.
        named = (first, second, row, column)
        return any((np.stack(found, axis=1) == named).all(axis=1).any() for found in grid_dependencies(routing))
    return any((first, second) in pairwise(path) for _, path in routing.paths(row, column))


class _Table:
    """Dependencies as they come, doubles dropped now and then."""

    def __init__(self, num_channels: int) -> None:
        self.size = num_channels
        self.key: Int64 = np.zeros(0, dtype=np.int64)
        self.pair: Int64 = np.zeros(0, dtype=np.int64)
        self.waiting: list[tuple[Int64, Int64]] = []
        self.count = 0

    def add(self, first: Int32, second: Int32, row: Int32, column: Int32) -> None:
        key = first.astype(np.int64) * self.size + second
        self.waiting.append((key, row.astype(np.int64) << 32 | column))
        self.count += len(key)
        if self.count > _HELD:
            self._settle()

    def _settle(self) -> None:
        key = np.concatenate([self.key, *(x for x, _ in self.waiting)])
        pair = np.concatenate([self.pair, *(x for _, x in self.waiting)])
        self.key, at = np.unique(key, return_index=True)
        self.pair, self.waiting, self.count = pair[at], [], 0

    def result(self) -> tuple[Int32, Int32, Int32, Int32]:
        self._settle()
        values = (self.key // self.size, self.key % self.size, self.pair >> 32, self.pair & 0xFFFFFFFF)
        return tuple(x.astype(np.int32) for x in values)  # type: ignore[return-value]


def _by_loads(routing: Routing, table: _Table, progress: Progress | None) -> None:
    """For every pair, each loaded channel into a node with each loaded channel out of it."""
    network = routing.network
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    for k, i in enumerate(rows.tolist()):
        others = columns[routing.column_node[columns] != routing.row_node[i]]
        block = routing.pair_loads(np.full(len(others), i), others)
        pair = np.repeat(np.arange(len(others), dtype=np.int64), np.diff(block.offset))
        enters = pair * network.num_nodes + network.head[block.channel]
        leaves = pair * network.num_nodes + network.tail[block.channel]
        order = np.argsort(leaves, kind="stable")
        low = np.searchsorted(leaves[order], enters)
        length = np.searchsorted(leaves[order], enters, side="right") - low
        follower = order[ragged(low, length)]
        holder = np.repeat(np.arange(len(pair)), length)
        row = np.full(len(holder), i, dtype=np.int32)
        column = others[pair[holder]].astype(np.int32)
        table.add(block.channel[holder], block.channel[follower], row, column)
        if progress is not None:
            progress(k + 1, len(rows))
