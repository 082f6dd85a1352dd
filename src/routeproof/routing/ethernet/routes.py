"""The routing that the routes of an Ethernet fabric are: ``routes``, what a directory of dumps brings with it.

Next-hop groups are split ideally, in proportion to their weights, whatever hashes pick for single flows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.stage import Progress
from ...formats.ethernet.fabric import EthernetNetwork
from ..base.entry import HASH_OPTION, RoutingEntry
from ..base.pair_table import By, written_loads
from ..base.routing import Dependency, Routing
from ..hashing.same_hash import SameHash
from ..tables.groups import Group, GroupRouting
from .forwarding import Forwarding, check_gateways

_MOST_PATHS = 100_000  # of a pair


class RoutesRouting(GroupRouting):
    """Groups of next hops on an Ethernet fabric; packets take every path of their pair's groups.

    Columns are nodes, or terminals where a device's hosts are not all reached alike.
    """

    has_explicit_paths = True

    def __init__(self, network: Network, name: str, groups: dict[tuple[int, int], Group], columns: By) -> None:
        super().__init__(network, name, groups, columns=columns)

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        end, head = int(self.column_node[column]), self.network.head
        found: list[tuple[Fraction, list[int]]] = []
        todo: list[tuple[Fraction, int, list[int]]] = [(Fraction(1), int(self.row_node[row]), [])]
        while todo:
            weight, v, path = todo.pop()
            if v == end:
                found.append((weight, path))
                continue
            group = self.groups[v, column]
            total = sum(w for _, w in group)
            todo += [(weight * Fraction(w, total), int(head[c]), [*path, c]) for c, w in reversed(group)]
            if len(todo) + len(found) > _MOST_PATHS:
                raise InputError(f"{self.name} has more than {_MOST_PATHS:,} paths for a pair, too many to write out")
        return found

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:
        """Destination by destination: a channel into a node waits for those of the node's group, if a packet from
        somewhere takes it."""
        head = self.network.head
        of: dict[int, dict[int, Group]] = {}
        for (v, d), group in self.groups.items():
            of.setdefault(d, {})[v] = group
        sources = np.unique(self.row_of).tolist()
        for k, (d, groups) in enumerate(of.items()):
            end, made, came = int(self.column_node[d]), dict[tuple[int, int], int](), dict[int, int]()
            for s in sources:
                todo = [s] if s != end and s in groups and s not in came else []
                came.update(dict.fromkeys(todo, s))
                while todo:
                    v = todo.pop()
                    for c, _ in groups[v]:
                        u = int(head[c])
                        if u == end:
                            continue
                        if u not in came:
                            came[u] = s
                            todo.append(u)
                        made.update({(c, after): s for after, _ in groups[u] if (c, after) not in made})
            if made:
                first, second = np.array(list(made), dtype=np.int32).T
                row = np.array(list(made.values()), dtype=np.int32)
                yield first, second, row, np.full(len(made), d, dtype=np.int32)
            if progress is not None:
                progress(k + 1, len(of))

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        if paths:
            return Routing.written_in_full(self, paths=True)
        return (
            super().written_in_full() if self.columns == "node" else written_loads(self.table, self.rows, self.columns)
        )

    def document(self) -> dict[str, Any]:
        return super().document() if self.columns == "node" else Routing.document(self)


def routing_of_routes(network: EthernetNetwork) -> RoutesRouting:
    """The routing of the fabric's own routes.

    Raises InputError, in a line that names devices and prefix, for packets that are lost or go round.
    """
    what, name = f"routes of {network.name}", f"installed routes of {network.name}"
    check_gateways(network, what)
    forwarding = Forwarding(network)
    chains, of = forwarding.chains
    found: dict[tuple[int, int], dict[int, tuple[tuple[int, int], ...]]] = {}
    for t, host in enumerate(network.hosts):
        key = (host.device, of[t])
        if key not in found:
            groups = found[key] = forwarding.groups_to(host, chains[of[t]], what)
            _check_no_loop(network, forwarding, t, groups, what)
        else:
            forwarding.check_end(host, chains[of[t]], what)
    by_node: dict[int, dict[int, tuple[tuple[int, int], ...]]] = {}
    alike = all(by_node.setdefault(device, groups) == groups for (device, _), groups in found.items())
    if alike:
        named = {(v, d): group for d, groups in by_node.items() for v, group in groups.items()}
        return RoutesRouting(network, name, dict(named), "node")
    each = {(v, t): group for t, host in enumerate(network.hosts) for v, group in found[host.device, of[t]].items()}
    return RoutesRouting(network, name, dict(each), "terminal")


def _check_no_loop(
    network: EthernetNetwork, forwarding: Forwarding, t: int, groups: dict[int, tuple[tuple[int, int], ...]], what: str
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
    if "hash" not in options:
        return routing
    how = options["hash"]
    return SameHash(network, f"{routing.name}, hash={how}", routing.groups, how, columns=routing.columns, in_full=True)


ENTRY = RoutingEntry(
    name="routes",
    help="what the devices of an Ethernet fabric do: its own routes",
    build=_build,
    options=HASH_OPTION,
)
