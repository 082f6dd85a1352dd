"""The trace of a high power of an integer matrix, exactly, by arithmetic modulo small primes.

Products modulo a prime p fit double precision exactly while n (p - 1)^2 < 2^53, so fast matrix products may be used;
the Chinese remainder theorem puts the residues together.  (Entries of such powers have thousands of bits.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt


def power_trace(matrix: npt.NDArray[np.int64], power: int) -> int:
    """trace(matrix ** power) of a square matrix of non-negative integers below 2^31; ``power``: a power of two."""
    if power < 1 or power & (power - 1) or matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"power {power} of a matrix of shape {matrix.shape}; a power of two of a square was expected")
    if matrix.min(initial=0) < 0 or matrix.max(initial=0) >= 1 << 31:
        raise ValueError("the matrix holds numbers outside 0 .. 2^31 - 1")
    size = len(matrix)
    if not size:
        return 0
    limit = size * int(matrix.sum(axis=1).max()) ** power  # no trace is larger
    value, modulus = 0, 1
    for prime in _primes(math.isqrt((1 << 53) // size)):
        residue = _trace_modulo(matrix, power, prime)
        value += modulus * ((residue - value) * pow(modulus, -1, prime) % prime)
        modulus *= prime
        if modulus > limit:
            break
    return value


def _trace_modulo(matrix: npt.NDArray[np.int64], power: int, prime: int) -> int:
    product = (matrix % prime).astype(np.float64)
    while power > 2:
        product = np.remainder(product @ product, prime)
        power //= 2
    if power == 1:
        return int(np.trace(product)) % prime
    # The trace of a product is the sum over entries and their transposes.
    rows = np.remainder((product * product.T).sum(axis=1), prime)
    return int(rows.sum()) % prime


def _primes(below: int) -> Iterator[int]:
    """Primes up to ``below``, largest first."""
    candidate = below if below % 2 else below - 1
    while candidate > 2:
        if all(candidate % k for k in range(3, math.isqrt(candidate) + 1, 2)):
            yield candidate
        candidate -= 2
