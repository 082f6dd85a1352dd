"""Claims about the expansion of splitters: witnesses counted, enumerations done again, spectra checked in integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.checks.multipliers import shown
from ...core.checks.power_trace import power_trace
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.multistage.splitter import Splitter, splitter_of
from ..called import check_called
from ..context import Progress
from ..kind import EXACT, Kind, States
from ..reading import as_fraction, as_list
from ..shapes import BOUND, TEXT, WHOLE, Keys, ListOf, Shape, Word
from ..sources import SPLITTERS
from ..subject import wiring_of
from ..work import spend
from .splitter_enumeration import fewest_unique, least_by_outputs

__all__ = ["KINDS", "PLACES", "verify_expansion"]


def verify_expansion(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim; raises VerificationError for the first that fails."""
    del routing, progress  # a splitter has neither
    known: dict[str, _Judge] = {}
    for number, claim in enumerate(claims):
        key = repr(sorted((k, v) for k, v in claim.about.items() if k in PLACES))
        try:
            if key not in known:
                known[key] = _Judge(_splitters(subject, claim.about))
            known[key].check(claim)
        except (InputError, VerificationError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _splitters(subject: Mapping[str, Any], about: Mapping[str, Any]) -> list[Splitter]:
    if "splitter" in subject:
        from ...formats.documents.wiring import splitter_from_document

        if not isinstance(subject["splitter"], Mapping):
            raise InputError("the report's splitter is no document")
        if set(about) & set(PLACES):
            raise VerificationError("it says where in a wiring its splitter is, but the report has a splitter alone")
        splitter = splitter_from_document(subject["splitter"], what="the report's splitter")
        check_called(subject["splitter"].get("name"), splitter, what="its splitter")
        check_called(subject.get("topology"), splitter, what="its topology")
        return [splitter]
    wiring = wiring_of(subject)
    level, block, way = about.get("level"), about.get("block"), about.get("direction")
    if type(level) is not int or not 0 <= level < wiring.num_edge_levels:
        raise VerificationError("it does not say which level it is about")
    blocks = range(wiring.inputs >> wiring.block_bits(level))
    if way not in (None, "up", "down"):
        raise VerificationError(f"its direction is {str(way)[:40]!r}; up or down was expected")
    if block is not None and (type(block) is not int or not 0 <= block < len(blocks)):
        raise VerificationError(f"its block is {str(block)[:40]!r}; a number below {len(blocks)} was expected")
    ways = {None: (0, 1), "up": (0,), "down": (1,)}[way]
    chosen = blocks if block is None else [block]
    return [splitter_of(wiring, level=level, block=b, direction=w) for b in chosen for w in ways]


class _Judge:
    """What is true of the worst of some splitters; enumerated when it is first asked for."""

    def __init__(self, splitters: list[Splitter]) -> None:
        self.splitters = splitters
        self.by_name = {x.name: x for x in splitters}
        self._least: list[int] | None = None
        self._proved: set[tuple[Fraction, int]] = set()

    @property
    def least(self) -> list[int]:
        if self._least is None:
            every = [least_by_outputs(x) for x in self.splitters]
            self._least = [min(x[k] for x in every) for k in range(self.splitters[0].inputs)]
        return self._least

    def check(self, claim: Claim) -> None:
        kind, data = claim.evidence.kind, claim.evidence.data
        if not isinstance(claim.value, Fraction):
            raise VerificationError("its value is no number")
        if claim.quantity == "expansion":
            self._check_expansion(claim, claim.value)
            return
        size = claim.about.get("subset_size")
        if type(size) is not int or not 1 <= size <= self.splitters[0].inputs:
            raise VerificationError("its subset_size is outside the splitter")
        if kind == "splitter-spectrum":
            self._check_spectrum(claim.value, size, data)
            return
        splitter, subset = self._witness(data, size)
        if claim.quantity == "least_neighbourhood":
            if len(splitter.neighbourhood(subset)) != claim.value:
                raise VerificationError(f"its subset has {len(splitter.neighbourhood(subset))} neighbours")
            if kind == "splitter-enumeration" and self.least[size - 1] != claim.value:
                raise VerificationError(f"it is {shown(claim.value)}; the enumeration gives {self.least[size - 1]}")
            return
        if Fraction(_unique(splitter, subset), size) != claim.value:
            raise VerificationError("its subset has another fraction of unique neighbours")
        fewest = min(fewest_unique(x, size) for x in self.splitters)
        if Fraction(fewest, size) != claim.value:
            raise VerificationError(f"it is {shown(claim.value)}; all subsets give {Fraction(fewest, size)}")

    def _witness(self, data: Mapping[str, Any], size: int) -> tuple[Splitter, list[int]]:
        name = data.get("splitter")
        splitter = self.by_name.get(str(name))
        subset = as_list(data, "subset")
        whole = all(type(x) is int and 0 <= x < self.splitters[0].inputs for x in subset)
        if splitter is None or not whole or len(set(subset)) != size or len(subset) != size:
            raise VerificationError(f"its witness is no subset of {size} inputs of one of the splitters")
        return splitter, subset

    def _check_expansion(self, claim: Claim, value: Fraction) -> None:
        alpha = as_fraction(claim.about.get("alpha"), "alpha")
        size = alpha * self.splitters[0].inputs
        if claim.evidence.data.get("from") != ["least_neighbourhood"]:
            raise VerificationError("its evidence does not say that it follows from the least neighbourhoods")
        if size.denominator != 1 or not 0 < alpha <= 1:
            raise VerificationError("it is no statement about subsets of at most alpha times all inputs")
        beta = min(Fraction(y, k) for k, y in enumerate(self.least[: int(size)], 1))
        if beta != value:
            raise VerificationError(f"it is {shown(value)}; the least neighbourhoods give {beta}")

    def _check_spectrum(self, value: Fraction, size: int, data: Mapping[str, Any]) -> None:
        bound, power = as_fraction(data.get("eigenvalue"), "eigenvalue"), data.get("power")
        if type(power) is not int or not 1 <= power <= 1024 or power & (power - 1):
            raise VerificationError("its power is no power of two up to 1024")
        d = self.splitters[0].regular
        if d is None or any(x.regular != d for x in self.splitters):
            raise VerificationError("the splitters are not regular")
        if not 0 <= bound <= 2 * d * d:
            raise VerificationError(f"its eigenvalue is {shown(bound)}; 0 to {2 * d * d}, the largest, was expected")
        rounds = len(self.splitters) * power.bit_length() * max(1, power * (2 * d * d).bit_length() // 20)
        spend(self.splitters[0].outputs ** 3 * rounds / 3000, "the power of its spectrum")
        for splitter in self.splitters if (bound, power) not in self._proved else ():
            edges = np.zeros((splitter.inputs, splitter.outputs), dtype=np.int64)
            for i, outputs in enumerate(splitter.adjacent):
                np.add.at(edges[i], list(outputs), 1)
            if bound**power < power_trace(edges.T @ edges, power) - (2 * d * d) ** power:
                raise VerificationError("its eigenvalue is below the second eigenvalue's bound")
        self._proved.add((bound, power))
        share = Fraction(size, self.splitters[0].inputs)
        least = Fraction(d * d * size) / (bound + (2 * d * d - bound) * share)
        if value != -(-least.numerator // least.denominator):
            raise VerificationError(
                f"it is {shown(value)}; the spectrum gives {-(-least.numerator // least.denominator)}"
            )


def _unique(splitter: Splitter, subset: Sequence[int]) -> int:
    into: dict[int, set[int]] = {}
    for i in subset:
        for j in splitter.adjacent[i]:
            into.setdefault(j, set()).add(i)
    return len({next(iter(who)) for who in into.values() if len(who) == 1})


PLACES: Mapping[str, Shape] = {"level": WHOLE, "block": WHOLE, "direction": Word("up", "down")}
"""Where a splitter is in a wiring."""
_SIZE = Keys({"subset_size": WHOLE}, PLACES)
_SUBSET = Keys({"splitter": TEXT, "subset": ListOf(WHOLE)})


def _least(relation: str, grade: Grade) -> dict[str, States]:
    return {"least_neighbourhood": States((relation,), grade, _SIZE)}


KINDS: Mapping[str, Kind] = {
    "splitter-enumeration": Kind(_SUBSET, _least("==", Grade.EXHAUSTED), SPLITTERS),
    "splitter-subset": Kind(_SUBSET, _least("<=", Grade.PROVED), SPLITTERS),
    "splitter-spectrum": Kind(Keys({"eigenvalue": BOUND, "power": WHOLE}), _least(">=", Grade.PROVED), SPLITTERS),
    "splitter-subsets": Kind(
        _SUBSET,
        {"unique_neighbour_fraction": States(EXACT, Grade.EXHAUSTED, _SIZE)},
        SPLITTERS,
    ),
}
