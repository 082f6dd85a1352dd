"""Each channel's own worst case: how much any admissible traffic can put on it, and by which pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.transport import solve_one
from ...routing.base.routing import Routing
from ...routing.base.views import is_dense
from ...worst.scan.assignment import witness_of
from ...worst.scan.exact import WorstCase, worst_case
from ...worst.worst_traffic import crossings
from .numbers import Values, packed
from .scenes import Scene

OWN_WORST = "each link's own worst case"
_MOST_WORK = 100_000_000  # channels times pairs of terminals of which the worst cases are computed for a page
_MOST_ENDS = 60_000  # channels times terminals of which their pairs are
_MOST_PAIRS = 30_000  # that a page carries


def own_worst(routing: Routing) -> WorstCase | None:
    """The worst case of every channel over all permutations; None where it would take long."""
    if routing.is_sampled or is_dense(routing) or _work(routing.network) > _MOST_WORK:
        return None
    try:
        return worst_case(routing, all_channels=True)
    except InputError:
        return None


def differs(found: WorstCase) -> bool:
    """Are some channels worse than others?"""
    return len(set(found.channel_loads or ())) > 1


def own_worst_data(
    found: WorstCase, values: Values, channels: Int64, terminals: Int64, num_channels: int, *, pairs_too: bool
) -> dict[str, Any]:
    """As ``network._scene`` describes patterns; ``own``: the pairs that cross each channel in its worst case, for
    ``pairs_too``: not after a failure.

    ``channels``, ``terminals``: the numbers that its own have in the network that is drawn, of ``num_channels``.
    """
    network = found.network
    assert found.channel_loads is not None
    loads = np.zeros(num_channels, dtype=np.int64)
    loads[channels] = values.of(
        Rationals.of([x * b for x, b in zip(found.channel_loads, network.bandwidth, strict=True)])
    )
    about = "the most that any permutation puts on it; a claim only with worst-case --all-channels"
    if not pairs_too:
        about += "; pairs that lose packets send nothing"
    data = {"name": OWN_WORST, "about": about, "load": packed(loads)}
    if not pairs_too or network.num_channels * network.num_terminals > _MOST_ENDS:
        return data
    count, pairs = np.zeros(num_channels, dtype=np.int64), []
    for c in np.argsort(channels).tolist():
        block = found.routing.channel_loads([c])
        witness = witness_of(found.routing, found.model, block, solve_one(block, found.model.rates).flow)
        if witness is None or witness[0] is None:
            return data
        sent = [(i, j, Fraction(1)) for i, j in enumerate(witness[0].image.tolist())]
        over = crossings(found.routing, c, sent)
        count[channels[c]] = len(over)
        pairs += [(int(terminals[x.source]), int(terminals[x.destination]), values.number(x.load)) for x in over]
        if len(pairs) > _MOST_PAIRS:
            return data
    return data | {"own": {"count": packed(count), "pairs": packed(np.array(pairs, dtype=np.int64))}}


def with_own(scenes: Sequence[Scene], *, failures: bool = False) -> list[Scene]:
    """With the worst case of every channel where the first picture is the worst permutation; none where all channels
    of all scenes are alike.

    ``failures``: the last scene is the whole network, to be compared with the others: as many as do not take long.
    """
    wanted = [k for k, x in enumerate(scenes) if x.patterns and x.patterns[0].name == "worst permutation"]
    if failures and wanted:
        work = max((_work(x.routing.network) for x in scenes if x.routing is not None), default=1)
        wanted = [*wanted[: max(1, _MOST_WORK // max(1, work) - 1)], len(scenes) - 1]
    found: dict[int, WorstCase] = {}
    for k in wanted:
        routing, claimed = scenes[k].routing, scenes[k].claimed
        own = None if routing is None else own_worst(routing)
        if own is not None and claimed in (None, own.load):
            found[k] = own
    loads = {load for x in found.values() for load in x.channel_loads or ()}
    return [replace(x, own=found.get(k)) for k, x in enumerate(scenes)] if len(loads) > 1 else list(scenes)


def _work(network: Network) -> int:
    return network.num_channels * network.num_terminals**2
