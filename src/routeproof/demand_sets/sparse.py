"""Families of sets: at most K packets, each terminal sending and receiving one at most, for every K; and every rate of
sending up to 1, whose worst case is the least rate that saturates a channel.

Extreme points of the first are partial permutations of at most K packets, since the limits are totally unimodular.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from ..core.display import short
from ..core.errors import InputError
from .demand_set import DemandSet, Given, NamedSet
from .permutations import permutations
from .transport import TransportSet


def sparse(size: int, packets: int) -> TransportSet:
    """At most ``packets`` packets, each terminal sending and receiving at most one."""
    if not packets >= 1:
        raise InputError(f"sparse:{packets}: at least one packet was expected")
    return replace(permutations(size), text=f"sparse:{packets}", total=Fraction(packets))


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
        limits = other.limiting
        if limits is None:
            return None
        return EverySparse(self.size, f"{self.text} & {limits.text}", (self.inner & limits).transport)


def _sparse(given: Given) -> DemandSet:
    if not SPARSE.is_own(given.rest):
        raise InputError(
            f"the demand set is {short(repr(given.text))}; a number of packets from 1, as in sparse:16, or sparse:all "
            f"was expected"
        )
    if given.rest == "all":
        return EverySparse(given.size, given.text, permutations(given.size))
    return sparse(given.size, int(given.rest))


def _told(demands: DemandSet, rest: str, _alone: bool) -> DemandSet:
    limits = demands.transport
    return demands if rest != "all" or limits is None else EverySparse(demands.size, demands.text, limits)


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


UNBALANCED = NamedSet(
    "unbalanced",
    "terminals receive at most 1: the least rate of sending that overloads something",
    lambda given: Unbalanced(given.size),
)
