"""The design problem solved by the first-order method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ...analysis.locality import average_path_length, minimal_average
from ...analysis.worst_case.exact import worst_case
from ...core.network import Network
from ...core.stage import Stage
from ...machine.memory import check_memory
from ...machine.one_thread import num_threads
from ..program.flows import routing_of_flows
from ..program.interrupts import held_interrupts
from ..program.orbits import Reduction
from ..result import Design
from .method import FirstOrder, Judgement, layout_of
from .rounding import adversary_of_multipliers, classes_of_flows
from .rounds import run_rounds

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
    network: Network,
    reduction: Reduction,
    *,
    shortest: bool = False,
    time_limit: float | None = None,
    stage: Stage,
) -> Design:
    """As ``design_worst_case``, an interval on each side: the routing is rounded and judged exactly, the multipliers
    become adversaries.  After ``time_limit`` seconds, or when interrupted, with the iterate reached."""
    end = None if time_limit is None else time.monotonic() + time_limit
    _check_memory(network, reduction)
    minimal = minimal_average(network)
    method = FirstOrder(
        layout_of(network, reversal=reduction.reversal),
        minimal=float(minimal),
        threads=min(num_threads(), _MOST_THREADS),
    )
    method.ask(hop=0.0, price=1.0)
    with stage("worst case") as told:
        first = run_rounds(
            method, _load_gap, enough=_LOAD_GAP, seconds=_left(end), balance=True, tell=_teller(told, "worst case")
        )
    with stage("judging"), held_interrupts() as held:
        adversary = adversary_of_multipliers(reduction, method)
    least = max(adversary.line.least_load() or Fraction(0), Fraction(0))
    complete = first.complete and not held.happened
    second = shortest and complete and first.judgement is not None and least > 0
    if second and first.judgement is not None:
        # In the objective the minimal average path length is 1.
        hop = 1.0 / (network.num_terminals**2 * float(minimal))
        method.ask(hop=hop, price=_PRICE / first.judgement.load)
        gap = _length_gap(float(least), hop * network.num_terminals**2)
        with stage("path length") as told:
            complete = run_rounds(
                method, gap, enough=_LENGTH_GAP, seconds=_left(end), tell=_teller(told, "path length")
            ).complete
    with stage("judging"), held_interrupts():
        routing = routing_of_flows(reduction, classes_of_flows(reduction, method))
        worst, length = worst_case(routing), average_path_length(routing)
        if not second:
            return Design(network, reduction, routing, worst, least, adversary, None, length, minimal,
                          None, None, None, complete)  # fmt: skip
        bound = adversary_of_multipliers(reduction, method)
    shortest_possible = max(bound.line.least_path_length(worst.load) or Fraction(0), minimal)
    return Design(network, reduction, routing, worst, least, adversary, None, length, minimal,
                  shortest_possible, bound, worst.load, complete)  # fmt: skip


def _load_gap(found: Judgement) -> float:
    least = found.least_load()
    return found.load / least - 1 if least > 0 else float("inf")


def _length_gap(least: float, price: float) -> Callable[[Judgement], float]:
    """The larger gap of load and length; ``price``: of the average path length."""

    def gap(found: Judgement) -> float:
        length = (found.total - found.price * found.load) / price
        return max(found.load / least, found.length / length if length > 0 else float("inf")) - 1

    return gap


def _teller(told: object, name: str) -> Callable[[int, float], None] | None:
    if not callable(told):
        return None
    return lambda rounds, gap: told(f"{name}: {rounds:,} rounds, gap about {gap:.1e}")


def _left(end: float | None) -> float | None:
    return None if end is None else max(0.0, end - time.monotonic())


def _check_memory(network: Network, reduction: Reduction) -> None:
    pairs = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
    size = f"{pairs:,} pairs of nodes by {network.num_channels:,} channels"
    check_memory(first_order_bytes(network, reversal=reduction.reversal), f"designing for {network.name} ({size})")
