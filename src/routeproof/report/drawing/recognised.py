"""What is recognised by channels alone, from whatever file it comes: meshes and tori, to be drawn as grids; levels.

Grids: a candidate of the right size, number of channels and degrees is compared by canonical labelling (McKay's; igraph
has Junttila and Kaski's ``bliss``), which gives the map between the two where they are isomorphic.  The order within
levels is by the barycentre method of Sugiyama, Tagawa & Toda (IEEE Trans. SMC 11, 1981).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.graph import hops_from
from ...core.network import Grid, Network
from ...machine.libraries import igraph
from ...topologies.grid.lattice import mesh, torus
from .structure import ends_of, levels_of, place_pods

_MOST_NODES = 4096
_MOST_DIMENSIONS = 4
_NUMBERS = re.compile(r"\d+")
Edges = frozenset[tuple[int, int]]


def recognised_grid(network: Network) -> tuple[Grid, Int64, dict[int, int]] | None:
    """``(grid, place, channel)``: node v of ``network`` is node place[v] of the grid, whose channel c is channel[c].

    None where the network is neither a mesh nor a torus of two to four dimensions with one channel each way.
    """
    size = network.num_nodes
    channels = {ends: c for c, ends in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True))}
    both_ways = all((v, u) in channels for u, v in channels)
    if not 4 <= size <= _MOST_NODES or len(channels) != network.num_channels or not both_ways:
        return None
    edges = _edges(network)
    degrees = _degrees(edges, size)
    own: Any = None
    for candidate in _candidates(size, degrees):
        other = _edges(candidate)
        if len(other) != len(edges) or _degrees(other, size) != degrees or _met(other, size) != _met(edges, size):
            continue  # said without igraph, whose import takes half a second
        own = _graph(edges, size) if own is None else own
        place = _isomorphism(own, _graph(other, size), edges, other)
        if place is None:
            continue
        grid = candidate.grid
        assert grid is not None
        place = _turned(network, grid, place)
        back = np.argsort(place)
        ends = zip(candidate.tail.tolist(), candidate.head.tolist(), strict=True)
        return grid, place, {c: channels[int(back[u]), int(back[v])] for c, (u, v) in enumerate(ends)}
    return None


def _edges(network: Network) -> Edges:
    return frozenset((min(e), max(e)) for e in zip(network.tail.tolist(), network.head.tolist(), strict=True))


def _degrees(edges: Edges, size: int) -> Counter[int]:
    ends = np.array([x for e in edges for x in e], dtype=np.int64)
    return Counter(np.bincount(ends, minlength=size).tolist())


def _met(edges: Edges, size: int) -> Counter[int]:
    """How many pairs of nodes have how many neighbours in common."""
    near: list[list[int]] = [[] for _ in range(size)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    return Counter(Counter(pair for x in near for pair in itertools.combinations(sorted(x), 2)).values())


def _graph(edges: Edges, size: int) -> Any:
    return igraph().Graph(size, sorted(edges))


def _candidates(size: int, degrees: Counter[int]) -> Iterator[Network]:
    """Tori and meshes with so many nodes, whose corners have the least degree; the longest dimension first."""
    least = min(degrees)
    for count in range(2, _MOST_DIMENSIONS + 1):
        for radix in _factors(size, count):
            cube = radix == (4, 2)  # the torus is the 3-cube, which is the mesh of 2 x 2 x 2
            if len(degrees) == 1 and not cube and sum(1 if k == 2 else 2 for k in radix) == least:
                yield torus(*radix)
            if least == count:
                yield mesh(*radix)


def _factors(size: int, count: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """``size`` as products of ``count`` numbers from 2 on, descending."""
    if count == 1:
        if 2 <= size <= (most or size):
            yield (size,)
        return
    for k in range(min(size // 2, most or size), 1, -1):
        if size % k == 0:
            yield from ((k, *rest) for rest in _factors(size // k, count - 1, k))


def _isomorphism(own: Any, other: Any, edges: Edges, wanted: Edges) -> Int64 | None:
    """Node v of ``own`` is node found[v] of ``other``; None where they are not isomorphic."""
    same, one, two = own.isomorphic_bliss(other, return_mapping_12=True, return_mapping_21=True)
    if not same:
        return None
    ends = np.array(sorted(edges), dtype=np.int64)
    for mapping in (one, two):  # releases of igraph differ in which is which
        found = np.array(mapping, dtype=np.int64)
        image = found[ends]
        if frozenset(zip(image.min(axis=1).tolist(), image.max(axis=1).tolist(), strict=True)) == wanted:
            return found
    return None


def _turned(network: Network, grid: Grid, place: Int64) -> Int64:
    """The same grid, turned so that its names, else its numbers, run from the lower left to the right and upwards."""
    order, by_name = _reading_order(network, grid)
    coordinates = grid.coordinates[place].astype(np.int64)
    best: tuple[list[int], Int64] | None = None
    radix = np.array(grid.radix)
    for axes in itertools.permutations(range(len(radix))):
        if any(radix[a] != k for a, k in zip(axes, radix, strict=True)):
            continue
        for signs in itertools.product((1, -1), repeat=len(radix)):
            moved = coordinates[:, axes] * np.array(signs)
            if grid.kind == "torus":
                moved = (moved - moved[order[0]]) % radix
            else:
                moved -= moved.min(axis=0)
            kept = moved if by_name else moved[:, ::-1]  # names say x first; of numbers the next one is right of it
            key = np.ravel_multi_index(tuple(kept[order].T), tuple(radix if by_name else radix[::-1])).tolist()
            if best is None or key < best[0]:
                best = key, np.ravel_multi_index(tuple(moved.T), grid.radix).astype(np.int64)
    assert best is not None
    return best[1]


def _reading_order(network: Network, grid: Grid) -> tuple[Int64, bool]:
    """The nodes by the numbers in their names, where each has one a dimension and all differ; else by number."""
    found = [tuple(int(x[:9]) for x in _NUMBERS.findall(network.label(v))) for v in range(network.num_nodes)]
    named = all(len(x) == grid.num_dimensions for x in found) and len(set(found)) == len(found)
    if not named:
        return np.arange(network.num_nodes), False
    return np.array(sorted(range(len(found)), key=lambda v: found[v]), dtype=np.int64), True


Points = npt.NDArray[np.float64]
_SWEEPS = 8
_LEAST_STEP = 1.4  # from level to level
_WIDE = 2.2  # how much wider than high a drawing of levels may become
_ROWS_WIDE = 0.8  # the same for multistage networks, which run across


def place_by_level(network: Network) -> Points | None:
    """Positions, shape (N, 2), one unit between neighbours within a level; None where there are no natural levels.

    Multistage networks (channels lead one way, from level to level) run from left to right, their rows as they are
    numbered; trees have their centre on top; networks whose terminals are some of their nodes, and whose channels all
    join consecutive distances from the terminals, have these at the bottom, pods and rails side by side.
    """
    if network.num_nodes < 3 or not network.num_channels:
        return None
    ends = ends_of(network)
    tail, head = np.concatenate([ends, ends[:, ::-1]]).T
    neighbours: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for u, v in ends.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    stage = _stages(network)
    if stage is not None:
        points = _spread(stage, [np.nonzero(stage == x)[0] for x in range(int(stage.max()) + 1)], _ROWS_WIDE)
        return np.stack([points[:, 1], -points[:, 0]], axis=1)
    if len(ends) == network.num_nodes - 1:
        tree = _tree(neighbours, tail, head)
        if tree is not None:
            return tree
    level = levels_of(network, ends)
    if level is None:
        return None
    pods = place_pods(level, ends)
    if pods is None:
        return _spread(level, _ordered(level, neighbours), _WIDE)
    across, whole = pods
    return np.stack([across, level * max(_LEAST_STEP, whole / _WIDE / int(level.max()))], axis=1)


def _stages(network: Network) -> Int64 | None:
    """The level of every node, if every channel leads one level on; None otherwise."""
    level = np.full(network.num_nodes, -1, dtype=np.int64)
    entered = np.zeros(network.num_nodes, dtype=np.bool_)
    entered[network.head] = True
    here = np.nonzero(~entered)[0]
    level[here] = 0
    for at in range(network.num_nodes):
        if not len(here):
            break
        leaving = np.isin(network.tail, here)
        here = np.unique(network.head[leaving])
        if np.any(level[here] >= 0):
            return None
        level[here] = at + 1
    return None if np.any(level < 0) else level


def _tree(neighbours: list[list[int]], tail: Int64, head: Int64) -> Points | None:
    """Leaves side by side, parents above the middle of their children, the centre on top."""
    size = len(neighbours)
    first = hops_from(size, tail, head, 0)
    if np.any(first < 0):
        return None
    one = int(first.argmax())
    away = hops_from(size, tail, head, one)
    path = [int(away.argmax())]  # of largest length: the centre is in its middle
    while path[-1] != one:
        path.append(next(v for v in neighbours[path[-1]] if away[v] == away[path[-1]] - 1))
    root = path[len(path) // 2]
    depth = hops_from(size, tail, head, root)
    children = [[x for x in near if depth[x] > depth[v]] for v, near in enumerate(neighbours)]
    across = over_leaves(children, root)
    step = max(1.0, float(across.max()) / _WIDE / max(1, int(depth.max())))
    return np.stack([across, -step * depth], axis=1)


def over_leaves(children: Sequence[Sequence[int]], root: int) -> Points:
    """A coordinate of every vertex of a tree, shape (N,): leaves 0, 1, 2, ..., every other vertex in the middle of its
    outermost children."""
    place = np.zeros(len(children))
    order, todo = [], [root]
    while todo:
        order.append(todo.pop())
        todo.extend(reversed(children[order[-1]]))
    leaves = [v for v in order if not children[v]]
    place[leaves] = np.arange(len(leaves))
    for v in reversed(order):
        if children[v]:
            place[v] = (place[children[v][0]] + place[children[v][-1]]) / 2
    return place


def _ordered(level: Int64, neighbours: list[list[int]]) -> list[Int64]:
    """The nodes of each level, in an order with few crossings."""
    order = [np.nonzero(level == x)[0] for x in range(int(level.max()) + 1)]
    for sweep in range(_SWEEPS):
        spot = np.zeros(len(level))
        for some in order:
            spot[some] = (np.arange(len(some)) + 0.5) / len(some)
        up = sweep % 2 == 0
        for at in range(1, len(order)) if up else range(len(order) - 2, -1, -1):
            other = at - 1 if up else at + 1
            means = []
            for v in order[at].tolist():
                near = [spot[x] for x in neighbours[v] if level[x] == other]
                means.append(float(np.mean(near)) if near else spot[v])
            order[at] = order[at][np.argsort(means, kind="stable")]
            spot[order[at]] = (np.arange(len(order[at])) + 0.5) / len(order[at])
    return order


def _spread(level: Int64, order: list[Int64], wide: float) -> Points:
    """Level x at height x times a step, its nodes spread evenly over the width of the widest level."""
    widest = max(len(x) for x in order)
    step = max(_LEAST_STEP, (widest - 1) / wide / max(1, len(order) - 1))
    points = np.zeros((len(level), 2))
    for at, some in enumerate(order):
        points[some, 0] = (np.arange(len(some)) + 0.5) * widest / len(some) - 0.5
        points[some, 1] = at * step
    return points
