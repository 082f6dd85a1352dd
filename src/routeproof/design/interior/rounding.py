"""From an iterate of the interior-point method to what can be judged: a routing by classes, and adversaries."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.checks.supporting_line import AdversaryPair
from ...routing.classes.symmetric import ClassLoads
from ..adversary import Adversary
from .blocks import Blocks

if TYPE_CHECKING:
    from .method import Iterate

__all__ = ["adversary_of", "classes_of", "length_of"]

Float64 = npt.NDArray[np.float64]
_UNIT = 1 << 32
_FINE = 1 << 36
_NOTHING = 1e-10


def classes_of(blocks: Blocks, x: Float64) -> list[ClassLoads]:
    """Unit flows near ``x``, exactly conserved, without cycles, symmetric; all over one denominator."""
    from ..program.rounding_kernels import whole_flow

    reduction = blocks.reduction
    network = reduction.network
    offset, leaving = network.out_channels
    found: list[tuple[Any, Any]] = []
    common = 1
    for k, pair in enumerate(reduction.pairs):
        variable = blocks.variable[k].astype(np.int64)
        flow = np.maximum(x[blocks.first[k] : blocks.first[k + 1]], 0.0)
        members = np.bincount(variable[variable >= 0], minlength=len(flow)).astype(np.int64)
        flow = _netted(blocks, variable, flow)
        flow[flow < _NOTHING] = 0.0
        args = (offset, leaving, network.head, variable, members)
        whole = whole_flow(*args, flow, pair.source, pair.destination, _UNIT)
        if not whole.any():
            shortest = _shortest(blocks, pair.destination)
            flow = np.zeros(len(flow))
            flow[variable[shortest & (variable >= 0)]] = 1.0
            whole = whole_flow(*args, flow, pair.source, pair.destination, _UNIT)
        total = np.zeros(len(flow), dtype=np.int64)
        np.add.at(total, variable[variable >= 0], whole[variable >= 0])
        common = lcm(common, *np.unique(members[total > 0]).tolist())
        found.append((total, members))
    result = []
    for k, (pair, (total, members)) in enumerate(zip(reduction.pairs, found, strict=True)):
        variable = blocks.variable[k]
        each = total * (common // np.maximum(members, 1))
        load = np.where(variable >= 0, each[variable], 0)
        used = np.nonzero(load)[0].astype(np.int32)
        result.append(ClassLoads(pair.source, pair.destination, used, load[used].tolist(), _UNIT * common))
    return result


def _netted(blocks: Blocks, variable: npt.NDArray[np.int64], flow: Float64) -> Float64:
    """What flows both ways between two nodes takes itself away."""
    opposite = blocks.reduction.network.reverse
    if opposite is None or not blocks.reduction.reversal:
        return flow.copy()
    sample = np.zeros(len(flow), dtype=np.int64)
    here = np.nonzero(variable >= 0)[0]
    sample[variable[here]] = here
    back = variable[opposite[sample]]
    against = np.where(back >= 0, flow[back], 0.0)
    return np.asarray(flow - np.minimum(flow, against))


def _shortest(blocks: Blocks, destination: int) -> npt.NDArray[np.bool_]:
    """The channels on shortest paths to the destination."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    network = blocks.reduction.network
    ones = np.ones(network.num_channels, dtype=np.int8)
    graph = csr_matrix((ones, (network.head, network.tail)), shape=(network.num_nodes, network.num_nodes))
    order, before = breadth_first_order(graph, destination)
    far = np.zeros(network.num_nodes, dtype=np.int64)
    for v in order[1:].tolist():
        far[v] = far[before[v]] + 1
    return np.asarray(far[network.tail] == far[network.head] + 1)


def length_of(blocks: Blocks, classes: list[ClassLoads]) -> Fraction:
    """The average path length of a routing by classes: hops over all pairs of terminals."""
    total = sum(
        (
            Fraction(sum(one.load) * pair.weight, one.den)
            for pair, one in zip(blocks.reduction.pairs, classes, strict=True)
        ),
        Fraction(0),
    )
    return total / blocks.reduction.network.num_terminals**2


def adversary_of(blocks: Blocks, iterate: Iterate, *, hops: float) -> Adversary:
    """The adversaries of the iterate's multipliers, rounded down to whole numbers; ``hops``: what a hop of a pair of
    terminals costs in the objective (0: only the worst case matters)."""
    reduction = blocks.reduction
    each = _admissible(blocks, iterate) / blocks.members
    top = max(hops, float(each.max(initial=0.0)))
    scale = _FINE / top if top > 0 else 0.0
    pairs = []
    for k, pair in enumerate(reduction.pairs):
        part = np.floor(each[blocks.first[k] : blocks.first[k + 1]] * scale).astype(np.int64)
        variable = blocks.variable[k]
        traffic = np.where(variable >= 0, part[variable], 0).astype(np.int64)
        pairs.append(AdversaryPair(pair.source, pair.destination, traffic))
    return Adversary(reduction, pairs, int(hops * scale))


def _admissible(blocks: Blocks, iterate: Iterate) -> Float64:
    """The multipliers, each as much smaller as the fuller of its two potentials is over what it may hold."""
    y = np.maximum(iterate.y, 0.0)
    row, column, count = blocks.row_potential, blocks.column_potential, blocks.num_potentials + 1
    total = np.bincount(row, weights=y, minlength=count) + np.bincount(column, weights=y, minlength=count)
    fits = np.minimum(1.0, iterate.most / np.maximum(total, 1e-300))
    return np.asarray(y * np.minimum(fits[row], fits[column]))
