"""Chance that depends on nothing but a seed and what it is for: the same number in any order, on any machine.

Every random number of a simulation is a hash of (seed, what happens, which one): splitmix64 (Steele, Lea & Flood 2014,
OOPSLA), as plain integers.  Whoever runs the simulation again, in any language, gets the same run.
"""

from __future__ import annotations

BITS = 62
FULL = 1 << BITS
_MASK = (1 << 64) - 1


def _mixed(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def word(seed: int, which: int, use: int) -> int:
    """62 random bits, 0 <= word < 2^62, for use number ``use`` of thing number ``which``; all three are at least 0."""
    return _mixed(_mixed(_mixed(seed & _MASK) ^ (which & _MASK)) ^ (use & _MASK)) >> 2


def threshold(numerator: int, denominator: int) -> int:
    """floor(2^62 numerator / denominator): a ``word`` is below it with this probability, to within 2^-62."""
    return (numerator << BITS) // denominator
