"""From an iterate of the interior-point method to what can be judged: a routing by classes, and adversaries."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...routing.classes.symmetric import ClassLoads
from ..adversary import Adversary
from ..program.rounding import rounded_adversary, rounded_flows
from .blocks import Blocks

if TYPE_CHECKING:
    from .method import Iterate

__all__ = ["adversary_of", "classes_of", "length_of"]

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]
_FINE = 1 << 36


def classes_of(blocks: Blocks, x: Float64) -> list[ClassLoads]:
    """Unit flows near ``x``, as ``rounded_flows``."""

    def flows() -> Iterator[tuple[int, Int64, Float64]]:
        for k in range(len(blocks.reduction.pairs)):
            variable = blocks.variable[k].astype(np.int64)
            yield k, variable, _netted(blocks, variable, np.maximum(x[blocks.of(k)], 0.0))

    return rounded_flows(blocks.reduction, flows())


def _netted(blocks: Blocks, variable: Int64, flow: Float64) -> Float64:
    """What flows both ways between two nodes takes itself away."""
    opposite = blocks.reduction.network.reverse
    if opposite is None or not blocks.reduction.reversal:
        return flow
    sample = np.zeros(len(flow), dtype=np.int64)
    here = np.nonzero(variable >= 0)[0]
    sample[variable[here]] = here
    back = variable[opposite[sample]]
    against = np.where(back >= 0, flow[back], 0.0)
    return np.asarray(flow - np.minimum(flow, against))


def length_of(blocks: Blocks, classes: list[ClassLoads]) -> Fraction:
    """The average path length of a routing by classes: hops over all pairs of terminals."""
    pairs = zip(blocks.reduction.pairs, classes, strict=True)
    total = sum((Fraction(sum(one.load) * pair.weight, one.den) for pair, one in pairs), Fraction(0))
    return total / blocks.reduction.network.num_terminals**2


def adversary_of(blocks: Blocks, iterate: Iterate, *, hops: float) -> Adversary:
    """The adversaries of the iterate's multipliers; ``hops`` as in ``rounded_adversary``."""
    each = _admissible(blocks, iterate) / blocks.members
    top = max(hops, float(each.max(initial=0.0)))
    parts = ((k, each[blocks.of(k)]) for k in range(len(blocks.reduction.pairs)))
    by_channel = ((k, np.where(blocks.variable[k] >= 0, part[blocks.variable[k]], 0.0)) for k, part in parts)
    return rounded_adversary(blocks.reduction, by_channel, _FINE / top if top > 0 else 0.0, hops)


def _admissible(blocks: Blocks, iterate: Iterate) -> Float64:
    """The multipliers, each as much smaller as the fuller of its two potentials is over what it may hold."""
    y = np.maximum(iterate.y, 0.0)
    fits = np.minimum(1.0, iterate.most / np.maximum(blocks.under(y), 1e-300))
    return np.asarray(y * np.minimum(fits[blocks.row_potential], fits[blocks.column_potential]))
