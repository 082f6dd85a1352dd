"""Routes on grids as the figures of papers show them: as lists of nodes, taken from our routings."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.network import Network
    from ..routing.base.routing import Routing

__all__ = ["Node", "channel_on", "only_route", "pair_load", "shifted"]

Node = tuple[int, int]


def channel_on(network: Network, tail: Node, head: Node) -> int:
    """The number of the channel between two neighbours of a 2-dimensional grid."""
    grid = network.grid
    assert grid is not None
    u, v = grid.node(tail), grid.node(head)
    return next(c for c in range(network.num_channels) if network.tail[c] == u and network.head[c] == v)


def only_route(routing: Routing, start: Node, end: Node) -> list[Node]:
    """The nodes of the single path of a deterministic routing."""
    grid = routing.network.grid
    assert grid is not None
    ((_, channels),) = routing.paths(grid.node(start), grid.node(end))
    nodes = [grid.node(start), *(int(routing.network.head[c]) for c in channels)]
    return [_node(grid.coordinates[v]) for v in nodes]


def shifted(route: list[Node], by: Node, radix: tuple[int, ...]) -> list[Node]:
    """The same relative route from elsewhere on a torus."""
    return [((x + by[0]) % radix[0], (y + by[1]) % radix[1]) for x, y in route]


def pair_load(routing: Routing, start: Node, end: Node, channel: int) -> Fraction:
    """What one packet per cycle from ``start`` to ``end`` puts on ``channel``."""
    grid = routing.network.grid
    assert grid is not None
    return routing.pair_loads([grid.node(start)], [grid.node(end)]).as_dict().get(channel, Fraction(0))


def _node(coordinates: object) -> Node:
    x, y = (int(c) for c in coordinates)  # type: ignore[attr-defined]
    return x, y
