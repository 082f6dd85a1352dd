"""Each channel's own worst case: how much any admissible traffic can put on it, and by which pairs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.rational import Rationals
from ...graphs.transport import solve_one
from ...routing.base.routing import Routing
from ...routing.base.views import is_dense
from ...worst.scan.assignment import witness_of
from ...worst.scan.exact import WorstCase, worst_case
from ...worst.worst_traffic import crossings
from .numbers import Values, packed

OWN_WORST = "each link's own worst case"
_MOST_WORK = 100_000_000  # channels times pairs of terminals of which the worst cases are computed for a page
_MOST_ENDS = 60_000  # channels times terminals of which their pairs are
_MOST_PAIRS = 30_000  # that a page carries


def own_worst(routing: Routing) -> WorstCase | None:
    """The worst case of every channel over all permutations; None where it would take long, or all are alike."""
    network = routing.network
    work = network.num_channels * network.num_terminals**2
    if routing.is_sampled or is_dense(routing) or work > _MOST_WORK:
        return None
    try:
        found = worst_case(routing, all_channels=True)
    except InputError:
        return None
    return found if len(set(found.channel_loads or ())) > 1 else None


def own_worst_data(found: WorstCase, values: Values) -> dict[str, Any]:
    """As ``network._scene`` describes patterns; ``own``: the pairs that cross each channel in its worst case."""
    network = found.network
    assert found.channel_loads is not None
    loads = [x * b for x, b in zip(found.channel_loads, network.bandwidth, strict=True)]
    about = (
        "how much traffic in which every terminal sends to one other can put on each, one at a time; worked out for "
        "this page, and with --all-channels a claim with its proof"
    )
    data = {"name": OWN_WORST, "about": about, "load": packed(values.of(Rationals.of(loads)))}
    if network.num_channels * network.num_terminals > _MOST_ENDS:
        return data
    count, pairs = [], []
    for c in range(network.num_channels):
        block = found.routing.channel_loads([c])
        witness = witness_of(found.routing, found.model, block, solve_one(block, found.model.rates).flow)
        if witness is None or witness[0] is None:
            return data
        sent = [(i, j, Fraction(1)) for i, j in enumerate(witness[0].image.tolist())]
        over = crossings(found.routing, c, sent)
        count.append(len(over))
        pairs += [(x.source, x.destination, values.number(x.load)) for x in over]
        if len(pairs) > _MOST_PAIRS:
            return data
    return data | {"own": {"count": packed(count), "pairs": packed(np.array(pairs, dtype=np.int64))}}
