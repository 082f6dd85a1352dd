"""The worst case over demands between a least and a largest, with or without limits of terminals and of the total.

Loads are not negative, so the largest demand of every pair bounds every channel, and is the worst case where nothing
else limits the demand.  Where terminals or all together are limited, every channel that this leaves open asks the set
for its largest demand (``DemandSet.maximise``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.following import throughput_of
from ...core.arrays import Int32, Int64
from ...core.claim import Claim, Evidence, Grade
from ...core.errors import InputError
from ...core.spread import Progress
from ...demand_sets.demand_set import NO_MULTIPLIERS, Demand, Multipliers, Pair, Weights
from ...demand_sets.transport import LARGEST, TransportSet
from ...routing.base.exact_arrays import matches
from ...routing.base.routing import Routing
from ...routing.base.views import dense, has_base
from ..scan.evidence import SOURCE, in_report
from ..scan.exact import WorstCase, as_traffic
from ..scan.over_demands import check_judged
from .matrices import loads_of_matrix, matrix_claims

_ZERO = Fraction(0)
_LONG = 1 << 56


def worst_case_in_box(
    routing: Routing, demands: TransportSet, *, all_channels: bool = False, progress: Progress | None = None
) -> WorstCase:
    """The worst case over a set with a box.  ``progress(done, total)``: in channels.

    Raises InputError for sets without a box or of another size, sampled loads, and where nothing is ever loaded.
    """
    check_judged(routing, demands)
    if demands.box is None:
        raise InputError(f"{demands.text} has no least and largest demand of pairs; a box was expected")
    network = routing.network
    high = {pair: x for pair, (_, x) in sorted(demands.box.limits.items()) if x and demands.allows(*pair)}
    weights = _Weights(routing, list(high))
    bounds = loads_of_matrix(routing, high, name=demands.text).per_bandwidth()
    order = sorted(range(network.num_channels), key=lambda c: (-bounds[c], c))
    best, worst = Fraction(-1), -1
    witness: Demand = {}
    multipliers, loads = [NO_MULTIPLIERS] * network.num_channels, list(bounds)
    for done, c in enumerate(order, 1):
        if bounds[c] <= best and not all_channels:
            break
        value, demand, multipliers[c] = demands.maximise(weights.of(c))
        loads[c] = value / network.bandwidth[c]
        if loads[c] > best:
            best, worst, witness = loads[c], c, demand
        if progress is not None:
            progress(done, len(order))
    if best <= 0:
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name} over {demands.text}")
    each = loads if all_channels else None
    if demands.is_only_box:
        claims = matrix_claims(demands, best, worst, LARGEST, each)
    else:
        claims = _claims(demands, best, worst, witness, multipliers)
    return WorstCase.proved_by(claims, routing, demands, best, worst, witness, channel_loads=each)


def _claims(
    demands: TransportSet, load: Fraction, channel: int, witness: Mapping[Pair, Fraction], proofs: Sequence[Multipliers]
) -> list[Claim]:
    """The worst case in the box.

    Evidence of the kind ``box``: {"channel", "traffic": the demand that reaches the number, "multipliers":
    [{"channel", "sends", "receives", "total"}]}, where ``sends`` and ``receives`` list [terminal, multiplier]; channels
    that are not listed are bounded by the largest demand of every pair.
    """
    about = {"demands": demands.text}
    data = {
        "channel": channel,
        "traffic": in_report(as_traffic(witness)),
        "multipliers": [_described(c, x) for c, x in enumerate(proofs) if x is not NO_MULTIPLIERS],
    }
    stated = Claim("worst_case_load", "==", load, Grade.PROVED, Evidence("box", data), SOURCE, about)
    return [stated, throughput_of(stated, SOURCE)]


def _described(channel: int, found: Multipliers) -> dict[str, Any]:
    sides = {
        what: [[i, str(x)] for i, x in sorted(side.items()) if x]
        for what, side in (("sends", found.sends), ("receives", found.receives))
    }
    return {"channel": channel, **sides, "total": str(found.total)}


class _Weights:
    """The loads of a channel by pair of terminals, of those that may send."""

    def __init__(self, routing: Routing, pairs: Sequence[Pair]) -> None:
        self.routing = dense(routing) if has_base(routing) else routing
        self.source, self.end = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        key = self._key(self.routing.row_of[self.source], self.routing.column_of[self.end])
        self.order = np.argsort(key, kind="stable")
        self.key = key[self.order]

    def _key(self, row: Int32, column: Int32) -> Int64:
        return row.astype(np.int64) * len(self.routing.column_node) + column

    def of(self, channel: int) -> Weights:
        block = self.routing.channel_loads([channel])
        key = self._key(block.row, block.column)
        place, count = matches(self.key, key)
        pair = self.order[place]
        return Weights(self.source[pair], self.end[pair], block.load[np.repeat(np.arange(len(key)), count)])
