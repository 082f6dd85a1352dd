"""The paths that hashes choose among, with their probabilities as whole numbers; and what the first choice leaves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from ...core.errors import InputError
from ..base.routing import Routing
from ..base.worst_hash import check_followed

_MOST_PATHS = 4096  # of a pair


def ways_of(
    routing: Routing, row: int, column: int, loads: Mapping[int, Fraction]
) -> list[tuple[int, list[int]]] | None:
    """(weight, path) for all paths of a pair with these loads; None where they are many."""
    if routing.has_explicit_paths:
        found = routing.paths(row, column)
    else:
        head, end = routing.network.head, int(routing.column_node[column])
        found, steps = [], steps_of(routing, loads)
        todo: list[tuple[Fraction, int, list[int]]] = [(Fraction(1), int(routing.row_node[row]), [])]
        while todo:
            weight, v, path = todo.pop()
            if v == end:
                found.append((weight, path))
            else:
                todo += [(weight * p, int(head[c]), [*path, c]) for c, p in steps[v]]
            if len(found) + len(todo) > _MOST_PATHS:
                return None
    if len(found) > _MOST_PATHS:
        return None
    scale = math.lcm(*(w.denominator for w, _ in found))
    return [(int(w * scale), path) for w, path in found]


def steps_of(routing: Routing, loads: Mapping[int, Fraction]) -> dict[int, list[tuple[int, Fraction]]]:
    """At every node the next channels of the pair's flows, with their probabilities."""
    found: dict[int, list[tuple[int, Fraction]]] = {}
    for c, x in loads.items():
        found.setdefault(int(routing.network.tail[c]), []).append((c, x))
    for v, out in found.items():
        total = sum((x for _, x in out), Fraction(0))
        found[v] = [(c, x / total) for c, x in out]
    return found


def next_shares(routing: Routing, source: int, sink: int) -> dict[tuple[int, int], Fraction]:
    """By (first channel c, another channel d out of the head of c): of the flows from terminal ``source`` to terminal
    ``sink`` that take c first, the share that takes d next: 0 of members of the switch's group that none takes.

    Raises InputError for a pair at one node or with too many paths, and where flows take no second channel.
    """
    check_followed(routing, "hashing at random")
    network = routing.network
    row, column = int(routing.row_of[source]), int(routing.column_of[sink])
    ends = f"terminal {network.terminal_label(source)} to terminal {network.terminal_label(sink)}"
    if routing.row_node[row] == routing.column_node[column]:
        raise InputError(f"{ends}: both are at {network.label(int(routing.row_node[row]))}; no flow enters the network")
    ways = ways_of(routing, row, column, routing.pair_loads([row], [column]).as_dict())
    if ways is None:
        raise InputError(f"{ends}: too many paths to write out")
    total: dict[int, int] = {}
    both: dict[tuple[int, int], int] = {}
    used = {c for _, path in ways for c in path}
    for weight, path in ways:
        total[path[0]] = total.get(path[0], 0) + weight
        if len(path) > 1:
            both[path[0], path[1]] = both.get((path[0], path[1]), 0) + weight
    if not both:
        raise InputError(f"{ends}: its flows cross one channel only; there is no second tier")
    out_offset, out_channel = network.out_channels
    found = {}
    for c in sorted(total):
        v = int(network.head[c])
        out = set(out_channel[out_offset[v] : out_offset[v + 1]].tolist())
        for d in sorted(used & out | {x for x, _ in routing.group(v, column)}):
            found[c, d] = Fraction(both.get((c, d), 0), total[c])
    return found
