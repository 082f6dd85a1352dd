"""Slim Fly: McKay-Miller-Siran graphs, diameter two."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, family_name, one_bandwidth, whole_number
from ..family import family
from .projective import finite_field

_MOST = 128


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
    "slim-fly:5", "McKay-Miller-Siran graph of a prime power q: 2q^2 routers, diameter 2", slim_fly, ("q of slim-fly",)
)
