"""Better forwarding tables: local search over destination-based routings, guided by worst permutations.

Each proposal looks at a channel with the worst worst case, at a packet that the worst permutation brings across it, and
forwards that packet's destination elsewhere at one node on its way.  Proposals that do not make the whole worse are
taken, others with a probability that falls to 0 (simulated annealing).  Where the network has translations, symmetric
tables are searched first (``symmetric``), and all others from the best of them.  Mixtures of tables (several lids a
host, as OpenSM's LMC makes them) are searched likewise, each table's entries by themselves.  What comes out is judged
exactly afterwards; nothing here proves that there is no better table (the linear program of ``optimum`` bounds all
routings from below).

Known in the literature as local search; the neighbourhood (one entry of one destination's tree) is that of SSSP and
DFSSSP rerouting (Domke, Hoefler & Nagel 2011), the objective, the exact worst permutation, is not theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...graphs.shortest import hops_to_all
from ...kernel.table_bounds import ONE, Lids
from ...machine.deadlines import Deadline
from ...routing.base.mixture import Mixture
from ...routing.base.routing import Routing
from ...routing.graph.up_down import default_root, up_channels
from ...routing.named.names import named_routing
from ...routing.tables.crossings import Crossings
from ...routing.tables.next_hop import NextHopRouting
from .exchange_kernels import channel_values, complete, count_dependencies, exchange, is_acyclic
from .symmetric import images_of, no_images, symmetric_below, symmetrised
from .tables import Dependencies, Images, Matching, Problem, Search, Tables, single_paths_of, tables_of, tables_of_paths
from .value_kernels import fill_passing

_ROUNDS = 256
_HEAT = 1.0  # growth that is taken with probability 1/e in the beginning: one more worst channel
_COOL = 1.25  # the last fifth of the search takes none
_MOST_CELLS = 250_000_000
_CLOSE = 1e-6
_OF_CLAUSES = 0.25  # of the search: no clauses are made for symmetric tables later
_OF_SYMMETRIC = 0.5  # of the search: for tables that are symmetric
_KNOWN = ("sssp", "dor", "dor:tie=plus", "dmodk", "dragonfly-minimal", "lash", "minimal", "updown")


@dataclass(frozen=True, eq=False)
class Improved:
    """The better ``routing``, the one that the search ``start``-ed from, and how it went: proposals made and taken;
    ``curve``: the worst case of the best tables after so many proposals, where it fell; ``interrupted``: somebody ended
    it."""

    routing: Routing
    start: Routing
    proposals: int
    taken: int
    seed: int
    interrupted: bool = False
    curve: Sequence[tuple[int, Fraction]] = ()


def improve_tables(
    network: Network,
    start: Routing | None = None,
    *,
    proposals: int = 100_000,
    seed: int = 0,
    time_limit: float | None = None,
    minimal: bool = False,
    deadlock_free: bool = False,
    name: str = "tables",
    enough: Fraction | None = None,
    lids: Lids = ONE,
    progress: Progress | None = None,
) -> Improved:
    """Search from ``start`` (default: shortest paths, or up*/down* where ``deadlock_free``) by ``proposals`` exchanges.

    ``minimal``: never take a longer way than the shortest; ``deadlock_free``: keep the channel dependencies free of
    cycles at all times, without virtual channels; ``time_limit``: seconds after which the best so far is returned;
    ``enough``: a worst case that no table beats, at which the search ends.

    ``lids``: pinned, the tables of a mixture are those of lids, of which each source uses one; single, ``start`` has
    one path for each source and destination, and so has what is found.  Else a mixture makes one of as many tables
    with the same weights; hosts of a fabric with fewer lids than others keep using theirs again.

    Raises InputError where ``start`` is not a table or mixture of tables, does not have the property asked for, or
    there are no paths.
    """
    if network.num_channels == 0:
        raise InputError(f"{network.name} has no channels: there are no tables to improve")
    if start is None:
        start = usual_start(network, deadlock_free=deadlock_free, minimal=minimal)
    _check_size(network, network.num_terminals ** (2 if lids.single else 1))
    tables = tables_of_paths(start) if lids.single else tables_of(start, pinned=lids.pinned)
    columns = tables.gathered([_completed(network, part) for part in tables.parts])
    made = partial(_State, network, tables, minimal=minimal, ordered=deadlock_free, seed=seed)
    state = made(columns)
    if deadlock_free and not state.acyclic():
        raise InputError(
            f"{start.name} has cycles of channel dependencies; a deadlock-free search needs a start without"
        )
    search = _Annealing(state, proposals, Deadline(time_limit), time_limit, enough, progress)
    images = images_of(tables)
    if images is not None:
        symmetric = made(symmetrised(columns, images), images=images)
        if not (deadlock_free or tables.mixed or lids.count > 1):
            symmetric = search.solve(symmetric, images, partial(made, images=images), minimal=minimal)
        if not deadlock_free or symmetric.acyclic():
            search.run(symmetric, _OF_SYMMETRIC)
            state = made(search.best.copy())
    search.run(state, 1.0)
    best = search.best
    if lids.single:
        found: Routing = single_paths_of(network, [best[:, x] for x in tables.use], name=name)
    else:
        found = tables.routing(best, name=name)
    return Improved(found, start, search.done, search.taken, seed, search.interrupted, search.curve)


def _check_size(network: Network, num_columns: int) -> None:
    words = -(-int((network.supply > 0).sum()) // 64)
    if network.num_nodes * num_columns * words > _MOST_CELLS:
        raise InputError(f"{network.num_nodes} nodes and {num_columns:,} destinations are too many for this search")


class _Annealing:
    """``best``: the best columns of all that were seen, with their ``key``; how many proposals were made and taken."""

    def __init__(
        self,
        state: _State,
        proposals: int,
        deadline: Deadline,
        time_limit: float | None,
        enough: Fraction | None,
        progress: Progress | None,
    ) -> None:
        self._proposals, self._deadline, self._seconds = proposals, deadline, time_limit
        self._enough, self._progress = enough, progress
        self.best, self.key = state.problem.next_channel.copy(), state.key()
        self.curve = [(0, state.load)]
        self.done = self.taken = 0
        self.interrupted = False

    def run(self, state: _State, until: float) -> None:
        """Until that part of all proposals, or of the time, is spent: what ends first, cools."""
        begun = self._spent
        self._see(state)
        try:
            while not self.interrupted and self._spent < until and self._is_worth_it:
                step = min(_ROUNDS, self._proposals - self.done)
                part = (self._spent - begun) / (until - begun)
                self.taken += state.run(step, _HEAT * max(0.0, 1 - _COOL * part))
                self.done += step
                self._see(state)
                if self._progress is not None:
                    self._progress(self.done, self._proposals)
        except KeyboardInterrupt:
            self.interrupted = True

    def solve(self, state: _State, images: Images, made: Callable[[Int32], _State], *, minimal: bool) -> _State:
        """Better symmetric tables, by a solver of clauses, with shortest paths first; ``state`` where it finds none."""
        self._see(state)
        try:
            for shortest in (True,) if minimal else (True, False):
                while self._proposals and self._is_worth_it and self._spent < _OF_CLAUSES:
                    before = self.key
                    found = symmetric_below(state.network, images, self.curve[-1][1], minimal=shortest)
                    if found is None:
                        break
                    state = made(found)
                    self._see(state)
                    if self.key >= before:
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return state

    def _see(self, state: _State) -> None:
        key = state.key()
        if key >= self.key:
            return
        if key[0] < self.key[0]:
            self.curve.append((self.done, state.load))
        self.best, self.key = state.problem.next_channel.copy(), key

    @property
    def _is_worth_it(self) -> bool:
        return self._enough is None or self.key[0] > float(self._enough) + _CLOSE

    @property
    def _spent(self) -> float:
        """What part of the proposals, or of the time."""
        left = self._deadline.left()
        of_time = 0.0 if left is None else 1 - left / self._seconds if self._seconds else 1.0
        return max(self.done / self._proposals if self._proposals else 1.0, of_time)


def usual_start(
    network: Network,
    *,
    deadlock_free: bool = False,
    minimal: bool = False,
    lids: Lids = ONE,
    time_limit: float | None = None,
    load: Callable[[Routing], Fraction] | None = None,
) -> Routing:
    """Where a search begins unless told: shortest paths (up*/down* where ``deadlock_free``), or the best of some tables
    with names that have what is asked; ``minimal``: of those whose paths are no longer; ``load``: by what
    they are compared (None: by the worst permutation).  After ``time_limit`` seconds no other one is looked at.

    Raises InputError where there are no paths.
    """
    if network.num_channels == 0:
        raise InputError(f"{network.name} has no channels: there are no tables to improve")
    name = "up-down" if deadlock_free else "shortest"
    tables = [
        up_down_tables(network, k) if deadlock_free else shortest_tables(network, k, lids) for k in range(lids.count)
    ]
    first = [completed_table(network, x, name=name) for x in tables]
    if lids.count > 1:
        return Mixture([(Fraction(1, len(first)), x) for x in first], name=name)
    deadline, state = Deadline(time_limit), _judged(first[0])
    most = state.hops_of_all() if minimal else float("inf")
    best: tuple[float | Fraction, Routing] = (load(first[0]) if load else state.top(), first[0])
    for known in _KNOWN:
        if deadline.over:
            break
        with suppress(InputError):
            routing = named_routing(known, network)
            state = _judged(routing, ordered=deadlock_free)
            if state.hops_of_all() <= most and (not deadlock_free or state.acyclic()):
                best = min(best, (load(routing) if load else state.top(), routing), key=lambda x: x[0])
    return best[1]


def _judged(routing: Routing, *, ordered: bool = False) -> _State:
    """Tables, as the search knows them; raises InputError for other routings."""
    network, tables = routing.network, tables_of(routing)
    columns = tables.gathered([_completed(network, part) for part in tables.parts])
    return _State(network, tables, columns, minimal=False, ordered=ordered, seed=0)


def completed_table(network: Network, table: Int32, *, name: str) -> NextHopRouting:
    """The table (N, T) with shortest ways to where it has entries; raises InputError where there are none."""
    return NextHopRouting(network, name, _completed(network, table), "terminal")


class _State:
    """The tables under search, with the arrays that the kernels need."""

    def __init__(
        self,
        network: Network,
        tables: Tables,
        columns: Int32,
        *,
        minimal: bool,
        ordered: bool,
        seed: int,
        images: Images | None = None,
    ) -> None:
        _check_size(network, tables.num_columns)
        self.network, self.ordered, self._parts = network, ordered, tables.scale
        self.images = no_images(network, tables.num_columns) if images is None else images
        n, d, c = network.num_nodes, tables.num_columns, network.num_channels
        offset, link = network.out_channels
        sources = np.flatnonzero(network.supply > 0).astype(np.int32)
        target = network.sink[tables.destination]
        self.problem = Problem(
            columns, network.tail, network.head, target, tables.amount, tables.supply_of(sources), tables.lid, sources,
            np.zeros((n, d, -(-len(sources) // 64)), dtype=np.uint64),
        )  # fmt: skip
        fill_passing(self.problem)
        self.random = np.array([(seed * 2654435761 + 88172645463325252) % (1 << 62) + 1], dtype=np.int64)

        def numbers(*shape: int) -> Int32:
            return np.zeros(shape, dtype=np.int32)

        self.search = Search(
            value=np.zeros(c, dtype=np.int64),
            # Values are in parts of a packet, of which its tables have so many.
            width=np.array([float(x) for x in network.bandwidth]) * tables.scale,
            hops=hops_to_all(network).T[:, target].astype(np.int32) if minimal else numbers(n, 0),
            changed=numbers(2 * c + 2),
            before=np.zeros(2 * c + 2, dtype=np.int64),
        )
        size = len(self.problem.supply)
        place = numbers(c)
        place[link] = np.arange(c) - offset[network.tail[link]]
        widest = int(np.diff(offset).max(initial=1))
        self.after = Dependencies(numbers(c if ordered else 1, widest), offset, link, place, numbers(c), numbers(c + 1))
        words = self.problem.passing.shape[2]
        self.work = Matching(
            match=numbers(size, int(network.supply.max())),
            used=numbers(size),
            seen=np.zeros((max(1, size // max(1, len(sources))), words), dtype=np.uint64),
            fresh=numbers(size),
            mark=numbers(max(size, n)),
            stack=numbers(max(size, n) + d + 1),
            first_column=numbers(d + 1),
            hit=numbers(d),
            moved=np.zeros(words, dtype=np.uint64),
        )
        self.mixed = tables.scratch(len(sources)) if tables.mixed else None
        channel_values(self.problem, self.images.rep, self.search.value, self.work, self.mixed)
        for j in range(d if ordered else 0):
            count_dependencies(self.problem, j, self.work.mark, self.after, 1)

    def acyclic(self) -> bool:
        return bool(is_acyclic(self.after, self.network.head))

    def run(self, rounds: int, heat: float) -> int:
        sides = (self.problem, self.images, self.search, self.work, self.mixed, self.after)
        return int(exchange(rounds, heat, self.random, *sides, self.ordered))

    @property
    def load(self) -> Fraction:
        """The worst case, exactly."""
        value = zip(self.search.value.tolist(), self.network.bandwidth, strict=True)
        return max((Fraction(x, self._parts) / b for x, b in value), default=Fraction(0))

    def key(self) -> tuple[float, ...]:
        """What makes a table better: the worst ratio, then the hops of all pairs, then how many channels are worst."""
        top = self.top()
        if not top:
            return (0.0, 0.0, 0.0)
        ratio = self.search.value / self.search.width
        return (top, self.hops_of_all(), float((ratio >= ratio.max() * (1 - 1e-12)).sum()))

    def top(self) -> float:
        """The worst ratio."""
        return round(float((self.search.value / self.search.width).max(initial=0.0)), 9)

    def hops_of_all(self) -> float:
        table, _, _, target, amount, *_ = self.problem
        total = 0
        for part in np.unique(amount[amount > 0]).tolist():
            crossings = Crossings.of_tables(self.network, table, target, amount == part, "these tables")
            total += part * int(crossings.pairs.sum())
        return float(total)


def shortest_tables(network: Network, lid: int = 0, lids: Lids = ONE) -> Int32:
    """int32, shape (N, T): for each destination the channels of a shortest-path tree, ties spread by terminal number;
    of several ``lids``, each has its own share of the ties, or, where sources are pinned, one of as many shares as
    there are ties in each.

    Raises InputError where a node cannot reach a terminal.
    """
    hops = hops_to_all(network).T
    offset, link = network.out_channels
    table = np.full((network.num_nodes, network.num_terminals), -1, dtype=np.int32)
    for v in range(network.num_nodes):
        leaving = link[offset[v] : offset[v + 1]]
        if not len(leaving):
            continue
        good = hops[network.head[leaving]][:, network.sink] + 1 == hops[v, network.sink][None, :]
        good &= hops[v, network.sink] > 0
        rank = np.cumsum(good, axis=0)
        count = rank[-1]
        shares = np.minimum(lids.count, np.maximum(np.sqrt(count).astype(int), 1)) if lids.pinned else lids.count
        share = np.maximum(count // shares, 1)
        end = np.arange(network.num_terminals)
        own = np.where(count < shares, end + lid, lid % shares * share + end % share)
        wanted = own % np.maximum(count, 1) + 1
        chosen = np.argmax(good & (rank == wanted), axis=0)
        table[v] = np.where(count > 0, leaving[chosen], -1)
    return table


def up_down_tables(network: Network, lid: int = 0) -> Int32:
    """int32, shape (N, T): up*/down* tables: down where only down channels lead to the destination, else up; of several
    lids, each breaks ties anew.

    Up is towards a root in the middle of the network, see ``routing.graph.up_down``; no cycle of dependencies is
    possible.
    """
    up = up_channels(network, default_root(network))
    size, into = network.num_nodes, _channels_into(network)
    table = np.full((size, network.num_terminals), -1, dtype=np.int32)
    for t, end in enumerate(network.sink.tolist()):
        distance = np.full(size, -1)
        distance[end] = 0
        rng = np.random.default_rng(t if lid == 0 else [t, lid])
        for down in (True, False):
            # First all nodes from which down channels alone lead here, then upwards to the nearest of those.
            queue = sorted(np.flatnonzero(distance >= 0).tolist(), key=distance.tolist().__getitem__)
            for v in queue:  # grows while it is walked through
                for c in rng.permutation(into[v]).tolist():
                    u = int(network.tail[c])
                    if up[c] != down and distance[u] < 0:
                        distance[u], table[u, t] = distance[v] + 1, c
                        queue.append(u)
    return table


def _channels_into(network: Network) -> list[Int32]:
    """By node, ascending."""
    first, channel = network.in_channels
    return np.split(channel, first[1:-1])


def _completed(network: Network, table: Int32) -> Int32:
    """The table with an entry at every node that reaches the destination: shortest ways to nodes that have one."""
    table = np.array(table, dtype=np.int32)
    size = network.num_nodes
    valid = (table >= 0) & (network.tail[table] == np.arange(size)[:, None])
    jump = np.full((size + 1, table.shape[1]), size, dtype=np.int32)
    jump[:-1] = np.where(valid, network.head[table], size)
    jump[network.sink, np.arange(table.shape[1])] = network.sink
    for _ in range(size.bit_length()):
        jump = np.take_along_axis(jump, jump, axis=0)
    lost = jump[:-1] != network.sink[None, :]
    if lost.any():
        complete(table, lost, network.tail, *network.in_channels)
    if lost.any():
        v, t = np.argwhere(lost)[0].tolist()
        raise InputError(f"no path leads from node {network.label(v)} to terminal {network.terminal_label(t)}")
    return table
