"""What a method of design gives, and the order in which all of them go: the least load, what proves it, then, where it
is asked for, the shortest paths within that load; the last routing is judged exactly.

Ctrl-C while something is proved or judged is held until that is done.  A stage that was cut short is the last one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from ..core.stage import Stage
from ..demand_sets.demand_set import DemandSet
from ..machine.deadlines import held_interrupts
from ..routing.base.routing import Routing
from ..symmetry.pair_classes import Reduction
from ..worst.locality import average_path_length, minimal_average
from ..worst.over import worst_over
from .result import Bound, Design

PRICE = 20.0  # what the worst case costs beside the path length: enough to hold it at its optimum


class Method(ABC):
    """- ``demands``: None stands for permutations; ``minimal`` and ``most_length`` as in ``Design``;
    - ``complete``: no stage was cut short, by the time or by an interrupt;
    - ``most_load``: within which load the second stage keeps, where that is known before its routing is judged.
    """

    most_length: Fraction | None = None
    most_load = Fraction(0)
    complete = True

    def __init__(self, reduction: Reduction, demands: DemandSet | None) -> None:
        self.reduction, self.demands = reduction, demands
        self.minimal = minimal_average(reduction.network)

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


def designed(method: Method, *, shortest: bool, stage: Stage) -> Design:
    """The routing of the method's last stage, with what is proved of load and path length."""
    with stage("worst case") as show:
        method.solve(show)
    with stage("judging"), held_interrupts() as held:
        proof = method.bound()
        least = proof.least_load(method.most_length)
    method.complete = method.complete and not held.happened
    second = False
    if shortest and not held.happened:
        try:
            with stage("path length") as show:
                second = method.shorten(least, show)
        except KeyboardInterrupt:  # before there was anything
            method.complete = False
    with stage("judging"), held_interrupts():
        made = [(worst_over(routing, method.demands), routing) for routing in method.routings()]
        worst, routing = min(made, key=lambda x: x[0].load)
        bound = method.bound() if second else None
    return Design(
        method.reduction, routing, worst, proof, average_path_length(routing), method.minimal, method.most_length,
        bound, max(method.most_load, worst.load) if second else None, method.complete, method.demands,
    )  # fmt: skip
