"""The sum of all shortest distances, by one breadth-first search for many sources at once: a bit for each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.network import Network

_POPCOUNT = np.array([x.bit_count() for x in range(256)], dtype=np.uint8)
_CHUNK_WORDS = 4_000_000  # 64-bit words gathered at once in a search


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
