"""Bounds on all routings that take no program: one demand, and lengths of channels under which its packets go far.

No routing carries the demand D with a load below sum D(i, j) dist_l(i, j) / sum b_c l_c, though it knew D beforehand
(``kernel.theorem`` with Y_c = l_c D).  With equal lengths it is the bound of Namyar et al. 2021 (SIGCOMM), with lengths
of 1 across a cut the bound of the cut; ``adaptive.search`` begins with the same lengths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import Rationals, as_int_array
from ..demand_sets.demand_set import Demand, DemandSet, GivenDemands, PairDemand, Weights
from ..demand_sets.permutations import permutations
from ..demand_sets.ports import ports_over
from ..formats.documents.packed_ints import pack_ints
from ..graphs.shortest import Joined
from ..graphs.transport import heaviest_assignment
from ..machine.memory import check_memory
from ..symmetry.automorphisms import ClassSymmetry
from .design import Bound
from .matrix_flow.rounding import MatrixBound
from .routable.solution import FlowAdversary

_UNMOVED = ClassSymmetry([], False)
_MOST_NUMBERS = 250_000_000  # pairs of the demand by channels: few of them differ
_PAIR_BYTES = 32
_SPECTRAL_NODES = 1_000
_FINE, _LONGEST = 1 << 10, 1 << 24  # how finely lengths are rounded, and the longest one
_LEAST = 1e-9  # no channel is shorter while distances are looked for; they are whole numbers


def simple_bounds(network: Network, demands: DemandSet | None) -> Iterator[Bound]:
    """Bounds on the load of every routing over the set (None: permutations), the soonest first.

    Raises InputError where the set has no demand between different nodes."""
    own = permutations(network.num_terminals) if demands is None else demands
    if own.gauged_by == "flows":
        found = _around_a_node(network)
        yield from () if found is None else (found,)
    elif own.gauged_by:
        for length in plain_lengths(network):
            yield _bound(network, own, length)


def _bound(network: Network, demands: DemandSet, length: Int64) -> Bound:
    """What these lengths prove, by the demand of the set that makes the most of them."""
    terminals = 0 if demands.is_permutations else network.num_terminals
    check_memory(_PAIR_BYTES * (network.num_nodes + terminals) ** 2, f"distances on {network.name}")
    far = np.rint(Joined(network).distances(length.astype(np.float64) + _LEAST)).astype(np.int64)
    hardest = _hardest(network, demands, far)
    if demands.gauged_by == "lengths":
        listed = list((demands.listed or {}).values())
        none = np.zeros(network.num_channels, dtype=np.int64)
        return MatrixBound(network, demands, [length if x is hardest else none for x in listed])  # type: ignore[arg-type]
    return OneDemand(network, demands, hardest, length)


def _hardest(network: Network, demands: DemandSet, far: Int64) -> Demand:
    """``far``: int64 (N, N), between nodes."""
    if demands.is_permutations:
        return dict.fromkeys(_farthest(network, far), Fraction(1))
    worth = far[np.ix_(network.source, network.sink)]
    source, destination = np.nonzero(worth)
    weight = worth[source, destination]
    return demands.maximise(Weights(source, destination, Rationals(weight, np.ones_like(weight)))).demand


def _farthest(network: Network, far: Int64) -> Iterator[tuple[int, int]]:
    """The permutation whose terminals are farthest from one another: by bundles of as many as divide those of every
    node, which move together."""
    many = gcd(*network.supply.tolist(), *network.demand.tolist())
    sends, receives = (np.argsort(x, kind="stable").reshape(-1, many) for x in (network.source, network.sink))
    image = heaviest_assignment(far[np.ix_(network.source[sends[:, 0]], network.sink[receives[:, 0]])])
    return zip(sends.ravel().tolist(), receives[image].ravel().tolist(), strict=True)


def plain_lengths(network: Network) -> Iterator[Int64]:
    """Whole lengths of channels: 1 across the cuts of a grid, whose demands are soon found; 1, the inverse of
    bandwidths, and 1 across the cut of another network."""
    cuts = (inside[network.tail] != inside[network.head] for inside in halves(network))
    if network.grid is not None:
        yield from (x.astype(np.int64) for x in cuts if x.any())
    yield np.ones(network.num_channels, dtype=np.int64)
    if len(set(network.bandwidth)) > 1:
        top = max(network.bandwidth)
        inverse = np.array([min(float(top / b), float(_LONGEST)) for b in network.bandwidth])
        scale = 1 if (inverse == np.rint(inverse)).all() else min(_FINE, _LONGEST // int(inverse.max()) or 1)
        yield np.rint(inverse * scale).astype(np.int64)
    yield from (x.astype(np.int64) for x in cuts if x.any())


def halves(network: Network) -> Iterator[npt.NDArray[np.bool_]]:
    """Sets of about half of the nodes with few channels that leave them: along the dimensions of a grid, or by the
    second eigenvector of the Laplacian (Fiedler 1973)."""
    size, grid = network.num_nodes, network.grid
    if grid is not None:
        for m, k in enumerate(grid.radix):
            yield grid.coordinates[:, m] < k // 2
    elif size <= _SPECTRAL_NODES:
        joined = np.zeros((size, size))
        wide = np.array([float(x) for x in network.bandwidth])
        for ends in ((network.tail, network.head), (network.head, network.tail)):
            np.add.at(joined, ends, wide / wide.max())
        _, vectors = np.linalg.eigh(np.diag(joined.sum(axis=1)) - joined)
        inside = np.zeros(size, dtype=np.bool_)
        inside[np.argsort(vectors[:, min(1, size - 1)], kind="stable")[: size // 2]] = True
        yield inside


class OneDemand(Bound):
    """``pairs``: (from, to, traffic), of nodes over permutations, else of terminals that stand for their ports."""

    def __init__(self, network: Network, demands: DemandSet, demand: Demand, length: Int64) -> None:
        ports = None if demands.is_permutations else ports_over(network, demands.transport)
        if ports is not None and ports.low:
            raise InputError(f"over {demands.text}, which has least demands, one demand by itself bounds nothing here")
        self.of_terminals = ports is not None
        self.terminals_alike = ports is not None and not ports.by_node
        sent: dict[tuple[int, int], Fraction] = {}
        for (i, j), rate in demand.items():
            u, v = int(network.source[i]), int(network.sink[j])
            if u == v:
                continue
            ends = (u, v) if ports is None else (
                int(ports.row_name[ports.row_of[i]]), int(ports.column_name[ports.column_of[j]])
            )  # fmt: skip
            sent[ends] = sent.get(ends, Fraction(0)) + rate
        if len(sent) * network.num_channels > _MOST_NUMBERS:
            raise InputError(f"a demand of {len(sent):,} pairs on {network.name} is too large to be written down")
        self.pairs = [(*ends, traffic) for ends, traffic in _whole(sent, length).items()]
        given = GivenDemands([PairDemand(i, j, x, self.of_terminals, "") for i, j, x in self.pairs])
        self.prove(network, demands.gauge(network, given), 0, None)

    def data(self) -> dict[str, Any]:
        names = ("from", "to") if self.of_terminals else ("source", "destination")
        packed = {id(x): pack_ints(x, wide=True) for x in {id(x): x for *_, x in self.pairs}.values()}
        pairs = [{names[0]: i, names[1]: j, "traffic": packed[id(x)]} for i, j, x in self.pairs]
        return {"symmetry": _UNMOVED.described(), **self.meant(), "pairs": pairs}


def _whole(sent: Mapping[tuple[int, int], Fraction], length: Any) -> dict[tuple[int, int], Any]:
    """Rates times lengths as whole numbers, (C,) each."""
    common = lcm(*(x.denominator for x in sent.values()))
    amounts = {int(x * common) for x in sent.values()}
    by_amount = {x: as_int_array([x * y for y in length.tolist()]) for x in amounts}
    return {ends: by_amount[int(x * common)] for ends, x in sorted(sent.items())}


def _around_a_node(network: Network) -> FlowAdversary | None:
    """Over all that is routable: one node sends as much over each of its channels as that carries, to the nearest
    receivers.  Where these are its neighbours, no routing has a ratio below 1."""
    best: FlowAdversary | None = None
    unit = lcm(*(x.denominator for x in network.bandwidth))
    for v in np.flatnonzero(network.supply > 0).tolist():
        out = np.flatnonzero(network.tail == v).tolist()
        flow = np.zeros((network.num_nodes, network.num_channels), dtype=np.int64)
        for c in out:
            for e in (c, *_to_a_receiver(network, int(network.head[c]), v)):
                flow[v, e] += int(network.bandwidth[c] * unit)
        if not out or not flow.any():
            continue
        found = FlowAdversary(network, dict.fromkeys(out, flow), _UNMOVED)
        if best is None or found.least_load() > best.least_load():
            best = found
        if best.least_load() >= 1:
            break
    return best


def _to_a_receiver(network: Network, start: int, without: int) -> list[int]:
    """The channels of a shortest path to a node that receives; none where it is one, or there is none."""
    came: dict[int, int] = {start: -1}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if network.demand[at]:
            path = []
            while came[at] >= 0:
                path.append(came[at])
                at = int(network.tail[came[at]])
            return path[::-1]
        for c in np.flatnonzero(network.tail == at).tolist():
            there = int(network.head[c])
            if there != without and there not in came:
                came[there] = c
                queue.append(there)
    return []
