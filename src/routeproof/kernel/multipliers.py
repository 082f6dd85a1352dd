"""The trusted kernel: does this evidence prove that number?

Nothing here searches or solves.  Loads come in as exact fractions (``LoadBlock``), potentials, permutations and rates
as the evidence states them, and what comes out is an exact yes, or a VerificationError that names the channel and pair.

Why it suffices.  For one channel with loads w and rates x (rows at most ``supply``, columns at most ``demand``),
potentials u, v >= 0 with u[i] + v[j] >= w[i, j] give sum w x <= supply . u + demand . v: nothing loads the channel
more.  Rates that reach the number show that something loads it as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64, first_true
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.rational import INT64_MAX, Rationals, as_int_array, fraction_sum, lcm_within, shown
from ..core.segment_sums import Partial, merged, partial_sums

_ZERO = Fraction(0)
_SAFE = 1 << 62
_MOST_FINER = 1 << 4096


def rounded_up(load: Rationals, scale: int) -> Int64:
    """``ceil(load * scale)`` as int64; raises VerificationError where that does not fit."""
    try:
        if scale & (scale - 1) == 0:
            return load.ceil_fixed(scale.bit_length() - 1)
        if load.num.dtype != object and load.den.dtype != object:
            top = int(np.abs(load.num).max(initial=0))
            if top * scale <= INT64_MAX:
                return np.asarray(-((-load.num * scale) // load.den))
        values = [-((-int(a) * scale) // int(b)) for a, b in zip(load.num.tolist(), load.den.tolist(), strict=True)]
        return np.array(values, dtype=np.int64)
    except OverflowError:
        raise VerificationError("a load does not fit 64-bit fixed point at the evidence's scale") from None


def base_load(block: LoadBlock, k: int, supply: Int64, demand: Int64) -> Fraction:
    """What the base part puts on the block's k-th channel when every row and column is used in full."""
    if block.base is None:
        return _ZERO
    total = _ZERO
    for part, amount in ((block.base.row[k], supply), (block.base.column[k], demand)):
        used = np.nonzero(amount)[0]
        if (part.num[used] < 0).any():
            raise VerificationError(f"channel {int(block.channel[k])} has a negative base load")
        total += Rationals(part.num[used].astype(object) * amount[used], part.den[used]).total()
    return total


def check_column_potentials(
    block: LoadBlock, supply: Int64, demand: Int64, *, scale: int, shift: Int64, quantum: Int64, limit: Sequence[int]
) -> int:
    """Every channel of the block stays at or below ``limit[k] / scale`` (its base part left aside).

    shift: int64 (K,).  quantum: the column potentials v = quantum << shift (over ``scale``) of the columns that take
    part, ascending, channel after channel; more may follow.  The rows' potentials are taken as max(w - v, 0), so the
    pairs hold by construction and only the total is in question.  Returns how many quanta were used.

    Raises VerificationError, naming the channel.
    """
    count = block.num_channels
    width, everyone = len(demand), int(supply.sum()) + int(demand.sum())
    segment = block.segment
    live = (supply[block.row] > 0) & (demand[block.column] > 0) & (block.load.num > 0)
    row, column, load = block.row, block.column, block.load
    if not live.all():
        segment, row, column, load = segment[live], row[live], column[live], load[live]
    weight = rounded_up(load, scale)
    # Columns that no channel of the block is loaded to are left out: of large networks, nearly all.
    named = np.zeros(width, dtype=bool)
    named[column] = True
    demand, column, width = demand[named], (np.cumsum(named) - 1)[column], int(np.count_nonzero(named))
    taking_part = np.zeros(count * width, dtype=bool)
    key = segment * width + column
    taking_part[key] = True
    where = np.nonzero(taking_part)[0]
    if len(where) > len(quantum):
        raise VerificationError(
            f"channels {int(block.channel[0])} to {int(block.channel[-1])} need {len(where)} column potentials; "
            f"{len(quantum)} are left in the evidence"
        )
    used = quantum[: len(where)]
    first = np.searchsorted(where, np.arange(count + 1) * width)
    channel_of = np.repeat(np.arange(count), np.diff(first))
    too_large = used > (INT64_MAX >> 2) >> np.clip(shift[channel_of], 0, 62)
    bad = first_true((used < 0) | (shift[channel_of] < 0) | too_large)
    if bad is not None:
        c = int(block.channel[channel_of[bad]])
        raise VerificationError(f"channel {c}: a column potential is negative or too large")
    potential = used << shift[channel_of]
    # Sums are exact in int64 where this bound holds; Python integers would be needed beyond, and are refused.
    top = max(int(weight.max(initial=0)), int(potential.max(initial=0)))
    if top * everyone > INT64_MAX:
        raise VerificationError("potentials times terminals do not fit 64 bits at the evidence's scale")
    total = np.zeros(count, dtype=np.int64)
    rest = weight
    if potential.any():
        np.add.at(total, channel_of, potential * demand[where - channel_of * width])
        of_key = np.empty(count * width, dtype=np.int64)
        of_key[where] = potential  # every key is one of these
        rest = weight - of_key[key]
    if len(row):
        line = segment * len(supply) + row
        start = np.append(0, 1 + np.flatnonzero(line[1:] != line[:-1]))
        need = np.maximum(np.maximum.reduceat(rest, start), 0)
        if (np.diff(line[start]) <= 0).any():
            raise VerificationError("the loads of a channel are not sorted by row")
        np.add.at(total, segment[start], need * supply[row[start]])
    for c, proved, most in zip(block.channel.tolist(), total.tolist(), limit, strict=True):
        if proved > most:
            raise VerificationError(
                f"channel {c}: its potentials prove {shown(Fraction(proved, scale))}, "
                f"not the claimed {shown(Fraction(most, scale))}"
            )
    return len(where)


def check_potentials(
    block: LoadBlock,
    supply: Int64,
    demand: Int64,
    *,
    values: Sequence[Fraction] | Sequence[int],
    row: Int64,
    column: Int64,
    limit: Fraction,
    unit: int = 1,
) -> None:
    """The block's one channel stays at or below ``limit`` (its base part left aside), by exact potentials.

    Row i has the potential ``values[row[i]] / unit``, column j ``values[column[j]] / unit``.  Every pair is compared:
    with floats where the margin is a thousand times their rounding, exactly elsewhere.  Raises VerificationError,
    naming the pair.
    """
    c = int(block.channel[0])
    for what, index, size in (("row", row, len(supply)), ("column", column, len(demand))):
        if len(index) != size or int(index.min(initial=0)) < 0 or int(index.max(initial=-1)) >= len(values):
            raise VerificationError(f"channel {c}: the {what} potentials do not match {size} {what}s")
    if any(x < 0 for x in values):
        raise VerificationError(f"channel {c}: a potential is negative")
    total = _ZERO
    for index, capacity in ((row, supply), (column, demand)):
        weighted = np.zeros(len(values), dtype=np.int64)
        np.add.at(weighted, index, capacity)
        total += Fraction(sum(values[k] * n for k, n in enumerate(weighted.tolist()) if n), unit)
    if total > limit:
        raise VerificationError(f"channel {c}: its potentials sum to {shown(total)}, above the claimed {shown(limit)}")
    live = (supply[block.row] > 0) & (demand[block.column] > 0)
    rows, columns, load = block.row[live], block.column[live], block.load[live]
    about = np.array([_about(x.numerator, x.denominator * unit) for x in values])
    if load.num.dtype == object or load.den.dtype == object:
        weight = np.array([_about(int(a), int(b)) for a, b in zip(load.num, load.den, strict=True)], dtype=np.float64)
    else:
        weight = load.num.astype(np.float64) / load.den.astype(np.float64)
    have = about[row[rows]] + about[column[columns]]
    # What is infinite, or so small that floats lose digits, is doubtful too.
    with np.errstate(invalid="ignore"):
        clear = (have - weight > 1e-12 * (have + weight)) & (have > 1e-280) & (have < np.inf)
    doubtful: dict[tuple[int, int, int, int], int] = {}  # one entry of each kind
    for e in np.nonzero(~clear)[0].tolist():
        doubtful.setdefault((int(row[rows[e]]), int(column[columns[e]]), int(load.num[e]), int(load.den[e])), e)
    for (u, v, num, den), e in doubtful.items():
        if (values[u] + values[v]) * den < num * unit:
            raise VerificationError(
                f"channel {c}: the potentials of row {int(rows[e])} and column {int(columns[e])} sum to "
                f"{shown(Fraction(values[u] + values[v], unit))}, below their load {shown(Fraction(num, den))}"
            )


def potentials_along(
    block: LoadBlock, after: tuple[Int64, Int64], start: tuple[Int64, Int64], scale: int
) -> tuple[int, list[int]]:
    """(unit, potentials of the rows, then of the columns, over it) that make pairs of the block's one channel tight.

    ``after``: the potential of row i follows from that of column ``after[0][i]``, that of column j from that of row
    ``after[1][j]``: both together are the load of the pair.  Where this is -1, it is that of ``start``, over ``scale``.
    Raises VerificationError for pairs without a load, and potentials that follow from themselves.
    """
    row_after, column_after = after
    c, rows, columns = int(block.channel[0]), len(row_after), len(column_after)
    if any((x < -1).any() or (x >= n).any() for x, n in ((row_after, columns), (column_after, rows))):
        raise VerificationError(f"channel {c}: a potential follows from that of no row or column")
    if any(((x >= 0) & (y != 0)).any() for x, y in zip(after, start, strict=True)):
        raise VerificationError(f"channel {c}: a potential both follows from another one and starts by itself")
    before = np.concatenate([np.where(row_after < 0, -1, row_after + rows), column_after])
    i, j = np.flatnonzero(row_after >= 0), np.flatnonzero(column_after >= 0)
    follows = np.concatenate([i, rows + j])
    pair = np.concatenate([i * columns + row_after[i], column_after[j] * columns + j])
    key = block.row.astype(np.int64) * columns + block.column
    entry = np.searchsorted(key, pair)
    if (entry >= len(key)).any() or (key[entry] != pair).any():
        raise VerificationError(f"channel {c}: a potential follows from a pair that does not load it")
    load = block.load[entry]
    unit = math.lcm(*load.denominators(), scale)
    cost = dict(zip(follows.tolist(), load.scaled(unit).tolist(), strict=True))
    way, first = before.tolist(), np.concatenate(start).tolist()
    value = {x: first[x] * (unit // scale) for x, y in enumerate(way) if y < 0}
    for x in follows.tolist():
        path = []
        while x not in value:
            path.append(x)
            x = way[x]
            if len(path) > len(way):
                raise VerificationError(f"channel {c}: a potential follows from itself")
        for y in reversed(path):
            value[y] = cost[y] - value[x]
            x = y
    return unit, [value[x] for x in range(rows + columns)]


def _about(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf


def line_constant(
    block: LoadBlock,
    bandwidth: Fraction,
    supply: Int64,
    demand: Int64,
    *,
    scale: int,
    slope: int,
    column: Int64,
    v: npt.NDArray[Any],
) -> Fraction:
    """What a line that bounds the block's one channel is at K = 0, per bandwidth; its slope is ``slope`` / ``scale``.

    The line is for every number K of packets at once.  For column potentials v >= 0 and a multiplier x >= 0 of all
    packets together, the slope, let u(i) be the largest of w(i, j) - v(j) - x, or 0: every packet from i to j is worth
    at most u(i) + v(j) + x, so K packets make at most x K + supply . u + demand . v.

    ``v``: the potentials of ``column`` times ``scale``; the others have 0.  Raises VerificationError for numbers that
    are negative, columns that do not ascend or do not exist, and a base part of the loads.
    """
    c = int(block.channel[0])
    if block.base is not None:
        raise VerificationError(f"the loads of channel {c} are not written out pair by pair")
    ascends = not (np.diff(column) <= 0).any() and (not len(column) or 0 <= column[0] <= column[-1] < len(demand))
    if len(column) != len(v) or not ascends:
        raise VerificationError(
            f"channel {c}: the columns of a line must ascend, below {len(demand)}, a potential each"
        )
    if slope < 0 or (len(v) and min(v.tolist()) < 0):
        raise VerificationError(f"channel {c}: a multiplier is negative")
    live = (supply[block.row] > 0) & (demand[block.column] > 0) & (block.load.num > 0)
    row, load = block.row[live], block.load[live]
    if (np.diff(row) < 0).any():
        raise VerificationError(f"the loads of channel {c} are not sorted by row")
    paid = sum(int(x) * int(n) for x, n in zip(v.tolist(), demand[column].tolist(), strict=True))
    if not len(row):
        return Fraction(paid, scale)
    # All in units of 1 / (scale * finer), in which no load is rounded, or rounded up where that is out of reach.
    finer = lcm_within({int(x) * bandwidth.numerator for x in np.unique(load.den)}, _MOST_FINER) or 1
    unit = scale * finer
    up, down = unit * bandwidth.denominator, bandwidth.numerator
    num, den = load.num, load.den
    most = max(int(num.max()) * up, int(den.max()) * down, slope * finer, max(v.tolist(), default=0) * finer)
    if num.dtype == object or den.dtype == object or v.dtype == object or most >= _SAFE:
        num, den, v = num.astype(object), den.astype(object), v.astype(object)
    potential = np.zeros(len(demand), dtype=v.dtype)
    potential[column] = v * finer
    weight = -((-num * up) // (den * down))
    rest = weight - potential[block.column[live]] - slope * finer
    start = np.nonzero(np.diff(row, prepend=-1))[0]
    largest = np.maximum.reduceat(rest, start).tolist()
    rows = sum(int(x) * int(n) for x, n in zip(largest, supply[row[start]].tolist(), strict=True) if x > 0)
    return Fraction(paid * finer + rows, unit)


# -- sums of loads -----------------------------------------------------------------------------------------------


def load_under(
    block: LoadBlock, pairs: Sequence[tuple[int, int, Fraction]], row_node: Int32, column_node: Int32
) -> Fraction:
    """The load of the block's one channel when (row, column) pairs send the given rates."""
    rate: dict[tuple[int, int], Fraction] = {}
    for i, j, x in pairs:
        before = rate.get((i, j))
        rate[i, j] = x if before is None else before + x
    width = len(column_node)
    keys = block.row.astype(np.int64) * width + block.column
    wanted = np.array([i * width + j for i, j in rate], dtype=np.int64)
    hit, load = np.nonzero(np.isin(keys, wanted))[0], (block.load.num, block.load.den)
    by_den: dict[int, int] = {}
    for i, j, num, den in zip(*(x[hit].tolist() for x in (block.row, block.column, *load)), strict=True):
        x = rate[i, j]
        den *= x.denominator
        by_den[den] = by_den.get(den, 0) + num * x.numerator
    total = fraction_sum([*by_den.values()], [*by_den])
    if block.base is not None:
        for (i, j), x in rate.items():
            if int(row_node[i]) != int(column_node[j]):
                total += x * (block.base.row[0].fraction(i) + block.base.column[0].fraction(j))
    return total


def loads_between_all(block: LoadBlock, supply: Int64, demand: Int64, row_node: Int32, column_node: Int32) -> Partial:
    """For every channel of the block, the terms of the sum of its pair loads over all pairs of terminals.

    supply, demand: how many terminals each row (column) stands for.
    """
    count = block.num_channels
    amount = supply[block.row] * demand[block.column]
    parts = [partial_sums(block.segment, block.load, None if (amount == 1).all() else amount, count)]
    if block.base is not None:
        # A base load falls on the pairs on different nodes: for a row, on all terminals but those at its own node.
        nodes = 1 + max(int(row_node.max()), int(column_node.max()))
        sinks, sources = np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
        np.add.at(sinks, column_node, demand)
        np.add.at(sources, row_node, supply)
        apart_row = supply * (int(demand.sum()) - sinks[row_node])
        apart_column = demand * (int(supply.sum()) - sources[column_node])
        base = Rationals.of(base_load(block, k, apart_row, apart_column) for k in range(count))
        parts.append(Partial(count, np.arange(count), base.num, base.den))
    return merged(parts, count)


def without_base(block: LoadBlock, row_node: Int32, column_node: Int32) -> LoadBlock:
    """The same loads pair by pair: the base part is added to every pair on different nodes."""
    if block.base is None:
        return block
    row, column = (x.astype(np.int32) for x in np.nonzero(row_node[:, None] != column_node[None, :]))
    where = {pair: e for e, pair in enumerate(zip(row.tolist(), column.tolist(), strict=True))}
    rows, columns, sizes = [], [], [0]
    nums: list[int] = []
    dens: list[int] = []
    for k in range(block.num_channels):
        by_row, by_column, own = block.base.row[k], block.base.column[k], block.one(k)
        scale = math.lcm(*by_row.denominators(), *by_column.denominators())
        num = by_row.scaled(scale).astype(object)[row] + by_column.scaled(scale).astype(object)[column]
        den = np.full(len(num), scale, dtype=object)
        for i, j, x in zip(own.row.tolist(), own.column.tolist(), own.load.fractions(), strict=True):
            e = where[i, j]
            both = Fraction(int(num[e]), scale) + x
            num[e], den[e] = both.numerator, both.denominator
        loaded = np.nonzero(num)[0]
        rows.append(row[loaded])
        columns.append(column[loaded])
        sizes.append(len(loaded))
        nums += num[loaded].tolist()
        dens += den[loaded].tolist()
    load = Rationals(as_int_array(nums), as_int_array(dens))
    none = np.zeros(0, dtype=np.int32)
    return LoadBlock(
        block.channel, np.cumsum(sizes), np.concatenate([none, *rows]), np.concatenate([none, *columns]), load
    )
