"""Dependencies between virtual channels, for an assignment of virtual channels to the hops of all paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, product

import numpy as np

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.graph import first_descent
from ...core.spread import Progress
from ..base.delivery import Bundle, gathered
from ..base.routing import Routing
from ..grid.lines import ChannelPlaces, channel_places
from .channels import channel_dependencies

Assigned = Iterator[tuple[Bundle, Int64]]
_HELD = 1 << 22
MOST_TRANSACTIONS, MOST_CLASSES = 20_000, 8


def virtual_of_turns(routing: Routing, order: tuple[int, ...], source: Iterable[Bundle] | None = None) -> Assigned:
    """Every bundle with the virtual channels of its hops, by the rule of ``by_turns``.

    ``source``: the bundles, where they are at hand already.  Raises InputError for a network without a grid.
    """
    network = routing.network
    if network.grid is None:
        raise InputError(f"virtual channels by turns need a torus, mesh or HyperX; {network.name} has no grid layout")
    places = channel_places(network, network.grid)
    for bundle in gathered(bundles_of(routing) if source is None else source):
        yield bundle, by_turns(places, bundle.channel, order)


def virtual_of_descents(routing: Routing, number: Int64, source: Iterable[Bundle] | None = None) -> Assigned:
    """The same by the rule of ``by_descents``."""
    for bundle in gathered(bundles_of(routing) if source is None else source):
        yield bundle, by_descents(number, bundle.channel)


def ascending_dependencies(routing: Routing, number: Int64) -> tuple[Int64, Int64] | None:
    """(first, second): the dependencies between channels, if ``number`` (int64, shape (C,)) increases along all of
    them, else None.

    Then ``by_descents`` has one virtual channel for every channel, and these are what ``virtual_dependencies`` gives;
    of a routing without explicit paths, more may be among them.  Grids and tables need no path written out.
    """
    found = channel_dependencies(routing)
    first, second = found.first.astype(np.int64), found.second.astype(np.int64)
    return (first, second) if first_descent(number, first, second) is None else None


def virtual_of_layers(routing: Routing, layer: Int64) -> Assigned:
    """The same where path k, in the order of ``bundles_of``, stays on virtual channel ``layer[k]``."""
    at = 0
    for bundle in bundles_of(routing):
        size, hops = bundle.channel.shape
        if at + size > len(layer):
            raise InputError(f"there are more than {len(layer)} paths; each needs a layer")
        yield bundle, np.repeat(layer[at : at + size, None], hops, axis=1)
        at += size
    if at != len(layer):
        raise InputError(f"there are {at} paths and {len(layer)} layers; one each was expected")


def virtual_of_destinations(routing: Routing, lane: Int64) -> Assigned:
    """The same where all paths to node v stay on virtual channel ``lane[v]``."""
    head = routing.network.head
    for bundle in bundles_of(routing):
        yield bundle, np.broadcast_to(lane[head[bundle.channel[:, -1:]]], bundle.channel.shape)


def virtual_of_hops(routing: Routing, lane: Int64) -> Assigned:
    """The same where ``lane`` has the virtual channel of every hop of every path, in the order of ``bundles_of``."""
    at = 0
    for bundle in bundles_of(routing):
        end = at + bundle.channel.size
        if end > len(lane):
            raise InputError(f"there are more than {len(lane)} hops; each needs a virtual channel")
        yield bundle, lane[at:end].reshape(bundle.channel.shape)
        at = end
    if at != len(lane):
        raise InputError(f"there are {at} hops and {len(lane)} virtual channels; one each was expected")


def transactions(routing: Routing, classes: int) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """The different transactions of so many message classes, in order: a path from terminal to terminal, then a path
    back for the answer, and so on, all in one: [the paths one by one].

    A terminal takes a message from the network only once its answer, of the next class, can enter it: the first channel
    of the answer's path depends on the last one of the message's.  Raises InputError for too many of them.
    """
    at_one = np.argwhere(routing.row_node[:, None] == routing.column_node)  # messages that cross no channel
    paths: dict[tuple[int, int], set[tuple[int, ...]]] = {(i, j): {()} for i, j in at_one.tolist()}
    for bundle in bundles_of(routing):
        for i, j, path in zip(bundle.row.tolist(), bundle.column.tolist(), bundle.channel.tolist(), strict=True):
            paths.setdefault((i, j), set()).add(tuple(path))
    ends = {*zip(routing.row_of.tolist(), routing.column_of.tolist(), strict=True)}
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for (i, back), (k, to) in product(ends, ends):
        some = [paths.get((i, to), ()), paths.get((k, back), ())]
        for parts in product(*(some[at % 2] for at in range(classes))):
            if any(parts):
                found[tuple(chain(*parts))] = list(parts)
        if len(found) > MOST_TRANSACTIONS:
            raise InputError(
                f"--classes: there are more than {MOST_TRANSACTIONS:,} ways of a message and its answers; a smaller "
                f"network, or a routing with fewer paths, was expected"
            )
    return dict(sorted(found.items()))


def virtual_of_transactions(routing: Routing, classes: int, lane: Int64) -> Assigned:
    """Every one of ``transactions``, where ``lane`` has the virtual channel of every hop of each."""
    found = transactions(routing, classes)
    hops = [len(path) for path in found]
    if len(lane) != sum(hops):
        raise InputError(f"transactions have {sum(hops)} hops; {len(lane)} were found")
    for path, own in zip(found, np.split(lane, np.cumsum(hops, dtype=np.int64))[:-1], strict=True):
        yield Bundle.of(0, 0, path), own[None, :]


def virtual_as_given(routing: Routing) -> Assigned:
    """The same as the routing states them (``path_virtual``); raises InputError where it states none."""
    known = routing.path_virtual
    if known is None:
        raise InputError(f"{routing.name} states no virtual channels")
    for bundle in gathered(bundles_of(routing)):
        virtual = [known[tuple(path)] for path in bundle.channel.tolist()]
        yield bundle, np.array(virtual, dtype=np.int64).reshape(bundle.channel.shape)


def virtual_dependencies(routing: Routing, assigned: Assigned) -> tuple[int, Int64, Int64]:
    """(V, first, second): V virtual channels per channel, and all dependencies between them, without doubles.

    Virtual channel v of channel c has the number v * C + c.
    """
    size = routing.network.num_channels
    span = 0
    key: Int64 = np.zeros(0, dtype=np.int64)
    waiting: list[Int64] = []
    count = 0
    top = 1 << 31  # numbers of virtual channels stay below: two of them make one key
    for bundle, virtual in assigned:
        number = virtual * size + bundle.channel
        span = max(span, int(virtual.max(initial=0)) + 1)
        if span * size >= top:
            raise InputError(f"{span} virtual channels for each of {size} channels are too many to number")
        waiting.append((number[:, :-1] << 31 | number[:, 1:]).ravel())
        count += waiting[-1].size
        if count > _HELD:
            key, waiting, count = np.unique(np.concatenate([key, *waiting])), [], 0
    key = np.unique(np.concatenate([key, *waiting]))
    return span, key >> 31, key & (top - 1)


def by_turns(places: ChannelPlaces, channel: Int32, order: tuple[int, ...]) -> Int64:
    """The virtual channel of every hop of paths on a grid; int64, shape (B, L) like ``channel``.

    A packet begins in set 0.  Its set goes up by one with every turn to a dimension that is earlier in ``order``, and
    with every reversal within a dimension.  On tori every set has two virtual channels: the packet begins each straight
    run in the first one, and goes on in the second one after the channel that wraps around (the dateline; were it to
    wrap once more, in the next set).  So it is 2 * set + late on tori, and the set itself on meshes and HyperX.

    In a set, dimensions come in order; within a dimension, late after early, and neither goes on beyond the dateline:
    no cycle is possible, whatever the paths.  (The result is checked all the same.)
    """
    grid = places.grid
    rank = np.argsort(np.array(order))
    count, hops = channel.shape
    radix = np.array(grid.radix)
    dimension, direction = places.dimension[channel], places.direction[channel]
    position = grid.coordinates[places.node[channel], dimension]
    k = radix[dimension]
    wraps = np.zeros(channel.shape, dtype=bool)
    if grid.kind == "torus":
        wraps = np.where(direction == 0, position == k - 1, position == 0) & (k > 2)
    level, late = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    result = np.empty(channel.shape, dtype=np.int64)
    width = 2 if grid.kind == "torus" and (radix > 2).any() else 1
    for at in range(hops):
        if at:
            same = dimension[:, at] == dimension[:, at - 1]
            onward = same & (direction[:, at] == direction[:, at - 1]) & (grid.kind != "hyperx") & (k[:, at] > 2)
            again = onward & wraps[:, at - 1] & (late == 1)
            back = np.where(same, ~onward, rank[dimension[:, at]] < rank[dimension[:, at - 1]])
            level = level + (back | again)
            late = np.where(onward & ~again, late | wraps[:, at - 1], 0)
        result[:, at] = width * level + late
    return result


def by_descents(number: Int64, channel: Int32) -> Int64:
    """The virtual channel of every hop: how often ``number`` (int64, shape (C,)) has not increased before.

    Within a virtual channel the numbers of the channels increase along every path, and the virtual channel itself never
    decreases: no cycle is possible, whatever the paths.
    """
    result = np.zeros(channel.shape, dtype=np.int64)
    np.cumsum(number[channel[:, 1:]] <= number[channel[:, :-1]], axis=1, out=result[:, 1:])
    return result


def bundles_of(routing: Routing, progress: Progress | None = None) -> Iterator[Bundle]:
    """``routing.bundles`` where its paths are explicit, else the paths of ``routing.decomposition`` with cycles left
    out, pair by pair: rows ascending, for each row columns ascending."""
    return routing.bundles(progress) if routing.has_explicit_paths else _decomposed(routing, progress)


def _decomposed(routing: Routing, progress: Progress | None) -> Iterator[Bundle]:
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    for k, i in enumerate(rows):
        for j in columns:
            if routing.row_node[i] != routing.column_node[j]:
                yield from (Bundle.of(i, j, path) for path in straight_paths(routing, i, j))
        if progress is not None:
            progress(k + 1, len(rows))


def straight_paths(routing: Routing, row: int, column: int) -> dict[tuple[int, ...], Fraction]:
    """The paths of ``routing.decomposition`` with cycles left out, and the weight of each, in the order of evidence."""
    straight: dict[tuple[int, ...], Fraction] = {}
    for weight, path in routing.decomposition(row, column):
        way = without_cycles(routing, path)
        straight[way] = straight.get(way, Fraction(0)) + weight
    if routing.parts:  # heaviest first, as the decomposition of a mixture is
        return dict(sorted(straight.items(), key=lambda x: (-x[1], x[0])))
    return straight


def without_cycles(routing: Routing, path: Sequence[int]) -> tuple[int, ...]:
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
