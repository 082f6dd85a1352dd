"""The best flow of one demand, exactly, and of every extreme demand of a small set.

The linear program of the maximum concurrent flow, with one commodity for each node that sends (Shahrokhi & Matula
1990); a vertex is solved in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.automorphism import Automorphism
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...core.symmetry import orbit_labels
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.extreme import Key, extreme_demands, images_of
from ...formats.documents.packed_ints import pack_ints
from ...graphs.flow_paths import paths_to_all
from ...kernel.gauges import proved_load
from ...lp.exact import NotExactError, Triplets, solve_exactly
from ...symmetry.automorphisms import generators_of
from .ascent import HardDemand

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
