"""Jobs on one network: the worst case of each alone and of all at once, and which job can hurt which.

Packets stay in their jobs, so what a channel carries at worst is the sum of what each job puts on it at its own worst.
One transportation problem for every channel and every job that uses it says everything:

- job A uses a channel where some packet of A crosses it;
- A *hurts* B by the largest load per bandwidth that A alone, at its worst, puts on a channel that B uses.  It is 0 just
  where the two share no channel; A hurts itself by its own worst case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.exact_arrays import concatenate
from ...core.rational import INT64_MAX, Rationals, as_int_array
from ...core.spread import Progress
from ...demand_sets.demand_set import Pair
from ...demand_sets.transport import TransportSet
from ...graphs.exact_transport import ExactSolution
from ...graphs.transport import choose_scale, exact_values, solve_block, solve_exactly, solve_one, weights_of
from ...graphs.transport_arrays import Channels
from ...routing.base.routing import Routing
from ..scan.assignment import flow_traffic
from ..scan.evidence import worst_case_claims
from ..scan.exact import worst_case_over
from ..scan.models import check_judged, problem_of

_MOST_ENTRIES = 24_000_000  # loads of one job that are held at once
_AT_ONCE = 1 << 18  # pairs that are asked for at once
_FEW_JOBS = 12  # for which claims say who hurts whom
_BLOCK = 256  # channels that are asked for at once, of jobs with more loads


@dataclass(frozen=True)
class Shared:
    """A channel that packets of two jobs cross."""

    channel: int
    jobs: tuple[str, str]
    pairs: tuple[Pair, Pair]


@dataclass(frozen=True, eq=False)
class JobLoads:
    """What the jobs of ``demands`` do to the channels, exactly; loads are per bandwidth.

    - ``jobs``: their names; ``worst[a]``: the worst case of job a alone, and a channel where it is;
    - ``together``: the worst case of all at once, and its channel;
    - ``hurts[a][b]``: how much job a hurts job b, and the channel; (0, -1) where they share none;
    - ``shared``: a channel that two jobs use, or None where no two do;
    - ``uses``: bool (C, J): does the job use the channel?
    """

    routing: Routing
    demands: TransportSet
    jobs: Sequence[str]
    worst: Sequence[tuple[Fraction, int]]
    together: tuple[Fraction, int]
    hurts: Sequence[Sequence[tuple[Fraction, int]]]
    shared: Shared | None
    uses: npt.NDArray[np.bool_] = field(repr=False)


def job_loads(routing: Routing, demands: TransportSet, *, progress: Progress | None = None) -> JobLoads:
    """The worst cases of the jobs of ``demands``.  ``progress(done, total)``: in jobs.

    Raises InputError for sets without jobs, with a limit that jobs share or a box, or of another size, for sampled
    loads, and where nothing is ever loaded.
    """
    network = routing.network
    check_judged(routing, demands)
    if demands.group is None:
        raise InputError(f"{demands.text} has no jobs; within:JOBS was expected")
    if demands.total is not None or demands.box is not None or not demands.is_bounded:
        raise InputError(
            f"{demands.text}: jobs are judged one by one where each terminal's own limits are all there is"
        )
    found: list[_Worst] = []
    for k in range(len(demands.jobs)):
        found.append(_worst_loads(routing, demands, k))
        if progress is not None:
            progress(k + 1, len(demands.jobs))
    uses = np.zeros((network.num_channels, len(found)), dtype=np.bool_)
    for a, x in enumerate(found):
        uses[x.channel, a] = True
    if not uses.any():
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name} over {demands.text}")
    hurts = [_hurts(x, uses) for x in found]
    worst = [hurts[a][a] for a in range(len(found))]
    shared = _shared(routing, demands, uses)
    return JobLoads(routing, demands, demands.jobs, worst, _together(found, len(uses)), hurts, shared, uses)


def job_claims(found: JobLoads, *, progress: Progress | None = None) -> list[Claim]:
    """The worst case of each job alone; whether two jobs share a channel; and, of a few jobs, how much each one hurts
    each other one, with ``{"job": a, "across": b}``.  ``progress(done, total)``: in claims."""
    demands, jobs = found.demands, found.jobs
    wanted: list[tuple[int, int | None]] = [(a, None) for a, (load, _) in enumerate(found.worst) if load]
    if len(jobs) <= _FEW_JOBS:
        wanted += [(a, b) for a in range(len(jobs)) for b in range(len(jobs)) if a != b and found.hurts[a][b][0]]
    claims = [_shared_claim(found)]
    for done, (a, b) in enumerate(wanted, 1):
        own = found.uses[:, a] if b is None else found.uses[:, a] & found.uses[:, b]
        among = np.flatnonzero(own).astype(np.int64)
        worst = worst_case_over(found.routing, demands, job=jobs[a], among=among)
        about = worst.model if b is None else replace(worst.model, across=jobs[b])
        claims.append(worst_case_claims(replace(worst, model=about))[0])
        if progress is not None:
            progress(done, len(wanted))
    return claims


def _shared_claim(found: JobLoads) -> Claim:
    from ...claims.routings.shared_channel import SHARED_CHANNEL

    data: dict[str, Any] = {}
    if found.shared is not None:
        x = found.shared
        data = {"channel": x.channel, "jobs": list(x.jobs), "pairs": [list(pair) for pair in x.pairs]}
    about = {"demands": found.demands.text}
    value = "false" if found.shared is None else "true"
    return SHARED_CHANNEL.claim(value, data, about)


class _Worst(NamedTuple):
    """The worst load of one job on every channel that it uses, ascending: ``table[rank]``; the table descends."""

    channel: Int64
    rank: Int64
    table: list[Fraction]


def _together(found: Sequence[_Worst], num_channels: int) -> tuple[Fraction, int]:
    """The largest sum over the jobs, and its first channel."""
    unit = math.lcm(*{y.denominator for x in found for y in x.table})
    whole = [as_int_array([int(y * unit) for y in x.table]) for x in found]
    fits = sum(int(x.max(initial=0)) for x in whole) <= INT64_MAX
    total = np.zeros(num_channels, dtype=np.int64 if fits else object)
    for x, values in zip(found, whole, strict=True):
        total[x.channel] += values[x.rank]
    c = int(total.argmax())
    return Fraction(int(total[c]), unit), c


def _hurts(one: _Worst, uses: npt.NDArray[np.bool_]) -> list[tuple[Fraction, int]]:
    """The largest load of one job on a channel of each job, and the first channel that has it."""
    order = np.argsort(one.rank, kind="stable")
    theirs = uses[one.channel[order]]
    if not len(order):
        return [(Fraction(0), -1)] * uses.shape[1]
    found = []
    for b, at in enumerate(theirs.argmax(axis=0).tolist()):
        place = int(order[at])
        met = bool(theirs[at, b])
        found.append((one.table[int(one.rank[place])], int(one.channel[place])) if met else (Fraction(0), -1))
    return found


def _shared(routing: Routing, demands: TransportSet, uses: npt.NDArray[np.bool_]) -> Shared | None:
    several = np.flatnonzero(uses.sum(axis=1) > 1)
    if not len(several):
        return None
    c = int(several[0])
    one, other = (demands.jobs[k] for k in np.flatnonzero(uses[c])[:2].tolist())
    pairs = [_solution(routing, demands, job, c)[0][0][:2] for job in (one, other)]
    return Shared(c, (one, other), (pairs[0], pairs[1]))


def _solution(
    routing: Routing, demands: TransportSet, job: str, channel: int
) -> tuple[list[tuple[int, int, Fraction]], ExactSolution]:
    shaped, model = problem_of(routing, demands.alone(job))
    block = shaped.channel_loads([channel])
    found = solve_one(block, model.rates)
    return flow_traffic(
        shaped, block.row, block.column, found.flow, model.sends, model.receives, model.rates.unit
    ), found


class _Loads(NamedTuple):
    """Loads of one job on some channels, sorted by channel, row and column, and what its rows and columns may send and
    receive, over ``unit``."""

    channel: Int64
    offset: Int64
    row: Int32
    column: Int32
    load: Rationals
    supply: Int64
    demand: Int64
    unit: int


def _worst_loads(routing: Routing, demands: TransportSet, job: int) -> _Worst:
    """The job's worst load per bandwidth on every channel that it uses."""
    width, group = routing.network.widths, routing.network.bandwidth_rank
    channels: list[Int64] = []
    numbers: list[int] = []
    place: dict[tuple[int, int, int], int] = {}  # of (numerator, denominator, number of the bandwidth)
    for some in _loads_of_job(routing, demands, job):
        num, den = _values(routing, some)
        used = np.flatnonzero(num)
        channels.append(some.channel[used])
        keys = zip(num[used].tolist(), den[used].tolist(), group[some.channel[used]].tolist(), strict=True)
        numbers += [place.setdefault(key, len(place)) for key in keys]
    ratios = [Fraction(a, b) / width[k] for a, b, k in place]
    table = sorted(set(ratios), reverse=True)
    rank = {x: k for k, x in enumerate(table)}
    rank_of = np.array([rank[x] for x in ratios], dtype=np.int64)
    return _Worst(
        np.concatenate([np.zeros(0, dtype=np.int64), *channels]), rank_of[np.array(numbers, dtype=np.int64)], table
    )


def _values(routing: Routing, some: _Loads) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The worst load of every channel: numerators and denominators."""
    weights = choose_scale(routing.denominators, int(some.supply.sum() + some.demand.sum()))
    try:
        weight = weights_of(some.load, weights)
        channels = Channels(some.offset, some.row, some.column, weight, some.supply, some.demand)
        stop = np.full(len(some.channel), -1, dtype=np.int64)
        solved = solve_block(channels, stop=stop, full=not weights.exact)
        if weights.exact:
            return solved.value, np.full(len(some.channel), weights.scale * some.unit, dtype=object)
        values, _ = exact_values(some.load, channels, solved, some.unit, weights)
    except OverflowError:
        parts = [slice(a, b) for a, b in pairwise(some.offset.tolist())]
        each = (solve_exactly(some.row[x], some.column[x], some.load[x], some.supply, some.demand) for x in parts)
        values = [x.value / some.unit for x in each]
    sides = ([x.numerator for x in values], [x.denominator for x in values])
    return np.array(sides[0], dtype=object), np.array(sides[1], dtype=object)


def _loads_of_job(routing: Routing, demands: TransportSet, job: int) -> Iterator[_Loads]:
    """Pair by pair where the job's loads fit in memory, else a few channels at a time."""
    assert demands.group is not None
    if not routing.has_base:
        found = _by_pair(routing, demands, np.flatnonzero(demands.group == job))
        if found is not None:
            yield found
            return
    if not demands.only(demands.jobs[job]).some_pair():
        return
    shaped, model = problem_of(routing, demands.only(demands.jobs[job]))
    rates = model.rates
    for at in range(0, routing.network.num_channels, _BLOCK):
        block = shaped.channel_loads(range(at, min(at + _BLOCK, routing.network.num_channels)))
        channel = block.channel.astype(np.int64)
        yield _Loads(channel, block.offset, block.row, block.column, block.load, rates.supply, rates.demand, rates.unit)


def _by_pair(routing: Routing, demands: TransportSet, members: Int64) -> _Loads | None:
    """All loads of the job of these terminals; None where there are too many."""
    rows, row_at = np.unique(routing.row_of[members], return_inverse=True)
    columns, column_at = np.unique(routing.column_of[members], return_inverse=True)
    listed = demands.pairs is not None or demands.apart is not None  # of terminals, not of rows
    if listed or len(rows) * len(columns) > _MOST_ENTRIES:
        return None
    unit, out, into = _rates(demands, members)
    supply, demand = np.zeros(len(rows), dtype=np.int64), np.zeros(len(columns), dtype=np.int64)
    np.add.at(supply, row_at, out)
    np.add.at(demand, column_at, into)
    step = max(1, _AT_ONCE // len(columns))
    count = 0
    parts: list[tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], npt.NDArray[np.integer]]] = []
    loads = []
    for at in range(0, len(rows), step):
        some = rows[at : at + step]
        block = routing.pair_loads(np.repeat(some, len(columns)), np.tile(columns, len(some)))
        count += len(block.channel)
        if count > _MOST_ENTRIES:
            return None
        pair = block.segment
        parts.append((block.channel, (at + pair // len(columns)).astype(np.int32), pair % len(columns)))
        loads.append(block.load)
    channel, row, column = (np.concatenate([x[k] for x in parts]) for k in range(3))
    load = concatenate(loads)
    order = np.argsort(channel, kind="stable")
    names, counts = np.unique(channel, return_counts=True)
    return _Loads(
        names.astype(np.int64), offsets_of(counts), row[order].astype(np.int32), column[order].astype(np.int32),
        load[order], supply, demand, unit,
    )  # fmt: skip


def _rates(demands: TransportSet, members: Int64) -> tuple[int, Int64, Int64]:
    """(unit, what each member sends, what it receives), whole numbers over the unit."""
    sides = [[rates[i] for i in members.tolist()] for rates in (demands.sends, demands.receives) if rates is not None]
    unit = math.lcm(*{x.denominator for side in sides for x in side})
    if sum(int(x * unit) for side in sides for x in side) >= 1 << 50:
        raise InputError(f"{demands.text}: the rates have too large a common denominator for 64-bit arithmetic")
    out, into = (np.array([int(x * unit) for x in side], dtype=np.int64) for side in sides)
    return unit, out, into
