"""How far packets go: average path lengths, and the shortest ones possible.

The average counts hops over all T^2 pairs of terminals, a terminal's pair with itself included with 0 (Towles, Dally &
Boyd 2003, eq. 5; conventions §16).  Under uniform traffic the channel loads sum to exactly this average times T, so
one pass over the pair loads gives both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError
from ..core.network import Grid, Network
from ..core.stage import Progress
from ..core.traffic import Traffic
from ..formats.documents.long_fractions import fraction_to_text
from ..routing.base.routing import Routing
from ..routing.grid.layout import channel_places
from .loads import Loads, channel_loads_under

_POPCOUNT = np.array([x.bit_count() for x in range(256)], dtype=np.uint8)
_CHUNK_WORDS = 4_000_000  # 64-bit words gathered at once in a search
_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 5"


def uniform_summary(
    routing: Routing, *, orbits: npt.ArrayLike | None = None, progress: Progress | None = None
) -> tuple[Loads, Fraction]:
    """Loads under uniform traffic and the average path length, in one pass; arguments as in channel_loads_under."""
    traffic = Traffic.uniform(routing.network.num_terminals)
    loads = channel_loads_under(routing, traffic, orbits=orbits, progress=progress)
    # sum over c of load_c = (1/T) sum over i, j of hops(i, j); a pair with itself adds nothing.
    return loads, loads.total / routing.network.num_terminals


def average_path_length(
    routing: Routing, *, orbits: npt.ArrayLike | None = None, progress: Progress | None = None
) -> Fraction:
    """Expected hops over all T^2 pairs of terminals, pairs (i, i) included with 0."""
    return uniform_summary(routing, orbits=orbits, progress=progress)[1]


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
    evidence = Evidence("path-length", {"average": fraction_to_text(average), "minimal": fraction_to_text(minimal)})
    claims = [Claim("average_path_length", "==", average, Grade.PROVED, evidence, _SOURCE)]
    if minimal:
        quantity = "average_path_length_of_minimal"
        claims.append(Claim(quantity, "==", average / minimal, Grade.PROVED, evidence, _SOURCE))
    return claims


def total_distance(network: Network, length: npt.ArrayLike | None = None) -> int:
    """The sum of shortest distances over all T^2 pairs of terminals, exactly.

    ``length``: int, shape (C,), not negative, small (the search advances by one unit at a time); default 1, i.e. hops.
    Raises InputError for a negative length, and if some terminal cannot reach another.
    """
    lengths = np.ones(network.num_channels, dtype=np.int64) if length is None else np.asarray(length)
    if lengths.shape != (network.num_channels,) or not np.issubdtype(lengths.dtype, np.integer):
        raise InputError(
            f"lengths must be {network.num_channels} integers; found shape {lengths.shape} {lengths.dtype}"
        )
    if len(lengths) and int(lengths.min()) < 0:
        raise InputError(
            f"the length of channel {int(np.argmin(lengths))} is {int(lengths.min())}; it cannot be negative"
        )
    searches = {int(x): _Relax(network, np.nonzero(lengths == x)[0]) for x in np.unique(lengths)}
    total = 0
    for supply in np.unique(network.supply[network.supply > 0]).tolist():
        nodes = np.nonzero(network.supply == supply)[0]
        width = max(64, _CHUNK_WORDS // max(1, network.num_channels) * 64)
        for at in range(0, len(nodes), width):
            total += supply * _distances_from(network, nodes[at : at + width], searches)
    return total


class _Relax:
    """One step along some channels, for many searches at once: a bit per search, packed in words."""

    def __init__(self, network: Network, channels: Int64) -> None:
        order = channels[np.argsort(network.head[channels], kind="stable")]
        self.tail = network.tail[order]
        self.head, self.start = np.unique(network.head[order], return_index=True)

    def __call__(self, reached: npt.NDArray[np.uint64], into: npt.NDArray[np.uint64]) -> None:
        into[self.head] |= np.bitwise_or.reduceat(reached[self.tail], self.start, axis=0)


def _distances_from(network: Network, nodes: Int64, searches: dict[int, _Relax]) -> int:
    """The sum over ``nodes`` and terminals of the distance; level by level, all searches at once."""
    free = searches.get(0)
    steps = [(x, relax) for x, relax in searches.items() if x > 0]
    longest = max((x for x, _ in steps), default=1)
    reached = np.zeros((network.num_nodes, (len(nodes) + 63) // 64), dtype=np.uint64)
    bits = np.arange(len(nodes))
    np.bitwise_or.at(reached.view(np.uint8), (nodes, bits >> 3), (1 << (bits & 7)).astype(np.uint8))
    _close(reached, free)
    history = [reached]  # the levels that a step can start from, latest last
    total, idle = 0, 0
    while missing := _missing(network, reached, len(nodes)):
        total += missing  # one more unit of length for every pair that is not reached yet
        reached = history[-1].copy()
        for x, relax in steps:
            if x <= len(history):
                relax(history[-x], reached)
        _close(reached, free)
        idle = idle + 1 if np.array_equal(reached, history[-1]) else 0
        if idle >= longest:
            _name_missing(network, reached, nodes)
        history = [*history, reached][-longest:]
    return total


def _close(reached: npt.NDArray[np.uint64], free: _Relax | None) -> None:
    """Follow channels of length 0 as far as they go."""
    while free is not None:
        before = reached.copy()
        free(before, reached)
        if np.array_equal(before, reached):
            return


def _missing(network: Network, reached: npt.NDArray[np.uint64], count: int) -> int:
    """How many (search, terminal) pairs are not reached."""
    ones = _POPCOUNT[reached.view(np.uint8)].sum(axis=1, dtype=np.int64)
    return int(((count - ones) * network.demand).sum())


def _name_missing(network: Network, reached: npt.NDArray[np.uint64], nodes: Int64) -> None:
    table = np.unpackbits(reached.view(np.uint8), axis=1, count=len(nodes), bitorder="little")
    k, v = np.argwhere(((table == 0) & (network.demand[:, None] > 0)).T)[0]
    raise InputError(
        f"{network.name} is not connected: no path from {network.label(int(nodes[k]))} to {network.label(int(v))}"
    )


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

    Raises InputError where the layout does not hold (``routing.grid.layout.channel_places``).
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
