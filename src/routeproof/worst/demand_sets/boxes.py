"""The worst case over demands between a least and a largest, with or without limits of terminals and of the total.

Loads are not negative, so the largest demand of every pair bounds every channel, and is the worst case where nothing
else limits the demand.  Where terminals or all together are limited, the part above the least demand is a
transportation problem whose pairs have limits, too.  It becomes one without such limits (Wagner 1959): every pair is a
column, which receives at most what the pair may send besides; row i sends to the columns of its pairs; and for terminal
j a row of idle packets sends the rest, what its pairs could bring and j may not receive, to their columns.  One more
row of idle packets, to all columns, limits the total.  Idle packets are worth more than any load, so all are sent.

Potentials of the larger problem give multipliers u, v, x of the smaller: with B the worth of idle packets, x = B less
the potential of the last row, and v(j) = B less the potential of j's idle row, less x.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.rational import Rationals
from ...core.stage import Progress
from ...demand_sets.demand_set import Pair
from ...demand_sets.transport import TransportSet
from ...graphs.transport import solve_exactly
from ...routing.base.dense import dense, has_base
from ...routing.base.exact_arrays import concatenate, matches
from ...routing.base.routing import Routing
from .long_rates import LongSolution, solve_long
from .matrices import check_size, loads_of_matrix

_ZERO = Fraction(0)
_LONG = 1 << 56


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Of terminals' limits and of the total's, >= 0, in units of load; those that are not listed are 0."""

    sends: Mapping[int, Fraction] = field(default_factory=dict)
    receives: Mapping[int, Fraction] = field(default_factory=dict)
    total: Fraction = _ZERO


NONE = Multipliers()
"""Those that bound a channel by the largest demand of every pair."""


@dataclass(frozen=True, eq=False)
class BoxWorst:
    """The worst case of ``routing`` over ``demands``, exactly.

    - ``load``: the largest load per bandwidth, on ``channel``, under ``witness``, an admitted demand by pair;
    - ``multipliers``: for every channel such as prove that it stays at or below ``load`` (``bound``), or with
      ``all_channels`` at its own worst;
    - ``channel_loads``: with ``all_channels``, the worst load per bandwidth of every channel.
    """

    routing: Routing
    demands: TransportSet
    load: Fraction
    channel: int
    witness: Mapping[Pair, Fraction]
    multipliers: Sequence[Multipliers]
    channel_loads: Sequence[Fraction] | None


def worst_case_in_box(
    routing: Routing, demands: TransportSet, *, all_channels: bool = False, progress: Progress | None = None
) -> BoxWorst:
    """The worst case over a set with a box.  ``progress(done, total)``: in channels.

    Raises InputError for sets without a box or of another size, sampled loads, and where nothing is ever loaded.
    """
    check_size(routing, demands.size, demands.text)
    problem = _Problem(routing, demands)
    network = routing.network
    high = {pair: x for pair, x in zip(problem.pairs, problem.high, strict=True) if x}
    bounds = loads_of_matrix(routing, high, name=demands.text).per_bandwidth()
    order = sorted(range(network.num_channels), key=lambda c: (-bounds[c], c))
    best, worst, witness = Fraction(-1), -1, dict[Pair, Fraction]()
    multipliers, loads = [NONE] * network.num_channels, list(bounds)
    for done, c in enumerate(order, 1):
        if bounds[c] <= best and not all_channels:
            break
        value, demand, multipliers[c] = problem.solve(c)
        loads[c] = value / network.bandwidth[c]
        if loads[c] > best:
            best, worst, witness = loads[c], c, demand
        if progress is not None:
            progress(done, len(order))
    if best <= 0:
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name} over {demands.text}")
    return BoxWorst(routing, demands, best, worst, witness, multipliers, loads if all_channels else None)


def bound(demands: TransportSet, weights: Mapping[Pair, Fraction], proof: Multipliers) -> Fraction:
    """What the multipliers prove: no admitted demand makes more of the weights (>= 0, by pair)."""
    assert demands.box is not None
    value = proof.total * (demands.total or 0)
    for rates, side in ((demands.sends, proof.sends), (demands.receives, proof.receives)):
        value += sum((x * rates[i] for i, x in side.items()), _ZERO) if rates is not None else _ZERO
    for (i, j), (low, high) in demands.box.limits.items():
        if demands.allows(i, j):
            taken = proof.sends.get(i, _ZERO) + proof.receives.get(j, _ZERO) + proof.total
            rest = weights.get((i, j), _ZERO) - taken
            value += rest * (high if rest > 0 else low)
    return value


class _Problem:
    """The pairs that may send, by number, and what may be sent above the least demand: integers over ``unit``."""

    def __init__(self, routing: Routing, demands: TransportSet) -> None:
        if demands.box is None:
            raise InputError(f"{demands.text} has no least and largest demand of pairs; a box was expected")
        demands.check_possible()
        self.demands = demands
        self.routing = dense(routing) if has_base(routing) else routing
        self.pairs = [pair for pair in sorted(demands.box.limits) if demands.allows(*pair)]
        self.low, self.high = ([demands.box.limits[pair][side] for pair in self.pairs] for side in (0, 1))
        size = demands.size
        out, into = [_ZERO] * size, [_ZERO] * size
        for (i, j), x in zip(self.pairs, self.low, strict=True):
            out[i] += x
            into[j] += x
        total = None if demands.total is None else demands.total - sum(out)
        sends = None if demands.sends is None else [x - y for x, y in zip(demands.sends, out, strict=True)]
        receives = None if demands.receives is None else [x - y for x, y in zip(demands.receives, into, strict=True)]
        room = [x - y for x, y in zip(self.high, self.low, strict=True)]
        every = [*room, *(sends or ()), *(receives or ()), *(() if total is None else (total,))]
        self.unit = math.lcm(*{x.denominator for x in every})
        self.room: list[int] = [int(x * self.unit) for x in room]
        self.sends = None if sends is None else [int(x * self.unit) for x in sends]
        self.receives = None if receives is None else [int(x * self.unit) for x in receives]
        self.total = None if total is None else int(total * self.unit)
        # For every (row, column) of the routing its pairs, as places in an order of their keys.
        source, end = np.array(self.pairs, dtype=np.int64).reshape(-1, 2).T
        key = self._key(self.routing.row_of[source], self.routing.column_of[end])
        self.order = np.argsort(key, kind="stable")
        self.key = key[self.order]

    def _key(self, row: Int32, column: Int32) -> Int64:
        return row.astype(np.int64) * len(self.routing.column_node) + column

    def _weights(self, channel: int) -> tuple[list[int], Rationals]:
        """The pairs with a positive load, and their loads."""
        block = self.routing.channel_loads([channel])
        key = self._key(block.row, block.column)
        place, count = matches(self.key, key)
        entry = np.repeat(np.arange(len(key)), count)
        live = block.load.num[entry] > 0
        return self.order[place[live]].tolist(), block.load[entry[live]]

    def solve(self, channel: int) -> tuple[Fraction, dict[Pair, Fraction], Multipliers]:
        """The channel's worst load, the demand that makes it, and multipliers that prove it."""
        some, load = self._weights(channel)
        exact = load.fractions()
        sent, proof = self._most(some, load)
        rates = {pair: x for pair, x in zip(self.pairs, self.low, strict=True) if x}
        value = _ZERO
        for k, w, x in zip(some, exact, sent, strict=True):
            rate = self.low[k] + Fraction(x, self.unit)
            value += w * rate
            if rate:
                rates[self.pairs[k]] = rate
        proved = self._proved(some, exact, proof)
        if proved != value:
            raise ArithmeticError(f"channel {channel}: the demand ({value}) and multipliers ({proved}) do not meet")
        return value, rates, proof

    def _proved(self, some: list[int], exact: list[Fraction], proof: Multipliers) -> Fraction:
        """``bound``, of demand above the least."""
        above = proof.total * (self.total or 0)
        for rates, side in ((self.sends, proof.sends), (self.receives, proof.receives)):
            above += sum((x * rates[i] for i, x in side.items()), _ZERO) if rates is not None else _ZERO
        least = _ZERO
        for k, w in zip(some, exact, strict=True):
            i, j = self.pairs[k]
            rest = w - proof.sends.get(i, _ZERO) - proof.receives.get(j, _ZERO) - proof.total
            above += max(rest, _ZERO) * self.room[k]
            least += w * self.low[k]
        return least + above / self.unit

    def _most(self, some: list[int], load: Rationals) -> tuple[list[int], Multipliers]:
        """What each of these pairs sends above the least, over ``unit``, and the multipliers."""
        out, into = dict[int, int](), dict[int, int]()
        for k in some:
            i, j = self.pairs[k]
            out[i] = out.get(i, 0) + self.room[k]
            into[j] = into.get(j, 0) + self.room[k]
        # What each terminal may send at all, what j may not receive of what its pairs bring, and the same of the total.
        sends = {i: x if self.sends is None else min(x, self.sends[i]) for i, x in out.items()}
        over = {j: 0 if self.receives is None else max(0, x - self.receives[j]) for j, x in into.items()}
        left = sum(into.values()) - sum(over.values())
        idle = 0 if self.total is None else max(0, left - self.total)
        if sends == out and not any(over.values()) and not idle:
            return [self.room[k] for k in some], NONE
        row_of = {i: k for k, i in enumerate(sorted(sends))}
        idle_of = {j: len(row_of) + k for k, j in enumerate(sorted(x for x, amount in over.items() if amount))}
        last = len(row_of) + len(idle_of)
        supply = [sends[i] for i in sorted(sends)] + [over[j] for j in sorted(idle_of)] + [idle]
        columns = np.arange(len(some))
        rows = np.array([row_of[self.pairs[k][0]] for k in some], dtype=np.int64)
        theirs = np.array([idle_of.get(self.pairs[k][1], -1) for k in some], dtype=np.int64)
        worth = 2 * max(load.fractions())
        parts: list[tuple[npt.NDArray[Any], npt.NDArray[Any], Rationals]] = [(rows, columns, load)]
        for idle_rows, kept in ((theirs, theirs >= 0), (np.full(len(some), last), np.full(len(some), idle > 0))):
            count = int(kept.sum())
            parts.append((idle_rows[kept], columns[kept], Rationals.of([worth] * count)))
        row = np.concatenate([x for x, _, _ in parts]).astype(np.int32)
        column = np.concatenate([x for _, x, _ in parts]).astype(np.int32)
        weights = concatenate([x for _, _, x in parts])
        order = np.lexsort((column, row))
        found = _transported(row[order], column[order], weights[order], supply, [self.room[k] for k in some])
        flow = [0] * len(order)
        for at, amount in zip(order.tolist(), found.flow, strict=True):
            flow[at] = amount
        u = found.u
        x = max(_ZERO, worth - u.get(last, _ZERO)) if idle else _ZERO
        v = {j: max(_ZERO, worth - u.get(k, _ZERO) - x) for j, k in idle_of.items()}
        mine = {i: u.get(k, _ZERO) for i, k in row_of.items() if sends[i] < out[i]}
        for k, w in zip(some, load.fractions(), strict=True):  # who may send nothing more is left out above
            i, j = self.pairs[k]
            if not sends[i] and out[i]:
                mine[i] = max(mine[i], w - v.get(j, _ZERO) - x)
        proof = Multipliers({i: y for i, y in mine.items() if y}, {j: y for j, y in v.items() if y}, x)
        return flow[: len(some)], proof


def _transported(row: Int32, column: Int32, load: Rationals, supply: list[int], demand: list[int]) -> LongSolution:
    """Compiled where 64 bits are enough."""
    if sum(supply) + sum(demand) < _LONG:
        with suppress(OverflowError):
            amounts = (np.array(x, dtype=np.int64) for x in (supply, demand))
            found = solve_exactly(row, column, load, *amounts)
            u, v = (
                dict(zip(found.row.tolist(), found.u, strict=True)),
                dict(zip(found.column.tolist(), found.v, strict=True)),
            )
            return LongSolution(found.flow.tolist(), u, v)
    return solve_long(row, column, load, supply, demand)
