"""The design problem solved by the first-order method: a certified interval from whatever iterate is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from ...core.spread import Stage
from ...demand_sets.transport import TransportSet
from ...kernel.ports import Ports
from ...machine.deadlines import Deadline, shown_gap
from ...machine.memory import check_memory
from ...machine.one_thread import num_threads, one_blas_thread
from ...routing.base.routing import Routing
from ...routing.classes.path_classes import ClassLoads
from ...symmetry.pair_classes import Reduction
from ..adversary import Adversary
from ..design import PRICE, Method
from ..program.flows import routing_of_flows
from ..program.rounding import rounded_adversary, rounded_flows
from .method import FirstOrder, Judgement, layout_of

_NEVER = Deadline(None)
_LOAD_GAP, _LENGTH_GAP = 1e-4, 1e-3  # narrow enough where more would take long
_PER_FLOW = 2 * 8 + 4  # two memories, and a routing to judge
_PER_CELL = 70  # every pair by every channel: classes, adversaries and the routing's table, as measured
_BESIDES = 300_000_000
_MOST_THREADS = 8  # a round has that many parts
_FINE = 3e-7
_FIRST = 100
_MORE = 1.3  # rounds between judgements grow by this; a judgement costs about as much as two to six rounds
_MOST_ROUNDS = 20_000
_UNEVEN = 4.0
_LARGEST = (1 << 30) - 1  # of an adversary's whole numbers


def first_order_bytes(network: Network, *, reversal: bool, ports: Ports | None = None) -> int:
    """About how much memory the method takes, the judgement of its routing included."""
    own = layout_of(network, reversal=reversal, ports=ports)
    pairs, count = len(own.source) * len(own.destination), network.num_channels
    dense = 8 * (4 * count * network.num_nodes + 8 * 2 * count * len(own.destination))
    return _BESIDES + own.num_flows * _PER_FLOW + pairs * count * _PER_CELL + dense


class FirstOrderMethod(Method):
    """``demands``: a set between whose ports the reduction is, which must be ``is_hose``."""

    last: Judgement | None = None

    def __init__(self, reduction: Reduction, demands: TransportSet | None, stage: Stage, deadline: Deadline) -> None:
        del stage  # there is nothing that takes long before the first one
        network = reduction.network
        layout = layout_of(network, reversal=reduction.reversal, ports=reduction.ports)
        pairs = len(layout.source) * len(layout.destination)
        size = f"{pairs:,} pairs of nodes by {network.num_channels:,} channels"
        needed = first_order_bytes(network, reversal=reduction.reversal, ports=reduction.ports)
        check_memory(needed, f"designing for {network.name} ({size})")
        super().__init__(network, demands)
        self.reduction: Reduction = reduction
        self.deadline = deadline
        self.own = FirstOrder(layout, minimal=float(self.minimal), threads=min(num_threads(), _MOST_THREADS))

    def solve(self, show: object) -> None:
        self.own.ask(hop=0.0, price=1.0)
        self._rounds("worst case", _load_gap, _LOAD_GAP, show)

    def shorten(self, least: Fraction, show: object) -> bool:
        if not self.complete or self.last is None or least <= 0:
            return False
        terminals = self.reduction.network.num_terminals
        # In the objective the minimal average path length is 1.
        hop = 1.0 / (terminals**2 * float(self.minimal))
        self.own.ask(hop=hop, price=PRICE / self.last.load)
        self._rounds("path length", _length_gap(float(least), hop * terminals**2), _LENGTH_GAP, show)
        return True

    def _rounds(self, name: str, gap: Callable[[Judgement], float], enough: float, show: object) -> None:
        tell = shown_gap(show, name + ": {:,} rounds, gap about {:.1e}")
        self.last, self.complete = run_rounds(
            self.own, gap, enough=enough, deadline=self.deadline, balance=not self.own.hop, tell=tell
        )

    def bound(self) -> Adversary:
        return adversary_of_multipliers(self.reduction, self.own)

    def routings(self) -> list[Routing]:
        return [routing_of_flows(self.reduction, classes_of_flows(self.reduction, self.own))]


def _load_gap(found: Judgement) -> float:
    least = found.least_load()
    return found.load / least - 1 if least > 0 else float("inf")


def _length_gap(least: float, price: float) -> Callable[[Judgement], float]:
    """The larger gap of load and length; ``price``: of the average path length."""

    def gap(found: Judgement) -> float:
        length = (found.total - found.price * found.load) / price
        return max(found.load / least, found.length / length if length > 0 else float("inf")) - 1

    return gap


def run_rounds(
    method: FirstOrder,
    gap_of: Callable[[Judgement], float],
    *,
    enough: float,
    deadline: Deadline = _NEVER,
    balance: bool = False,
    tell: Callable[[int, float], None] | None = None,
) -> tuple[Judgement | None, bool]:
    """(what the last iterate is worth, was it neither the time nor anybody that ended the rounds?)

    Make rounds until ``gap_of`` is below 3e-7, or at most ``enough`` and no longer falling fast: faster than the
    square of the rounds grows; at most 20,000.  At least one is made, whatever the ``deadline`` says.  ``tell``: called
    with rounds and gap.

    ``balance``: change the penalty where one side of the interval (load >= ...) lags behind the other.
    """
    begun, due = method.rounds, method.rounds + _FIRST
    last: Judgement | None = None
    gap, before, since = float("inf"), float("inf"), begun
    try:
        with one_blas_thread(), ThreadPoolExecutor(method.threads) as pool:
            while method.rounds - begun < _MOST_ROUNDS:
                method.step(pool)
                if deadline.over:
                    return last, False
                if method.rounds < due:
                    continue
                last = method.judge(pool)
                gap = gap_of(last)
                if tell is not None:
                    tell(method.rounds - begun, gap)
                made, earlier = method.rounds - begun, max(since - begun, 1)
                if gap <= _FINE or (gap <= enough and gap > before * (earlier / made) ** 2):
                    break
                before, since = gap, method.rounds
                due = method.rounds + int((_MORE - 1) * made)
                if balance:
                    _balance(method, last)
    except KeyboardInterrupt:
        method.refresh()  # some sources may be a round ahead of others
        return last, False
    return last, True


def _balance(method: FirstOrder, found: Judgement) -> None:
    below, above = method.load - found.least_load(), found.load - method.load
    if below <= 0 or above <= 0:
        return
    if below > _UNEVEN * above:
        method.punish(method.penalty / 2)
    elif above > _UNEVEN * below:
        method.punish(method.penalty * 2)


def classes_of_flows(reduction: Reduction, method: FirstOrder) -> list[ClassLoads]:
    """Unit flows near the iterate's, as ``rounded_flows``."""
    opposite = reduction.network.reverse

    def flows() -> Iterator[tuple[int, Int64, Float64]]:
        for k, flow in _by_pair(reduction, method, method.flows):
            _, variable = np.unique(reduction.pairs[k].channel, return_inverse=True)
            net = flow if opposite is None else np.maximum(flow - flow[opposite], 0.0)
            yield k, variable, np.bincount(variable, weights=net) / np.bincount(variable)

    return rounded_flows(reduction, flows())


def adversary_of_multipliers(reduction: Reduction, method: FirstOrder) -> Adversary:
    top = max((float(method.multipliers(s).max(initial=0.0)) for s in range(len(method.layout.source))), default=0.0)
    top = max(top, method.hop)
    parts = _by_pair(reduction, method, method.multipliers)
    return rounded_adversary(reduction, parts, _LARGEST / top if top > 0 else 0.0, method.hop)


def _by_pair(
    reduction: Reduction, method: FirstOrder, block: Callable[[int], Float64]
) -> Iterator[tuple[int, Float64]]:
    """(number of the pair class, float64 (C,)): from blocks of sources, each made once."""
    own, opposite = method.layout, reduction.network.reverse
    place = {int(v): k for k, v in enumerate(own.source.tolist())}
    column = {int(v): k for k, v in enumerate(own.destination.tolist())}
    wanted: dict[int, list[tuple[int, int, bool]]] = {}
    for k, pair in enumerate(reduction.pairs):
        s, d, turned = place[pair.source], column[pair.destination], False
        if own.half and s > d:
            s, d, turned = d, s, True
        wanted.setdefault(s, []).append((k, d - int(own.first[s]), turned))
    for s, pairs in wanted.items():
        values = block(s)
        for k, d, turned in pairs:
            yield k, values[opposite, d] if turned else values[:, d].copy()
