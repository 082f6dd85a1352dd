"""What every set of demands declares, whatever its family; and the sets by name, as ``--demands`` and reports write
them: an entry stands beside what makes the set.

A set that reads no file has its entry in this room; one that reads a file beside the reader, in ``formats.demands``.
Nothing else lists sets: help, messages, reports and sentences ask this table.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..core.rational import Rationals
from ..core.registry import Registry
from ..core.symmetry import Automorphism
from ..kernel.shortest_paths import Lengths
from ..kernel.theorem import Adversaries

Pair = tuple[int, int]
"""(source terminal, destination terminal)."""
Demand = Mapping[Pair, Fraction]
"""A demand: positive rates by pair."""


class Weights(NamedTuple):
    """w(i, j) >= 0 of the pairs from ``source[k]`` to ``destination[k]``, none of them twice; of all others 0."""

    source: Int64
    destination: Int64
    weight: Rationals


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Of terminals' limits and of the total's, >= 0, in units of the weights; those that are not listed are 0."""

    sends: Mapping[int, Fraction] = field(default_factory=dict)
    receives: Mapping[int, Fraction] = field(default_factory=dict)
    total: Fraction = Fraction(0)

    def of(self, i: int, j: int) -> Fraction:
        """What a demand of 1 from i to j takes of the limits."""
        return self.sends.get(i, Fraction(0)) + self.receives.get(j, Fraction(0)) + self.total


class PairDemand(NamedTuple):
    """What adversaries of all channels send from one node to another, or from a terminal to another (which stand for
    their ports); ``what``: where that is said, for messages."""

    source: int
    destination: int
    traffic: Lengths
    of_terminals: bool
    what: str


@dataclass(frozen=True, eq=False)
class GivenDemands:
    """Demands Y_c of adversaries, one for each channel c.

    ``demands``: of one of every class under the symmetry, in the form that the set is ``gauged_by``; ``weight``: how
    many times a demand of the set each Y_c is, for sets with least demands.
    """

    demands: Any
    generators: Sequence[Automorphism] = ()
    reversal: bool = False
    weight: Lengths | None = None


NO_MULTIPLIERS = Multipliers()
"""Those that bound a demand by the limits of its pairs alone."""


class Maximum(NamedTuple):
    """The most that a demand of a set makes of weights: ``value``, by ``demand``; ``multipliers`` prove it."""

    value: Fraction
    demand: Demand
    multipliers: Multipliers

    @staticmethod
    def of(value: Fraction, demand: Demand, multipliers: Multipliers, proved: Fraction) -> Maximum:
        """Raises ArithmeticError where the multipliers prove another number than the demand reaches."""
        if proved != value:
            raise ArithmeticError(f"the demand ({value}) and the multipliers ({proved}) do not meet")
        return Maximum(value, demand, multipliers)


@dataclass(frozen=True, eq=False)
class DemandSet(ABC):
    """Demands between ``size`` terminals; ``text`` is what made the set (``sparse:16``), for people.

    What a family declares, so that nobody asks which family a set is:

    - ``stands_alone``: why it is not intersected with others; "" of one that is;
    - ``is_family``: why it is several sets, over which there is no one worst demand; "" of one set;
    - ``no_best``: why no routing is the best over it; "" where one is;
    - ``adaptive_load``: what ideal adaptive routing needs, where that is so by definition;
    - ``shown_by_flow``: is a demand shown to be in it by a flow that carries it?
    - ``designed_by``: which method of ``optimum.over`` finds the best routing over it;
    - ``gauged_by``: how adversaries over it are given to ``gauge``: "pairs" (``PairDemand``), "lengths" (of channels,
      for each of its matrices), or "flows" (by channel, (N, C)); "" where no bound on all routings is known.
    """

    size: int
    text: str
    stands_alone: ClassVar[str] = ""
    is_family: ClassVar[str] = ""
    no_best: ClassVar[str] = ""
    adaptive_load: ClassVar[Fraction | None] = None
    shown_by_flow: ClassVar[bool] = False
    designed_by: ClassVar[str] = ""
    gauged_by: ClassVar[str] = ""

    @property
    @abstractmethod
    def judged_by(self) -> str:
        """Which method of ``worst.over`` finds the worst case of a routing over the set."""

    @property
    def transport(self) -> Any:
        """The same demands as a ``TransportSet``, where limits of terminals, of all together and of pairs are all there
        is; else None."""
        return None

    @property
    def limiting(self) -> Any:
        """The ``TransportSet`` whose limits the set has, alone or for any number of packets; else None."""
        return self.transport

    @property
    def senders(self) -> npt.NDArray[np.bool_] | None:
        """bool (T, T): which pairs may send; None where that is not limited, or not known."""
        return None if self.transport is None else self.transport.allowed()

    @property
    def is_permutations(self) -> bool:
        """Is every permutation in the set, and nothing else?"""
        return False

    @property
    def listed(self) -> Mapping[str, Demand] | None:
        """The few demands whose mixtures the set is, by name; None of other sets."""
        return None

    @property
    def largest(self) -> Demand | None:
        """The demand that no other one of the set exceeds at any pair, where the set says it pair by pair."""
        return None

    @property
    def most_packets(self) -> int | None:
        """Where the worst case is a curve over the number of packets: more than so many are never sent."""
        return None

    def at(self, packets: int) -> DemandSet:
        """The set of at most so many packets, where the worst case is a curve over their number."""
        raise InputError(f"{self.text} is not a set for every number of packets; {packets} were asked for")

    @property
    def several_jobs(self) -> bool:
        """Are there jobs that limit one another in nothing, so that each has a worst case of its own?"""
        return False

    def check_between(self, network: Network) -> None:
        """Raise InputError unless the set is about the terminals of this network."""
        if self.size != network.num_terminals:
            raise InputError(f"{self.text} is about {self.size} terminals, {network.name} has {network.num_terminals}")

    def maximise(self, weights: Weights) -> Maximum:  # noqa: ARG002
        """The most that a demand of the set makes of the weights (the support function), exactly.

        Raises InputError for families over which there is no such demand, or where nothing limits it.
        """
        raise InputError(f"no one demand of {self.text} is the largest: {self.is_family or self.stands_alone}")

    def check(self, weights: Mapping[Pair, Fraction], multipliers: Multipliers) -> Fraction:  # noqa: ARG002
        """The bound on ``maximise`` that the multipliers prove: no search.  Raises InputError where they prove none."""
        raise InputError(f"multipliers prove nothing over {self.text}")

    def gauge(self, network: Network, given: GivenDemands) -> Adversaries:  # noqa: ARG002
        """How many times a demand of the set the demands Y_c of adversaries are, at most, for ``kernel.theorem``.

        Raises VerificationError for what is malformed, or of another set.
        """
        raise VerificationError(f"no bound on all routings of {network.name} is known over {self.text}")

    def check_admits(self, demand: Demand) -> None:  # noqa: ARG002
        """Raise InputError, saying what is above which limit, unless ``demand`` is in the set."""
        raise InputError(f"no demand by itself shows that it is in {self.text}: {self.is_family or self.stands_alone}")

    def admits(self, demand: Demand) -> bool:
        """Is ``demand`` known to be in the set?"""
        try:
            self.check_admits(demand)
        except InputError:
            return False
        return True

    def without(self, gone: npt.NDArray[np.bool_]) -> DemandSet:  # noqa: ARG002
        """The demands in which the terminals that are ``gone``, bool (T,), send and receive nothing.

        Raises InputError where nothing is left, and for families without such demands.
        """
        raise InputError(f"what is left of {self.text} without some terminals is not known")

    @property
    def is_symmetric(self) -> bool:
        """Does every renaming of the terminals, and exchanging senders and receivers, give the same demands?"""
        return False

    def __and__(self, other: DemandSet) -> DemandSet:
        """The demands that are in both sets; raises InputError where there can be none, or where one stands alone."""
        if not isinstance(other, DemandSet):
            return NotImplemented
        if self.size != other.size:
            raise InputError(f"{self.text} is about {self.size} terminals, {other.text} about {other.size}")
        both = self._with(other) or other._with(self)
        if both is None:
            alone, rest = (self, other) if self.stands_alone else (other, self)
            raise InputError(f"{alone.text} cannot be combined with {rest.text}: {alone.stands_alone}")
        return both

    def _with(self, other: DemandSet) -> DemandSet | None:  # noqa: ARG002
        """The intersection; None where this family does not know how."""
        return None


def intersection(sets: Sequence[DemandSet]) -> DemandSet:
    """What is in all of them; raises InputError, naming two sets that contradict each other, where nothing is."""
    try:
        return reduce(lambda a, b: a & b, sets)
    except InputError:
        for a, b in combinations(sets, 2):
            a & b  # two that contradict each other say so, without the others
        raise


BETWEEN = " & "
"""Stands between sets that hold at once."""


@dataclass(frozen=True)
class Given:
    """One text: ``rest`` is what stands after the colon, without ``options`` (``,unit=1000``)."""

    text: str
    rest: str
    options: Mapping[str, str]
    network: Network

    @property
    def size(self) -> int:
        return self.network.num_terminals


@dataclass(frozen=True)
class NamedSet:
    """A set by its name, which stands before the colon of ``usage``.

    - ``usage``: how the text looks, with brackets around what may be left out (``servers[:FILE]``); ``help``: what
      the set is; ``options``: which may follow a comma;
    - ``make``: from a text to the set; raises InputError for what it does not take;
    - ``words``: what may follow the colon, as a regular expression; "" where that names files;
    - ``limits``: of transport sets, which of "sends", "receives", "group", "pairs" and "box" it has; of other families
      none; ``one_packet``: do terminals send and receive one packet at most?  ``total``: the most that all together
      send, by what follows the colon;
    - ``told``: a transport set of a report as the set that its text names, by what follows the colon, and whether no
      other part of the text has this name; raises InputError where that says something else;
    - ``fits``: raises InputError where a network's own names contradict a transport set of this name; it takes the set,
      what follows the colon if there is one, and the network;
    - ``read``: of other families, the set between so many terminals that a report describes.
    """

    usage: str
    help: str
    make: Callable[[Given], DemandSet]
    options: tuple[str, ...] = ()
    words: str = ""
    limits: tuple[str, ...] = ()
    one_packet: bool = False
    total: Callable[[str], Fraction | None] = lambda _: None
    told: Callable[[Any, str, bool], DemandSet] = lambda demands, _rest, _alone: demands
    fits: Callable[[Any, str | None, Network], None] = lambda _demands, _rest, _network: None
    read: Callable[[Mapping[str, Any], int], DemandSet] | None = None

    @property
    def name(self) -> str:
        return re.split(r"\[?:", self.usage)[0]

    def takes(self, value: bool) -> bool:
        """May its text have a value after a colon (or none, where it has no ``value``)?"""
        return "[:" in self.usage or value == (":" in self.usage)

    @property
    def names_files(self) -> bool:
        return ":" in self.usage and not self.words

    def is_own(self, rest: str | None) -> bool:
        """Is this all that the set's text says, and no name of a file?  ``rest``: what follows the colon, if any."""
        if ":" not in self.usage or rest is None:
            return self.takes(value=False) and rest is None
        return bool(self.words) and re.fullmatch(self.words, rest, re.ASCII) is not None


SETS = Registry("demand set", NamedSet, rooms=[str(__package__)])


def named_part(part: str) -> tuple[NamedSet | None, str | None]:
    """The set that a part of a text names, None for what is no set, and what follows the colon, if there is one."""
    name, colon, rest = part.partition(":")
    return SETS.own.get(name), rest if colon else None
