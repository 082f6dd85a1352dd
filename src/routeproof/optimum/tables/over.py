"""Better forwarding tables over any set of demands, by local search: each exchange is judged by the set's own method.

An exchange is that of ``exchange``: a packet of the worst demand is forwarded elsewhere on its way to a worst channel.
Exchanges that do not make the worst case worse are taken, others with a probability that falls to 0 (simulated
annealing).  They are fewer than there, as judging takes longer.  What no oblivious routing beats bounds all tables.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...claims.derived import throughput_of
from ...claims.routings.adversary import ADVERSARY
from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress, Stage, silent
from ...demand_sets.demand_set import DemandSet
from ...graphs.shortest import hops_to_all
from ...machine.deadlines import Deadline, OutOfTimeError, ended_in_time
from ...routing.base.routing import Routing
from ...routing.tables.next_hop import NextHopRouting
from ...worst.over import Options, worst_over
from ...worst.worst_traffic import worst_traffic
from ..design import Bound
from ..over import design_over
from ..simple_bound import simple_bounds
from .exchange import Improved, usual_start
from .starts import completed_table
from .tables import tables_of

_MOST_CELLS = 12_000  # pairs of nodes times channels: up to here the bound is that of a program
_FOR_SIMPLE = 5.0  # seconds
_HEAT = 0.4  # growth, of the worst case, that is taken with probability 1/e in the beginning
_COOL = 1.25  # the last fifth of the search takes none
_JUDGED = Options(symmetry="none")


def check_over(network: Network, demands: DemandSet) -> None:
    """Raise InputError for a set over which there is no one worst case, and for one of another network."""
    demands.check_between(network)
    if demands.no_best or not demands.designed_by:
        raise InputError(f"{demands.text} {demands.no_best or 'is not a set that tables are designed for'}")


def start_over(
    network: Network, demands: DemandSet, *, minimal: bool = False, time_limit: float | None = None
) -> Routing:
    """The best over the set of tables with names, see ``usual_start``."""
    return usual_start(
        network, minimal=minimal, time_limit=time_limit, load=lambda x: worst_over(x, demands, _JUDGED).load
    )


def improve_tables_over(
    network: Network,
    demands: DemandSet,
    start: Routing | None = None,
    *,
    proposals: int,
    seed: int = 0,
    time_limit: float | None = None,
    minimal: bool = False,
    name: str = "tables",
    enough: Fraction | None = None,
    progress: Progress | None = None,
) -> Improved:
    """Search from ``start`` (default: the best of tables with names, over the set); arguments as in ``improve_tables``.

    Raises InputError where ``start`` is not one table, or there are no paths.
    """
    if start is None:
        start = start_over(network, demands, minimal=minimal)
    first, *others = tables_of(start).parts
    if others:
        raise InputError(
            f"{start.name} is a mixture of tables; over {demands.text} one table was expected to begin with"
        )
    search = _Search(network, demands, completed_table(network, first, name=name), np.random.default_rng(seed), minimal)
    best, curve, deadline = (search.key, search.table), [(0, search.worst.load)], Deadline(time_limit)
    done, taken, interrupted = 0, 0, False
    try:
        while done < proposals and not deadline.over and (enough is None or best[0][0] > enough):
            left = deadline.left()
            part = max(done / proposals, 0.0 if left is None or not time_limit else 1 - left / time_limit)
            done += 1
            taken += search.propose(_HEAT * max(0.0, 1 - _COOL * part))
            if search.key < best[0]:
                if search.key[0] < best[0][0]:
                    curve.append((done, search.worst.load))
                best = search.key, search.table
            if progress is not None:
                progress(done, proposals)
    except KeyboardInterrupt:
        interrupted = True
    found = NextHopRouting(network, name, best[1], "terminal")
    return Improved(found, start, done, taken, seed, interrupted, curve)


class _Search:
    """``table``, int32 (N, T), with its worst case and ``key``: that, then the hops of all pairs."""

    def __init__(
        self, network: Network, demands: DemandSet, start: NextHopRouting, rng: np.random.Generator, minimal: bool
    ) -> None:
        self.network, self._demands, self._rng = network, demands, rng
        self._hops = hops_to_all(network).T if minimal else None
        self.table = start.next_channel
        self.worst = worst_over(start, demands, _JUDGED)
        self.key = self._key(self.worst.load, self.table)

    def propose(self, heat: float) -> bool:
        """One exchange; is it taken?"""
        network = self.network
        c = int(self._rng.choice(self.worst.worst_channels or [self.worst.channel]))
        ways = [(j, way) for i, j, _ in worst_traffic(self.worst) if (way := self._way(self.table, i, j, c))]
        if not ways:
            return False
        j, way = ways[self._rng.integers(len(ways))]
        v = way[self._rng.integers(len(way))]
        first, link = network.out_channels
        new = int(self._rng.choice(link[first[v] : first[v + 1]]))
        end, head = network.sink[j], network.head
        if new == self.table[v, j] or (self._hops is not None and self._hops[head[new], end] >= self._hops[v, end]):
            return False
        w = int(head[new])
        while w != end:
            if w == v:
                return False
            w = int(head[self.table[w, j]])
        table = self.table.copy()
        table[v, j] = new
        worst = worst_over(NextHopRouting(network, "tables", table, "terminal"), self._demands, _JUDGED)
        growth = float(worst.load / self.worst.load) - 1 if self.worst.load else 0.0
        if growth > 0 and (not heat or self._rng.random() >= math.exp(-growth / heat)):
            return False
        self.table, self.worst, self.key = table, worst, self._key(worst.load, table)
        return True

    def _way(self, table: Int32, i: int, j: int, c: int) -> list[int]:
        """The nodes on the way from terminal i to j up to the tail of channel c; none where it is not crossed."""
        v, nodes = int(self.network.source[i]), list[int]()
        while v != self.network.sink[j]:
            nodes.append(v)
            if table[v, j] == c:
                return nodes
            v = int(self.network.head[table[v, j]])
        return []

    def _key(self, load: Fraction, table: Int32) -> tuple[Fraction, int]:
        network, ends = self.network, np.arange(self.network.num_terminals)
        at = np.repeat(network.source[:, None], len(ends), axis=1)
        hops = 0
        while (moving := at != network.sink[None, :]).any():
            hops += int(moving.sum())
            at = np.where(moving, network.head[table[at, ends[None, :]]], at)
        return load, hops


@dataclass(frozen=True)
class OverBound:
    """What no oblivious routing beats over the set, if ``bound`` is known."""

    demands: DemandSet
    bound: Bound | None

    @property
    def of_tables(self) -> Fraction | None:
        """What no table beats: nothing where the bound is on routings that treat the terminals of a node alike."""
        return None if self.bound is None or self.bound.terminals_alike else self.bound.least_load()

    def claims(self) -> list[Claim]:
        if self.bound is None or not self.bound.least_load():
            return []
        about, value = {"demands": self.demands.text}, self.bound.least_load()
        source = "Towles, Dally & Boyd 2003 (SPAA), eq. 8"
        claim = ADVERSARY.claim(value, self.bound.data(), about, quantity="worst_case_load", source=source)
        return [claim, throughput_of(claim)]

    def words(self, load: Fraction) -> str:
        if not self.claims() or self.bound is None:
            return "none"
        value, over = self.bound.least_load(), f"over {self.demands.text}"
        those = "no oblivious routing"
        if self.bound.terminals_alike:
            those += " that treats the terminals of a node alike"
        what = "oblivious ratio" if self.demands.text == "routable" else "worst case"
        if value == load:
            return f"{those} has a lower {what} {over}"
        return f"{those} has {'an' if what[0] == 'o' else 'a'} {what} below {value} {over}"


def bound_over(
    network: Network, demands: DemandSet, *, time_limit: float | None = None, stage: Stage | None = None
) -> OverBound:
    """By a program where that is small, else by one demand alone."""
    found: list[Bound] = []
    with suppress(InputError, OutOfTimeError), ended_in_time(_FOR_SIMPLE if time_limit is None else time_limit / 2):
        found += simple_bounds(network, demands)
    senders = int(np.count_nonzero(network.supply))
    if senders * senders * network.num_channels <= _MOST_CELLS:
        asked = {"shortest": False, "path_length": None, "paths": None, "symmetry": "auto", "solver": "auto"}
        left = None if time_limit is None else time_limit / 2
        with suppress(InputError, OutOfTimeError), ended_in_time(left):
            found.append(design_over(network, demands, {**asked, "time_limit": left}, stage or silent).load_adversary)
    every = [x for x in found if not x.terminals_alike]
    return OverBound(demands, max(every or found, key=lambda x: x.least_load(), default=None))
