"""Finite fields by their tables: small prime powers, for networks that are defined over them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError


@dataclass(frozen=True, eq=False)
class FiniteField:
    """GF(q), q = base**degree; element e is the polynomial whose coefficients are the digits of e to the base.

    ``add``, ``subtract``, ``multiply``: int64, shape (q, q).  ``power[k]``: the k-th power of a primitive element,
    shape (2q,).
    """

    base: int
    degree: int
    add: Int64
    subtract: Int64
    multiply: Int64
    power: Int64


def finite_field(q: int) -> FiniteField:
    """GF(q); raises InputError, naming its factors, where ``q`` is not a prime power."""
    base = next((x for x in range(2, q + 1) if q % x == 0), q)
    degree, rest = 0, q
    while rest % base == 0:
        rest //= base
        degree += 1
    if rest != 1:
        raise InputError(f"q is {q} = {base} * {q // base}; a prime power was expected")
    weight = base ** np.arange(degree)
    digits = np.arange(q)[:, None] // weight % base
    power = _powers(q, base, degree)
    log = np.zeros(q, dtype=np.int64)
    log[power] = np.arange(q - 1)
    twice = np.concatenate([power, power, power])[: 2 * q]
    product = twice[np.minimum(log[:, None] + log[None, :], 2 * q - 1)]
    product[0, :] = product[:, 0] = 0
    return FiniteField(
        base,
        degree,
        (digits[:, None] + digits[None, :]) % base @ weight,
        (digits[:, None] - digits[None, :]) % base @ weight,
        product,
        twice,
    )


def _powers(q: int, base: int, degree: int) -> Int64:
    """1, g, g^2, ..., g^(q-2) for a primitive g: a number for primes, else x modulo a primitive polynomial."""
    if degree == 1:
        candidates = ([pow(g, k, q) for k in range(q - 1)] for g in range(1, q))
    else:
        candidates = (_shifts(q, base, degree, low) for low in itertools.product(range(base), repeat=degree))
    for found in candidates:
        if len(set(found)) == q - 1 and 0 not in found:
            return np.array(found, dtype=np.int64)
    raise ArithmeticError(f"no primitive element of GF({q})")


def _shifts(q: int, base: int, degree: int, low: tuple[int, ...]) -> list[int]:
    """Powers of x modulo x^degree + the polynomial with coefficients ``low``, constant first."""
    at = [1] + [0] * (degree - 1)
    found = []
    for _ in range(q - 1):
        found.append(sum(c * base**k for k, c in enumerate(at)))
        top, at = at[-1], [0, *at[:-1]]
        at = [(c - top * x) % base for c, x in zip(at, low, strict=True)]
    return found
