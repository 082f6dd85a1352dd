"""Up*/down* routing on any network."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...graphs.shortest import hops_to_all
from ..base.entry import RoutingEntry, check_choice, whole, with_options
from ..tables.path_tables import ListedRouting
from .shortest_paths import StateGraph, shortest_paths


class UpDown:
    """Shortest paths among those that first go up and then down, never up again.

    Levels are hop distances from the ``root``; a channel is up if it leads nearer to the root, or at equal distance to
    the lower node number.  ``root``: a node, or ``top``: all switches of the highest level (``top_nodes``), side by
    side; on fat trees nothing is lost then, where one root leaves most top switches idle.  By default it is one node,
    that of least eccentricity without terminals where there are such, else of any; ties go to the higher degree, then
    to the lower number.  ``paths``: ``all`` takes every shortest such path alike, ``one`` the first in order of channel
    numbers.  Free of deadlock by construction.

    Source: Schroeder et al. 1991 (JSAC), Autonet.  OpenSM's updn has several roots and, besides, counts routes by port.
    """

    def __init__(self, *, root: int | str | None = None, paths: str = "all") -> None:
        if isinstance(root, str):
            root = root if root == "top" else whole("updown", "root", root)
        check_choice("updown", "paths", paths, ("all", "one"))
        self.root, self.choose = root, paths

    def on(self, network: Network) -> ListedRouting:
        """Raises InputError for a root outside the network, one-way channels, or a network that is not connected."""
        up = up_channels(network, *self._roots(network))
        size = network.num_nodes
        number = np.arange(network.num_channels, dtype=np.int32)
        parts = []  # arcs: up, still going up; down from going up; down from going down
        for which, before, after in ((up, 0, 0), (~up, 0, 1), (~up, 1, 1)):
            here = number[which]
            parts.append((network.tail[here] + before * size, network.head[here] + after * size, here))
        tail, head, channel = (np.concatenate([part[k] for part in parts]).astype(np.int32) for k in range(3))
        everyone = np.arange(size, dtype=np.int32)
        graph = StateGraph(2 * size, tail, head, channel, everyone, np.stack([everyone, everyone + size], axis=1))
        name = with_options("updown", root=self.root, paths=None if self.choose == "all" else self.choose)
        choose = "all" if self.choose == "all" else "first"
        return ListedRouting(network, name, shortest_paths(network, graph, choose=choose, name=name))

    def _roots(self, network: Network) -> list[int]:
        if self.root is None:
            return [default_root(network)]
        if isinstance(self.root, int):
            if self.root < network.num_nodes:
                return [self.root]
            raise InputError(f"updown: root is {self.root}; nodes of {network.name} are 0 to {network.num_nodes - 1}")
        if found := top_nodes(network):
            return found
        raise InputError(
            f"updown: {network.name} has no switches of a highest level, above all terminals; a node was expected as "
            f"root, such as {default_root(network)}"
        )


def top_nodes(network: Network) -> list[int]:
    """The switches of the highest level of a network in levels; none where it has no levels, or no switch above all.

    The level of a node is its distance to the nearest node with terminals; no channel joins two nodes of one level.
    """
    tail, head = network.tail, network.head
    served = network.supply + network.demand > 0
    level = hops_from(network.num_nodes, tail, head, np.nonzero(served)[0])
    if not level.max() or bool((level[tail] == level[head]).any()):
        return []
    tops = np.nonzero(level == level.max())[0]
    above = np.zeros((network.num_nodes, len(tops)), dtype=bool)
    above[tops, np.arange(len(tops))] = True
    for k in range(int(level.max()) - 1, -1, -1):
        for c in np.nonzero((level[tail] == k) & (level[head] == k + 1))[0].tolist():
            above[tail[c]] |= above[head[c]]
    return tops.tolist() if bool(above[served].all(axis=0).any()) else []


def _aside(network: Network, options: dict[str, Any]) -> str | None:
    """One root, as in Autonet, is not what up and down means on fat trees."""
    if "root" in options or len(tops := top_nodes(network)) < 2:
        return None
    return (
        f"updown has one root, {network.label(default_root(network))}; all {len(tops)} switches of the highest level, "
        f"as OpenSM's updn takes them: updown:root=top"
    )


def default_root(network: Network) -> int:
    """The root that up*/down* takes on its own."""
    away = hops_to_all(network).max(axis=0).astype(np.int64)
    served = network.supply + network.demand > 0
    start = int(np.nonzero(served)[0][0])
    away = np.where(
        hops_from(network.num_nodes, network.tail, network.head, start) < 0, network.num_nodes + 1, away
    )  # a switch that was cut off is no root
    if bool((~served).any()) and bool((np.bincount(network.tail, minlength=network.num_nodes)[~served] > 0).any()):
        away = np.where(served, network.num_nodes, away)
    degree = np.bincount(network.tail, minlength=network.num_nodes)
    return int(np.lexsort((np.arange(network.num_nodes), -degree, away))[0])


def up_channels(network: Network, *roots: int) -> npt.NDArray[np.bool_]:
    """bool, shape (C,): the channels that lead up towards the ``roots``, of which the nearest one counts."""
    if network.reverse is None:
        raise InputError(f"updown needs channels both ways with equal bandwidth; {network.name} has others")
    level = hops_from(network.num_nodes, network.tail, network.head, np.array(roots))
    served = network.supply + network.demand > 0
    if bool((level[served] < 0).any()):
        lost = int(np.nonzero(served & (level < 0))[0][0])
        raise InputError(
            f"network {network.name}: no path from the root {network.label(roots[0])} to node {network.label(lost)}"
        )
    tail, head = network.tail, network.head
    return np.asarray((level[head] < level[tail]) | ((level[head] == level[tail]) & (head < tail)))


ENTRY = RoutingEntry(
    name="updown",
    help="up*/down*: shortest paths that never go up after they went down, on any network",
    build=lambda network, options: UpDown(**options).on(network),
    options={
        "root": "the node that up leads to (by default a central one), or top: all switches of the highest level",
        "paths": "all (with equal weights) or one (the first)",
    },
    aliases={"up-down": "updown", "up/down": "updown", "up*/down*": "updown", "updn": "updown:paths=one"},
    aside=_aside,
)
