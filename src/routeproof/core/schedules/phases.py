"""The usual algorithms of collectives, phase by phase: who sends to whom, and how much.

A phase is over when all its messages have arrived.  Amounts are in units of which every rank has one: what it
contributes to an all-gather, its share of what is reduced, all that it sends in an all-to-all (to itself included);
a broadcast is of one unit.  Ranks are numbers 0 to n - 1; a broadcast, or a tree, begins at rank 0.
Source: Thakur, Rabenseifner & Gropp 2005 (Int. J. High Perform. Comput. Appl. 19); Bruck et al. 1997 (IEEE Trans.
Parallel Distrib. Syst. 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ..arrays import Int64
from ..errors import InputError, check_choice


@dataclass(frozen=True, eq=False)
class Phase:
    """Messages at once: rank ``source[k]`` sends ``amount`` units to rank ``destination[k]``; int64 (K,), both.

    ``times``: so many phases in a row have these messages, of other data each.
    """

    source: Int64
    destination: Int64
    amount: Fraction
    times: int = 1


Algorithm = Callable[[int], Iterator[Phase]]
"""The phases of n ranks, in order."""


def _shift(n: int, by: int, amount: Fraction | int, times: int = 1) -> Phase:
    ranks = np.arange(n)
    return Phase(ranks, (ranks + by) % n, Fraction(amount), times)


def _exchange(n: int, with_bit: int, amount: Fraction | int) -> Phase:
    ranks = np.arange(n)
    return Phase(ranks, ranks ^ with_bit, Fraction(amount))


def ring(n: int) -> Iterator[Phase]:
    """Every rank passes one unit on to the next, n - 1 times."""
    yield _shift(n, 1, 1, n - 1)


def recursive_doubling(n: int) -> Iterator[Phase]:
    """Partners at distance 1, 2, 4 ... exchange all that they have."""
    for k in range(n.bit_length() - 1):
        yield _exchange(n, 1 << k, 1 << k)


def recursive_halving(n: int) -> Iterator[Phase]:
    """Partners at distance n / 2, n / 4 ... 1 exchange half of the sums that they still hold."""
    for k in reversed(range(n.bit_length() - 1)):
        yield _exchange(n, 1 << k, 1 << k)


def whole_doubling(n: int) -> Iterator[Phase]:
    """Partners at distance 1, 2, 4 ... exchange all sums, of n units."""
    for k in range(n.bit_length() - 1):
        yield _exchange(n, 1 << k, n)


def bruck_gather(n: int) -> Iterator[Phase]:
    """Rank i sends to rank i - 2^k all that it has, as far as that rank lacks it."""
    k = 1
    while k < n:
        yield _shift(n, -k, min(k, n - k))
        k *= 2


def bruck_all_to_all(n: int) -> Iterator[Phase]:
    """Rank i sends to rank i + 2^k whatever has bit k in the distance that it must go."""
    k = 1
    while k < n:
        yield _shift(n, k, Fraction(sum(bool(x & k) for x in range(n)), n))
        k *= 2


def _shifts(n: int, amount: Fraction) -> Iterator[Phase]:
    for by in range(1, n):
        yield _shift(n, by, amount)


def _exchanges(n: int, amount: Fraction) -> Iterator[Phase]:
    for bits in range(1, n):
        yield _exchange(n, bits, amount)


def linear_shift(n: int) -> Iterator[Phase]:
    """In phase s every rank i sends one unit to rank i + s."""
    yield from _shifts(n, Fraction(1))


def linear_shift_all_to_all(n: int) -> Iterator[Phase]:
    """In phase s every rank i sends 1/n to rank i + s."""
    yield from _shifts(n, Fraction(1, n))


def pairwise(n: int) -> Iterator[Phase]:
    """In phase s every rank i exchanges one unit with rank i XOR s."""
    yield from _exchanges(n, Fraction(1))


def pairwise_all_to_all(n: int) -> Iterator[Phase]:
    """In phase s every rank i exchanges 1/n with rank i XOR s."""
    yield from _exchanges(n, Fraction(1, n))


def tree_broadcast(n: int) -> Iterator[Phase]:
    """A binomial tree: the ranks below 2^k, which have the unit, send it to those 2^k further."""
    k = 1
    while k < n:
        ranks = np.arange(min(k, n - k))
        yield Phase(ranks, ranks + k, Fraction(1))
        k *= 2


def tree_all_reduce(n: int) -> Iterator[Phase]:
    """All n units are added up along a binomial tree to rank 0, and sent back along it."""
    down = [replace(x, amount=Fraction(n)) for x in tree_broadcast(n)]
    yield from (replace(x, source=x.destination, destination=x.source) for x in reversed(down))
    yield from down


def _both(scatter: Algorithm, gather: Algorithm) -> Algorithm:
    """A reduce-scatter and then an all-gather."""

    def phases(n: int) -> Iterator[Phase]:
        yield from scatter(n)
        yield from gather(n)

    return phases


ALGORITHMS: Mapping[str, Mapping[str, Algorithm]] = {
    "ring": {"all-gather": ring, "reduce-scatter": ring, "all-reduce": _both(ring, ring)},
    "recursive-doubling": {"all-gather": recursive_doubling, "all-reduce": whole_doubling},
    "recursive-halving": {
        "reduce-scatter": recursive_halving,
        "all-reduce": _both(recursive_halving, recursive_doubling),
    },
    "bruck": {"all-to-all": bruck_all_to_all, "all-gather": bruck_gather},
    "linear-shift": {
        "all-to-all": linear_shift_all_to_all,
        "all-gather": linear_shift,
        "reduce-scatter": linear_shift,
        "all-reduce": _both(linear_shift, linear_shift),
    },
    "pairwise": {
        "all-to-all": pairwise_all_to_all,
        "all-gather": pairwise,
        "reduce-scatter": pairwise,
        "all-reduce": _both(pairwise, pairwise),
    },
    "tree": {"broadcast": tree_broadcast, "all-reduce": tree_all_reduce},
}
"""By algorithm, what it does of each operation; the first one is what it is best known for."""
_POWERS_OF_TWO = frozenset({"recursive-doubling", "recursive-halving", "pairwise"})
"""Algorithms for a power of two of ranks; the others take any number."""


def phases_of(algorithm: str, operation: str, num_ranks: int) -> Iterator[Phase]:
    """The phases of an operation; raises InputError for what the algorithm does not do, and for a number of ranks that
    it does not take."""
    check_choice("the algorithm", algorithm, ALGORITHMS)
    known = ALGORITHMS[algorithm]
    others = [x for x, does in ALGORITHMS.items() if operation in does]
    if operation not in known:
        raise InputError(
            f"{algorithm} is for {' and '.join(known)}; for {operation} one of {', '.join(others)} was expected"
        )
    if algorithm in _POWERS_OF_TWO and num_ranks & (num_ranks - 1):
        instead = [x for x in others if x not in _POWERS_OF_TWO]
        raise InputError(
            f"{algorithm} takes a power of two of ranks, and there are {num_ranks}; for {operation} "
            f"{', '.join(instead)} {'takes' if len(instead) == 1 else 'take'} any number"
        )
    return known[operation](num_ranks)
