"""The routing that the routes of an Ethernet fabric are: ``routes``, what a directory of dumps brings with it.

Next-hop groups are split ideally, in proportion to their weights, whatever hashes pick for single flows.  A directory
of such devices is judged as this routing, on the network of its cables.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...formats.ethernet.directory import ethernet_dumps, read_ethernet
from ...formats.ethernet.fabric import EthernetNetwork
from ...formats.format import File, Format
from ..base.entry import HASH_OPTION, RoutingEntry
from ..base.routing import Routing
from ..hashing.same_hash import same_hash_of
from ..tables.group_table import GroupTable, GroupTableRouting, UnevenWeightsError
from ..tables.groups import GroupRouting
from .forwarding import Forwarding, Group, check_gateways


def routing_of_routes(network: EthernetNetwork) -> GroupTableRouting | GroupRouting:
    """The routing of the fabric's own routes.  Columns are nodes, or, where a device's hosts are not all reached alike,
    those of them that are.

    Raises InputError, in a line that names devices and prefix, for packets that are lost or go round.
    """
    what, name = f"routes of {network.name}", f"installed routes of {network.name}"
    check_gateways(network, what)
    forwarding = Forwarding(network)
    chains, of = forwarding.chains
    classes: dict[tuple[int, int], int] = {}  # by (device, chain): the number of what is done with it everywhere
    known: dict[tuple[int, frozenset[tuple[int, Group]]], int] = {}
    done: list[tuple[int, dict[int, Group]]] = []
    column_of = np.zeros(network.num_terminals, dtype=np.int32)
    for t, host in enumerate(network.hosts):
        key = (host.device, of[t])
        forwarding.check_end(host, chains[of[t]], what)
        if key not in classes:
            groups = forwarding.groups_to(host, chains[of[t]], what)
            alike = known.setdefault((host.device, frozenset(groups.items())), len(known))
            if alike == len(done):
                done.append((t, groups))
            classes[key] = alike
        column_of[t] = classes[key]
    by_node = len({device for device, _ in known}) == len(known)
    column = {d: network.hosts[t].device if by_node else d for d, (t, _) in enumerate(done)}
    found = {(v, column[d]): group for d, (_, groups) in enumerate(done) for v, group in groups.items()}
    shape = (network.num_nodes, network.num_nodes if by_node else len(done))
    try:
        return GroupTableRouting(network, name, GroupTable.of(shape, found), None if by_node else column_of)
    except UnevenWeightsError:  # any size of number, and so not for large fabrics
        if by_node:
            return GroupRouting(network, name, dict(found))
        each = {(v, t): group for t, d in enumerate(column_of.tolist()) for v, group in done[d][1].items()}
        return GroupRouting(network, name, dict(each), columns="terminal")
    except InputError:
        for t, groups in done:
            _check_no_loop(network, forwarding, t, groups, what)
        raise


def _check_no_loop(
    network: EthernetNetwork, forwarding: Forwarding, t: int, groups: dict[int, Group], what: str
) -> None:
    channel = np.array([c for group in groups.values() for c, _ in group], dtype=np.int64)
    tail, head = network.tail[channel].astype(np.int64), network.head[channel].astype(np.int64)
    level, cycle = numbering_or_cycle(network.num_nodes, tail, head)
    if level is None:
        chains, of = forwarding.chains
        around = [*(network.label(v) for v in cycle[:8]), *(["..."] if len(cycle) > 8 else []), network.label(cycle[0])]
        prefix = forwarding.step(int(cycle[0]), chains[of[t]]).route
        raise InputError(
            f"{what}: packets for {network.hosts[t].name} ({network.hosts[t].address}) go round in the loop "
            f"{' -> '.join(around)} (at {around[0]} by the route {prefix})"
        )


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if not isinstance(network, EthernetNetwork):
        raise InputError(
            f"routing routes: {network.name} has no routes; a directory with the routes and neighbours of Ethernet "
            f"devices was expected as the topology"
        )
    routing = routing_of_routes(network)
    return same_hash_of(routing, options["hash"]) if "hash" in options else routing


ENTRY = RoutingEntry(
    name="routes",
    help="what the devices of an Ethernet fabric do: its own routes",
    build=_build,
    options=HASH_OPTION,
    of_fabric=True,
)


def _document(file: File) -> tuple[str, str]:
    return "routing", json.dumps(routing_of_routes(read_ethernet(file)).document())


ETHERNET_ROUTES: Format[Routing, Network] = Format(
    "ethernet-routes",
    "a directory with routes of Ethernet devices",
    directory=ethernet_dumps,
    document=_document,
)
