"""The most that demands with limits of terminals, of all together and of pairs make of given weights, exactly.

It is a transportation problem (``graphs.transport``).  A limit of the total is one more row, of idle packets: it sends
what columns may receive beyond the total, to any of them, for the largest weight of all.

Where pairs have limits of their own, the part above the least demand becomes a problem without such limits (Wagner
1959): every pair is a column, which receives at most what the pair may send besides; row i sends to the columns of its
pairs; and for terminal j a row of idle packets sends the rest, what its pairs could bring and j may not receive, to
their columns.  One more row of idle packets, to all columns, limits the total.  Idle packets are worth more than any
weight, so all are sent.

Potentials of the larger problem give multipliers u, v, x of the smaller: with B the worth of idle packets, x = B less
the potential of the last row, and v(j) = B less the potential of j's idle row, less x (without limits of pairs: column
j's potential less x).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.rational import Rationals
from .demand_set import NO_MULTIPLIERS, Maximum, Multipliers, Pair, Weights

_ZERO = Fraction(0)
_LONG = 1 << 56
Limits = Sequence[Fraction] | None
"""Of every terminal, or None."""


class OfTerminals:
    """Rows, columns and the total are limited, at least one of the three everywhere; ``allowed``, bool (T, T): which
    pairs send at all."""

    def __init__(self, allowed: npt.NDArray[np.bool_], sends: Limits, receives: Limits, total: Fraction | None) -> None:
        size = len(allowed)
        most = _ZERO if total is None else total
        given = [(most,) * size if x is None else tuple(x) for x in (sends, receives)]
        self.unit = math.lcm(most.denominator, *{x.denominator for side in given for x in side})
        self.sends, self.receives = ([int(x * self.unit) for x in side] for side in given)
        self.total = None if total is None else int(total * self.unit)
        some = [np.array([x > 0 for x in side]) for side in (self.sends, self.receives)]
        self.allowed = allowed & some[0][:, None] & some[1][None, :]

    def maximise(self, weights: Weights) -> Maximum:
        live = self.allowed[weights.source, weights.destination] & (weights.weight.num > 0)
        order = np.flatnonzero(live)[np.lexsort((weights.destination[live], weights.source[live]))]
        row, column = (x[order].astype(np.int32) for x in (weights.source, weights.destination))
        load, count, last = weights.weight[order], len(order), len(self.sends)
        if not count:
            return Maximum(_ZERO, {}, NO_MULTIPLIERS)
        ends, top = np.unique(column), _ZERO
        brought = sum(self.receives[j] for j in ends.tolist())
        idle = 0 if self.total is None else max(0, brought - self.total)
        if idle:
            top = max(load.fractions())
            row = np.append(row, np.full(len(ends), last, dtype=np.int32))
            column = np.append(column, ends)
            load = _joined([load, Rationals.of([top] * len(ends))])
        flow, u, v = _transported(row, column, load, [*self.sends, idle], self.receives)
        real, over = list(flow[:count]), idle - sum(flow[count:])
        for k in range(count if over else 0):  # where idle packets are not all sent, any packet is worth as much as one
            part = min(over, real[k])
            real[k] -= part
            over -= part
        x = max(_ZERO, top - u.get(last, _ZERO)) if idle else _ZERO
        proof = Multipliers(
            {i: y for i, y in u.items() if y and i != last}, {j: y - x for j, y in v.items() if y > x}, x
        )
        used = [k for k, amount in enumerate(real) if amount]
        demand = {(int(row[k]), int(column[k])): Fraction(real[k], self.unit) for k in used}
        value = sum((load.fraction(k) * real[k] for k in used), _ZERO) / self.unit
        proved = proof.total * (self.total or 0)
        for side, rates in ((proof.sends, self.sends), (proof.receives, self.receives)):
            proved += sum((y * rates[t] for t, y in side.items()), _ZERO)
        return Maximum.of(value, demand, proof, proved / self.unit)


class OfPairs:
    """Every pair that may send at all has two limits, those of ``limits``; rows, columns, the total may have some."""

    def __init__(
        self, limits: Mapping[Pair, tuple[Fraction, Fraction]], size: int, sends: Limits, receives: Limits,
        total: Fraction | None,
    ) -> None:  # fmt: skip
        self.size = size
        self.pairs = sorted(limits)
        self.low, high = ([limits[pair][side] for pair in self.pairs] for side in (0, 1))
        out, into = [_ZERO] * size, [_ZERO] * size
        for (i, j), x in zip(self.pairs, self.low, strict=True):
            out[i] += x
            into[j] += x
        above = None if total is None else total - sum(out)
        rows, columns = (
            None if given is None else [x - y for x, y in zip(given, least, strict=True)]
            for given, least in ((sends, out), (receives, into))
        )
        room = [x - y for x, y in zip(high, self.low, strict=True)]
        every = [*room, *(rows or ()), *(columns or ()), *(() if above is None else (above,))]
        self.unit = math.lcm(*{x.denominator for x in every})
        self.room: list[int] = [int(x * self.unit) for x in room]
        self.sends, self.receives = (
            None if given is None else [int(x * self.unit) for x in given] for given in (rows, columns)
        )
        self.total = None if above is None else int(above * self.unit)
        self.least = {pair: x for pair, x in zip(self.pairs, self.low, strict=True) if x}
        self.place: Int64 = np.array([i * size + j for i, j in self.pairs], dtype=np.int64)

    def maximise(self, weights: Weights) -> Maximum:
        key = weights.source * self.size + weights.destination
        at = np.searchsorted(self.place, key)
        found = self.place[np.minimum(at, len(self.place) - 1)] == key
        live = np.flatnonzero(found & (weights.weight.num > 0))
        some, load = at[live].tolist(), weights.weight[live]
        if not some:
            return Maximum(_ZERO, dict(self.least), NO_MULTIPLIERS)
        exact = load.fractions()
        sent, proof = self._above(some, load, exact)
        demand, value = dict(self.least), _ZERO
        for k, w, x in zip(some, exact, sent, strict=True):
            rate = self.low[k] + Fraction(x, self.unit)
            value += w * rate
            if rate:
                demand[self.pairs[k]] = rate
        return Maximum.of(value, demand, proof, self._proved(some, exact, proof))

    def _proved(self, some: list[int], exact: list[Fraction], proof: Multipliers) -> Fraction:
        """What the multipliers prove, from demand above the least; pairs without a weight add nothing to it."""
        above = proof.total * (self.total or 0)
        for rates, side in ((self.sends, proof.sends), (self.receives, proof.receives)):
            above += sum((x * rates[i] for i, x in side.items()), _ZERO) if rates is not None else _ZERO
        least = _ZERO
        for k, w in zip(some, exact, strict=True):
            above += max(w - proof.of(*self.pairs[k]), _ZERO) * self.room[k]
            least += w * self.low[k]
        return least + above / self.unit

    def _above(self, some: list[int], load: Rationals, exact: list[Fraction]) -> tuple[list[int], Multipliers]:
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
            return [self.room[k] for k in some], NO_MULTIPLIERS
        row_of = {i: k for k, i in enumerate(sorted(sends))}
        idle_of = {j: len(row_of) + k for k, j in enumerate(sorted(x for x, amount in over.items() if amount))}
        last = len(row_of) + len(idle_of)
        supply = [sends[i] for i in sorted(sends)] + [over[j] for j in sorted(idle_of)] + [idle]
        columns = np.arange(len(some))
        rows = np.array([row_of[self.pairs[k][0]] for k in some], dtype=np.int64)
        theirs = np.array([idle_of.get(self.pairs[k][1], -1) for k in some], dtype=np.int64)
        worth = 2 * max(exact)
        parts: list[tuple[Int64, Int64, Rationals]] = [(rows, columns, load)]
        for idle_rows, kept in ((theirs, theirs >= 0), (np.full(len(some), last), np.full(len(some), idle > 0))):
            count = int(kept.sum())
            parts.append((idle_rows[kept], columns[kept], Rationals.of([worth] * count)))
        row = np.concatenate([x for x, _, _ in parts]).astype(np.int32)
        column = np.concatenate([x for _, x, _ in parts]).astype(np.int32)
        weights = _joined([x for _, _, x in parts])
        order = np.lexsort((column, row))
        found, u, _ = _transported(row[order], column[order], weights[order], supply, [self.room[k] for k in some])
        flow = [0] * len(order)
        for at, amount in zip(order.tolist(), found, strict=True):
            flow[at] = amount
        x = max(_ZERO, worth - u.get(last, _ZERO)) if idle else _ZERO
        v = {j: max(_ZERO, worth - u.get(k, _ZERO) - x) for j, k in idle_of.items()}
        mine = {i: u.get(k, _ZERO) for i, k in row_of.items() if sends[i] < out[i]}
        for k, w in zip(some, exact, strict=True):  # who may send nothing more is left out above
            i, j = self.pairs[k]
            if not sends[i] and out[i]:
                mine[i] = max(mine[i], w - v.get(j, _ZERO) - x)
        proof = Multipliers({i: y for i, y in mine.items() if y}, {j: y for j, y in v.items() if y}, x)
        return flow[: len(some)], proof


def _joined(parts: Sequence[Rationals]) -> Rationals:
    return Rationals(np.concatenate([x.num for x in parts]), np.concatenate([x.den for x in parts]))


_Found = tuple[list[int], Mapping[int, Fraction], Mapping[int, Fraction]]
"""The flow by entry, and potentials of rows and columns."""


def _transported(row: Int32, column: Int32, load: Rationals, supply: list[int], demand: list[int]) -> _Found:
    """The optimum; compiled where 64 bits are enough."""
    from ..graphs.long_transport import solve_long
    from ..graphs.transport import solve_exactly

    if sum(supply) + sum(demand) < _LONG:
        with suppress(OverflowError):
            amounts = (np.array(x, dtype=np.int64) for x in (supply, demand))
            found = solve_exactly(row, column, load, *amounts)
            u, v = (
                dict(zip(numbers.tolist(), potentials, strict=True))
                for numbers, potentials in ((found.row, found.u), (found.column, found.v))
            )
            return found.flow.tolist(), u, v
    flow, *potentials = solve_long(row, column, load, supply, demand)
    return flow, potentials[0], potentials[1]
