"""Does a worst permutation send inside a server?  Then the worst case over traffic across servers is meant."""

from __future__ import annotations

import numpy as np

from ...core.network import Network
from ...demand_sets.servers import Servers, servers_of
from ...worst.scan.exact import WorstCase

INSIDE_LEFT_OUT = (
    "servers      the worst of all permutations that was found sends between HCAs of one server; that is left "
    "out here, --demands permutations counts it, too"
)


def servers_of_hosts(network: Network) -> Servers | None:
    """Those that the names of a fabric's hosts tell; None where a network has no hosts by name, no such server, or
    nothing but one server."""
    servers = None if network.terminal_labels is None else servers_of(network)
    return servers if servers is not None and servers.known and servers.numbers.any() else None


def sends_inside(worst: WorstCase, servers: Servers) -> bool:
    """Does the permutation that was found load its worst channel by packets that stay in one server?  Where not, all
    that crosses the channel goes from server to server, and nothing across servers is worse."""
    if worst.permutation is None:
        return False
    server, image = servers.numbers, worst.permutation.image
    inside = np.flatnonzero((server == server[image]) & (np.arange(len(image)) != image))
    routing = worst.routing
    block = routing.pair_loads(routing.row_of[inside], routing.column_of[image[inside]])
    return bool((block.channel == worst.channel).any())
