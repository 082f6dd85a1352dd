"""Can a path of a routing cross a channel twice?  Then one flow would load it more than once."""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...core.loads import PairBlock
from ...core.network import Network
from .routing import Routing

_PAIRS = 1 << 14  # looked at together


def check_crosses_once(routing: Routing) -> None:
    """Raise InputError, naming a pair, unless no path of ``routing`` crosses a channel twice.

    True where the routing declares it (``crosses_once``), where none of its explicit paths does, and where the channels
    of every pair make no cycle: paths on them cannot come back.
    """
    if routing.crosses_once:
        return
    if routing.parts:
        for _, part in routing.parts:
            check_crosses_once(part)
    elif routing.holds_paths:
        _check_paths(routing)
    else:
        _check_pairs(routing)


def _check_paths(routing: Routing) -> None:
    for bundle in routing.bundles():
        channel = np.sort(bundle.channel, axis=1)
        again = np.flatnonzero((channel[:, 1:] == channel[:, :-1]).any(axis=1))
        if len(again):
            raise _error(routing, int(bundle.row[again[0]]), int(bundle.column[again[0]]))


def _check_pairs(routing: Routing) -> None:
    columns = np.unique(routing.column_of)
    rows = np.unique(routing.row_of)
    step = max(1, _PAIRS // len(columns))
    for at in range(0, len(rows), step):
        some = rows[at : at + step]
        row, column = np.repeat(some, len(columns)), np.tile(columns, len(some))
        away = routing.row_node[row] != routing.column_node[column]
        row, column = row[away], column[away]
        k = _first_with_cycle(routing.network, routing.pair_loads(row, column))
        if k is not None:
            raise _error(routing, int(row[k]), int(column[k]))


def _first_with_cycle(network: Network, block: PairBlock) -> int | None:
    """The first pair whose channels make a cycle: channels that nothing follows are taken away until none is left."""
    pair = block.segment.astype(np.int64)
    tail, head = (pair * network.num_nodes + x[block.channel] for x in (network.tail, network.head))
    while len(pair):
        kept = np.isin(head, tail)
        if kept.all():
            return int(pair.min())
        pair, tail, head = pair[kept], tail[kept], head[kept]
    return None


def _error(routing: Routing, row: int, column: int) -> InputError:
    network = routing.network
    ends = (network.label(int(x)) for x in (routing.row_node[row], routing.column_node[column]))
    return InputError(
        f"{routing.name}: flows from {' to '.join(ends)} may cross a channel twice; for whole flows, a routing whose "
        f"paths cross each channel at most once was expected"
    )
