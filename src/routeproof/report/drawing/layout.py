"""Where to draw nodes and channels: grids as grids, rings as circles, levels as levels, anything else by its distances.

Positions are float64, shape (N, 2), in units of the usual distance between neighbouring nodes.  Everything here is
deterministic: the same network is always drawn alike.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Grid, Network
from ...machine.libraries import igraph
from .recognised import place_by_level, recognised_grid
from .structure import clusters_of_polarfly

Points = npt.NDArray[np.float64]

_STUB = 0.62  # length of the stubs that stand for a torus's wrap channels
_CURVE_POINTS = 17
_BUNDLE_POINTS = 10
_MOST_BUNDLED = 1500  # cables between groups that are drawn as curves
_INWARDS = 0.5  # how far from the middle such a curve is drawn to, as a share of where its group is


@dataclass(frozen=True, eq=False)
class Piece:
    """One drawn stretch of a channel, from node to node or, for a stub, from a node into the margin or back.

    ``line``: the centre line between node centres, shape (M, 2).  ``leaves`` and ``arrives`` say which of its ends
    is at a node.
    """

    channel: int
    line: Points
    leaves: bool = True
    arrives: bool = True


@dataclass(frozen=True, eq=False)
class Layout:
    """``node``: positions, shape (N, 2); ``pieces``: what to draw; ``ticks``: where x and y mean dimensions 0 and 1,
    the coordinates at 0, 1, 2, ... of each.

    ``radius`` of a node and ``lane`` (width of one channel, whose middle runs 0.7 lanes right of the centre line),
    in the same units as the positions.
    """

    node: Points
    pieces: tuple[Piece, ...]
    radius: float
    lane: float
    ticks: tuple[tuple[int, ...], ...] | None = None


def place(network: Network, *, positions: Points | None = None, centre: int | None = None) -> Layout:
    """Lay out ``network``; ``positions`` (shape (N, 2), any units, y upwards) overrule the layout of its nodes.

    Nodes without a position (NaN) go between their neighbours.  A torus has no border: it is cut open so that the node
    ``centre`` comes into the middle.
    """
    grid = network.grid
    if positions is not None:
        return _free(network, _in_units(_completed(network, np.array(positions, dtype=np.float64))))
    if grid is not None and grid.num_dimensions == 1 and grid.kind != "mesh":
        return _free(network, _circle(network.num_nodes))
    if grid is not None:
        return _on_grid(grid, centre)
    found = recognised_grid(network)
    if found is not None:
        return _as_grid(*found, centre)
    if network.spec is not None and network.spec.startswith("petersen") and network.num_nodes == 10:
        return _free(network, np.concatenate([_circle(5) * 1.9, _circle(5) * 0.95]))
    if network.num_nodes > 2 and network.num_channels == network.num_nodes * (network.num_nodes - 1):
        return _free(network, _circle(network.num_nodes))
    groups = _groups_of(network)
    if groups is not None:
        return _grouped(network, groups)
    by_level = place_by_level(network)
    if by_level is not None:
        return _free(network, by_level)
    return _free(network, _in_units(_by_distance(network)))


def _on_grid(grid: Grid, centre: int | None) -> Layout:
    axes = _axes(grid)
    start = np.zeros(grid.num_dimensions, dtype=np.int64)  # the coordinates of the lower left corner
    if centre is not None and grid.kind == "torus":
        start = np.array([(x - (k - 1) // 2) % k for x, k in zip(grid.coordinates[centre], grid.radix, strict=True)])
    shown = (grid.coordinates - start) % np.array(grid.radix)
    node = shown.astype(np.float64) @ axes
    pieces: list[Piece] = []
    for c, u, v, m, sign in _grid_channels(grid):
        a, b = node[u], node[v]
        span = int(shown[v, m]) - int(shown[u, m])
        if grid.kind == "torus" and abs(span) != 1:
            stub = axes[m] / np.linalg.norm(axes[m]) * _STUB * sign
            pieces.append(Piece(c, np.stack([a, a + stub]), arrives=False))
            pieces.append(Piece(c, np.stack([b - stub, b]), leaves=False))
        elif abs(span) > 1:
            pieces.append(Piece(c, _curve(a, b, 0.16 * (abs(span) - 1) ** 0.5 + 0.08)))
        else:
            pieces.append(Piece(c, np.stack([a, b])))
    if grid.num_dimensions > 2:
        return Layout(node, tuple(pieces), radius=0.18, lane=0.08)
    ticks = tuple(tuple((x + int(s)) % k for x in range(k)) for s, k in zip(start, grid.radix, strict=True))
    return Layout(node, tuple(pieces), radius=0.15, lane=0.115, ticks=ticks)


def _as_grid(grid: Grid, place: Int64, channel: Mapping[int, int], centre: int | None) -> Layout:
    """A network that is a grid but for its numbers; the grid's coordinates are not its own, so there are no ticks."""
    there = _on_grid(grid, None if centre is None else int(place[centre]))
    pieces = tuple(replace(x, channel=channel[x.channel]) for x in there.pieces)
    return replace(there, node=there.node[place], pieces=pieces, ticks=None)


def _axes(grid: Grid) -> Points:
    """One step of each dimension in the picture, shape (n, 2), so that no two nodes coincide."""
    n = grid.num_dimensions
    if n == 1:
        return np.array([[1.0, 0.0]])
    if n == 2:
        return np.array([[1.0, 0.0], [0.0, 1.0]])
    if max(grid.radix) == 2 and n == 4:  # the 4-cube in its Petrie projection
        angle = np.arange(4) * math.pi / 4 + math.pi / 8
        return np.stack([np.cos(angle), np.sin(angle)], axis=1) * 1.5
    # Nested grids: dimensions 0 and 1 span a tile, 2 and 3 tiles of tiles, ...; slightly sheared, so that the
    # channels of the outer dimensions do not run through the nodes of the inner ones.
    axes = []
    size = np.array([1.0, 1.0])
    for m, k in enumerate(grid.radix):
        way = m % 2
        step = np.zeros(2)
        step[way] = size[way]
        if m >= 2:  # from tile to tile a channel passes every node of the tile at another distance
            step[1 - way] = size[way] / (grid.radix[way] + 1) * (1 if way == 0 else -1)
            size[1 - way] += abs(step[1 - way]) * (k - 1)
        axes.append(step)
        size[way] = size[way] * (k - 1) + size[way] + (0.6 if m >= 2 else 0.35)
    return np.array(axes)


def _grid_channels(grid: Grid) -> Iterator[tuple[int, int, int, int, int]]:
    """(channel, tail, head, dimension, sign) of every channel of a grid, each once."""
    seen: set[int] = set()
    for v, m, way in np.argwhere(grid.channel_at >= 0).tolist():
        c = int(grid.channel_at[v, m, way])
        if c in seen:
            continue
        seen.add(c)
        step = way + 1 if grid.kind == "hyperx" else (1, -1)[way]
        coordinate = grid.coordinates[v].copy()
        coordinate[m] = (coordinate[m] + step) % grid.radix[m]
        yield c, v, grid.node(coordinate.tolist()), m, 1 if step > 0 else -1


def _free(network: Network, node: Points, through: Mapping[int, Points] | None = None) -> Layout:
    """Straight channels between given positions; parallel channels are bent apart; ``through``: curves of others."""
    nearest = _nearest(node)
    wide = 0.025 * np.ptp(node, axis=0).max() if network.num_nodes <= 60 else 0  # cities side by side on a large map
    unit = float(max(np.min(nearest), 0.45 * np.median(nearest), wide))
    degree = network.num_channels / network.num_nodes
    lane = unit * min(0.1, 0.36 / max(degree, 1.0))
    twins: dict[tuple[int, int], int] = {}
    pieces = []
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        order = twins.get((u, v), 0)
        twins[u, v] = order + 1
        straight = np.stack([node[u], node[v]])
        if through and c in through and not order:
            pieces.append(Piece(c, through[c]))
            continue
        pieces.append(Piece(c, _curve(node[u], node[v], 2.6 * order * lane) if order else straight))
    radius = min(0.2, 0.25 * unit) if network.num_nodes <= 24 else 0.22 * unit
    return Layout(node, tuple(pieces), radius=radius, lane=lane)


def _circle(count: int) -> Points:
    """Nodes on a circle, the first on top, clockwise, one unit apart."""
    angle = math.pi / 2 - 2 * math.pi * np.arange(count) / count
    radius = 0.5 / math.sin(math.pi / count) if count > 1 else 0.0
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _groups_of(network: Network) -> Int64 | None:
    """The group of every node: of dragonflies their own; of a Slim Fly the q groups of Besta & Hoefler 2014, sec. VI,
    each with the routers (0, x, .) and (1, x, .); of PolarFly its clusters.  None where there are none, or only groups
    of one."""
    if network.groups is not None:
        found = network.groups.astype(np.int64)
    elif network.spec is not None and network.spec.startswith("slim-fly:"):
        q = math.isqrt(network.num_nodes // 2)
        found = np.arange(network.num_nodes) // q % q
    elif network.spec is not None and network.spec.startswith("polarfly:"):
        clusters = clusters_of_polarfly(network)
        if clusters is None:
            return None
        found = clusters
    else:
        return None
    counts = np.unique(found, return_counts=True)[1]
    return found if len(counts) > 1 and counts.max() > 1 else None


def _grouped(network: Network, group: Int64) -> Layout:
    """Groups around a ring; cables between two groups run together through the middle of the picture (Holten's
    hierarchical edge bundling, IEEE TVCG 12, 2006, with one level)."""
    node = _by_groups(group)
    group = np.unique(group, return_inverse=True)[1]
    centre = np.array([node[group == k].mean(axis=0) for k in range(int(group.max()) + 1)])
    tail, head = network.tail.astype(np.int64), network.head.astype(np.int64)
    between = np.flatnonzero(group[tail] != group[head])
    if len(between) > _MOST_BUNDLED:
        return _free(network, node)
    t = np.linspace(0, 1, _BUNDLE_POINTS)[:, None]
    first, last = (_INWARDS * centre[group[x]] for x in (tail, head))
    near, far = 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t)
    lines = {
        c: (1 - t) ** 3 * node[tail[c]] + near * first[c] + far * last[c] + t**3 * node[head[c]]
        for c in between.tolist()
    }
    return _free(network, node, lines)


def _by_groups(group: Int64) -> Points:
    """Every group's nodes on a circle of their own, one unit apart; the circles around a larger one."""
    names = np.unique(group)
    members = [np.flatnonzero(group == name) for name in names]
    inner = [_circle(len(x)) for x in members]
    reach = max(float(np.hypot(*x.T).max()) for x in inner)
    centre = _circle(len(names)) * (2 * reach + 1.5)
    found = np.zeros((len(group), 2))
    for k, (some, points) in enumerate(zip(members, inner, strict=True)):
        turn = -2 * math.pi * k / len(names)  # the first of each group looks outwards
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        found[some] = centre[k] + points @ spin
    return found


def _by_distance(network: Network) -> Points:
    """Kamada & Kawai's layout (Information Processing Letters 31, 1989), from a circle; wider than high."""
    edges = {(min(e), max(e)) for e in zip(network.tail.tolist(), network.head.tolist(), strict=True)}
    graph = igraph().Graph(network.num_nodes, sorted(edges))
    start = _circle(network.num_nodes).tolist()
    if network.num_nodes <= 400:
        layout = graph.layout_kamada_kawai(seed=start)
    else:
        layout = graph.layout_fruchterman_reingold(seed=start, niter=300, grid=True)
    found = np.array(layout.coords, dtype=np.float64)
    found -= found.mean(axis=0)
    _, _, turn = np.linalg.svd(found, full_matrices=False)
    turned = found @ turn.T
    return np.asarray(turned * np.sign(turned[0] + 1e-12))  # a fixed sign, whatever the SVD chose


def _completed(network: Network, node: Points) -> Points:
    """Unknown positions (NaN) as the mean of the neighbours' known ones, else of everyone's."""
    unknown = np.isnan(node).any(axis=1)
    node[unknown] = np.nanmean(node, axis=0)
    for _ in range(min(20, int(unknown.sum()))):
        for v in np.nonzero(unknown)[0].tolist():
            near = np.concatenate([network.head[network.tail == v], network.tail[network.head == v]])
            if len(near):
                node[v] = node[near].mean(axis=0)
    return node


def _in_units(node: Points) -> Points:
    """Scaled to a median distance of one between nearest neighbours; nodes on one spot are pulled apart a little."""
    spread = float(np.ptp(node, axis=0).max()) or 1.0
    moved = node.copy()
    taken: dict[tuple[int, int], int] = {}
    for v, (x, y) in enumerate(node.tolist()):
        spot = (round(200 * x / spread), round(200 * y / spread))
        turn = taken.get(spot, 0)
        taken[spot] = turn + 1
        if turn:
            angle = 2.4 * turn
            moved[v] += 0.02 * spread * math.sqrt(turn) * np.array([math.cos(angle), math.sin(angle)])
    return np.asarray(moved / float(np.median(_nearest(moved))))


def _nearest(node: Points) -> Points:
    if len(node) == 1:
        return np.ones(1)
    apart = (np.sort(np.hypot(*(node - here).T)) for here in node)
    return np.array([x[1] for x in apart])


def _curve(a: Points, b: Points, bulge: float) -> Points:
    """From ``a`` to ``b``, bent to the right by ``bulge`` in the middle."""
    along = b - a
    right = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-12)
    control = (a + b) / 2 + 2 * bulge * right
    t = np.linspace(0, 1, _CURVE_POINTS)[:, None]
    return np.asarray((1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b)


_NAMES = (("Longitude", "Latitude"), ("longitude", "latitude"), ("lon", "lat"), ("x", "y"))


def positions_in_file(text: str, *, num_nodes: int) -> Points | None:
    """The positions in the file that ``text`` names (GraphML, GML, our own; options after commas are skipped), (N, 2).

    NaN where a node has none.  None unless at least half of exactly ``num_nodes`` nodes have one, not all the same.
    Longitudes are shrunk to the middle latitude, so that the map looks as usual.
    """
    path = next((text[:end] for end in _ends(text) if os.path.isfile(text[:end])), None)
    if path is None:
        return None
    from ...formats.documents.json_text import parse_object
    from ...formats.format import File

    suffix = os.path.splitext(path)[1].lower()
    try:
        if suffix == ".graphml":
            from ...formats.graphs.graphml import read_graphml as read
        elif suffix == ".gml":
            from ...formats.graphs.gml import read_gml as read
        elif suffix == ".json" and '"positions"' in (written := File(path).text):
            document = parse_object(written, what=path)
            own = document.get("positions") if document.get("format") == "routeproof/network" else ()
            return _map([{"lon": x, "lat": y} for x, y in own or ()], num_nodes)
        else:
            return None
        return _map([attributes for _, attributes in read(File(path)).nodes], num_nodes)
    except InputError:
        return None  # a picture is drawn without a map as well


def _map(nodes: Sequence[Mapping[str, Any]], num_nodes: int) -> Points | None:
    if len(nodes) != num_nodes:
        return None
    for across, up in _NAMES:
        found = np.array([[_number(x, across), _number(x, up)] for x in nodes], dtype=np.float64).reshape(-1, 2)
        known = found[~np.isnan(found).any(axis=1)]
        if 2 * len(known) >= num_nodes and len(np.unique(known, axis=0)) > 1:
            if up.lower().startswith("lat"):
                found[:, 0] *= math.cos(math.radians(float(known[:, 1].mean())))
            return found
    return None


def _ends(text: str) -> list[int]:
    return [len(text), *(at for at in range(len(text) - 1, 0, -1) if text[at] == ",")][:64]


def _number(attributes: Mapping[str, Any], key: str) -> float:
    try:
        value = float(attributes.get(key, "nan"))
    except (TypeError, ValueError):
        return math.nan
    return value if abs(value) < 1e6 else math.nan
