"""Splitters that are written down, not drawn: Gabber-Galil, and the Ramanujan graphs of Lubotzky, Phillips & Sarnak.

Each is made of permutations f_1 .. f_d of M things: input i has edges to outputs f_k(i) modulo M/2, so an output stands
for two things, and each input has d edges, each output 2d.  (Merging the outputs in pairs is ours: the paper wants M
inputs and M/2 outputs each way and does not say how.)

Sources: Gabber & Galil 1981 (J. Comput. Syst. Sci. 22), Explicit constructions of linear-sized superconcentrators;
Lubotzky, Phillips & Sarnak 1988 (Combinatorica 8), Ramanujan graphs; named by Maggs, "Randomly Wired Multistage
Networks", sec. 1.4, which notes that no explicit splitters with beta > d/2 are known.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.multistage.splitter import Splitter
from ..build import whole_number

__all__ = ["gabber_galil", "gabber_galil_maps", "ramanujan"]

Int64 = npt.NDArray[np.int64]
_MOST = 20_000


def gabber_galil_maps(inputs: int) -> Int64:
    """int64, shape (5, M): (x, y) to (x, y), (x, x + y), (x, x + y + 1), (x + y, y), (x + y + 1, y), on a grid of M
    points: m x m, or 2m x m where M is no square (there the maps are still permutations, but no theorem is known)."""
    wide = 1 << (inputs.bit_length() // 2)
    tall = inputs // wide
    x, y = np.divmod(np.arange(inputs), tall)
    images = [(x, y), (x, x + y), (x, x + y + 1), (x + y, y), (x + y + 1, y)]
    return np.stack([(a % wide) * tall + b % tall for a, b in images])


def gabber_galil(inputs: int) -> Splitter:
    """The splitter of M = ``inputs`` (a power of two, at least 4) by Gabber & Galil's five permutations: d = 5."""
    size = whole_number(inputs, what="number of inputs of gabber-galil", least=4)
    if size & (size - 1):
        raise InputError(f"gabber-galil has {size} inputs; a power of two was expected")
    _check(f"gabber-galil:{size}", size)
    return _folded(f"gabber-galil:{size}", gabber_galil_maps(size))


def ramanujan(p: int, q: int) -> Splitter:
    """The splitter of the Ramanujan graph X^(p,q), p and q different primes of the form 4k + 1: d = p + 1.

    Things are the elements of PSL(2, q) if p is a square modulo q (M = q (q^2 - 1) / 2), else those of PGL(2, q) of
    either kind of determinant, inputs of one kind joined to outputs of the other (again M = q (q^2 - 1) / 2 of each).
    The permutations multiply by the p + 1 matrices of a0^2 + a1^2 + a2^2 + a3^2 = p, a0 odd and positive, the others
    even.  The second eigenvalue of the graph is at most 2 sqrt(p) if q > 2 sqrt(p) (their theorem), so that
    of A A' here at most 8 p: merging in pairs doubles a square at most.
    """
    for name, x in (("p", p), ("q", q)):
        whole_number(x, what=f"{name} of ramanujan", least=5)
        if x % 4 != 1 or any(x % k == 0 for k in range(2, math.isqrt(x) + 1)):
            raise InputError(
                f"{name} of ramanujan is {x}; a prime of the form 4k + 1 was expected, such as 5, 13 or 17"
            )
    if p == q:
        raise InputError(f"p and q of ramanujan are both {p}; two different primes were expected")
    size = q * (q * q - 1) // 2
    _check(f"ramanujan:{p},{q}", size)
    steps = _steps(p, q)
    square = pow(p, (q - 1) // 2, q) == 1
    kinds = [True, True] if square else [True, False]
    numbers = [{x: i for i, x in enumerate(_elements(q, square=kind))} for kind in kinds]
    maps = np.empty((len(steps), size), dtype=np.int64)
    for element, i in numbers[0].items():
        for k, step in enumerate(steps):
            maps[k, i] = numbers[1][_times(element, step, q)]
    return _folded(f"ramanujan:{p},{q}", maps)


def _check(name: str, size: int) -> None:
    if size > _MOST:
        raise InputError(f"{name} has {size} inputs; at most {_MOST} are supported")


def _folded(name: str, maps: Int64) -> Splitter:
    half = maps.shape[1] // 2
    return Splitter(name, tuple(tuple(row) for row in (maps.T % half).tolist()))


_Matrix = tuple[int, int, int, int]


def _steps(p: int, q: int) -> list[_Matrix]:
    root = next(x for x in range(q) if (x * x + 1) % q == 0)
    span = range(-math.isqrt(p), math.isqrt(p) + 1)
    even = [x for x in span if x % 2 == 0]
    found = [
        (a, b, c, d)
        for a in span
        if a > 0 and a % 2
        for b in even
        for c in even
        for d in even
        if a * a + b * b + c * c + d * d == p
    ]
    return [_normal((a + root * b, c + root * d, -c + root * d, a - root * b), q) for a, b, c, d in found]


def _normal(x: _Matrix, q: int) -> _Matrix:
    """A matrix up to a factor: its first entry that is not 0 becomes 1."""
    reduced = [v % q for v in x]
    unit = pow(next(v for v in reduced if v), -1, q)
    a, b, c, d = (v * unit % q for v in reduced)
    return a, b, c, d


def _times(x: _Matrix, y: _Matrix, q: int) -> _Matrix:
    a, b, c, d = x
    e, f, g, h = y
    return _normal((a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h), q)


def _elements(q: int, *, square: bool) -> list[_Matrix]:
    """Elements of PGL(2, q) whose determinant is a square, or none, in order of their entries."""
    squares = {x * x % q for x in range(1, q)}
    everything = [(1, b, c, d) for b in range(q) for c in range(q) for d in range(q)]
    everything += [(0, 1, c, d) for c in range(q) for d in range(q)]
    found = []
    for x in everything:
        determinant = (x[0] * x[3] - x[1] * x[2]) % q
        if determinant and (determinant in squares) == square:
            found.append(x)
    return found
