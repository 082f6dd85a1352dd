"""A demand of one pair that saturates a cut: over everything that some flow carries, ideal adaptive routing needs 1."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...kernel.gauges import proved_load
from .certified import HardDemand
from .flows import best_flow


def saturating_demand(network: Network) -> HardDemand:
    """As much as one terminal can send to another, with the flow that carries it and the cut that it fills.

    Raises InputError where all terminals share one node.
    """
    apart = np.argwhere(network.source[:, None] != network.sink[None, :])
    if not len(apart):
        raise InputError(f"nothing is ever sent between two nodes of {network.name}")
    i, j = apart[0].tolist()
    found = best_flow(network, ((int(network.source[i]), int(network.sink[j]), Fraction(1)),))
    most = 1 / found.load
    demand = {(i, j): most}
    flow = [(i, j, x * most, path) for _, _, x, path in found.paths]
    return HardDemand(demand, found.length, proved_load(network, demand, found.length), flow)
