"""InfiniBand fabrics: the network of switches, with what forwarding tables need to know of ports and lids.

Source: the output of ``ibnetdiscover`` (infiniband-diags), read by ``formats.infiniband.ibnetdiscover``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...core.arrays import Int32
from ...core.network import Network


class _Port:
    name: str
    guid: int
    lid: int
    lmc: int

    @property
    def lids(self) -> range:
        """lid .. lid + 2**lmc - 1; none where no subnet manager has been here."""
        return range(self.lid, self.lid + (1 << self.lmc)) if self.lid else range(0)


@dataclass(frozen=True)
class Switch(_Port):
    """A switch: its node GUID, its name, how many ports, and the lids of its port 0."""

    guid: int
    name: str
    lid: int
    ports: int
    lmc: int = 0


@dataclass(frozen=True)
class Host(_Port):
    """A host port (a terminal): name, port GUID, lids, and the switch port it is at."""

    name: str
    guid: int
    lid: int
    lmc: int
    switch: int
    port: int


@dataclass(frozen=True, eq=False)
class FabricNetwork(Network):
    """A network whose nodes are ``switches`` and whose terminals are ``hosts`` (host ports), in the same order.

    Every cable between switches is two channels, one each way; ``port[c]`` (int32, shape (C,)) is the port by which
    channel c leaves its tail.  A host's own cable is no channel: it carries exactly that host's packets.
    """

    switches: tuple[Switch, ...] = field(default=(), repr=False)
    hosts: tuple[Host, ...] = field(default=(), repr=False)
    port: Int32 = field(default_factory=lambda: np.zeros(0, dtype=np.int32), repr=False)

    @cached_property
    def channel_at(self) -> Int32:
        """int32, shape (N, 256): the channel that leaves switch v by port p, or -1."""
        table = np.full((self.num_nodes, 256), -1, dtype=np.int32)
        table[self.tail, self.port] = np.arange(self.num_channels)
        return table

    @cached_property
    def host_at(self) -> dict[tuple[int, int], int]:
        """(switch, port) to the terminal at its other end."""
        return {(host.switch, host.port): t for t, host in enumerate(self.hosts)}

    def channel_label(self, channel: int) -> str:
        """``s0[3] -> s1[4]``: switches and ports at both ends of the cable."""
        u, v = int(self.tail[channel]), int(self.head[channel])
        opposite = int(self.far_port[channel])
        return f"{self.label(u)}[{int(self.port[channel])}] -> {self.label(v)}[{opposite}]"

    @cached_property
    def far_port(self) -> Int32:
        """int32, shape (C,): the port by which channel c enters its head."""
        return self.port[self.opposite]

    @cached_property
    def opposite(self) -> Int32:
        """int32, shape (C,): the channel of the same cable in the other direction (channels come in such pairs)."""
        return np.arange(self.num_channels, dtype=np.int32) ^ 1
