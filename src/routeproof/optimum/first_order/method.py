"""The worst-case program by alternating directions: no large matrix, no symmetry, memory for two copies of the flows.

Every pair's flows are conserved on the same network, and each channel's potentials stand above all of them: of

    minimise cost . x + price * w   over flows x, potentials u, v and the load w with
    E x = f (each pair),  sum of supply * u_c + demand * v_c = bandwidth_c * w  (each channel),
    x >= 0,  u_ci + v_cj - x_ijc >= 0,

the equations make one system that is a product of two small ones, so that it is solved exactly in closed form: the
flows of each pair are projected onto conservation by the pseudo-inverse of the Laplacian, one N x N matrix for all
pairs, and the potentials follow from sums over sources and destinations.  The inequalities are the other block of the
method, entry by entry.  With reversal of paths only one of two opposite pairs is kept.

Source: the program is eq. 8 of Towles, Dally & Boyd 2003 (SPAA); the method is that of Glowinski & Marroco 1975 and
Gabay & Mercier 1976 as Boyd, Parikh, Chu, Peleato & Eckstein 2011 (Foundations and Trends in Machine Learning 3(1))
present it, sec. 3.4.3 with over-relaxation and 3.4.1 with a penalty that changes (here by how far each side of the
certified interval is from the method's own load).  Nothing here is trusted: flows and multipliers are rounded
and judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from ...graphs.transport import heaviest_assignment
from ...kernel.ports import Ports
from .kernels import distances, matrix_of, pass_over, rounded, source_flows

_RELAX = 1.6
_PARTS = 8  # sums are made in this many parts, whatever the number of threads: the same answer everywhere
_LONGER = 1.3  # paths of the best routing, about, relative to the shortest


@dataclass(frozen=True, eq=False)
class Layout:
    """Which flows are kept, and where.

    ``source`` (S,) and ``destination`` (D,) are nodes; source s has the destinations from ``first[s]`` on, in a block
    that begins at ``start[s]``; ``half``: the others are reversed paths.  ``rates`` (S + D,): what sources send and
    destinations receive at most; ``of_terminals``: one packet each.
    """

    network: Network
    source: Int64
    destination: Int64
    first: Int64
    start: Int64
    half: bool
    rates: Float64
    of_terminals: bool

    @property
    def num_flows(self) -> int:
        return int(self.start[-1])


def layout_of(network: Network, *, reversal: bool, ports: Ports | None = None) -> Layout:
    """``reversal``: a path and its reverse may have the same weight (same terminals, same bandwidths); ``ports``: of a
    set of demands that ``is_hose``, None for permutations."""
    if ports is None:
        source = np.nonzero(network.supply)[0].astype(np.int64)
        destination = np.nonzero(network.demand)[0].astype(np.int64)
        sides = network.supply[source].astype(np.float64), network.demand[destination].astype(np.float64)
    else:
        source, destination = ports.row_node.astype(np.int64), ports.column_node.astype(np.int64)
        sends, receives = (np.array([float(x) for x in y or ()]) for y in (ports.sends, ports.receives))
        sides = sends, receives
    first = np.arange(len(source)) if reversal else np.zeros(len(source), dtype=np.int64)
    size = network.num_channels * (len(destination) - first)
    start = np.concatenate([[0], np.cumsum(size)])
    return Layout(network, source, destination, first, start, reversal, np.concatenate(sides), ports is None)


def is_hose(ports: Ports) -> bool:
    """Is the set limited by the rates of its nodes alone, as much sent as received?  The method's potentials may be
    negative, which needs demands that use up all rates (packets to oneself, of no load, may help)."""
    if not ports.by_node or ports.room is not None or ports.total is not None or None in (ports.sends, ports.receives):
        return False
    sends, receives = (sum(x or (), Fraction(0)) for x in (ports.sends, ports.receives))
    return sends == receives and bool((ports.may == (ports.row_node[:, None] != ports.column_node[None, :])).all())


@dataclass(frozen=True)
class Judgement:
    """What an iterate is worth, in floats: ``load`` and ``length`` of the routing near it; ``price`` * w + hops *
    length is at least ``total``, whatever the routing (length: average over pairs of terminals)."""

    load: float
    length: float
    price: float
    total: float

    def least_load(self) -> float:
        return self.total / self.price if self.price > 0 else 0.0


class Frame(NamedTuple):
    """What the kernels need to know of the network and the layout: arrays of ``Layout`` and ``Network``, int64;
    ``laplace``: the pseudo-inverse of the Laplacian, (N, N); ``opposite``: the channel back, or -1."""

    source: Int64
    destination: Int64
    first: Int64
    start: Int64
    half: bool
    tail: Int64
    head: Int64
    offset: Int64
    leaving: Int64
    opposite: Int64
    supply: Float64
    demand: Float64
    laplace: Float64


class Iterate(NamedTuple):
    """``f`` and ``g`` are the method's memories for x >= 0 and for u + v - x >= 0: their positive parts are x and
    u + v - x as last seen, their negative parts the multipliers, scaled.  ``u``: (S, C); ``v``: (C, D); ``cost``:
    (S, D), over the penalty."""

    f: Float64
    g: Float64
    u: Float64
    v: Float64
    cost: Float64


class FirstOrder:
    """The method's state; ``step`` is one round, ``judge`` says how good the iterate is."""

    def __init__(self, layout: Layout, *, minimal: float, threads: int) -> None:
        """``minimal``: the minimal average path length, for the size of things."""
        self.layout, self.threads = layout, threads
        network = layout.network
        s, d, count = len(layout.source), len(layout.destination), network.num_channels
        self._bandwidth = np.array([float(b) for b in network.bandwidth])
        self._incidence = np.zeros((network.num_nodes, count))
        self._incidence[network.tail, np.arange(count)] += 1.0
        self._incidence[network.head, np.arange(count)] -= 1.0
        opposite = np.full(count, -1) if network.reverse is None else network.reverse
        ways = (network.tail, network.head, *network.out_channels, opposite)
        tail, head, offset, leaving, back = (x.astype(np.int64) for x in ways)
        laplace = np.ascontiguousarray(np.linalg.pinv(self._incidence @ self._incidence.T, hermitian=True))
        terminals = network.supply.astype(np.float64), network.demand.astype(np.float64)
        flows = (layout.source, layout.destination, layout.first, layout.start, layout.half)
        self._frame = Frame(*flows, tail, head, offset, leaving, back, *terminals, laplace)
        potentials = (np.zeros((s, count)), np.zeros((count, d)), np.zeros((s, d)))
        self._iterate = Iterate(np.zeros(layout.num_flows), np.zeros(layout.num_flows), *potentials)
        self._by_source = np.zeros((2, s, count))
        self._by_destination = np.zeros((_PARTS, 2, count, d))
        self._constants()
        self.hop, self.price, self.rounds, self.load = 0.0, 1.0, 0, 0.0
        each = layout.rates[:s].sum() / (self._bandwidth.sum() * s * d)
        self._unit = each / (_LONGER * minimal / count)  # a multiplier's size over a flow's
        self.penalty = self._unit

    def _constants(self) -> None:
        own = self._frame
        s, d = len(own.source), len(own.destination)
        excess = np.zeros((len(own.laplace), s + d))  # of the unit flows, summed for every source and every destination
        excess[own.source, np.arange(s)] += d
        excess[own.destination, :s] -= 1.0
        excess[own.source, s:] += 1.0
        excess[own.destination, s + np.arange(d)] -= s
        self._units = self._rise(own.laplace @ excess)
        both = np.block([[d * np.eye(s), np.ones((s, d))], [np.ones((d, s)), s * np.eye(d)]])
        self._inverse = np.linalg.pinv(both, hermitian=True)
        self._weight = np.concatenate([own.supply[own.source], own.demand[own.destination]])
        self._rates = self.layout.rates
        self._weighted = self._inverse @ self._rates
        self._size = float(self._rates @ self._weighted)
        self._spread = self._bandwidth - self._circulating(self._bandwidth) / 2
        self._ones = self._circulating(np.ones(len(self._bandwidth)))

    def _rise(self, node: Float64) -> Float64:
        return np.asarray(node[self._frame.tail] - node[self._frame.head])

    def _circulating(self, x: Float64) -> Float64:
        """The part of ``x`` (C, ...) that is conserved at every node."""
        return x - self._rise(self._frame.laplace @ (self._incidence @ x))

    # -- one round ----------------------------------------------------------------------------------------------------

    def ask(self, *, hop: float, price: float) -> None:
        """Minimise ``hop`` * (hops of all pairs of terminals) + ``price`` * load from now on."""
        self.hop, self.price = hop, price
        self.punish(self._unit * price)

    def punish(self, penalty: float) -> None:
        """Change the penalty, and the scaled multipliers with it."""
        for memory in self._iterate[:2]:
            np.multiply(memory, self.penalty / penalty, out=memory, where=memory < 0.0)
        self.penalty = penalty
        self.refresh()

    def refresh(self) -> None:
        """The sums and potentials of the memories as they are."""
        with ThreadPoolExecutor(self.threads) as pool:
            self._pass(pool, 0.0)

    def step(self, pool: ThreadPoolExecutor) -> None:
        self._pass(pool, _RELAX)
        self.rounds += 1

    def _pass(self, pool: ThreadPoolExecutor, relax: float) -> None:
        own, sums = self._by_source, self._by_destination
        sums[:] = 0.0
        self._all(pool, lambda part, k: pass_over(part, self._frame, self._iterate, relax, own, sums[k]))
        self._potentials()

    def _all(self, pool: ThreadPoolExecutor, work: Callable[[Int64, int], Any]) -> list[Any]:
        """``work`` on all sources, in parts of about the same size."""
        parts = [np.arange(k, len(self.layout.source), _PARTS) for k in range(_PARTS)]
        return list(pool.map(work, parts, range(_PARTS)))

    def _sums(self, by_source: Float64, by_destination: Float64) -> Float64:
        """(C, S + D): the sums for every source and every destination, of all pairs."""
        if not self.layout.half:
            return np.concatenate([by_source.T, by_destination], axis=1)
        opposite = self._frame.opposite
        rows = by_source.T + by_destination[opposite]
        return np.concatenate([rows, rows[opposite]], axis=1)

    def _potentials(self) -> None:
        s = len(self.layout.source)
        last = self._by_destination.sum(axis=0)
        room, flow = (self._sums(self._by_source[k], last[k]) for k in (0, 1))
        terminals = self.layout.network.num_terminals
        hops = np.outer(self._ones, self._weight) * (self.hop * terminals / self.penalty)
        right = room + self._units + (self._circulating(flow - room) - hops) / 2
        solved = right @ self._inverse
        along = solved @ self._rates
        self.load = float(
            (self._bandwidth @ along - self.price * self._size / self.penalty) / (self._bandwidth @ self._spread)
        )
        solved -= np.outer((along - self.load * self._spread) / self._size, self._weighted)
        solved += self._circulating(solved)
        self._iterate = self._iterate._replace(
            u=np.ascontiguousarray(solved[:, :s].T),
            v=np.ascontiguousarray(solved[:, s:]),
            cost=np.outer(self._weight[:s], self._weight[s:]) * (self.hop / self.penalty),
        )

    # -- what it is worth ---------------------------------------------------------------------------------------------

    def flows(self, s: int) -> Float64:
        """(C, D - first[s]): the conserved flows of source number ``s``; a little of them may be negative."""
        found: Float64 = source_flows(s, self._frame, self._iterate)
        return found

    def multipliers(self, s: int) -> Float64:
        """(C, D - first[s]): those of u + v - x >= 0."""
        own = self.layout
        block = self._iterate.g[own.start[s] : own.start[s + 1]].reshape(own.network.num_channels, -1)
        return np.asarray(np.maximum(-block, 0.0) * self.penalty)

    def judge(self, pool: ThreadPoolExecutor) -> Judgement:
        own, sums = np.zeros(self._by_source.shape[1:]), np.zeros((_PARTS, *self._by_destination.shape[2:]))
        given = (self._frame, self._iterate.g, self.penalty, self.hop, own)
        total = sum(self._all(pool, lambda part, k: distances(part, *given, sums[k])))
        each = self._sums(own, sums.sum(axis=0)) / self._rates
        load, length = self._routed(pool)
        return Judgement(load, length, float(each.max(axis=1) @ self._bandwidth), float(total))

    def _routed(self, pool: ThreadPoolExecutor) -> tuple[float, float]:
        """Worst case (at most, where rates differ) and average path length of the routing near the iterate."""
        own, network = self._frame, self.layout.network
        out = np.empty(self.layout.num_flows, dtype=np.float32)
        self._all(pool, lambda part, _: rounded(part, own, self._iterate, out))
        weights = np.outer(self._weight[: len(own.source)], self._weight[len(own.source) :])
        worst, hops = 0.0, 0.0
        for c in range(network.num_channels):
            matrix = matrix_of(c, out, own)
            hops += float((matrix * weights).sum())
            if not own.half or own.opposite[c] >= c:
                worst = max(worst, self._most(c, matrix) / self._bandwidth[c])
        return worst, hops / network.num_terminals**2

    def _most(self, c: int, matrix: Float64) -> float:
        """The most that channel ``c`` carries, or what potentials allow where rates differ: those of the iterate, made
        to cover ``matrix`` (S, D)."""
        own, network = self._frame, self.layout.network
        if self.layout.of_terminals:  # the row of every terminal that sends, the column of every one that receives
            rows, columns = np.searchsorted(own.source, network.source), np.searchsorted(own.destination, network.sink)
            matrix = matrix[rows][:, columns]
            return float(matrix[np.arange(len(matrix)), heaviest_assignment(matrix)].sum())
        row = (matrix - self._iterate.v[c]).max(axis=1)
        column = (matrix - row[:, None]).max(axis=0)
        return float(np.concatenate([row, column]) @ self._rates)
