"""Twisted tori k x 2k, k x k x 2k and k x 2k x 2k, as in TPU pods."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_radices, check_size, one_bandwidth
from ..family import RADICES, family


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
