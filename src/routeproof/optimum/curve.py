"""Curves of path length against worst-case load: corners that are proved, and what is known while they
are looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..core.network import Network
from ..demand_sets.transport import TransportSet
from ..routing.base.routing import Routing
from ..routing.classes.path_classes import ClassLoads
from ..routing.named.described import describe_routing
from ..symmetry.pair_classes import Reduction
from ..worst.scan.evidence import worst_case_claims
from ..worst.scan.exact import WorstCase
from .design import Bound
from .program.flows import description_of_classes, routing_from_classes


@dataclass(frozen=True, eq=False)
class Breakpoint:
    """A routing with the worst-case load ``load`` (by ``evidence``, {kind: data}) and the average path length
    ``length``: a corner of the curve where an ``adversary`` proves that no routing with at most that load has shorter
    paths.

    ``classes``: its flows under the ``reduction``; ``named``: in place of both, a routing that has a name.
    """

    load: Fraction
    length: Fraction
    evidence: Mapping[str, Any]
    adversary: Bound | None = None
    reduction: Reduction | None = None
    classes: Sequence[ClassLoads] = field(default=(), repr=False)
    named: Routing | None = None

    @staticmethod
    def of(routing: Routing, worst: WorstCase, length: Fraction) -> Breakpoint:
        found = worst_case_claims(worst)[0].evidence
        return Breakpoint(worst.load, length, {found.kind: found.data}, named=routing)

    @cached_property
    def routing(self) -> Routing:
        """Made when it is asked for: a curve has many corners, and a table of loads for each takes time and room."""
        if self.reduction is None:
            assert self.named is not None
            return self.named
        return routing_from_classes(self.reduction, self.classes)

    def description(self) -> Mapping[str, Any]:
        """As ``describe_routing(routing)``."""
        if self.reduction is None:
            return describe_routing(self.routing)
        return description_of_classes(self.reduction, self.classes)


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """The corners, from the best worst case to the shortest paths; between them the curve is straight.

    Where it is not ``complete``, the ``points`` are what routings reach: the curve is on the straight lines between
    them, or below, and not below the ``lines`` that are proved.  ``demands``: the set over which the worst case is
    meant; None: permutations.
    """

    network: Network
    minimal: Fraction
    points: list[Breakpoint]
    demands: TransportSet | None = None
    complete: bool = True
    lines: Sequence[Bound] = ()

    @cached_property
    def load_bound(self) -> Bound:
        """What proves the most of the load of every routing, where the curve is not complete."""
        return max(self.lines, key=lambda x: x.least_load())

    def length_bound(self, load: Fraction) -> tuple[Fraction, Bound | None]:
        """What is proved of the path length of every routing with at most this load, and by which of the lines."""
        found: tuple[Fraction, Bound | None] = self.minimal, None
        for one in self.lines:
            least = one.line.least_path_length(load)
            if least is not None and least > found[0]:
                found = least, one
        return found

    def least_length(self, load: Fraction) -> Fraction | None:
        """No routing with a worst-case load of at most ``load`` has a shorter average path, and one has this, where the
        curve is complete; None below the best worst case."""
        if self.complete:
            return self.reached_length(load)
        return None if load < self.load_bound.least_load() else self.length_bound(load)[0]

    def reached_length(self, load: Fraction) -> Fraction | None:
        """What some routing reaches, a mixture of two of the points; None where none has so low a load."""
        if load < self.points[0].load:
            return None
        for a, b in zip(self.points, self.points[1:], strict=False):
            if load <= b.load:
                return a.length + (b.length - a.length) * (load - a.load) / (b.load - a.load)
        return self.points[-1].length


@dataclass(eq=False)
class Reached:
    """What is known of a curve while its corners are looked for: ``points`` that routings reach, and ``lines`` that no
    routing is below."""

    points: list[Breakpoint] = field(default_factory=list)
    lines: list[Bound] = field(default_factory=list)

    def curve(self, network: Network, minimal: Fraction, demands: TransportSet | None) -> Tradeoff | None:
        """None where that is nothing."""
        if not self.points or not any(x.least_load() for x in self.lines):
            return None
        found = Tradeoff(network, minimal, lower_hull(self.points), demands, complete=False, lines=self.lines)
        for k, one in enumerate(found.points):
            least, line = found.length_bound(one.load)
            if line is not None and least == one.length:
                found.points[k] = replace(one, adversary=line)
        return found


def lower_hull(points: Iterable[Breakpoint]) -> list[Breakpoint]:
    """Those on the lower left of all, by load: no other, and no mixture of two, is as good in both."""
    found: list[Breakpoint] = []
    for one in sorted(points, key=lambda x: (x.load, x.length)):
        if found and one.length >= found[-1].length:
            continue
        while len(found) > 1 and _is_above(found[-1], found[-2], one):
            found.pop()
        found.append(one)
    return found


def _is_above(point: Breakpoint, a: Breakpoint, b: Breakpoint) -> bool:
    """Is the point on the straight line from ``a`` to ``b``, or above it?"""
    return (point.length - a.length) * (b.load - a.load) >= (b.length - a.length) * (point.load - a.load)
