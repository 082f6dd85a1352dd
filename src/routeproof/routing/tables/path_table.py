"""A routing given by explicit weighted paths."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.paths import Paths, check_paths, path_numbers
from ...core.rational import Rationals, shown
from ..base.exact_arrays import grouped_sum
from ..base.pair_table import PairTable, check_room, merge_terminals
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
        length = np.diff(paths.offset)
        check_room(len(paths.channel))
        table = PairTable.of(
            paths.channel,
            np.repeat(paths.source, length),
            np.repeat(paths.sink, length),
            Rationals(np.repeat(paths.weight.num, length), np.repeat(paths.weight.den, length)),
            shape=(network.num_channels, terminals, terminals),
        )
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
