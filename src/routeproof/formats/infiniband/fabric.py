"""InfiniBand fabrics: the network of switches, with what forwarding tables need to know of ports and lids; and the
sections of which ``assemble`` makes it: switches and hosts as dumps list them, with their cables, rates and states.

A cable carries packets where both ends are ``Active`` and ``LinkUp``.  In ``Initialize`` and ``Armed`` only the subnet
manager's own packets pass.  What ``ibnetdiscover`` and ibdm print has no states: all that is physically up is listed.
Source: InfiniBand Architecture Specification, vol. 1, PortInfo; libibmad, ``dump.c``; OpenSM, ``osm_dump.c``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...core.arrays import Int32, Numbers
from ...core.errors import InputError
from ...core.network import Network
from ..text_files import MEGABYTE, brief

_GUID = re.compile(r"0[xX]([0-9a-fA-F]{1,16})|(?:S-)?([0-9a-fA-F]{16})")
_LID = re.compile(r"(?:lid|LID)[ :=]?(\d{1,5})")


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
    """A host port (a terminal): name, port GUID, lids, the switch (-1: one that was left out) and port it is at, and
    ``node``, the GUID of its adapter (0 where that is not known)."""

    name: str
    guid: int
    lid: int
    lmc: int
    switch: int
    port: int
    node: int = 0


@dataclass(frozen=True)
class Archive:
    """The files beside the topology in a folder: paths of forwarding tables, of groups of adaptive routing, of records
    of service levels, and of tables from levels to lanes."""

    folder: str
    tables: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    lanes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class FabricNetwork(Network):
    """A network whose nodes are ``switches`` and whose terminals are ``hosts`` (host ports), in the same order.

    Every cable between switches is two channels, one each way; ``port[c]`` and ``far_port[c]`` (int32, shape (C,)) are
    the ports by which channel c leaves its tail and enters its head.  A host's own cable is no channel: it carries
    exactly that host's packets.

    ``absent``: hosts and switches that the fabric has, and that were left out: what dumps say of them is passed over.
    ``gbps``: what bandwidth 1 is in Gb/s; ``host_widths``: the bandwidths of the hosts' cables; None where they are not
    known.  ``archive``: the files beside the topology, where it was read from a folder.
    """

    switches: tuple[Switch, ...] = field(default=(), repr=False)
    hosts: tuple[Host, ...] = field(default=(), repr=False)
    port: Int32 = field(default_factory=lambda: np.zeros(0, dtype=np.int32), repr=False)
    far_port: Int32 = field(default_factory=lambda: np.zeros(0, dtype=np.int32), repr=False)
    absent: tuple[Switch | Host, ...] = field(default=(), repr=False)
    gbps: Fraction | None = None
    host_widths: tuple[Fraction, ...] | None = None
    archive: Archive | None = None

    @property
    def own_routing(self) -> str | None:
        return "tables" if self.archive is not None and (self.archive.tables or self.archive.groups) else None

    @property
    def missing_routing(self) -> str:
        if self.own_routing is not None or not any(x.lid for x in self.hosts):
            return ""
        if self.archive is None:
            return f"{self.name} has cables alone; add the forwarding tables, --routing FILE with what dump_fts prints"
        return f"directory {self.archive.folder} has no file with forwarding tables, which dump_fts prints; add it"

    @property
    def usual_routings(self) -> tuple[str, ...]:
        return ("sssp", "updown")

    @property
    def own_levels(self) -> tuple[str, str | None] | None:
        if self.archive is None or not self.archive.levels:
            return None
        for files, what in ((self.archive.levels, "path records"), (self.archive.lanes, "SL2VL tables")):
            if len(files) > 1:
                raise InputError(f"{files[0]} and {files[1]} both hold {what}; keep one of them")
        return self.archive.levels[0], next(iter(self.archive.lanes), None)

    def with_archive(self, archive: Archive, *, name: str) -> FabricNetwork:
        return replace(self, archive=archive, name=name)

    def part(self, node: Numbers, channel: Numbers, terminal: Numbers, *, name: str) -> Network:
        """As ``Network.part``; what goes is ``absent``."""
        number = np.full(self.num_nodes + 1, -1)  # the last one is for hosts of switches that were left out before
        number[node] = np.arange(len(node))

        def moved(host: Host) -> Host:
            return replace(host, switch=int(number[host.switch]))

        gone = set(range(len(self.switches))).difference(node.tolist())
        left = set(range(len(self.hosts))).difference(terminal.tolist())
        absent: list[Switch | Host] = [moved(x) if isinstance(x, Host) else x for x in self.absent]
        absent += [self.switches[v] for v in sorted(gone)] + [moved(self.hosts[t]) for t in sorted(left)]
        smaller = super().part(node, channel, terminal, name=name)
        return replace(
            self,
            **{x: getattr(smaller, x) for x in Network.__dataclass_fields__},
            switches=tuple(self.switches[v] for v in node.tolist()),
            hosts=tuple(moved(self.hosts[t]) for t in terminal.tolist()),
            port=self.port[channel],
            far_port=self.far_port[channel],
            absent=tuple(absent),
            host_widths=self.host_widths and tuple(self.host_widths[t] for t in terminal.tolist()),
        )

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

    def ports_of(self, channel: int, /) -> tuple[int, int]:
        return int(self.port[channel]), int(self.far_port[channel])

    def port_names(self, channel: int, /) -> tuple[str, str]:
        leaves, enters = self.ports_of(channel)
        return str(leaves), str(enters)

    @property
    def guids(self) -> tuple[Sequence[int], Sequence[int]]:
        return [x.guid for x in self.switches], [x.guid for x in self.hosts]

    def nodes_identified(self, text: str, /) -> list[int]:
        """By node GUID (``0x2c9020040c0f8``, ``S-0002c9020040c0f8``) or lid (``lid 12``)."""
        guid, lid = _GUID.fullmatch(text.strip()), _LID.fullmatch(text.strip())
        if guid is not None:
            return [v for v, x in enumerate(self.switches) if x.guid == int(guid[1] or guid[2], 16)]
        return [] if lid is None else [v for v, x in enumerate(self.switches) if int(lid[1]) in x.lids]

    @property
    def switch_ports(self) -> Sequence[int]:
        return [x.ports for x in self.switches]

    @property
    def host_ports(self) -> Sequence[str]:
        return [str(x.port) for x in self.hosts]

    @property
    def host_addresses(self) -> Sequence[str]:
        return [f"lid {x.lid}" for x in self.hosts]

    def channel_label(self, channel: int) -> str:
        """``s0[3] -> s1[4]``: switches and ports at both ends of the cable."""
        u, v = int(self.tail[channel]), int(self.head[channel])
        leaves, enters = self.ports_of(channel)
        return f"{self.label(u)}[{leaves}] -> {self.label(v)}[{enters}]"

    @cached_property
    def opposite(self) -> Int32:
        """int32, shape (C,): the channel of the same cable in the other direction; itself where that one is dead."""
        back = self.channel_at[self.head, self.far_port]
        return np.where(back < 0, np.arange(self.num_channels, dtype=np.int32), back)


LIMIT = 1024 * MEGABYTE  # of a file with a fabric
_CODE_8_10, _CODE_64_66 = Fraction(8, 10), Fraction(64, 66)
GBPS_PER_LANE = {
    "SDR": Fraction(5, 2) * _CODE_8_10,
    "DDR": 5 * _CODE_8_10,
    "QDR": 10 * _CODE_8_10,
    "FDR10": Fraction(103125, 10000) * _CODE_64_66,
    "FDR": Fraction(140625, 10000) * _CODE_64_66,
    "EDR": Fraction(2578125, 100000) * _CODE_64_66,
    "HDR": Fraction(50),
    "NDR": Fraction(100),
    "XDR": Fraction(200),
}
"""Data rate of one lane in Gb/s: the signalling rate less the line code (InfiniBand Architecture Specification, vol. 2;
from HDR on the rates by which the speeds are named)."""

WIDTH_NUMBER = {"1x": 1, "4x": 2, "8x": 4, "12x": 8, "2x": 16}
_UNKNOWN = re.compile(r"(?:\?\?|\d{1,2}x)(?:\?\?\?|[A-Z]{3}(?:10)?)")


@dataclass(frozen=True)
class StatedRate:
    """A cable's rate as one end states it: ``text`` (4xEDR), and ``gbps``, None where the text has a ``?``."""

    text: str
    gbps: Fraction | None

    @staticmethod
    def of(lanes: int | str, speed: str) -> StatedRate:
        return StatedRate(f"{lanes}x{speed}", int(lanes) * GBPS_PER_LANE[speed])


@dataclass
class CableEnd:
    """One line about a cable: this node's port, and the node and port at the other end; ``idle``: why no packets pass
    ("": they do, as far as the file says)."""

    line: int
    port: int
    far: str
    far_port: int
    guid: int
    rate: StatedRate | None
    lid: int = 0
    lmc: int = 0
    idle: str = ""


@dataclass
class Section:
    """A switch or a host: its identity, and its ``ends`` by port; ``lid`` and ``lmc`` are those of a switch."""

    line: int
    kind: str
    key: str
    guid: int
    name: str
    lid: int = 0
    lmc: int = 0
    ports: int = 0
    ends: dict[int, CableEnd] = field(default_factory=dict)

    def add(self, end: CableEnd, place: str) -> None:
        """One more cable; raises InputError, beginning with ``place``, where one is at that port already."""
        first = self.ends.setdefault(end.port, end)
        if first is not end:
            raise InputError(f"{place}: port {end.port} of {self.name!r} is there already, in line {first.line}")


def key_of(kind: str, guid: int) -> str:
    """The identity of a switch or a host as ``ibnetdiscover`` spells it."""
    return f"{'S' if kind == 'Switch' else 'H'}-{guid:016x}"


def rate_of(text: str, where: str) -> StatedRate:
    """The rate of ``4xEDR``; raises InputError, beginning with ``where``, for what is no width and speed."""
    width, _, speed = text.partition("x")
    width += "x"
    if "?" in text and _UNKNOWN.fullmatch(text):
        return StatedRate(text, None)
    if width not in WIDTH_NUMBER or speed not in GBPS_PER_LANE:
        raise InputError(
            f"{where}: a cable of {brief(text)}; 1x, 2x, 4x, 8x or 12x and one of {', '.join(GBPS_PER_LANE)} were "
            f"expected, as in 4xEDR"
        )
    return StatedRate(text, int(width[:-1]) * GBPS_PER_LANE[speed])


_LOGICAL = ("NoChange", "Down", "Initialize", "Armed", "Active")
_PHYSICAL = (
    "NoChange", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
)  # fmt: skip
"""By the number in PortInfo."""
_SHORT = {"ACT": "Active", "ARM": "Armed", "INI": "Initialize", "INIT": "Initialize", "DWN": "Down", "UP": "LinkUp"}
_WORKS = {"Active", "LinkUp"}
_BY_NAME = {x.casefold(): x for x in (*_LOGICAL, *_PHYSICAL)} | {x.casefold(): y for x, y in _SHORT.items()}


def why_idle(place: str, *, logical: str = "", physical: str = "", state: str = "") -> str:
    """Why no packets pass a port, "" where they do; each state by its name or number, "" where it is not stated;
    ``state``: by a name of either."""
    for text, names in ((logical, _LOGICAL), (physical, _PHYSICAL), (state, _PHYSICAL)):
        number = int(text) if text.isdecimal() and text.isascii() else -1
        name = names[number] if 0 <= number < len(names) else _BY_NAME.get(text.casefold())
        if text and (name is None or name == "NoChange"):
            raise InputError(
                f"{place}: a port is in the state {brief(text)}; one of {', '.join(names[1:])} was expected"
            )
        if name is not None and name not in _WORKS:
            return name
    return ""
