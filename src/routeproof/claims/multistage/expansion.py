"""Claims about the expansion of splitters: witnesses counted, enumerations done again, spectra checked in integers.

All sets of outputs, and all small sets of inputs, are gone through in numpy, not by ``worst``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from math import ceil, comb
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Splitter, splitter_of
from ...core.rational import shown
from ...kernel.power_trace import power_trace
from ..derived import FROM
from ..kind import EXACT, NAMED, PLACES, SPLITTERS, Kind, States, SubjectKind
from ..proofs.proof import Proof, Writing, fraction
from ..reading import Report, as_fraction, as_whole, check_value
from ..shapes import ANY, BOUND, TEXT, WHOLE, Either, Keys, ListOf
from ..subject import check_called, wiring_of
from ..work import spend

_LOW = 20  # outputs whose sets are held at once
_CHUNK = 1 << 18
_MOST_INPUTS = 64
_WORD = 63


def verify_expansion(report: Report) -> None:
    """Check every claim; raises VerificationError for the first that fails."""
    known: dict[str, _Worst] = {}

    def check(claim: Claim) -> None:
        key = _place(claim)
        if key not in known:
            known[key] = _Worst(_splitters(report.subject, claim.about))
        known[key].check(claim)

    report.check_each(check)


def _splitters(subject: Mapping[str, Any], about: Mapping[str, Any]) -> list[Splitter]:
    if "splitter" in subject:
        from ...formats.documents.wiring import splitter_from_document

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
        return [min(x) for x in zip(*map(_least_by_outputs, self.splitters), strict=True)]

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
        into = Counter(j for i in subset for j in set(splitter.adjacent[i]))
        alone = sum(any(into[j] == 1 for j in splitter.adjacent[i]) for i in subset)  # with an output to themselves
        if Fraction(alone, size) != claim.value:
            raise VerificationError("its subset has another fraction of unique neighbours")
        check_value(claim, Fraction(min(_fewest_unique(x, size) for x in self.splitters), size), "all subsets give")

    def _check_expansion(self, claim: Claim) -> None:
        alpha = as_fraction(claim.about["alpha"], "alpha")
        size = alpha * self.inputs
        if claim.evidence.data["from"] != FROM[claim.quantity]:
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
            edges = np.array([np.bincount(x, minlength=splitter.outputs) for x in splitter.adjacent], dtype=np.int64)
            if bound**power < power_trace(edges.T @ edges, power) - (2 * d * d) ** power:
                raise VerificationError("its eigenvalue is below the second eigenvalue's bound")
        self._proved.add((bound, power))
        share = Fraction(size, self.inputs)
        check_value(claim, ceil(Fraction(d * d * size) / (bound + (2 * d * d - bound) * share)), "the spectrum gives")


class SplittersWork(Writing):
    """A proof about splitters: every input and every output is a node; the format's terminal sends nothing."""

    def __init__(self, proof: Proof, report: Report) -> None:
        self.proof, self.of = proof, dict[str, list[Splitter]]()
        for claim in report.claims:
            key = _place(claim)
            self.of[key] = self.of[key] if key in self.of else _splitters(report.subject, claim.about)
        size, channels, self.inputs = 0, list[list[int]](), dict[str, range]()
        for name, splitter in {x.name: x for some in self.of.values() for x in some}.items():
            own = self.inputs[name] = range(size, size + splitter.inputs)
            channels += [[i, own.stop + j, 1] for i, heads in zip(own, splitter.adjacent, strict=True) for j in heads]
            size = own.stop + splitter.outputs
        name = str(report.subject.get("topology", "splitters"))
        proof.network = {"name": name, "nodes": size, "scale": 1, "channels": channels, "terminals": [[0, 0]]}

    def groups(self, claim: Claim) -> list[list[int]]:
        return [list(self.inputs[x.name]) for x in self.of[_place(claim)]]


def elaborate_subset(work: SplittersWork, claim: Claim) -> None:
    own = work.inputs[claim.evidence.data["splitter"]]
    nodes = [own[k] for k in claim.evidence.data["subset"]]
    work.proof.claim("neighbours-at-most", groups=work.groups(claim), nodes=nodes, value=int(claim.number))


def elaborate_spectrum(work: SplittersWork, claim: Claim) -> None:
    data, about = claim.evidence.data, {"size": claim.about["subset_size"], "value": int(claim.number)}
    eigenvalue = fraction(as_fraction(data["eigenvalue"], "eigenvalue"))
    about |= {"groups": work.groups(claim), "eigenvalue": eigenvalue, "power": data["power"]}
    work.proof.claim("neighbours-at-least", **about)


def _place(claim: Claim) -> str:
    return repr(sorted((k, v) for k, v in claim.about.items() if k in PLACES))


def _least_by_outputs(splitter: Splitter) -> list[int]:
    """The least neighbourhood of every subset size 1 .. M.

    For every set of outputs the inputs with all neighbours in it are counted: inputs by their outputs, then sums over
    subsets, one output after the other.  Up to 20 outputs at once; of more, every set of the others in turn.  Raises
    VerificationError beyond 64 inputs.
    """
    if splitter.inputs > _MOST_INPUTS:
        raise VerificationError(f"the sets of {splitter.outputs} outputs are too many to be gone through")
    spend(2.0**splitter.outputs / 100, f"going through the sets of {splitter.outputs} outputs")
    low_bits = min(max(3, splitter.outputs), _LOW)
    masks = splitter.masks()
    low = np.array([x & ((1 << low_bits) - 1) for x in masks])
    high = np.array([x >> low_bits for x in masks])
    rest = max(0, splitter.outputs - low_bits)
    most = np.zeros((rest + 1, 1 << low_bits), dtype=np.uint8)  # by how many of the other outputs are in the set
    for others in range(1 << rest):
        inside = np.bincount(low[high & ~others == 0], minlength=1 << low_bits).astype(np.uint8)
        _sum_over_subsets(inside, low_bits)
        np.maximum(most[others.bit_count()], inside, out=most[others.bit_count()])
    members = np.array([x.bit_count() for x in range(1 << low_bits)])
    best = np.zeros(low_bits + rest + 1, dtype=np.int64)
    for taken in range(rest + 1):
        for count in range(low_bits + 1):
            found = int(most[taken, members == count].max())
            best[taken + count] = max(best[taken + count], found)
    return [int(np.argmax(best >= k)) for k in range(1, splitter.inputs + 1)]


def _sum_over_subsets(counts: npt.NDArray[np.uint8], bits: int) -> None:
    """Every entry becomes the sum over the subsets of its index, which stays below 256; eight entries at a time."""
    eights = counts.view("<u8")
    for shift, lanes in ((8, 0xFF00FF00FF00FF00), (16, 0xFFFF0000FFFF0000), (32, 0xFFFFFFFF00000000)):
        eights += (eights << np.uint64(shift)) & np.uint64(lanes)
    for bit in range(bits - 3):
        halves = eights.reshape(-1, 2, 1 << bit)
        halves[:, 1] += halves[:, 0]


def _fewest_unique(splitter: Splitter, size: int) -> int:
    """The fewest members that have an output to themselves, over all subsets of ``size`` inputs."""
    spend(comb(splitter.inputs, size) * size // 2, f"going through the subsets of {size} inputs")
    words = -(-splitter.outputs // _WORD)
    table = np.array(
        [[mask >> (_WORD * w) & ((1 << _WORD) - 1) for w in range(words)] for mask in splitter.masks()], dtype=np.int64
    )
    fewest = size
    every = combinations(range(splitter.inputs), size)
    while block := list(islice(every, _CHUNK)):
        subsets = np.array(block, dtype=np.int64)
        once = np.zeros((len(subsets), words), dtype=np.int64)
        twice = once.copy()
        for member in subsets.T:
            twice |= once & table[member]
            once |= table[member]
        alone = once & ~twice
        count = sum((table[member] & alone).any(axis=1).astype(np.int64) for member in subsets.T)
        fewest = min(fewest, int(np.min(count)))
    return fewest


_SIZE = Keys({"subset_size": WHOLE}, PLACES)
_SUBSET = Keys({"splitter": TEXT, "subset": ListOf(WHOLE)})


def _least(relation: str, grade: Grade) -> dict[str, States]:
    return {"least_neighbourhood": States((relation,), grade, _SIZE)}


SPLITTER_ENUMERATION = Kind(
    "splitter-enumeration",
    "A subset that has this few neighbours, and an enumeration, done again, of all sets of outputs: no "
    "subset has fewer.",
    _SUBSET,
    _least("==", Grade.EXHAUSTED),
    SPLITTERS,
    subjects=frozenset({"expansion"}),
)
SPLITTER_SUBSET = Kind(
    "splitter-subset",
    "A subset of inputs that has just these neighbours: the least number is at most theirs.",
    _SUBSET,
    _least("<=", Grade.PROVED),
    SPLITTERS,
    subjects=frozenset({"expansion"}),
    elaborate=elaborate_subset,
)
SPLITTER_SPECTRUM = Kind(
    "splitter-spectrum",
    "An upper bound on the second eigenvalue of the splitter, checked in integers: it bounds every "
    "subset's neighbours from below (Tanner).",
    Keys({"eigenvalue": BOUND, "power": WHOLE}),
    _least(">=", Grade.PROVED),
    SPLITTERS,
    subjects=frozenset({"expansion"}),
    elaborate=elaborate_spectrum,
)
SPLITTER_SUBSETS = Kind(
    "splitter-subsets",
    "A subset with this fraction, and an enumeration, done again, of all subsets of its size.",
    _SUBSET,
    {"unique_neighbour_fraction": States(EXACT, Grade.EXHAUSTED, _SIZE)},
    SPLITTERS,
    subjects=frozenset({"expansion"}),
)
EXPANSION = SubjectKind(
    "expansion",
    verify_expansion,
    Either("splitter", Keys({"splitter": ANY}, NAMED), Keys({"wiring": ANY}, NAMED)),
)
