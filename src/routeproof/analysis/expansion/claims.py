"""The expansion of a splitter, or of all splitters of a level of a wiring, as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Evidence, Grade
from ...core.multistage.splitter import Splitter
from ...core.stage import Progress
from .splitters import (
    EXACT_INPUTS,
    Neighbourhoods,
    greedy_neighbourhoods,
    least_neighbourhoods,
    second_eigenvalue,
    spectral_bounds,
    unique_neighbours,
)

__all__ = ["Expansion", "expansion_of"]

SOURCE = "Maggs, Randomly Wired Multistage Networks, sec. 1.4 and 3.1"
_SPECTRAL_INPUTS = 1200
_POWER = 128


@dataclass(frozen=True)
class Expansion:
    """The worst over ``splitters`` (alike in size): per subset size the value and the splitter that has it.

    ``exact``: False where ``worst`` are only upper bounds, with ``below`` as proved lower bounds (if any).
    ``unique``: the fewest members with an output to themselves, for the sizes that were gone through.
    """

    splitters: tuple[Splitter, ...]
    exact: bool
    worst: Neighbourhoods
    names: tuple[str, ...]
    below: tuple[int, ...]
    eigenvalue: Fraction | None
    unique: Neighbourhoods | None
    unique_names: tuple[str, ...]

    @property
    def inputs(self) -> int:
        return self.splitters[0].inputs

    def claims(self, about: Mapping[str, Any]) -> list[Claim]:
        """least_neighbourhood for every subset size, expansion for every alpha up to 1/2, unique_neighbour_fraction."""
        result = []
        for k in range(1, self.inputs + 1):
            where = {**about, "subset_size": k}
            data = {"splitter": self.names[k - 1], "subset": list(self.worst.subset[k - 1])}
            value = Fraction(self.worst.least[k - 1])
            if self.exact:
                evidence = Evidence("splitter-enumeration", data)
                result.append(Claim("least_neighbourhood", "==", value, Grade.EXHAUSTED, evidence, SOURCE, where))
                continue
            evidence = Evidence("splitter-subset", data)
            result.append(Claim("least_neighbourhood", "<=", value, Grade.PROVED, evidence, SOURCE, where))
            if self.below:
                evidence = Evidence("splitter-spectrum", {"eigenvalue": str(self.eigenvalue), "power": _POWER})
                low = Fraction(self.below[k - 1])
                result.append(Claim("least_neighbourhood", ">=", low, Grade.PROVED, evidence, SOURCE, where))
        if self.exact:
            for k in range(1, self.inputs // 2 + 1):
                where = {**about, "alpha": str(Fraction(k, self.inputs))}
                beta = self.worst.expansion(k)
                evidence = Evidence("derived", {"from": ["least_neighbourhood"]})
                result.append(Claim("expansion", "==", beta, Grade.EXHAUSTED, evidence, SOURCE, where))
        if self.unique is not None:
            for k, (own, subset) in enumerate(zip(self.unique.least, self.unique.subset, strict=True), 1):
                data = {"splitter": self.unique_names[k - 1], "subset": list(subset)}
                evidence = Evidence("splitter-subsets", data)
                where = {**about, "subset_size": k}
                value = Fraction(own, k)
                result.append(Claim("unique_neighbour_fraction", "==", value, Grade.EXHAUSTED, evidence, SOURCE, where))
        return result


def expansion_of(
    splitters: Sequence[Splitter], *, unique: int | None = None, progress: Progress | None = None
) -> Expansion:
    """The worst least neighbourhoods over ``splitters``, which have equally many inputs.

    Exact up to 64 inputs; beyond, greedy upper bounds with witnesses and (for regular splitters up to 256 inputs)
    spectral lower bounds.  ``unique``: go through subsets up to this size for unique neighbours; 0 for none; by
    default as many sizes as stay within 10 million subsets a splitter.
    """
    first = splitters[0]
    exact = first.inputs <= EXACT_INPUTS
    found = []
    for number, splitter in enumerate(splitters):
        if len(splitters) == 1 and exact:
            found.append(least_neighbourhoods(splitter, progress=progress))
            continue
        found.append(least_neighbourhoods(splitter) if exact else greedy_neighbourhoods(splitter))
        if progress is not None:
            progress(number + 1, len(splitters))
    worst, names = _worst(found, splitters)
    below: tuple[int, ...] = ()
    eigenvalue: Fraction | None = None
    alike = first.regular is not None and all(x.regular == first.regular for x in splitters)
    if not exact and alike and first.inputs <= _SPECTRAL_INPUTS:
        eigenvalue = max(second_eigenvalue(x, power=_POWER) for x in splitters)
        below = tuple(spectral_bounds(first, eigenvalue))
    own: Neighbourhoods | None = None
    own_names: tuple[str, ...] = ()
    if unique != 0:
        sizes = None if unique is None else min(unique, first.inputs)
        own, own_names = _worst([unique_neighbours(x, most=sizes) for x in splitters], splitters)
    return Expansion(tuple(splitters), exact, worst, names, below, eigenvalue, own, own_names)


def _worst(found: Sequence[Neighbourhoods], splitters: Sequence[Splitter]) -> tuple[Neighbourhoods, tuple[str, ...]]:
    least, subsets, names = [], [], []
    for k in range(len(found[0].least)):
        at = min(range(len(found)), key=lambda s: found[s].least[k])
        least.append(found[at].least[k])
        subsets.append(found[at].subset[k])
        names.append(splitters[at].name)
    return Neighbourhoods(tuple(least), tuple(subsets)), tuple(names)
