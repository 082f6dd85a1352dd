"""Are the loads of a routing those of its paths?  Summed anew for some pairs, within a bound of work.

Loads by channel, which prove most claims, and paths are made in different ways.  Where a routing's own paths are few,
all are summed up; of more, those of some rows.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..core.errors import InputError, VerificationError
from ..core.loads import LoadBlock
from ..core.rational import shown
from ..routing.base.routing import Routing, average_hops
from ..routing.base.views import has_base

_MOST = 1 << 18  # hops of all pairs; nothing is compared beyond
_HOPS = 10_000  # that are summed up
_BASE = 100_000  # pairs times channels, where every pair loads every channel
_SEED = 0

Flow = dict[int, Fraction]


def check_loads_of_paths(routing: Routing) -> None:
    """Raise VerificationError where a channel's loads are not those of the paths of a pair.  Of a routing without paths
    of its own, loads by pair stand for them."""
    network = routing.network
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    if len(rows) * len(columns) * average_hops(network) > _MOST:
        return
    most = max(1, _BASE // max(1, network.num_channels)) if has_base(routing) else len(rows) * len(columns)
    loads: dict[tuple[int, int], Flow] = {}
    left, asked = _HOPS, np.zeros(len(routing.row_node), dtype=bool)
    order = np.random.default_rng(_SEED)
    for i in order.permutation(rows).tolist():
        asked[i] = True
        for j in order.permutation(columns[routing.column_node[columns] != routing.row_node[i]]).tolist():
            if left <= 0 or len(loads) >= most:
                break
            loads[i, j], hops = _of_pair(routing, i, j)
            left -= hops
        if left <= 0 or len(loads) >= most:
            break
    for k, c in enumerate(range(network.num_channels)):
        if k % 64 == 0:
            block = routing.channel_loads(np.arange(c, min(c + 64, network.num_channels)), rows=asked)
        _compare(routing, block, k % 64, loads)


def _of_pair(routing: Routing, i: int, j: int) -> tuple[Flow, int]:
    """(load by channel, how many hops were summed)."""
    whole = routing if routing.whole_flows_of is None else routing.whole_flows_of
    try:
        paths = whole.paths(i, j) if whole.has_explicit_paths else None
    except InputError:  # too many to write out
        paths = None
    if paths is None:
        found = routing.pair_loads([i], [j]).as_dict()
        return found, len(found)
    loads: Flow = {}
    for weight, path in paths:
        for c in path:
            loads[c] = loads.get(c, Fraction(0)) + weight
    if whole is not routing:  # a bound on whole flows: one for every pair that may cross the channel
        loads = dict.fromkeys(loads, Fraction(1))
    return loads, sum(len(path) for _, path in paths)


def _compare(routing: Routing, block: LoadBlock, k: int, loads: dict[tuple[int, int], Flow]) -> None:
    c = int(block.channel[k])
    found = {pair: x for pair, x in block.as_dict(k).items() if pair in loads or _on_one_node(routing, *pair)}
    if block.base is not None:
        row, column = block.base.row[k].fractions(), block.base.column[k].fractions()
        found = {pair: found.get(pair, Fraction(0)) + row[pair[0]] + column[pair[1]] for pair in loads}
    for pair in {*found, *(x for x, flow in loads.items() if c in flow)}:
        told, summed = found.get(pair, Fraction(0)), loads.get(pair, {}).get(c, Fraction(0))
        if told != summed:
            network = routing.network
            i, j = (network.label(int(x)) for x in (routing.row_node[pair[0]], routing.column_node[pair[1]]))
            raise VerificationError(
                f"the loads of {routing.name} are not those of its paths: of what goes from {i} to {j}, "
                f"{shown(summed)} crosses channel {c} ({network.channel_label(c)}); its load is {shown(told)}"
            )


def _on_one_node(routing: Routing, i: int, j: int) -> bool:
    return bool(routing.row_node[i] == routing.column_node[j])
