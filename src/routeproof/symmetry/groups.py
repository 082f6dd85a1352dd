"""Groups of automorphisms, given by generators: orbits, elements that lead to their representatives, stabilisers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..core.arrays import Int32
from ..core.network import Network
from ..core.symmetry import Automorphism, Translations

_MOST_KEPT = 1 << 24  # numbers
_MOST_ELEMENTS = 1000


def identity(network: Network) -> Automorphism:
    return Automorphism(
        "", np.arange(network.num_nodes, dtype=np.int32), np.arange(network.num_channels, dtype=np.int32)
    )


class _WhenAsked:
    """Automorphisms that are made when asked for, and kept where they are few and small."""

    def __init__(self, make: Callable[[int], Automorphism], count: int, size: int) -> None:
        self._make = cache(make) if count * size <= _MOST_KEPT else make

    def __getitem__(self, at: int) -> Automorphism:
        return self._make(int(at))


@dataclass(frozen=True, eq=False)
class OrbitTree:
    """Orbits of nodes: ``rep[v]`` is the smallest node of v's orbit, and ``to[v]`` an element that takes v there."""

    rep: Int32
    to: _WhenAsked

    @property
    def representatives(self) -> list[int]:
        return [int(v) for v in np.unique(self.rep)]


def tree(generators: Sequence[Automorphism], one: Automorphism) -> OrbitTree:
    """The orbits of all nodes under the group; ``one`` is the identity."""
    size = len(one.node)
    rep = np.full(size, -1, dtype=np.int32)
    parent, via = np.full(size, -1, dtype=np.int32), np.full(size, -1, dtype=np.int32)
    back = [g.inverse for g in generators]
    moves = [x for g, h in zip(generators, back, strict=True) for x in (g, h)]
    undone = [x for g, h in zip(generators, back, strict=True) for x in (h, g)]
    for start in range(size):
        if rep[start] >= 0:
            continue
        rep[start] = start
        queue = [start]
        for v in queue:
            for k, g in enumerate(moves):
                u = int(g.node[v])
                if rep[u] < 0:
                    rep[u], parent[u], via[u] = start, v, k
                    queue.append(u)

    def element(v: int) -> Automorphism:
        steps = []
        while parent[v] >= 0:
            steps.append(int(via[v]))
            v = int(parent[v])
        result = one
        for k in steps:
            result = undone[k].after(result)
        return result

    return OrbitTree(rep, _WhenAsked(element, size, size + len(one.channel)))


def shifts(translations: Translations) -> OrbitTree:
    """All nodes are one orbit, and translations take them to node 0."""
    network = translations.network
    size = network.num_nodes

    def element(v: int) -> Automorphism:
        back = int(translations.minus[v])
        return Automorphism("", translations.sum[back], translations.channels(back))

    return OrbitTree(np.zeros(size, dtype=np.int32), _WhenAsked(element, size, size + network.num_channels))


def elements_of(
    generators: Sequence[Automorphism], one: Automorphism, *, most: int = _MOST_ELEMENTS
) -> list[Automorphism] | None:
    """All elements of the group; None where there are more than ``most``, or too many to list."""
    found = {one.key: one}
    queue = [one]
    for element in queue:
        for g in generators:
            more = g.after(element)
            if more.key not in found:
                found[more.key] = more
                queue.append(more)
        if len(queue) > most or len(queue) * len(one.channel) > 4 * _MOST_KEPT:
            return None
    return queue


def stabiliser(orbits: OrbitTree, generators: Sequence[Automorphism], point: int) -> list[Automorphism]:
    """Generators of those elements that leave ``point``, a representative, where it is (Schreier's lemma)."""
    found: list[Automorphism] = []
    if not generators:
        return found
    first = generators[0]
    seen = {first.after(first.inverse).key}
    for v in np.nonzero(orbits.rep == point)[0].tolist():
        back = orbits.to[v].inverse
        for g in generators:
            element = orbits.to[int(g.node[v])].after(g).after(back)
            if element.key not in seen:
                seen.add(element.key)
                found.append(element)
    return found
