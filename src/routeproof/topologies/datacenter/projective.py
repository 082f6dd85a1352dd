"""Networks of projective planes over finite fields: PolarFly, the orthogonal fat tree with the multi-layer full mesh
beside it, and PolarStar, the star product of a polarity graph and inductive quads."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, Maps, build_network, check_size, family_name, one_bandwidth, whole_number, whole_numbers
from ..family import family


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


_MOST = 128
_AT_ONCE = 2**22  # products of points


def polarfly(q: int, *, concentration: int | None = None, bandwidth: Bandwidth = 1) -> Network:
    """PolarFly: the polarity graph of the projective plane over GF(q), q^2 + q + 1 routers of diameter two.

    Routers are the points of the plane, in the order of ``_points``; two different ones are joined where their vectors
    are orthogonal.  A router has q + 1 links, the q + 1 whose vector is orthogonal to itself have q.
    ``concentration``: terminals on each router, by default (q + 1) / 2, rounded up.

    Declared symmetry: none; it is looked for where it is needed.
    Raises InputError unless q is a prime power of at most 128.
    Source: Lakhotia et al. 2022 (SC), PolarFly: a cost-effective and flexible low-diameter topology; Erdos, Renyi & Sos
    1966, Brown 1966.
    """
    q = whole_number(q, what="q of polarfly", least=2)
    size = q * q + q + 1
    usual = (q + 2) // 2
    p = usual if concentration is None else whole_number(concentration, what="concentration of polarfly", least=1)
    name = f"polarfly:{q}"
    check_size(name, nodes=size, channels=(size - 1) * (q + 1), terminals=size * p)
    field = _field(q, "q of polarfly")
    points = _points(field)
    ends = polarity(field, points)
    return build_network(
        family_name(name, f"concentration={p}" if p != usual else ""),
        size,
        ends[ends[:, 0] != ends[:, 1]],
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(size), p),
        labels=["({},{},{})".format(*x) for x in points.tolist()],
    )


def orthogonal_fat_tree(k: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The two-level orthogonal fat tree of routers with 2k ports: 2 (k^2 - k + 1) leaves with k terminals each.

    The plane of order k - 1 has k^2 - k + 1 points and as many lines; there are two leaves for every point, and both
    are joined to the top router of each line through it.  Leaf (c, x) is node c * (k^2 - k + 1) + x; the tops follow.

    Declared symmetry: the two leaves of every point change places; the rest is looked for where it is needed.
    Raises InputError unless k - 1 is a prime power of at most 128.
    Source: Kathareios, Minkenberg, Prisacari, Rodriguez & Hoefler 2015 (SC), Cost-effective diameter-two topologies;
    Valerio, Moser & Melliar-Smith 1994.
    """
    k = whole_number(k, what="k of orthogonal-fat-tree", least=3)
    size, name = k * k - k + 1, f"orthogonal-fat-tree:{k}"
    check_size(name, nodes=3 * size, channels=4 * size * k, terminals=2 * size * k)
    field = _field(k - 1, "k - 1 of orthogonal-fat-tree")
    through = polarity(field, _points(field))
    up = np.concatenate([through + np.array([c * size, 2 * size]) for c in (0, 1)])
    return build_network(
        name,
        3 * size,
        np.concatenate([up, up[:, ::-1][np.lexsort((up[:, 0], up[:, 1]))]]),
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(2 * size), k),
        labels=[f"{kind}.{x}" for kind in ("leaf0", "leaf1", "top") for x in range(size)],
    )


def mlfm(h: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The (h, h, h) multi-layer full mesh: h layers of h + 1 leaves with h terminals each, of routers with 2h ports.

    For every two columns there is one top router, joined to the leaves of both columns in all layers, in place of the
    full meshes' links.  Leaf (layer, column) is node layer * (h + 1) + column; the tops follow, by pair of columns.

    Declared symmetry: permutations of the layers and of the columns.
    Source: Kathareios, Minkenberg, Prisacari, Rodriguez & Hoefler 2015 (SC); Fujitsu.
    """
    h = whole_number(h, what="h of mlfm", least=2)
    columns, name = h + 1, f"mlfm:{h}"
    leaves, above = h * columns, h * columns // 2
    check_size(name, nodes=leaves + above, channels=4 * h * above, terminals=leaves * h, generators=4)
    tops = list(combinations(range(columns), 2))
    up = np.array(
        [(layer * columns + x, leaves + t) for layer in range(h) for t, pair in enumerate(tops) for x in pair]
    )
    up = up[np.lexsort((up[:, 1], up[:, 0]))]
    return build_network(
        name,
        leaves + len(tops),
        np.concatenate([up, up[:, ::-1][np.lexsort((up[:, 0], up[:, 1]))]]),
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(leaves), h),
        labels=[*(f"leaf{layer}.{x}" for layer in range(h) for x in range(columns)), *(f"top{a}-{b}" for a, b in tops)],
        maps=_mesh_maps(h, tops),
    )


def _mesh_maps(h: int, tops: list[tuple[int, int]]) -> Maps:
    number = {pair: h * (h + 1) + t for t, pair in enumerate(tops)}
    leaf = np.arange(h * (h + 1)).reshape(h, h + 1)
    still = np.array(list(number.values()))
    maps: list[tuple[str, Int64]] = []
    for what, image in (("transpose", _swapped), ("rotate", _rotated)):
        maps.append((f"{what} layers", np.concatenate([leaf[image(h)].ravel(), still])))
        column = image(h + 1)
        moved = [number[min(column[a], column[b]), max(column[a], column[b])] for a, b in tops]
        maps.append((f"{what} columns", np.concatenate([leaf[:, column].ravel(), np.array(moved)])))
    return maps


def _swapped(size: int) -> Int64:
    order = np.arange(size)
    order[:2] = 1, 0
    return order


def _rotated(size: int) -> Int64:
    return np.roll(np.arange(size), -1)


def plane(q: object, what: str) -> tuple[FiniteField, Int64]:
    """GF(q) and the points of the projective plane over it; ``what`` names q in errors."""
    field = _field(q, what)
    return field, _points(field)


def _field(q: object, what: str) -> FiniteField:
    value = whole_number(q, what=what, least=2)
    if value > _MOST:
        raise InputError(f"{what} is {value}; at most {_MOST} is supported")
    try:
        return finite_field(value)
    except InputError as error:
        raise InputError(str(error).replace("q is", f"{what} is", 1)) from None


def _points(field: FiniteField) -> Int64:
    """One vector of each point of the plane, int64 (q^2 + q + 1, 3): the first coordinate that is not 0 is 1."""
    q = len(field.add)
    first = [(1, y, z) for y in range(q) for z in range(q)]
    return np.array([*first, *((0, 1, z) for z in range(q)), (0, 0, 1)], dtype=np.int64)


def polarity(field: FiniteField, points: Int64) -> Int64:
    """The pairs of orthogonal points, int64 (E, 2), by the first one and then the second."""
    step = max(1, _AT_ONCE // len(points))
    found = []
    for start in range(0, len(points), step):
        some = points[start : start + step]
        x, y, z = (field.multiply[some[:, k][:, None], points[:, k][None, :]] for k in range(3))
        ends = np.argwhere(field.add[field.add[x, y], z] == 0)
        ends[:, 0] += start
        found.append(ends)
    return np.concatenate(found)


POLARFLY = family(
    "polarfly:5",
    "polarity graph of a projective plane: q^2 + q + 1 routers of degree q + 1, diameter 2",
    polarfly,
    ("q of polarfly",),
)
ORTHOGONAL_FAT_TREE = family(
    "orthogonal-fat-tree:4",
    "two levels, leaves and tops by the points and lines of a projective plane of order k - 1",
    orthogonal_fat_tree,
    ("k of orthogonal-fat-tree",),
)
MLFM = family(
    "mlfm:4",
    "multi-layer full mesh: h layers of h + 1 leaves, a top router for every two columns",
    mlfm,
    ("h of mlfm",),
)


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
)
