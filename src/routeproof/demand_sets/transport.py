"""Transport sets: demands limited by row, by column, in total and pair by pair.

Permutations, the hose model, at most K packets, traffic inside jobs, given pairs and boxes are all of this family, and
so is the intersection of any of them.  A demand D(i, j) >= 0 is between different terminals; the diagonal is 0.

Why a few numbers prove the most: for u, v >= 0 by terminal, x >= 0 and any weights w,

    sum w D  <=  sum u(i) sends(i) + sum v(j) receives(j) + x total
                 + sum over allowed pairs of rest(i, j) high(i, j) where positive, rest(i, j) low(i, j) where negative

with rest(i, j) = w(i, j) - u(i) - v(j) - x.  Where there is no ``high``, no rest may be positive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32
from ..core.errors import InputError, VerificationError, did_you_mean
from ..core.network import Network
from ..core.rational import shown
from ..kernel.port_gauge import gauge_of_ports
from ..kernel.theorem import Adversaries
from .demand_set import BETWEEN, Demand, DemandSet, GivenDemands, Maximum, Multipliers, Pair, Weights, named_part
from .limits import Box, Limits, positive
from .ports import adversary_pairs
from .transportation import OfPairs, OfTerminals

T = TypeVar("T")
LARGEST = "largest"
"""What the matrix of the largest demands of a box is called."""


@dataclass(frozen=True, eq=False)
class TransportSet(Limits):
    """Demands within such limits."""

    gauged_by: ClassVar[str] = "pairs"
    designed_by: ClassVar[str] = "program"

    @property
    def judged_by(self) -> str:
        return "potentials" if self.box is None else "multipliers"

    @property
    def transport(self) -> TransportSet:
        return self

    def check_between(self, network: Network) -> None:
        """Also as the names of the sets say: the servers that a network's own names tell are those that it has."""
        super().check_between(network)
        for entry, rest in map(named_part, self.text.split(BETWEEN)):
            if entry is not None:
                entry.fits(self, rest, network)

    def alone(self, job: str) -> TransportSet:
        """The demands of one job, while all others send nothing; raises InputError for a name that no job has, and
        where the others must send, or the job cannot."""
        found = self.only(job)
        replace(found, text=f"{self.text}, job {job}").check_possible()
        return found

    def only(self, job: str) -> TransportSet:
        """As ``alone``, though nothing may be left; raises InputError for a name that no job has."""
        if self.group is None or job not in self.jobs:
            raise InputError(f"{self.text}: there is no job {job[:40]!r}; {did_you_mean(job[:40], self.jobs)}")
        group = np.where(self.group == self.jobs.index(job), 0, -1).astype(np.int32)
        return replace(self, group=group, jobs=(job,))

    @cached_property
    def _problem(self) -> OfTerminals | OfPairs:
        self.check_possible()
        sides = self.sends, self.receives, self.total
        if self.box is not None:
            limits = {pair: x for pair, x in self.box.items() if self.allows(*pair)}
            return OfPairs(limits, self.size, *sides)
        if not self.is_bounded:
            raise InputError(f"{self.text}: nothing limits the demand, so there is no worst case")
        return OfTerminals(self.allowed(), *sides)

    def maximise(self, weights: Weights) -> Maximum:
        return self._problem.maximise(weights)

    def check(self, weights: Mapping[Pair, Fraction], multipliers: Multipliers) -> Fraction:
        """What stands at the head of this module; nobody sends or receives more than the total."""
        value = Fraction(0)
        for rates, side in ((self.sends, multipliers.sends), (self.receives, multipliers.receives)):
            for i, x in side.items():
                most = self.total if rates is None else rates[i]
                if x < 0 or (x and most is None):
                    raise InputError(f"{self.text}: terminal {i} has the multiplier {x}, of no limit or below 0")
                value += x * (most or 0)
        if multipliers.total < 0 or (multipliers.total and self.total is None):
            raise InputError(f"{self.text}: the total has the multiplier {multipliers.total}, of no limit or below 0")
        value += multipliers.total * (self.total or 0)
        if self.box is not None:
            for pair, (low, high) in self.box.items():
                if self.allows(*pair):
                    rest = weights.get(pair, Fraction(0)) - multipliers.of(*pair)
                    value += rest * (high if rest > 0 else low)
            return value
        for (i, j), w in weights.items():
            idle = (self.sends and not self.sends[i]) or (self.receives and not self.receives[j])
            if w > multipliers.of(i, j) and self.allows(i, j) and not idle:
                raise InputError(f"{self.text}: the multipliers do not bound what terminal {i} sends to {j}")
        return value

    def _with(self, given: DemandSet) -> DemandSet | None:
        other: TransportSet | None = given.transport
        if other is None:
            return None
        both = replace(
            self,
            text=f"{self.text} & {other.text}",
            sends=_either(self.sends, other.sends, _smaller),
            receives=_either(self.receives, other.receives, _smaller),
            total=_either(self.total, other.total, min),
            **_common_jobs(self, other),
            apart=_either(self.apart, other.apart, lambda a, b: _common_servers(a, b, f"{self.text} and {other.text}")),
            pairs=_either(self.pairs, other.pairs, frozenset.intersection),
            box=_either(self.box, other.box, lambda a, b: _common_box(a, b, f"{self.text} and {other.text}")),
        )
        both.check_possible()
        return both

    def without(self, gone: npt.NDArray[np.bool_]) -> TransportSet:
        if not gone.any():
            return self
        left = self._without(gone)
        left.check_possible()
        return left

    def _without(self, gone: npt.NDArray[np.bool_]) -> TransportSet:
        if self.box is not None:
            left = {(i, j): x for (i, j), x in self.box.items() if not (gone[i] or gone[j])}
            return replace(self, box=left)
        group = np.zeros(self.size, dtype=np.int32) if self.group is None else self.group
        staying = np.where(gone, -1, group)
        kept = [k for k in range(int(group.max(initial=0)) + 1) if (staying == k).any()]
        number = {k: n for n, k in enumerate(kept)}
        names = tuple(self.jobs[k] for k in kept) if self.group is not None else ()
        return replace(self, group=np.array([number.get(k, -1) for k in staying.tolist()], dtype=np.int32), jobs=names)

    def check_possible(self) -> None:
        """Raise InputError unless some demand is admitted, and some other than 0 could be: the least one is judged."""
        if self.box is not None:
            least = {pair: low for pair, (low, _) in self.box.items() if low}
            try:
                replace(self, box=None, pairs=self.pairs).check_admits(least)
            except InputError as error:
                raise InputError(f"no demand is in all of them: {error}") from None
        if not self.some_pair():
            raise InputError(f"{self.text}: no pair of terminals may send; the set is empty")
        if self.total == 0:
            raise InputError(f"{self.text}: all together may send nothing; the set is empty")

    def some_pair(self) -> bool:
        """Is there a pair that is allowed, of terminals that may send and receive?"""
        out, into = (positive(rates, self.size) for rates in (self.sends, self.receives))
        if self.listed_pairs is not None:
            return any(out[i] and into[j] and self.allows(i, j) for i, j in self.listed_pairs)
        group = np.zeros(self.size, dtype=np.int64) if self.group is None else self.group.astype(np.int64)
        own = np.arange(self.size) if self.apart is None else self.apart  # nobody sends to itself, nor to its server
        sides = [set(zip(group[x].tolist(), own[x].tolist(), strict=True)) for x in (out, into)]
        servers: dict[int, set[int]] = {}
        for g, server in sides[1]:
            servers.setdefault(g, set()).add(server)
        return any(g >= 0 and servers.get(g, {server}) != {server} for g, server in sides[0])

    def gauge(self, network: Network, given: GivenDemands) -> Adversaries:
        ports, pairs = adversary_pairs(network, self, given.demands)
        if given.weight is not None and not ports.low:
            raise VerificationError("its adversaries have weights, which only a set with least demands needs")
        return gauge_of_ports(
            network, ports, pairs, generators=given.generators, reversal=given.reversal, weight=given.weight
        )

    def check_admits(self, demand: Demand) -> None:
        out, into = [Fraction(0)] * self.size, [Fraction(0)] * self.size
        for (i, j), x in demand.items():
            if x and not self.allows(i, j):
                raise InputError(f"{self.text}: terminal {i} sends {_told(x)} to {j}, which is not allowed")
            if x < 0:
                raise InputError(f"{self.text}: the demand from {i} to {j} is {_told(x)}; it cannot be negative")
            out[i] += x
            into[j] += x
        for (i, j), (low, high) in (self.box if self.box else {}).items():
            if not low <= demand.get((i, j), Fraction(0)) <= high:
                raise InputError(
                    f"{self.text}: the demand from {i} to {j} is not between {_told(low)} and {_told(high)}"
                )
        for what, found, most in (("sends", out, self.sends), ("receives", into, self.receives)):
            for i, (x, limit) in enumerate(zip(found, most or found, strict=True)):
                if x > limit:
                    raise InputError(
                        f"{self.text}: terminal {i} {what} {_told(x)}, at most {_told(limit)} was expected"
                    )
        if self.total is not None and sum(out) > self.total:
            raise InputError(
                f"{self.text}: all together send {_told(sum(out))}, at most {_told(self.total)} was expected"
            )


def _told(value: Fraction | int) -> str:
    """For messages: short fractions as they are, others as decimals."""
    exact = Fraction(value)
    short = exact.numerator.bit_length() + exact.denominator.bit_length() <= 50
    return (
        str(exact)
        if short
        else f"about {float(exact):.9g}"
        if exact.numerator >> 1000 < exact.denominator
        else shown(exact)
    )


def _either(one: T | None, other: T | None, both: Callable[[T, T], T]) -> T | None:
    if one is None or other is None:
        return other if one is None else one
    return both(one, other)


def _smaller(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[Fraction, ...]:
    return tuple(map(min, one, other))


def _common_servers(one: Int32, other: Int32, texts: str) -> Int32:
    """The larger servers, where those of one set are made of whole servers of the other."""
    parts = len(set(zip(one.tolist(), other.tolist(), strict=True)))
    for larger, smaller in ((one, other), (other, one)):
        if parts == len(set(smaller.tolist())):
            return larger
    raise InputError(f"{texts} divide the terminals into servers in two ways; one was expected")


def _common_jobs(one: TransportSet, other: TransportSet) -> dict[str, Any]:
    """Two terminals are in one group where they are in both."""
    if one.group is None or other.group is None:
        kept = other if one.group is None else one
        return {"group": kept.group, "jobs": kept.jobs}
    pairs = list(zip(one.group.tolist(), other.group.tolist(), strict=True))
    number: dict[tuple[int, int], int] = {}
    for pair in pairs:
        if min(pair) >= 0:
            number.setdefault(pair, len(number))
    group = np.array([number.get(pair, -1) for pair in pairs], dtype=np.int32)
    return {"group": group, "jobs": tuple(f"{one.jobs[a]} & {other.jobs[b]}" for a, b in number)}


def _common_box(one: Box, other: Box, texts: str) -> Box:
    limits = {}
    for pair in {**one, **other}:
        (low, high), (least, most) = (x.get(pair, (Fraction(0), Fraction(0))) for x in (one, other))
        if max(low, least) > min(high, most):
            raise InputError(
                f"{texts} contradict each other: terminal {pair[0]} sends {low} to {high} and {least} to {most} to "
                f"{pair[1]}"
            )
        if min(high, most) > 0:
            limits[pair] = max(low, least), min(high, most)
    return limits


def between(limits: Mapping[Pair, tuple[Fraction, Fraction]], size: int, *, text: str = "box") -> TransportSet:
    """Every demand between a least and a largest; pairs that are not listed send nothing."""
    found = TransportSet(size, text, box={pair: x for pair, x in limits.items() if x[1]})
    found.check_possible()
    return found
