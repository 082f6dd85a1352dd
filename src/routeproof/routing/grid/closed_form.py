"""Routings on tori, meshes and HyperX whose loads have a closed form: their paths, symmetries and delivery."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.exact_arrays import equal
from ...core.network import Grid
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.symmetry import Automorphism
from ..base.delivery import Bundle, check_delivery
from ..base.routing import Dependency
from .lines import Line, Order
from .loads import GridLoads
from .relative import translated_bundles

_CHECKED_NODES = 256
_CELLS = 1 << 20


class GridRouting(GridLoads):
    """A routing of one or two phases, each dimension by dimension; see ``GridLoads`` for its loads."""

    has_explicit_paths = True

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The routing's own paths with their exact weights, heaviest first; refused where they may be more than
        10,000."""
        found = self._own_paths(row, column)
        if found is None:
            label = self.network.label
            raise InputError(
                f"{self.name} has too many paths from {label(row)} to {label(column)} to write them all out"
            )
        return found

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Its own paths, or, where they may be more than 10,000, few paths with the same loads."""
        found = self._own_paths(row, column)
        return self._flow_paths(row, column) if found is None else found

    def _own_paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]] | None:
        if row == column:
            return [(Fraction(1), [])]
        return own_paths(self.grid, self.lines, self.orders, row, column)

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        """On tori and HyperX the paths of one source, moved to all: they depend on the displacement alone."""
        if self.grid.kind == "mesh":
            yield from super()._bundles(progress)
        else:
            yield from translated_bundles(self, self.places, progress)

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:
        """By rule, where every node sends and receives; no path is written out."""
        if (self.network.supply > 0).all() and (self.network.demand > 0).all():
            yield from grid_dependencies(self)
        else:
            yield from super().dependencies(progress)

    def makes_dependency(self, row: int, column: int, first: int, second: int) -> bool:
        if self._own_paths(row, column) is not None:
            return super().makes_dependency(row, column, first, second)
        # Too many paths to write out: the packet that the rule names for this dependency, and no other.
        named = (first, second, row, column)
        return any((np.stack(found, axis=1) == named).all(axis=1).any() for found in grid_dependencies(self))

    def respects(self, g: Automorphism) -> bool:
        return respects(self, g)

    def respects_reversal(self) -> bool:
        return respects_reversal(self)

    def check(self) -> None:
        """Raise InputError unless every pair is delivered with weight exactly 1.

        All pairs are checked on networks of up to 256 nodes; on tori and HyperX those of one source stand for all,
        by translation.  On larger networks delivery rests on the construction, which does not depend on size.
        """
        if self.network.num_nodes <= _CHECKED_NODES:
            rows, columns = self._telling_pairs()
            step = max(1, _CELLS // self.network.num_nodes)
            for at in range(0, len(rows), step):
                i, j = rows[at : at + step], columns[at : at + step]
                away = i != j
                check_delivery(self.network, self.name, i[away], j[away], self.pair_loads(i[away], j[away]))

    def _telling_pairs(self) -> tuple[Int64, Int64]:
        """(rows, columns) of pairs whose delivery implies that of all."""
        nodes = np.arange(self.network.num_nodes)
        sources = nodes if self.grid.kind == "mesh" else nodes[:1]
        return np.repeat(sources, len(nodes)), np.tile(nodes, len(sources))


_MOST_PATHS = 10_000


def own_paths(
    grid: Grid, lines: Sequence[Line], orders: Sequence[Order], row: int, column: int
) -> list[tuple[Fraction, list[int]]] | None:
    """Weighted paths (channels) from node ``row`` to node ``column``, heaviest first; None if there may be too many."""
    start, end = ([int(x) for x in grid.coordinates[v]] for v in (row, column))
    walks = [line.walks(s, t) for line, s, t in zip(lines, start, end, strict=True)]
    # Only dimensions in which something moves can be told apart by their order.
    moving = [r for r in range(grid.num_dimensions) if any(first or second for _, first, second in walks[r])]
    choices = [[order] if order is not None else list(itertools.permutations(moving)) for order in orders]
    if math.prod(map(len, walks)) * math.prod(map(len, choices)) > _MOST_PATHS:
        return None
    parts = [math.lcm(*(x.denominator for x, _, _ in way)) for way in walks]  # chances are summed as whole numbers
    weight: dict[tuple[int, ...], int] = {}
    for way in itertools.product(*walks):
        chance = math.prod(x.numerator * (part // x.denominator) for part, (x, _, _) in zip(parts, way, strict=True))
        for order in itertools.product(*choices):
            position, path = list(start), []
            for phase, dimensions in enumerate(order):
                for r in dimensions:
                    for d in way[r][1:][phase]:
                        path.append(int(grid.channel_at[grid.node(position), r, d]))
                        position[r] = (position[r] + _step(grid, d)) % grid.radix[r]
            weight[tuple(path)] = weight.get(tuple(path), 0) + chance
    every = math.prod(parts) * math.prod(map(len, choices))
    return [
        (Fraction(x, every), list(path)) for path, x in sorted(weight.items(), key=lambda item: (-item[1], item[0]))
    ]


def _step(grid: Grid, d: int) -> int:
    return d + 1 if grid.kind == "hyperx" else 1 - 2 * d


Found = tuple[Int32, Int32, Int32, Int32]


@dataclass(frozen=True, eq=False)
class _Move:
    """One hop in one dimension and direction, from every node; -1 where there is none.  All int64, shape (N,)."""

    dimension: int
    direction: int
    channel: Int64
    ahead: Int64  # the node it leads to
    behind: Int64  # the node it comes from
    ahead_twice: Int64  # two hops on, where these are a shortest leg
    behind_twice: Int64


def grid_dependencies(routing: GridLoads) -> list[Found]:
    """Lists of (first, second, row, column), int32: packets from row to column cross the first and then the second.

    Every dependency of the routing's paths comes at least once, by rule.  At a node a packet goes on, turns, or turns
    back.  Whether some packet does so is a question about one or two dimensions: it may stand still in all others.
    Within a dimension parts of a leg are legs, too (``Line.legs``: shortest, or either way round), so a leg that comes
    to a node by some channel has a last hop that is a leg itself, and one that goes through has the two hops around it.

    - Straight on within a leg: where the two hops are a leg.
    - From one dimension to another: within a phase where its order allows; between phases always, since the
      intermediate may be anything that leaves the first dimension done and the second to be done (unless the second is
      done in phase one, as one dimension of U2TURN is).
    - Within a dimension between phases: only where the intermediate is any node (Valiant); else a leg was cut, which is
      straight on.  Then source and destination must differ, in that dimension or in another one in which the packet may
      move before or after.
    """
    moves = [_move(routing, m, d) for m, line in enumerate(routing.lines) for d in line.directions]
    found = []
    for a in moves:
        for b in moves:
            row, column = _packets(routing, moves, a, b)
            node = np.flatnonzero((row >= 0) & (column >= 0))
            if len(node):
                arrays = (a.channel[a.behind[node]], b.channel[node], row[node], column[node])
                first, second, source, end = (x.astype(np.int32) for x in arrays)
                found.append((first, second, source, end))
    return found


def _move(routing: GridLoads, m: int, d: int) -> _Move:
    network, line = routing.network, routing.lines[m]
    channel = routing.grid.channel_at[:, m, d].astype(np.int64)
    nodes = np.flatnonzero(channel >= 0)
    ahead, behind = (np.full(network.num_nodes, -1, dtype=np.int64) for _ in range(2))
    ahead[nodes] = network.head[channel[nodes]]
    behind[ahead[nodes]] = nodes
    start, end = (0, 2 % line.radix) if d == 0 else (2 % line.radix, 0)
    leg = any(way == (d, d) for _, way in line.legs(start, end))
    return _Move(m, d, channel, ahead, behind, _again(ahead, leg), _again(behind, leg))


def _again(following: Int64, leg: bool) -> Int64:
    twice = np.full_like(following, -1)
    if leg:
        once = following >= 0
        twice[once] = following[following[once]]
    return twice


def _moves_again(routing: GridLoads, move: _Move) -> bool:
    """Is there a second phase in which a packet may move so?"""
    return len(routing.orders) > 1 and routing.lines[move.dimension].via != "destination"


def _packets(routing: GridLoads, moves: list[_Move], a: _Move, b: _Move) -> tuple[Int64, Int64]:
    """(row, column) by node: a packet that comes to the node by ``a`` and goes on by ``b``; -1 where there is none."""
    none = np.full(routing.network.num_nodes, -1, dtype=np.int64)
    phases = routing.orders
    if a.dimension != b.dimension:
        order = phases[0]
        in_order = order is None or order.index(a.dimension) < order.index(b.dimension)
        return (a.behind, b.ahead) if in_order or _moves_again(routing, b) else (none, none)
    row, column = none.copy(), none.copy()
    if a is b:
        straight = (a.behind_twice[np.maximum(a.ahead, 0)] >= 0) & (a.ahead >= 0)
        row[straight], column[straight] = a.behind[straight], a.ahead[straight]
    if len(phases) == 1 or routing.lines[a.dimension].via != "anywhere":
        return row, column
    trials = [(s, t) for s in (a.behind, a.behind_twice) for t in (b.ahead, b.ahead_twice)]
    for c in moves:
        if c.dimension != a.dimension:
            first, second = (None if x is None else x.index(c.dimension) - x.index(a.dimension) for x in phases)
            if first is None or first < 0:  # it moved in another dimension before
                trials.append((np.where(a.behind >= 0, c.behind[a.behind], -1), b.ahead))
            if _moves_again(routing, c) and (second is None or second > 0):  # or will move after
                trials.append((a.behind, np.where(b.ahead >= 0, c.ahead[b.ahead], -1)))
    for s, t in trials:
        new = (row < 0) & (s >= 0) & (t >= 0) & (s != t)
        row[new], column[new] = s[new], t[new]
    return row, column


def respects(routing: GridLoads, g: Automorphism) -> bool:
    """Is load(c; i, j) = load(g(c); g(i), g(j)) throughout?

    First by the formula: an automorphism that moves whole dimensions and, within each, translates, reflects or (HyperX)
    permutes the coordinates keeps every factor of the formula if the rule of each dimension is mirror-symmetric where
    it reflects, and keeps the sum if it maps every fixed dimension order to itself.  Anything else is compared
    number by number.
    """
    network = routing.network
    for image, size in ((g.node, network.num_nodes), (g.channel, network.num_channels)):
        if len(image) != size or not np.array_equal(np.sort(image), np.arange(size)):
            return False
    # A grid has no parallel channels: the ends determine where an automorphism sends a channel.
    consistent = all(np.array_equal(ends[g.channel], g.node[ends]) for ends in (network.tail, network.head))
    if consistent and _keeps_formula(routing, g):
        return True
    if consistent and _normalises_translations(routing, g):
        # With c also its translates h(c) are settled: g h = h' g for a translation h', and both h and h' are respected.
        channels = routing.grid.channel_at[0].ravel()
        channels = np.unique(channels[channels >= 0])
    else:
        channels = np.arange(network.num_channels)
    return routing._agrees(g, channels)


def _keeps_formula(routing: GridLoads, g: Automorphism) -> bool:
    """Sufficient: g is made of one map per dimension, each of which keeps the rule, and keeps all fixed orders."""
    grid = routing.grid
    at = grid.coordinates.astype(np.int64)
    image = at[g.node]
    goes = []
    for r, k in enumerate(grid.radix):
        along = np.zeros((k, grid.num_dimensions), dtype=np.int64)
        along[:, r] = np.arange(k)
        steps = image[np.ravel_multi_index(tuple(along.T), grid.radix)]
        moved = np.nonzero((steps != steps[0]).any(axis=0))[0]
        if len(moved) != 1 or grid.radix[moved[0]] != k:
            return False
        m = int(moved[0])
        if not np.array_equal(image[:, m], steps[at[:, r], m]) or not _keeps_rule(routing.lines[r], steps[:, m]):
            return False
        goes.append(m)
    # Dimensions of equal radix have equal rules, so only fixed orders can tell them apart.
    return all(order is None or tuple(goes[r] for r in order) == order for order in routing.orders)


def _keeps_rule(line: Line, image: Int64) -> bool:
    """Does sending coordinate x to ``image[x]``, an automorphism of the line, keep the line's rule?"""
    x, k = np.arange(line.radix), line.radix
    if line.kind == "hyperx":
        return True  # the rule asks only which coordinates are equal
    if line.kind == "mesh":
        # The rule asks for distances and for what lies between; there are no ties.
        return np.array_equal(image, x) or np.array_equal(image, x[::-1])
    if np.array_equal(image, (image[0] + x) % k):
        return True  # the rule asks only for differences modulo k
    return np.array_equal(image, (image[0] - x) % k) and _is_mirror_symmetric(line)


def _is_mirror_symmetric(line: Line) -> bool:
    """Does x -> -x, exchanging + and -, keep the rule of a torus dimension?  By translation p = 0 stands for all p."""
    if len(line.directions) == 1:
        return line.radix == 2
    k, zero = line.radix, np.array(0)
    step = max(1, _CELLS // k)
    t = np.arange(k)
    for at in range(0, k, step):
        s = np.arange(at, min(k, at + step))[:, None]
        if not equal(Rationals(*line.stays(s, t, zero)), Rationals(*line.stays(-s % k, -t % k, zero))):
            return False
        for d in line.directions:
            *here, den = line.crosses(s, t, zero, d)
            *there, den_there = line.crosses(-s % k, -t % k, zero, 1 - d)
            for x, y in zip(here, there, strict=True):
                if not equal(Rationals(x, den), Rationals(y, den_there)):
                    return False
    return True


def _normalises_translations(routing: GridLoads, g: Automorphism) -> bool:
    """Is g h g^-1 a translation for every translation h?  Never so on a mesh, which has none."""
    grid = routing.grid
    if grid.kind == "mesh":
        return False
    at = grid.coordinates.astype(np.int64)
    radix = np.array(grid.radix)
    inverse = np.argsort(g.node)
    for r in range(grid.num_dimensions):
        moved = at.copy()
        moved[:, r] = (moved[:, r] + 1) % grid.radix[r]
        h = np.ravel_multi_index(tuple(moved.T), grid.radix)
        shift = (at[g.node[h[inverse]]] - at) % radix
        if not (shift == shift[0]).all():
            return False
    return True


def respects_reversal(routing: GridLoads) -> bool:
    """Is load(c; i, j) = load(reverse(c); j, i)?  A path run backwards is routed in the reversed orders.

    So orders must be random, or the second the reverse of the first; and the rule of every dimension must not change
    when s and t, + and - are exchanged, as it does on one-way tori and where ties go to +.
    """
    grid = routing.grid
    if grid.num_dimensions > 1:
        orders = [None if order is None else order[::-1] for order in reversed(routing.orders)]
        if orders != list(routing.orders):
            return False
    for line in routing.lines:
        if line.kind == "torus" and line.radix > 2 and (line.oneway or (line.tie == "plus" and line.radix % 2 == 0)):
            return False
    return routing.network.reverse is not None
