"""Claims about the expansion of splitters: witnesses counted, enumerations done again, spectra checked in integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from ...core.checks.multipliers import shown
from ...core.checks.power_trace import power_trace
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.multistage.splitter import Splitter, splitter_of
from ..kind import EXACT, SPLITTERS, Kind, States
from ..reading import Report, as_fraction, as_whole
from ..shapes import BOUND, TEXT, WHOLE, Keys, ListOf, Shape, Word
from ..subject import check_called, wiring_of
from ..values import check_value
from ..work import spend
from .splitter_enumeration import fewest_unique, least_by_outputs

__all__ = ["KINDS", "PLACES", "verify_expansion"]


def verify_expansion(report: Report) -> None:
    """Check every claim; raises VerificationError for the first that fails."""
    known: dict[str, _Worst] = {}

    def check(claim: Claim) -> None:
        key = repr(sorted((k, v) for k, v in claim.about.items() if k in PLACES))
        if key not in known:
            known[key] = _Worst(_splitters(report.subject, claim.about))
        known[key].check(claim)

    report.check_each(check)


def _splitters(subject: Mapping[str, Any], about: Mapping[str, Any]) -> list[Splitter]:
    if "splitter" in subject:
        from ...formats.documents.splitter import splitter_from_document

        if not isinstance(subject["splitter"], Mapping):
            raise InputError("the report's splitter is not a document")
        if set(about) & set(PLACES):
            raise VerificationError("it says where in a wiring its splitter is, but the report has a splitter alone")
        splitter = splitter_from_document(subject["splitter"], what="the report's splitter")
        check_called(subject["splitter"].get("name"), splitter, what="its splitter")
        check_called(subject.get("topology"), splitter, what="its topology")
        return [splitter]
    wiring = wiring_of(subject)
    level = as_whole(about.get("level"), "its level", 0, wiring.num_edge_levels - 1)
    blocks = range(wiring.inputs >> wiring.block_bits(level))
    if "block" in about:
        blocks = range(as_whole(about["block"], "its block", 0, len(blocks) - 1), about["block"] + 1)
    ways = {"up": (0,), "down": (1,)}.get(about.get("direction", ""), (0, 1))
    return [splitter_of(wiring, level=level, block=b, direction=w) for b in blocks for w in ways]


class _Worst:
    """What is true of the worst of some splitters; enumerated when it is first asked for."""

    def __init__(self, splitters: list[Splitter]) -> None:
        self.splitters, self.inputs = splitters, splitters[0].inputs
        self.by_name = {x.name: x for x in splitters}
        self._proved: set[tuple[Fraction, int]] = set()

    @cached_property
    def least(self) -> list[int]:
        """The least neighbourhood of subsets of 1, 2, ... inputs."""
        return [min(x) for x in zip(*map(least_by_outputs, self.splitters), strict=True)]

    def check(self, claim: Claim) -> None:
        kind, data = claim.evidence.kind, claim.evidence.data
        if claim.quantity == "expansion":
            self._check_expansion(claim)
            return
        size = claim.about.get("subset_size", 0)
        if not 1 <= size <= self.inputs:
            raise VerificationError("its subset_size is outside the splitter")
        if kind == "splitter-spectrum":
            self._check_spectrum(claim, size)
            return
        splitter, subset = self.by_name.get(data["splitter"]), data["subset"]
        within = all(0 <= x < self.inputs for x in subset)
        if splitter is None or not within or len(set(subset)) != size or len(subset) != size:
            raise VerificationError(f"its witness is not a subset of {size} inputs of one of the splitters")
        if claim.quantity == "least_neighbourhood":
            if len(splitter.neighbourhood(subset)) != claim.value:
                raise VerificationError(f"its subset has {len(splitter.neighbourhood(subset))} neighbours")
            if kind == "splitter-enumeration":
                check_value(claim, self.least[size - 1], "the enumeration gives")
            return
        if Fraction(_unique(splitter, subset), size) != claim.value:
            raise VerificationError("its subset has another fraction of unique neighbours")
        check_value(claim, Fraction(min(fewest_unique(x, size) for x in self.splitters), size), "all subsets give")

    def _check_expansion(self, claim: Claim) -> None:
        alpha = as_fraction(claim.about["alpha"], "alpha")
        size = alpha * self.inputs
        if claim.evidence.data["from"] != ["least_neighbourhood"]:
            raise VerificationError("its evidence does not say that it follows from the least neighbourhoods")
        if size.denominator != 1 or not 0 < alpha <= 1:
            raise VerificationError("it is not a statement about subsets of at most alpha times all inputs")
        beta = min(Fraction(y, k) for k, y in enumerate(self.least[: int(size)], 1))
        check_value(claim, beta, "the least neighbourhoods give")

    def _check_spectrum(self, claim: Claim, size: int) -> None:
        bound, power = as_fraction(claim.evidence.data["eigenvalue"], "eigenvalue"), claim.evidence.data["power"]
        if not 1 <= power <= 1024 or power & (power - 1):
            raise VerificationError("its power is not a power of two up to 1024")
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
        share = Fraction(size, self.inputs)
        check_value(claim, ceil(Fraction(d * d * size) / (bound + (2 * d * d - bound) * share)), "the spectrum gives")


def _unique(splitter: Splitter, subset: Sequence[int]) -> int:
    """How many members have an output to themselves."""
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
    "splitter-subsets": Kind(_SUBSET, {"unique_neighbour_fraction": States(EXACT, Grade.EXHAUSTED, _SIZE)}, SPLITTERS),
}
