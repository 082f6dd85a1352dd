"""Slow and obvious: all paths of an incremental function, and all pair loads of a routing, both ways."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing

Loads = dict[tuple[int, int, int], Fraction]


def all_loads(routing: Routing) -> Loads:
    """{(channel, row, column): load}, base included; asserts that loads by channel and by pair are the same."""
    network = routing.network
    block = routing.channel_loads(np.arange(network.num_channels))
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    pairs = [(i, j) for i in rows for j in columns if routing.row_node[i] != routing.column_node[j]]
    result: Loads = {}
    for c in range(network.num_channels):
        for (i, j), load in block.as_dict(c).items():
            assert load > 0
            assert routing.row_node[i] != routing.column_node[j]
            result[c, i, j] = load
        if block.base is not None:
            row, column = block.base.row[c].fractions(), block.base.column[c].fractions()
            for i, j in pairs:
                total = result.get((c, i, j), Fraction(0)) + row[i] + column[j]
                if total:
                    result[c, i, j] = total
        assert block.one(c).row.tolist() == sorted(block.one(c).row.tolist())
    by_pair = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    again: Loads = {}
    for k, (i, j) in enumerate(pairs):
        found = by_pair.as_dict(k)
        assert list(found) == sorted(found)
        again.update({(c, i, j): load for c, load in found.items()})
    assert {key: x for key, x in result.items() if (key[1], key[2]) in set(pairs)} == again
    routing.check()
    return result


def all_paths(
    network: Network, function: Callable[..., list[tuple[object, object, int]]], start: object = None
) -> dict[tuple[int, int], dict[tuple[int, ...], Fraction]]:
    """Every path of an incremental function with its probability, by enumeration; simple networks, node hops."""
    to = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(network.tail, network.head, strict=True))}
    result: dict[tuple[int, int], dict[tuple[int, ...], Fraction]] = {}
    for i in range(network.num_nodes):
        for j in range(network.num_nodes):
            if i == j:
                continue
            found: dict[tuple[int, ...], Fraction] = {}
            todo: list[tuple[object, int, tuple[int, ...], Fraction]] = [(start, i, (), Fraction(1))]
            while todo:
                state, node, path, weight = todo.pop()
                if node == j:
                    found[path] = found.get(path, Fraction(0)) + weight
                    continue
                for p, next_state, v in function(state, node, j):
                    todo.append((next_state, v, (*path, to[node, v]), weight * Fraction(p)))  # type: ignore[arg-type]
            result[i, j] = found
    return result


def loads_of_paths(paths: dict[tuple[int, int], dict[tuple[int, ...], Fraction]]) -> Loads:
    result: Loads = {}
    for (i, j), found in paths.items():
        for path, weight in found.items():
            for c in path:
                result[c, i, j] = result.get((c, i, j), Fraction(0)) + weight
    return result
