"""What a routing is to the rest of the house: pair loads by channel, pair loads by pair, and all that it can tell."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32, Int64
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.loads import DifferenceLoads, LoadBlock, PairBlock, Spans, UniformBounds
from ...core.network import Network
from ...core.paths import Paths
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.symmetry import Automorphism, check_automorphism
from ...graphs.flow_paths import flow_paths
from ...machine.memory import check_memory
from .delivery import Bundle, check_delivery
from .pair_table import By, ChannelLoads, PairTable, check_room, load_block, loads_agree, written_loads

Dependency = tuple[Int32, Int32, Int32, Int32]
_BLOCK_ENTRIES = 2_000_000
LOAD_BYTES = 180  # of a pair load while a channel is judged, measured on tori: with what sorting and matching take
_SMALL = 100_000_000  # bytes that nobody counts
_MOST_PAIRS_WRITTEN = 4_000_000
_LOOKED_AT = 16  # channels, from the first to the last
_PAIRS = 1 << 16


def check_pairs(network: Network) -> None:
    """Raise InputError where a network has too many pairs of terminals for their paths to be written."""
    pairs = network.num_terminals**2
    if pairs > _MOST_PAIRS_WRITTEN:
        raise InputError(
            f"{network.name} has {pairs:,} pairs of terminals, too many to write out path by path; at most "
            f"{_MOST_PAIRS_WRITTEN:,} were expected"
        )


class Ends(NamedTuple):
    """What the rows and columns of a routing are: see ``Routing``."""

    row_of: Int32
    column_of: Int32
    row_node: Int32
    column_node: Int32
    by_node: bool

    @staticmethod
    def of(network: Network, rows: By = "node", columns: By = "node") -> Ends:
        """Rows and columns that are nodes or terminals."""
        nodes, terminals = (np.arange(x, dtype=np.int32) for x in (network.num_nodes, network.num_terminals))
        row_of, row_node = (network.source, nodes) if rows == "node" else (terminals, network.source)
        column_of, column_node = (network.sink, nodes) if columns == "node" else (terminals, network.sink)
        return Ends(row_of, column_of, row_node, column_node, rows == columns == "node")

    @staticmethod
    def like(other: Routing) -> Ends:
        return Ends(other.row_of, other.column_of, other.row_node, other.column_node, other.by_node)


class Routing(abc.ABC):
    """An oblivious routing on a network (pi of Towles & Dally 2002, sec. 2.2), and the protocol of all of them.

    Subclasses give ``channel_loads`` and ``pair_loads``, which must state the same numbers.
    Everything else has a default that is true of every routing: what a routing does not declare is compared, refused or
    written out in full.

    - ``network``, ``name`` (the text that makes it again, e.g. ``romm:tie=split``);
    - ``row_of``, ``column_of``: int32, shape (T,): terminals with equal rows (columns) are routed alike as sources
      (destinations).  By default rows and columns are nodes: ``row_of = source``, ``column_of = sink``;
    - ``row_node``, ``column_node``: the node that a row injects at, a column receives at;
    - ``by_node``: rows and columns are the nodes; only then can automorphisms act on loads.
    """

    network: Network
    name: str

    in_full: bool = True
    """Must a report hold ``written_in_full``?  False only where the name makes the routing again, from nothing else."""

    has_explicit_paths: bool = False
    """Are its paths known?  Then ``paths`` and ``bundles`` give all of them, and no packet takes any other."""

    holds_paths: bool = False
    """Are its explicit paths in memory already, so that walking through all of them costs little?"""

    whole_flows_of: Routing | None = None
    """Of a bound on what hashes pick (``worst_hash``): the routing that it bounds.  Packets cannot follow the bound,
    whose loads are of another choice for every channel: it has no path lengths, and no mixtures."""

    crosses_once: bool = False
    """Does its construction say that no path crosses a channel twice?  Else ``worst_hash`` looks at all of them."""

    is_sampled: bool = False
    """Are its loads, or those of a part, counts of sampled packets?  Then nothing about them is proved."""

    allowed: str | None = None
    """The name of a set (``routing.path_sets``) that all its paths were checked to be in."""

    remade: Literal["", "split", "per-hop", "pairs"] = ""
    """Which pairs change when it is made anew after a failure: those that crossed what failed, which then take all
    shortest paths alike ("split") or divide at every node ("per-hop"); or those of ``pairs_remade`` ("pairs").
    "": not known before all of it is made."""

    unmended: str = ""
    """Why no device makes its tables anew after a failure; "" where that is to be found out."""

    path_virtual: Mapping[tuple[int, ...], tuple[int, ...]] | None = None
    """By path (its channels): the virtual channel of every hop, where the routing states them; free of cycles."""

    parts: Sequence[tuple[Fraction, Routing]] = ()
    """Of a mixture: (weight, routing), positive weights that sum to exactly 1; of any other routing nothing."""

    differences: DifferenceLoads | None = None
    """Of a routing whose pair loads are all differences of its nodes' flows: these.  Its worst case over permutations
    and its loads under uniform traffic follow from them in closed form (``kernel.differences``)."""

    has_base: bool = False
    """Is a part of its loads base loads, which fall on every pair?  Only then has ``channel_loads`` a ``base``."""

    channel_attributes: frozenset[str] = frozenset()
    """Which of the network's channel attributes its name rests on; a report's network holds these."""

    channel_kind: Int64 | None = None
    """Shape (C,): channels of different numbers are not alike to it, so that no symmetry exchanges them."""

    node_blocks: Sequence[Sequence[int]] = ()
    """Sets of nodes, each of which a symmetry that it respects takes to one of them: where to look for such."""

    of_network: bool = False
    """Does the network alone define it, whatever its nodes and channels are called?  Then it respects all symmetry; and
    it delivers by construction."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name[:60]} on {self.network.name[:60]}>"

    def __init__(self, network: Network, name: str, ends: Ends | None = None) -> None:
        self.network = network
        self.name = name
        self.row_of, self.column_of, self.row_node, self.column_node, self.by_node = ends or Ends.of(network)

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
            if block.base is not None:  # a number for every row and column
                step = min(step, max(1, entries // (2 * len(self.row_node))))
            yield block

    @property
    def spans(self) -> Spans | None:
        """Of a routing by one path for every pair: from and to how many terminals packets cross each channel; None
        where these would not cost less than the loads."""
        return None

    def uniform_bounds(self) -> UniformBounds | None:
        """For every channel its pair loads added up over all pairs of terminals, between bounds; None where these would
        not cost less than the loads."""
        return None

    def expected_loads(self, channel: int) -> int:  # noqa: ARG002  # by default the average over channels
        """About how many pairs load a channel (apart from base loads), said before a single one is made.

        By default: every packet crosses at least as many channels as shortest paths have.
        """
        return self._average_loads

    @cached_property
    def _average_loads(self) -> int:
        network = self.network
        pairs = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
        return int(pairs * self.average_hops / max(1, network.num_channels))

    @cached_property
    def average_hops(self) -> float:
        """About how many channels a packet crosses: at least as many as shortest paths have."""
        return average_hops(self.network)

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

    def pairs_remade(self, dead: Bools) -> tuple[Int32, Int32, PairBlock] | None:  # noqa: ARG002  # for subclasses
        """Made anew without the channels that are ``dead``, bool (C,): rows and columns of the pairs that change, and
        all their loads; None where ``remade`` is not "pairs".  Raises InputError where it cannot be made."""
        return None

    def pair_table(self) -> PairTable:
        """All pair loads, base loads written out.  Raises InputError where they are too many."""
        rows, columns = np.unique(self.row_of), np.unique(self.column_of)
        parts: list[tuple[Int32, Int32, Int32, Rationals]] = []
        total = 0
        step = max(1, _PAIRS // len(columns))
        for at in range(0, len(rows), step):
            row, column = np.repeat(rows[at : at + step], len(columns)), np.tile(columns, len(rows[at : at + step]))
            away = self.row_node[row] != self.column_node[column]
            row, column = row[away], column[away]
            block = self.pair_loads(row, column)
            each = np.diff(block.offset)
            parts.append((block.channel, np.repeat(row, each), np.repeat(column, each), block.load))
            total += len(block.channel)
            check_room(total)
        return PairTable.joined(parts, shape=(self.network.num_channels, len(self.row_node), len(self.column_node)))

    @property
    def denominators(self) -> list[int] | None:
        """Numbers, ascending: the denominator of every load divides one of them.  None where they are not known, or
        too many."""
        return None

    @property
    def entries(self) -> int | None:
        """The most entries that a table needs for one node and destination, or at a source for one pair: the sum of the
        whole-number weights of next channels, or of paths.  None where it is not made of such tables."""
        return None

    @property
    def members(self) -> int | None:
        """The most members that the groups of a switch have together, equal ones counted once and those of one channel
        not at all.  None where it is not made of groups by node and destination."""
        return None

    @property
    def hops(self) -> npt.NDArray[np.int16] | None:
        """Hop distances, int16 (N, N), where they are at hand: kernels group rows and columns by them."""
        return None

    # -- paths ------------------------------------------------------------------------------------------

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:  # noqa: ARG002  # for subclasses
        """The routing's own weighted paths (lists of channels) for a pair; weights sum to 1, packets take no others.

        A pair on one node has the empty path.  Raises InputError where ``has_explicit_paths`` is False, and for a pair
        with too many paths to write out.
        """
        raise InputError(f"{self.name} is given by its loads; which paths its packets take is not known")

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Weighted paths with exactly the pair's loads; weights sum to 1.  Its own where they are explicit and can be
        written out, else few others (a flow decomposition, heaviest first): packets may take paths that are not here.

        Loads that go round a cycle are walked by paths that pass it.
        """
        return self.paths(row, column) if self.has_explicit_paths else self._flow_paths(row, column)

    def _flow_paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        start, end = int(self.row_node[row]), int(self.column_node[column])
        if start == end:
            return [(Fraction(1), [])]
        return flow_paths(self.network, self.pair_loads([row], [column]).as_dict(), start, end)

    def bundles(self, progress: Progress | None = None) -> Iterator[Bundle]:
        """All explicit paths, for all pairs of rows and columns with terminals on different nodes, in an order that is
        always the same (evidence counts paths in it).  ``row`` and ``column`` of a mixture's paths are its parts'.

        Raises InputError as ``paths`` does.
        """
        sends = np.bincount(self.row_of, minlength=len(self.row_node)) > 0
        receives = np.bincount(self.column_of, minlength=len(self.column_node)) > 0
        everyone = bool(sends.all() and receives.all())
        for bundle in self._bundles(progress):
            if everyone:
                yield bundle
                continue
            some = sends[bundle.row] & receives[bundle.column]
            if some.any():
                yield Bundle(bundle.row[some], bundle.column[some], bundle.channel[some])

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        """As ``bundles``, and maybe paths between nodes without terminals.  By default pair by pair: rows ascending,
        for each row columns ascending."""
        rows, columns = np.unique(self.row_of).tolist(), np.unique(self.column_of).tolist()
        for k, i in enumerate(rows):
            for j in columns:
                if self.row_node[i] != self.column_node[j]:
                    yield from (Bundle.of(i, j, path) for _, path in self.paths(i, j))
            if progress is not None:
                progress(k + 1, len(rows))

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:
        """(first, second, row, column), int32 each: packets from row to column cross channel ``first`` and then at once
        ``second``.  Every dependency of the explicit paths comes at least once, and no other.

        Raises InputError as ``paths`` does.
        """
        for bundle in self.bundles(progress):
            hops = bundle.channel.shape[1] - 1
            row, column = np.repeat(bundle.row, hops), np.repeat(bundle.column, hops)
            yield bundle.channel[:, :-1].ravel(), bundle.channel[:, 1:].ravel(), row, column

    def group(self, node: int, column: int) -> Sequence[tuple[int, int]]:  # noqa: ARG002  # for subclasses
        """(channel, weight) of the node's multipath group for the column, also those that no packet takes; none where
        there is no group, or the routing is not known to be made of groups."""
        return ()

    def group_numbers(self) -> tuple[Int32, Sequence[Sequence[tuple[int, int]]]]:
        """int32 (N, D): the number of the group of every node for every column, -1 where there is none; the groups."""
        number: dict[tuple[tuple[int, int], ...], int] = {}
        found = np.full((self.network.num_nodes, len(self.column_node)), -1, dtype=np.int32)
        for d in np.unique(self.column_of).tolist():
            for v in range(len(found)):
                group = tuple(self.group(v, d))
                if group:
                    found[v, d] = number.setdefault(group, len(number))
        return found, list(number)

    def makes_dependency(self, row: int, column: int, first: int, second: int) -> bool:
        """Does a packet of the pair, on an explicit path, cross channel ``first`` and then at once ``second``?"""
        return any((first, second) in pairwise(path) for _, path in self.paths(row, column))

    def forwarding_tables(self) -> Sequence[tuple[Fraction, ForwardingTable]]:
        """(weight, table) for every table, where the routing is made of deterministic forwarding tables; else none."""
        return ()

    @property
    def pinned(self) -> tuple[Sequence[ForwardingTable], Int64] | None:
        """(tables, int64 (T, T): which one is used from i to j), where sources are pinned to lids; else None."""
        return None

    def sends(self, row: int, column: int) -> bool:
        """Do packets of the pair enter the network: has the row a source, the column a sink, on another node?

        A node without terminals is a row by node as well, and sends nothing whatever loads it is given.
        """
        apart = int(self.row_node[row]) != int(self.column_node[column])
        return apart and bool((self.row_of == row).any()) and bool((self.column_of == column).any())

    # -- laws -------------------------------------------------------------------------------------------

    @property
    def same_anew(self) -> bool:
        """Does a symmetry that it respects, and that takes one failure to another, take what it is when made anew after
        the one to what it is after the other?  By its definition; then one of these failures stands for both."""
        return self.of_network

    def maps_after(self, anew: bool) -> Sequence[Automorphism]:  # noqa: ARG002  # for subclasses
        """Where ``same_after`` is asked: automorphisms of the network of which it holds after some failures."""
        return ()

    def alike_after(self, g: Automorphism, of: str, first: Int64, *, anew: bool) -> Bools:  # noqa: ARG002  # likewise
        """Bool, for failures of one each ``of`` "links" or "cables", given by one of their channels, or "switches",
        given by their nodes: is what ``g`` makes of it after the failure what it is after the image of the failure,
        terminals renamed?  ``anew``: made anew after both; else pairs that crossed what failed are lost, or take
        shortest paths.  False where that is not known.

        Raises InputError where it looks at ``g``, and this is no automorphism of the network.
        """
        return np.zeros(len(first), dtype=bool)

    def same_after(self, anew: bool) -> Callable[[Automorphism, str, Int64], Bools] | None:
        """``alike_after``; None where every symmetry that it respects holds after every failure."""
        return None if (self.same_anew if anew else self.by_node) else partial(self.alike_after, anew=anew)

    def respects(self, g: Automorphism) -> bool:
        """Is load(c; i, j) = load(g(c); g(i), g(j)) for every channel and pair?  Exact; by default compares all.

        Raises InputError if ``g`` is not an automorphism of the network, where it does not compare all.
        """
        if self.of_network:
            check_automorphism(self.network, g)
            return True
        return self.by_node and self._agrees(g, np.arange(self.network.num_channels))

    def _agrees(self, g: Automorphism, channels: npt.ArrayLike) -> bool:
        """As ``respects``, for some channels."""
        return all(
            loads_agree(self.channel_loads([c]), self.channel_loads([int(g.channel[c])]), g)
            for c in np.asarray(channels).tolist()
        )

    def respects_reversal(self) -> bool:
        """Is load(c; i, j) = load(reverse(c); j, i) throughout?  Only where a routing can tell cheaply; else False."""
        return False

    def channel_representatives(self) -> Int32 | None:
        """int32, shape (C,): for every channel one of those that have the same loads by the routing's construction
        (pairs moved along), itself represented by itself; None where nothing is known without looking."""
        return None

    def check(self) -> None:
        """Raise InputError unless every pair of different nodes with terminals is delivered with weight exactly 1."""
        if self.of_network:
            return
        columns = np.unique(self.column_of)
        for i in np.unique(self.row_of).tolist():
            self._check_pairs(i, columns[self.column_node[columns] != self.row_node[i]])

    def _check_pairs(self, row: int, columns: npt.NDArray[np.integer]) -> None:
        rows = np.full(len(columns), row)
        block = self.pair_loads(rows, columns)
        check_delivery(self.network, self.name, self.row_node[rows], self.column_node[columns], block)

    # -- documents --------------------------------------------------------------------------------------

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        """What a report holds of a routing ``in_full``, beside its name: JSON-able, and enough to judge it again
        (``routing.named.described`` reads it).  By default all its loads, or, for claims about ``paths``, all of its
        explicit paths.

        Raises InputError where they are too many, or rows (columns) are neither nodes nor terminals.
        """
        if paths and self.has_explicit_paths:
            from ...formats.documents.routing import paths_to_document

            return {"document": paths_to_document(self.every_path(explicit=True), self.network)}
        network = self.network
        rows = _numbered_by(self.row_of, network.source, self.name)
        return written_loads(self.pair_table(), rows, _numbered_by(self.column_of, network.sink, self.name))

    def document(self) -> dict[str, Any]:
        """The routing as a document of its own (``routeproof/routing``), which ``routing.files`` reads: by default
        ``every_path``.

        Raises InputError where there are too many pairs to write out path by path.
        """
        from ...formats.documents.routing import paths_to_document

        return paths_to_document(self.every_path(), self.network)

    def every_path(self, *, explicit: bool = False) -> Paths:
        """The weighted paths between all terminals on different nodes, pair by pair: those of ``decomposition``, or,
        if ``explicit``, those of ``paths`` (which raises InputError where they are not known).

        Raises InputError, too, where there are too many pairs to write out path by path.
        """
        check_pairs(self.network)
        network, found_by = self.network, self.paths if explicit else self.decomposition
        items: list[tuple[int, int, Fraction, list[int]]] = []
        for i, a in enumerate(network.source.tolist()):
            for j, b in enumerate(network.sink.tolist()):
                if a != b:
                    found = found_by(int(self.row_of[i]), int(self.column_of[j]))
                    items += [(i, j, weight, path) for weight, path in found]
        known = self.path_virtual
        virtual = None if known is None else [v for *_, path in items for v in known[tuple(path)]]
        return Paths.of(items, virtual=virtual)


class RoutingByChannel(Routing):
    """A routing that makes the loads of one channel at a time."""

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        return load_block(asked, [self._loads_on(c) for c in asked.tolist()], rows)

    @abc.abstractmethod
    def _loads_on(self, channel: int) -> ChannelLoads:
        """(row, column, load) of the pairs that load a channel, in any order, each once; no base loads."""


class ForwardingTable(Routing):
    """A deterministic table: a packet at node v for column d leaves by channel ``next_channel[v, d]``, int32, shape
    (N, columns), -1 where there is none; ``columns`` are nodes or terminals."""

    next_channel: Int32
    columns: By


def _numbered_by(of: Int32, node: Int32, name: str) -> By:
    if np.array_equal(of, node):
        return "node"
    if np.array_equal(of, np.arange(len(of))):
        return "terminal"
    raise InputError(f"routing {name} puts terminals together in its own way; by node or by terminal was expected")


def average_hops(network: Network) -> float:
    """About the average distance: that from one node with terminals to the others."""
    start = int(network.source[0])
    hops = hops_from(network.num_nodes, network.tail, network.head, start)
    ends = network.demand > 0
    return float(hops[ends & (hops > 0)].sum() / ends.sum())
