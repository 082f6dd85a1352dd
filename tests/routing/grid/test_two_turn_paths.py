"""Paths of at most two turns: exactly those that a search over all simple paths finds."""

from __future__ import annotations

import itertools

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.grid.two_turns import channels_of, two_turn_paths
from routeproof.topologies.grid.lattice import hyperx, mesh, ring, torus

Path = tuple[int, ...]


def searched(net: Network, start: tuple[int, ...], end: tuple[int, ...]) -> set[Path]:
    """All simple paths that turn at most twice and never reverse, by trying every channel at every node."""
    grid, found = net.grid, set()
    goal = grid.node(end)
    kind = {int(grid.channel_at[v, m, d]): (m, d) for v in range(net.num_nodes) for m in (0, 1) for d in (1, 0)}

    def go(v: int, path: Path, seen: frozenset[int], turns: int) -> None:
        if v == goal:
            found.add(path)
            return
        for c in range(net.num_channels):
            u = int(net.head[c])
            if net.tail[c] != v or u in seen:
                continue
            turned = bool(path) and kind[path[-1]][0] != kind[c][0]
            if turns + turned <= 2 and (not path or turned or kind[path[-1]] == kind[c]):
                go(u, (*path, c), seen | {u}, turns + turned)

    go(grid.node(start), (), frozenset([grid.node(start)]), 0)
    return found


@pytest.mark.parametrize("net", [torus(4, 4), torus(4, 3), torus(2, 3), torus(3, 3, oneway=True), mesh(3, 4)])
def test_they_are_all_there_is(net: Network) -> None:
    for end in itertools.product(*map(range, net.grid.radix)):
        for start in ((0, 0), (1, 2)):
            if start != end:
                paths = [tuple(channels_of(net.grid, start, legs)) for legs in two_turn_paths(net.grid, start, end)]
                assert len(set(paths)) == len(paths)
                assert set(paths) == searched(net, start, end)


def test_numbers_and_the_trivial_path() -> None:
    grid = torus(8, 8).grid
    assert sum(len(two_turn_paths(grid, (0, 0), end)) for end in itertools.product(range(8), range(8))) == 5909
    assert two_turn_paths(grid, (3, 3), (3, 3)) == [()]
    assert two_turn_paths(grid, (0, 0), (0, 3)) == [
        *[((0, x), (1, y), (0, z)) for w in range(1, 8) for x in (w, w - 8) for y in (3, -5) for z in (8 - w, -w)],
        *[((1, 3),), ((1, -5),)],
    ]


def test_two_dimensions_are_needed() -> None:
    for net in (ring(5), torus(3, 3, 3), hyperx(3, 3)):
        with pytest.raises(InputError, match="two dimensions"):
            two_turn_paths(net.grid, (0,) * net.grid.num_dimensions, (1,) * net.grid.num_dimensions)
