"""Half flows at an exact vertex of their linear program (``program``), of which symmetry leaves few variables: flows of
one node of every class, the same on all channels that the automorphisms which keep it take to each other.

The multipliers of conservation are the potentials that prove the optimum.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import orbit_labels
from ...lp.exact import ExactPoint, NotExactError, Triplets, solve_exactly
from ...machine.deadlines import Deadline
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...routing.tables.half_flows import HalfFlowRouting
from ...symmetry.automorphisms import generators_of
from ...symmetry.groups import identity, stabiliser, tree
from ...symmetry.pair_classes import reduce
from ..design import Method
from ..program.flow_program import needed_unit
from ..program.flows import NAME, routing_of_flows, whole_classes
from .design import PotentialBound

_MOST_VARIABLES = 12_000  # some ten seconds of the simplex method
_SECONDS, _LEAST = 20.0, 1.0  # that it has where no time is given, and at least
_LARGEST = 1 << 50  # of a flow's numbers, and of potentials


class ExactHalfFlows(Method):
    """On networks that ``suits``.  Column 0 of the program is the load; then the shares q of classes of nodes come, and
    those of which they are the shares less; then flows.

    - ``column``: {a node of every class: its flow's columns, int64 (C,)}; ``row``: the rows of its conservation,
      int64 (N,); ``alike``: how many terminals have such a flow.

    ``solve`` raises NotExactError or SolverError where there is no vertex of short numbers.  Raises InputError where
    the program is too large.
    """

    def __init__(self, network: Network, deadline: Deadline, *, symmetry: str = "auto") -> None:
        super().__init__(network, None)
        self.network, self.deadline, self.symmetry = network, deadline, symmetry
        generators = generators_of(network, symmetry=symmetry)[0]
        self._nodes = nodes = tree(generators, identity(network))
        senders = [r for r in nodes.representatives if network.supply[r]]
        kind, self.column, self.row = _numbered(nodes.rep), dict[int, Int64](), dict[int, Int64]()
        members = np.bincount(kind)
        below = 1 + len(members)
        number, rows = below + len(members), 1
        self._check_size(0 if generators else len(senders) * network.num_channels)
        for r in senders:
            fixing = stabiliser(nodes, generators, r)
            self.column[r] = number + _numbered(orbit_labels(network.num_channels, [g.channel for g in fixing]))
            self.row[r] = rows + _numbered(orbit_labels(network.num_nodes, [g.node for g in fixing]))
            number, rows = int(self.column[r].max()) + 1, int(self.row[r].max()) + 1
            self._check_size(number)
        self.alike = {r: int(network.supply[nodes.rep == r].sum()) for r in senders}
        reverse = network.reverse
        assert reverse is not None
        cable = _numbered(orbit_labels(network.num_channels, [*(g.channel for g in generators), reverse]))
        first, many = np.unique(cable, return_index=True, return_counts=True)[1:]
        unit = needed_unit(network, times=network.num_terminals * network.num_channels)
        entries, bound = Triplets(), [1] + [0] * (rows - 1 + len(first))
        entries.add(0, 1 + np.arange(len(members)), members)
        entries.add(0, below + np.arange(len(members)), -members)
        self._hops = np.zeros(number, dtype=np.int64)
        wide = [int(network.bandwidth[c] * unit) for c in first.tolist()]
        least, loads = many * wide, list[tuple[Int64, Int64, Int64]]()
        for r, column in self.column.items():
            row, alike, stands = self.row[r], self.alike[r], self._stands_for_its_class(r)
            bound[int(row[r])] = -1
            for end, sign in ((network.head, 1), (network.tail, -1)):
                some = np.flatnonzero(stands[end])
                entries.add(row[end[some]], column[some], sign)
            some = np.flatnonzero(stands)
            entries.add(row[some], 1 + kind[some], -1)
            entries.add(row[some], below + kind[some], 1)
            np.add.at(self._hops, column, alike)
            used, at, count = np.unique(column, return_index=True, return_counts=True)
            loads.append((cable[at], used, 2 * unit * alike * count))
            np.gcd.at(least, loads[-1][0], loads[-1][2])
        entries.add(rows + np.arange(len(first)), 0, many * wide // least)
        for of, used, value in loads:
            entries.add(rows + of, used, -value // least[of])
        self._program = entries.program(number, rows, bound)
        self._potential: Int64 | None = None
        self._routing: Routing | None = None

    def _check_size(self, number: int) -> None:
        if number > _MOST_VARIABLES:
            raise InputError(
                f"exact half flows of {self.network.name} take {number:,} variables; {_MOST_VARIABLES:,} at most were "
                f"expected"
            )
        check_memory(16 * self.network.num_nodes * self.network.num_channels, f"designing for {self.network.name}")

    def solve(self, show: object) -> None:
        """The least load, then the fewest hops of all half flows."""
        del show
        seconds = min(_SECONDS, self.deadline.left(_LEAST) or _SECONDS)
        point, dual = solve_exactly(self._program, seconds=seconds)
        self._potential = self._potentials(dual)
        with suppress(NotExactError):
            shorter = self._program.asking(self._hops, {0: point.fraction(0)})
            point = solve_exactly(shorter, seconds=seconds)[0]
        self._routing = self._routed(point)

    def shorten(self, least: Fraction, show: object) -> bool:
        del least, show
        return False

    def bound(self) -> PotentialBound:
        assert self._potential is not None
        return PotentialBound(self.network, self._potential)

    def routings(self) -> list[Routing]:
        assert self._routing is not None
        return [self._routing]

    def _of_all(self, of: Mapping[int, Any], *, channels: bool) -> Int64:
        """A row for every node with terminals: that of its class, moved."""
        nodes = np.flatnonzero(self.network.supply)
        rows = []
        for i in nodes.tolist():
            to = self._nodes.to[i]
            rows.append(of[int(self._nodes.rep[i])][to.channel if channels else to.node])
        return np.stack(rows)

    def _stands_for_its_class(self, r: int) -> npt.NDArray[np.bool_]:
        """(N,): the first node of every row of conservation of ``r``."""
        found = np.zeros(self.network.num_nodes, dtype=np.bool_)
        found[np.unique(self.row[r], return_index=True)[1]] = True
        return found

    def _potentials(self, dual: ExactPoint) -> Int64:
        """As ``kernel.potentials`` has them, 0 at their own nodes."""
        size = {r: self.alike[r] * np.bincount(row)[row] for r, row in self.row.items()}
        common = lcm(*(int(x) for many in size.values() for x in np.unique(many)))
        of = {r: dual.num[row] * (common // size[r].astype(object)) for r, row in self.row.items()}
        of = {r: x - x[r] for r, x in of.items()}
        least = gcd(*(int(x) for some in of.values() for x in some)) or 1
        whole = {r: _short(some // least) for r, some in of.items()}
        return self._of_all(whole, channels=False)

    def _routed(self, point: ExactPoint) -> Routing:
        network, reverse = self.network, self.network.reverse
        assert reverse is not None
        flow = {r: _short(point.num[column]) for r, column in self.column.items()}
        net = self._of_all({r: x - x[reverse] for r, x in flow.items()}, channels=True)
        link = np.flatnonzero(np.arange(network.num_channels) < reverse)
        if point.den > _LARGEST:
            raise NotExactError("its flows are too long")
        compact = HalfFlowRouting(network, NAME, np.ascontiguousarray(net[:, link]), point.den)
        try:
            compact.check([*self.column])
        except InputError:  # a cycle out of reach: it is taken out of the flow of every pair that has it
            reduction = reduce(network, symmetry=self.symmetry)
            place = np.cumsum(network.supply > 0) - 1
            ends = ((place[x.source], place[x.destination]) for x in reduction.pairs)
            return routing_of_flows(
                reduction, whole_classes(reduction, (np.maximum(net[i] - net[j], 0) for i, j in ends), point.den)
            )
        return compact


def _short(numbers: Any) -> Int64:
    if max(abs(int(x)) for x in numbers) > _LARGEST:
        raise NotExactError("its numbers are too long")
    found: Int64 = numbers.astype(np.int64)
    return found


def _numbered(label: Any) -> Int64:
    """Labels as numbers from 0 on."""
    found: Int64 = np.unique(label, return_inverse=True)[1].astype(np.int64)
    return found
