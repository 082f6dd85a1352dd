"""Sets whose packets are whole: each terminal sends and receives one at most, in some of them at most K in all.

Extreme points are partial permutations, since the limits are totally unimodular.  Two are families with one parameter,
over which the worst case is a curve: every number of packets, and every rate of sending.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ..core.display import short
from ..core.errors import InputError
from .demand_set import DemandSet, Pair
from .named import Given, NamedSet
from .transport import TransportSet


def permutations(size: int) -> TransportSet:
    """Every terminal sends at most 1 and receives at most 1."""
    ones = (Fraction(1),) * size
    return TransportSet(size, "permutations", ones, ones)


def sparse(size: int, packets: int) -> TransportSet:
    """At most ``packets`` packets, each terminal sending and receiving at most one."""
    if not packets >= 1:
        raise InputError(f"sparse:{packets}: at least one packet was expected")
    return replace(permutations(size), text=f"sparse:{packets}", total=Fraction(packets))


def within(
    jobs: Mapping[str, Sequence[int]] | Sequence[Sequence[int]], size: int, *, text: str = "within"
) -> TransportSet:
    """A permutation that keeps every packet in its job.

    ``jobs``: the terminals of each, at least two, by name or in a list (then their names are 0, 1, ...); a terminal is
    in at most one, and those in none send nothing.  Raises InputError otherwise.
    """
    named = jobs if isinstance(jobs, Mapping) else {str(k): job for k, job in enumerate(jobs)}
    group, names = np.full(size, -1, dtype=np.int32), list(named)
    for k, (name, job) in enumerate(named.items()):
        if len(set(job)) < 2:
            count = "one terminal" if len(set(job)) == 1 else "no terminals"
            raise InputError(f"{text}: job {name} has {count}; two at least were expected")
        for i in job:
            if not 0 <= i < size:
                raise InputError(f"{text}: job {name} has terminal {i}; terminals are 0 to {size - 1}")
            if group[i] not in (-1, k):
                raise InputError(
                    f"{text}: terminal {i} is in jobs {names[group[i]]} and {name}; at most one was expected"
                )
            group[i] = k
    if not named:
        raise InputError(f"{text}: there is no job")
    return replace(permutations(size), text=text, group=group, jobs=tuple(names))


def among(pairs: Sequence[Pair], size: int, *, text: str = "pairs") -> TransportSet:
    """A permutation whose packets take only these (source, destination) pairs; raises InputError for none."""
    found = replace(permutations(size), text=text, pairs=frozenset(pairs))
    found.check_possible()
    return found


@dataclass(frozen=True, eq=False)
class Unbalanced(DemandSet):
    """For every rate up to 1: terminals send at most the rate and receive at most 1.

    The worst case over it is the smallest rate that saturates a channel (Towles & Dally 2002, sec. 2.1).
    """

    text: str = "unbalanced"
    is_family: ClassVar[str] = "it is a family of sets, one for every rate; hose:FILE says what each terminal sends"
    stands_alone: ClassVar[str] = is_family
    no_best: ClassVar[str] = (
        "is a family of sets, one for every rate, and has no one best routing: hose:FILE says what each terminal sends "
        "and receives (at rate 1 it is permutations)"
    )

    @property
    def judged_by(self) -> str:
        return "rates"


@dataclass(frozen=True, eq=False)
class EverySparse(DemandSet):
    """``inner``, with at most K packets in all, for every K from 0; made of sets where each packet is whole.

    Raises InputError where a terminal's limit is not 0 or 1, which gives no whole packets, and for boxes.
    """

    inner: TransportSet
    is_family: ClassVar[str] = "it is a family of sets, one for every number of packets; sparse:16 is one of them"
    no_best: ClassVar[str] = (
        "is one set for every number of packets, and has no one best routing: sparse:16 or so was expected"
    )

    @property
    def judged_by(self) -> str:
        return "lines"

    @property
    def limiting(self) -> TransportSet:
        return self.inner

    def __post_init__(self) -> None:
        inner = self.inner
        for what, rates in (("sends", inner.sends), ("receives", inner.receives)):
            for i, x in enumerate(rates or (None,)):
                if x not in (0, 1):
                    raise InputError(f"{self.text}: terminal {i} {what} at most {x}; 0 or 1, one packet, was expected")
        if inner.box is not None or inner.total is not None:
            raise InputError(f"{self.text}: the number of packets is counted from 0 up; it has no other limit")

    def at(self, packets: int) -> TransportSet:
        """The set of at most so many packets."""
        if not packets >= 1:
            raise InputError(f"{self.text}: {packets} packets; at least one was expected")
        return replace(self.inner, text=self.text.replace("sparse:all", f"sparse:{packets}"), total=Fraction(packets))

    @property
    def most_packets(self) -> int:
        """More packets than so many are never sent."""
        assert self.inner.sends is not None
        assert self.inner.receives is not None
        return int(min(sum(self.inner.sends), sum(self.inner.receives)))

    def _with(self, other: DemandSet) -> DemandSet | None:
        if isinstance(other, EverySparse):
            return self._with(other.inner)
        if not isinstance(other, TransportSet):
            return None
        inner = self.inner & other
        assert isinstance(inner, TransportSet)
        return EverySparse(self.size, f"{self.text} & {other.text}", inner)


def _sparse(given: Given) -> DemandSet:
    if not SPARSE.is_own(given.rest):
        raise InputError(
            f"the demand set is {short(repr(given.text))}; a number of packets from 1, as in sparse:16, or sparse:all "
            f"was expected"
        )
    if given.rest == "all":
        return EverySparse(given.size, given.text, permutations(given.size))
    return sparse(given.size, int(given.rest))


def _told(demands: TransportSet, rest: str, _alone: bool) -> DemandSet:
    return EverySparse(demands.size, demands.text, demands) if rest == "all" else demands


PERMUTATIONS = NamedSet(
    "permutations",
    "every terminal sends and receives at most one packet per cycle",
    lambda given: permutations(given.size),
    limits=("sends", "receives"),
    one_packet=True,
)
UNBALANCED = NamedSet(
    "unbalanced",
    "terminals receive at most 1: the least rate of sending that overloads something",
    lambda given: Unbalanced(given.size),
)
SPARSE = NamedSet(
    "sparse:16",
    "at most so many packets at the same time; sparse:all: for every number of them",
    _sparse,
    words="all|(?!0+$)[0-9]{1,9}",
    limits=("sends", "receives"),
    one_packet=True,
    total=lambda rest: None if rest == "all" else Fraction(int(rest)),
    told=_told,
)
