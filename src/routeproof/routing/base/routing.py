"""What a routing is to the rest of the house: pair loads by channel, pair loads by pair, and paths."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.checks.multipliers import shown
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.symmetry import Automorphism
from ...machine.memory import check_memory
from .flow_paths import flow_paths

__all__ = ["LOAD_BYTES", "Routing", "channel_off_the_way", "check_conservation"]

Int32 = npt.NDArray[np.int32]
_BLOCK_ENTRIES = 2_000_000
LOAD_BYTES = 180  # of a pair load while a channel is judged, measured on tori: with what sorting and matching take
_SMALL = 100_000_000  # bytes that nobody counts
_LOOKED_AT = 16  # channels, from the first to the last


class Routing(abc.ABC):
    """An oblivious routing on a network (pi of Towles & Dally 2002, sec. 2.2).

    Subclasses give ``channel_loads`` and ``pair_loads``; both must state the same numbers.

    - ``network``, ``name`` (the text that makes it again, e.g. ``romm:tie=split``);
    - ``row_of``, ``column_of``: int32, shape (T,): terminals with equal rows (columns) are routed alike as sources
      (destinations).  By default rows and columns are nodes: ``row_of = source``, ``column_of = sink``;
    - ``row_node``, ``column_node``: the node that a row injects at, a column receives at.
    """

    network: Network
    name: str
    in_full = False
    """Does ``describe`` give loads, paths or tables in full?  Else the name makes the routing again."""

    def __init__(self, network: Network, name: str) -> None:
        self.network = network
        self.name = name

    # -- rows and columns -------------------------------------------------------------------------------

    @property
    def row_of(self) -> Int32:
        return self.network.source

    @property
    def column_of(self) -> Int32:
        return self.network.sink

    @property
    def row_node(self) -> Int32:
        return np.arange(self.network.num_nodes, dtype=np.int32)

    @property
    def column_node(self) -> Int32:
        return np.arange(self.network.num_nodes, dtype=np.int32)

    @property
    def by_node(self) -> bool:
        """Rows and columns are the nodes; only then can automorphisms act on loads."""
        return True

    # -- loads ------------------------------------------------------------------------------------------

    @abc.abstractmethod
    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        """The pair loads of ``channels``, in the order asked for.

        ``rows`` (bool, shape (num_rows,)) restricts the sparse entries to some rows; ``base`` is never restricted.
        """

    @abc.abstractmethod
    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        """The loads of all channels for the pairs ``(rows[k], columns[k])``; a pair on one node has none.

        Here base loads are included in the entries.
        """

    def stream(self, channels: npt.ArrayLike | None = None, *, entries: int = _BLOCK_ENTRIES) -> Iterator[LoadBlock]:
        """Blocks of ``channels`` (default: all), each of about ``entries`` non-zeros, in order."""
        todo = np.arange(self.network.num_channels) if channels is None else np.asarray(channels)
        at, step = 0, 1
        while at < len(todo):
            block = self.channel_loads(todo[at : at + step])
            at += block.num_channels
            per_channel = max(1.0, len(block.row) / block.num_channels)
            step = int(min(max(1.0, entries / per_channel), 4 * step))
            yield block

    def expected_loads(self, channel: int) -> int:  # noqa: ARG002  # by default the average over channels
        """About how many pairs load a channel (apart from base loads), said before a single one is made.

        By default: every packet crosses at least as many channels as shortest paths have.
        """
        return self._average_loads

    @cached_property
    def _average_loads(self) -> int:
        network = self.network
        pairs = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
        return int(pairs * _about_hops(network) / max(1, network.num_channels))

    def check_room(self, channels: npt.ArrayLike, *, share: float = 1.0) -> None:
        """Raise InputError where the loads of ``channels``, held at once, are not to be held in memory; ``share``: of
        the rows that are asked for."""
        asked = np.asarray(channels).reshape(-1)
        if len(asked) * len(self.row_node) * len(self.column_node) * LOAD_BYTES < _SMALL:
            return
        count = int(share * sum(self.expected_loads(int(c)) for c in asked))
        where = "one channel" if len(asked) == 1 else f"{len(asked)} channels"
        check_memory(
            count * LOAD_BYTES, f"{self.name} on {self.network.name}, with about {count:,} pair loads on {where},"
        )

    def check_room_of_each(self) -> None:
        """``check_room`` of some channels, one at a time: for analyses that go through all of them."""
        for c in np.unique(np.linspace(0, self.network.num_channels - 1, _LOOKED_AT).astype(np.int64)):
            self.check_room([c])

    # -- paths ------------------------------------------------------------------------------------------

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Weighted paths (lists of channels) whose loads are those of the pair; weights sum to 1.

        By default the pair's loads are taken apart into few paths (heaviest first); the routing's own paths may
        be more in number, with the same loads.
        """
        if int(self.row_node[row]) == int(self.column_node[column]):
            return [(Fraction(1), [])]
        loads = self.pair_loads([row], [column]).as_dict()
        return flow_paths(self.network, loads, int(self.row_node[row]), int(self.column_node[column]))

    def sends(self, row: int, column: int) -> bool:
        """Do packets of the pair enter the network: has the row a source, the column a sink, on another node?

        A node without terminals is a row by node as well, and sends nothing whatever loads it is given.
        """
        apart = int(self.row_node[row]) != int(self.column_node[column])
        return apart and bool((self.row_of == row).any()) and bool((self.column_of == column).any())

    # -- laws -------------------------------------------------------------------------------------------

    def respects(self, g: Automorphism) -> bool:
        """Is load(c; i, j) = load(g(c); g(i), g(j)) for every channel and pair?  Exact; by default compares all."""
        if not self.by_node:
            return False
        for c in range(self.network.num_channels):
            here, there = self.channel_loads([c]), self.channel_loads([int(g.channel[c])])
            if len(here.row) != len(there.row):
                return False
            order = np.lexsort((g.node[here.column], g.node[here.row]))
            if not np.array_equal(g.node[here.row][order], there.row):
                return False
            if not np.array_equal(g.node[here.column][order], there.column):
                return False
            if here.load[order].fractions() != there.load.fractions():
                return False
            if (here.base is None) != (there.base is None):
                return False
            if here.base is not None and there.base is not None:
                for mine, theirs in ((here.base.row, there.base.row), (here.base.column, there.base.column)):
                    if mine[0].fractions() != theirs[0][g.node].fractions():
                        return False
        return True

    def respects_reversal(self) -> bool:
        """Is load(c; i, j) = load(reverse(c); j, i) throughout?  Only where a routing can tell cheaply; else False."""
        return False

    def alike_channels(self) -> Int32 | None:
        """int32, shape (C,): for every channel a representative of those that have the same loads by the routing's
        construction (pairs moved along); None where nothing is known without looking."""
        return None

    def check(self) -> None:
        """Raise InputError unless every pair of different nodes with terminals is delivered with weight exactly 1."""
        rows = np.unique(self.row_of)
        columns = np.unique(self.column_of)
        for i in rows.tolist():
            others = columns[self.column_node[columns] != self.row_node[i]]
            if len(others):
                block = self.pair_loads(np.full(len(others), i), others)
                for k, j in enumerate(others.tolist()):
                    check_conservation(self, block.as_dict(k), i, j)

    def describe(self) -> dict[str, Any]:
        """What a report stores so that ``verify`` can make this routing again."""
        return {"spec": self.name}


def _about_hops(network: Network) -> float:
    """The average distance from one node with terminals to the others: for most networks about that of all."""
    start = int(network.source[0])
    hops = hops_from(network.num_nodes, network.tail, network.head, start)
    ends = network.demand > 0
    return float(hops[ends & (hops > 0)].sum() / ends.sum())


def check_conservation(routing: Routing, loads: dict[int, Fraction], row: int, column: int) -> None:
    """Raise InputError unless ``loads`` carry one unit from the row's node to the column's node."""
    network = routing.network
    start, end = int(routing.row_node[row]), int(routing.column_node[column])
    net: dict[int, Fraction] = {}
    for c, x in loads.items():
        u, v = int(network.tail[c]), int(network.head[c])
        net[u] = net.get(u, Fraction(0)) + x
        net[v] = net.get(v, Fraction(0)) - x
    for v, surplus in net.items():
        wanted = (v == start) - (v == end)
        if surplus != wanted:
            raise InputError(
                f"routing {routing.name} does not deliver from {network.label(start)} to {network.label(end)}: "
                f"at node {network.label(v)} {shown(surplus)} more leaves than arrives; {wanted} was expected"
            )
    if start not in net:
        raise InputError(f"routing {routing.name} has no path from {network.label(start)} to {network.label(end)}")
    off = channel_off_the_way(network, start, list(loads))
    if off is not None:
        raise InputError(
            f"routing {routing.name} loads {network.channel_label(off)} from {network.label(start)} to "
            f"{network.label(end)}, but no packet of that pair can get there"
        )


def channel_off_the_way(network: Network, start: int, channels: list[int]) -> int | None:
    """The first of ``channels`` that cannot be reached from node ``start`` over the others, or None."""
    leaving: dict[int, list[int]] = {}
    for c in channels:
        leaving.setdefault(int(network.tail[c]), []).append(c)
    seen, waiting = {start}, [start]
    while waiting:
        for c in leaving.get(waiting.pop(), ()):
            v = int(network.head[c])
            if v not in seen:
                seen.add(v)
                waiting.append(v)
    return next((c for c in channels if int(network.tail[c]) not in seen), None)
