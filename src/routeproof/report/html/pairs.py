"""The pair loads that a page carries, so that it can show the paths of a pair and the pairs that cross a channel.

Three forms, the first that is small enough: all pairs; the pairs from one node, where translations of a torus move them
everywhere (checked); or the pairs of the given traffic alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism, check_automorphism
from ...routing.base.routing import Routing
from .numbers import Values, packed

MOST_LOADS = 400_000  # non-zero pair loads in one page
_BLOCK = 512


@dataclass(frozen=True)
class PairStore:
    """``form``: "all", "translations", "some" or "none"; ``note``: what is not there, in a sentence, or ""."""

    form: str
    data: dict[str, Any]
    loads: int
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"form": self.form, "note": self.note, **self.data}


def pair_store(
    routing: Routing,
    wanted: Sequence[tuple[int, int]],
    values: Values,
    *,
    budget: int = MOST_LOADS,
    channels: Int64 | None = None,
) -> PairStore:
    """As many pair loads of ``routing`` as ``budget`` allows; ``wanted``: the (source, destination) that matter.

    ``channels``: the numbers that its channels have on the page, where these are others.
    """
    network = routing.network
    number = np.arange(network.num_channels) if channels is None else channels
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    apart = routing.row_node[rows][:, None] != routing.column_node[columns][None, :]
    first, second = np.nonzero(apart)
    everything = (rows[first].astype(np.int64), columns[second].astype(np.int64))
    guess = _per_pair(routing, *everything) * len(first)
    if guess <= 1.5 * budget and (found := _collected(routing, *everything, values, budget, number)):
        return PairStore("all", *found)
    if _is_translated(routing):
        start = np.zeros(network.num_nodes - 1, dtype=np.int64)
        if found := _collected(routing, start, np.arange(1, network.num_nodes), values, budget, number):
            return PairStore("translations", *found)
    ends = [(routing.row_of[i], routing.column_of[j]) for i, j in wanted if network.source[i] != network.sink[j]]
    if ends:
        pairs = np.unique(np.array(ends, dtype=np.int64), axis=0)
        if found := _collected(routing, pairs[:, 0], pairs[:, 1], values, budget, number):
            note = f"This page carries the paths of the {len(pairs):,} pairs of the traffic shown, not of all pairs."
            return PairStore("some", *found, note)
    note = "The loads of single pairs are too many for a page: it shows those over the worst channel, no others."
    return PairStore("none", {}, 0, note)


def _per_pair(routing: Routing, rows: Int64, columns: Int64) -> float:
    """Non-zero loads of a pair, from about a hundred pairs spread evenly."""
    if not len(rows):
        return 0.0
    some = np.unique(np.linspace(0, len(rows) - 1, 97).astype(np.int64))
    return len(routing.pair_loads(rows[some], columns[some]).channel) / len(some)


def _collected(
    routing: Routing, rows: Int64, columns: Int64, values: Values, budget: int, number: Int64
) -> tuple[dict[str, Any], int] | None:
    """The loads of the pairs, pair after pair; None where they pass the budget."""
    channel, load, length, total = [], [], [], 0
    for at in range(0, len(rows), _BLOCK):
        block = routing.pair_loads(rows[at : at + _BLOCK], columns[at : at + _BLOCK])
        total += len(block.channel)
        if total > budget:
            return None
        channel.append(number[block.channel])
        load.append(values.of(block.load))
        length.append(np.diff(block.offset))
    empty = np.zeros(0, dtype=np.int64)
    parts = {"length": length, "channel": channel, "load": load}
    data = {name: packed(np.concatenate([*some, empty])) for name, some in parts.items()}
    return {"row": packed(rows), "column": packed(columns), **data}, total


def _is_translated(routing: Routing) -> bool:
    """Is the network a torus whose translations the routing respects?  Exact."""
    network = routing.network
    grid = network.grid
    everyone = np.arange(network.num_nodes)
    if grid is None or grid.kind != "torus" or not routing.by_node:
        return False
    if not (np.array_equal(network.source, everyone) and np.array_equal(network.sink, everyone)):
        return False
    try:
        steps = [_translation(network, m) for m in range(grid.num_dimensions)]
        for g in steps:
            check_automorphism(network, g)
    except InputError:  # bandwidths that differ along a line
        return False
    return all(routing.respects(g) for g in steps)


def _translation(network: Network, dimension: int) -> Automorphism:
    """One step along ``dimension``, every other coordinate kept."""
    grid = network.grid
    assert grid is not None
    moved = grid.coordinates.astype(np.int64)
    moved[:, dimension] = (moved[:, dimension] + 1) % grid.radix[dimension]
    node = np.ravel_multi_index(tuple(moved.T), grid.radix).astype(np.int32)
    channel = np.full(network.num_channels, -1, dtype=np.int32)
    here, there = grid.channel_at, grid.channel_at[node]
    known = here >= 0
    channel[here[known]] = there[known]
    return Automorphism(f"translation along {dimension}", node, channel)
