"""Routes on grids as the figures of papers show them: as lists of nodes, taken from our routings."""

from __future__ import annotations

from fractions import Fraction

from ..core.network import Grid, Network
from ..routing.base.routing import Routing

Node = tuple[int, int]


def grid_of(network: Network) -> Grid:
    """The grid of a network that is known to have one."""
    assert network.grid is not None
    return network.grid


def channel_on(network: Network, tail: Node, head: Node) -> int:
    """The number of the channel between two neighbours of a 2-dimensional grid."""
    u, v = grid_of(network).node(tail), grid_of(network).node(head)
    return next(c for c in range(network.num_channels) if network.tail[c] == u and network.head[c] == v)


def only_route(routing: Routing, start: Node, end: Node) -> list[Node]:
    """The nodes of the single path of a deterministic routing."""
    grid = grid_of(routing.network)
    ((_, channels),) = routing.paths(grid.node(start), grid.node(end))
    nodes = [grid.node(start), *(int(routing.network.head[c]) for c in channels)]
    return [(int(x), int(y)) for x, y in grid.coordinates[nodes]]


def shifted(route: list[Node], by: Node, radix: tuple[int, ...]) -> list[Node]:
    """The same relative route from elsewhere on a torus."""
    return [((x + by[0]) % radix[0], (y + by[1]) % radix[1]) for x, y in route]


def pair_load(routing: Routing, start: Node, end: Node, channel: int) -> Fraction:
    """What one packet per cycle from ``start`` to ``end`` puts on ``channel``."""
    grid = grid_of(routing.network)
    return routing.pair_loads([grid.node(start)], [grid.node(end)]).as_dict().get(channel, Fraction(0))
