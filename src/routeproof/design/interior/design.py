"""The design problem solved by our interior-point method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...analysis.locality import minimal_average
from ...analysis.worst_case.exact import WorstCase, worst_case
from ...core.stage import Stage
from ...machine.memory import check_memory
from ..program.flows import routing_of_flows
from ..program.interrupts import Deadline, held_interrupts, shown_gap
from ..program.orbits import Reduction
from ..result import Design
from .blocks import Blocks, blocks_of
from .method import Iterate, solve_interior
from .rounding import adversary_of, classes_of, length_of
from .start import Start

if TYPE_CHECKING:
    from ...routing.base.routing import Routing

__all__ = ["design_by_interior", "estimated_bytes"]

_PRICE = 20.0  # what the worst case costs beside the path length: enough to hold it at its optimum
_ACCURACY, _ACCURACY_OF_LENGTH = 3e-7, 3e-8  # the path length is a small part of what the second stage minimises
_LARGE = 250_000  # flow variables from which a wider interval is good enough
_ACCURACY_LARGE = 3e-6
_FLOAT = 8


def estimated_bytes(reduction: Reduction) -> int:
    """About how much memory the method takes on ``reduction``."""
    channels, nodes = reduction.network.num_channels, reduction.network.num_nodes
    parts = 2 if len(reduction.row_of_rep) < 4 else 0  # a block's own part, in every thread, where nodes are few
    dense = (reduction.num_potentials + 1) ** 2 * _FLOAT * (1 + parts)
    band = 4 * int(nodes ** (1 - 1 / _dimensions(reduction)))
    factors = sum(len(np.unique(pair.node)) for pair in reduction.pairs) * min(band, nodes) * 2 * _FLOAT
    return 300_000_000 + dense + factors + reduction.num_flows * _FLOAT * 60 + len(reduction.pairs) * channels * 12


def _dimensions(reduction: Reduction) -> int:
    grid = reduction.network.grid
    return max(2, len(grid.radix)) if grid is not None else 4


def design_by_interior(
    reduction: Reduction, *, shortest: bool = False, time_limit: float | None = None, stage: Stage
) -> Design:
    """As ``design_worst_case``, an interval on each side: the routing is rounded and judged exactly, the multipliers
    become adversaries.  After ``time_limit`` seconds, or when interrupted, with the iterate reached."""
    deadline, network = Deadline(time_limit), reduction.network
    size = f"{len(reduction.pairs):,} classes of pairs, {reduction.num_potentials:,} potentials"
    check_memory(estimated_bytes(reduction), f"designing for {network.name} ({size})")
    minimal = minimal_average(network)
    with stage("blocks"):
        blocks = blocks_of(reduction)
    solver = _Solver(blocks, minimal, stage, deadline)
    first = solver.solve("worst case", hops=0.0)
    with stage("judging"), held_interrupts() as held:
        adversary = adversary_of(blocks, first, hops=0.0)
    second = bound = None
    if held.happened:
        solver.complete = False
    elif shortest and solver.complete:
        try:
            second = solver.solve("path length", hops=solver.per_hop, start=first.early)
        except KeyboardInterrupt:  # before its first round
            solver.complete = False
    with stage("judging"), held_interrupts():
        last = second or first
        routing, worst, length = judged(blocks, last.x)
        if last.interrupted and last is not first:  # the second stage's first iterates are worse than the first's last
            other = judged(blocks, first.x)
            if other[1].load < worst.load:
                routing, worst, length = other
        if second is not None:
            bound = adversary_of(blocks, second, hops=solver.per_hop)
    return Design(
        reduction, routing, worst, adversary, length, minimal,
        length_adversary=bound, most_load=None if bound is None else worst.load, complete=solver.complete,
    )  # fmt: skip


def judged(blocks: Blocks, x: npt.NDArray[np.float64]) -> tuple[Routing, WorstCase, Fraction]:
    """The routing near the flows ``x``, its exact worst case, and its exact average path length."""
    classes = classes_of(blocks, x)
    routing = routing_of_flows(blocks.reduction, classes)
    return routing, worst_case(routing), length_of(blocks, classes)


class _Solver:
    def __init__(self, blocks: Blocks, minimal: Fraction, stage: Stage, deadline: Deadline) -> None:
        self.blocks, self.stage, self.deadline = blocks, stage, deadline
        network = blocks.reduction.network
        terminals = network.num_terminals
        # In the objective the minimal average path length is 1.
        self.per_hop = 1.0 / (terminals**2 * float(minimal))
        self.load = 2.0 * float(minimal * terminals / sum(network.bandwidth, Fraction(0)))
        self.complete = True

    def solve(self, name: str, *, hops: float, start: Start | None = None) -> Iterate:
        accuracy = _ACCURACY_OF_LENGTH if hops else _ACCURACY
        with self.stage(name) as show:
            found = solve_interior(
                self.blocks,
                cost=self.blocks.hops * hops,
                price=_PRICE if hops else 1.0,
                load=self.load,
                accuracy=accuracy if self.blocks.num_variables < _LARGE else _ACCURACY_LARGE,
                seconds=self.deadline.left(),
                progress=shown_gap(show, name + ": round {}, estimated gap {:.1e}"),
                start=start,
            )
        if found.interrupted or self.deadline.over:
            self.complete = False
        return found
