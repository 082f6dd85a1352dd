"""Slim Fly, the McKay-Miller-Siran graphs, diameter two; SpectralFly, the Ramanujan graphs of Lubotzky, Phillips and
Sarnak.
"""

from __future__ import annotations

from itertools import product
from math import isqrt

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, family_name, one_bandwidth, whole_number
from ..family import family
from ..multistage.splitters import Matrix, normal, times
from .projective import finite_field

_MOST = 128
_MOST_PRIME = 100


def slim_fly(q: int, *, concentration: int | None = None, bandwidth: Bandwidth = 1) -> Network:
    """The Slim Fly of the prime power ``q`` = 4w + delta, delta in -1, 0, 1: 2q^2 routers of degree (3q - delta)/2.

    Router (0, x, y) is node x*q + y, router (1, m, c) is node q^2 + m*q + c.  (0, x, y) and (0, x, y') are joined where
    y - y' is in X, (1, m, c) and (1, m, c') where c - c' is in X', and (0, x, y) and (1, m, c) where y = m x + c.
    ``concentration``: terminals on each router, by default half its degree, rounded up.

    Declared symmetry: translations of y and c, of x, and of m; the product of x with a generator and of m with its
    inverse; for delta = 1 the product of y, m and c with its square.

    Raises InputError unless q is a prime power, not 2 modulo 4, of at most 128.
    Source: Besta & Hoefler 2014 (SC), Slim Fly: a cost effective low-diameter network topology; McKay, Miller & Siran
    1998; for q = 4w, Hafner 2004 (delta = 0).
    """
    q = whole_number(q, what="q of slim-fly", least=3)
    check_size(f"slim-fly:{q}", nodes=2 * q * q, channels=q * q * (3 * q - 1))
    if q > _MOST:
        raise InputError(f"q of slim-fly is {q}; at most {_MOST} is supported")
    if q % 4 == 2:
        raise InputError(f"q of slim-fly is {q}; a prime power 4w - 1, 4w or 4w + 1 was expected")
    delta = {1: 1, 3: -1, 0: 0}[q % 4]
    field = finite_field(q)
    degree = (3 * q - delta) // 2
    name = f"slim-fly:{q}"
    usual = -(-degree // 2)
    p = usual if concentration is None else whole_number(concentration, what=f"concentration of {name}", least=1)
    check_size(name, nodes=2 * q * q, channels=2 * q * q * degree, terminals=2 * q * q * p, generators=6)
    width = one_bandwidth(bandwidth, family=name)
    one, two = (field.power[np.array(x)] for x in _exponents(q, delta))
    y, x = np.meshgrid(np.arange(q), np.arange(q), indexing="xy")
    ends = []
    for half, steps in ((0, one), (1, two)):
        base = half * q * q + x * q
        ends += [np.stack([base + y, base + field.add[y, s]], axis=-1).reshape(-1, 2) for s in steps.tolist()]
    for m in range(q):
        c = field.subtract[y, field.multiply[m, x]]
        there = np.stack([x * q + y, q * q + m * q + c], axis=-1).reshape(-1, 2)
        ends += [there, there[:, ::-1]]
    channels = np.concatenate(ends)
    channels = channels[np.lexsort((channels[:, 1], channels[:, 0]))]
    maps: list[tuple[str, Int64, Int64]] = []
    a, b = x, y  # for the second half: m, c
    for t in [int(field.base**e) for e in range(field.degree)]:
        maps.append((f"translate y by {t}", x * q + field.add[y, t], a * q + field.add[b, t]))
        maps.append((f"translate x by {t}", field.add[x, t] * q + y, a * q + field.subtract[b, field.multiply[a, t]]))
        maps.append((f"translate m by {t}", x * q + field.add[y, field.multiply[x, t]], field.add[a, t] * q + b))
    first, last = int(field.power[1]), int(field.power[q - 2])  # a generator and its inverse
    maps.append(("multiply x", field.multiply[x, first] * q + y, field.multiply[a, last] * q + b))
    if delta == 1:  # X and X' are closed under multiplication by squares
        scaled = field.multiply[:, int(field.power[2])]
        maps.append(("multiply y", x * q + scaled[y], scaled[a] * q + scaled[b]))
    return build_network(
        family_name(name, f"concentration={p}" if p != usual else ""),
        2 * q * q,
        channels,
        widths=(width,),
        terminals=np.repeat(np.arange(2 * q * q), p),
        labels=[f"({s},{u},{v})" for s in (0, 1) for u in range(q) for v in range(q)],
        maps=[(what, np.concatenate([half.ravel(), q * q + other.ravel()])) for what, half, other in maps],
    )


def _exponents(q: int, delta: int) -> tuple[list[int], list[int]]:
    """Of the generators X and X': Hafner 2004, Besta & Hoefler 2014, sec. II-B1."""
    if delta == 1:
        return list(range(0, q - 2, 2)), list(range(1, q - 1, 2))
    if delta == 0:
        return list(range(0, q - 1, 2)), list(range(1, q, 2))
    w = (q + 1) // 4
    return (
        [*range(0, 2 * w - 1, 2), *range(2 * w - 1, 4 * w - 2, 2)],
        [*range(1, 2 * w, 2), *range(2 * w, 4 * w - 1, 2)],
    )


SLIM_FLY = family(
    "slim-fly:5",
    "McKay-Miller-Siran graph of a prime power q: 2q^2 routers, diameter 2",
    slim_fly,
    ("q of slim-fly",),
    whole=("concentration",),
)


def spectralfly(p: int, q: int, *, concentration: int = 1, bandwidth: Bandwidth = 1) -> Network:
    """The graph X(p, q) of odd primes p and q: a Cayley graph of degree p + 1.

    Its group is PSL(2, q), of q (q^2 - 1) / 2 elements, where p is a square modulo q, and else PGL(2, q), of twice as
    many; its generators are the solutions of a^2 + b^2 + c^2 + d^2 = p (a > 0 odd and the others even for p = 1 modulo
    4; a even and the first of those that is not 0 positive for p = 3).  Routers are numbered as they are found from the
    identity, breadth first; channels by tail, then by head.

    Declared symmetry: the group itself, by its generators.
    Source: Young et al. 2022 (IPDPS), SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks;
    Lubotzky, Phillips & Sarnak 1988; Davidoff, Sarnak & Valette 2003.
    Raises InputError unless p and q are different odd primes with q > 2 sqrt(p), of at most 100.
    """
    p, q = (whole_number(x, what=f"{what} of spectralfly:p,q", least=3) for x, what in ((p, "p"), (q, "q")))
    check_size(f"spectralfly:{p},{q}", nodes=(q**3 - q) // 2, channels=(q**3 - q) // 2 * (p + 1))
    for value, what in ((p, "p"), (q, "q")):
        if value > _MOST_PRIME or any(value % x == 0 for x in range(2, isqrt(value) + 1)):
            raise InputError(f"{what} of spectralfly:p,q is {value}; an odd prime below {_MOST_PRIME} was expected")
    if p == q or q * q <= 4 * p:
        raise InputError(f"spectralfly:{p},{q}: q > 2 sqrt(p) was expected, else routers are joined twice")
    square = pow(p, (q - 1) // 2, q) == 1
    size = q * (q * q - 1) // (2 if square else 1)
    name = f"spectralfly:{p},{q}"
    each = whole_number(concentration, what=f"concentration of {name}", least=1)
    check_size(name, nodes=size, channels=size * (p + 1), terminals=size * each, generators=p + 1)
    steps = _generators(p, q)
    one: Matrix = (1, 0, 0, 1)
    number = {one: 0}
    found = [one]
    ends = []
    for at in found:
        for step in steps:
            to = times(at, step, q)
            if to not in number:
                number[to] = len(found)
                found.append(to)
            ends.append((number[at], number[to]))
    if len(found) != size:
        raise ArithmeticError(f"{name} has {len(found)} routers; {size} were expected")
    channels = np.array(ends)
    maps = [
        (f"multiply by generator {k}", np.array([number[times(step, x, q)] for x in found]))
        for k, step in enumerate(steps)
    ]
    return build_network(
        family_name(name, f"concentration={each}" if each != 1 else ""),
        size,
        channels[np.lexsort((channels[:, 1], channels[:, 0]))],
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(size), each),
        maps=maps,
    )


def _generators(p: int, q: int) -> list[Matrix]:
    """p + 1 matrices modulo scalars, closed under inverses."""
    x, y = next((x, y) for x, y in product(range(q), repeat=2) if (x * x + y * y + 1) % q == 0)
    top = isqrt(p)
    found = []
    for a, b, c, d in product(range(-top, top + 1), repeat=4):
        if a * a + b * b + c * c + d * d != p or a % 2 != (p % 4 == 1) or a < 0:
            continue
        if p % 4 == 3 and a == 0 and next(z for z in (b, c, d) if z) < 0:
            continue  # an element and its negative are one
        if p % 4 == 1 and (b % 2 or c % 2 or d % 2):
            continue
        matrix = (a + b * x + d * y, -b * y + c + d * x, -b * y - c + d * x, a - b * x - d * y)
        found.append(normal(matrix, q))
    if len(set(found)) != p + 1:
        raise ArithmeticError(f"{len(set(found))} generators of degree {p + 1}")
    return sorted(found)


SPECTRAL_FLY = family(
    "spectralfly:3,5",
    "Ramanujan graph of two odd primes: degree p + 1, q (q^2 - 1) routers or half of that",
    spectralfly,
    "p,q",
    whole=("concentration",),
)
