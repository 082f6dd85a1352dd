"""The second stage on the optimal face: exact where the simplex method ends at a vertex, else a certified interval."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeGuard

import numpy as np

from ...lp.exact import ExactPoint, NotExactError, solve_exactly
from ...lp.solver import SolverError
from ...machine.deadlines import Deadline, shown_gap
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...symmetry.pair_classes import Reduction
from ..adversary import Adversary
from ..design import Bound, Method
from ..half_flows.design import PotentialBound
from ..program.flows import routing_of_flows
from .interior import FaceInterior, Point
from .program import OptimalFace, hop_of

_VERTEX_FLOWS = 12_000  # beyond this an interval is wanted, not a vertex
_ACCURACY = 1e-9
_LARGEST = 61  # bits of prices
_BYTES_OF_FLOW, _BYTES_OF_CHANNEL, _BESIDES = 600, 40, 300_000_000


def may_have_face(reduction: Reduction) -> bool:
    """Do channels look alike, and does no node have two terminals?"""
    alike = reduction.ports is None and reduction.reversal and not np.ptp(reduction.focus)
    return alike and int(reduction.network.supply.max()) <= 1


def has_face(known: Bound | None, reduction: Reduction) -> TypeGuard[PotentialBound]:
    """Do potentials prove what is ``known``, on a network that ``may_have_face``?"""
    network = reduction.network
    if not isinstance(known, PotentialBound) or not may_have_face(reduction):
        return False
    c = int(reduction.focus[0])
    rise = known.potential[:, network.head[c]] - known.potential[:, network.tail[c]]
    return int(rise.sum()) == 0 and int(rise.max()) == -int(rise.min()) > 0


class ShortestOnFace(Method):
    """``known``: a bound that some routing reaches, on a network that ``has_face``."""

    begins_with_lengths = True

    def __init__(self, reduction: Reduction, known: PotentialBound, deadline: Deadline) -> None:
        super().__init__(reduction.network, None)
        network, pairs = reduction.network, len(reduction.pairs)
        needed = _BYTES_OF_FLOW * reduction.num_flows + _BYTES_OF_CHANNEL * pairs * network.num_channels
        needed += _BESIDES if reduction.num_flows > 2 * _VERTEX_FLOWS else 0
        check_memory(needed, f"designing for {network.name} ({pairs:,} classes of pairs)")
        self.reduction: Reduction = reduction
        self.deadline = deadline
        self.face = OptimalFace(reduction, known)
        self._exact: tuple[ExactPoint, Adversary] | None = None
        self._near: Point | None = None

    def solve(self, show: object) -> None:
        """The load is known."""

    def shorten(self, least: Fraction, show: object) -> bool:
        del least
        if len(self.face.hops) <= _VERTEX_FLOWS:
            try:
                point, dual = solve_exactly(self.face.program, seconds=self.deadline.part(0.5))
                price, unit = dual.num[: len(self.face.right)].astype(object), hop_of(self.face)
                self._exact = point, self.face.adversary(price * unit, dual.den * unit)
            except (NotExactError, SolverError, OverflowError):
                if not len(self.face.hops):  # only equations
                    raise
            else:
                return True
        progress = shown_gap(show, "path length: round {}, estimated gap {:.1e}")
        self._near = FaceInterior(self.face).run(_ACCURACY, 80, self.deadline, progress)
        self.complete = not (self._near.interrupted or self.deadline.over)
        return True

    def bound(self) -> Adversary:
        if self._exact is not None:
            return self._exact[1]
        assert self._near is not None
        price = self._near.price
        hop = 1 << max(_LARGEST - 4 - int(np.abs(price).max()).bit_length(), 1)
        return self.face.adversary(np.rint(price * hop).astype(np.int64), hop)

    def routings(self) -> list[Routing]:
        if self._exact is not None:
            return [routing_of_flows(self.reduction, self.face.exact_classes(self._exact[0]))]
        assert self._near is not None
        return [routing_of_flows(self.reduction, self.face.classes(self._near.x, self._near.p))]
