"""From flows and multipliers in floating point to what can be judged: loads by class, and adversaries."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.graph import hops_from
from ...kernel.port_gauge import AdversaryPair
from ...routing.classes.path_classes import ClassLoads
from ...symmetry.pair_classes import Reduction
from ..adversary import Adversary
from .potentials import Potentials

_UNIT = 1 << 32
_NOTHING = 1e-10


def rounded_flows(reduction: Reduction, flows: Iterable[tuple[int, Int64, Float64]]) -> list[ClassLoads]:
    """Unit flows near the given ones, exactly conserved, without cycles, symmetric; all over one denominator.

    ``flows``, in any order: the number of a pair class, the variable of every channel (-1: none may flow), and what
    flows by variable.
    """
    from .rounding_kernels import whole_flow

    network = reduction.network
    offset, leaving = network.out_channels
    found: dict[int, tuple[Int64, Int64, Int64]] = {}
    common = 1
    for k, variable, flow in flows:
        pair, live = reduction.pairs[k], variable >= 0
        members = np.bincount(variable[live], minlength=len(flow))
        args = (offset, leaving, network.head, variable, members)
        whole = whole_flow(*args, np.where(flow < _NOTHING, 0.0, flow), pair.source, pair.destination, _UNIT)
        if not whole.any():
            far = hops_from(network.num_nodes, network.head, network.tail, pair.destination)
            shortest = (far[network.head] >= 0) & (far[network.tail] == far[network.head] + 1)
            flow = np.zeros(len(flow))
            flow[variable[shortest & live]] = 1.0
            whole = whole_flow(*args, flow, pair.source, pair.destination, _UNIT)
        total = np.zeros(len(flow), dtype=np.int64)
        np.add.at(total, variable[live], whole[live])
        common = lcm(common, *np.unique(members[total > 0]).tolist())
        used = np.nonzero(live & (total[variable] > 0))[0]
        found[k] = (used, total[variable[used]], members[variable[used]])
    result = []
    for k, pair in enumerate(reduction.pairs):
        used, total, members = found[k]
        load = (total * (common // members)).tolist()
        result.append(ClassLoads(pair.source, pair.destination, used.astype(np.int32), load, _UNIT * common))
    return result


def rounded_adversary(
    reduction: Reduction, multipliers: Iterable[tuple[int, Float64]], scale: float, hops: float
) -> Adversary:
    """The adversaries of multipliers (by channel, with the number of their ``ends``), times ``scale`` and rounded down
    to whole numbers; ``hops``: what a hop of a pair of terminals costs in the objective (0: nothing)."""
    found = {k: np.floor(y * scale).astype(np.int64) for k, y in multipliers}
    ends = Potentials(reduction).ends()
    pairs = [AdversaryPair(x.source, x.destination, found[k]) for k, x in enumerate(ends)]
    return Adversary(reduction, pairs, int(hops * scale))
