"""What simulators' files can hold: routers joined by equal links both ways, and terminals that belong to one router."""

from __future__ import annotations

import warnings

from ...core.errors import InputError
from ...core.network import Network
from .. import RouteproofWarning

__all__ = ["plain_links", "router_of_terminals"]


def plain_links(network: Network, *, what: str) -> list[tuple[int, int]]:
    """The links of a network, (u, v) with u < v, each once.

    Raises InputError for one-way channels, parallel channels and unequal bandwidths, which ``what`` cannot hold; warns
    of one bandwidth other than 1, which is left out.
    """
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    if not network.uniform_bandwidth:
        raise InputError(f"{what} has no bandwidths, and those of {network.name} are unequal: nothing is written")
    there = set(ends)
    if len(there) < len(ends):
        u, v = next(e for e in ends if ends.count(e) > 1)
        raise InputError(
            f"{what} cannot hold parallel channels; {network.name} has some from {network.label(u)} to "
            f"{network.label(v)}"
        )
    for u, v in ends:
        if (v, u) not in there:
            raise InputError(
                f"{what} has links both ways only; the channel from {network.label(u)} to {network.label(v)} of "
                f"{network.name} has no opposite"
            )
    if ends and network.bandwidth[0] != 1:
        warnings.warn(
            f"{what} has no bandwidths: {network.bandwidth[0]}, that of all channels of {network.name}, is left out",
            RouteproofWarning,
            stacklevel=5,
        )
    return sorted(e for e in there if e[0] < e[1])


def router_of_terminals(network: Network, *, what: str) -> list[int]:
    """The node of every terminal; raises InputError where one sends and receives at different nodes."""
    apart = (network.source != network.sink).nonzero()[0]
    if len(apart):
        raise InputError(
            f"{what} has terminals that send and receive at one router; terminal {int(apart[0])} of {network.name} "
            "does not"
        )
    nodes: list[int] = network.source.tolist()
    return nodes
