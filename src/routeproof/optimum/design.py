"""What a worst-case design is: a routing, judged, and what no routing can beat; and the order in which all methods make
one: the least load, what proves it, then, where it is asked for, the shortest paths within that load.

Ctrl-C while something is proved or judged is held until that is done.  A stage that was cut short is the last one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Stage
from ..demand_sets.demand_set import DemandSet
from ..kernel.theorem import Adversaries, SupportingLine, supporting_line
from ..machine.deadlines import held_interrupts
from ..routing.base.routing import Routing
from ..symmetry.pair_classes import Reduction
from ..worst.locality import average_path_length, minimal_average
from ..worst.over import worst_over
from ..worst.scan.exact import WorstCase

if TYPE_CHECKING:
    from ..routing.path_sets.path_set import PathSet

PRICE = 20.0  # what the worst case costs beside the path length: enough to hold it at its optimum


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
    paths); ``members``: the most that the groups of a switch may have together."""

    most: int
    exact: Fraction
    split: Fraction | None
    members: int | None = None


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
      they were;
    - ``known``: the name of the routing that this one is, where no better one was found (``optimum.known``);
      ``refused``: why nothing was solved, "" where it was.
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
    known: str = ""
    refused: str = ""

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


class NothingReachedError(InputError):
    """The time was over before there was any routing, or any bound."""


class Method(ABC):
    """- ``reduction``: the symmetry that makes the program smaller, None where the method uses none;
    - ``demands``: None stands for permutations; ``minimal`` and ``most_length`` as in ``Design``;
    - ``complete``: no stage was cut short, by the time or by an interrupt;
    - ``begins_with_lengths``: whether the second stage needs nothing of the first;
    - ``most_load``: within which load the second stage keeps, where that is known before its routing is judged.
    """

    most_length: Fraction | None = None
    most_load = Fraction(0)
    complete = True
    begins_with_lengths = False

    reduction: Reduction | None = None

    def __init__(self, network: Network, demands: DemandSet | None) -> None:
        self.demands, self.minimal = demands, minimal_average(network)

    @abstractmethod
    def solve(self, show: object) -> None:
        """The first stage: the least load.  ``show``: what the stage says, if anybody listens."""

    @abstractmethod
    def shorten(self, least: Fraction, show: object) -> bool:
        """The second stage: the shortest paths within the load; False where the first one's answer stands.  ``least``:
        what is proved of the load."""

    @abstractmethod
    def bound(self) -> Bound:
        """What the multipliers of the last stage prove."""

    @abstractmethod
    def routings(self) -> list[Routing]:
        """That of the last stage, and others that may be better: the best one counts."""


def designed(
    method: Method,
    *,
    shortest: bool,
    stage: Stage,
    proved: Callable[[Bound], None] | None = None,
    optimum: Bound | None = None,
) -> Design:
    """The routing of the method's last stage, with what is proved of load and path length; ``proved`` hears of the
    first as soon as it is.  ``optimum``: a bound that a known routing reaches, so that only the second stage is left,
    where the method can begin with it."""
    if not (shortest and method.begins_with_lengths):
        optimum = None
    if optimum is None:
        with stage("worst case") as show:
            method.solve(show)
    with stage("judging"), held_interrupts() as held:
        proof = optimum or method.bound()
        least = proof.least_load(method.most_length)
        if proved is not None:
            proved(proof)
    if optimum is not None and held.happened:
        raise KeyboardInterrupt
    method.complete = method.complete and not held.happened
    second = False
    if shortest and not held.happened:
        try:
            with stage("path length") as show:
                second = method.shorten(least, show)
        except KeyboardInterrupt:  # before there was anything
            if optimum is not None:
                raise
            method.complete = False
    with stage("judging"), held_interrupts():
        made = [(worst_over(routing, method.demands), routing) for routing in method.routings()]
        worst, routing = min(made, key=lambda x: x[0].load)
        bound = method.bound() if second else None
    return Design(
        method.reduction, routing, worst, proof, average_path_length(routing), method.minimal, method.most_length,
        bound, max(method.most_load, worst.load) if second else None, method.complete, method.demands,
    )  # fmt: skip
