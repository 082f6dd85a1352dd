"""All paths of a routing, many at a time: those that translations make of one another come together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Grid
from ...core.stage import Progress
from ..classes.path_classes import PathClassRouting
from ..graph.listed_paths import ListedRouting
from ..grid.closed_form import GridRouting
from ..grid.ival import IVALRouting
from ..grid.paths import own_paths
from ..tables.next_hop import NextHopRouting
from ..tables.path_table import TableRouting
from .bundle import Bundle
from .mixture import Mixture
from .routing import Routing

__all__ = ["Bundle", "gathered", "own_bundles", "path_bundles", "tells_its_paths"]

Int32 = npt.NDArray[np.int32]
_HELD = 1 << 16


def tells_its_paths(routing: Routing) -> bool:
    """Are ``routing.paths`` all that its packets take?  Else they are some paths with the same loads."""
    if isinstance(routing, Mixture):
        return all(tells_its_paths(part) for _, part in routing.parts)
    telling = (GridRouting, IVALRouting, ListedRouting, NextHopRouting, PathClassRouting, TableRouting)
    return isinstance(routing, telling)


def own_bundles(routing: Routing, progress: Progress | None = None) -> Iterator[Bundle]:
    """All paths that packets of the routing may take, for all pairs of rows and columns with terminals on different
    nodes.

    Paths of grid routings on tori and HyperX depend on the displacement alone, by construction: those of one source
    are moved to all.  Raises InputError for a routing that does not tell its paths, or has too many.
    """
    sends = np.bincount(routing.row_of, minlength=len(routing.row_node)) > 0
    receives = np.bincount(routing.column_of, minlength=len(routing.column_node)) > 0
    if sends.all() and receives.all():
        yield from _all_bundles(routing, progress)
        return
    for bundle in _all_bundles(routing, progress):
        some = sends[bundle.row] & receives[bundle.column]
        if some.any():
            yield Bundle(bundle.row[some], bundle.column[some], bundle.channel[some])


def _all_bundles(routing: Routing, progress: Progress | None) -> Iterator[Bundle]:
    """The same, and maybe paths between nodes without terminals."""
    if not tells_its_paths(routing):
        raise InputError(f"{routing.name} is given by its loads; which paths its packets take is not known")
    if isinstance(routing, Mixture):
        for _, part in routing.parts:
            yield from own_bundles(part, progress)
    elif isinstance(routing, NextHopRouting):
        for row, column, channel in routing.bundles():
            yield Bundle(row, column, channel)
    elif isinstance(routing, ListedRouting):
        yield from routing.bundles()
    elif isinstance(routing, (GridRouting, IVALRouting)) and routing.grid.kind != "mesh":
        yield from _translated(routing, routing.grid, progress)
    elif isinstance(routing, PathClassRouting):
        yield from _of_classes(routing, progress)
    else:
        yield from path_bundles(routing, progress)


def gathered(bundles: Iterable[Bundle]) -> Iterator[Bundle]:
    """The same paths in another order, in few bundles: small ones of the same number of hops become one."""
    held: dict[int, list[Bundle]] = {}
    paths: dict[int, int] = {}
    for bundle in bundles:
        size, hops = bundle.channel.shape
        held.setdefault(hops, []).append(bundle)
        paths[hops] = paths.get(hops, 0) + size
        if paths[hops] * hops >= _HELD:
            yield _joined(held.pop(hops))
            del paths[hops]
    for left in held.values():
        yield _joined(left)


def _joined(bundles: list[Bundle]) -> Bundle:
    if len(bundles) == 1:
        return bundles[0]
    row, column, channel = (
        np.concatenate([getattr(x, what) for x in bundles]) for what in ("row", "column", "channel")
    )
    return Bundle(row, column, channel)


def path_bundles(routing: Routing, progress: Progress | None = None) -> Iterator[Bundle]:
    """The paths of ``routing.paths``, pair by pair: rows ascending, for each row columns ascending.

    Of a routing that does not tell its paths, those that its loads are taken apart into, cycles left out.
    """
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    for k, i in enumerate(rows):
        for j in columns:
            if routing.row_node[i] != routing.column_node[j]:
                for path in _paths(routing, i, j):
                    channel = np.array([path], dtype=np.int32)
                    yield Bundle(np.array([i], dtype=np.int32), np.array([j], dtype=np.int32), channel)
        if progress is not None:
            progress(k + 1, len(rows))


def _paths(routing: Routing, row: int, column: int) -> list[list[int]]:
    if isinstance(routing, GridRouting):
        found = own_paths(routing.grid, routing.lines, routing.orders, row, column)
        if found is None:
            raise InputError(
                f"{routing.name} has too many paths from {routing.network.label(row)} to "
                f"{routing.network.label(column)} to write them all out"
            )
        return [path for _, path in found]
    found = routing.paths(row, column)
    if not tells_its_paths(routing):
        straight: dict[tuple[int, ...], Fraction] = {}
        for weight, path in found:
            way = _without_cycles(routing, path)
            straight[way] = straight.get(way, Fraction(0)) + weight
        found = [(weight, list(way)) for way, weight in straight.items()]
        if isinstance(routing, Mixture):  # heaviest first, as its paths are
            found.sort(key=lambda item: (-item[0], item[1]))
    return [path for _, path in found]


def _without_cycles(routing: Routing, path: list[int]) -> tuple[int, ...]:
    """What is left of a path where, whenever it comes to a node again, what lies between is left out."""
    tail, head = routing.network.tail, routing.network.head
    at = {int(tail[path[0]]): 0}
    left: list[int] = []
    for c in path:
        left.append(c)
        v = int(head[c])
        if v in at:
            del left[at[v] :]
            at = {u: x for u, x in at.items() if x <= at[v]}
        at[v] = len(left)
    return tuple(left)


def _of_classes(routing: PathClassRouting, progress: Progress | None) -> Iterator[Bundle]:
    """Every path of a class, moved to all pairs of the class; those that are turned round come by themselves."""
    for number, one in enumerate(routing.class_paths):
        row, column, turned, image = routing.moved(number)
        for _, path in one.paths:
            channel = image[:, path]
            for which, there in ((~turned, channel), (turned, channel[:, ::-1])):
                if which.any():
                    yield Bundle(row[which], column[which], np.ascontiguousarray(there[which]))
        if progress is not None:
            progress(number + 1, len(routing.class_paths))


def _translated(routing: Routing, grid: Grid, progress: Progress | None) -> Iterator[Bundle]:
    nodes = np.arange(routing.network.num_nodes)
    at = grid.coordinates.astype(np.int64)
    radix = np.array(grid.radix)
    place = np.full((routing.network.num_channels, 2), -1, dtype=np.int64)  # dimension, direction
    for m in range(grid.num_dimensions):
        for d in reversed(range(grid.channel_at.shape[2])):  # a channel of both directions counts as +
            there = grid.channel_at[:, m, d]
            place[there[there >= 0]] = m, d
    tail = routing.network.tail
    for j in nodes[1:].tolist():
        column = np.ravel_multi_index(tuple(((at + at[j]) % radix).T), grid.radix).astype(np.int32)
        for path in _paths(routing, 0, j):
            node = np.ravel_multi_index(tuple(np.moveaxis((at[:, None] + at[tail[path]]) % radix, -1, 0)), grid.radix)
            channel = grid.channel_at[node, place[path, 0], place[path, 1]]
            yield Bundle(nodes.astype(np.int32), column, channel)
        if progress is not None:
            progress(j, len(nodes) - 1)
