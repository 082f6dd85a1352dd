"""The worst case over at most K packets, for every K: one curve for each class of channels, and the largest of them.

Each channel's worst load is concave in K, with corners at whole K.  The largest over all channels is what is asked for:
linear between its corners, but not concave where one channel takes over from another.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.loads import LoadBlock
from ...core.rational import Rationals, as_int_array
from ...core.spread import Progress
from ...demand_sets.ports import check_to_itself
from ...demand_sets.sparse import EverySparse
from ...graphs.curve_kernels import CHANNEL, COLUMNS, FIRST, SLOPE, SLOPES, TOUCHES, Curves
from ...graphs.transport import channels_of, choose_scale, solve_one, weights_of
from ...graphs.transport_arrays import Channels, Rates
from ...routing.base.routing import Routing
from ...routing.base.views import dense, is_dense, largest_loads
from ...symmetry.channel_classes import ChannelClasses, channel_classes
from ..scan.assignment import flow_traffic, without_idle
from ..scan.evidence import described_symmetry
from ..scan.exact import WorstCase
from ..scan.models import Corner, Curve, check_judged, problem_of
from ..scan.scan_block import base_totals

_CHUNK_ENTRIES = 400_000
_SAMPLE = 48


@dataclass(frozen=True, eq=False)
class Line:
    """Multipliers of one channel: ``slope`` of the total, ``v`` of the columns ``column``; in load per bandwidth, whole
    numbers over ``scale``.

    With u(i) = max(0, the largest of w(i, j) - v(j) - slope), no K packets make more than
    slope K + sum supply u + sum demand v.
    """

    scale: int
    slope: int
    column: Int32
    v: npt.NDArray[np.integer] | npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class SparseCurve(Curve):
    """The worst load of ``routing`` over ``demands.at(K)`` for K = 0, 1, ..., M, where M is ``demands.most_packets``.

    - ``lines``: for every focus channel multipliers that prove, for each whole K from 1 to M, that it stays at or below
      ``loads[K]``;
    - ``classes``: the focus channels and the symmetry that made them; ``shaped``: the routing whose rows and columns
      the multipliers are about.
    """

    routing: Routing
    demands: EverySparse
    lines: Mapping[int, Sequence[Line]]
    classes: ChannelClasses
    shaped: Routing = field(repr=False)

    def witness(self, corner: Corner) -> list[tuple[int, int, Fraction]]:
        """Packets (source, destination, rate), at most ``corner.packets`` in all, that load the channel so much."""
        shaped, model = problem_of(self.routing, self.demands.at(corner.packets))
        block = shaped.channel_loads([corner.channel])
        row, column, flow = block.row, block.column, solve_one(block, model.rates).flow
        if model.rates.idle:
            row, column, flow = without_idle(shaped, block, flow, model.rates)
        return flow_traffic(shaped, row, column, flow, model.sends, model.receives, model.rates.unit)


def sparse_curve(
    routing: Routing,
    demands: EverySparse,
    *,
    symmetry: str = "auto",
    workers: int | None = None,
    progress: Progress | None = None,
) -> SparseCurve:
    """The whole curve, exactly, with its proof.

    ``symmetry``, ``workers`` and ``progress`` as in ``worst_case``.  Raises InputError for sets of another size, for
    sampled loads, and where no channel is ever loaded.
    """
    network = routing.network
    check_judged(routing, demands)
    check_to_itself(routing.network, demands.at(1))
    given = dense(routing)
    shaped, model = problem_of(given, demands.inner)
    alike = model.sends == model.receives
    classes = channel_classes(shaped, mode=symmetry, rates_uniform=model.uniform, reversal=alike)
    search = _Search(shaped, given, demands, model.rates)
    search.run(classes.focus, workers or os.cpu_count() or 1, progress)
    loads = search.best
    if not loads[-1]:
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name} over {demands.text}")
    return SparseCurve(loads, _corners(loads, search.reaching()), given, demands, search.lines, classes, shaped)


class _Search:
    """``best``: the largest load per bandwidth so far, by number of packets; ``lines`` by channel; and the curves of
    channels that reach ``best`` somewhere, or did when they were found: ``slopes`` and their amounts in units of
    1 / scale, or the corners of those that were ``settled`` one by one."""

    def __init__(self, shaped: Routing, routing: Routing, demands: EverySparse, rates: Rates) -> None:
        self.shaped, self.routing, self.demands, self.rates = shaped, routing, demands, rates
        self.total = demands.most_packets
        self.best = [Fraction(0)] * (self.total + 1)
        self.lines: dict[int, list[Line]] = {}
        self.slopes: dict[int, tuple[Int64, Int64]] = {}
        self.settled: dict[int, list[Corner]] = {}
        bandwidth = shaped.network.bandwidth
        known, widths = shaped.denominators, {x.numerator for x in bandwidth}
        per_width = None if known is None else [d * x for d in known for x in widths]
        self.weights = choose_scale(per_width, int(rates.supply.sum() + rates.demand.sum()))
        self.limit = np.zeros(self.total + 1, dtype=np.int64)  # ``best`` in units of 1 / scale, rounded down
        self.lock = threading.Lock()

    def run(self, channels: Int32, workers: int, progress: Progress | None) -> None:
        if self.weights.exact:
            self._scan(channels, workers, progress, exact=True)
            self.best = [Fraction(int(x), self.weights.scale) for x in self.limit]
        else:
            # First the channels that seem to be the worst, so that few others stay open.
            self._scan(channels, workers, None, exact=True)
            likely = _corners([Fraction(int(x)) for x in self.limit], self._near())
            self.lines, self.slopes = {}, {}
            for c in sorted({x.channel for x in likely}):
                self._settle(c)
            self.limit = np.array([math.floor(x * self.weights.scale) for x in self.best], dtype=np.int64)
            self._scan(channels, workers, progress, exact=False)
        for c in channels.tolist():
            if c not in self.lines:
                self._settle(int(c))

    def _scan(self, channels: Int32, workers: int, progress: Progress | None, *, exact: bool) -> None:
        """First a sample, whose curves make the proofs of the others short."""
        count = len(channels)
        chosen = np.sort(np.random.default_rng(0).choice(count, size=min(_SAMPLE, count), replace=False))
        done = self._chunk(channels[chosen], exact=exact)
        rest = np.delete(channels, chosen)
        per_channel = max(1.0, done / len(chosen))
        step = int(min(max(1.0, _CHUNK_ENTRIES / per_channel), 4096, max(16, count // 8)))
        chunks = [rest[at : at + step] for at in range(0, len(rest), step)]
        with ThreadPoolExecutor(workers) as pool:
            for k, _ in enumerate(pool.map(lambda some: self._chunk(some, exact=exact), chunks), 1):
                if progress is not None:
                    progress(min(count, len(chosen) + k * step), count)

    def _chunk(self, channels: Int32, *, exact: bool) -> int:
        """The channels' curves and lines, but of those that fixed point leaves open; returns how many loads.

        ``exact``: ``limit`` rises to what the channels reach; else it is what they are compared with.
        """
        block = self.shaped.channel_loads(channels)
        try:
            weight = weights_of(_per_width(block, self.shaped), self.weights)
        except OverflowError:
            return len(block.row)
        if int(weight.max(initial=0)) * int(self.rates.supply.sum() + self.rates.demand.sum()) > 2**62:
            return len(block.row)
        given = channels_of(block, weight, self.rates)
        with self.lock:
            limit = self.limit.copy()
        found = _solved(given, limit, exact)
        slope, amount, active, counts, line, potential, state = found
        ends = line[:, : int(state[0])]
        scale = self.weights.scale
        parts = np.searchsorted(ends[CHANNEL], np.arange(len(channels) + 1))
        with self.lock:
            if exact:
                np.maximum(self.limit, limit, out=self.limit)
            for k, c in enumerate(channels.tolist()):
                if not exact and (counts[TOUCHES, k] == 2 or c in self.lines):
                    continue
                first, width = int(given.offset[k]), int(counts[COLUMNS, k])
                column = active[first : first + width].astype(np.int32)
                self.lines[c] = [
                    Line(scale, int(ends[SLOPE, x]), column, potential[at : at + width].copy())
                    for x in range(int(parts[k]), int(parts[k + 1]))
                    for at in (int(ends[FIRST, x]),)
                ]
                if exact and counts[TOUCHES, k]:
                    here = slice(first, first + int(counts[SLOPES, k]))
                    self.slopes[c] = slope[here].copy(), amount[here].copy()
        return len(block.row)

    def _settle(self, c: int) -> None:
        """The channel's curve exactly, by whole numbers of packets, as far as it may pass ``best``."""
        known = {k: self._exactly(c, k) for k in sorted({1, self.total})}
        open_ends = [(1, self.total)]
        while open_ends:
            a, b = open_ends.pop()
            (low, rising), (high, falling) = known[a], known[b]
            worst, at = Fraction(0), -1
            for k in range(a + 1, b):
                most = min(
                    low + Fraction(rising.slope, rising.scale) * (k - a),
                    high - Fraction(falling.slope, falling.scale) * (b - k),
                )
                over = most - max(self.best[k], low + (high - low) * Fraction(k - a, b - a))
                if over > worst:
                    worst, at = over, k
            if at >= 0:
                known[at] = self._exactly(c, at)
                open_ends += [(a, at), (at, b)]
        self.lines[c] = [line for _, (_, line) in sorted(known.items())]
        points = [Corner(0, Fraction(0), c), *(Corner(k, value, c) for k, (value, _) in sorted(known.items()))]
        self.settled[c] = _bends(points)
        self.best = [max(x, y) for x, y in zip(self.best, _values(points), strict=True)]

    def _near(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Where the channels of ``slopes`` reach ``limit``: bool (M + 1,)."""
        found = {}
        for c, (slope, amount) in self.slopes.items():
            own = np.zeros(self.total + 1, dtype=np.int64)
            sent = int(amount.sum())
            own[1 : sent + 1] = np.cumsum(np.repeat(slope, amount))
            own[sent + 1 :] = own[sent]
            found[c] = own == self.limit
        return found

    def reaching(self) -> dict[int, npt.NDArray[np.bool_]]:
        """Where channels reach ``best``: bool (M + 1,)."""
        scale = self.weights.scale
        equal = np.array([x * scale == int(y) for x, y in zip(self.best, self.limit, strict=True)])
        found = {c: x & equal for c, x in self._near().items()}
        for c, curve in self.settled.items():
            found[c] = np.array([x == y for x, y in zip(_values(curve), self.best, strict=True)])
        return {c: x for c, x in found.items() if x[1:].any()}

    def _exactly(self, c: int, packets: int) -> tuple[Fraction, Line]:
        """The channel's worst load with so many packets, and the line that proves it."""
        shaped, model = problem_of(self.routing, self.demands.at(packets))
        block, rates = shaped.channel_loads([c]), model.rates
        solution = solve_one(block, rates)
        value = (solution.value + base_totals(block, rates)[0]) / self.shaped.network.bandwidth[c]
        width = self.shaped.network.bandwidth[c]
        v = dict(zip(solution.column.tolist(), solution.v, strict=True))
        slope = Fraction(0)
        if rates.idle:
            u = dict(zip(solution.row.tolist(), solution.u, strict=True))
            slope = largest_loads(block).fraction(0) - u.get(len(rates.supply) - 1, Fraction(0))
        columns = [j for j, x in v.items() if x > slope]
        exact = [slope / width, *((v[j] - slope) / width for j in columns)]
        scale = math.lcm(*(x.denominator for x in exact))
        whole = [x.numerator * (scale // x.denominator) for x in exact]
        return value, Line(scale, whole[0], np.array(columns, dtype=np.int32), as_int_array(whole[1:]))


def _solved(given: Channels, limit: Int64, exact: bool) -> Curves:
    """Run the kernel, with ever more room for lines."""
    from ...graphs.curve_kernels import curves, workspace

    size, count = len(given.row), len(given.offset) - 1
    most = int(np.diff(given.offset).max(initial=0))
    work = workspace(len(given.supply), len(given.demand), most, len(limit) - 1)

    def table(*shape: int) -> Int64:
        return np.zeros(shape, dtype=np.int64)

    found = Curves(table(size), table(size), table(size), table(3, count), table(3, 8 * count), table(size), table(2))
    run = curves.for_steps(20 * size + count * 3 * len(limit) + int((np.diff(given.offset) ** 1.5).sum()))
    done = 0
    while True:
        done = int(run(done, given, limit, exact, found, work))
        if done == count:
            return found
        lines, potential = np.concatenate([found.line] * 2, axis=1), np.concatenate([found.potential] * 2)
        found = found._replace(line=lines, potential=np.append(potential, table(most)))


def _per_width(block: LoadBlock, routing: Routing) -> Rationals:
    """The block's loads per bandwidth."""
    bandwidth = routing.network.bandwidth
    widths = [bandwidth[c] for c in block.channel.tolist()]
    if all(x == 1 for x in widths):
        return block.load
    num, den = block.load.num, block.load.den
    most = max(max(x.numerator, x.denominator) for x in widths)
    if num.dtype == object or max(int(num.max(initial=0)), int(den.max(initial=1))) * most >= 1 << 62:
        num, den = num.astype(object), den.astype(object)
    up = as_int_array([x.denominator for x in widths])[block.segment]
    down = as_int_array([x.numerator for x in widths])[block.segment]
    common = np.gcd(num * up, den * down)
    return Rationals(num * up // common, den * down // common)


def _bends(points: Sequence[Corner]) -> list[Corner]:
    """Without those that lie on the straight line between their neighbours."""
    found = [points[0]]
    for b, c in pairwise(points[1:]):
        a = found[-1]
        if (b.load - a.load) * (c.packets - b.packets) != (c.load - b.load) * (b.packets - a.packets):
            found.append(b)
    return [*found, points[-1]]


def _corners(loads: Sequence[Fraction], reaching: Mapping[int, npt.NDArray[np.bool_]]) -> list[Corner]:
    """Where the largest load bends, or its channel changes: each channel is kept for as long as it reaches it."""
    found: list[Corner] = []
    at = 1
    while at < len(loads):
        last, channel = max((at + int(np.argmin(np.append(x[at:], False))), -c) for c, x in reaching.items())
        points = [Corner(k, loads[k], -channel) for k in range(at, last)]
        found += _bends(points) if len(points) > 1 else points
        at = last
    return found


def _values(curve: Sequence[Corner]) -> list[Fraction]:
    found = [curve[0].load]
    for a, b in pairwise(curve):
        step = (b.load - a.load) / (b.packets - a.packets)
        found += [a.load + step * k for k in range(1, b.packets - a.packets + 1)]
    return found


def worst_by_packets(routing: Routing, demands: EverySparse, **options: Any) -> WorstCase:
    """The worst case over any number of packets, with the whole curve; ``options`` are those of ``sparse_curve``."""
    found = sparse_curve(routing, demands, **options)
    last = max(found.corners, key=lambda x: x.load)
    sent = {(i, j): x for i, j, x in found.witness(last)}
    return WorstCase.proved_by(
        curve_claims(found), routing, demands, last.load, last.channel, sent, classes=found.classes, curve=found
    )


def curve_claims(found: SparseCurve) -> list[Claim]:
    """``worst_case_load`` with ``{"demands": ..., "packets": K}`` for every corner of the curve.

    Evidence of the kind ``sparse-curve``: ``channel`` and ``traffic``, packets that reach the corner; and, in the claim
    of the last corner, for every focus channel the ``bounds`` that prove the whole curve, [scale, slope, columns,
    potentials] each (``kernel.multipliers``), with the ``symmetry`` that made the classes.
    """
    from ...claims.routings.sparse_curve import SPARSE_CURVE

    claims = []
    for corner in found.corners:
        data: dict[str, Any] = {"channel": corner.channel, "traffic": found.witness(corner)}
        if corner is found.corners[-1]:
            data["symmetry"] = described_symmetry(found.classes)
            data["lines"] = [
                {"channel": c, "bounds": [_described(x) for x in lines]} for c, lines in sorted(found.lines.items())
            ]
            if is_dense(found.routing):
                data["loads"] = "by-pair"
        about = {"demands": found.demands.text, "packets": corner.packets}
        claims.append(SPARSE_CURVE.claim(corner.load, data, about))
    return claims


def _described(line: Line) -> Sequence[Any]:
    long = line.v.dtype == object
    v: Any = [str(x) for x in line.v.tolist()] if long else line.v
    return [str(line.scale), str(line.slope), line.column, v]
