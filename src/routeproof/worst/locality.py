"""How far packets go: average path lengths, and the shortest ones possible.

The average counts hops over all T^2 pairs of terminals, a terminal's pair with itself included with 0 (Towles, Dally &
Boyd 2003, eq. 5; conventions §16).  Under uniform traffic the channel loads sum to exactly this average times T, so
one pass over the pair loads gives both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy.typing as npt

from ..core.arrays import Int32
from ..core.claim import Claim
from ..core.network import Grid, Network
from ..core.traffic import Traffic
from ..graphs.total_distance import total_distance
from ..routing.base.routing import Routing
from ..routing.grid.lines import channel_places
from .loads import channel_loads_under

_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 5"


def average_path_length(routing: Routing, *, orbits: npt.ArrayLike | None = None) -> Fraction:
    """Expected hops over all T^2 pairs of terminals, pairs (i, i) included with 0; ``orbits``: as in
    ``channel_loads_under``."""
    uniform = Traffic.uniform(routing.network.num_terminals)
    return channel_loads_under(routing, uniform, orbits=orbits).average_path_length


def minimal_average(network: Network) -> Fraction:
    """The average of ``average_path_length`` if every packet took a shortest path (in hops).

    In closed form on grids; by breadth-first search elsewhere.  Raises InputError if a pair is not connected.
    """
    size = network.num_terminals
    closed = _grid_total(network)
    return Fraction(total_distance(network) if closed is None else closed, size * size)


def path_length_claims(average: Fraction, minimal: Fraction) -> list[Claim]:
    """``average_path_length`` and, unless every packet stays at its node, ``average_path_length_of_minimal``.

    The evidence (kind ``path-length``) is the two numbers; whoever checks sums pair loads and shortest distances.
    """
    from ..claims.routings.traffic import PATH_LENGTH

    data = {"average": average, "minimal": minimal}
    claims = [PATH_LENGTH.claim(average, data, quantity="average_path_length", source=_SOURCE)]
    if minimal:
        quantity = "average_path_length_of_minimal"
        claims.append(PATH_LENGTH.claim(average / minimal, data, quantity=quantity, source=_SOURCE))
    return claims


# -- grids in closed form ---------------------------------------------------------------------------------------


def grid_line_distance(grid: Grid, dimension: int) -> int:
    """The sum over the k^2 pairs of positions of the hops between them along one line of ``dimension``."""
    k = grid.radix[dimension]
    if grid.kind == "hyperx":
        return k * (k - 1)
    if grid.kind == "mesh":
        return k * (k * k - 1) // 3
    if grid.oneway:
        return k * k * (k - 1) // 2
    return k * (k * k // 4)


def grid_dimension_of_channels(network: Network) -> Int32 | None:
    """The dimension of every channel, int32 shape (C,), or None if there is no grid layout.

    Raises InputError where the layout does not hold (``routing.grid.lines.channel_places``).
    """
    return None if network.grid is None else channel_places(network, network.grid).dimension


def terminals_per_node(network: Network) -> int | None:
    """How many terminals every node has, if all nodes send and receive equally many; else None."""
    counts: set[Any] = {*network.supply.tolist(), *network.demand.tolist()}
    return counts.pop() if len(counts) == 1 else None


def _grid_total(network: Network) -> int | None:
    """The sum of hop distances over pairs of terminals of a grid, or None where no closed form applies."""
    each = terminals_per_node(network)
    if each is None or grid_dimension_of_channels(network) is None or network.grid is None:
        return None
    lines = enumerate(network.grid.radix)
    return each * each * sum((network.num_nodes // k) ** 2 * grid_line_distance(network.grid, m) for m, k in lines)
