"""The inside of servers, as NCCL and RCCL dump it and take it (``NCCL_TOPO_DUMP_FILE``, ``NCCL_TOPO_FILE``): XML.

``<system>`` holds ``<cpu>`` (a NUMA node), these hold ``<pci>`` (switches, GPUs, NICs), a GPU's device holds ``<gpu>``
with its ``<nvlink>``, ``<xgmi>`` and ``<c2c>``, a NIC's ``<nic>`` with a ``<net>`` for each port.  CPUs of several
hosts (``host_hash``) are several servers in one file.

The file has counts of links, and PCIe speeds; what a link carries is what NCCL counts with (``src/graph/topo.h`` and
``topo.cc`` of NCCL 2.28, ``topo.h`` of RCCL 2.20), in GB/s each way: less than the nominal rate (20 of 25 for an
NVLink of A100).  As there: all links to NVSwitches go to one, CPUs of a host are joined pairwise, the two levels of
Broadcom's PCIe switches are one, a link speed that is not known counts as 8 GT/s, a NIC of no speed as 10 Gb/s.

Not used: affinity, latency, GUIDs and other marks that change no bandwidth; a mark that NCCL does not have is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.errors import InputError, warn
from ...core.network import Network
from ...topologies.build import check_size
from ..format import File, Format, NetworkFormat
from ..rated import RatedNetwork
from ..text_files import brief, first_of, unexpected
from ..xml_elements import Element, xml_root

_LOCAL = Fraction(5000)
_NVLINK = ((100, "40.1"), (90, "20.6"), (87, "20"), (86, "12"), (70, "20"), (60, "18"), (0, "20"))  # from sm on
_XGMI = (("gfx90a", 36), ("910", 36), ("gfx94", 48), ("94", 48), ("", 24))  # by how gcn begins
_LANE = {"2.5": 15, "5": 30, "5.0": 30, "8": 60, "8.0": 60, "16": 120, "16.0": 120, "32": 240, "32.0": 240, "64.0": 480}
_KINDS = (("0x060400", "pci"), ("0x080100", "pci"), ("0x068000", "nvswitch"), ("0x068001", "cpu"), ("0x03", "gpu"),
          ("0x120000", "gpu"), ("0x02", "nic"))  # fmt: skip
_BUS = re.compile(r"[0-9a-fA-F]{1,8}:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}(?:\.[0-9a-fA-F]{1,4})?")
_INSIDE = {
    "system": {"cpu"},
    "cpu": {"pci", "nic"},
    "pci": {"pci", "gpu", "nic", "pcilink"},
    "gpu": {"nvlink", "xgmi", "c2c"},
    "nic": {"net"},
}
_MARKS = {
    "system": "version",
    "cpu": "numaid affinity arch vendor familyid modelid host_hash",
    "pci": "busid class vendor device subsystem_vendor subsystem_device link_speed link_width",
    "gpu": "dev sm rank gdr gcn arch",
    "nvlink": "target count tclass",
    "xgmi": "target count tclass",
    "c2c": "count bw",
    "pcilink": "target",
    "nic": "",
    "net": "name dev speed port latency guid maxconn gdr coll net gin rma rail plane",
}


class Part(NamedTuple):
    """``kind``: cpu, pci, gpu, nic, net or nvswitch; ``host``: which of the file's; ``guid`` of a net, else 0."""

    kind: str
    name: str
    host: int
    guid: int = 0


class Link(NamedTuple):
    """From one part to another, by number; ``kind``: NVLink, XGMI, C2C, PCI, SYS (between CPUs), NET or LOC."""

    tail: int
    head: int
    kind: str
    gbytes: Fraction


@dataclass
class Server:
    """``gpus``: the part of every rank, in order of the ranks where the file has them, else of the file."""

    parts: list[Part] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    gpus: list[int] = field(default_factory=list)

    @property
    def nets(self) -> list[int]:
        """The parts that are ports of NICs, in the file's order."""
        return [k for k, x in enumerate(self.parts) if x.kind == "net"]

    @property
    def hosts(self) -> int:
        return 1 + max(x.host for x in self.parts)


class _Reading:
    """One file, being read; ``ranks`` and ``elements`` of GPUs, for the links between them, which come last."""

    def __init__(self, what: str) -> None:
        self.what, self.made = what, Server()
        self.at: dict[tuple[int, str], int] = {}  # host and bus id -> part
        self.ranks: list[tuple[int | None, int]] = []
        self.linked: list[_Joined] = []
        self.host_of: dict[str, int] = {}
        self.cpus: dict[int, list[tuple[int, Fraction]]] = {}
        self.unknown: dict[str, None] = {}
        self.slow: dict[str, None] = {}

    def part(self, kind: str, name: str, host: int, guid: int = 0) -> int:
        self.made.parts.append(Part(kind, name, host, guid))
        return len(self.made.parts) - 1

    def join(self, a: int, b: int, kind: str, gbytes: Fraction) -> None:
        self.made.links += [Link(a, b, kind, gbytes), Link(b, a, kind, gbytes)]

    def inside(self, element: Element) -> Iterator[Element]:
        """What is in an element, each known there; its marks are looked at."""
        known = _MARKS[element.tag].split()
        for x in element.attributes:
            if x not in known and x != "keep":
                if x == "mlopart":
                    raise InputError(f"{element.place}: GPUs in parts (mlopart) are not read")
                self.unknown[f"{x} of <{element.tag}>"] = None
        for child in element.children:
            if child.tag not in _INSIDE.get(element.tag, ()):
                wanted = " or ".join(f"<{x}>" for x in sorted(_INSIDE.get(element.tag, ()))) or "nothing"
                raise InputError(f"{child.place}: <{child.tag[:40]}> in <{element.tag}>; {wanted} was expected")
            yield child

    def look(self, element: Element) -> None:
        """At one that holds nothing."""
        for _ in self.inside(element):
            pass

    def cpu(self, element: Element) -> None:
        host = self.host_of.setdefault(element.attributes.get("host_hash", ""), len(self.host_of))
        number = element.whole("numaid", least=-1)
        here = self.part("cpu", f"CPU{number}", host)
        if any(self.made.parts[k].name == f"CPU{number}" for k, _ in self.cpus.get(host, ())):
            raise InputError(f"{element.place}: numaid {number} is there twice; once was expected")
        self.cpus.setdefault(host, []).append((here, _between_cpus(element)))
        for x in self.inside(element):
            if x.tag == "pci":
                self.pci(x, here, None, host, here)
            else:
                nic = self.part("nic", f"NIC of CPU{number}", host)
                self.join(here, nic, "PCI", _LOCAL)
                self.nic(x, nic, host)

    def pci(self, element: Element, above: int, over: Element | None, host: int, cpu: int) -> None:
        """``above``: the part that it hangs on, by the element ``over`` where that is a switch."""
        below = list(self.inside(element))
        tags = {x.tag for x in below}
        kind = _kind(element.text("class"))
        kind = "gpu" if "gpu" in tags else "nic" if "nic" in tags else kind
        if kind in ("gpu", "nic") and tags & {"pci", "pcilink"}:
            raise InputError(f"{element.place}: a device of kind {kind} holds other devices; a switch was expected")
        bus = _bus(element, "busid")
        bus = bus.partition(".")[0] if kind == "nic" else bus  # the ports of a NIC are functions of one device
        gbytes = self.speed(element)
        if kind == "pci" and over is not None and _broadcom(element, 1) and _broadcom(element, 1) == _broadcom(over, 0):
            here = self.at[host, bus] = above
        elif kind == "nic" and (host, bus) in self.at:
            here = self.at[host, bus]  # another port of one device
        else:
            if (host, bus) in self.at and kind == "gpu":
                raise InputError(f"{element.place}: busid {brief(bus)} is there twice; once was expected")
            named = {"pci": "PCI ", "gpu": "GPU ", "nic": "NIC "}.get(kind, f"{kind} ") + element.text("busid").strip()
            here = self.part(kind, named, host)
            self.at.setdefault((host, bus), here)  # dumps give several switches one bus id; links are to the first
            self.join(above, here, "PCI", gbytes)
        for x in below:
            if x.tag == "pci":
                self.pci(x, here, element, host, cpu)
            elif x.tag == "nic":
                self.nic(x, here, host)
            elif x.tag == "gpu":
                self.gpu(x, here, host, cpu, first=all(v != here for _, v in self.ranks))
            else:
                self.look(x)
                self.linked.append(_Joined(x, element, here, host, cpu))
        if kind == "gpu" and "gpu" not in tags:
            self.ranks.append((None, here))

    def gpu(self, element: Element, here: int, host: int, cpu: int, *, first: bool) -> None:
        """``first``: is it the first of the ranks on one GPU?  They state its links alike."""
        number = element.whole("dev", default=len(self.ranks))
        rank = element.whole("rank", least=-1, default=-1)
        self.made.parts[here] = self.made.parts[here]._replace(name=f"GPU{number}")
        self.ranks.append((rank if rank >= 0 else None, here))
        for x in self.inside(element):
            self.look(x)
            if first:
                self.linked.append(_Joined(x, element, here, host, cpu))

    def nic(self, element: Element, here: int, host: int) -> None:
        for x in self.inside(element):
            self.look(x)
            if "dev" not in x.attributes or not x.whole("net", default=1):
                continue  # NCCL does not use it as a port
            mbps = x.whole("speed", least=-1, default=0) or 0
            guid = x.attributes.get("guid", "0").strip()
            if not re.fullmatch(r"(0[xX])?[0-9a-fA-F]{1,16}", guid):
                raise unexpected(f"{x.place}: guid", guid, "a number such as 0xf01cbc0103dd6838")
            name = x.attributes.get("name", f"net{x.whole('dev')}").strip() or f"net{x.whole('dev')}"
            port = self.part("net", name, host, int(guid, 16))
            self.join(here, port, "NET", Fraction(mbps if mbps > 0 else 10000, 8000))

    def speed(self, element: Element) -> Fraction:
        """GB/s of a PCIe link: 12 for 16 lanes at 8 GT/s."""
        lanes = element.whole("link_width", most=64) or 16
        text = element.text("link_speed").strip()
        rate = _LANE.get(text.removesuffix("PCIe").strip().removesuffix("GT/s").strip())
        if rate is None:
            self.slow[text] = None
        return Fraction(lanes * (rate or 60), 80)

    def join_linked(self) -> None:
        """NVLink, XGMI, C2C and links between PCIe switches; GPUs state each direction of a link of their own."""
        switch: dict[int, int] = {}
        missing: dict[str, None] = {}
        total: dict[tuple[int, int, str], Fraction] = {}

        def add(a: int, b: int, kind: str, gbytes: Fraction) -> None:
            total[a, b, kind] = total.get((a, b, kind), Fraction(0)) + gbytes

        for link, owner, here, host, cpu in self.linked:
            if link.tag == "c2c":
                gbytes = Fraction(link.whole("count", least=1, most=4096) * link.whole("bw", least=1), 1000)
                add(here, cpu, "C2C", gbytes)
                add(cpu, here, "C2C", gbytes)
                continue
            target = "pci" if link.tag == "pcilink" else _kind(link.text("tclass"))
            kind = {"nvlink": "NVLink", "xgmi": "XGMI", "pcilink": "LOC"}[link.tag]
            gbytes = _LOCAL if link.tag == "pcilink" else link.whole("count", least=1, most=4096) * _each(link, owner)
            if target in ("gpu", "pci"):
                other = self.at.get((host, _bus(link, "target")))
                if other is None:
                    missing[link.text("target").strip()] = None
                elif other == here:
                    raise InputError(f"{link.place}: target is the device itself; another one was expected")
                else:
                    add(here, other, kind, gbytes)
                continue
            if target != "cpu" and 0 not in switch:
                switch[0] = self.part("nvswitch", "NVSwitch", 0)
            other = cpu if target == "cpu" else switch[0]
            add(here, other, kind, gbytes)
            add(other, here, kind, gbytes)
        self.made.links += [Link(*ends, gbytes) for ends, gbytes in total.items()]
        if missing:
            warn(f"{self.what}: links to {first_of(list(missing), 4)} are left out, as NCCL does: no such device there")


class _Joined(NamedTuple):
    """A link that waits for all devices: the element that states it, what is in, its part, its host and its CPU."""

    link: Element
    owner: Element
    here: int
    host: int
    cpu: int


def _bus(element: Element, name: str) -> str:
    """A bus id as NCCL compares them, in small letters."""
    text = element.text(name).strip().lower()
    if not _BUS.fullmatch(text):
        raise unexpected(f"{element.place}: {name}", text, "a bus id such as 0000:0c:00.0")
    return text


def _kind(pci_class: str) -> str:
    return next((kind for start, kind in _KINDS if pci_class.startswith(start)), "pci")


def _each(link: Element, gpu: Element) -> Fraction:
    """GB/s of one NVLink or XGMI of a GPU."""
    if link.tag == "nvlink":
        sm = gpu.whole("sm", most=9999)
        return Fraction(next(x for least, x in _NVLINK if sm >= least))
    gcn = gpu.text("gcn").strip()
    return Fraction(next(x for start, x in _XGMI if gcn.startswith(start)))


def _between_cpus(element: Element) -> Fraction:
    """GB/s between two CPUs of one host."""
    arch, vendor = element.text("arch"), element.attributes.get("vendor", "")
    if arch in ("ppc64", "arm64"):
        return Fraction(32 if arch == "ppc64" else 6)
    if arch == "x86_64" and vendor == "AuthenticAMD":
        return Fraction(16)
    if arch == "x86_64" and vendor in ("GenuineIntel", "CentaurHauls", "  Shanghai  "):
        family, model = element.whole("familyid"), element.whole("modelid")
        if vendor != "GenuineIntel":
            return Fraction(9 if (family, model) == (7, 0x5B) else 6)
        steps = ((0xCF, 40), (0x8F, 22), (0x55, 10)) if family == 6 else ()
        return Fraction(next((x for least, x in steps if model >= least), 6))
    return _LOCAL


def _broadcom(element: Element, level: int) -> int:
    """Of which generation of Broadcom's PCIe switches, of two levels, is it (4, 5)?  Else 0."""
    words = [element.attributes.get(x, "0") for x in ("vendor", "device", "subsystem_vendor", "subsystem_device")]
    if not all(re.fullmatch(r"0x[0-9a-fA-F]{1,4}", x) for x in words):
        return 0
    vendor, device, of, sub = (int(x, 16) for x in words)
    if (vendor, device, of, sub & 0xF000) == (0x1000, 0xC010, 0x1000, 0xA000):
        return 4
    return 5 if (vendor, device, of, sub & 0xF000) == (0x1000, 0xC030, 0x1000, level << 12) else 0


def read_server(file: File) -> Server:
    """The parts and links of the servers in a file; raises InputError, with the line, for what NCCL has not."""
    root = xml_root(file.text, what=file.what)
    if root.tag != "system":
        raise InputError(f"{root.place}: <{root.tag[:40]}>; <system> was expected")
    root.whole("version", least=1, most=2)
    reading = _Reading(file.what)
    for x in reading.inside(root):
        reading.cpu(x)
    reading.join_linked()
    made = reading.made
    for host in reading.cpus.values():
        for a, gbytes in host:
            made.links += [Link(a, b, "SYS", gbytes) for b, _ in host if b != a]
    ranks = [x for x, _ in reading.ranks]
    if not ranks:
        raise InputError(f"{file.what} has no GPU; one at least was expected")
    known = None not in ranks and len(set(ranks)) == len(ranks)
    order = sorted(reading.ranks, key=lambda x: x[0] or 0) if known else reading.ranks
    made.gpus = [here for _, here in order]
    if reading.unknown:
        warn(f"{file.what}: not used: {first_of(list(reading.unknown), 6)}")
    if reading.slow:
        warn(f"{file.what}: link_speed {first_of([repr(x) for x in reading.slow], 4)} counts as 8 GT/s, as in NCCL")
    if not any(x.tag == "gpu" for x in _all(root)):
        warn(f"{file.what}: it has no <gpu>: NCCL adds NVLinks and NICs' speeds when it starts; PCIe alone is here")
    return made


def _all(root: Element) -> Iterator[Element]:
    waiting = [root]
    while waiting:
        yield (x := waiting.pop())
        waiting += x.children


def network_of_server(server: Server, *, name: str) -> Network:
    """Every GPU's rank a terminal; a part of several hosts is called by its host first (``host1 GPU0``)."""
    several = server.hosts > 1
    check_size(name, nodes=len(server.parts), channels=len(server.links), terminals=len(server.gpus))
    labels = [f"host{x.host} {x.name}" if several and x.kind != "nvswitch" else x.name for x in server.parts]
    twice = {x for x, count in Counter(labels).items() if count > 1}
    labels = [f"{x} #{k}" if x in twice else x for k, x in enumerate(labels)]
    ranks = [labels[v] for v in server.gpus]
    shared = {x for x, count in Counter(ranks).items() if count > 1}
    plain = Network.of(
        name,
        len(labels),
        np.array([(x.tail, x.head) for x in server.links], dtype=np.int64).reshape(-1, 2),
        bandwidth=[x.gbytes for x in server.links],
        source=np.array(server.gpus),
        sink=np.array(server.gpus),
        labels=labels,
        terminal_labels=tuple(f"{x} rank {k}" if x in shared else x for k, x in enumerate(ranks)),
        channel_attributes={"link": [x.kind for x in server.links]},
    )
    return RatedNetwork(**{x.name: getattr(plain, x.name) for x in fields(plain)}, gbps=Fraction(8))


NCCL: NetworkFormat = Format(
    "nccl",
    "NCCL's and RCCL's topology XML",
    sniff=lambda file: re.search(r"\A(?:\s|<\?xml[^>]*>|<!--.*?-->)*<system\b", file.start, re.DOTALL) is not None,
    read=lambda file, _bandwidth: network_of_server(read_server(file), name=file.stem),
)
