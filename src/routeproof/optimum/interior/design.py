"""The design problem solved by our interior-point method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int32, Int64
from ...core.spread import Stage
from ...demand_sets.transport import TransportSet
from ...machine.deadlines import Deadline, shown_gap
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...routing.classes.path_classes import ClassLoads
from ...symmetry.pair_classes import Reduction
from ..adversary import Adversary
from ..design import PRICE, Method
from ..program.flows import routing_of_flows
from ..program.rounding import rounded_adversary, rounded_flows
from ..program.worst_case import Potentials
from .blocks import Blocks, Numbered, blocks_of
from .method import Iterate, solve_interior
from .steps import Direction

_ACCURACY, _ACCURACY_OF_LENGTH = 3e-7, 3e-8  # the path length is a small part of what the second stage minimises
_LARGE = 250_000  # flow variables from which a wider interval is good enough
_ACCURACY_LARGE = 3e-6
_FLOAT = 8
_FINE = 1 << 36


def estimated_bytes(reduction: Reduction) -> int:
    """About how much memory the method takes on ``reduction``."""
    channels, nodes = reduction.network.num_channels, reduction.network.num_nodes
    parts = 2 if len(reduction.row_of_rep) < 4 else 0  # a block's own part, in every thread, where nodes are few
    dense = (Numbered(reduction).count + 1) ** 2 * _FLOAT * (1 + parts)
    grid = reduction.network.grid
    dimensions = 4 if grid is None else max(2, len(grid.radix))
    band = 4 * int(nodes ** (1 - 1 / dimensions))
    factors = sum(len(np.unique(pair.node)) for pair in reduction.pairs) * min(band, nodes) * 2 * _FLOAT
    covers = sum(1 for _ in Potentials(reduction).ends()) / max(1, len(reduction.pairs))  # of a flow, on average
    flows = int(reduction.num_flows * _FLOAT * (60 if covers <= 1 else 30 + 40 * covers))
    return 300_000_000 + dense + factors + flows + len(reduction.pairs) * channels * 12


class InteriorPoint(Method):
    """``found``: the iterates of the stages so far; ``hop``: what a hop of a pair of terminals costs in the last one.

    ``demands``: a transport set without limits of single pairs, between whose ports the reduction is."""

    hop = 0.0
    begins_with_lengths = True

    def __init__(self, reduction: Reduction, demands: TransportSet | None, stage: Stage, deadline: Deadline) -> None:
        size = f"{len(reduction.pairs):,} classes of pairs, {Numbered(reduction).count:,} potentials"
        check_memory(estimated_bytes(reduction), f"designing for {reduction.network.name} ({size})")
        super().__init__(reduction.network, demands)
        self.reduction: Reduction = reduction
        self.deadline, self.found = deadline, list[Iterate]()
        with stage("blocks"):
            self.blocks = blocks_of(reduction)

    def solve(self, show: object) -> None:
        self._solve("worst case", _ACCURACY, 0.0, show)

    def shorten(self, least: Fraction, show: object) -> bool:  # noqa: ARG002
        if not self.complete:
            return False
        # In the objective the minimal average path length is 1.
        hop = 1.0 / (self.reduction.network.num_terminals**2 * float(self.minimal))
        self._solve("path length", _ACCURACY_OF_LENGTH, hop, show, self.found[-1].early if self.found else None)
        return True

    def _solve(self, name: str, accuracy: float, hop: float, show: object, start: Direction | None = None) -> None:
        most = float(self.minimal) / float(sum(self.reduction.network.bandwidth, Fraction(0)))
        found = solve_interior(
            self.blocks,
            cost=self.blocks.hops * hop,
            price=PRICE if hop else 1.0,
            load=2.0 * most * most_sent(self.reduction),
            accuracy=accuracy if self.blocks.num_variables < _LARGE else _ACCURACY_LARGE,
            deadline=self.deadline,
            progress=shown_gap(show, name + ": round {}, estimated gap {:.1e}"),
            start=start,
        )
        self.found, self.hop = [*self.found, found], hop
        self.complete = not (found.interrupted or self.deadline.over)

    def bound(self) -> Adversary:
        return adversary_of(self.blocks, self.found[-1], hops=self.hop)

    def routings(self) -> list[Routing]:
        """The first iterates of a second stage are worse than the last ones of the first."""
        tried = reversed(self.found if self.found[-1].interrupted else self.found[-1:])
        return [routing_of_flows(self.reduction, classes_of(self.blocks, one.x)) for one in tried]


def classes_of(blocks: Blocks, x: Float64) -> list[ClassLoads]:
    """Unit flows near ``x``, as ``rounded_flows``."""
    variables = (blocks.variable[k].astype(np.int64) for k in range(len(blocks.reduction.pairs)))
    flows = ((k, v, _netted(blocks, v, np.maximum(x[blocks.of(k)], 0.0))) for k, v in enumerate(variables))
    return rounded_flows(blocks.reduction, flows)


def _netted(blocks: Blocks, variable: Int64, flow: Float64) -> Float64:
    """What flows both ways between two nodes takes itself away."""
    opposite = blocks.reduction.network.reverse
    if opposite is None or not blocks.reduction.reversal:
        return flow
    sample = np.zeros(len(flow), dtype=np.int64)
    here = np.nonzero(variable >= 0)[0]
    sample[variable[here]] = here
    back = variable[opposite[sample]]
    against = np.where(back >= 0, flow[back], 0.0)
    return np.asarray(flow - np.minimum(flow, against))


def most_sent(reduction: Reduction) -> float:
    """What all terminals may send together, in packets per cycle, about."""
    ports = reduction.ports
    if ports is None:
        return float(reduction.network.num_terminals)
    sides = [sum(x, Fraction(0)) for x in (ports.sends, ports.receives) if x is not None]
    return float(min(sides if ports.total is None else [*sides, ports.total]))


def adversary_of(blocks: Blocks, iterate: Iterate, *, hops: float) -> Adversary:
    """The adversaries of the iterate's multipliers; ``hops`` as in ``rounded_adversary``."""
    each = _admissible(blocks, iterate) / blocks.up(blocks.members.astype(np.float64))
    top = max(hops, float(each.max(initial=0.0)))
    by_channel = (np.where(variable >= 0, part[variable], 0.0) for variable, part in _by_ends(blocks, each))
    return rounded_adversary(blocks.reduction, enumerate(by_channel), _FINE / top if top > 0 else 0.0, hops)


def _by_ends(blocks: Blocks, each: Float64) -> Iterator[tuple[Int32, Float64]]:
    """(the flow variable of every channel, what is given by cover): for all senders and receivers, in order."""
    for k, variable in enumerate(blocks.variable):
        here, size = blocks.covers(k), int(blocks.first[k + 1] - blocks.first[k])
        for part in each[here].reshape(size, -1).T:
            yield variable, part


def _admissible(blocks: Blocks, iterate: Iterate) -> Float64:
    """The multipliers, each as much smaller as the fullest of its potentials is over what it may hold."""
    y = np.maximum(iterate.y, 0.0)
    fits = np.minimum(1.0, iterate.most / np.maximum(blocks.under(y), 1e-300))
    return np.asarray(y * fits[blocks.cover].min(axis=1))
