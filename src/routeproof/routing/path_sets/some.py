"""Sets of paths that are written down: the k shortest of every pair, or those of a routing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism
from ...graphs.shortest import k_shortest_by_weight
from ...machine.memory import check_memory
from ..base.routing import Routing, average_hops
from ..graph.k_shortest import KShortestPaths
from ..graph.weighted import weights_of
from .path_set import PathSet

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
    """Its rows, in one order."""
    return table[np.lexsort(table.T)]
