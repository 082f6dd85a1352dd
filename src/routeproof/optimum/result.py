"""What a worst-case design is: a routing, judged, and what no routing can beat."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..kernel.theorem import Adversaries, SupportingLine, supporting_line

if TYPE_CHECKING:
    from ..routing.path_sets.path_set import PathSet


from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..symmetry.pair_classes import Reduction
from ..worst.scan.exact import WorstCase

if TYPE_CHECKING:
    from ..routing.base.routing import Routing


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


@dataclass(frozen=True)
class Entries:
    """That a design's weights were rounded to fit tables of at most ``most`` entries: its worst-case load was
    ``exact``, and ``split`` when every node split by destination alone, with exact shares (None where sources choose
    paths)."""

    most: int
    exact: Fraction
    split: Fraction | None


@dataclass(frozen=True, eq=False)
class Design:
    """A designed ``routing``, judged, and what no routing can beat.

    - ``reduction``: the symmetry that made the program smaller, None where none was used;
    - ``worst``: the routing's exact worst case; ``least_load``: no routing has a lower one (of those with an average
      path length of at most ``most_length``, if given), by ``load_adversary``;
    - ``length``: the routing's average path length; ``minimal``: the shortest possible one; ``least_length``: no
      routing whose worst-case load is at most ``most_load`` has shorter paths, by ``length_adversary`` (None unless
      path lengths were asked for);
    - ``complete``: no stage was cut short, by the time limit or by an interrupt;
    - ``demands``: the set over which all this is, None for permutations; ``entries``: how its weights were rounded, if
      they were.
    """

    reduction: Reduction | None
    routing: Routing
    worst: WorstCase
    load_adversary: Bound
    length: Fraction
    minimal: Fraction
    most_length: Fraction | None = None
    length_adversary: Bound | None = None
    most_load: Fraction | None = None
    complete: bool = True
    demands: DemandSet | None = None
    entries: Entries | None = None

    @property
    def network(self) -> Network:
        return self.routing.network

    @property
    def load(self) -> Fraction:
        return self.worst.load

    @cached_property
    def least_load(self) -> Fraction:
        return self.load_adversary.least_load(self.most_length)

    @cached_property
    def least_length(self) -> Fraction | None:
        if self.length_adversary is None or self.most_load is None:
            return None
        return max(self.length_adversary.line.least_path_length(self.most_load) or self.minimal, self.minimal)

    @property
    def gap(self) -> Fraction:
        """How far the worst case may be from the best, relative to it."""
        return self.load / self.least_load - 1 if self.least_load else Fraction(1)

    @property
    def length_gap(self) -> Fraction | None:
        return None if not self.least_length else self.length / self.least_length - 1
