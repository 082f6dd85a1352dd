"""An adversary for packets: a seeded local search for a permutation that a network routes slowly.

``adversary:tries=500,seed=1``.  What it finds is a witness: running it again gives the same steps.  That it finds
nothing slower proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.spread import Progress
from ...formats.resolve import resolve_permutations
from ...topologies.text import options_of, parse_whole
from .upfal import PacketRun

_NAME = "adversary"
_STARTS = ("bit-reversal", "transpose", "shuffle", "bit-complement")
_MOST_TRIES = 10_000_000


def is_adversary(text: str) -> bool:
    """Does ``text`` ask for the search?"""
    return text.strip().partition(":")[0] == _NAME


def slow_permutation(
    text: str, rows: int, route: Callable[[Int32], PacketRun], progress: Progress | None = None
) -> tuple[Int32, int]:
    """The slowest of the permutations of ``rows`` terminals that were tried, int32, shape (1, rows), and their number.

    ``route``: a run of given images.  Slower: more packets never arrive; then more steps; then a larger sum of squared
    arrivals, which leads the search on where steps are equal.  It starts from the slowest of some patterns and one
    random permutation.  A try exchanges the destinations of two packets, of the last to arrive and another, or of
    two aligned groups of neighbours.  Raises InputError for other options than ``tries`` and ``seed``.
    """
    rest = text.strip().partition(":")[2]
    pieces = options_of(rest.split(",") if rest else [], where=_NAME, flags=(), options=("tries", "seed"))
    tries = parse_whole(pieces.options.get("tries", "200"), what=f"tries of {_NAME}")
    seed = parse_whole(pieces.options.get("seed", "1"), what=f"seed of {_NAME}")
    if not 1 <= tries <= _MOST_TRIES:
        raise InputError(f"tries of {_NAME} is {tries}; 1 to {_MOST_TRIES:,} were expected")
    rng = np.random.default_rng(seed)
    found: list[Int32] = [rng.permutation(rows).astype(np.int32)[None, :]]
    starts = [x for x in _STARTS if x != "transpose" or rows.bit_length() % 2]
    found += [resolve_permutations([x], rows) for x in starts]
    best = found[0]
    run = route(best)
    score = _score(run)
    for number in range(1, tries):
        tried = found[number] if number < len(found) else _changed(best, run, rng)
        other = route(tried)
        if _score(other) >= score:
            best, run, score = tried, other, _score(other)
        if progress is not None:
            progress(number + 1, tries)
    return best, tries


def _score(run: PacketRun) -> tuple[int, int, int]:
    arrival = run.arrival.astype(np.int64)
    return run.packets - run.delivered, run.steps, int(np.sum(arrival * arrival))


def _changed(images: Int32, run: PacketRun, rng: np.random.Generator) -> Int32:
    image = images[0].copy()
    rows = len(image)
    kind = int(rng.integers(3))
    size = 1 << int(rng.integers(max(1, rows.bit_length() - 1))) if kind == 2 else 1
    groups = rows // size
    a, b = (int(x) * size for x in rng.integers(groups, size=2))
    if kind == 1:
        a = int(np.nonzero(image == int(np.argmax(run.arrival[0])))[0][0])
    image[a : a + size], image[b : b + size] = image[b : b + size].copy(), image[a : a + size].copy()
    changed: Int32 = image[None, :]
    return changed
