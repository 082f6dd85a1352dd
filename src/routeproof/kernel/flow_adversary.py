"""What no routing can beat over everything that some flow could carry: a mixture of adversaries that are flows.

For each channel c the adversary gives whole flows g(i, e) >= 0 from every node i over all channels e.  What stays at a
node j != i is the demand Y_c(i, j), and it must not be negative.  With phi_c the largest of sum_i g(i, e) /
bandwidth(e), the demand Y_c / phi_c is routable, so a routing whose oblivious ratio is w has

    sum_ij Y_c(i, j) * flow of c from i to j  <=  phi_c * bandwidth(c) * w.

Summed over all channels, the left side is what the pairs' flows cost under the lengths Y_c(i, j), at least the shortest
distances; ``hops`` added to every length brings the average path length in, as in ``adversary``.

Symmetry shortens the list of adversaries and nothing else: that of channel c serves every channel to which
automorphisms and reversal of paths take c, moved there by any one of them, since the image of a routable demand is
routable.

Source: the dual of the program of Applegate & Cohen 2003 (SIGCOMM), theorem 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.symmetry import Automorphism, check_automorphism
from .shortest_paths import weighted_distances
from .supporting_line import AdversaryPair, Distance, SupportingLine

_MOST = 1 << 62


def flow_line(
    network: Network,
    flows: Mapping[int, npt.NDArray[Any]],
    *,
    hops: int,
    generators: Sequence[Automorphism] = (),
    reversal: bool = False,
    distance: Distance | None = None,
) -> SupportingLine:
    """The line that the adversaries prove, by exact shortest paths; nothing is believed but their whole numbers.

    ``flows``: by channel, (N, C), int64 or Python's integers; channels that neither have one nor are the image of one
    that has are left in peace; ``distance`` as for ``adversary.supporting_line`` (the adversaries' own flows may take
    all paths).  Raises VerificationError for malformed flows, and InputError for symmetry that does not
    hold.
    """
    for g in generators:
        check_automorphism(network, g)
    opposite = network.reverse
    if reversal and (opposite is None or not np.array_equal(network.supply, network.demand)):
        raise VerificationError("reversal of paths was used, but network or traffic has no such symmetry")
    if hops < 0:
        raise VerificationError("the adversary's weight of hops is negative")
    load, owner = Fraction(0), np.full(network.num_channels, -1, dtype=np.int64)
    images = _Images(network, generators, opposite if reversal else None)
    demand = []
    for k, (c, flow) in enumerate(flows.items()):
        sent, phi = carried(network, c, flow)
        moved = images.add(c)
        if (owner[moved] >= 0).any():
            raise VerificationError(
                f"the adversary of channel {c} is that of a channel which symmetry takes it to, too"
            )
        owner[moved] = k
        demand.append(sent)
        load += phi * sum((network.bandwidth[x] for x in moved), Fraction(0))
    total = 0
    for i in np.flatnonzero(network.supply).tolist():
        others = [j for j in np.flatnonzero(network.demand).tolist() if j != i]
        length = images.lengths(i, others, demand, owner)
        pairs = [AdversaryPair(i, j, one) for j, one in zip(others, length, strict=True)]
        if distance is None:
            total += weighted_distances(network, pairs, [1] * len(pairs), hops=hops)
            continue
        for pair in pairs:
            each = hops * int(network.supply[i]) * int(network.demand[pair.destination])
            total += distance(i, pair.destination, [each + int(x) for x in pair.traffic.tolist()])
    return SupportingLine(Fraction(hops * network.num_terminals**2), load, Fraction(total))


def carried(network: Network, channel: int, flow: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Fraction]:
    """(Y, (N, N): what the flow carries from node to node; phi: the largest share of a bandwidth that it takes)."""
    nodes, count = network.num_nodes, network.num_channels
    if flow.shape != (nodes, count) or (flow.size and int(flow.min()) < 0):
        raise VerificationError(f"the adversary of channel {channel} needs one number >= 0 for each node and channel")
    if int(flow.max(initial=0)) * nodes * count >= _MOST:
        flow = flow.astype(object)
    sent = np.zeros((nodes, nodes), dtype=flow.dtype)
    for ends, sign in ((network.head, 1), (network.tail, -1)):
        np.add.at(sent.T, ends, sign * flow.T)
    np.fill_diagonal(sent, 0)
    if sent.size and int(sent.min()) < 0:
        i, j = (int(x) for x in np.argwhere(sent < 0)[0])
        raise VerificationError(
            f"the flow from node {i} against channel {channel} takes more away from node {j} than arrives there"
        )
    for what, idle in (("sends from", network.supply == 0), ("delivers to", (network.demand == 0))):
        at = np.flatnonzero(idle & (sent.sum(axis=1 if what == "sends from" else 0) > 0))
        if len(at):
            raise VerificationError(
                f"the adversary of channel {channel} {what} node {at[0]}, which has no terminal for it"
            )
    used = flow.sum(axis=0).tolist()
    return sent, max((Fraction(x) / b for x, b in zip(used, network.bandwidth, strict=True) if x), default=Fraction(0))


class _Images:
    """Which symmetry takes a channel to each of its images, and what it does to nodes."""

    def __init__(self, network: Network, generators: Sequence[Automorphism], opposite: npt.NDArray[Any] | None) -> None:
        nodes, count = network.num_nodes, network.num_channels
        self._moves = [(g.channel, g.node, False) for g in generators]
        if opposite is not None:
            self._moves.append((opposite, np.arange(nodes, dtype=np.int32), True))
        self._from = np.zeros((count, nodes), dtype=np.int32)  # the node that is taken to each
        self._turned = np.zeros(count, dtype=np.bool_)
        self._nodes = nodes

    def add(self, channel: int) -> list[int]:
        """All images of the channel, itself the first."""
        found, seen = [channel], {channel}
        self._from[channel], self._turned[channel] = np.arange(self._nodes), False
        for c in found:
            for move, node, turned in self._moves:
                d = int(move[c])
                if d not in seen:
                    seen.add(d)
                    found.append(d)
                    self._from[d, node] = self._from[c]
                    self._turned[d] = self._turned[c] != turned
        return found

    def lengths(
        self, source: int, others: Sequence[int], demand: Sequence[npt.NDArray[Any]], owner: Int64
    ) -> npt.NDArray[Any]:
        """(len(others), C): what the adversary of every channel sends from the node to each of the others."""
        kind = object if any(x.dtype == object for x in demand) else np.int64
        found = np.zeros((len(others), len(owner)), dtype=kind)
        for c in np.flatnonzero(owner >= 0).tolist():
            i, j = self._from[c, source], self._from[c, others]
            sent = demand[owner[c]]
            found[:, c] = sent[j, i] if self._turned[c] else sent[i, j]
        return found
