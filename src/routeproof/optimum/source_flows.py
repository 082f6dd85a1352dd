"""Programs over the flows of sources, for uniform traffic: what one node sends is the same for all destinations, so it
is one flow, with a variable for every class of (source, channel); and a routing made of such flows.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 4, with single-source flows in place of a flow for every pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import Automorphism, orbit_labels
from ..graphs.flow_paths import paths_to_all
from ..lp.exact import ExactPoint, Program, Triplets
from ..routing.classes.path_classes import ClassLoads, SymmetricRouting
from ..symmetry.automorphisms import ClassSymmetry, generators_of
from ..symmetry.groups import identity, stabiliser, tree
from .program.flow_program import with_hops
from .program.flows import NAME

MOST_VARIABLES = 60_000


@dataclass(frozen=True, eq=False)
class SourceFlows:
    """Minimise column 0, the largest load per bandwidth when every terminal sends 1 / T to every terminal; flows are
    those of one unit to every terminal.

    - ``fixing``: generators of what leaves a source of every class as it is; ``column``: of its flow, by channel;
    - ``flow``: the columns of every source's flow, int64 (C,), by node; ``hops``: int64 (n,), the cost that makes the
      objective T^2 times the average path length;
    - ``focus``: int32 (C,), the class of every channel; ``load_row``: {focus channel: its row}, times ``unit``.
    """

    network: Network
    generators: list[Automorphism]
    names: list[str] | None
    fixing: Mapping[int, list[Automorphism]]
    column: Mapping[int, Int64]
    flow: Mapping[int, Int64]
    program: Program
    hops: Int64
    focus: Int32
    load_row: Mapping[int, int]
    unit: int
    allowed: None = None  # all paths are

    @property
    def num_pairs(self) -> int:
        return sum(len(self._ends(r)) for r in self.column)

    def length_of(self, dual: ExactPoint) -> dict[int, Fraction]:
        """The length of every focus channel that the multipliers make."""
        members = np.bincount(self.focus, minlength=self.network.num_channels)
        return {c: dual.fraction(row) * self.unit / int(members[c]) for c, row in self.load_row.items()}

    def within(self, most_length: Fraction | None) -> tuple[Program, Fraction]:
        """As ``FlowProgram.within``."""
        if most_length is None:
            return self.program, Fraction(0)
        return with_hops(self.program, self.hops, most_length * self.network.num_terminals**2)

    def goes_round(self, point: ExactPoint) -> bool:
        """Does a flow have cycles, which ``routing`` does not take out?"""
        return any(_order(self.network, point.num[x]) is None for x in self.column.values())

    def routing(self, point: ExactPoint, _: str = "") -> SymmetricRouting:
        """That of an exact solution without cycles.  Where symmetry leaves all channels of a source apart, its flow is
        divided into paths; else packets reach a node over its channels as all that comes there does."""
        classes = [x for r in self.column for x in self._of_source(r, point)]
        return SymmetricRouting(self.network, NAME, classes, ClassSymmetry(self.generators, False, self.names))

    def _ends(self, r: int) -> list[int]:
        """A destination of every class."""
        label = orbit_labels(self.network.num_nodes, [g.node for g in self.fixing[r]])
        return [v for v in np.unique(label).tolist() if v != r and self.network.demand[v]]

    def _of_source(self, r: int, point: ExactPoint) -> Iterator[ClassLoads]:
        network, amount = self.network, point.num[self.column[r]]
        ends = self._ends(r)
        if self.fixing[r]:
            for v in ends:
                shares = _backwards(network, amount, v)
                den = lcm(*(x.denominator for x in shares.values()))
                yield _class(r, v, {c: int(x * den) for c, x in shares.items()}, den)
            return
        flow = {c: int(x) for c, x in enumerate(amount.tolist()) if x}
        wanted = {v: int(network.supply[r]) * int(network.demand[v]) * point.den for v in ends}
        for v, paths in paths_to_all(network, flow, r, wanted):
            loads = dict[int, int]()
            for width, path in paths:
                for c in path:
                    loads[c] = loads.get(c, 0) + width
            yield _class(r, v, loads, wanted[v])


def _class(source: int, end: int, loads: Mapping[int, int], den: int) -> ClassLoads:
    common = gcd(den, *loads.values())
    channels = sorted(loads)
    where = np.array(channels, dtype=np.int32)
    return ClassLoads(source, end, where, [loads[c] // common for c in channels], den // common)


def source_flows(network: Network, *, symmetry: str, unit: int, most: int = MOST_VARIABLES) -> SourceFlows:
    """``symmetry`` as in ``symmetry.pair_classes.reduce``; ``unit`` makes all bandwidths whole.
    Raises InputError beyond so many variables."""
    generators, names = generators_of(network, symmetry=symmetry)
    nodes, count = tree(generators, identity(network)), network.num_channels
    focus = orbit_labels(count, [g.channel for g in generators])
    column: dict[int, Int64] = {}
    fixing: dict[int, list[Automorphism]] = {}
    number = 1
    for r in nodes.representatives:
        if network.supply[r]:
            fixing[r] = stabiliser(nodes, generators, r)
            found, index = np.unique(orbit_labels(count, [g.channel for g in fixing[r]]), return_inverse=True)
            column[r] = index.astype(np.int64) + number
            number += len(found)
    if number > most:
        raise InputError(f"the best flows of {network.name} take {number:,} variables; {most:,} at most were expected")
    senders = np.nonzero(network.supply)[0].tolist()
    flow = {i: column[int(nodes.rep[i])][nodes.to[i].channel] for i in senders}
    entries, bound = Triplets(), list[int]()
    for r, columns in column.items():
        for v in range(network.num_nodes):
            if v != r:
                row = len(bound)
                entries.add(row, columns[network.head == v], 1)
                entries.add(row, columns[network.tail == v], -1)
                bound.append(int(network.supply[r] * network.demand[v]))
    equal, load_row = len(bound), dict[int, int]()
    for c in np.unique(focus).tolist():
        row = load_row[c] = len(bound)
        bound.append(0)
        entries.add(row, 0, int(network.bandwidth[c] * unit) * network.num_terminals)
        entries.add(row, [columns[c] for columns in flow.values()], -unit)
    hops = np.zeros(number, dtype=np.int64)
    for columns in flow.values():
        np.add.at(hops, columns, 1)
    program = entries.program(number, equal, bound)
    return SourceFlows(network, generators, names, fixing, column, flow, program, hops, focus, load_row, unit)


def _order(network: Network, amount: npt.NDArray[Any]) -> list[int] | None:
    """The nodes, so that all channels that carry something lead onwards; None where some go round."""
    used = np.flatnonzero(amount != 0)
    onwards: dict[int, list[int]] = {}
    missing = np.bincount(network.head[used], minlength=network.num_nodes).tolist()
    for c in used.tolist():
        onwards.setdefault(int(network.tail[c]), []).append(int(network.head[c]))
    ready = [v for v, x in enumerate(missing) if not x]
    for v in ready:
        for u in onwards.get(v, ()):
            missing[u] -= 1
            if not missing[u]:
                ready.append(u)
    return ready if len(ready) == network.num_nodes else None


def _backwards(network: Network, amount: npt.NDArray[Any], end: int) -> dict[int, Fraction]:
    """Unit flow to ``end``: at every node it came over the channels as all that comes there does."""
    order = _order(network, amount)
    assert order is not None
    entering: dict[int, list[int]] = {}
    for c in np.flatnonzero(amount != 0).tolist():
        entering.setdefault(int(network.head[c]), []).append(c)
    through, loads = {end: Fraction(1)}, dict[int, Fraction]()
    for v in reversed(order):
        if v not in through or v not in entering:
            continue
        whole = sum(int(amount[c]) for c in entering[v])
        for c in entering[v]:
            loads[c] = through[v] * Fraction(int(amount[c]), whole)
            u = int(network.tail[c])
            through[u] = through.get(u, Fraction(0)) + loads[c]
    return loads
