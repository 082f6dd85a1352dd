"""From an iterate of the first-order method to what can be judged: a routing by classes, and adversaries."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

import numpy as np
import numpy.typing as npt

from ...core.checks.supporting_line import AdversaryPair
from ...routing.classes.symmetric import ClassLoads
from ..adversary import Adversary
from ..program.orbits import PairClass, Reduction
from .method import FirstOrder

__all__ = ["adversary_of_multipliers", "classes_of_flows"]

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]
_UNIT = 1 << 32
_FINE = (1 << 30) - 1
_NOTHING = 1e-10


def classes_of_flows(reduction: Reduction, method: FirstOrder) -> list[ClassLoads]:
    """Unit flows near the iterate's, exactly conserved, without cycles, symmetric; all over one denominator."""
    from ..program.rounding_kernels import whole_flow

    network = reduction.network
    offset, leaving = network.out_channels
    found: dict[int, tuple[Int64, Int64, Int64]] = {}
    common = 1
    for k, flow in _by_pair(reduction, method, method.flows):
        pair = reduction.pairs[k]
        if network.reverse is not None:
            flow = np.maximum(flow - flow[network.reverse], 0.0)
        names, variable = np.unique(pair.channel, return_inverse=True)
        members = np.bincount(variable, minlength=len(names))
        mean = np.bincount(variable, weights=flow, minlength=len(names)) / members
        mean[mean < _NOTHING] = 0.0
        args = (offset, leaving, network.head, variable, members)
        whole = whole_flow(*args, mean, pair.source, pair.destination, _UNIT)
        if not whole.any():
            mean = np.zeros(len(names))
            mean[variable[_shortest(reduction, pair)]] = 1.0
            whole = whole_flow(*args, mean, pair.source, pair.destination, _UNIT)
        total = np.bincount(variable, weights=whole.astype(np.float64), minlength=len(names)).astype(np.int64)  # exact
        common = lcm(common, *np.unique(members[total > 0]).tolist())
        used = np.nonzero(total[variable])[0]
        found[k] = (used, total[variable[used]], members[variable[used]])
    result = []
    for k, pair in enumerate(reduction.pairs):
        used, total, members = found[k]
        load = (total * (common // members)).tolist()
        result.append(ClassLoads(pair.source, pair.destination, used.astype(np.int32), load, _UNIT * common))
    return result


def _shortest(reduction: Reduction, pair: PairClass) -> npt.NDArray[np.bool_]:
    """The channels on shortest paths to the destination."""
    network = reduction.network
    far = np.full(network.num_nodes, network.num_nodes, dtype=np.int64)
    far[pair.destination] = 0
    for _ in range(network.num_nodes):
        before = far.copy()
        np.minimum.at(far, network.tail, before[network.head] + 1)
        if np.array_equal(far, before):
            break
    return np.asarray(far[network.tail] == far[network.head] + 1)


def adversary_of_multipliers(reduction: Reduction, method: FirstOrder) -> Adversary:
    """The adversaries of the iterate's multipliers, rounded down to whole numbers."""
    top = max((float(method.multipliers(s).max(initial=0.0)) for s in range(len(method.layout.source))), default=0.0)
    top = max(top, method.hop)
    scale = _FINE / top if top > 0 else 0.0
    found: dict[int, AdversaryPair] = {}
    for k, y in _by_pair(reduction, method, method.multipliers):
        pair = reduction.pairs[k]
        found[k] = AdversaryPair(pair.source, pair.destination, np.floor(y * scale).astype(np.int64))
    return Adversary(reduction, [found[k] for k in range(len(reduction.pairs))], int(method.hop * scale))


def _by_pair(reduction: Reduction, method: FirstOrder, block: object) -> Iterator[tuple[int, Float64]]:
    """(number of the pair class, float64 (C,)): from blocks of sources, each made once."""
    assert callable(block)
    own, opposite = method.layout, reduction.network.reverse
    place = {int(v): k for k, v in enumerate(own.source.tolist())}
    column = {int(v): k for k, v in enumerate(own.destination.tolist())}
    wanted: dict[int, list[tuple[int, int, bool]]] = {}
    for k, pair in enumerate(reduction.pairs):
        s, d, turned = place[pair.source], column[pair.destination], False
        if own.half and s > d:
            s, d, turned = d, s, True
        wanted.setdefault(s, []).append((k, d - int(own.first[s]), turned))
    for s, pairs in wanted.items():
        values = block(s)
        for k, d, turned in pairs:
            yield k, values[opposite, d] if turned else values[:, d].copy()
