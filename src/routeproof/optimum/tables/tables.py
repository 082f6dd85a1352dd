"""Forwarding tables to be searched over: the columns of one table, or of several that share the packets; and the arrays
that the kernels of the search take, by name, see ``exchange_kernels``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.paths import Paths
from ...formats.infiniband.fabric import FabricNetwork
from ...graphs.transport_arrays import Scratch, Solved, Start
from ...routing.base.mixture import Mixture
from ...routing.base.routing import Routing
from ...routing.tables.next_hop import NextHopRouting, next_hops_of
from ...routing.tables.path_tables import TableRouting
from ...routing.tables.pinned import PinnedRouting

UInt64 = npt.NDArray[np.uint64]
_MOST_PARTS = 1 << 16


class Problem(NamedTuple):
    """The tables and their network: column j of ``next_channel`` (int32 (N, D)) leads to node ``target[j]``.

    tail, head: int32 (C,); amount: int64 (D,), how many parts of its packets take a column, 0 for a column left out;
    sources: int32 (S,), the nodes that send; supply: (K S,), packets that source s sends by lid k at k S + s, where
    sources are pinned to one of K lids (else K is 1); lid: int32 (D,), whose column it is, those of a destination in
    order; passing: uint64 (N, D, words), a bit for every source whose packets pass the node by the column.
    """

    next_channel: Int32
    tail: Int32
    head: Int32
    target: Int32
    amount: Int64
    supply: Int64
    lid: Int32
    sources: Int32
    passing: UInt64


class Matching(NamedTuple):
    """``hit``: int32 (D,), out: the source whose packet the worst permutation brings across the channel, or -1.

    Scratch: match (K S, most packets of a node), used, fresh (K S,), seen (K, words), mark (K S or N,), stack,
    first_column (K S + D + 1,), moved (words,).
    """

    match: Int32
    used: Int32
    seen: UInt64
    fresh: Int32
    mark: Int32
    stack: Int32
    first_column: Int32
    hit: Int32
    moved: UInt64


class Mixed(NamedTuple):
    """For several tables that share the packets, and as many entries as sources times destinations.

    destination: int64 (D,), the terminal of a column; demand: ones, int64 (T,); share: int64 (N, T), zeros, left so.
    The others are what ``solve_channels`` takes, for one channel.
    """

    destination: Int64
    demand: Int64
    share: Int64
    offset: Int64
    row: Int32
    column: Int32
    weight: Int64
    start: Start
    stop: Int64
    solved: Solved
    scratch: Scratch


class Dependencies(NamedTuple):
    """How many columns use the dependency of a channel on a next one, ``uses`` (int32, shape (C, most out-degree)).

    Node v has the channels ``out_link[out_ptr[v]:out_ptr[v + 1]]``; channel c is number ``place[c]`` of its tail's.
    degree, waiting: (C + 1,) scratch.
    """

    uses: Int32
    out_ptr: Int64
    out_link: Int32
    place: Int32
    degree: Int32
    waiting: Int32


class Search(NamedTuple):
    """``value``: int64 (C,), the worst cases of channels that have one of their own (``Images``), kept up to date, and
    what they are weighed by.

    width: float64 (C,), bandwidths (to weigh by: what is claimed is computed exactly elsewhere); hops: int32 (N, D),
    distances to destinations, where only shorter hops are proposed, or (N, 0); changed, before: (2 C + 2,) scratch.
    """

    value: Int64
    width: npt.NDArray[np.float64]
    hops: Int32
    changed: Int32
    before: Int64


class Images(NamedTuple):
    """Symmetries of the tables, the identity among them: one takes node v to ``node[g, v]``, channel c to
    ``channel[g, c]``, column j to ``column[g, j]``, another one for each g.  ``rep``: int32 (C,), the least channel
    that is taken to c; others have no value of their own."""

    node: Int32
    channel: Int32
    column: Int32
    rep: Int32


@dataclass(frozen=True, eq=False)
class Tables:
    """``parts``: int32 (N, T) each, by terminal, with ``weight``; what is searched over is their different columns.

    Column j is part ``first[j]``'s towards terminal ``destination[j]``; ``amount[j]`` parts in ``scale`` of the packets
    take it.  ``use``: int64 (parts, T), the column that each part has for each terminal.  ``pin``: int64 (T, T), which
    part a source uses to a destination, by source alone; None where packets take parts by their weights.
    """

    network: Network
    parts: tuple[Int32, ...]
    weight: tuple[Fraction, ...]
    scale: int
    first: Int64
    destination: Int64
    amount: Int64
    use: Int64
    pin: Int64 | None = None

    @property
    def num_columns(self) -> int:
        return len(self.destination)

    @property
    def mixed(self) -> bool:
        return len(self.parts) > 1 and self.pin is None

    @property
    def by_source(self) -> bool:
        """Does every source have a part of its own?"""
        return self.pin is not None and np.array_equal(self.pin[:, 0], np.arange(len(self.parts)))

    def supply_of(self, sources: Int32) -> Int64:
        """See ``Problem``."""
        if self.pin is None:
            return self.network.supply[sources].astype(np.int64)
        size = self.network.num_nodes
        at = self.pin[:, 0] * size + self.network.source
        by_lid = np.bincount(at, minlength=len(self.parts) * size).reshape(-1, size)
        return by_lid[:, sources].reshape(-1)

    @property
    def lid(self) -> Int32:
        """See ``Problem``."""
        return self.first.astype(np.int32) if self.pin is not None else np.zeros(self.num_columns, dtype=np.int32)

    def gathered(self, parts: list[Int32]) -> Int32:
        """int32 (N, D): the columns, from parts like ``self.parts``."""
        columns = [parts[k][:, d] for k, d in zip(self.first.tolist(), self.destination.tolist(), strict=True)]
        return np.ascontiguousarray(np.stack(columns, axis=1))

    def routing(self, columns: Int32, *, name: str) -> Routing:
        """The table, or the tables by lids, with these columns."""
        if self.pin is not None:
            return PinnedRouting(self.network, name, [columns[:, x] for x in self.use], self.pin)
        if not self.mixed:
            return NextHopRouting(self.network, name, columns, "terminal")
        return Mixture(
            [
                (w, NextHopRouting(self.network, f"{name}#{k}", columns[:, self.use[k]], "terminal"))
                for k, w in enumerate(self.weight)
            ],
            name=name,
        )

    def scratch(self, num_sources: int) -> Mixed:
        """What ``mixed_value`` takes besides the problem, for so many nodes with sources."""
        from ...graphs.transport_kernels import scratch

        nodes, ends = self.network.num_nodes, self.network.num_terminals
        most = num_sources * ends

        def longs(*shape: int) -> Int64:
            return np.zeros(shape, dtype=np.int64)

        def numbers(*shape: int) -> Int32:
            return np.zeros(shape, dtype=np.int32)

        none = np.zeros((0, 0), dtype=np.uint8)
        optimal = np.zeros(1, dtype=np.bool_)
        return Mixed(
            destination=self.destination,
            demand=np.ones(ends, dtype=np.int64),
            share=longs(nodes, ends),
            offset=longs(2),
            row=numbers(most),
            column=numbers(most),
            weight=longs(most),
            start=Start(none, none, longs(0)),
            stop=np.full(1, -1, dtype=np.int64),
            solved=Solved(longs(1), optimal, longs(1), numbers(most), longs(most), longs(most), longs(most)),
            scratch=scratch(nodes, ends, most),
        )


def pinned_by_source(network: Network, lids: int) -> Int64:
    """int64 (T, T): the sources at a node use lid 0, 1, ... in turn, for all destinations."""
    rank = np.zeros(network.num_terminals, dtype=np.int64)
    order = np.argsort(network.source, kind="stable")
    at = network.source[order]
    rank[order] = np.arange(len(order)) - np.searchsorted(at, at)
    return np.repeat((rank % lids)[:, None], network.num_terminals, axis=1)


def tables_of_paths(start: Routing) -> Tables:
    """The one path of every source and destination as tables that each source has to itself: -1 off its path.

    Raises InputError for a routing that splits the packets of a pair, and where its paths are not known.
    """
    network = start.network
    ends = np.arange(network.num_terminals)
    parts = np.full((len(ends), network.num_nodes, len(ends)), -1, dtype=np.int32)
    for i, j in product(ends.tolist(), repeat=2):
        if network.source[i] != network.sink[j]:
            paths = start.paths(int(start.row_of[i]), int(start.column_of[j]))
            if len(paths) > 1:
                pair = f"from terminal {network.terminal_label(i)} to {network.terminal_label(j)}"
                raise InputError(f"{start.name} has {len(paths)} paths {pair}; one for each pair was expected")
            path = np.array(paths[0][1], dtype=np.int64)
            parts[i, network.tail[path], j] = path
    destination, first = np.repeat(ends, len(ends)), np.tile(ends, len(ends))
    use = ends[:, None] + len(ends) * ends[None, :]
    pin = np.repeat(ends[:, None], len(ends), axis=1)
    weight = (Fraction(1, len(ends)),) * len(ends)
    one = np.ones(len(first), dtype=np.int64)
    return Tables(network, tuple(parts), weight, 1, first, destination, one, use, pin)


def single_paths_of(network: Network, parts: list[Int32], *, name: str) -> TableRouting:
    """The paths from every source by its own table, int32 (N, T), along which its packets arrive."""
    source, sink = network.source.tolist(), network.sink.tolist()
    head = network.head.tolist()
    paths: list[tuple[int, int, Fraction, list[int]]] = []
    for i, part in enumerate(parts):
        for j in range(len(sink)):
            v, path = source[i], []
            while v != sink[j]:
                path.append(int(part[v, j]))
                v = head[path[-1]]
            if path:
                paths.append((i, j, Fraction(1), path))
    return TableRouting(network, name, Paths.of(paths))


def tables_of(start: Routing, *, pinned: bool = False) -> Tables:
    """The tables of a routing that is one, or a mixture of some; ``pinned``: of which each source uses one.

    Raises InputError for any other routing, and for weights that are no multiples of a 65,536th or more.
    """
    network = start.network
    mixture = start.parts or [(Fraction(1), start)]
    parts = []
    for _, part in mixture:
        found = next_hops_of(part)
        if found is None:
            raise InputError(
                f"{part.name} is not a deterministic table of one channel for every node and destination; name such a "
                f"one to begin with, or a mixture of them"
            )
        parts.append(found.next_channel[:, found.column_of])  # by terminal: hosts at one switch may then differ
    weight = tuple(w for w, _ in mixture)
    scale = math.lcm(*(w.denominator for w in weight))
    if scale > _MOST_PARTS:
        raise InputError(f"the weights of {start.name} have the common denominator {scale}; at most {_MOST_PARTS}")
    ends = network.num_terminals
    count = np.full(ends, len(parts))
    if isinstance(network, FabricNetwork) and len(set(weight)) == 1:
        lids = np.array([1 << host.lmc for host in network.hosts])
        if (len(parts) % lids == 0).all():
            count = lids  # a port with fewer lids uses them again
    column = np.concatenate([[0], np.cumsum(count)])
    use = column[:-1][None, :] + np.arange(len(parts))[:, None] % count[None, :]
    destination = np.repeat(np.arange(ends), count)
    first = np.arange(len(destination)) - np.repeat(column[:-1], count)
    amount = np.zeros(len(destination), dtype=np.int64)
    for k, w in enumerate(weight):
        amount[use[k]] += int(w * scale)
    if not pinned:
        return Tables(network, tuple(parts), weight, scale, first, destination, amount, use)
    pin = pinned_by_source(network, len(parts))
    return Tables(network, tuple(parts), weight, 1, first, destination, np.ones_like(amount), use, pin)
