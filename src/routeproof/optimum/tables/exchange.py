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

import math
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
from ...machine.deadlines import Deadline, OutOfTimeError, ended_in_time
from ...routing.base.mixture import Mixture
from ...routing.base.routing import Routing
from ...routing.named.names import named_routing
from ...routing.tables.crossings import Crossings, by_column
from .exchange_kernels import channel_values, count_dependencies, exchange, is_acyclic
from .starts import completed, completed_table, few_inner_tables, leaf_shifted_tables, shortest_tables, up_down_tables
from .symmetric import images_of, no_images, symmetric_below, symmetrised
from .tables import Dependencies, Images, Matching, Problem, Search, Tables, single_paths_of, tables_of, tables_of_paths
from .value_kernels import fill_passing

_ROUNDS = 256
_HEAT = 1.0  # growth that is taken with probability 1/e in the beginning: one more worst channel
_COOL = 1.25  # the last fifth of the search takes none
_MOST_CELLS = 250_000_000
_CLOSE = 1e-6
_SOON = 0.01  # seconds
_OF_CLAUSES = 0.25  # of the search: no clauses are made for symmetric tables later
_OF_SYMMETRIC = 0.5  # of the search: for tables that are symmetric
_OF_STEP = 0.01  # of the search: for proposals between two looks at the clock
_OWN = ("dor", "dor:tie=plus", "dmodk", "dragonfly-minimal")  # of one topology each: soon made, and good there
_TABLES = {"leaf-shifted": leaf_shifted_tables, "few-inner": few_inner_tables}
_ANY = ("sssp", "lash", "minimal", "updown")


@dataclass(frozen=True, eq=False)
class Improved:
    """The better ``routing``, the one that the search ``start``-ed from, and how it went: proposals made and taken;
    ``curve``: the worst case of the best tables after so many proposals, where it fell; ``interrupted``: somebody ended
    it; ``hops``: of all pairs by the best tables; ``last``: the tables at which a part of a search ended."""

    routing: Routing
    start: Routing
    proposals: int
    taken: int
    seed: int
    interrupted: bool = False
    curve: Sequence[tuple[int, Fraction]] = ()
    hops: float = 0.0
    last: Routing | None = None


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
    symmetric: bool = True,
    cooling: Sequence[float] = (0.0, 1.0),
    progress: Progress | None = None,
) -> Improved:
    """Search from ``start`` (default: shortest paths, or up*/down* where ``deadlock_free``) by ``proposals`` exchanges.

    ``minimal``: never take a longer way than the shortest; ``deadlock_free``: keep the channel dependencies free of
    cycles at all times, without virtual channels; ``time_limit``: seconds after which the best so far is returned;
    ``enough``: a worst case that no table beats, at which the search ends; ``symmetric``: symmetric tables first, where
    the network has translations; ``cooling``: this part of the way from hot to cold alone.

    ``lids``: pinned, the tables of a mixture are those of lids, of which each source uses one; single, ``start`` has
    one path for each source and destination, and so has what is found.  Else a mixture makes one of as many tables
    with the same weights; hosts of a fabric with fewer lids than others keep using theirs again.

    Raises InputError where ``start`` is not a table or mixture of tables, does not have the property asked for, or
    there are no paths.
    """
    if network.num_channels == 0:
        raise InputError(f"{network.name} has no channels: there are no tables to improve")
    deadline = Deadline(time_limit)
    if start is None:
        some = None if time_limit is None else _OF_CLAUSES * time_limit
        start = usual_start(network, deadlock_free=deadlock_free, minimal=minimal, time_limit=some)
    check_size(network, network.num_terminals ** (2 if lids.single else 1))
    tables = tables_of_paths(start) if lids.single else tables_of(start, pinned=lids.pinned)
    columns = tables.gathered([completed(network, part) for part in tables.parts])
    made = partial(_State, network, tables, minimal=minimal, ordered=deadlock_free, seed=seed)
    state = made(columns)
    if deadlock_free and not state.acyclic():
        raise InputError(
            f"{start.name} has cycles of channel dependencies; a deadlock-free search needs a start without"
        )
    search = _Annealing(state, proposals, deadline, time_limit, enough, progress, cooling)
    images = images_of(tables) if symmetric and proposals and not deadline.over else None
    if images is not None:
        alike = made(symmetrised(columns, images), images=images)
        if not (deadlock_free or tables.mixed or lids.count > 1):
            alike = search.solve(alike, images, partial(made, images=images), minimal=minimal)
        if not deadlock_free or alike.acyclic():
            search.run(alike, _OF_SYMMETRIC)
            state = made(search.best.copy())
    search.run(state, 1.0)

    def routing(columns: Int32) -> Routing:
        if lids.single:
            return single_paths_of(network, [columns[:, x] for x in tables.use], name=name)
        return tables.routing(columns, name=name)

    last = None if tuple(cooling) == (0.0, 1.0) else routing(state.problem.next_channel)
    went = search.done, search.taken, seed, search.interrupted, search.curve
    return Improved(routing(search.best), start, *went, hops=search.key[1], last=last)


def check_size(network: Network, num_columns: int) -> None:
    """Raise InputError where so many columns of tables are too many for the search."""
    words = -(-int((network.supply > 0).sum()) // 64)
    if network.num_nodes * num_columns * words > _MOST_CELLS:
        raise InputError(
            f"{network.num_nodes:,} nodes and {num_columns:,} destinations are too many for the search of tables; "
            f"worst-case judges those of a routing, such as sssp"
        )


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
        cooling: Sequence[float],
    ) -> None:
        self._cooling = cooling
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
        step = _ROUNDS if self._seconds is None else 1
        try:
            while not self.interrupted and self._spent < until and self._is_worth_it:
                step = min(step, self._proposals - self.done)
                first, last = self._cooling
                part = first + (last - first) * (self._spent - begun) / (until - begun)
                before = self._deadline.left()
                self.taken += state.run(step, _HEAT * max(0.0, 1 - _COOL * part))
                self.done += step
                self._see(state)
                if before is not None:  # looks at the clock every hundredth of the time or so
                    soon = before - (self._deadline.left() or 0.0) < _OF_STEP * (self._seconds or 0.0)
                    step = min(2 * step, _ROUNDS) if soon else max(step // 2, 1)
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
                    left = self._deadline.part(_OF_SYMMETRIC)
                    found = symmetric_below(state.network, images, self.curve[-1][1], minimal=shortest, seconds=left)
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
        if state.top() > self.key[0]:
            return
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
    deadline = Deadline(time_limit)
    found: list[tuple[float | Fraction, int, Routing]] = []
    with suppress(OutOfTimeError), ended_in_time(deadline.left(_SOON)):
        most = _judged(first[0]).hops_of_all() if minimal else math.inf
        for rank, known in enumerate((*_OWN, "leaf-shifted", name, *_ANY, "few-inner")):
            if deadline.over:
                break
            with suppress(InputError):
                if known in _TABLES:
                    routing: Routing = completed_table(network, _TABLES[known](network), name=known)
                else:
                    routing = first[0] if known == name else named_routing(known, network)
                state = _judged(routing, ordered=deadlock_free)
                if known == name or (state.hops_of_all() <= most and (not deadlock_free or state.acyclic())):
                    value = load(routing) if load else state.top()
                    found.append((value, 0 if known == name else 1 + rank, routing))
    return min(found, default=(0, 0, first[0]), key=lambda x: x[:2])[2]


def _judged(routing: Routing, *, ordered: bool = False) -> _State:
    """Tables, as the search knows them; raises InputError for other routings."""
    network, tables = routing.network, tables_of(routing)
    columns = tables.gathered([completed(network, part) for part in tables.parts])
    return _State(network, tables, columns, minimal=False, ordered=ordered, seed=0)


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
        check_size(network, tables.num_columns)
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
            crossings = Crossings.of_tables(self.network, by_column(table), target, amount == part, "these tables")
            total += part * int(crossings.pairs.sum())
        return float(total)
