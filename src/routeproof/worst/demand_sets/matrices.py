"""Given matrices: the load of each on every channel, and the worst of a list.

Mixtures of the matrices are no worse: a channel's load is linear in the demand.  At scale 1 the largest load per
bandwidth is what traffic engineering calls the maximum link utilisation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.derived import throughput_of
from ...core.arrays import Int32, Int64
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.exact_arrays import matches
from ...core.rational import as_int_array
from ...core.spread import Progress
from ...core.traffic import Traffic
from ...demand_sets.demand_set import NO_MULTIPLIERS, Demand, DemandSet, Multipliers, Pair, Weights
from ...demand_sets.hull import Hull
from ...demand_sets.transport import LARGEST, TransportSet
from ...routing.base.routing import Routing
from ...routing.base.views import dense
from ..load_sums import pair_sums
from ..loads import Loads, busiest_channels, channel_loads_under, largest_load, loads_of_sums
from ..scan.evidence import SOURCE
from ..scan.exact import WorstCase, as_traffic
from ..scan.models import check_judged

_LARGE, _FEW = 256, 8  # beyond so many terminals one pair in eight is few


@dataclass(frozen=True, eq=False)
class MatrixLoads:
    """The loads of every channel under one matrix: ``factor`` times those of ``loads``, exactly."""

    loads: Loads
    factor: Fraction
    routing: Routing

    @property
    def largest(self) -> Fraction:
        """Load per bandwidth of the busiest channel."""
        return largest_load(self.loads, self.routing.network) * self.factor

    @property
    def busiest(self) -> int:
        """The first of the busiest channels; -1 where nothing is loaded."""
        found = busiest_channels(self.loads, self.routing.network)
        return int(found[0]) if len(found) else -1

    def per_bandwidth(self) -> list[Fraction]:
        """Load per bandwidth of every channel."""
        width = self.routing.network.bandwidth
        return [x * self.factor / b for x, b in zip(self.loads.load.fractions(), width, strict=True)]


def loads_of_matrix(routing: Routing, rates: Mapping[Pair, Fraction], *, name: str = "matrix") -> MatrixLoads:
    """The loads under ``rates`` by (source terminal, destination terminal)."""
    size = routing.network.num_terminals
    unit = math.lcm(*{x.denominator for x in rates.values()})
    source, destination = np.array(list(rates), dtype=np.int64).reshape(-1, 2).T
    ratios = (x.as_integer_ratio() for x in rates.values())
    amounts = as_int_array([num * (unit // den) for num, den in ratios])
    if size > _LARGE and _FEW * len(rates) < size * size:  # no table of all pairs; a traffic by its name alone
        loads = loads_of_sums(Traffic(name, size), pair_sums(routing, source, destination, amounts))
        return MatrixLoads(loads, Fraction(1, unit), routing)
    numerator = np.zeros((size, size), dtype=amounts.dtype)
    numerator[source, destination] = amounts
    most = max(1, *(int(x) for axis in (0, 1) for x in numerator.astype(object).sum(axis=axis)))
    loads = channel_loads_under(routing, Traffic(name, size, numerator=numerator, scale=most))
    return MatrixLoads(loads, Fraction(most, unit), routing)


def worst_matrix(
    routing: Routing, demands: Hull, *, all_channels: bool = False, progress: Progress | None = None
) -> WorstCase:
    """The worst case over a list of matrices, and so over all their mixtures.

    ``progress(done, total)``: in matrices.  Raises InputError for a set of another size, sampled loads, and matrices
    that load nothing.
    """
    check_judged(routing, demands)
    best, channel, worst = Fraction(0), -1, 0
    every = [Fraction(0)] * routing.network.num_channels
    for k, (rates, name) in enumerate(zip(demands.matrices, demands.names, strict=True)):
        found = loads_of_matrix(routing, rates, name=name)
        if found.largest > best:
            best, channel, worst = found.largest, found.busiest, k
        if all_channels:
            every = list(map(max, every, found.per_bandwidth()))
        if progress is not None:
            progress(k + 1, len(demands.matrices))
    if not best:
        raise InputError(f"no channel of {routing.network.name} is ever loaded by {routing.name} over {demands.text}")
    each = every if all_channels else None
    claims = matrix_claims(demands, best, channel, demands.names[worst], each)
    return WorstCase.proved_by(claims, routing, demands, best, channel, demands.matrices[worst], channel_loads=each)


def matrix_claims(
    demands: DemandSet, load: Fraction, channel: int, name: str, each: Sequence[Fraction] | None
) -> list[Claim]:
    """The worst of the matrices, that of every channel where it is known, and by what factor all of them may grow.

    Evidence of the kind ``matrices``: {"matrix": its name, "channel"}; the matrices are in the report's subject, and
    those of a box without other limits are its largest demands, "largest".
    """
    from ...claims.routings.matrices import MATRICES

    about = {"demands": demands.text}
    worst = MATRICES.claim(load, {"matrix": name, "channel": channel}, about)
    each_one = [MATRICES.claim(x, {"channel": c}, {**about, "channel": c}) for c, x in enumerate(each or ())]
    return [worst, throughput_of(worst, SOURCE), *each_one]


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
    high = {pair: x for pair, (_, x) in sorted(demands.box.items()) if x and demands.allows(*pair)}
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
    from ...claims.routings.box import BOX

    about = {"demands": demands.text}
    data = {
        "channel": channel,
        "traffic": as_traffic(witness),
        "multipliers": [_described(c, x) for c, x in enumerate(proofs) if x is not NO_MULTIPLIERS],
    }
    stated = BOX.claim(load, data, about)
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
        self.routing = dense(routing)
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
