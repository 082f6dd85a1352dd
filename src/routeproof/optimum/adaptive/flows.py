"""The best flow of one demand, exactly, and of every extreme demand of a small set; and the best lengths of channels
for it, the dual of its maximum concurrent flow.

The linear program of the maximum concurrent flow, with one commodity for each node that sends (Shahrokhi & Matula
1990); a vertex is solved in exact arithmetic.

For lengths l with sum of b(c) l(c) = 1, no flow of the demand D has a congestion below sum of D(i, j) dist_l(i, j), and
the best lengths reach it.  That function of l is concave: it is climbed by multiplicative steps along the loads of
shortest paths (Plotkin, Shmoys & Tardos 1995; Garg & Koenemann 2007), or found by a linear program over paths that are
added while a shorter one is there (column generation; Ford & Fulkerson 1958).  Whole lengths near
them prove it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.automorphism import Automorphism
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...core.symmetry import orbit_labels
from ...demand_sets.demand_set import Demand, DemandSet, Pair
from ...demand_sets.extreme import Key, extreme_demands, images_of
from ...formats.documents.packed_ints import pack_ints
from ...graphs.flow_paths import paths_to_all
from ...kernel.gauges import proved_load
from ...lp.exact import NotExactError, Triplets, solve_exactly
from ...lp.solver import Generation, Solver
from ...machine.deadlines import Deadline
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import generators_of
from .path_search import PathSearch

_STEP = 0.3
_ROUNDS = 200
_CLOSE = 1e-9
_FINE = 1 << 24
_SCALES = 120
_WORK = 4_000_000  # (pair of nodes, scale) that are tried


@dataclass(frozen=True, eq=False)
class Folded:
    """A demand between nodes by classes under a symmetry that keeps it: one pair of each class stands for all, and
    channels of one class share a length, since what a demand proves is concave in the lengths.

    - ``source``, ``end``: int64 (P,), one pair of nodes of each class; ``amount``: what the whole class sends;
    - ``label``: int64 (C,), the class of every channel, from 0; ``wide``: float64 (K,), the bandwidth of each class.
    """

    source: Int64
    end: Int64
    amount: Float64
    label: Int64
    wide: Float64

    @staticmethod
    def of(bandwidth: Float64, between: Float64, symmetries: Sequence[Automorphism] = ()) -> Folded:
        """``bandwidth``: of the channels, (C,); ``between``: the demand, (N, N); of ``symmetries`` those are used that
        keep the demand."""
        source, end = np.nonzero(between)
        amount: Float64 = between[source, end]
        label = np.arange(len(bandwidth))
        kept = [g for g in symmetries if np.array_equal(between[np.ix_(g.node, g.node)], between)]
        if kept:
            label = np.unique(orbit_labels(len(label), [g.channel for g in kept]), return_inverse=True)[1]
            size = len(between)
            key = source * size + end
            images = [np.searchsorted(key, g.node[source].astype(np.int64) * size + g.node[end]) for g in kept]
            pair = orbit_labels(len(key), images)
            first = np.unique(pair)
            amount = np.bincount(pair, weights=amount, minlength=len(key))[first].astype(np.float64)
            source, end = source[first], end[first]
        wide = np.bincount(label, weights=bandwidth).astype(np.float64)
        return Folded(source, end, amount, label.astype(np.int64), wide)

    def start(self, length: Float64) -> Float64:
        """Lengths of the classes near those of the channels: their means, spending 1 in all."""
        each = np.bincount(self.label, weights=length) / np.bincount(self.label)
        spent: Float64 = each / (self.wide @ each)
        return spent

    def paid(self, far: Float64) -> float:
        """``far``: distances from every node that is a source here, by node."""
        return float((self.amount * far[self.source, self.end]).sum())


@dataclass(frozen=True, eq=False)
class Climbed:
    """``value``: what the lengths prove, in floats; ``length``: float64 (C,), with sum of b l = 1."""

    value: float
    length: Float64


def climb(
    around: PathSearch, folded: Folded, start: Float64, *, steps: int, stop: Callable[[], bool] | None = None
) -> Climbed:
    """``steps`` multiplicative steps from ``start`` (C,); the best lengths of all steps."""
    sources = np.unique(folded.source)
    each = folded.start(start)
    best = Climbed(-1.0, each[folded.label])
    for t in range(steps):
        if stop is not None and stop():
            break
        length = each[folded.label]
        found = around.searched(length, sources)
        paid = folded.paid(found.far)
        if paid > best.value:
            best = Climbed(paid, length)
        load = around.loads(found, folded.source, folded.end, folded.amount)
        slope = np.bincount(folded.label, weights=load) / folded.wide
        top = float(slope.max(initial=0.0))
        if top <= 0:
            break
        each = each * np.exp(_STEP / np.sqrt(t + 1) * slope / top)
        each = each / (folded.wide @ each)
    return best


def best_lengths(around: PathSearch, folded: Folded, start: Float64, deadline: Deadline) -> Climbed:
    """The optimum by column generation, or what is reached in time; never worse than ``start``."""
    work = _ConcurrentFlow(around, folded, start, deadline)
    if len(folded.source) and work.climbed.value > 0 and work.separate(0.0):
        work.generate(most=_ROUNDS)
    return work.climbed


class _ConcurrentFlow(Generation):
    """A row for every pair, which sends its amount, and one for every class of channels; a column for every path.

    ``own``: the lengths of the last solution, by class; ``price``: what a pair pays by it."""

    def __init__(self, around: PathSearch, folded: Folded, start: Float64, deadline: Deadline) -> None:
        self.around, self.folded, self.deadline = around, folded, deadline
        self.sources, self.count = np.unique(folded.source), len(folded.source)
        self.climbed, self.price = Climbed(-1.0, start), np.zeros(self.count)
        self._look(folded.start(start))
        self._solver = Solver()
        if self.count:
            least = np.concatenate([folded.amount / float(folded.amount.max()), np.zeros(len(folded.wide))])
            self._solver.add_rows(least, np.full(len(least), np.inf))
            self._solver.add_column(1.0, np.arange(self.count, len(least)), folded.wide)

    def _look(self, each: Float64) -> None:
        """Shortest paths under lengths of the classes, which become the best where they prove most."""
        spent = float(self.folded.wide @ each) if self.climbed.value >= 0 else 1.0
        self.found = self.around.searched(each[self.folded.label], self.sources)
        value = self.folded.paid(self.found.far) / spent
        if value > self.climbed.value:
            self.climbed = Climbed(value, each[self.folded.label] / spent)

    def solve(self) -> bool:
        if self.deadline.over:
            return False
        self._solver.run(self.deadline.left(0.05))
        _, dual = self._solver.solution()
        if len(dual) != self.count + len(self.folded.wide) or not np.isfinite(dual).all():
            return False
        self.price, each = np.maximum(dual[: self.count], 0.0), np.maximum(dual[self.count :], 0.0)
        if not each.any():
            return False
        self._look(each)
        return True

    def separate(self, share: float) -> int:  # noqa: ARG002  # the solver's own lengths are good ones
        added = 0
        for k, (i, j) in enumerate(zip(self.folded.source.tolist(), self.folded.end.tolist(), strict=True)):
            if self.found.far[i, j] < self.price[k] - _CLOSE or not self.price[k]:
                used, times = np.unique(self.folded.label[self.around.path(self.found, i, i, j)], return_counts=True)
                rows = np.concatenate([[k], self.count + used])
                self._solver.add_column(0.0, rows, np.concatenate([[1.0], -times]))
                added += 1
        return added


@dataclass(frozen=True, eq=False)
class HardDemand:
    """One admitted demand, and whole lengths of channels (int64, (C,)) under which no flow of it is below ``load``.

    ``flow``: [source, destination, amount, channels] each, of a demand that is admitted because it is carried so.
    """

    demand: Demand
    length: Int64
    load: Fraction
    flow: Sequence[tuple[int, int, Fraction, list[int]]] = ()


def certified(network: Network, demand: Demand, length: Float64, paths: PathSet | None = None) -> HardDemand:
    """The best whole lengths near these: small numbers, among which exact optima are, and fine ones.

    ``paths``: those that flows may use, where not all are meant.
    """
    top = float(length.max(initial=0.0)) or 1.0
    part = length / top
    least = float(part[part > 1e-6].min(initial=1.0))
    work = network.num_nodes**2 if paths is None else 200 * len(demand) + 1
    count = int(min(_SCALES, max(8, _WORK // work)))
    small = [k / least for k in range(1, 9) if k / least < 1e6]
    best: HardDemand | None = None
    seen: set[bytes] = set()
    for scale in [float(_FINE), *range(1, count + 1), *small]:
        whole = np.rint(part * scale).astype(np.int64)
        key = whole.tobytes()
        if not whole.any() or key in seen:
            continue
        seen.add(key)
        load = proved_load(network, demand, whole, None if paths is None else paths.distance)
        if best is None or load > best.load or (load == best.load and whole.max() < best.length.max()):
            best = HardDemand(demand, whole, load)
    assert best is not None
    return best


Path = tuple[int, int, Fraction, list[int]]
"""(source node, destination node, amount, channels)."""
_LONGEST = 1 << 62
MOST_PROGRAMS = 2_000
MOST_COLUMNS = 4_000


@dataclass(frozen=True, eq=False)
class BestFlow:
    """The flow of a demand with the least congestion ``load``, as paths, and lengths of channels that prove it."""

    load: Fraction
    paths: list[Path]
    length: Int64


@dataclass(frozen=True, eq=False)
class Flows:
    """A flow for one extreme demand of every class under the symmetry; none congests more than ``load``.

    ``worst``: the demand between terminals that needs just so much, with the ``length`` of channels that prove it.
    """

    load: Fraction
    flows: list[list[Path]]
    generators: list[Automorphism]
    names: list[str] | None
    worst: dict[Pair, Fraction]
    length: Int64
    network: Network

    def data(self) -> dict[str, Any]:
        first = {int(v): i for i, v in reversed(list(enumerate(self.network.source.tolist())))}
        last = {int(v): i for i, v in reversed(list(enumerate(self.network.sink.tolist())))}
        flows = [[[first[u], last[v], str(x), path] for u, v, x, path in one] for one in self.flows]
        if not self.generators:
            return {"flows": flows}
        if self.names is not None:
            return {"flows": flows, "symmetry": {"declared": [g.name for g in self.generators]}}
        return {"flows": flows, "symmetry": {"found": [pack_ints(g.node) for g in self.generators]}}


def flows_of_extremes(
    network: Network, demands: DemandSet, stop: Callable[[], bool], progress: Progress | None = None
) -> Flows | None:
    """The best flow of every extreme demand; None where there are too many, and where ``stop`` says so.

    Raises InputError where a pair has no path.
    """
    try:
        extreme = extreme_demands(network, demands)
    except InputError:
        return None
    generators, names = generators_of(network, symmetry="auto")
    keys = list(extreme)
    kept, images = [], []
    for g in generators:
        with suppress(InputError):
            images.append(images_of(g, extreme))
            kept.append(g)
    label = orbit_labels(len(extreme), images) if images else np.arange(len(extreme))
    chosen = np.unique(label).tolist()
    if len(chosen) > MOST_PROGRAMS or network.num_nodes * network.num_channels > MOST_COLUMNS:
        return None
    best: BestFlow | None = None
    worst: dict[Pair, Fraction] = {}
    flows = []
    for done, k in enumerate(chosen):
        if stop():
            return None
        try:
            found = best_flow(network, keys[k])
        except NotExactError:
            return None
        flows.append(found.paths)
        if best is None or found.load > best.load:
            best, worst = found, dict(extreme[keys[k]])
        if progress is not None:
            progress(done + 1, len(chosen))
    assert best is not None
    return Flows(best.load, flows, kept, names, worst, best.length, network)


def best_flow(network: Network, demand: Key) -> BestFlow:
    """The flow of least congestion for a demand between nodes, exactly.

    Raises InputError as the solver does, NotExactError where its vertex cannot be solved exactly.
    """
    if not demand:
        return BestFlow(Fraction(0), [], np.ones(network.num_channels, dtype=np.int64))
    sources = sorted({u for u, _, _ in demand})
    count, nodes = network.num_channels, network.num_nodes
    unit = lcm(*{x.denominator for _, _, x in demand}, 1)
    matrix, bound = Triplets(), list[int]()
    channel = np.arange(count)
    sent = {(u, v): int(x * unit) for u, v, x in demand}
    for k, s in enumerate(sources):
        first = k * (nodes - 1)
        row = first + np.arange(nodes) - (np.arange(nodes) > s)
        column = 1 + k * count + channel
        for ends, sign in ((network.head, 1), (network.tail, -1)):
            some = ends != s
            matrix.add(row[ends[some]], column[some], sign)
        bound += [sent.get((s, v), 0) for v in range(nodes) if v != s]
    equal = len(bound)
    wide = lcm(*{b.denominator for b in network.bandwidth})
    matrix.add(equal + channel, 0, [int(b * wide) for b in network.bandwidth])
    for k in range(len(sources)):
        matrix.add(equal + channel, 1 + k * count + channel, -wide)
    program = matrix.program(1 + len(sources) * count, equal, [*bound, *[0] * count])
    primal, dual = solve_exactly(program)
    paths: list[Path] = []
    for k, s in enumerate(sources):
        flow = {c: int(primal.num[1 + k * count + c]) for c in range(count) if primal.num[1 + k * count + c] > 0}
        wanted = {v: sent[s, v] * primal.den for v in range(nodes) if (s, v) in sent}
        for v, found in paths_to_all(network, flow, s, wanted):
            paths += [(s, v, Fraction(x, primal.den * unit), path) for x, path in found]
    length = [max(0, int(dual.num[equal + c])) for c in range(count)]
    common = gcd(*length) or 1
    whole = [x // common for x in length]
    if max(whole) * nodes >= _LONGEST:
        raise InputError("the lengths that prove a best flow are too long")
    return BestFlow(primal.fraction(0) / unit, paths, np.array(whole, dtype=np.int64))


def saturating_demand(network: Network) -> HardDemand:
    """As much as one terminal can send to another, with the flow that carries it and the cut that it fills:
    over everything that some flow carries, ideal adaptive routing needs 1.

    Raises InputError where all terminals share one node.
    """
    apart = np.argwhere(network.source[:, None] != network.sink[None, :])
    if not len(apart):
        raise InputError(f"nothing is ever sent between two nodes of {network.name}")
    i, j = apart[0].tolist()
    found = best_flow(network, ((int(network.source[i]), int(network.sink[j]), Fraction(1)),))
    most = 1 / found.load
    demand = {(i, j): most}
    flow = [(i, j, x * most, path) for _, _, x, path in found.paths]
    return HardDemand(demand, found.length, proved_load(network, demand, found.length), flow)
