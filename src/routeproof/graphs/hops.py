"""Distances in hops between all nodes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.network import Network
from ..machine.memory import check_table

Int16 = npt.NDArray[np.int16]


def hops_to_all(network: Network) -> Int16:
    """int16 (N, N): [d, v] is the distance from v to d, -1 where there is no path."""
    from .hops_kernels import reach_all

    size = network.num_nodes
    offset, channels = network.in_channels
    check_table(size, size, 2, f"distances on {network.name}")
    hops = np.full((size, size), -1, dtype=np.int16)
    not_counted = np.empty((size, 0), dtype=np.int64)
    reach_all.for_steps(size * network.num_channels)(offset, network.tail[channels], 0, hops, not_counted)
    return hops
