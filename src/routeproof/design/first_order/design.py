"""The design problem solved by the first-order method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...analysis.locality import average_path_length, minimal_average
from ...analysis.worst_case.exact import worst_case
from ...core.network import Network
from ...core.stage import Stage
from ...machine.memory import check_memory
from ...machine.one_thread import num_threads
from ..program.flows import routing_of_flows
from ..program.interrupts import Deadline, held_interrupts, shown_gap
from ..program.orbits import Reduction
from ..result import Design
from .method import FirstOrder, Judgement, layout_of
from .rounding import adversary_of_multipliers, classes_of_flows
from .rounds import Rounds, run_rounds

__all__ = ["design_by_first_order", "first_order_bytes"]

_PRICE = 20.0  # what the worst case costs beside the path length: enough to hold it at its optimum
_LOAD_GAP, _LENGTH_GAP = 1e-4, 1e-3  # narrow enough where more would take long
_PER_FLOW = 2 * 8 + 4  # two memories, and a routing to judge
_PER_CELL = 70  # every pair by every channel: classes, adversaries and the routing's table, as measured
_BESIDES = 300_000_000
_MOST_THREADS = 8  # a round has that many parts


def first_order_bytes(network: Network, *, reversal: bool) -> int:
    """About how much memory the method takes, the judgement of its routing included."""
    own = layout_of(network, reversal=reversal)
    pairs, count = len(own.source) * len(own.destination), network.num_channels
    dense = 8 * (4 * count * network.num_nodes + 8 * 2 * count * len(own.destination))
    return _BESIDES + own.num_flows * _PER_FLOW + pairs * count * _PER_CELL + dense


def design_by_first_order(
    reduction: Reduction, *, shortest: bool = False, time_limit: float | None = None, stage: Stage
) -> Design:
    """As ``design_worst_case``, an interval on each side: the routing is rounded and judged exactly, the multipliers
    become adversaries.  After ``time_limit`` seconds, or when interrupted, with the iterate reached."""
    deadline, network = Deadline(time_limit), reduction.network
    pairs = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
    size = f"{pairs:,} pairs of nodes by {network.num_channels:,} channels"
    check_memory(first_order_bytes(network, reversal=reduction.reversal), f"designing for {network.name} ({size})")
    minimal = minimal_average(network)
    layout = layout_of(network, reversal=reduction.reversal)
    method = FirstOrder(layout, minimal=float(minimal), threads=min(num_threads(), _MOST_THREADS))

    def rounds(name: str, gap: Callable[[Judgement], float], enough: float, *, balance: bool = False) -> Rounds:
        with stage(name) as show:
            tell = shown_gap(show, name + ": {:,} rounds, gap about {:.1e}")
            return run_rounds(method, gap, enough=enough, seconds=deadline.left(), balance=balance, tell=tell)

    method.ask(hop=0.0, price=1.0)
    first = rounds("worst case", _load_gap, _LOAD_GAP, balance=True)
    with stage("judging"), held_interrupts() as held:
        adversary = adversary_of_multipliers(reduction, method)
    least = adversary.least_load()
    complete = first.complete and not held.happened
    bound = None
    second = shortest and complete and first.judgement is not None and least > 0
    if second and first.judgement is not None:
        # In the objective the minimal average path length is 1.
        hop = 1.0 / (network.num_terminals**2 * float(minimal))
        method.ask(hop=hop, price=_PRICE / first.judgement.load)
        gap = _length_gap(float(least), hop * network.num_terminals**2)
        complete = rounds("path length", gap, _LENGTH_GAP).complete
    with stage("judging"), held_interrupts():
        routing = routing_of_flows(reduction, classes_of_flows(reduction, method))
        worst, length = worst_case(routing), average_path_length(routing)
        if second:
            bound = adversary_of_multipliers(reduction, method)
    return Design(
        reduction, routing, worst, adversary, length, minimal,
        length_adversary=bound, most_load=worst.load if second else None, complete=complete,
    )  # fmt: skip


def _load_gap(found: Judgement) -> float:
    least = found.least_load()
    return found.load / least - 1 if least > 0 else float("inf")


def _length_gap(least: float, price: float) -> Callable[[Judgement], float]:
    """The larger gap of load and length; ``price``: of the average path length."""

    def gap(found: Judgement) -> float:
        length = (found.total - found.price * found.load) / price
        return max(found.load / least, found.length / length if length > 0 else float("inf")) - 1

    return gap
