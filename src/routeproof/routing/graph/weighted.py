"""Shortest paths by the weights of channels (the metrics of OSPF and IS-IS), of which there may be several.

The weights are a channel attribute of the network: what a graph file states of its edges under a name.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...core.rational import IntArray, as_int_array, lcm_within
from ...formats.text_files import brief, parse_number
from ...graphs.shortest import distances_to
from ..base.delivery import check_connected
from ..base.pair_table import Loads, PairTable, check_room, check_table_size
from ..base.tabled import TabledRouting
from ..tables.groups import split_loads

_CELLS = 1 << 22  # destinations times channels at a time
_MAX_NODES = 2_000
_MOST_BITS = 4096  # of a common denominator
_MOST_STEPS = 1 << 25  # destinations times channels, each gone through once
_EACH = 8 + 8  # bytes of tables for every pair of nodes: distance and visits


class WeightedShortest(TabledRouting):
    """Paths of least weight, that of their channels added up; the arithmetic is exact.

    ``share`` None: uniform over the paths of least weight of each pair.  Else, at every node, the channels that such
    paths begin with are taken in proportion to their ``share`` (C positive integers): all 1 is per hop, as routers
    with equal-cost multipath forward.
    Source: OSPF, RFC 2328, sec. 16.1 (8): equal-cost multipath.
    """

    in_full = False
    of_network = True
    crosses_once = True

    def __init__(self, network: Network, weight: str, name: str, share: IntArray | None = None) -> None:
        self.channel_attributes = frozenset({weight})
        length = weights_of(network, weight, name)
        super().__init__(network, name, _table(network, length, share, name))
        self.channel_kind = np.unique(length, return_inverse=True)[1].astype(np.int64)


def weights_of(network: Network, weight: str, name: str) -> IntArray:
    """Positive integers, shape (C,), in proportion to the channel attribute ``weight``.

    Raises InputError where the network does not state it, or not as a positive number of every channel.
    """
    stated = network.channel_attributes
    if weight not in stated:
        if not stated:
            found = "states no attributes of its channels (families have none)"
            hint = "weights come from GraphML, GML, networkx, node-link and our own files"
        else:
            found, hint = f"states no {brief(weight)} of its channels", did_you_mean(weight, sorted(stated)[:100])
        raise InputError(f"{name}: network {network.name} {found}; {hint}")
    values: list[Fraction] = []
    seen: dict[tuple[type, Any], Fraction] = {}
    for c, raw in enumerate(stated[weight]):
        key = (type(raw), raw if isinstance(raw, (int, str, Fraction)) else c)
        with suppress(InputError):
            if key not in seen:
                seen[key] = parse_number(raw, what=weight)
        if seen.get(key, 0) <= 0:
            lacking = sum(x is None for x in stated[weight])
            found = f"not given ({lacking} of {network.num_channels} channels have none)" if raw is None else brief(raw)
            raise InputError(
                f"{name}: {weight} of channel {network.channel_label(c)} of network {network.name} is {found}; "
                f"a positive number was expected"
            )
        values.append(seen[key])
    scale = lcm_within({x.denominator for x in values}, 1 << _MOST_BITS)
    if scale is None:
        raise InputError(
            f"{name}: the weights of {network.name} have a common denominator of more than {_MOST_BITS:,} bits"
        )
    whole = [int(x * scale) for x in values]
    divisor = math.gcd(*whole)
    return as_int_array([x // divisor for x in whole])


def _table(network: Network, length: IntArray, share: IntArray | None, name: str) -> PairTable:
    check_table_size(network, name, "keeps", _MAX_NODES, _EACH)
    sinks = np.nonzero(network.demand > 0)[0]
    if len(sinks) * network.num_channels > _MOST_STEPS:
        found = f"{len(sinks):,} destinations and {network.num_channels:,} channels"
        raise InputError(f"{name} on {network.name}: {found}; at most {_MOST_STEPS:,} pairs of them are gone through")
    parts = []
    words = 1 + max(length.tolist(), default=1).bit_length() // 64
    step, entries = max(1, _CELLS // max(1, words * network.num_channels)), 0
    lost = np.zeros((network.num_nodes, network.num_nodes), dtype=np.int16)
    for at in range(0, len(sinks), step):
        some = sinks[at : at + step]
        for d, dist in zip(some.tolist(), distances_to(network, length, some), strict=True):
            lost[:, d] = np.where(dist < 0, -1, 0)
            parts.append(_loads_to(network, d, dist, length, share))
            entries += len(parts[-1][0])
            check_room(entries)
    check_connected(network, lost)
    return PairTable.joined(parts, shape=(network.num_channels, network.num_nodes, network.num_nodes))


def _loads_to(network: Network, d: int, dist: IntArray, length: IntArray, share: IntArray | None) -> Loads:
    tail, head = network.tail, network.head
    near = np.nonzero((dist[head] >= 0) & (dist[tail] == length + dist[head]))[0]
    near = near[np.argsort(tail[near], kind="stable")]
    order = [v for v in np.argsort(dist, kind="stable").tolist() if dist[v] > 0]
    return split_loads(network, d, near, order, None if share is None else share[near].tolist())
