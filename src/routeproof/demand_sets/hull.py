"""Sets that no terminal limits: the mixtures of a list of matrices, and everything that some routing could carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from ..kernel.gauges import gauge_of_flows, gauge_of_matrices
from ..kernel.theorem import Adversaries
from .demand_set import NO_MULTIPLIERS, Demand, DemandSet, GivenDemands, Maximum, Multipliers, NamedSet, Pair, Weights


@dataclass(frozen=True, eq=False)
class Hull(DemandSet):
    """The convex hull of ``matrices``, each with its positive rates by pair; ``names``: of each, for people.

    The most that the hull makes of any weights is what one of the matrices makes of them.  Every matrix is taken at
    scale 1: its largest load per bandwidth is what traffic engineering calls the maximum link utilisation.
    """

    matrices: tuple[Demand, ...]
    names: tuple[str, ...]
    gauged_by: ClassVar[str] = "lengths"
    designed_by: ClassVar[str] = "matrices"
    stands_alone: ClassVar[str] = "matrices are taken as they are; to limit demands around one, use box:FILE,margin=2"

    def __post_init__(self) -> None:
        if not self.matrices or len(self.names) != len(self.matrices):
            raise InputError(f"{self.text}: {len(self.matrices)} matrices, {len(self.names)} names; one each expected")
        for name, rates in zip(self.names, self.matrices, strict=True):
            if not any(rates.values()):
                raise InputError(f"{self.text}: {name} holds no positive rate")
            for (i, j), x in rates.items():
                if not (0 <= i < self.size and 0 <= j < self.size):
                    raise InputError(f"{self.text}: {name}: pair ({i}, {j}); terminals are 0 to {self.size - 1}")
                if i == j and x:
                    raise InputError(f"{self.text}: {name}: terminal {i} sends to itself; a demand's diagonal is 0")
                if x < 0:
                    raise InputError(f"{self.text}: {name}: terminal {i} sends {x} to {j}; it cannot be negative")

    @property
    def judged_by(self) -> str:
        return "matrices"

    @property
    def listed(self) -> Mapping[str, Demand]:
        return dict(zip(self.names, self.matrices, strict=True))

    @property
    def senders(self) -> npt.NDArray[np.bool_]:
        found = np.zeros(self.size * self.size, dtype=np.bool_)
        found[[place for some in self._flat for place in some]] = True
        return found.reshape(self.size, self.size)

    @cached_property
    def _flat(self) -> list[dict[int, Fraction]]:
        """By matrix: its rates, by source * size + destination."""
        return [{i * self.size + j: x for (i, j), x in rates.items() if x} for rates in self.matrices]

    def maximise(self, weights: Weights) -> Maximum:
        place = (weights.source * self.size + weights.destination).tolist()
        given = dict(zip(place, weights.weight.fractions(), strict=True))
        none = Fraction(0)
        paid = [sum((x * given.get(key, none) for key, x in some.items()), none) for some in self._flat]
        value = max(paid)
        return Maximum(value, self.matrices[paid.index(value)], NO_MULTIPLIERS)

    def check(self, weights: Mapping[Pair, Fraction], multipliers: Multipliers) -> Fraction:  # noqa: ARG002
        """What the matrices make of the weights: it needs no multipliers."""
        none = Fraction(0)
        return max(sum((x * weights.get(pair, none) for pair, x in some.items()), none) for some in self.matrices)

    def gauge(self, network: Network, given: GivenDemands) -> Adversaries:
        return gauge_of_matrices(network, self.matrices, given.demands)

    def check_admits(self, demand: Demand) -> None:
        """Of mixtures only the matrices themselves are known to be in the hull."""
        if not any(demand is x or demand == x for x in self.matrices):
            raise InputError(f"{self.text}: the demand is none of the matrices")

    def without(self, gone: npt.NDArray[np.bool_]) -> Hull:
        """The matrices without what these terminals send and receive, of those of which anything is left."""
        matrices = [{(i, j): x for (i, j), x in rates.items() if not (gone[i] or gone[j])} for rates in self.matrices]
        left = [k for k, rates in enumerate(matrices) if any(rates.values())]
        return replace(self, matrices=tuple(matrices[k] for k in left), names=tuple(self.names[k] for k in left))


def lists_together(sets: Sequence[DemandSet]) -> list[DemandSet]:
    """Matrices that are given one by one are one set of several; all other sets as they are."""
    lists = [x for x in sets if x.listed is not None]
    if len(lists) < 2:
        return list(sets)
    every = [item for x in lists for item in (x.listed or {}).items()]
    names = [name for name, _ in every]
    twice = next((x for k, x in enumerate(names) if x in names[:k]), None)
    if twice is not None:
        raise InputError(f"{lists[0].text}: {twice} is given twice")
    text = ", ".join(x.text for x in lists)
    together = Hull(lists[0].size, text, tuple(rates for _, rates in every), tuple(names))
    return [together, *(x for x in sets if x.listed is None)]


@dataclass(frozen=True, eq=False)
class Routable(DemandSet):
    """Every demand that a multicommodity flow carries with no channel above its bandwidth.

    It is between nodes: where a terminal sends at one node and receives at another, what it sends to itself counts.
    The worst case of a routing over it is its oblivious ratio (Applegate & Cohen 2003); ``worst.routable``.
    """

    text: str = "routable"
    gauged_by: ClassVar[str] = "flows"
    stands_alone: ClassVar[str] = "it is limited by the channels of the network, not by terminals"
    designed_by: ClassVar[str] = "flows"
    shown_by_flow: ClassVar[bool] = True
    adaptive_load: ClassVar[Fraction | None] = Fraction(1)

    @property
    def judged_by(self) -> str:
        return "flows"

    def gauge(self, network: Network, given: GivenDemands) -> Adversaries:
        return gauge_of_flows(network, given.demands, generators=given.generators, reversal=given.reversal)

    def without(self, gone: npt.NDArray[np.bool_]) -> Routable:  # noqa: ARG002
        """What the whole network carries stays what it was; nothing is asked of routings without these terminals."""
        return self


def _read(data: Mapping[str, Any], size: int) -> DemandSet:
    if data != {"text": Routable.text}:
        raise InputError(f"the set of demands is called {data['text'][:60]!r}, which is not a set with limits")
    return Routable(size)


ROUTABLE = NamedSet(
    "routable",
    "everything that some routing could carry: the oblivious ratio",
    lambda given: Routable(given.size),
    read=_read,
)
