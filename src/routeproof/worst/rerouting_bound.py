"""What no routing can beat on what a failure leaves, however its rates may depend on the demand: the best of a few
cuts, and of distances.

All terminals that are left may send by any permutation.  Across a cut, the terminals inside can all send to others
outside; and a permutation whose terminals are far apart takes that many hops for each packet, of a total bandwidth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.graph import hops_from
from ..core.network import Network
from ..core.rational import INT64_MAX, IntArray, as_int_array
from ..graphs.shortest import hops_to_all
from ..graphs.transport import heaviest_assignment

_MOST_CUTS = 4096
_MOST_CELLS = 1 << 27
_MOST_TERMINALS = 2048


@dataclass(frozen=True, eq=False)
class Bounds:
    """``inside``: bool (K, N), the sets of nodes whose cuts are tried; ``far``: int64 (T,), a permutation of terminals
    that are far apart, or None."""

    network: Network
    inside: npt.NDArray[np.bool_]
    far: Int64 | None
    hops: Int64 | None
    width: IntArray
    unit: int

    @cached_property
    def across(self) -> tuple[IntArray, IntArray]:
        """Before a failure: the bandwidth that leads out of every set, and into it."""
        tail, head = self.inside[:, self.network.tail], self.inside[:, self.network.head]
        return (tail & ~head) @ self.width, (head & ~tail) @ self.width

    def _across(self, terminals: npt.NDArray[np.bool_]) -> tuple[Int64, Int64]:
        """How much these terminals can send out of every set, and into it."""
        network = self.network
        sends = np.bincount(network.source[terminals], minlength=network.num_nodes)
        receives = np.bincount(network.sink[terminals], minlength=network.num_nodes)
        one, other = self.inside @ sends, self.inside @ receives
        out = np.minimum(one, int(receives.sum()) - other)
        into = np.minimum(other, int(sends.sum()) - one)
        apart = np.flatnonzero(terminals & (network.source != network.sink))  # they may be on both sides of a cut
        starts, ends = self.inside[:, network.source[apart]], self.inside[:, network.sink[apart]]
        out[one + int(receives.sum()) - other - (starts & ~ends).sum(1) == 1] = 0  # no terminal sends to itself
        into[other + int(sends.sum()) - one - (~starts & ends).sum(1) == 1] = 0
        return out, into

    @cached_property
    def _all_across(self) -> tuple[Int64, Int64]:
        return self._across(np.ones(self.network.num_terminals, dtype=bool))

    def after(
        self, dead: npt.NDArray[np.bool_], terminals: npt.NDArray[np.bool_], *, connected: bool = False
    ) -> tuple[Fraction, dict[str, Any]] | None:
        """A load per bandwidth that no routing goes below, and its evidence; None where nothing bounds it, or some
        terminals that are left cannot reach others: then no routing carries all permutations.

        ``dead``: bool (C,); ``terminals``: bool (T,), those that are left; ``connected``: are all of them known to
        reach one another?
        """
        network = self.network
        if not connected and separated(network, ~dead, terminals):
            return None
        best: tuple[Fraction, dict[str, Any]] | None = None
        alive = np.where(dead, 0, self.width)
        gone = np.flatnonzero(dead)
        if len(self.inside):
            out, into = self._all_across if terminals.all() else self._across(terminals)
            tail, head = self.inside[:, network.tail[gone]], self.inside[:, network.head[gone]]
            wide, back = self.across
            wide, back = wide - (tail & ~head) @ self.width[gone], back - (head & ~tail) @ self.width[gone]
            for amount, width in ((out, wide), (into, back)):
                if ((amount > 0) & (width == 0)).any():
                    return None
                use = np.flatnonzero(amount > 0)
                if len(use):
                    k = int(use[np.argmax(amount[use] / width[use])])
                    value = Fraction(int(amount[k]) * self.unit, int(width[k]))
                    if best is None or value > best[0]:
                        best = value, {"cut": np.flatnonzero(self.inside[k]).tolist()}
        if self.far is not None and self.hops is not None and alive.any():
            both = terminals & terminals[self.far]
            value = Fraction(int(self.hops[both].sum()) * self.unit, int(alive.sum()))
            if value and (best is None or value > best[0]):
                best = value, {"far": True}
        return best


def separated(network: Network, alive: npt.NDArray[np.bool_], terminals: npt.NDArray[np.bool_]) -> bool:
    """Is there no path over the channels ``alive``, bool (C,), between two of the ``terminals``, bool (T,)?  Known of
    networks whose terminals send where they receive."""
    if not terminals.any() or (network.source != network.sink).any():
        return False
    nodes, one = network.source[terminals], int(network.source[np.argmax(terminals)])
    ends = network.tail[alive], network.head[alive]
    # All are reached from one node, and reach it, unless some are apart.
    return any(bool((hops_from(network.num_nodes, *way, one)[nodes] < 0).any()) for way in (ends, ends[::-1]))


def bounds_of(network: Network) -> Bounds:
    """Cuts around every node with terminals, and around what hangs together up to each distance from terminals (the
    pods of a fat tree); and the permutation whose terminals are farthest apart in sum."""
    unit = lcm(*(x.denominator for x in network.widths))
    width = as_int_array([int(x * unit) for x in network.widths])[network.bandwidth_rank]
    if sum(width.tolist()) > INT64_MAX:  # so that no sum overflows
        width = width.astype(object)
    inside = _cuts(network)
    if inside.size * 8 + len(inside) * network.num_channels * 4 > _MOST_CELLS:
        inside = inside[:0]
    far = hops = None
    if 2 <= network.num_terminals <= _MOST_TERMINALS:
        distance = hops_to_all(network)[network.sink][:, network.source].T.astype(np.int64)
        if int(distance.min()) >= 0:
            far = heaviest_assignment(distance)
            hops = distance[np.arange(network.num_terminals), far]
            hops[far == np.arange(network.num_terminals)] = 0  # no terminal sends to itself
    return Bounds(network, inside, far, hops, width, unit)


def _cuts(network: Network) -> npt.NDArray[np.bool_]:
    size, tail, head = network.num_nodes, network.tail, network.head
    ends = np.flatnonzero(network.supply + network.demand > 0)
    both = np.concatenate([tail, head]), np.concatenate([head, tail])
    level = hops_from(size, *both, ends)
    found: dict[bytes, npt.NDArray[np.bool_]] = {}

    def add(nodes: Sequence[int] | Int64) -> None:
        one = np.zeros(size, dtype=bool)
        one[nodes] = True
        if not one.all():
            found.setdefault(one.tobytes(), one)

    for v in ends.tolist():
        add([v])
    for top in range(int(level.max(initial=0))):
        low = np.flatnonzero((level >= 0) & (level <= top))
        within = (level[both[0]] <= top) & (level[both[1]] <= top)
        ahead, behind = both[0][within], both[1][within]
        left = np.zeros(size, dtype=bool)
        left[low] = True
        while left.any() and len(found) < _MOST_CUTS:
            start = int(np.argmax(left))
            part = np.flatnonzero(hops_from(size, ahead, behind, start) >= 0)
            left[part] = False
            left[start] = False
            add(part)
    return np.array(list(found.values()), dtype=bool).reshape(-1, size)[:_MOST_CUTS]
