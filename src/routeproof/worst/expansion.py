"""Expansion of splitters: the least neighbourhood of subsets of every size, exactly or between proved bounds.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1.4 and 3.1; the spectral bound is Tanner's (SIAM J. Alg.
Disc. Meth. 5, 1984), for splitters.  Expansion is of the splitter without parallel edges; it says nothing where
alpha * M < 1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..claims.derived import following
from ..claims.kind import SPLITTERS
from ..claims.multistage.expansion import SPLITTER_ENUMERATION, SPLITTER_SPECTRUM, SPLITTER_SUBSET, SPLITTER_SUBSETS
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.multistage.wiring import Splitter
from ..core.spread import Progress
from ..kernel.power_trace import power_trace

EXACT_INPUTS = 64  # M up to which all 2^(M/2) sets of outputs are gone through
_LOW_BITS = 12
_CHUNK = 1 << 12
_SUBSETS = 10_000_000


@dataclass(frozen=True)
class Neighbourhoods:
    """``least[k - 1]``: a number of outputs for subsets of k inputs; ``subset[k - 1]``: k inputs that have it."""

    least: tuple[int, ...]
    subset: tuple[tuple[int, ...], ...]

    def expansion(self, size: int) -> Fraction:
        """The largest beta such that every subset of at most ``size`` inputs has beta times as many outputs."""
        return min(Fraction(y, k) for k, y in enumerate(self.least[:size], 1))


def least_neighbourhoods(splitter: Splitter, *, progress: Progress | None = None) -> Neighbourhoods:
    """The exact least neighbourhood for every subset size 1 .. M, each with a subset that has it.

    Goes through the 2^(M/2) sets of outputs (not the 2^M sets of inputs): subsets of k inputs with only y neighbours
    exist if and only if some y outputs contain the neighbourhoods of at least k inputs.  M = 32 takes milliseconds, M
    = 64 some seconds.  Raises InputError beyond M = 64.
    """
    from .expansion_kernels import enumerate_outputs

    inputs, outputs = splitter.inputs, splitter.outputs
    if inputs > EXACT_INPUTS:
        raise InputError(f"{splitter.name} has {inputs} inputs; up to {EXACT_INPUTS} are enumerated exactly")
    low_bits = min(outputs, _LOW_BITS)
    masks = np.array(splitter.masks(), dtype=np.int64)
    low, high = masks & ((1 << low_bits) - 1), masks >> low_bits
    inside = (low[:, None] & ~np.arange(1 << low_bits) == 0).astype(np.uint8)
    best = np.zeros(outputs + 1, dtype=np.uint8)
    witness = np.zeros(outputs + 1, dtype=np.int64)
    total = 1 << (outputs - low_bits)
    for start in range(0, total, _CHUNK):
        stop = min(start + _CHUNK, total)
        enumerate_outputs(low, high, inside, start, stop, best, witness)
        if progress is not None:
            progress(stop, total)
    least, subsets = [], []
    for k in range(1, inputs + 1):
        y = int(np.argmax(best >= k))
        subset = [i for i in range(inputs) if int(masks[i]) & ~int(witness[y]) == 0][:k]
        if len(splitter.neighbourhood(subset)) != y or len(subset) != k:
            raise ArithmeticError(f"the witness for {k} inputs does not have {y} neighbours")
        least.append(y)
        subsets.append(tuple(subset))
    return Neighbourhoods(tuple(least), tuple(subsets))


def greedy_neighbourhoods(splitter: Splitter) -> Neighbourhoods:
    """Upper bounds on the least neighbourhoods, with witnesses: subsets grown from every input.

    The next input is one that adds fewest new outputs (the lowest number among equals); the best over all starts is
    kept, for every size.
    """
    inputs = splitter.inputs
    table = np.zeros((inputs, splitter.outputs), dtype=np.bool_)
    for i, outputs in enumerate(splitter.adjacent):
        table[i, list(outputs)] = True
    least = [splitter.outputs + 1] * inputs
    subsets: list[tuple[int, ...]] = [()] * inputs
    for start in range(inputs):
        fresh = table.sum(axis=1)
        taken = np.zeros(inputs, dtype=np.bool_)
        covered = np.zeros(splitter.outputs, dtype=np.bool_)
        order: list[int] = []
        i = start
        for k in range(inputs):
            order.append(i)
            taken[i] = True
            new = table[i] & ~covered
            covered |= new
            fresh = fresh - table[:, new].sum(axis=1)
            size = int(covered.sum())
            if size < least[k]:
                least[k], subsets[k] = size, tuple(order)
            i = int(np.argmin(np.where(taken, splitter.outputs + 1, fresh)))
    return Neighbourhoods(tuple(least), tuple(tuple(sorted(x)) for x in subsets))


def second_eigenvalue(splitter: Splitter, *, power: int = 256) -> Fraction:
    """A proved upper bound on the second largest eigenvalue of A A', A the M x M/2 matrix of edge counts.

    In exact integers: A A' has row sums 2 d^2, its largest eigenvalue, and is positive semidefinite, so the
    ``power``-th power of the second is at most trace((A A')^power) - (2 d^2)^power; the root is rounded up.

    Raises InputError unless every input has d edges and every output 2d.  ``power``: a power of two.
    """
    d = splitter.regular
    if d is None:
        raise InputError(f"{splitter.name} is not regular: the spectral bound needs d edges an input and 2d an output")
    edges = np.zeros((splitter.inputs, splitter.outputs), dtype=np.int64)
    for i, outputs in enumerate(splitter.adjacent):
        np.add.at(edges[i], list(outputs), 1)
    # The non-zero eigenvalues of A A' are those of A' A, which is smaller.
    rest = power_trace(edges.T @ edges, power) - (2 * d * d) ** power
    scale = 1 << 20
    value = rest * scale**power
    high = 1 << (value.bit_length() // power + 1)
    return Fraction(bisect_left(range(high), value, key=lambda x: x**power), scale)


def spectral_bounds(splitter: Splitter, eigenvalue: Fraction) -> list[int]:
    """Proved lower bounds on the least neighbourhoods for k = 1 .. M, from ``second_eigenvalue``.

    A subset of k inputs has at least d^2 k / (lambda + (2 d^2 - lambda) k / M) neighbours (Cauchy-Schwarz on the
    edges into each output); rounded up.
    """
    d = splitter.regular
    assert d is not None
    size = splitter.inputs
    share = [eigenvalue + (2 * d * d - eigenvalue) * Fraction(k, size) for k in range(1, size + 1)]
    return [math.ceil(d * d * k / x) for k, x in enumerate(share, 1)]


def unique_neighbours(splitter: Splitter, *, most: int | None = None) -> Neighbourhoods:
    """The fewest members with an output to themselves, over all subsets of each size 1 .. ``most``, with witnesses.

    This is delta * k of the (alpha, delta) unique neighbour property (sec. 3.1), exactly.  It is not monotone in k.  By
    default as many sizes as 10 million subsets allow.
    """
    from .expansion_kernels import enumerate_unique

    inputs = splitter.inputs
    if most is None:
        most, total = 0, 0
        while most < inputs and (total := total + math.comb(inputs, most + 1)) <= _SUBSETS:
            most += 1
    if not 1 <= most <= inputs:
        raise InputError(f"subsets of {most} inputs were asked for; 1 to {inputs} was expected")
    distinct = [sorted(set(x)) for x in splitter.adjacent]
    degree = np.array([len(x) for x in distinct], dtype=np.int64)
    adjacent: npt.NDArray[np.int64] = np.zeros((inputs, int(degree.max())), dtype=np.int64)
    for i, outputs in enumerate(distinct):
        adjacent[i, : len(outputs)] = outputs
    fewest = np.arange(1, most + 2, dtype=np.int64)
    witness = np.zeros((most + 1, most), dtype=np.int64)
    enumerate_unique(adjacent, degree, most, fewest, witness)
    subsets = tuple(tuple(witness[k, :k].tolist()) for k in range(1, most + 1))
    return Neighbourhoods(tuple(fewest[1:].tolist()), subsets)


(SOURCE,) = SPLITTERS
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

        for k, (least, subset, name) in enumerate(zip(self.worst.least, self.worst.subset, self.names, strict=True), 1):
            data, of_size = {"splitter": name, "subset": list(subset)}, {**about, "subset_size": k}
            result.append((SPLITTER_ENUMERATION if self.exact else SPLITTER_SUBSET).claim(least, data, of_size))
            if not self.exact and self.below:
                spectrum = {"eigenvalue": str(self.eigenvalue), "power": _POWER}
                result.append(SPLITTER_SPECTRUM.claim(self.below[k - 1], spectrum, of_size))
        for k in range(1, self.inputs // 2 + 1) if self.exact else ():
            alpha = {**about, "alpha": str(Fraction(k, self.inputs))}
            result.append(following("expansion", "==", self.worst.expansion(k), alpha, SOURCE))
        if self.unique is not None:
            unique = zip(self.unique.least, self.unique.subset, self.unique_names, strict=True)
            for k, (own, subset, name) in enumerate(unique, 1):
                data = {"splitter": name, "subset": list(subset)}
                result.append(SPLITTER_SUBSETS.claim(Fraction(own, k), data, {**about, "subset_size": k}))
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
