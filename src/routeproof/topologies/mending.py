"""What mending makes of a fabric: some of its deviations from the intent undone, and nothing else.

A missing cable is plugged in, one that carries one direction only carries both, a slow one is replaced by one of the
intended speed, a swap is plugged as intended.  Cables of switches that the fabric does not have cannot be mended; extra
cables stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from ..core.arrays import Int64
from ..core.network import Network
from .cabling import NOW, Cable, Deviation, Deviations, in_unit

MENDED_KINDS = ("missing", "one_sided", "slow", "swapped")
_MENDED = re.compile(rf"{NOW}, with deviations? ([0-9]{{1,9}}(?:, [0-9]{{1,9}})*) mended")


def mended_name(numbers: Sequence[int]) -> str:
    """What the fabric with these deviations mended is called; ``numbers``: of the deviations, from 1."""
    if not numbers:
        return NOW
    text = ", ".join(map(str, sorted(numbers)))
    return f"{NOW}, with deviation{'s' if len(numbers) > 1 else ''} {text} mended"


def mended_numbers(name: str) -> tuple[int, ...] | None:
    """The numbers that ``mended_name`` was given, ascending; None for any other text."""
    found = _MENDED.fullmatch(name)
    numbers = tuple(map(int, found[1].split(", "))) if found else ()
    return numbers if numbers and mended_name(numbers) == name and len(set(numbers)) == len(numbers) else None


def mendable(found: Deviations, intent: Network, node: Int64) -> dict[int, Deviation]:
    """The deviations that can be mended, by number from 1; of two about the same cable the first."""
    known = {int(k) for k in node if k >= 0}
    result: dict[int, Deviation] = {}
    seen: set[tuple[tuple[Cable, ...], tuple[Cable, ...]]] = set()
    for number, x in enumerate(found.cables, 1):
        ends = {int(v) for cable in x.intended for c in cable for v in (intent.tail[c], intent.head[c])}
        if x.kind in MENDED_KINDS and ends <= known and (x.found, x.intended) not in seen:
            seen.add((x.found, x.intended))
            result[number] = x
    return result


def mended(fabric: Network, intent: Network, node: Int64, some: Sequence[Deviation]) -> Network:
    """The fabric, in the unit of the intent, with these deviations mended: new cables follow the others, in an order
    that does not depend on that of ``some``."""
    own = in_unit(fabric, intent, node)
    gone = [c for x in some for cable in x.found for c in cable]
    keep = np.setdiff1d(np.arange(own.num_channels), gone)
    ends = list(zip(own.tail[keep].tolist(), own.head[keep].tolist(), strict=True))
    width = [own.bandwidth[c] for c in keep.tolist()]
    for u, v, w in sorted(y for x in some for y in plugged_in(x, intent, node)):
        ends.append((u, v))
        width.append(w)
    return Network.of(
        "the fabric, mended", own.num_nodes, ends, bandwidth=width, source=own.source, sink=own.sink, labels=own.labels
    )


def plugged_in(x: Deviation, intent: Network, node: Int64) -> tuple[tuple[int, int, Fraction], ...]:
    """The channels that mending plugs in, ascending: tail and head in the fabric, bandwidth in the intent's unit."""
    of = [(int(intent.tail[c]), int(intent.head[c]), intent.bandwidth[c]) for y in x.intended for c in y]
    place = {k: int(np.flatnonzero(node == k)[0]) for k in {k for u, v, _ in of for k in (u, v)}}
    return tuple(sorted((place[u], place[v], w) for u, v, w in of))


def likeness(choices: Mapping[int, Deviation], intent: Network, node: Int64) -> dict[int, Hashable]:
    """By number what is the same for missing cables between the same switches, of the same bandwidths: whichever of
    them is plugged in, the network is the same.  Other deviations are like nothing else."""
    return {k: k if x.found else plugged_in(x, intent, node) for k, x in choices.items()}


def number_of_sets(choices: Mapping[int, Deviation], size: int) -> int:
    """Of so many deviations, before ``sets_to_mend`` leaves out what is alike."""
    return comb(len(choices), size)


def sets_to_mend(
    choices: Mapping[int, Deviation], size: int, intent: Network, node: Int64
) -> Iterator[tuple[int, ...]]:
    """Every set of ``size`` deviations, by number; of those that mending makes the same network of, the first."""
    like = likeness(choices, intent, node)
    seen: set[frozenset[tuple[Hashable, int]]] = set()
    for some in combinations(choices, size):
        key = frozenset(Counter(like[k] for k in some).items())
        if key not in seen:
            seen.add(key)
            yield some
