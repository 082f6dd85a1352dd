"""What no routing can beat under uniform traffic: lengths of channels, judged by shortest paths.

With whole lengths y_c >= 0, and ``hops`` added to each, a routing pays for all pairs of terminals together at least
their shortest distances.  Under uniform traffic (each of T terminals sends 1 / T to every terminal) channel c carries
at most bandwidth(c) * W, where W is the largest load per bandwidth; so with the average path length H

    hops * T^2 * H + T * (sum_c y_c bandwidth(c)) * W  >=  sum over pairs of terminals of the distance under y + hops.

Source: the dual of (6) of Towles, Dally & Boyd 2003 (SPAA), with a bound on the path length.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..errors import VerificationError
from ..network import Network
from .adversary import Distance
from .shortest_paths import distances
from .supporting_line import SupportingLine

__all__ = ["length_line"]


def length_line(
    network: Network, length: npt.NDArray[np.int64], *, hops: int, distance: Distance | None = None
) -> SupportingLine:
    """The line that the lengths (int64, shape (C,)) prove; ``distance`` as in ``adversary.supporting_line``.

    Raises VerificationError for lengths that make no sense.
    """
    if len(length) != network.num_channels or int(length.min(initial=0)) < 0 or hops < 0:
        raise VerificationError("one whole length >= 0 was expected for each channel, and for a hop")
    each = [int(x) + hops for x in length.tolist()]
    tree = distances(network, each) if distance is None else None
    total = 0
    senders, receivers = np.nonzero(network.supply)[0].tolist(), np.nonzero(network.demand)[0].tolist()
    for i in senders:
        far = None if tree is None else tree(i)
        for j in receivers:
            if i != j:
                one = far[j] if far is not None else distance(i, j, each) if distance is not None else 0
                if one is None:
                    raise VerificationError(f"no path leads from node {i} to node {j}")
                total += one * int(network.supply[i]) * int(network.demand[j])
    terminals = network.num_terminals
    load = sum((int(y) * b for y, b in zip(length.tolist(), network.bandwidth, strict=True) if y), Fraction(0))
    return SupportingLine(Fraction(hops * terminals**2), terminals * load, Fraction(total))
