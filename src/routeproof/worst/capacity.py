"""Capacity: the best throughput that any routing reaches under uniform traffic (1/T to each of T terminals).

A routing shows that a throughput is reached.  Lengths show that nothing does better: for any channel lengths l_c >= 0
a packet from i to j uses up at least dist_l(i, j) of the supply sum over c of l_c b_c, so

    throughput * sum over i, j of dist_l(i, j) / T  <=  sum over c of l_c b_c.

Where the two meet, the capacity is exact.  They meet on every torus, mesh, hypercube and HyperX whose bandwidth is one
value per dimension (closed form, any size), on trees, on edge-symmetric graphs, and wherever the busiest channels of
shortest-path routing form a cut.  Elsewhere ``capacity`` says None, and ``capacity_claims`` what it lies between: the
linear program that settles every network is not part of this module.

Source: capacity in Towles & Dally 2002 (SPAA), sec. 5 (Table 1), conventions §15; the bound is the dual of maximum
concurrent flow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.network import Grid, Network
from ..core.traffic import Permutation, Traffic
from ..graphs.shortest import Joined
from ..graphs.total_distance import total_distance
from ..graphs.transport import heaviest_assignment
from ..routing.base.routing import Routing
from ..routing.graph.minimal import Minimal
from ..routing.grid.dor import DOR
from .loads import Loads, busiest_channels, channel_loads_under, throughput
from .locality import grid_dimension_of_channels, grid_line_distance, terminals_per_node

GENERIC_NODES = 2000  # beyond, only closed forms are tried (or checked)
_MAX_LENGTH = 64
_MOST_NODES = 4096


def capacity(network: Network, routing: Routing | None = None, *, uniform: Loads | None = None) -> Claim | None:
    """The exact capacity of ``capacity_claims``, or None where no bound tried here is met by a routing tried here."""
    claims = capacity_claims(network, routing, uniform=uniform)
    return claims[0] if len(claims) == 1 else None


def capacity_claims(
    network: Network, routing: Routing | None = None, *, uniform: Loads | None = None
) -> tuple[Claim, ...]:
    """The exact capacity with its evidence; where no bound tried here is met by a routing tried here, the best of both:
    ``capacity >=`` and ``capacity <=``; nothing where nothing is tried, or no channel is used.

    Tried: closed forms on grids; then, up to 2,000 nodes, the uniform throughput of ``routing`` (its uniform loads may
    be passed as ``uniform``; then any size), dimension-order routing and random shortest paths, against lengths 1, 1/b
    and 1 on the busiest channels.  Capacity by linear programming comes with routing design.
    """
    from ..routing.named.described import report_name

    closed = _grid_capacity(network)
    if closed is not None:
        return (_claim(closed[0], closed[1], "dor"),)
    below: tuple[Fraction, str] | None = None
    above: tuple[Fraction, dict[str, Any]] | None = None
    traffic = Traffic.uniform(network.num_terminals)
    for candidate in _candidates(network, routing, uniform):
        known = uniform if candidate is routing else None
        loads = known if known is not None else channel_loads_under(candidate, traffic)
        if not len(busiest_channels(loads, network)):
            return ()
        value = throughput(loads, network)
        if below is None or value > below[0]:
            below = value, report_name(candidate)
        for spec, lengths in candidate_lengths(network, loads):
            bound = length_bound(network, lengths)
            if bound == value:
                return (_claim(value, spec, report_name(candidate)),)
            if bound is not None and (above is None or bound < above[0]):
                above = bound, spec
    if below is None or above is None:
        return ()
    low, high = (_claim(x, above[1], below[1], y) for x, y in ((below[0], ">="), (above[0], "<=")))
    return (low, high) if below[0] < above[0] else (_claim(below[0], above[1], below[1]),)


def known_capacity(network: Network) -> Fraction:
    """The value that ``capacity`` claims; raises InputError where it claims nothing."""
    claim = capacity(network)
    if claim is None or not isinstance(claim.value, Fraction):
        raise InputError(f"the capacity of {network.name} is not known")
    return claim.value


def length_bound(network: Network, lengths: Int64) -> Fraction | None:
    """The bound that ``lengths`` (int64, shape (C,), >= 0) put on any uniform throughput; None if they bound nothing.

    Raises InputError where terminals are not connected.
    """
    total = total_distance(network, lengths)
    if not total:
        return None
    supply = Counter(zip(lengths.tolist(), network.bandwidth_rank.tolist(), strict=True))
    spent = sum((length * network.widths[rank] * count for (length, rank), count in supply.items()), Fraction(0))
    return spent * network.num_terminals / total


# -- grids ------------------------------------------------------------------------------------------------------


def _grid_capacity(network: Network) -> tuple[Fraction, dict[str, Any]] | None:
    """(capacity, lengths) in closed form, or None where the grid, its terminals or its bandwidths are not regular.

    Dimension-order routing (ties split) loads all channels along a dimension of a torus or HyperX alike, so the
    distances along that dimension are its bound; on a mesh the middle cut is.
    """
    grid, each = network.grid, terminals_per_node(network)
    along = grid_dimension_of_channels(network)
    if grid is None or along is None or each is None:
        return None
    best: tuple[Fraction, dict[str, Any]] | None = None
    for m, k in enumerate(grid.radix):
        first, *others = np.nonzero(along == m)[0].tolist()
        width = network.bandwidth[first]
        if (network.bandwidth_rank[others] != network.bandwidth_rank[first]).any():
            return None
        spec: dict[str, Any] = {"kind": "dimension", "dimension": m}
        if grid.kind == "mesh":
            cut = k // 2
            spec = {"kind": "cut", "dimension": m, "position": cut}
            value = width * k / (each * cut * (k - cut))
        else:
            value = width * k * k * _channels_each_way(grid, k) / (each * grid_line_distance(grid, m))
        if best is None or value < best[0]:
            best = value, spec
    return best


def _channels_each_way(grid: Grid, k: int) -> int:
    """How many channels leave a node along a dimension of radix k of a torus or HyperX."""
    if grid.kind == "hyperx":
        return k - 1
    return 1 if grid.oneway or k == 2 else 2


# -- any network ------------------------------------------------------------------------------------------------


def _candidates(network: Network, routing: Routing | None, uniform: Loads | None) -> Iterator[Routing]:
    small = network.num_nodes <= GENERIC_NODES
    # Sampled loads reach nothing for certain.
    if routing is not None and not routing.is_sampled and (small or uniform is not None):
        yield routing
    if not small:
        return
    known = None if routing is None else routing.name
    with suppress(InputError):  # a grid with other channels beside its own
        if network.grid is not None and known != "dor":
            yield DOR().on(network)
    with suppress(InputError):  # too many shortest paths to count
        if known != "minimal:choice=per-path":
            yield Minimal().on(network)


def candidate_lengths(network: Network, loads: Loads) -> Iterator[tuple[dict[str, Any], Int64]]:
    """Lengths that may bound what loads are the best under uniform traffic, int64 shape (C,), each with its compact
    form in the evidence: 1 everywhere ("all"), or 0 but on some "classes" of channels ("explicit")."""
    yield {"kind": "all"}, np.ones(network.num_channels, dtype=np.int64)
    yield _explicit(network, [(1, busiest_channels(loads, network).tolist())])
    if network.uniform_bandwidth:
        return
    scale = lcm(*(x.numerator for x in network.widths))
    slow = [scale / x for x in network.widths]
    if all(x.denominator == 1 and x <= _MAX_LENGTH for x in slow):
        places = [np.nonzero(network.bandwidth_rank == k)[0].tolist() for k in range(len(slow))]
        yield _explicit(network, [(int(x), y) for x, y in zip(slow, places, strict=True)][::-1])


def _explicit(network: Network, classes: Sequence[tuple[int, list[int]]]) -> tuple[dict[str, Any], Int64]:
    lengths = np.zeros(network.num_channels, dtype=np.int64)
    for length, channels in classes:
        lengths[channels] = length
    return {"kind": "explicit", "classes": [{"length": x, "channels": y} for x, y in classes]}, lengths


def _claim(value: Fraction, lengths: Mapping[str, Any], routing: str, relation: str = "==") -> Claim:
    from ..claims.routings.capacity import CAPACITY

    data = {"lengths": dict(lengths), "routing": routing}
    return CAPACITY.claim(value, data, relation=relation, source="Towles & Dally 2002 (SPAA), sec. 5")


def permutation_bound(network: Network, lengths: npt.NDArray[np.int64]) -> tuple[Fraction, Permutation] | None:
    """The bound that ``lengths`` (int64 (C,), not negative, not too large) put on any routing's throughput under the
    worst permutation, sum(l b) / sum(dist_l(i, image[i])), and the permutation that makes it smallest: a matching.

    None where they bound nothing, or the network is beyond 4,096 nodes or not connected.

    Source: with lengths 1, TUB of Namyar, Supittayapornpong, Zhang, Yu & Govindan 2021 (SIGCOMM), A throughput-centric
    view of the performance of datacenter topologies; with lengths on a cut, the bisection bound.
    """
    size = network.num_nodes
    if size > _MOST_NODES or not len(lengths) or int(lengths.max()) * size >= 1 << 50:
        return None
    nodes = np.unique(network.source)
    away = Joined(network).distances(lengths.astype(np.float64), nodes)
    if not np.isfinite(away[:, network.sink]).all():
        return None
    between = away[np.searchsorted(nodes, network.source)][:, network.sink].astype(np.int64)
    image = heaviest_assignment(between)
    total = int(between[np.arange(len(image)), image].sum())
    if not total:
        return None
    supply = sum((int(x) * b for x, b in zip(lengths.tolist(), network.bandwidth, strict=True)), Fraction(0))
    return supply / total, Permutation(image)
