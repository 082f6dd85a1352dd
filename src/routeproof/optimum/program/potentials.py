"""The potentials of a worst case: for every sender and receiver a class of each channel, and what it costs there.

Permutations: one row and one column for each node, of as many packets as it has terminals.  A transport set of demands:
its ports (``kernel.ports``), with one potential of the total for each channel class besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...core.arrays import Int64
from ...kernel.ports import Ports
from ...symmetry.pair_classes import Reduction
from .flow_program import Ends


@dataclass(frozen=True, eq=False)
class Potentials:
    """``count`` classes; those of one sender or receiver are int64 (C,).  None: the set has no such limit."""

    reduction: Reduction

    @property
    def ports(self) -> Ports | None:
        return self.reduction.ports

    @cached_property
    def _by_port(self) -> bool:
        return self.ports is not None and not self.ports.by_node

    @property
    def count(self) -> int:
        if self.ports is None or not self._by_port:
            return self.reduction.num_potentials
        return self.reduction.network.num_channels * sum(self.ports.may.shape)

    def ends(self) -> Iterator[Ends]:
        """Who sends to whom, for one pair of nodes of every class."""
        ports = self.ports
        if ports is None:
            yield from (Ends(k, x.source, x.destination) for k, x in enumerate(self.reduction.pairs))
            return
        rows, columns = ({v: np.flatnonzero(x == v) for v in np.unique(x).tolist()} for x in (
            ports.row_node, ports.column_node
        ))  # fmt: skip
        nobody = np.zeros(0, dtype=np.int64)
        for k, pair in enumerate(self.reduction.pairs):
            some = rows.get(pair.source, nobody), columns.get(pair.destination, nobody)
            at = np.argwhere(ports.may[np.ix_(*some)])
            yield from (Ends(k, int(some[0][a]), int(some[1][b])) for a, b in at.tolist())

    def row(self, source: int) -> Int64 | None:
        """Of the sender ``source`` of ``Ends``."""
        ports = self.ports
        if ports is None:
            return self.reduction.row_potential(source)
        if ports.sends is None:
            return None
        if not self._by_port:
            return self.reduction.row_potential(int(ports.row_node[source]))
        count = self.reduction.network.num_channels
        return source * count + np.arange(count)

    def column(self, destination: int) -> Int64 | None:
        ports = self.ports
        if ports is None:
            return self.reduction.column_potential(destination)
        if ports.receives is None:
            return None
        if not self._by_port:
            return self.reduction.column_potential(int(ports.column_node[destination]))
        count, opposite = self.reduction.network.num_channels, self.reduction.network.reverse
        if self.reduction.reversal and opposite is not None:
            return destination * count + opposite.astype(np.int64)
        return (len(ports.row_node) + destination) * count + np.arange(count)

    def costs(self, focus: Int64) -> list[tuple[Int64, list[Fraction]]]:
        """For every side: (classes, (its members, F), of the focus channels; what each member may send, or receive)."""
        own, ports = self.reduction, self.ports
        if ports is None:
            sides = zip(own.potentials_on(focus), (own.network.supply, own.network.demand), strict=True)
            return [(ids, [Fraction(x) for x in count.tolist()]) for ids, count in sides]
        found = []
        for rates, potential in ((ports.sends, self.row), (ports.receives, self.column)):
            each = [potential(k) for k in range(len(rates or ()))]
            parts = [x[focus] for x in each if x is not None]
            if rates is not None and parts:
                found.append((np.stack(parts), list(rates)))
        return found
