"""What no routing can beat, as a design holds it: the line that was proved, and its evidence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.network import Network
from ..kernel.theorem import Adversaries, SupportingLine, supporting_line

if TYPE_CHECKING:
    from ..routing.path_sets.path_set import PathSet


class Bound(ABC):
    """``line``: what is proved of load and path length together; ``paths``: the set that routings' paths are of, or
    None for all paths; ``terminals_alike``: is it one on routings that treat the terminals of a node alike only?"""

    line: SupportingLine
    hops: int = 0
    paths: PathSet | None = None
    terminals_alike: bool = False

    def prove(self, network: Network, gauged: Adversaries, hops: int, paths: PathSet | None) -> None:
        """Find the line, where a hop of a pair of terminals costs ``hops``."""
        self.hops, self.paths = hops, paths
        self.line = supporting_line(network, gauged, hops=hops, distance=None if paths is None else paths.distance)

    def least_load(self, most_length: Fraction | None = None) -> Fraction:
        """No routing with an average path length of at most ``most_length`` has a lower load."""
        return max(self.line.least_load(most_length) or Fraction(0), Fraction(0))

    def meant(self) -> dict[str, Any]:
        """The part of the evidence that all bounds have: {"hops", "paths" where not all are meant}."""
        return {"hops": self.hops} if self.paths is None else {"hops": self.hops, "paths": self.paths.name}

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """As evidence of the kind ``adversary``, without ``within``."""
