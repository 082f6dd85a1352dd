"""From an iterate of the first-order method to what can be judged: a routing by classes, and adversaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from ...routing.classes.symmetric import ClassLoads
from ..adversary import Adversary
from ..program.orbits import Reduction
from ..program.rounding import rounded_adversary, rounded_flows
from .method import FirstOrder

__all__ = ["adversary_of_multipliers", "classes_of_flows"]

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]
_FINE = (1 << 30) - 1


def classes_of_flows(reduction: Reduction, method: FirstOrder) -> list[ClassLoads]:
    """Unit flows near the iterate's, as ``rounded_flows``."""
    opposite = reduction.network.reverse

    def flows() -> Iterator[tuple[int, Int64, Float64]]:
        for k, flow in _by_pair(reduction, method, method.flows):
            _, variable = np.unique(reduction.pairs[k].channel, return_inverse=True)
            net = flow if opposite is None else np.maximum(flow - flow[opposite], 0.0)
            yield k, variable, np.bincount(variable, weights=net) / np.bincount(variable)

    return rounded_flows(reduction, flows())


def adversary_of_multipliers(reduction: Reduction, method: FirstOrder) -> Adversary:
    """The adversaries of the iterate's multipliers."""
    top = max((float(method.multipliers(s).max(initial=0.0)) for s in range(len(method.layout.source))), default=0.0)
    top = max(top, method.hop)
    parts = _by_pair(reduction, method, method.multipliers)
    return rounded_adversary(reduction, parts, _FINE / top if top > 0 else 0.0, method.hop)


def _by_pair(
    reduction: Reduction, method: FirstOrder, block: Callable[[int], Float64]
) -> Iterator[tuple[int, Float64]]:
    """(number of the pair class, float64 (C,)): from blocks of sources, each made once."""
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
