"""SpectralFly: the Ramanujan graphs of Lubotzky, Phillips and Sarnak."""

from __future__ import annotations

from itertools import product
from math import isqrt

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, family_name, one_bandwidth, whole_number
from ..family import family
from ..multistage.splitters import Matrix, normal, times

_MOST = 100


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
        if value > _MOST or any(value % x == 0 for x in range(2, isqrt(value) + 1)):
            raise InputError(f"{what} of spectralfly:p,q is {value}; an odd prime below {_MOST} was expected")
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
)
