"""From a solution in floating point to exact shares, and from these to a routing of weighted paths; whole lengths as
the lower side of a design over matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.paths import Paths
from ...core.rational import as_int_array
from ...demand_sets.demand_set import GivenDemands
from ...demand_sets.hull import Hull
from ...formats.documents.packed_ints import pack_ints
from ...kernel.shortest_paths import Lengths
from ...lp.rounding import without_common_factor
from ...routing.path_sets.path_set import PathSet
from ...routing.tables.path_table import TableRouting
from ..result import Bound
from .kernels import shortest
from .master import Master

NAME = "designed"
_FINE = 1 << 30
_MOST_BITS = 126  # evidence packs integers of 128 bits


class BestFlow(TableRouting):
    """A routing that was made for matrices: reports hold its paths."""

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # they are what was designed
        return super().written_in_full(paths=True)


def shares_of(master: Master) -> dict[int, Fraction]:
    """By path that came in, the part of its pair that takes it: near the solution, and never more than all."""
    pair, _, _ = master.pool()
    whole = np.floor(np.minimum(master.amount / master.problem.largest[pair], 1.0) * _FINE).astype(np.int64)
    left = np.full(master.problem.num_pairs, _FINE, dtype=np.int64)
    share: dict[int, Fraction] = {}
    for q in np.flatnonzero(whole).tolist():
        part = min(int(whole[q]), int(left[pair[q]]))
        if part:
            left[pair[q]] -= part
            share[q] = Fraction(part, _FINE)
    return share


def shortened(lengths: Sequence[Any]) -> list[Any]:
    """The same lengths without common divisors; rounded down where they do not fit evidence."""
    whole = without_common_factor(np.concatenate(lengths)).reshape(len(lengths), -1)
    drop = max(0, int(whole.max()).bit_length() - _MOST_BITS)
    return [as_int_array((row >> drop).tolist()) for row in whole]


def routing_of(master: Master, share: Mapping[int, Fraction]) -> BestFlow:
    """The paths with these shares; what is left of a pair takes its base path.  Pairs that no matrix asks for take a
    shortest path each."""
    problem = master.problem
    network = problem.network
    pair, offset, channel = master.pool()
    left = [Fraction(1)] * problem.num_pairs
    taken: dict[tuple[int, int], list[tuple[Fraction, list[int]]]] = {}
    ends = list(zip(*problem.pair.tolist(), strict=True))
    for q, part in share.items():
        p = int(pair[q])
        left[p] -= part
        taken.setdefault(ends[p], []).append((part, channel[offset[q] : offset[q + 1]].tolist()))
    for p, (rest, at) in enumerate(zip(left, ends, strict=True)):
        if rest:
            path = master.channel[master.offset[p] : master.offset[p + 1]].tolist()
            taken.setdefault(at, []).insert(0, (rest, path))
    taken.update(_other_pairs(network, taken))
    items = [
        (i, j, weight, path)
        for i, a in enumerate(network.source.tolist())
        for j, b in enumerate(network.sink.tolist())
        if a != b
        for weight, path in taken[a, b]
    ]
    return BestFlow(network, NAME, Paths.of(items))


def _other_pairs(
    network: Network, known: Mapping[tuple[int, int], Any]
) -> dict[tuple[int, int], list[tuple[Fraction, list[int]]]]:
    """One shortest path for every pair of nodes with terminals that is not ``known``."""
    senders, receivers = np.flatnonzero(network.supply).tolist(), np.flatnonzero(network.demand).tolist()
    todo = [(i, j) for i in senders for j in receivers if i != j and (i, j) not in known]
    if not todo:
        return {}
    pairs = np.array(todo, dtype=np.int64).T.copy()
    count, many = network.num_channels, len(todo)
    offset, order = network.out_channels
    ones, each = np.ones((1, count)), np.ones((1, many))
    dist, cost, hops = np.empty(many), np.empty(many), np.empty(many, dtype=np.int64)
    room = np.empty(many * (network.num_nodes - 1), dtype=np.int32)
    run = shortest.for_steps(20 * len(senders) * count)
    run(
        offset, order, np.array([network.tail, network.head], dtype=np.int64), pairs, each, each[0], ones, ones,
        np.ones(many, dtype=np.bool_), dist, cost, hops, np.zeros((1, count)), room,
    )  # fmt: skip
    if not np.isfinite(dist).all():
        i, j = todo[int(np.argmax(~np.isfinite(dist)))]
        raise InputError(
            f"no path leads from {network.label(i)} to {network.label(j)} on {network.name}: no routing serves all "
            f"pairs"
        )
    ends = np.cumsum(hops)
    return {
        at: [(Fraction(1), room[end - hop : end].tolist())]
        for at, end, hop in zip(todo, ends.tolist(), hops.tolist(), strict=True)
    }


class MatrixBound(Bound):
    """``lengths``: whole numbers (C,) for every matrix; ``hops``: what a hop costs beside them."""

    def __init__(
        self,
        network: Network,
        demands: Hull,
        lengths: Sequence[Lengths],
        *,
        hops: int = 0,
        paths: PathSet | None = None,
    ) -> None:
        self.lengths = list(lengths)
        together = max(int(network.supply.max()), int(network.demand.max())) > 1
        self.terminals_alike = together and len(demands.matrices) > 1
        self.prove(network, demands.gauge(network, GivenDemands(self.lengths)), hops, paths)

    def data(self) -> dict[str, Any]:
        """{"hops", "lengths": one packed list for every matrix, in the order of the set}."""
        return {**self.meant(), "lengths": [pack_ints(x, wide=True) for x in self.lengths]}
