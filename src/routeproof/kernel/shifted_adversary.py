"""The line that adversaries prove, on networks that look the same from every node: nothing is held for all of them.

Where all translations are symmetries, a sum at (side, node, channel) is the same as at node 0 and the channel moved
there, so classes of channels under the symmetries that fix node 0 stand for classes of all (side, node, channel).
Reversal of paths makes a column of a channel the row of its opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ..core.errors import VerificationError
from ..core.symmetry import orbit_labels
from ..core.translations import Translations
from .supporting_line import AdversaryPair


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
    slots: dict[int, set[int]] = {}
    for c, at in enumerate(label.tolist()):
        both = (c, int(opposite[c])) if reversal and opposite is not None else (c,)
        slots.setdefault(at, set()).update(int(translations.slot[x]) for x in both)
    for (side, at), total in sums.items():
        if not terminals[side]:
            raise VerificationError("the adversary sends traffic at a node that has no terminal for it")
        value = Fraction(total, n * members[at] * (2 if reversal else 1) * terminals[side])
        for slot in slots[at]:
            phi[slot] = max(phi.get(slot, Fraction(0)), value)
    width = {int(s): network.bandwidth[c] for c, s in enumerate(translations.slot.tolist())}
    return sum((x * width[slot] * n for slot, x in phi.items()), Fraction(0))
