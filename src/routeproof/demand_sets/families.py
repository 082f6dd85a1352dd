"""Families of transport sets with one parameter: a worst case is a curve over it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from ..core.errors import InputError
from .demand_set import DemandSet
from .transport import TransportSet


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
