"""Expansion of splitters: the least neighbourhood of subsets of every size, exactly or between proved bounds.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1.4 and 3.1; the spectral bound is Tanner's (SIAM J. Alg.
Disc. Meth. 5, 1984), for splitters.  Expansion is of the splitter without parallel edges; it says nothing where
alpha * M < 1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.multistage.wiring import Splitter
from ...core.spread import Progress
from ...kernel.power_trace import power_trace

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
    from .kernels import enumerate_outputs

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
    from .kernels import enumerate_unique

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
