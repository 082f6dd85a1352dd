"""What a set of paths is to designs and checkers: shortest distances within it, its channels, its symmetry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from ...core.arrays import Int64
from ...core.network import Network
from ...core.symmetry import Automorphism


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
