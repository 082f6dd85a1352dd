"""The potentials of the worst-case program, numbered without gaps, and which of them stand above which flows.

For every channel c there is one for each sender r and each receiver k, and one of the total where that is limited:

    flow of c between the nodes of r and k  <=  a(r, c) + b(k, c) + t(c)   where r may send to k, and
    sum of sends(r) a(r, c)  +  sum of receives(k) b(k, c)  +  total t(c)  <=  bandwidth(c) * w.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Float64, Int64
from ...symmetry.pair_classes import Reduction
from ..program.flow_program import Ends
from ..program.potentials import Potentials


class Numbered:
    """``count``: how many classes of potentials there are."""

    def __init__(self, reduction: Reduction) -> None:
        self._own, self._focus = Potentials(reduction), reduction.focus
        ports = reduction.ports
        self.count = self._own.count
        self._place = np.arange(self.count)
        self._total: Int64 | None = None
        if ports is None:
            return
        used = np.zeros(self.count, dtype=np.bool_)
        for potentials, nodes in ((self._own.row, ports.row_node), (self._own.column, ports.column_node)):
            for k in range(len(nodes)):
                ids = potentials(k)
                if ids is not None:
                    used[ids] = True
        self._place, self.count = np.cumsum(used) - 1, int(np.count_nonzero(used))
        if ports.total is not None:
            focus, index = np.unique(reduction.focus, return_inverse=True)
            self._total = self.count + index.astype(np.int64)
            self._most = float(ports.total)
            self.count += len(focus)

    def by_pair(self) -> list[list[Ends]]:
        """The senders and receivers of every class of pairs."""
        found: dict[int, list[Ends]] = {}
        for ends in self._own.ends():
            found.setdefault(ends.pair, []).append(ends)
        return [found[k] for k in range(len(found))]

    def above(self, ends: Ends) -> list[Int64]:
        """The potentials above the flow from a sender to a receiver, each int64 (C,)."""
        sides = self._own.row(ends.source), self._own.column(ends.destination)
        return [*(self._place[x] for x in sides if x is not None), *([] if self._total is None else [self._total])]

    def limits(self, focus: Int64) -> list[tuple[Int64, Float64]]:
        """What a channel's potentials cost: [(potentials of the channels ``focus``, (n, F), what each may send)]."""
        found = [(self._place[ids], np.array([float(x) for x in rates])) for ids, rates in self._own.costs(focus)]
        if self._total is not None:
            found.append((self._total[None, focus], np.array([self._most])))
        return found
