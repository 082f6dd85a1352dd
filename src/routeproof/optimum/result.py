"""What a worst-case design is: a routing, judged, and what no routing can beat."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..symmetry.pair_classes import Reduction
from ..worst.scan.exact import WorstCase
from .bound import Bound

if TYPE_CHECKING:
    from ..routing.base.routing import Routing


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
