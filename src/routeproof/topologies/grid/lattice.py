"""Meshes, HyperX and tori, and what they have in common: the numbering of channels and the declared symmetry.

HyperX networks are t-nary d-cubes, also called Hamming graphs; complete networks and flattened butterflies are such.

Tori are k-ary n-cubes, rings, and their one-way forms; the binary hypercube; Tofu and Blue Gene/Q; twisted tori, as in
TPU pods.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ...core.arrays import read_only
from ...core.errors import InputError
from ...core.network import Grid, GridKind, Network
from ..attach import concentrated
from ..build import (
    MAX_CHANNELS,
    MAX_NODES,
    Bandwidth,
    Maps,
    axis_bandwidths,
    build_network,
    check_radices,
    check_size,
    family_name,
    letter_permutations,
    named_after,
    one_bandwidth,
    swappable_dimensions,
    whole_number,
    whole_numbers,
)
from ..family import RADICES, family


def lattice(
    kind: GridKind,
    radix: tuple[int, ...],
    widths: tuple[Fraction, ...],
    target: npt.NDArray[np.int32],
    *,
    name: str,
    maps: Maps,
    oneway: bool = False,
) -> Network:
    """The network on a grid; swaps of dimensions with equal radix and equal bandwidth are added to its symmetry.

    ``target``: int32, shape (N, n, D), as ``Grid.channel_at``: the node to which each channel leads, -1 where there is
    none.  ``widths``: a bandwidth per dimension.  ``maps``: the rest of the declared symmetry.
    """
    present = target >= 0
    channel_at = np.full(target.shape, -1, dtype=np.int32)
    channel_at[present] = np.arange(np.count_nonzero(present), dtype=np.int32)
    if kind == "torus":  # the two directions of radix 2 are one channel
        for m, k in enumerate(radix):
            if k == 2:
                channel_at[:, m, 1] = channel_at[:, m, 0]
    tail, along, _ = np.nonzero(present)
    number = np.arange(len(target)).reshape(radix)
    swaps = [
        (f"swap dimensions {a} and {b}", np.swapaxes(number, a, b).ravel())
        for a, b in swappable_dimensions(radix, widths)
    ]
    return build_network(
        name,
        len(target),
        np.stack([tail.astype(np.int32), target[present]], axis=1),
        widths=widths,
        along=along,
        maps=[*maps, *swaps],
        grid=Grid(kind, radix, read_only(channel_at), oneway),
    )


def mesh(*radix: int, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The mesh with ``radix[m]`` nodes along dimension m, joined to their neighbours both ways.

    Nodes are numbered row-major, last coordinate fastest; channels by the node that they leave, then by dimension,
    then + before -.  ``bandwidth``: one for all channels, or one per dimension.

    Declared symmetry: one reflection x -> k - 1 - x per dimension; swaps of dimensions with equal radix and bandwidth.

    Raises InputError for a radix below 2 or a size beyond the limits in ``build``.
    """
    sizes = check_radices(radix, family="mesh")
    name = "mesh:" + "x".join(str(k) for k in sizes)
    widths = axis_bandwidths(bandwidth, len(sizes), family=name)
    nodes = math.prod(sizes)
    check_size(
        name,
        nodes=nodes,
        channels=sum(2 * (nodes - nodes // k) for k in sizes),
        generators=len(sizes) + len(swappable_dimensions(sizes, widths)),
    )
    number = np.arange(nodes).reshape(sizes)
    target = np.full((*sizes, len(sizes), 2), -1, dtype=np.int32)
    for m in range(len(sizes)):
        line, ends = np.moveaxis(number, m, 0), np.moveaxis(target[..., m, :], m, 0)
        ends[:-1, ..., 0], ends[1:, ..., 1] = line[1:], line[:-1]
    maps = [(f"reflect dimension {m}", np.flip(number, axis=m).ravel()) for m in range(len(sizes))]
    return lattice("mesh", sizes, widths, target.reshape(nodes, len(sizes), 2), name=name, maps=maps)


MESH = family("mesh:6x4", "grid without wrap-around channels", mesh, RADICES)


_MAX_SLOTS = 4 * MAX_CHANNELS


def hyperx(*radix: int, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The HyperX with ``radix[m]`` nodes along dimension m, every line a complete graph; the t-nary d-cube where all
    radices are t.

    Nodes are numbered row-major, last coordinate fastest.  Channels are numbered by the node that they leave, then by
    dimension, then by what they add to the coordinate: 1, 2, ..., k - 1 modulo k.  ``bandwidth``: one for all
    channels, or one per dimension.

    Declared symmetry: per dimension a translation and a transposition of the values 0 and 1, which generate every
    relabelling of its values; swaps of dimensions with equal radix and equal bandwidth.

    Raises InputError for a radix below 2 or a size beyond the limits in ``build``.
    Source: Ahn, Binkert, Davis, McLaren & Schreiber 2009 (SC), HyperX: topology, routing, and packaging.
    """
    sizes = check_radices(radix, family="hyperx")
    name = "hyperx:" + "x".join(str(k) for k in sizes)
    widths = axis_bandwidths(bandwidth, len(sizes), family=name)
    nodes = math.prod(sizes)
    check_size(
        name,
        nodes=nodes,
        channels=nodes * sum(k - 1 for k in sizes),
        generators=sum(1 + (k > 2) for k in sizes) + len(swappable_dimensions(sizes, widths)),
    )
    dims, most = len(sizes), max(sizes) - 1
    if nodes * dims * most > _MAX_SLOTS:
        raise InputError(f"{name} is too uneven: its table of channels would have {nodes * dims * most:,} entries")
    number = np.arange(nodes).reshape(sizes)
    target = np.full((nodes, dims, most), -1, dtype=np.int32)
    for m, k in enumerate(sizes):
        for j in range(k - 1):
            target[:, m, j] = np.roll(number, -(j + 1), axis=m).ravel()
    maps = []
    for m, k in enumerate(sizes):
        for which, image in letter_permutations(k):
            what = "translate dimension" if which == "all" or k == 2 else "transpose 0 and 1 in dimension"
            maps.append((f"{what} {m}", np.take(number, image, axis=m).ravel()))
    return lattice("hyperx", sizes, widths, target, name=name, maps=maps)


def complete(n: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The complete network on ``n`` >= 2 nodes: a channel from every node to every other.

    It is the HyperX of one dimension: channels are numbered by tail, then by (head - tail) modulo n.
    Declared symmetry: a rotation and a transposition, which generate all permutations of the nodes.

    Raises InputError for n below 2 or a size beyond the limits in ``build``.
    """
    n = whole_number(n, what="number of nodes of complete", least=2)
    check_size(f"complete:{n}", nodes=n, channels=n * (n - 1))
    widths = axis_bandwidths(bandwidth, 1, family=f"complete:{n}")
    return named_after(hyperx(n, bandwidth=widths), f"complete:{n}", bandwidth=widths)


def flattened_butterfly(k: int, n: int, *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The k-ary n-flat: the HyperX of n - 1 dimensions of radix ``k``, with k terminals on every node.

    ``bandwidth`` as for ``hyperx``: links side by side between two routers are one channel of their joint bandwidth.
    Source: Kim, Dally & Abts 2007 (ISCA), Flattened butterfly: a cost-efficient topology for high-radix networks.
    """
    k, n = whole_numbers((k, n), "kn", "flattened-butterfly:k,n", least=2)
    flat = hyperx(*[k] * min(n - 1, 64), bandwidth=bandwidth)
    widths = axis_bandwidths(bandwidth, n - 1, family="it")
    return named_after(concentrated(flat, k), f"flattened-butterfly:{k},{n}", bandwidth=widths)


HYPERX = family("hyperx:3x3", "t-nary d-cube: every line along a dimension is a complete network", hyperx, RADICES)
COMPLETE = family("complete:8", "a channel from every node to every other", complete, ("number of nodes of complete",))
FLATTENED_BUTTERFLY = family(
    "flattened-butterfly:4,3",
    "k-ary n-flat: HyperX of n - 1 dimensions of radix k, k terminals on every node",
    flattened_butterfly,
    "k,n",
)


def torus(*radix: int, bandwidth: Bandwidth | Sequence[Bandwidth] = 1, oneway: bool = False) -> Network:
    """The torus with ``radix[m]`` nodes along dimension m: the k-ary n-cube where all are k.

    Nodes are numbered row-major, last coordinate fastest.  Channels are numbered by the node that they leave, then by
    dimension, then + before -.  In a dimension of radix 2 the two directions are one channel, so ``torus(2, 2, 2)``
    is the 3-cube.  ``bandwidth``: one for all channels, or one per dimension.  ``oneway``: + channels only.

    Declared symmetry: one translation per dimension; one reflection x -> -x per dimension of radix above 2 (not when
    one-way); swaps of dimensions with equal radix and equal bandwidth.

    Raises InputError for a radix below 2 or a size beyond the limits in ``build``.
    Source: Towles & Dally 2002 (SPAA), sec. 2.1 (the k-ary n-cube).
    """
    sizes = check_radices(radix, family="torus")
    name = "torus:" + "x".join(str(k) for k in sizes)
    return _torus(sizes, axis_bandwidths(bandwidth, len(sizes), family=name), name=name, oneway=oneway)


def ring(k: int, *, oneway: bool = False, bandwidth: Bandwidth = 1) -> Network:
    """The torus of one dimension with ``k`` >= 2 nodes; ``oneway`` leaves the channels v -> v + 1 only."""
    sizes = check_radices((k,), family="ring")
    name = f"ring:{sizes[0]}"
    return _torus(sizes, axis_bandwidths(bandwidth, 1, family=name), name=name, oneway=oneway)


def _torus(radix: tuple[int, ...], widths: tuple[Fraction, ...], *, name: str, oneway: bool) -> Network:
    nodes = math.prod(radix)
    reflected = [m for m, k in enumerate(radix) if k > 2 and not oneway]
    check_size(
        name,
        nodes=nodes,
        channels=nodes * (len(radix) + len(reflected)),
        generators=len(radix) + len(reflected) + len(swappable_dimensions(radix, widths)),
    )
    number = np.arange(nodes).reshape(radix)
    target = np.full((nodes, len(radix), 2), -1, dtype=np.int32)
    for m in range(len(radix)):
        target[:, m, 0] = np.roll(number, -1, axis=m).ravel()
    for m in reflected:
        target[:, m, 1] = np.roll(number, 1, axis=m).ravel()
    translations = [(f"translate dimension {m}", target[:, m, 0]) for m in range(len(radix))]
    reflections = [(f"reflect dimension {m}", np.roll(np.flip(number, axis=m), 1, axis=m).ravel()) for m in reflected]
    name = family_name(name, "oneway" if oneway else "")
    return lattice("torus", radix, widths, target, name=name, maps=[*translations, *reflections], oneway=oneway)


TORUS = family(
    "torus:9x9", "k-ary n-cube, any radix per dimension; oneway: channels in the + direction only", torus, RADICES
)
RING = family("ring:7", "torus of one dimension; oneway: channels in the + direction only", ring, ("radix of ring",))


def hypercube(d: int, *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The d-cube, d >= 1: 2^d nodes, each joined to the d nodes whose number differs in one bit.

    It is the torus of d dimensions of radix 2: dimension m is bit d - 1 - m of the node's number, and channels are
    numbered by the node that they leave, then by dimension.  Declared symmetry: translations (flips of a bit) and
    swaps of dimensions with equal bandwidth.

    Raises InputError for d below 1 or a size beyond the limits in ``build``.
    """
    d = whole_number(d, what="dimension of hypercube", least=1)
    if d >= MAX_NODES.bit_length():
        check_size(f"hypercube:{d}", nodes=1 << min(d, 64), channels=min(d, 64) << min(d, 64))
    widths = axis_bandwidths(bandwidth, d, family=f"hypercube:{d}")
    check_size(
        f"hypercube:{d}", nodes=2**d, channels=d * 2**d, generators=d + len(swappable_dimensions((2,) * d, widths))
    )
    return named_after(torus(*(2,) * d, bandwidth=widths), f"hypercube:{d}", bandwidth=widths)


HYPERCUBE = family("hypercube:6", "binary cube of this many dimensions", hypercube, ("dimension of hypercube",))


def tofu(*radix: int, bandwidth: Bandwidth = 1) -> Network:
    """Tofu (K computer, Fugaku): the torus X x Y x Z x 2 x 3 x 2; ten links at every node where X, Y, Z are above 2.

    The dimensions a and c of two nodes are meshes, b of three a torus: in a dimension of radix 2 a mesh is one channel
    each way, as here.  Source: Ajima, Sumimoto & Shimizu 2009 (IEEE Computer), Tofu: a 6D mesh/torus interconnect.
    """
    sizes = check_radices(radix, family="tofu")
    if len(sizes) != 3:
        raise InputError(f"tofu has {len(sizes)} radices; three were expected, X x Y x Z, as in tofu:4x4x4")
    name = "tofu:" + "x".join(map(str, sizes))
    width = one_bandwidth(bandwidth, family=name)
    return named_after(torus(*sizes, 2, 3, 2, bandwidth=width), name, bandwidth=(width,))


def bluegene_q(*radix: int, bandwidth: Bandwidth = 1) -> Network:
    """Blue Gene/Q: the torus A x B x C x D x 2; a node board is 2x2x2x2, a midplane 4x4x4x4.

    Every node has two links in each dimension.  In a dimension of radix 2 both lead to the same node: one channel of
    twice the bandwidth.  Source: Chen et al. 2011 (SC), The IBM Blue Gene/Q interconnection network and message unit.
    """
    sizes = check_radices(radix, family="bluegene-q")
    if len(sizes) != 4:
        raise InputError(f"bluegene-q has {len(sizes)} radices; four were expected, as in bluegene-q:4x4x4x4")
    name = "bluegene-q:" + "x".join(map(str, sizes))
    width = one_bandwidth(bandwidth, family=name)
    widths: list[Bandwidth] = [Fraction(2 if k == 2 else 1) * width for k in (*sizes, 2)]
    return named_after(torus(*sizes, 2, bandwidth=widths), name, bandwidth=(width,))


TOFU = family("tofu:4x4x4", "the torus X x Y x Z x 2 x 3 x 2", tofu, RADICES)


BLUEGENE_Q = family(
    "bluegene-q:4x4x4x4", "the torus A x B x C x D x 2, twice the bandwidth where the radix is 2", bluegene_q, RADICES
)


def twisted_torus(*radix: int, bandwidth: Bandwidth = 1) -> Network:
    """The torus with radices k and 2k in which a way around a short dimension also shifts every long one by k.

    Two dimensions: k x 2k (the rectangular twisted torus); three: k x k x 2k (the face-centred cubic lattice graph) or
    k x 2k x 2k (the body-centred one), the radices in any order.  Nodes are numbered row-major; channels by the node
    that they leave, then by dimension, then + before -.

    Declared symmetry: a translation and a reflection per dimension, swaps of dimensions with equal radix.
    Raises InputError for other radices or a size beyond the limits in ``build``.
    Source: Camara et al. 2010 (TPDS), Twisted torus topologies for enhanced interconnection networks; Camarero,
    Martinez & Beivide 2015 (TPDS), Lattice graphs for high-scale interconnection topologies; Jouppi et al. 2023
    (ISCA), TPU v4.
    """
    sizes = check_radices(radix, family="twisted-torus")
    name = "twisted-torus:" + "x".join(map(str, sizes))
    k = min(sizes)
    if len(sizes) not in (2, 3) or set(sizes) != {k, 2 * k}:
        raise InputError(f"{name}: k x 2k, k x k x 2k or k x 2k x 2k in any order was expected, such as 4x8 or 4x4x8")
    dims, nodes = len(sizes), int(np.prod(sizes))
    check_size(name, nodes=nodes, channels=2 * dims * nodes, generators=3 * dims)
    width = one_bandwidth(bandwidth, family=name)
    long = np.array([size == 2 * k for size in sizes])
    at = np.stack(np.unravel_index(np.arange(nodes), sizes), axis=1)
    limit = np.array(sizes)

    def number(place: np.ndarray) -> np.ndarray:
        """The node at any integer coordinates: short dimensions are wrapped first, with their shifts."""
        place = place.copy()
        for m in np.nonzero(~long)[0]:
            rounds = place[:, m] // k
            place[:, m] -= rounds * k
            place[:, long] += k * rounds[:, None]
        return np.asarray(np.ravel_multi_index(tuple((place % limit).T), sizes))

    unit = np.eye(dims, dtype=np.int64)
    target = np.stack([number(at + sign * unit[m]) for m in range(dims) for sign in (1, -1)], axis=1)
    channels = np.stack([np.repeat(np.arange(nodes), 2 * dims), target.ravel()], axis=1)
    maps = [(f"translate dimension {m}", number(at + unit[m])) for m in range(dims)]
    maps += [(f"reflect dimension {m}", number(at * (1 - 2 * unit[m]))) for m in range(dims)]
    for m, n in combinations(range(dims), 2):
        if sizes[m] == sizes[n]:
            order = list(range(dims))
            order[m], order[n] = n, m
            maps.append((f"swap dimensions {m} and {n}", number(at[:, order])))
    labels = ["(" + ",".join(map(str, x)) + ")" for x in at.tolist()]
    return build_network(name, nodes, channels, widths=(width,), labels=labels, maps=maps)


TWISTED_TORUS = family(
    "twisted-torus:4x4x8",
    "k x 2k, k x k x 2k or k x 2k x 2k: the short ways around shift the long dimensions by k",
    twisted_torus,
    RADICES,
)
