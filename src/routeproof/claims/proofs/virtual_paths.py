"""Routings with the virtual channels of their packets, as proofs have them: assigned to paths, or by service level.

Packets with one path and several virtual channels share its probability: what counts is which packets there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...routing.base.routing import Routing
from ...routing.dependencies.virtual_dependencies import Assigned, straight_paths
from ...routing.fabrics.service_levels import NUM_LEVELS, ServiceLevels, tables_of
from .proof import NotElaborated, number
from .work import Work
from .written import common, head_of, pairs_of

_DROPPED = 15
_MOST_HOPS = 5_000_000  # of paths that are written out
Hops = tuple[tuple[int, ...], tuple[int, ...]]
"""The channels of a path, and their virtual channels."""
Found = tuple[int, int, Mapping[Hops, Fraction]]


def routing_on_virtual(work: Work, assigned: Assigned, routing: Routing | None = None) -> int:
    """The position of the routing (the report's) whose paths have these virtual channels: its own, or those that its
    loads make."""
    routing = routing or work.context.routing
    taken: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    hops = 0
    for bundle, virtual in assigned:
        hops += bundle.channel.size
        _expect_hops(hops)
        for path, own in zip(bundle.channel.tolist(), virtual.tolist(), strict=True):
            taken.setdefault(tuple(path), set()).add(tuple(own))

    def pairs() -> Iterator[Found]:
        for i, j, row, column in pairs_of(routing):
            found: dict[Hops, Fraction] = {}
            for path, x in _weighted(routing, row, column).items():
                for own in taken[path]:
                    found[path, own] = x / len(taken[path])
            yield i, j, found

    return _written(work, routing, "nodes" if routing.by_node else "terminals", pairs())


def routing_on_lanes(work: Work, levels: ServiceLevels) -> int:
    """The position of the routing between terminals whose packets have these service levels, with their lanes."""
    routing = work.context.routing
    if levels.missing:
        raise NotElaborated(f"{levels.missing} pairs of terminals have no service level; in a proof all pairs send")
    source, sink, size = work.network.source.tolist(), work.network.sink.tolist(), work.network.num_terminals
    tables = tables_of(routing, levels)

    def packets(i: int, j: int) -> Iterator[Hops]:
        for k, part in enumerate(tables):
            path = tuple(part.paths(int(part.row_of[i]), int(part.column_of[j]))[0][1])
            for level in (s for s in range(NUM_LEVELS) if levels.level[k, i, j] >> s & 1):
                lanes = tuple(levels.along(i, path, level))
                if max(lanes) < _DROPPED:
                    yield path, lanes

    def pairs() -> Iterator[Found]:
        for i, j in itertools.product(range(size), repeat=2):
            if source[i] != sink[j]:
                some = sorted(set(packets(i, j)))
                if not some:
                    raise NotElaborated(f"all packets from terminal {i} to terminal {j} are dropped")
                yield i, j, dict.fromkeys(some, Fraction(1, len(some)))

    return _written(work, routing, "terminals", pairs())


def orders(rank: Sequence[int], size: int, count: int) -> list[list[int]]:
    """By virtual channel, of ``count``, the ranks of all ``size`` channels; those that no packet takes have rank 0."""
    found = [list(rank[at : at + size]) for at in range(0, len(rank), size)]
    return found + [[0] * size] * (count - len(found))


def _weighted(routing: Routing, row: int, column: int) -> dict[tuple[int, ...], Fraction]:
    if not routing.has_explicit_paths:
        return straight_paths(routing, row, column)
    found: dict[tuple[int, ...], Fraction] = {}
    for x, path in routing.paths(row, column):
        found[tuple(path)] = found.get(tuple(path), Fraction(0)) + x
    return found


def _written(work: Work, routing: Routing, between: str, pairs: Iterable[Found]) -> int:
    found, hops = [], 0
    try:
        for i, j, paths in pairs:
            hops += sum(len(path) for path, _ in paths)
            _expect_hops(hops)
            found.append((i, j, paths))
    except InputError as reason:
        raise NotElaborated(str(reason)) from None
    scale = common(x for *_, paths in found for x in paths.values())
    rows: list[list[Any]] = [
        [i, j, [[number(int(x * scale)), list(path), list(own)] for (path, own), x in paths.items()]]
        for i, j, paths in found
    ]
    return work.proof.routing({**head_of(routing, scale), "between": between}, "paths", rows)


def _expect_hops(count: int) -> None:
    if count > _MOST_HOPS:
        raise NotElaborated(f"its routing has paths of more than {_MOST_HOPS:,} channels in all")
