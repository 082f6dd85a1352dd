"""Routings given by weighted paths, all written out: in a document or report, or by a routing with a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, grouped_sum, ragged
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.paths import Paths, check_paths, path_numbers
from ...core.rational import Rationals, shown
from ...core.spread import Progress
from ...machine.memory import check_table
from ..base.delivery import Bundle
from ..base.pair_table import By, PairTable, check_room, merge_terminals
from ..base.tabled import TabledRouting


class TableRouting(TabledRouting):
    """Weighted ``paths`` between terminals of ``network``; where one path crosses a channel twice, it counts twice.

    By node if all terminals of a node take the same paths with the same weights (always so with one terminal a node),
    else by terminal: equal loads are not enough, since paths with equal loads may differ in what they wait for.

    Where the paths state virtual channels, no cycle of them may wait for one another (``path_virtual``).

    Raises InputError for a path that does not lead from its source's node to its destination's node, a pair of
    terminals on different nodes without a path, or weights of a pair that do not sum to exactly 1.
    """

    given: Paths
    has_explicit_paths = True
    holds_paths = True

    def __init__(self, network: Network, name: str, paths: Paths) -> None:
        check_paths(network, paths)
        _check_weights(network, paths)
        terminals = network.num_terminals
        listed = PathList(paths.source, paths.sink, paths.offset, paths.channel, paths.weight)
        table = _loads_of(listed, (network.num_channels, terminals, terminals))
        smaller = merge_terminals(network, table)
        if smaller is None or not _paths_by_node(network, paths):
            super().__init__(network, name, table, rows="terminal", columns="terminal")
        else:
            super().__init__(network, name, smaller)
        self.given = paths
        if paths.virtual is not None:
            self.path_virtual = _virtual_by_path(network, paths)
        pair = paths.source.astype(np.int64) * terminals + paths.sink
        self._order = np.argsort(pair, kind="stable")
        self._pair = pair[self._order]

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The paths as they were given, equal ones put together."""
        if int(self.row_node[row]) == int(self.column_node[column]):
            return [(Fraction(1), [])]
        sources = np.nonzero(self.row_of == row)[0]
        sinks = np.nonzero(self.column_of == column)[0]
        if not (len(sources) and len(sinks)):
            raise InputError(f"{self.name} has no path for row {row} and column {column}, where no packets are")
        pair = int(sources[0]) * self.network.num_terminals + int(sinks[0])
        low, high = np.searchsorted(self._pair, [pair, pair + 1])
        together: dict[tuple[int, ...], Fraction] = {}
        for k in self._order[low:high].tolist():
            path = tuple(self.given.path(k))
            together[path] = together.get(path, Fraction(0)) + self.given.weight.fraction(k)
        return [(weight, list(path)) for path, weight in together.items()]

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        """Its loads, or the paths as they were given."""
        if not paths:
            return super().written_in_full()
        from ...formats.documents.routing import paths_to_document

        return {"document": paths_to_document(self.given, self.network)}


def _paths_by_node(network: Network, paths: Paths) -> bool:
    """Do all terminals of a node take the same paths, with the same weights, in whatever order and parts?"""
    if int(network.supply.max()) == 1 and int(network.demand.max()) == 1:
        return True
    terminals = network.num_terminals
    number = path_numbers(paths)
    way = np.nonzero(np.diff(paths.offset) > 0)[0]  # an empty path never enters the network
    shape = (int(number.max(initial=0)) + 1, terminals, terminals)
    # Paths in place of channels: how much of a pair takes each of them.
    taken = PairTable.of(number[way], paths.source[way], paths.sink[way], paths.weight[way], shape=shape)
    return merge_terminals(network, taken) is not None


def _virtual_by_path(network: Network, paths: Paths) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Raises InputError for a path with two assignments, and for virtual channels with a cycle of dependencies."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    ahead: set[tuple[int, int]] = set()
    size = network.num_channels
    for k in range(len(paths)):
        path, virtual = tuple(paths.path(k)), tuple(paths.path_virtual(k))
        if found.setdefault(path, virtual) != virtual:
            raise InputError(f"path {list(path)[:20]} has the virtual channels {found[path]} and {virtual}")
        ahead.update(pairwise(v * size + c for c, v in zip(path, virtual, strict=True)))
    tail, head = (np.array([x[k] for x in sorted(ahead)], dtype=np.int64) for k in (0, 1))
    _, cycle = numbering_or_cycle((1 + max(map(max, filter(None, found.values())), default=0)) * size, tail, head)
    if cycle:
        names = [f"virtual channel {x // size} of {network.channel_label(x % size)}" for x in cycle[:4]]
        raise InputError(
            f"its virtual channels can deadlock: a cycle of {len(cycle)} wait for one another, {', '.join(names)}"
            f"{', ...' if len(cycle) > 4 else ''}; an assignment without cycles was expected"
        )
    return found


def _check_weights(network: Network, paths: Paths) -> None:
    """Raise InputError unless weights sum to 1 for each pair of terminals on different nodes (if any, on one node)."""
    terminals = network.num_terminals
    pair = paths.source.astype(np.int64) * terminals + paths.sink
    order = np.argsort(pair, kind="stable")
    first = np.nonzero(np.diff(pair[order], prepend=-1))[0]
    total = grouped_sum(paths.weight[order], first)
    present = pair[order][first]
    wrong = np.nonzero((total.num != 1) | (total.den != 1))[0]
    if wrong.size:
        k = int(wrong[0])
        i, j = divmod(int(present[k]), terminals)
        raise InputError(
            f"the weights of the paths from terminal {i} to terminal {j} sum to {shown(total.fraction(k))}; "
            f"exactly 1 was expected"
        )
    missing = _first_missing(network, present)
    if missing is not None:
        i, j = missing
        raise InputError(
            f"there is no path from terminal {i} (node {network.label(int(network.source[i]))}) "
            f"to terminal {j} (node {network.label(int(network.sink[j]))})"
        )


def _first_missing(network: Network, present: npt.NDArray[np.int64]) -> tuple[int, int] | None:
    terminals = network.num_terminals
    bounds = np.searchsorted(present, np.arange(terminals + 1) * terminals)
    for i in range(terminals):
        there = network.sink == network.source[i]
        there[present[bounds[i] : bounds[i + 1]] - i * terminals] = True
        if not there.all():
            return i, int(np.nonzero(~there)[0][0])
    return None


_BUNDLE = 1 << 18


@dataclass(frozen=True, eq=False)
class PathList:
    """Path k: from row ``row[k]`` to column ``column[k]`` over ``channel[offset[k]:offset[k + 1]]``, with its weight.

    row, column: int32 (P,); offset: int64 (P + 1,); channel: int32 (nnz,); weight: Rationals (P,), summing to 1 a pair.
    """

    row: Int32
    column: Int32
    offset: Int64
    channel: Int32
    weight: Rationals

    @staticmethod
    def joined(parts: list[PathList]) -> PathList:
        """The paths of all parts, one part after the other."""
        lengths = np.concatenate([np.diff(part.offset) for part in parts])
        return PathList(
            np.concatenate([part.row for part in parts]),
            np.concatenate([part.column for part in parts]),
            offsets_of(lengths),
            np.concatenate([part.channel for part in parts]),
            concatenate([part.weight for part in parts]),
        )

    def taken(self, which: Int64) -> PathList:
        """The paths ``which``, in that order."""
        length = np.diff(self.offset)[which]
        at = ragged(self.offset[which], length)
        offset = offsets_of(length)
        return PathList(self.row[which], self.column[which], offset, self.channel[at], self.weight[which])


def _loads_of(listed: PathList, shape: tuple[int, int, int]) -> PairTable:
    check_room(len(listed.channel))
    which = members(listed.offset)
    return PairTable.of(listed.channel, listed.row[which], listed.column[which], listed.weight[which], shape=shape)


class ListedRouting(TabledRouting):
    """A routing that is all of ``listed``; reports name it, and the name makes it again."""

    in_full = False
    has_explicit_paths = True
    holds_paths = True

    def __init__(
        self, network: Network, name: str, listed: PathList, *, rows: By = "node", columns: By = "node"
    ) -> None:
        sizes = [network.num_nodes if by == "node" else network.num_terminals for by in (rows, columns)]
        table = _loads_of(listed, (network.num_channels, sizes[0], sizes[1]))
        super().__init__(network, name, table, rows=rows, columns=columns)
        self.listed = listed
        pair = listed.row.astype(np.int64) * sizes[1] + listed.column
        self._order = np.argsort(pair, kind="stable")
        self._pair = pair[self._order]

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        if int(self.row_node[row]) == int(self.column_node[column]):
            return [(Fraction(1), [])]
        listed = self.listed
        pair = row * len(self.column_node) + column
        low, high = np.searchsorted(self._pair, [pair, pair + 1])
        if low == high:
            raise InputError(f"{self.name} has no path for row {row} and column {column}, where no packets are")
        return [
            (listed.weight.fraction(k), listed.channel[listed.offset[k] : listed.offset[k + 1]].tolist())
            for k in self._order[low:high].tolist()
        ]

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:  # noqa: ARG002  # quick
        listed = self.listed
        length = np.diff(listed.offset)
        for hops in np.unique(length[length > 0]).tolist():
            which = np.nonzero(length == hops)[0]
            for at in range(0, len(which), _BUNDLE):
                some = which[at : at + _BUNDLE]
                channel = listed.channel[listed.offset[some][:, None] + np.arange(hops)]
                yield Bundle(listed.row[some], listed.column[some], channel)


_PATH_BYTES = 60  # of one path, while it is made


def listed_next_hops(network: Network, name: str, table: Int32) -> ListedRouting:
    """The routing of ``table`` (int32 (N, T)): the channel by which a packet at a node leaves for a sink terminal.

    Raises InputError where a packet does not arrive.
    """
    sources = np.nonzero(network.supply > 0)[0].astype(np.int32)
    columns = np.arange(network.num_terminals, dtype=np.int32)
    check_table(len(sources), len(columns), _PATH_BYTES, f"{name} on {network.name}")
    row, column = np.repeat(sources, len(columns)), np.tile(columns, len(sources))
    away = row != network.sink[column]
    row, column = row[away], column[away]
    at = row.copy()
    going = np.arange(len(row))
    steps = []
    for _ in range(network.num_nodes):
        if not len(going):
            break
        channel = table[at[going], column[going]]
        lost = np.nonzero(channel < 0)[0]
        if lost.size:
            k = int(going[lost[0]])
            start, end = network.label(int(row[k])), network.label(int(network.sink[column[k]]))
            raise InputError(f"network {network.name}: {name} has no path from node {start} to node {end}")
        steps.append((going, channel))
        at[going] = network.head[channel]
        going = going[at[going] != network.sink[column[going]]]
    return ListedRouting(network, name, from_steps(row, column, steps), columns="terminal")


def from_steps(row: Int32, column: Int32, steps: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> PathList:
    """Paths from their hops: at step n the paths ``steps[n][0]`` cross the channels ``steps[n][1]``; weights are 1."""
    length = np.zeros(len(row), dtype=np.int64)
    for which, _ in steps:
        length[which] += 1
    offset = offsets_of(length)
    channel = np.empty(int(offset[-1]), dtype=np.int32)
    for n, (which, crossed) in enumerate(steps):
        channel[offset[which] + n] = crossed
    return PathList(row, column, offset, channel, Rationals.ones(len(row)))
