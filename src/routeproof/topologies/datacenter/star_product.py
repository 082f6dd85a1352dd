"""PolarStar: the star product of a polarity graph and inductive quads."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, family_name, one_bandwidth, whole_number, whole_numbers
from ..family import family
from .projective import plane, polarity

_MOST = 128


def polarstar(q: int, degree: int, *, concentration: int | None = None, bandwidth: Bandwidth = 1) -> Network:
    """PolarStar with inductive quads: ER_q * IQ of ``degree`` d: (q^2 + q + 1) (2d + 2) routers of degree q + 1 + d.

    Every point i of the projective plane over GF(q) has a supernode, a copy of IQ (see ``inductive_quad``): routers
    i (2d + 2) + u.  For orthogonal points i and j routers (i, u) and (j, f(u)) are joined, f the pairing of IQ; in a
    supernode of a point that is orthogonal to itself (i, u) and (i, f(u)).  The diameter is 3, or less.
    ``concentration``: terminals on each router, by default a third of the degree, rounded down (the authors').

    Declared symmetry: none; it is looked for where it is needed.
    Raises InputError unless q is a prime power of at most 128 and d is 0 or 3 modulo 4.
    Source: Lakhotia et al. 2024 (SPAA), PolarStar: expanding the horizon of diameter-3 networks; the authors' topology
    in SST (merlin.polarstar), whose test has 168 routers of degree 8.  Their Paley supernodes are not made here.
    """
    q, d = whole_numbers((q, degree), ("q", "d"), "polarstar:q,d", least=0)
    if d % 4 not in (0, 3) or d > _MOST:
        low = min(d, _MOST)
        near = [x for x in range(max(0, low - 3), low + 4) if x % 4 in (0, 3) and x <= _MOST]
        raise InputError(
            f"d of polarstar:q,d is {d}; inductive quads have degree 0 or 3 modulo 4, such as "
            f"{' or '.join(map(str, near[-2:]))}, and at most {_MOST}"
        )
    field, points = plane(q, "q of polarstar:q,d")
    size, many = q * q + q + 1, 2 * d + 2
    usual = max(1, (q + 1 + d) // 3)
    p = usual if concentration is None else whole_number(concentration, what="concentration of polarstar", least=1)
    name = f"polarstar:{q},{d}"
    check_size(name, nodes=size * many, channels=size * many * (q + 1 + d), terminals=size * many * p)
    inside, pair = inductive_quad(d)
    i, j = polarity(field, points).T
    u = np.arange(many)
    across = np.stack([(i[:, None] * many + u).ravel(), (j[:, None] * many + pair[u]).ravel()], axis=1)
    near_ends = np.argwhere(inside)
    within = (np.arange(size)[:, None, None] * many + near_ends[None, :, :]).reshape(-1, 2)
    ends = np.concatenate([within, across])
    return build_network(
        family_name(name, f"concentration={p}" if p != usual else ""),
        size * many,
        ends[np.lexsort((ends[:, 1], ends[:, 0]))],
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(size * many), p),
        labels=["({},{},{}).{}".format(*x, v) for x in points.tolist() for v in range(many)],
    )


def inductive_quad(degree: int) -> tuple[Bools, Int64]:
    """IQ of ``degree`` d = 0 or 3 modulo 4: which of its 2d + 2 vertices are joined, and the pairing f.

    Of any two vertices x and y, one of these holds: they are joined, f(x) and f(y) are, or y = f(x) (property R* of
    the paper).  d = 0: two vertices, not joined.  d = 3: pairs x0, ..., x3 and their f(x); x0 and f(x0) are joined to
    x1, x2 and x3, and x1, x2, x3 and their f(x) to f(x2), f(x3), f(x1), in this order.  From d to d + 4: another such
    graph of degree 3, of which two pairs are joined to one of every old pair, always the same half, two to the other.
    """
    joined = np.zeros((2 * degree + 2, 2 * degree + 2), dtype=bool)
    pair = np.arange(2 * degree + 2)
    half: list[int] = []
    other: list[int] = []
    if degree % 4 == 0:
        half, other = [0], [1]
    while len(half) + len(other) < len(pair):
        first = len(half) + len(other)
        x = list(range(first, first + 4))
        y = [v + 4 for v in x]
        ends = [(a, x[k]) for a in (x[0], y[0]) for k in (1, 2, 3)]
        ends += [(a, y[k % 3 + 1]) for k in (1, 2, 3) for a in (x[k], y[k])]
        ends += [(a, b) for k in range(4) for a in (x[k], y[k]) for b in (half if k < 2 else other)]
        for a, b in ends:
            joined[a, b] = joined[b, a] = True
        half, other = half + x, other + y
    pair[half], pair[other] = other, half
    return joined, pair


POLARSTAR = family(
    "polarstar:3,3",
    "star product: supernodes of 2d + 2 routers at the points of a projective plane, degree q + 1 + d, diameter 3",
    polarstar,
    "q,d",
    whole=("concentration",),
)
