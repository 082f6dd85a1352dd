"""A bound on every routing's worst case, from distances alone.

For channel lengths l >= 0, a packet from i to j uses up at least dist_l(i, j); so under a permutation the throughput of
*any* routing, oblivious or not, is at most sum(l b) / sum(dist_l(i, image[i])).  The permutation that makes this
smallest is a maximum-weight matching.

Source: with lengths 1, TUB of Namyar, Supittayapornpong, Zhang, Yu & Govindan 2021 (SIGCOMM), A throughput-centric view
of the performance of datacenter topologies; with lengths on a cut, the bisection bound.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.network import Network
from ...core.permutation import Permutation

__all__ = ["permutation_bound"]

_MOST_NODES = 4096


def permutation_bound(network: Network, lengths: npt.NDArray[np.int64]) -> tuple[Fraction, Permutation] | None:
    """The bound that ``lengths`` (int64 (C,), not negative, not too large) give, and the permutation that gives it.

    None where they bound nothing, or the network is beyond 4,096 nodes or not connected.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    size = network.num_nodes
    if size > _MOST_NODES or not len(lengths) or int(lengths.max()) * size >= 1 << 50:
        return None
    # Of parallel channels the shortest; an edge of length 0 is kept apart from no edge by a scale and a unit.
    scale = size + 1
    key = network.tail.astype(np.int64) * size + network.head
    order = np.lexsort((lengths, key))
    first = order[np.nonzero(np.diff(key[order], prepend=-1))[0]]
    graph = csr_array(
        ((lengths[first] * scale + 1).astype(np.float64), (network.tail[first], network.head[first])),
        shape=(size, size),
    )
    nodes = np.unique(network.source)
    away = dijkstra(graph, indices=nodes)
    if not np.isfinite(away[:, network.sink]).all():
        return None
    between = (away[np.searchsorted(nodes, network.source)][:, network.sink] // scale).astype(np.int64)
    image = linear_sum_assignment(between, maximize=True)[1]
    total = int(between[np.arange(len(image)), image].sum())
    if not total:
        return None
    supply = sum((int(x) * b for x, b in zip(lengths.tolist(), network.bandwidth, strict=True)), Fraction(0))
    return supply / total, Permutation(image)
