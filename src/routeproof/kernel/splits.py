"""Is a measured split within chance?  Exact tests of counts against a multinomial distribution, in whole numbers.

``counts[k]`` of n flows took member k, which a fair hash takes with probability ``weights[k]`` / W.  Two tests, both
two-sided:

- ``likelihood``: the probability of all splits that are no likelier than the measured one (Fisher; R's binom.test);
- ``deviation``: the probability that some member is at least as many flows away from its share as the worst one here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from ..core.errors import InputError
from .independent_flows import Chance

TESTS = ("likelihood", "deviation")
MOST_MEMBERS = 128
MOST_FLOWS = 50_000
_MOST_OUTCOMES = 200_000  # splits that are gone through
_MOST_STEPS = 6_000_000
_MOST_WEIGHT = 1 << 20
_MOST_BITS = 250_000  # of a probability

Test = Callable[[Sequence[int], Sequence[int]], Chance]


def check_split(counts: Sequence[int], weights: Sequence[int]) -> None:
    """Raise InputError unless there are flows, as many weights as counts, and not more than can be judged."""
    if not 2 <= len(counts) <= MOST_MEMBERS:
        raise InputError(f"a split has 2 to {MOST_MEMBERS} counts, as in 47:53; {len(counts)} given")
    if len(weights) != len(counts):
        raise InputError(
            f"the split has {len(counts)} members, and weights for {len(weights)}; one for each was expected"
        )
    if min(counts) < 0 or not 1 <= sum(counts) <= MOST_FLOWS:
        raise InputError(f"the split has {sum(counts):,} flows; 1 to {MOST_FLOWS:,} are judged exactly")
    if sum(counts) * sum(weights).bit_length() > _MOST_BITS:
        raise InputError(f"{sum(counts):,} flows with such weights make fractions too long to write; simpler weights?")
    if min(weights) < 1 or max(weights) > _MOST_WEIGHT:
        raise InputError(f"the weights are {':'.join(map(str, weights[:8]))}; whole numbers from 1 on were expected")


def usual_test(counts: Sequence[int]) -> str:
    """``likelihood`` where all splits can be gone through."""
    n, m = sum(counts), len(counts)
    return "likelihood" if m == 2 or _outcomes(n, m) <= _MOST_OUTCOMES else "deviation"


def p_value(counts: Sequence[int], weights: Sequence[int], test: str) -> Chance:
    """Exact, or, of more than two members and very many flows, between bounds.

    Raises InputError where there is too much to add up."""
    check_split(counts, weights)
    return _TESTS[test](counts, weights)


def _likelihood(counts: Sequence[int], weights: Sequence[int]) -> Chance:
    n, m = sum(counts), len(counts)
    if m > 2 and _outcomes(n, m) > _MOST_OUTCOMES:
        raise InputError(f"{n:,} flows on {m} members split in too many ways to go through; --test deviation can do it")
    mine = math.factorial(n) // math.prod(math.factorial(k) for k in counts)
    mine *= math.prod(w**k for w, k in zip(weights, counts, strict=True))
    total = sum(x for x in _all_ways(n, weights) if x <= mine)
    return _exact(Fraction(total, sum(weights) ** n))


def _all_ways(n: int, weights: Sequence[int]) -> Iterator[int]:
    """The weights of all splits of n numbered flows."""
    if len(weights) == 2:
        a, b = weights
        term = b**n
        for k in range(n + 1):
            yield term
            term = term * (n - k) * a // ((k + 1) * b)
        return

    def over(rest: int, k: int, so_far: int) -> Iterator[int]:
        if k == len(weights) - 1:
            yield so_far * weights[k] ** rest
            return
        power = 1
        for j in range(rest + 1):
            yield from over(rest - j, k + 1, so_far * math.comb(rest, j) * power)
            power *= weights[k]

    yield from over(n, 0, 1)


def _deviation(counts: Sequence[int], weights: Sequence[int]) -> Chance:
    n, total = sum(counts), sum(weights)
    worst = max(abs(Fraction(k) - Fraction(n * w, total)) for k, w in zip(counts, weights, strict=True))
    return reached(n, weights, worst)


def reached(n: int, weights: Sequence[int], deviation: Fraction) -> Chance:
    """The probability that some member is at least ``deviation`` flows away from its share of n.

    Where all members together are too many numbers: at least that of the worst member alone, at most the sum of all
    (Boole's inequality).
    """
    total = sum(weights)
    if deviation <= 0:
        return _exact(Fraction(1))
    # Strictly nearer: share - deviation < k < share + deviation.
    shares = [Fraction(n * w, total) for w in weights]
    spans = [(max(0, math.floor(x - deviation) + 1), min(n, math.ceil(x + deviation) - 1)) for x in shares]
    if len(weights) == 2 or (n + 1) * sum(max(0, high - low + 1) for low, high in spans) > _MOST_STEPS:
        alone = {w: 1 - _inside(n, w, total, span) for w, span in zip(weights, spans, strict=True)}
        if len(weights) == 2:  # both are away, or none
            return _exact(alone[weights[0]])
        return Chance(max(alone.values()), min(Fraction(1), sum((alone[w] for w in weights), Fraction(0))))
    ways = [1] + [0] * n
    for w, (low, high) in zip(weights, spans, strict=True):
        power = [w**j for j in range(low, high + 1)]
        ways = [
            sum(math.comb(k, j) * power[j - low] * ways[k - j] for j in range(low, min(high, k) + 1) if ways[k - j])
            for k in range(n + 1)
        ]
    return _exact(1 - Fraction(ways[n], total**n))


def _inside(n: int, weight: int, total: int, span: tuple[int, int]) -> Fraction:
    """The probability that one member has a number of flows in the span."""
    low, high = span
    if low > high:
        return Fraction(0)
    rest = total - weight
    term = math.comb(n, low) * weight**low * rest ** (n - low)
    found = term
    for k in range(low, high):
        term = term * (n - k) * weight // ((k + 1) * rest)
        found += term
    return Fraction(found, total**n)


def tolerance(n: int, weights: Sequence[int], level: Fraction) -> tuple[int, bool]:
    """A whole number of flows by which some member is away from its share, or by more, with probability at most
    ``level``; and whether it is the least, not only one that is known to do."""
    low, high = 0, math.isqrt(n)  # reached(low) > level >= reached(high), as far as is known
    while reached(n, weights, Fraction(high)).high > level:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(n, weights, Fraction(middle)).high <= level else (middle, high)
    return high, reached(n, weights, Fraction(high - 1)).low > level


def _exact(value: Fraction) -> Chance:
    return Chance(value, value)


def _outcomes(n: int, m: int) -> int:
    return math.comb(n + m - 1, m - 1)


_TESTS: dict[str, Test] = {"likelihood": _likelihood, "deviation": _deviation}
