"""A bound on all oblivious routings from one potential per node with terminals: no shortest paths, no list of demands.

Let g_u be any numbers on the nodes, one for every node u with terminals; s_u terminals send and receive at u, T in all.
For a channel c from v to w write D_c g = g(w) - g(v), and S_c = sum_u s_u D_c g_u.  Every oblivious routing whose
worst-case load per bandwidth over all permutations is x satisfies

    x * sum_c b_c y_c  >=  2 sum_u s_u sum_v s_v (g_u(v) - g_u(u)),
    y_c = max(T max_u D_c g_u - S_c,  S_c - T min_u D_c g_u).

Proof.  The adversary of channel c sends Y_c(i, j) = max(0, D_c g_i - D_c g_j) from terminal i to terminal j.  What i
sends is sum_j max(0, D_c g_i - D_c g_j), which grows with D_c g_i and so is at most T max_u D_c g_u - S_c; what j
receives is at most S_c - T min_u D_c g_u.  So Y_c is y_c times a mixture of permutations: its gauge is at most y_c.
Under the lengths Y_c(i, j) every path from i to j is at least as long as the sum of D_c g_i - D_c g_j over its
channels, g_i(j) - g_i(i) + g_j(i) - g_j(j); summed over all i and j this is the right side.  The rest is the theorem of
``theorem``, with hops = 0.

On networks in which every channel has one in the other direction with the same bandwidth, the best such bound is the
load of the best oblivious routing (``optimum.half_flows``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from ..core.network import Network
from .theorem import SupportingLine

_BLOCK = 1 << 20  # differences at once


def line_of_potentials(network: Network, potential: npt.NDArray[Any]) -> SupportingLine:
    """What the potentials prove: int64 or Python's integers, (K, N), a row for each node with terminals, in order.

    Raises VerificationError where a node sends for other numbers of terminals than it receives for, or the shape is
    another one.
    """
    if not np.array_equal(network.supply, network.demand):
        raise VerificationError("potentials are for networks whose nodes send and receive for equally many terminals")
    nodes = np.flatnonzero(network.supply)
    if potential.shape != (len(nodes), network.num_nodes):
        raise VerificationError(
            f"its potentials have shape {potential.shape}; {(len(nodes), network.num_nodes)} were expected"
        )
    supply, terminals = network.supply[nodes].astype(np.int64), network.num_terminals
    top = int(max(abs(int(potential.min(initial=0))), abs(int(potential.max(initial=0)))))
    if top * 8 * max(terminals, 1) ** 2 >= 1 << 62:
        potential, supply = potential.astype(object), supply.astype(object)
    load, of_node, summed = Fraction(0), np.ascontiguousarray(potential.T), supply @ potential
    size = max(1, _BLOCK // max(1, len(nodes)))
    for first in range(0, network.num_channels, size):
        some = slice(first, first + size)
        along = of_node[network.head[some]] - of_node[network.tail[some]]
        total = summed[network.head[some]] - summed[network.tail[some]]
        each = np.maximum(terminals * along.max(axis=1) - total, total - terminals * along.min(axis=1))
        for rank, width in enumerate(network.widths):
            load += width * int(each[network.bandwidth_rank[some] == rank].astype(object).sum())
    own = potential[np.arange(len(nodes)), nodes]
    far = potential[:, nodes] @ supply - terminals * own
    return SupportingLine(Fraction(0), load, Fraction(2 * int((supply * far).astype(object).sum())))
