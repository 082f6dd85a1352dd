"""Next-hop tables as lists of paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...machine.memory import check_table
from .listed_paths import ListedRouting, PathList

__all__ = ["from_steps", "listed_next_hops"]

Int32 = npt.NDArray[np.int32]
_PATH_BYTES = 60  # of one path, while it is made


def listed_next_hops(network: Network, name: str, table: Int32) -> ListedRouting:
    """The routing of ``table`` (int32 (N, T)): the channel by which a packet at a node leaves for a sink terminal.

    Raises InputError where a packet does not arrive.
    """
    sources = np.nonzero(network.supply > 0)[0].astype(np.int32)
    columns = np.arange(network.num_terminals, dtype=np.int32)
    check_table(len(sources), len(columns), _PATH_BYTES, f"{name} on {network.name}")
    row, column = np.repeat(sources, len(columns)), np.tile(columns, len(sources))
    away = row != network.sink[column]
    row, column = row[away], column[away]
    at = row.copy()
    going = np.arange(len(row))
    steps = []
    for _ in range(network.num_nodes):
        if not len(going):
            break
        channel = table[at[going], column[going]]
        lost = np.nonzero(channel < 0)[0]
        if lost.size:
            k = int(going[lost[0]])
            start, end = network.label(int(row[k])), network.label(int(network.sink[column[k]]))
            raise InputError(f"network {network.name}: {name} has no path from node {start} to node {end}")
        steps.append((going, channel))
        at[going] = network.head[channel]
        going = going[at[going] != network.sink[column[going]]]
    return ListedRouting(network, name, from_steps(row, column, steps), columns="terminal")


def from_steps(row: Int32, column: Int32, steps: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> PathList:
    """Paths from their hops: at step n the paths ``steps[n][0]`` cross the channels ``steps[n][1]``; weights are 1."""
    length = np.zeros(len(row), dtype=np.int64)
    for which, _ in steps:
        length[which] += 1
    offset = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    channel = np.empty(int(offset[-1]), dtype=np.int32)
    for n, (which, crossed) in enumerate(steps):
        channel[offset[which] + n] = crossed
    return PathList(row, column, offset, channel, Rationals.ones(len(row)))
