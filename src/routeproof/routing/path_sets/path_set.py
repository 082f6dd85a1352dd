"""What a set of paths is to designs and checkers: shortest distances within it, its channels, its symmetry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import IntArray
from ...core.symmetry import Automorphism
from ...graphs.shortest import distances_to, hops_to_all, k_shortest_by_weight
from ...machine.memory import check_memory, check_table
from ..base.routing import Routing, average_hops
from ..graph.shortest_paths import KShortestPaths
from ..graph.weighted import weights_of


class PathSet(ABC):
    """The paths that routings may use between every two nodes.

    - ``name``: by which reports say what an optimum is the best of;
    - ``listed``: are there few enough to write down?  Then ``paths`` gives them; else all paths over ``channels`` are
      allowed, and weights are flows;
    - ``by_definition``: do name and network make the set again?  Else reports hold it in full;
    - ``reversible``: is the reverse of every allowed path allowed?
    - ``channel_attributes``: those of the network's that it rests on.
    """

    listed: bool = True
    by_definition: bool = True
    channel_attributes: frozenset[str] = frozenset()

    def __init__(self, name: str, network: Network) -> None:
        self.name, self.network = name, network

    @abstractmethod
    def paths(self, source: int, destination: int) -> Sequence[Sequence[int]]:
        """All allowed paths between two nodes, as lists of channels in a fixed order; ``[[]]`` from a node to itself.

        Only where the set is ``listed``."""

    @property
    @abstractmethod
    def reversible(self) -> bool: ...

    @abstractmethod
    def is_kept_by(self, g: Automorphism) -> bool:
        """Does the automorphism take allowed paths to allowed paths?"""

    def channels(self, source: int, destination: int) -> Int64:
        """The channels that some allowed path between two nodes crosses, ascending."""
        paths = self.paths(source, destination)
        return np.unique(np.array([c for path in paths for c in path], dtype=np.int64))

    def holds(self, source: int, destination: int, path: Sequence[int]) -> bool:
        """Is this one of the allowed paths between two nodes?"""
        wanted = list(path)
        return any(wanted == list(known) for known in self.paths(source, destination))

    def distance(self, source: int, destination: int, length: Sequence[int]) -> int:
        """The length of the shortest allowed path, where channels have these whole lengths >= 0."""
        return min(sum(length[c] for c in path) for path in self.paths(source, destination))


class ShortestPaths(PathSet):
    """Every path of least length: hops, or the channel attribute ``weight``; parallel channels make different paths.

    They are too many to list: there are the channels that they cross, for every pair.  A path over these gets nearer to
    the destination with every hop by just the length of its channel, so that all of them are shortest paths.

    Raises InputError for a pair of terminals without a path."""

    listed = False

    def __init__(self, name: str, network: Network, weight: str | None = None) -> None:
        super().__init__(name, network)
        nodes = np.arange(network.num_nodes)
        check_table(len(nodes), len(nodes), 8, f"distances on {network.name}")
        if weight is None:
            self._length: IntArray = np.ones(network.num_channels, dtype=np.int64)
            far: IntArray = hops_to_all(network).astype(np.int64)
        else:
            self.channel_attributes = frozenset({weight})
            self._length = weights_of(network, weight, name)
            far = distances_to(network, self._length, nodes)
        self._to = far  # [d, v]: from v to d
        lost = np.argwhere((far.T < 0) & np.outer(network.supply > 0, network.demand > 0))
        if len(lost):
            i, j = (network.label(v) for v in lost[0].tolist())
            raise InputError(f"no path leads from node {i} to node {j} of {network.name}")

    @property
    def reversible(self) -> bool:
        """Channels and their opposites are as long."""
        opposite = self.network.reverse
        return opposite is not None and np.array_equal(self._length, self._length[opposite])

    @property
    def channel_length(self) -> IntArray:
        """By which paths are shortest: whole numbers > 0 in some unit, shape (C,)."""
        return self._length

    def is_kept_by(self, g: Automorphism) -> bool:
        """If it keeps lengths."""
        return np.array_equal(self._length, self._length[g.channel])

    def paths(self, source: int, destination: int) -> Sequence[Sequence[int]]:
        raise InputError(f"all shortest paths from node {source} to node {destination} are not listed")

    def channels(self, source: int, destination: int) -> Int64:
        network, far = self.network, self._to[destination]
        here = self._to[:, source]  # [v]: from the source to v
        tail, head = network.tail, network.head
        on = (here[tail] >= 0) & (far[head] >= 0)
        on &= here[tail] + self._length + far[head] == far[source]
        return np.nonzero(on)[0]

    def holds(self, source: int, destination: int, path: Sequence[int]) -> bool:
        """Does it lead from source to destination, every hop getting nearer by its length?"""
        network, at = self.network, source
        for c in path:
            if int(network.tail[c]) != at:
                return False
            at = int(network.head[c])
        crossed = list(path)
        return at == destination and sum(self._length[crossed].tolist()) == self._to[destination, source]

    def distance(self, source: int, destination: int, length: Sequence[int]) -> int:
        network, here = self.network, self._to[:, source]
        on = self.channels(source, destination)
        best: dict[int, int] = {source: 0}
        for c in on[np.argsort(here[network.tail[on]], kind="stable")].tolist():  # tails in order, all settled
            far, v = best[int(network.tail[c])] + length[c], int(network.head[c])
            if v not in best or far < best[v]:
                best[v] = far
        return best[destination]


_HOP_BYTES = 150  # of a path's hop: in lists, in tables, and where symmetries are tried
_ASKED = 1 << 16
MOST_HOPS = 20_000_000  # of all paths that are written down
_MOST_K = 1024

Paths = Iterable[tuple[int, int, Sequence[int]]]


class SomePaths(PathSet):
    """The paths that are ``given``, as (source node, destination node, channels), in that order; the same one twice is
    one.  A path may visit a node twice.

    Raises InputError for a pair of nodes with terminals that has none, and where there are more than MOST_HOPS hops, or
    no room for them in memory.
    """

    def __init__(self, name: str, network: Network, given: Paths) -> None:
        super().__init__(name, network)
        found: dict[tuple[int, int], dict[tuple[int, ...], None]] = {}
        hops = asked = 0
        for source, destination, path in given:
            found.setdefault((source, destination), {})[tuple(path)] = None
            hops += len(path) + 1
            if hops > MOST_HOPS:
                raise InputError(
                    f"the paths {name} of {network.name} have more than {MOST_HOPS:,} hops; fewer paths, or a part of "
                    f"the network (hosts of some switches), were expected"
                )
            if hops >= asked:
                check_memory(hops * _HOP_BYTES, f"the list of paths {name} on {network.name}, {hops:,} hops or more,")
                asked = hops + _ASKED
        self._paths = {pair: [list(path) for path in paths] for pair, paths in found.items()}
        for i in np.nonzero(network.supply)[0].tolist():
            for j in np.nonzero(network.demand)[0].tolist():
                if i != j and (i, j) not in self._paths:
                    ends = f"from node {network.label(i)} to node {network.label(j)}"
                    raise InputError(f"paths {name} on {network.name}: there is none {ends}")

    def paths(self, source: int, destination: int) -> Sequence[Sequence[int]]:
        if source == destination:
            return [[]]
        found = self._paths.get((source, destination))
        if found is None:
            raise InputError(f"paths {self.name}: there is none from node {source} to node {destination}")
        return found

    @cached_property
    def _table(self) -> Int32:
        """int32 (P, 2 + longest): source, destination and channels of every path, filled up by -1."""
        longest = max(len(path) for paths in self._paths.values() for path in paths)
        count = sum(map(len, self._paths.values()))
        table = np.full((count, 2 + longest), -1, dtype=np.int32)
        k = 0
        for (i, j), paths in self._paths.items():
            for path in paths:
                table[k, :2] = i, j
                table[k, 2 : 2 + len(path)] = path
                k += 1
        return table

    def _same(self, image: Int32) -> bool:
        return np.array_equal(_sorted(self._table), _sorted(image))

    @cached_property
    def reversible(self) -> bool:
        """By trying all."""
        opposite = self.network.reverse
        if opposite is None:
            return False
        table = self._table
        length = (table[:, 2:] >= 0).sum(axis=1)
        at = length[:, None] - 1 - np.arange(table.shape[1] - 2)  # the last hop comes first
        there = np.take_along_axis(table[:, 2:], np.maximum(at, 0), axis=1)
        image = np.where(at >= 0, opposite[there], -1)
        return self._same(np.column_stack([table[:, 1], table[:, 0], image]).astype(np.int32))

    def is_kept_by(self, g: Automorphism) -> bool:
        """By trying all."""
        table = self._table
        image = np.where(table[:, 2:] >= 0, g.channel[table[:, 2:]], -1)
        return self._same(np.column_stack([g.node[table[:, :2]], image]).astype(np.int32))


class PathsOf(SomePaths):
    """The explicit paths of a routing, with any weights, whatever its own are.

    Between two nodes it has those of all their terminals.  Raises InputError, too, for a routing that does not know its
    paths.
    """

    by_definition = False

    def __init__(self, routing: Routing, name: str) -> None:
        self.routing = routing
        self.channel_attributes = routing.channel_attributes
        super().__init__(f"of {name}", routing.network, _every(routing))


def _every(routing: Routing) -> Paths:
    if routing.parts:
        for _, part in routing.parts:
            yield from _every(part)
        return
    if not routing.has_explicit_paths:
        raise InputError(
            f"the paths of {routing.name} are not known, only its loads; a routing with explicit paths was expected, "
            f"such as a table of paths, forwarding tables or dor (for all shortest paths: minimal)"
        )
    for bundle in routing.bundles():
        rows, columns = routing.row_node[bundle.row].tolist(), routing.column_node[bundle.column].tolist()
        yield from zip(rows, columns, bundle.channel.tolist(), strict=True)


def few_shortest(name: str, network: Network, k: int, weight: str | None) -> SomePaths:
    """The first ``k`` paths without a node twice: by hops (or ``weight``), then by channel numbers."""
    if k > _MOST_K:
        raise InputError(f"paths {name}: 1 to {_MOST_K:,} paths a pair were expected")
    pairs = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
    hops = int(pairs * k * average_hops(network))
    what = f"{pairs:,} pairs of nodes, {k:,} paths each, about {hops:,} hops"
    check_memory(hops * _HOP_BYTES, f"the list of paths {name} on {network.name} ({what})")
    if weight is not None:
        found = SomePaths(name, network, k_shortest_by_weight(network, k, weights_of(network, weight, name), name))
        found.channel_attributes = frozenset({weight})
        return found
    return SomePaths(name, network, _every(KShortestPaths(k=k).on(network)))


def _sorted(table: Int32) -> Int32:
    return table[np.lexsort(table.T)]
