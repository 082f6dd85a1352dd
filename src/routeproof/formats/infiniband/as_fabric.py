"""Any network as an InfiniBand fabric: every node a switch, every terminal a host port; ports, GUIDs and lids are made
up where there are none, so that programs which route fabrics can route it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from .dumps import LAST_LID
from .fabric import FabricNetwork, Host, Switch

_MOST_PORTS = 254
_SWITCHES, _HOSTS = 0x10_0000_0000, 0x20_0000_0000


def as_fabric(network: Network) -> FabricNetwork:
    """The fabric with the same nodes, channels and terminals, in the same order, in which every port has a lid.

    A fabric that was read from dumps keeps what it has.  Raises InputError for channels that are no cables (one way
    only), for terminals that send and receive at different nodes, and for switches with more than 254 ports.
    """
    if isinstance(network, FabricNetwork):
        return network if all(x.lid for x in (*network.switches, *network.hosts)) else _with_lids(network)
    apart = np.flatnonzero(network.source != network.sink)
    if len(apart):
        raise InputError(
            f"{network.name}: {network.terminal_label(int(apart[0]))} sends and receives at different nodes, and no "
            f"host of an InfiniBand fabric does"
        )
    port, far_port, used = _cabled(network)
    hosts = []
    for t, v in enumerate(network.sink.tolist()):
        used[v] += 1
        hosts.append(Host(f"t{t}", _HOSTS + 2 * t + 1, 0, 0, v, used[v], _HOSTS + 2 * t))
    crowded = next((v for v in range(network.num_nodes) if used[v] > _MOST_PORTS), None)
    if crowded is not None:
        raise InputError(
            f"{network.label(crowded)} of {network.name} has {used[crowded]} cables; an InfiniBand switch has at most "
            f"{_MOST_PORTS} ports"
        )
    switches = tuple(Switch(_SWITCHES + v, network.label(v), 0, max(1, used[v])) for v in range(network.num_nodes))
    own = {x: getattr(network, x) for x in Network.__dataclass_fields__}
    return _with_lids(FabricNetwork(**own, switches=switches, hosts=tuple(hosts), port=port, far_port=far_port))


def _cabled(network: Network) -> tuple[Int32, Int32, dict[int, int]]:
    """The ports at both ends of every channel, and how many every node uses: the k-th channel of two nodes is a cable
    with the k-th of those back."""
    between: dict[tuple[int, int], list[int]] = defaultdict(list)
    for c, ends in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        between[ends].append(c)
    port = np.zeros(network.num_channels, dtype=np.int32)
    far_port = np.zeros(network.num_channels, dtype=np.int32)
    used: dict[int, int] = defaultdict(int)
    for (u, v), there in between.items():
        back = between.get((v, u), [])
        if len(back) != len(there) or u == v:
            raise InputError(
                f"{network.name} has {len(there)} channels from {network.label(u)} to {network.label(v)} and "
                f"{len(back)} back; cables, with a channel each way, were expected"
            )
        for c, d in zip(there, back, strict=True) if u < v else ():
            used[u] += 1
            used[v] += 1
            port[c] = far_port[d] = used[u]
            port[d] = far_port[c] = used[v]
    return port, far_port, used


def _with_lids(fabric: FabricNetwork) -> FabricNetwork:
    """Lids from 1 on, first those of the switches; every port keeps how many it has."""
    following = 1

    def given(lmc: int) -> int:
        """The next lid that so many bits may follow."""
        nonlocal following
        lid = -(-following // (1 << lmc)) * (1 << lmc)
        following = lid + (1 << lmc)
        return lid

    switches = tuple(replace(x, lid=given(x.lmc)) for x in fabric.switches)
    hosts = tuple(replace(x, lid=given(x.lmc)) for x in fabric.hosts)
    if following - 1 > LAST_LID:
        raise InputError(
            f"{fabric.name} needs {following - 1} lids; an InfiniBand subnet has {LAST_LID} (0x0001 to 0xbfff)"
        )
    return replace(fabric, switches=switches, hosts=hosts)
