"""The expansion of a splitter, or of all splitters of a level, as claims, and which (alpha, beta) the theorems need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Evidence, Grade
from ...core.multistage.wiring import Splitter
from ...core.spread import Progress
from .splitters import (
    EXACT_INPUTS,
    Neighbourhoods,
    greedy_neighbourhoods,
    least_neighbourhoods,
    second_eigenvalue,
    spectral_bounds,
    unique_neighbours,
)

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

        def claim(what: str, relation: str, value: Fraction, grade: Grade, evidence: Evidence, **where: Any) -> None:
            result.append(Claim(what, relation, value, grade, evidence, SOURCE, {**about, **where}))

        for k, (least, subset, name) in enumerate(zip(self.worst.least, self.worst.subset, self.names, strict=True), 1):
            data, value, what = {"splitter": name, "subset": list(subset)}, Fraction(least), "least_neighbourhood"
            if self.exact:
                evidence = Evidence("splitter-enumeration", data)
                claim(what, "==", value, Grade.EXHAUSTED, evidence, subset_size=k)
                continue
            claim(what, "<=", value, Grade.PROVED, Evidence("splitter-subset", data), subset_size=k)
            if self.below:
                evidence = Evidence("splitter-spectrum", {"eigenvalue": str(self.eigenvalue), "power": _POWER})
                claim(what, ">=", Fraction(self.below[k - 1]), Grade.PROVED, evidence, subset_size=k)
        for k in range(1, self.inputs // 2 + 1) if self.exact else ():
            evidence = Evidence("derived", {"from": ["least_neighbourhood"]})
            alpha = str(Fraction(k, self.inputs))
            claim("expansion", "==", self.worst.expansion(k), Grade.EXHAUSTED, evidence, alpha=alpha)
        if self.unique is not None:
            unique = zip(self.unique.least, self.unique.subset, self.unique_names, strict=True)
            for k, (own, subset, name) in enumerate(unique, 1):
                evidence = Evidence("splitter-subsets", {"splitter": name, "subset": list(subset)})
                claim("unique_neighbour_fraction", "==", Fraction(own, k), Grade.EXHAUSTED, evidence, subset_size=k)
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
    for number, splitter in enumerate(splitters, 1):
        alone = progress if len(splitters) == 1 else None
        found.append(least_neighbourhoods(splitter, progress=alone) if exact else greedy_neighbourhoods(splitter))
        if progress is not None and not (exact and alone):
            progress(number, len(splitters))
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
    best = []
    for k in range(len(found[0].least)):
        of, splitter = min(zip(found, splitters, strict=True), key=lambda pair: pair[0].least[k])
        best.append((of.least[k], of.subset[k], splitter.name))
    least, subsets, names = zip(*best, strict=True)
    return Neighbourhoods(least, subsets), names


@dataclass(frozen=True)
class Need:
    """How far the splitters go for one theorem.

    ``condition`` on ``beta`` with ``bound``: more than this is needed.  ``below``: every splitter has it for alpha
    below this; ``beta``: its least beta there, None where no subset is that small, so that expansion says nothing.
    ``gives``: what follows for the algorithm, as text, with alpha at (not below) its limit.
    """

    theorem: str
    condition: str
    bound: Fraction
    below: Fraction
    beta: Fraction | None
    gives: str


def theorem_needs(found: Sequence[Expansion], degree: int) -> list[Need]:
    """For packets, circuits, faults and calls; ``degree``: d, edges up (or down) of a switch.

    Source: Maggs, sec. 2 (beta > 1, as expansion means, and L = 1 / (2 alpha)), sec. 3 (beta > d/2, delta = 2 beta / d
    - 1), sec. 4 (beta' = beta - floor(d/2) > 1, epsilon = 2 alpha (beta' - 1)), sec. 5 (beta > 2d/3 + 2/3, L > 1 / (2
    alpha (3 beta - 2d - 2))).  The theorems want one (alpha, beta) for *all* splitters; here it is that of the
    splitters at hand.

    From exact least neighbourhoods where they are known, else from the proved lower bounds; splitters beyond 64 inputs
    without such bounds count as having no expansion.
    """
    d = Fraction(degree)
    half = degree // 2
    rules = [
        ("packets (Theorem 1)", "beta > 1", Fraction(1)),
        ("circuits (Theorem 2)", f"beta > d/2 = {d / 2}", d / 2),
        ("faults (section 4)", f"beta > floor(d/2) + 1 = {half + 1}", Fraction(half + 1)),
        ("calls (section 5)", f"beta > 2d/3 + 2/3 = {(2 * d + 2) / 3}", (2 * d + 2) / 3),
    ]
    needs = []
    for theorem, condition, bound in rules:
        limit, beta = Fraction(1, 2), None
        for one in found:
            limit = min(limit, Fraction(_subsets(one, bound) + 1, one.inputs))
        for one in found:
            sizes = -(-limit.numerator * one.inputs // limit.denominator) - 1  # subsets with k < limit * M
            least = [Fraction(x, k) for k, x in enumerate(_known(one)[:sizes], 1)]
            beta = min([*least, beta] if beta is not None else least, default=None)
        needs.append(Need(theorem, condition, bound, limit, beta, _gives(theorem, d, half, limit, beta)))
    return needs


def _known(found: Expansion) -> Sequence[int]:
    return found.worst.least if found.exact else found.below


def _subsets(found: Expansion, bound: Fraction) -> int:
    """The largest size, at most M/2, up to which every subset has more than ``bound`` outputs per input."""
    most = 0
    for k, outputs in enumerate(_known(found)[: found.inputs // 2], 1):
        if not Fraction(outputs, k) > bound:
            break
        most = k
    return most


def _gives(theorem: str, d: Fraction, half: int, limit: Fraction, beta: Fraction | None) -> str:
    if beta is None:
        return ""
    load = f"L > {1 / (2 * limit)}"
    if theorem.startswith("circuits"):
        return f"{load}, delta = {2 * beta / d - 1}"
    if theorem.startswith("faults"):
        return f"{load}, epsilon < {2 * limit * (beta - half - 1)}"
    if theorem.startswith("calls"):
        return f"L > {1 / (2 * limit * (3 * beta - 2 * d - 2))}"
    return load
