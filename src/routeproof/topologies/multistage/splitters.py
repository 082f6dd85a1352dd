"""Single splitters: random ones, Gabber-Galil, and the Ramanujan graphs of Lubotzky, Phillips & Sarnak.

Each is made of permutations f_1 .. f_d of M things: input i has edges to outputs f_k(i) modulo M/2, so an output stands
for two things, and each input has d edges, each output 2d.  (Merging the outputs in pairs is ours: the paper wants M
inputs and M/2 outputs each way and does not say how.)

Texts: ``ramanujan:5,13``, ``random-splitter:1092,d=6,seed=1``.

Sources: Gabber & Galil 1981 (J. Comput. Syst. Sci. 22), Explicit constructions of linear-sized superconcentrators;
Lubotzky, Phillips & Sarnak 1988 (Combinatorica 8), Ramanujan graphs; named by Maggs, "Randomly Wired Multistage
Networks", sec. 1.4, which notes that no explicit splitters with beta > d/2 are known.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.multistage.wiring import Splitter
from ..build import log_of_inputs, whole_number
from ..family import Family, family
from ..text import name_of, with_example

_MOST = 20_000


def random_splitter(inputs: int, *, d: int, seed: int) -> Splitter:
    """M = ``inputs`` (even) inputs with d edges to M/2 outputs, from d random permutations, outputs merged in pairs.

    The k-th permutation sorts 64-bit keys of ``numpy.random.PCG64(SeedSequence([seed, k]))``.
    """
    size = whole_number(inputs, what="number of inputs of random-splitter", least=2)
    d = whole_number(d, what="d of random-splitter", least=1)
    seed = whole_number(seed, what="seed of random-splitter", least=0)
    if size % 2 or size > _MOST or d > 1000:
        raise InputError(f"random-splitter has {size} inputs, d = {d}; an even number up to {_MOST} was expected")
    keys = [np.random.PCG64(np.random.SeedSequence([seed, k])).random_raw(size) for k in range(d)]
    return _folded(f"random-splitter:{size},d={d},seed={seed}", np.argsort(keys, axis=1, kind="stable"))


def gabber_galil_maps(inputs: int) -> Int64:
    """int64, shape (5, M): (x, y) to (x, y), (x, x + y), (x, x + y + 1), (x + y, y), (x + y + 1, y), on a grid of M
    points: m x m, or 2m x m where M is not a square (there the maps are still permutations, but without a theorem)."""
    wide = 1 << (inputs.bit_length() // 2)
    tall = inputs // wide
    x, y = np.divmod(np.arange(inputs), tall)
    images = [(x, y), (x, x + y), (x, x + y + 1), (x + y, y), (x + y + 1, y)]
    return np.stack([(a % wide) * tall + b % tall for a, b in images])


def gabber_galil(inputs: int) -> Splitter:
    """The splitter of M = ``inputs`` (a power of two, at least 4) by Gabber & Galil's five permutations: d = 5."""
    size = 1 << log_of_inputs(inputs, "gabber-galil", least=4)
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
            maps[k, i] = numbers[1][times(element, step, q)]
    return _folded(f"ramanujan:{p},{q}", maps)


def _check(name: str, size: int) -> None:
    if size > _MOST:
        raise InputError(f"{name} has {size} inputs; at most {_MOST} are supported")


def _folded(name: str, maps: Int64) -> Splitter:
    half = maps.shape[1] // 2
    return Splitter(name, tuple(tuple(row) for row in (maps.T % half).tolist()))


Matrix = tuple[int, int, int, int]


def _steps(p: int, q: int) -> list[Matrix]:
    root = next(x for x in range(q) if (x * x + 1) % q == 0)
    most = math.isqrt(p)
    odd, even = range(1, most + 1, 2), range(-(most // 2 * 2), most + 1, 2)
    return [
        normal((a + root * b, c + root * d, -c + root * d, a - root * b), q)
        for a, b, c, d in product(odd, even, even, even)
        if a * a + b * b + c * c + d * d == p
    ]


def normal(x: Matrix, q: int) -> Matrix:
    """A matrix up to a factor: its first entry that is not 0 becomes 1."""
    reduced = [v % q for v in x]
    unit = pow(next(v for v in reduced if v), -1, q)
    a, b, c, d = (v * unit % q for v in reduced)
    return a, b, c, d


def times(x: Matrix, y: Matrix, q: int) -> Matrix:
    a, b, c, d = x
    e, f, g, h = y
    return normal((a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h), q)


def _elements(q: int, *, square: bool) -> list[Matrix]:
    """Elements of PGL(2, q) whose determinant is a square, or is not, in order of their entries."""
    wanted = {x * x % q for x in range(1, q)}
    if not square:
        wanted = set(range(1, q)) - wanted
    each = range(q)
    everything = [*product([1], each, each, each), *product([0], [1], each, each)]
    return [(a, b, c, d) for a, b, c, d in everything if (a * d - b * c) % q in wanted]


SPLITTERS: dict[str, Family[Splitter]] = {
    x.name: x
    for x in (
        family(
            "ramanujan:5,13",
            "the Ramanujan graph of two primes of the form 4k + 1",
            ramanujan,
            ("a prime of ramanujan",) * 2,
        ),
        family(
            "random-splitter:64,d=3,seed=7",
            "random permutations, outputs merged in pairs",
            random_splitter,
            ("number of inputs of random-splitter",),
        ),
    )
}
"""The families of single splitters, by name."""


def is_splitter(text: str) -> bool:
    """Does ``text`` begin with the name of a splitter family?"""
    return name_of(text) in SPLITTERS


def splitter_from_spec(text: str) -> Splitter:
    """The splitter that ``text`` describes; raises InputError for bad parameters."""
    family = SPLITTERS[name_of(text)]
    pieces = family.pieces(text)
    with with_example(family.usage):
        return family.build(pieces)
