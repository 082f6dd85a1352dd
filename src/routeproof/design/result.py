"""What a worst-case design is: a routing, judged, and what no routing can beat."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..analysis.worst_case.result import WorstCase
from ..core.network import Network
from .adversary import Adversary
from .program.orbits import Reduction

if TYPE_CHECKING:
    from ..routing.base.routing import Routing

__all__ = ["Design"]


@dataclass(frozen=True, eq=False)
class Design:
    """A designed ``routing``, judged, and what no routing can beat.

    - ``worst``: the routing's exact worst case; ``least_load``: no routing has a lower one (of those with an average
      path length of at most ``most_length``, if given), by ``load_adversary``;
    - ``length``: the routing's average path length; ``least_length``: no routing whose worst-case load is at most
      ``most_load`` has shorter paths, by ``length_adversary`` (None unless path lengths were asked for);
    - ``complete``: no stage was cut short, by the time limit or by an interrupt.
    """

    network: Network
    reduction: Reduction
    routing: Routing
    worst: WorstCase
    least_load: Fraction
    load_adversary: Adversary
    most_length: Fraction | None
    length: Fraction
    minimal: Fraction
    least_length: Fraction | None
    length_adversary: Adversary | None
    most_load: Fraction | None
    complete: bool

    @property
    def load(self) -> Fraction:
        return self.worst.load

    @property
    def gap(self) -> Fraction:
        """How far the worst case may be from the best, relative to it."""
        return self.load / self.least_load - 1 if self.least_load else Fraction(1)

    @property
    def length_gap(self) -> Fraction | None:
        return None if self.least_length is None or not self.least_length else self.length / self.least_length - 1
