"""The design problem solved by our interior-point method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int32, Int64
from ...core.spread import Stage
from ...demand_sets.transport import TransportSet
from ...machine.deadlines import Deadline, held_interrupts, shown_gap
from ...machine.memory import check_memory
from ...routing.classes.symmetric_table import ClassLoads
from ...symmetry.pair_classes import Reduction
from ...worst.locality import minimal_average
from ...worst.over import worst_over
from ...worst.scan.exact import WorstCase
from ..adversary import Adversary
from ..program.flow_program import idle_hops
from ..program.flows import routing_of_flows
from ..program.potentials import Potentials
from ..program.rounding import rounded_adversary, rounded_flows
from ..result import Design
from .blocks import Blocks, Numbered, blocks_of
from .method import Iterate, solve_interior
from .start import Start

if TYPE_CHECKING:
    from ...routing.base.routing import Routing

_PRICE = 20.0  # what the worst case costs beside the path length: enough to hold it at its optimum
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
    band = 4 * int(nodes ** (1 - 1 / _dimensions(reduction)))
    factors = sum(len(np.unique(pair.node)) for pair in reduction.pairs) * min(band, nodes) * 2 * _FLOAT
    covers = sum(1 for _ in Potentials(reduction).ends()) / max(1, len(reduction.pairs))  # of a flow, on average
    flows = int(reduction.num_flows * _FLOAT * (60 if covers <= 1 else 30 + 40 * covers))
    return 300_000_000 + dense + factors + flows + len(reduction.pairs) * channels * 12


def _dimensions(reduction: Reduction) -> int:
    grid = reduction.network.grid
    return max(2, len(grid.radix)) if grid is not None else 4


def design_by_interior(
    reduction: Reduction,
    *,
    shortest: bool = False,
    time_limit: float | None = None,
    stage: Stage,
    demands: TransportSet | None = None,
) -> Design:
    """As ``design_worst_case``, an interval on each side: the routing is rounded and judged exactly, the multipliers
    become adversaries.  After ``time_limit`` seconds, or when interrupted, with the iterate reached.

    ``demands``: a transport set without limits of single pairs, between whose ports the reduction is; None stands for
    permutations."""
    deadline, network = Deadline(time_limit), reduction.network
    size = f"{len(reduction.pairs):,} classes of pairs, {Numbered(reduction).count:,} potentials"
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
        made = judged(blocks, last.x, demands)
        if last.interrupted and last is not first:  # the second stage's first iterates are worse than the first's last
            other = judged(blocks, first.x, demands)
            made = other if other.worst.load < made.worst.load else made
        if second is not None:
            bound = adversary_of(blocks, second, hops=solver.per_hop)
    return Design(
        reduction, made.routing, made.worst, adversary, made.length, minimal,
        length_adversary=bound, most_load=None if bound is None else made.worst.load, complete=solver.complete,
        demands=demands,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Judged:
    """A routing, its exact worst case and its average path length."""

    routing: Routing
    worst: WorstCase
    length: Fraction


def judged(blocks: Blocks, x: npt.NDArray[np.float64], demands: TransportSet | None = None) -> Judged:
    """The routing near the flows ``x``, over ``demands`` or permutations."""
    classes = classes_of(blocks, x)
    routing = routing_of_flows(blocks.reduction, classes)
    return Judged(routing, worst_over(routing, demands), length_of(blocks, classes))


class _Solver:
    def __init__(self, blocks: Blocks, minimal: Fraction, stage: Stage, deadline: Deadline) -> None:
        self.blocks, self.stage, self.deadline = blocks, stage, deadline
        network = blocks.reduction.network
        terminals = network.num_terminals
        # In the objective the minimal average path length is 1.
        self.per_hop = 1.0 / (terminals**2 * float(minimal))
        most = float(minimal) / float(sum(network.bandwidth, Fraction(0)))
        self.load = 2.0 * most * most_sent(blocks.reduction)
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


def classes_of(blocks: Blocks, x: Float64) -> list[ClassLoads]:
    """Unit flows near ``x``, as ``rounded_flows``."""

    def flows() -> Iterator[tuple[int, Int64, Float64]]:
        for k in range(len(blocks.reduction.pairs)):
            variable = blocks.variable[k].astype(np.int64)
            yield k, variable, _netted(blocks, variable, np.maximum(x[blocks.of(k)], 0.0))

    return rounded_flows(blocks.reduction, flows())


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


def length_of(blocks: Blocks, classes: list[ClassLoads]) -> Fraction:
    """The average path length of a routing by classes: hops over all pairs of terminals."""
    pairs = zip(blocks.reduction.pairs, classes, strict=True)
    total = sum((Fraction(sum(one.load) * pair.weight, one.den) for pair, one in pairs), Fraction(0))
    return (total + idle_hops(blocks.reduction)) / blocks.reduction.network.num_terminals**2


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
