"""Sets of paths by name: what a report names, whoever verifies it makes again.  Those of few turns are made here.

``2turn``, ``virtual-channels:V``, ``minimal``, ``minimal:weight=ATTRIBUTE``, ``ksp:K``, ``ksp:K,weight=ATTRIBUTE``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.errors import InputError, did_you_mean
from ...core.network import Grid, Network
from ...core.symmetry import Automorphism
from ..grid.lines import ChannelPlaces, channel_places
from ..grid.two_turns import channels_of, two_turn_paths
from .path_set import PathSet, ShortestPaths, few_shortest

_FEW = "virtual-channels"
_KSP = re.compile(r"ksp:([1-9][0-9]{0,3})(?:,weight=([^,:]{1,100}))?")
_SHORTEST = re.compile(r"minimal(?::weight=([^,:]{1,100}))?")

PATH_SETS = {
    "2turn": "at most two turns between dimensions and no reversal, on tori and meshes of two dimensions",
    _FEW: "virtual-channels:V, what V virtual channels free of deadlock, by turns and datelines; on tori and meshes",
    "minimal": "all shortest paths, by hops or, minimal:weight=ATTRIBUTE, by an attribute of the channels",
    "ksp": "ksp:K, the K shortest paths without a node twice; ksp:K,weight=ATTRIBUTE, by an attribute of the channels",
}


def few_virtual_channels(most: int) -> str:
    """The name of the set of paths for ``most`` virtual channels; raises InputError for less than one."""
    if most < 1:
        raise InputError(f"{most} virtual channels were asked for; at least 1 was expected")
    return f"{_FEW}:{most}"


def virtual_channels_of(name: str | None) -> int | None:
    """How many virtual channels a set of that name is for; None where it is another set."""
    kind, _, count = (name or "").partition(":")
    if kind != _FEW or not count.isdecimal() or not count.isascii() or len(count) > 3 or count != str(int(count)):
        return None
    return int(count) or None


def is_path_set(name: str) -> bool:
    """Does ``name`` have the form of one of the sets?"""
    few = virtual_channels_of(name) is not None
    return name == "2turn" or few or bool(_KSP.fullmatch(name) or _SHORTEST.fullmatch(name))


def path_set(name: str, network: Network) -> PathSet:
    """The set called ``name`` on ``network``; raises InputError where there is none."""
    if (few := _KSP.fullmatch(name)) is not None:
        return few_shortest(name, network, int(few[1]), few[2])
    if (shortest := _SHORTEST.fullmatch(name)) is not None:
        return ShortestPaths(name, network, shortest[1])
    if name.partition(":")[0] == "ksp":
        raise InputError(
            f"the paths are called '{name[:40]}'; ksp:K was expected, K from 1 to 1,024, or ksp:K,weight=ATTRIBUTE"
        )
    most, grid = virtual_channels_of(name), network.grid
    if most is None and name != "2turn":
        raise InputError(f"the paths are called '{name[:40]}'; {did_you_mean(name, PATH_SETS)}")
    if grid is None:
        raise InputError(
            f"paths of at most two turns need a torus or mesh of two dimensions; {network.name} is not one"
            if most is None
            else f"paths for {most} virtual channels need a torus or mesh; {network.name} has no grid layout "
            f"(forwarding tables for one virtual channel can be designed for any network: --paths tables "
            f"--deadlock-free)"
        )
    return TwoTurns(name, network, grid) if most is None else FewVirtualChannels(name, network, grid, most)


_MOST_HOPS = 3_000_000  # of all paths of a set that are written out


class TooManyPathsError(InputError):
    """A set of paths is well defined, and too large to be listed."""


class _OnGrid(PathSet):
    """Paths that visit no node twice, on a network with a grid layout."""

    def __init__(self, name: str, network: Network, grid: Grid) -> None:
        super().__init__(name, network)
        self.grid = grid
        self.places: ChannelPlaces = channel_places(network, grid)


class TwoTurns(_OnGrid):
    reversible = True

    def __init__(self, name: str, network: Network, grid: Grid) -> None:
        if grid.kind == "hyperx" or grid.num_dimensions != 2:
            raise InputError(
                f"paths of at most two turns need a torus or mesh of two dimensions; {network.name} is not one"
            )
        super().__init__(name, network, grid)
        self._known: dict[tuple[int, int], list[list[int]]] = {}

    def paths(self, source: int, destination: int) -> list[list[int]]:
        key = (source, destination)
        if key not in self._known:
            at = self.grid.coordinates
            start, end = at[source].tolist(), at[destination].tolist()
            legs = two_turn_paths(self.grid, start, end)
            self._known[key] = [list(channels_of(self.grid, start, one)) for one in legs]
        return self._known[key]

    def is_kept_by(self, g: Automorphism) -> bool:
        """If it takes dimensions to dimensions, turns stay turns, and straight runs stay straight."""
        dimension = self.places.dimension
        images = set(zip(dimension.tolist(), dimension[g.channel].tolist(), strict=True))
        return len(images) == len(set(dimension.tolist()))


class FewVirtualChannels(_OnGrid):
    """What at most so many virtual channels free of deadlock under the assignment by turns, dimension 0 first.

    A path begins in set 0; every turn to an earlier dimension takes it to the next set.  A set has two virtual channels
    on a torus with a radix above 2 (before and after the dateline), else one
    (``routing.dependencies.virtual_dependencies.by_turns``).
    """

    reversible = False

    def __init__(self, name: str, network: Network, grid: Grid, most: int) -> None:
        if grid.kind == "hyperx":
            raise InputError(f"paths for {most} virtual channels need a torus or mesh; {network.name} is a HyperX")
        super().__init__(name, network, grid)
        wide = 2 if grid.kind == "torus" and max(grid.radix) > 2 else 1
        if most < wide:
            raise InputError(
                f"{most} virtual channel is too few for {network.name}: on a torus every path needs one before and one "
                f"after the dateline, so at least {wide} were expected"
            )
        self._sets = most // wide
        self._hops = 0
        self._from: dict[int, dict[int, list[list[int]]]] = {}
        self._ways = [
            (m, direction)
            for m, k in enumerate(grid.radix)
            for direction in ((0,) if grid.kind == "torus" and (k == 2 or grid.oneway) else (0, 1))
        ]

    def paths(self, source: int, destination: int) -> list[list[int]]:
        if source == destination:
            return [[]]
        if self.grid.kind == "mesh":
            return self._paths_from(source)[destination]
        at, radix = self.grid.coordinates, self.grid.radix
        apart = [int(b - a) % k for a, b, k in zip(at[source], at[destination], radix, strict=True)]
        return [self._moved(path, source) for path in self._paths_from(0)[self.grid.node(apart)]]

    def holds(self, source: int, destination: int, path: Sequence[int]) -> bool:
        """Does it lead from source to destination, no node twice, with few enough turns to earlier dimensions?"""
        head, dimension = self.network.head, self.places.dimension
        here, visited, last, used = source, {source}, 0, 0
        for c in path:
            if int(self.network.tail[c]) != here or int(head[c]) in visited:
                return False
            here, m = int(head[c]), int(dimension[c])
            visited.add(here)
            used, last = used + (m < last), m
        return here == destination and used < self._sets

    def is_kept_by(self, g: Automorphism) -> bool:
        """If it takes every dimension to itself, turns to earlier dimensions stay such turns."""
        dimension = self.places.dimension
        return bool((dimension == dimension[g.channel]).all())

    def _moved(self, path: Sequence[int], source: int) -> list[int]:
        moved, here = [], source
        for c in path:
            there = int(self.grid.channel_at[here, self.places.dimension[c], self.places.direction[c]])
            moved.append(there)
            here = int(self.network.head[there])
        return moved

    def _paths_from(self, source: int) -> dict[int, list[list[int]]]:
        if source in self._from:
            return self._from[source]
        found: dict[int, list[list[int]]] = {}
        head = self.network.head.tolist()
        stack: list[tuple[int, list[int], frozenset[int], int, int]] = [(source, [], frozenset({source}), 0, 0)]
        while stack:
            node, path, visited, last, used = stack.pop()
            for m, direction in reversed(self._ways):
                c = int(self.grid.channel_at[node, m, direction])
                now = used + (m < last)
                if c < 0 or head[c] in visited or now >= self._sets:
                    continue
                longer = [*path, c]
                found.setdefault(head[c], []).append(longer)
                self._hops += len(longer)
                if self._hops > _MOST_HOPS:
                    raise TooManyPathsError(
                        f"{self.name} allows too many paths on {self.network.name} (more than {_MOST_HOPS:,} hops); "
                        f"fewer virtual channels, or a smaller network, were expected"
                    )
                stack.append((head[c], longer, visited | {head[c]}, m, now))
        self._from[source] = found
        return found
