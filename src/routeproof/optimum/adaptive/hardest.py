"""The demand of a set that is hardest for given lengths of channels: a matching, a transport, or the worst matrix.

The assignment is scipy's, the transport HiGHS's; what they propose is admitted exactly, or refused.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.hull import Hull
from ...demand_sets.transport import TransportSet
from ...graphs.matching import heaviest_assignment
from ...lp.program import Triplets, solve

Demand = Mapping[Pair, Fraction]
_FINE = 1 << 30
_MOST_PAIRS = 400_000


class Hardest(ABC):
    """``under(far)``: an admitted demand that makes much of the distances ``far``, (N, N), between nodes."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @abstractmethod
    def under(self, far: Float64) -> Demand:
        """The demand with the largest sum of rate times distance."""

    def between_terminals(self, far: Float64) -> Float64:
        """(T, T): the distances between the terminals' nodes."""
        return far[np.ix_(self.network.source, self.network.sink)]


class _Matching(Hardest):
    """Each terminal sends and receives at most ``rate``, and nothing else is limited: a matching of allowed pairs."""

    def __init__(self, network: Network, demands: TransportSet) -> None:
        super().__init__(network)
        assert demands.sends is not None
        self.rate = demands.sends[0]
        self.allowed = _allowed(demands)

    def under(self, far: Float64) -> Demand:
        worth = np.where(self.allowed, self.between_terminals(far), 0.0)
        return {(i, j): self.rate for i, j in enumerate(heaviest_assignment(worth).tolist()) if self.allowed[i, j]}


class _Transport(Hardest):
    """Any transport set: a linear program whose vertices are whole, over a common unit."""

    def __init__(self, network: Network, demands: TransportSet) -> None:
        super().__init__(network)
        if demands.box is not None:
            pairs = [pair for pair in sorted(demands.box.limits) if demands.allows(*pair)]
        else:
            pairs = [(int(i), int(j)) for i, j in np.argwhere(_allowed(demands))]
        if len(pairs) > _MOST_PAIRS:
            raise InputError(
                f"{demands.text} has {len(pairs):,} pairs; hard demands are searched for among {_MOST_PAIRS:,}"
            )
        self.demands, self.pairs = demands, pairs
        self.low = [demands.limits(*pair)[0] for pair in pairs]
        high = [demands.limits(*pair)[1] for pair in pairs]
        every = [*self.low, *(x for x in high if x is not None), *(demands.sends or ()), *(demands.receives or ())]
        every += [] if demands.total is None else [demands.total]
        self.unit = math.lcm(*{x.denominator for x in every})
        place: Int64 = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        matrix, bound = Triplets(), list[int]()
        column = np.arange(len(pairs))
        for side, rates in ((0, demands.sends), (1, demands.receives)):
            if rates is None:
                continue
            matrix.add(len(bound) + place[:, side], column + 1, -1)
            taken = [Fraction(0)] * demands.size
            for pair, x in zip(pairs, self.low, strict=True):
                taken[pair[side]] += x
            bound += [-int((x - y) * self.unit) for x, y in zip(rates, taken, strict=True)]
        if demands.total is not None:
            matrix.add(np.full(len(pairs), len(bound)), column + 1, -1)
            bound.append(-int((demands.total - sum(self.low)) * self.unit))
        self.program = matrix.program(len(pairs) + 1, 0, bound)
        limits = zip(high, self.low, strict=True)
        room = {k + 1: (x - y) * self.unit for k, (x, y) in enumerate(limits) if x is not None}
        self.program.upper.update({0: Fraction(0), **room})
        self.place = place

    def under(self, far: Float64) -> Demand:
        worth = self.between_terminals(far)[self.place[:, 0], self.place[:, 1]]
        top = float(worth.max(initial=0.0)) or 1.0
        cost = np.concatenate([[0], -np.rint(worth / top * _FINE).astype(np.int64)])
        found = solve(self.program.asking(cost, self.program.upper)).x[1:]
        rates = [x + Fraction(round(float(y)), self.unit) for x, y in zip(self.low, found, strict=True)]
        demand = {pair: x for pair, x in zip(self.pairs, rates, strict=True) if x > 0}
        self.demands.check_admits(demand)
        return demand


class _Matrices(Hardest):
    """The worst of a list of matrices."""

    def __init__(self, network: Network, demands: Hull) -> None:
        super().__init__(network)
        self.matrices = demands.matrices

    def under(self, far: Float64) -> Demand:
        between = self.between_terminals(far)
        paid = [sum(float(x) * between[i, j] for (i, j), x in some.items()) for some in self.matrices]
        return self.matrices[int(np.argmax(paid))]


def _allowed(demands: TransportSet) -> npt.NDArray[np.bool_]:
    """(T, T): which pairs may send at all."""
    size = demands.size
    allowed = ~np.eye(size, dtype=np.bool_)
    if demands.group is not None:
        allowed &= (demands.group[:, None] == demands.group) & (demands.group >= 0)
    for pairs in (demands.pairs, None if demands.box is None else set(demands.box.limits)):
        if pairs is not None:
            mask = np.zeros((size, size), dtype=np.bool_)
            mask[tuple(np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T)] = True
            allowed &= mask
    for axis, rates in ((0, demands.sends), (1, demands.receives)):
        if rates is not None:
            some = np.array([x > 0 for x in rates])
            allowed &= some[:, None] if axis == 0 else some[None, :]
    return allowed


def hardest_of(network: Network, demands: DemandSet) -> Hardest:
    """By the family of the set; raises InputError for families without a hardest demand of this kind."""
    if isinstance(demands, Hull):
        return _Matrices(network, demands)
    if isinstance(demands, TransportSet):
        if not demands.is_bounded:
            raise InputError(f"{demands.text}: nothing limits the demand, so there is no worst case")
        rates = {*(demands.sends or ()), *(demands.receives or ())}
        both = demands.sends is not None and demands.receives is not None and len(rates) == 1
        matching = both and demands.total is None and demands.box is None
        return _Matching(network, demands) if matching else _Transport(network, demands)
    raise InputError(f"ideal adaptive routing over {demands.text} is not available; hose:FILE says what terminals send")
