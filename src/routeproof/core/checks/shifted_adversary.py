"""The line that adversaries prove, on networks that look the same from every node: nothing is held for all of them.

Where all translations are symmetries, a sum at (side, node, channel) is the same as at node 0 and the channel moved
there, so classes of channels under the symmetries that fix node 0 stand for classes of all (side, node, channel).
Reversal of paths makes a column of a channel the row of its opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import VerificationError
from ..symmetry import orbit_labels
from ..translations import Translations

if TYPE_CHECKING:
    from .adversary_pair import AdversaryPair

__all__ = ["classes_apart", "distance_by_relaxing", "shifted_load", "shifted_sizes"]

Int64 = npt.NDArray[np.int64]
_MOST = 1 << 61


def shifted_sizes(translations: Translations, reversal: bool, pairs: Sequence[AdversaryPair]) -> list[int]:
    """How many pairs of nodes each of ``pairs`` stands for; two of one class are refused."""
    network = translations.network
    n = network.num_nodes
    images = [g.node for g in translations.fixing] + ([translations.minus] if reversal else [])
    label = orbit_labels(n, images) if images else np.arange(n, dtype=np.int32)
    members = np.bincount(label, minlength=n)
    moved, minus = translations.sum, translations.minus
    found = classes_apart(pairs, n, lambda i, j: int(label[moved[minus[j], i]]))
    return [int(members[at]) * n for at in found]


def classes_apart(pairs: Sequence[AdversaryPair], n: int, class_of: Callable[[int, int], int]) -> list[int]:
    """The class of every pair; raises VerificationError for nodes that are none, and for two pairs of one class."""
    seen: dict[int, tuple[int, int]] = {}
    for pair in pairs:
        i, j = pair.source, pair.destination
        if not (0 <= i < n and 0 <= j < n) or i == j:
            raise VerificationError(
                f"the adversary names nodes {i} and {j}; two different ones below {n} were expected"
            )
        at = class_of(i, j)
        if at in seen:
            raise VerificationError(f"the adversary's pairs {seen[at]} and {(i, j)} are of one class")
        seen[at] = (i, j)
    return list(seen)


def shifted_load(
    translations: Translations, reversal: bool, pairs: Sequence[AdversaryPair], sizes: Sequence[int]
) -> Fraction:
    """sum over c of phi_c * bandwidth(c); reversal commutes with everything, since no channels are parallel."""
    network = translations.network
    count, n = network.num_channels, network.num_nodes
    opposite = network.reverse
    label = orbit_labels(count, [g.channel for g in translations.fixing]).astype(np.int64)
    members = np.bincount(label, minlength=count).tolist()
    sums: dict[tuple[int, int], int] = {}
    for pair, size in zip(pairs, sizes, strict=True):
        used = np.nonzero(pair.traffic)[0]
        for side, v in ((0, pair.source), (1, pair.destination)):
            moved = translations.channels(int(translations.minus[v]))[used]
            where = side
            if reversal and side and opposite is not None:
                moved, where = opposite[moved], 0
            for at, x in zip(label[moved].tolist(), pair.traffic[used].tolist(), strict=True):
                sums[where, at] = sums.get((where, at), 0) + size * x
    terminals = (int(network.supply[0]), int(network.demand[0]))
    phi: dict[int, Fraction] = {}
    slots: dict[int, list[int]] = {}
    for c, at in enumerate(label.tolist()):
        slots.setdefault(at, []).append(int(translations.slot[c]))
    if reversal and opposite is not None:
        for c, at in enumerate(label.tolist()):
            slots[at].append(int(translations.slot[opposite[c]]))
    for (side, at), total in sums.items():
        if not terminals[side]:
            raise VerificationError("the adversary sends traffic at a node that has no terminal for it")
        value = Fraction(total, n * members[at] * (2 if reversal else 1) * terminals[side])
        for slot in set(slots[at]):
            phi[slot] = max(phi.get(slot, Fraction(0)), value)
    width = {int(s): network.bandwidth[c] for c, s in enumerate(translations.slot.tolist())}
    return sum((x * width[slot] * n for slot, x in phi.items()), Fraction(0))


def distance_by_relaxing(translations: Translations, i: int, j: int, lengths: Sequence[int]) -> int | None:
    """The shortest distance under whole lengths >= 0; None where 64 bits might not hold it."""
    network = translations.network
    if max(lengths) * network.num_nodes >= _MOST:
        return None
    order = np.argsort(network.head, kind="stable")
    tail, length = network.tail[order], np.array(lengths, dtype=np.int64)[order]
    heads, start = np.unique(network.head[order], return_index=True)
    best = np.full(network.num_nodes, _MOST, dtype=np.int64)
    best[i] = 0
    while True:
        least = np.minimum.reduceat(best[tail] + length, start)
        better = np.minimum(best[heads], least)
        if np.array_equal(better, best[heads]):
            break
        best[heads] = better
    if best[j] >= _MOST:
        raise VerificationError(f"no path leads from node {i} to node {j}")
    return int(best[j])
