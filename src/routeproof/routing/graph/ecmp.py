"""Equal-cost multipath: at every node an even split over the next channels of shortest paths, as switches do it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import IntArray
from ...graphs.shortest import distances_to
from ..base.entry import HASH_OPTION, RoutingEntry
from ..base.routing import Routing
from .minimal import WEIGHT_OPTION, Minimal

_NOTE = "ecmp splits evenly at every hop since 0.2.0; over shortest paths, as before: ecmp:choice=per-path"
_MOST_STEPS = 1 << 26  # destinations times channels, beyond which it is not tried whether the two differ
_CELLS = 1 << 22  # destinations times channels at a time
_MOST_PATHS = 1 << 40


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if "hash" not in options:
        return Minimal(**{"choice": "per-hop", **options}).on(network)
    from ..hashing.same_hash import same_hash_shortest

    if options.get("choice", "per-hop") != "per-hop":
        raise InputError("ecmp: switches that hash choose hop by hop; hash= goes without choice=per-path")
    given = {key: value for key, value in options.items() if key != "choice"}
    return same_hash_shortest(network, "ecmp", given, np.ones(network.num_channels, dtype=np.int64))


def _aside(network: Network, options: dict[str, Any]) -> str | None:
    """For one release: the line where what ``ecmp`` meant before, ``choice=per-path``, is something else."""
    if {"choice", "hash"} & set(options):
        return None
    length: IntArray = np.ones(network.num_channels, dtype=np.int64)
    if "weight" in options:
        from .weighted import weights_of

        length = weights_of(network, options["weight"], "ecmp")
    return _NOTE if paths_are_uneven(network, length) else None


def paths_are_uneven(network: Network, length: IntArray) -> bool:
    """Has some packet, at some node, next channels that begin different numbers of shortest paths by ``length``?

    Else a uniform choice among shortest paths and one among next channels are the same routing.  True also for
    networks that are too large to try.
    """
    to = np.nonzero(network.demand > 0)[0]
    if len(to) * network.num_channels > _MOST_STEPS:
        return True
    step = max(1, _CELLS // max(1, network.num_channels))
    return any(
        _uneven_to(network, length, dist)
        for at in range(0, len(to), step)
        for dist in distances_to(network, length, to[at : at + step])
    )


def _uneven_to(network: Network, length: IntArray, dist: IntArray) -> bool:
    tail, head = network.tail, network.head
    near = np.nonzero((dist[head] >= 0) & (dist[tail] == length + dist[head]))[0]
    near = near[np.argsort(tail[near], kind="stable")]
    near = near[np.argsort(dist[tail[near]], kind="stable")]
    first = np.nonzero(np.diff(tail[near], prepend=-1))[0]
    nodes, ends = tail[near[first]], np.append(first, len(near))
    levels = np.append(np.nonzero(np.diff(dist[nodes], prepend=-1))[0], len(nodes))
    paths = np.ones(network.num_nodes, dtype=np.int64)
    uneven = np.zeros(network.num_nodes, dtype=bool)
    for low, high in zip(levels[:-1].tolist(), levels[1:].tolist(), strict=True):
        here = paths[head[near[ends[low] : ends[high]]]]
        starts = ends[low:high] - ends[low]
        uneven[nodes[low:high]] = np.minimum.reduceat(here, starts) != np.maximum.reduceat(here, starts)
        paths[nodes[low:high]] = np.add.reduceat(here, starts)
        if paths[nodes[low:high]].max() > _MOST_PATHS:
            return True
    if not uneven.any():
        return False
    visited = network.supply > 0
    for k in range(len(nodes) - 1, -1, -1):
        if visited[nodes[k]]:
            visited[head[near[ends[k] : ends[k + 1]]]] = True
    return bool((visited & uneven).any())


ENTRY = RoutingEntry(
    name="ecmp",
    help="shortest paths, split evenly at every switch (choice=per-path: evenly over all of them)",
    build=_build,
    options={
        "choice": "per-hop (an even split over the next channels at every node) or per-path (over shortest paths)",
        **WEIGHT_OPTION,
        **HASH_OPTION,
    },
    aliases={"hashed-ecmp": "ecmp", "ecmp-per-hop": "minimal:choice=per-hop"},
    old_names=frozenset({"hashed-ecmp"}),
    aside=_aside,
)
