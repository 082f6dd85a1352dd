"""All sets of outputs, and all small sets of inputs, of a splitter: gone through in numpy, not by ``analysis``."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from ...core.errors import VerificationError
from ...core.multistage.splitter import Splitter
from ..work import spend

__all__ = ["fewest_unique", "least_by_outputs"]

_LOW = 20  # outputs whose sets are held at once
_CHUNK = 1 << 18
_MOST_INPUTS = 64
_WORD = 63


def least_by_outputs(splitter: Splitter) -> list[int]:
    """The least neighbourhood of every subset size 1 .. M.

    For every set of outputs the inputs with all neighbours in it are counted: inputs by their outputs, then sums over
    subsets, one output after the other.  Up to 20 outputs at once; of more, every set of the others in turn.  Raises
    VerificationError beyond 64 inputs.
    """
    if splitter.inputs > _MOST_INPUTS:
        raise VerificationError(f"the sets of {splitter.outputs} outputs are too many to be gone through")
    spend(2.0**splitter.outputs / 100, f"going through the sets of {splitter.outputs} outputs")
    low_bits = min(splitter.outputs, _LOW)
    masks = splitter.masks()
    low = np.array([x & ((1 << low_bits) - 1) for x in masks])
    high = np.array([x >> low_bits for x in masks])
    rest = splitter.outputs - low_bits
    most = np.zeros((rest + 1, 1 << low_bits), dtype=np.uint8)  # by how many of the other outputs are in the set
    for others in range(1 << rest):
        inside = np.bincount(low[high & ~others == 0], minlength=1 << low_bits).astype(np.uint8)
        _sum_over_subsets(inside, low_bits)
        np.maximum(most[others.bit_count()], inside, out=most[others.bit_count()])
    members = np.array([x.bit_count() for x in range(1 << low_bits)])
    best = np.zeros(splitter.outputs + 1, dtype=np.int64)
    for taken in range(rest + 1):
        for count in range(low_bits + 1):
            found = int(most[taken, members == count].max())
            best[taken + count] = max(best[taken + count], found)
    return [int(np.argmax(best >= k)) for k in range(1, splitter.inputs + 1)]


def _sum_over_subsets(counts: npt.NDArray[np.uint8], bits: int) -> None:
    """Every entry becomes the sum over the subsets of its index, which stays below 256; eight entries at a time."""
    if bits >= 3:
        eights = counts.view("<u8")
        for shift, lanes in ((8, 0xFF00FF00FF00FF00), (16, 0xFFFF0000FFFF0000), (32, 0xFFFFFFFF00000000)):
            eights += (eights << np.uint64(shift)) & np.uint64(lanes)
        for bit in range(bits - 3):
            halves = eights.reshape(-1, 2, 1 << bit)
            halves[:, 1] += halves[:, 0]
        return
    for bit in range(bits):
        small = counts.reshape(-1, 2, 1 << bit)
        small[:, 1] += small[:, 0]


def fewest_unique(splitter: Splitter, size: int) -> int:
    """The fewest members that have an output to themselves, over all subsets of ``size`` inputs."""
    spend(comb(splitter.inputs, size) * size // 2, f"going through the subsets of {size} inputs")
    words = -(-splitter.outputs // _WORD)
    table = np.array(
        [[mask >> (_WORD * w) & ((1 << _WORD) - 1) for w in range(words)] for mask in splitter.masks()], dtype=np.int64
    )
    fewest = size
    for subsets in _subsets(splitter.inputs, size):
        once = np.zeros((len(subsets), words), dtype=np.int64)
        twice = once.copy()
        for member in subsets.T:
            twice |= once & table[member]
            once |= table[member]
        alone = once & ~twice
        count = sum((table[member] & alone).any(axis=1).astype(np.int64) for member in subsets.T)
        fewest = min(fewest, int(np.min(count)))
    return fewest


def _subsets(inputs: int, size: int) -> Iterator[npt.NDArray[np.int64]]:
    """All subsets of ``size`` numbers below ``inputs``, ascending, in blocks of rows."""
    from itertools import combinations, islice

    every = combinations(range(inputs), size)
    while True:
        block = np.fromiter((i for subset in islice(every, _CHUNK) for i in subset), dtype=np.int64)
        if not len(block):
            return
        yield block.reshape(-1, size)
