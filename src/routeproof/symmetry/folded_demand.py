"""A demand between nodes and the classes of its pairs and channels under a symmetry that keeps it.

The best lengths may be taken equal on a class, since what a demand proves is concave in the lengths; so one pair of
each class stands for all, and channels of one class share a length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Float64, Int64
from ..core.automorphism import Automorphism
from ..core.symmetry import orbit_labels


@dataclass(frozen=True, eq=False)
class Folded:
    """- ``source``, ``end``: int64 (P,), one pair of nodes of each class; ``amount``: what the whole class sends;
    - ``label``: int64 (C,), the class of every channel, from 0; ``wide``: float64 (K,), the bandwidth of each class.
    """

    source: Int64
    end: Int64
    amount: Float64
    label: Int64
    wide: Float64

    @staticmethod
    def of(bandwidth: Float64, between: Float64, symmetries: Sequence[Automorphism] = ()) -> Folded:
        """``bandwidth``: of the channels, (C,); ``between``: the demand, (N, N); of ``symmetries`` those are used that
        keep the demand."""
        source, end = np.nonzero(between)
        amount: Float64 = between[source, end]
        label = np.arange(len(bandwidth))
        kept = [g for g in symmetries if keeps(g, between)]
        if kept:
            label = np.unique(orbit_labels(len(label), [g.channel for g in kept]), return_inverse=True)[1]
            size = len(between)
            key = source * size + end
            images = [np.searchsorted(key, g.node[source].astype(np.int64) * size + g.node[end]) for g in kept]
            pair = orbit_labels(len(key), images)
            first = np.unique(pair)
            amount = np.bincount(pair, weights=amount, minlength=len(key))[first].astype(np.float64)
            source, end = source[first], end[first]
        wide = np.bincount(label, weights=bandwidth).astype(np.float64)
        return Folded(source, end, amount, label.astype(np.int64), wide)

    def start(self, length: Float64) -> Float64:
        """Lengths of the classes near those of the channels: their means, spending 1 in all."""
        each = np.bincount(self.label, weights=length) / np.bincount(self.label)
        spent: Float64 = each / (self.wide @ each)
        return spent

    def paid(self, far: Float64) -> float:
        """``far``: distances from every node that is a source here, by node."""
        return float((self.amount * far[self.source, self.end]).sum())


def keeps(symmetry: Automorphism, between: Float64) -> bool:
    """Does the demand between nodes look the same after the automorphism?"""
    node = symmetry.node
    return bool(np.array_equal(between[np.ix_(node, node)], between))
