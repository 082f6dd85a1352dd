"""A folder with the dumps of one InfiniBand fabric (of OpenSM, of ibdiagnet, or by hand) as one argument.

What a file holds is told by its content.  Several topologies must be of the same fabric at the same time.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from ...core.errors import InputError, warn
from ..folder import first_known, text_files, warn_of_others
from ..format import FORMATS, Bandwidth, File, Format, NetworkFormat
from ..text_files import shown
from .adaptive_groups import BEGINNING
from .fabric import Archive, FabricNetwork

_WANTED = "a fabric's cables, forwarding tables or service levels"
KINDS: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "tables": ("forwarding tables", re.compile(r"^Unicast lids\b|dump_ucast_routes: Switch 0x", re.MULTILINE)),
    "groups": ("groups of adaptive routing", BEGINNING),
    "levels": (
        "path records",
        re.compile(
            r"^PathRecord dump:|^0x[0-9a-fA-F]{16} \d+ \d+\s*$"
            r"|^(Channel Adapter|Router|Switch) 0x[0-9a-fA-F]{16}, base LID .*\n(#.*\n)?"
            r"\s*0x[0-9a-fA-F]{4}\s+:(\s+\d+\s*:){2}",
            re.MULTILINE,
        ),
    ),
    "lanes": (
        "SL2VL tables",
        re.compile(
            r"^SL2VLTableRecord dump:|^# SL2VL table:|^\d+\s+\d+\s*:(\s+\d+){16}\s*$"
            r"|^0x[0-9a-fA-F]{16} \d+ \d+( 0x[0-9a-fA-F]{2}){8}\s*$",
            re.MULTILINE,
        ),
    ),
}
"""What else a folder may hold, by the names of ``Archive``: what it is called, and how such a file begins."""
_JSON = re.compile(r'\s*[\[{]\s*["\[{\]}]')  # no tool of InfiniBand prints it; a thousand files are searched in vain


def _topologies() -> list[NetworkFormat]:
    return sorted((x for x in FORMATS.own.values() if x.rank), key=lambda x: x.rank)


def _kind(file: File) -> tuple[NetworkFormat | None, str | None]:
    if _JSON.match(file.start):
        return None, None
    start = file.start.replace("\r\n", "\n").replace("\r", "\n")
    topology = next((x for x in _topologies() if x.sniff is not None and x.sniff(file)), None)
    return topology, None if topology else next((name for name, (_, form) in KINDS.items() if form.search(start)), None)


def infiniband_dumps(file: File) -> str:
    """Which file about an InfiniBand fabric is in that folder, in words; "" where there is none."""

    def word(one: File) -> str:
        topology, kind = _kind(one)
        return topology.help if topology is not None else f"{KINDS[kind][0]} of InfiniBand" if kind else ""

    return first_known(file.path, word)


def read_directory(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    """The fabric in a folder, with the files of its tables and service levels; says what is left out."""
    path = os.fspath(file.path)
    what = f"directory {shown(path)}"
    topologies: dict[str, list[tuple[str, File]]] = {}
    others: dict[str, list[tuple[str, File]]] = {}
    unknown: list[str] = []
    for inside, one in text_files(path, wanted=_WANTED):
        topology, kind = _kind(one)
        if topology is not None:
            topologies.setdefault(topology.name, []).append((inside, one))
        elif kind is not None:
            others.setdefault(kind, []).append((inside, one))
        else:
            unknown.append(inside)
    if not topologies:
        have = next(iter(others.values()))[0][0]
        raise InputError(f"{what} has {shown(have)}, but no topology: add what ibnetdiscover prints")
    network = _agreed(list(_networks(topologies, file, bandwidth)), what)
    archive = Archive(path, **{kind: tuple(x.path for _, x in files) for kind, files in others.items()})  # type: ignore[arg-type]
    warn_of_others(what, unknown, "cables nor tables or service levels of the fabric")
    return network.with_archive(archive, name=os.path.basename(os.path.abspath(path)))


def _networks(
    topologies: Mapping[str, list[tuple[str, File]]], file: File, bandwidth: Bandwidth
) -> Iterator[tuple[str, FabricNetwork]]:
    """The topologies that can be read, the best one first, with a line for those that cannot."""
    files = [(x, *one) for x in _topologies() for one in topologies.get(x.name, [])]
    first: InputError | None = None
    count = 0
    for entry, inside, one in files:
        assert entry.read is not None
        one.choice = file.choice
        try:
            with warnings.catch_warnings():
                if count:
                    warnings.simplefilter("ignore")
                network = entry.read(one, bandwidth)
        except InputError as error:
            first = first or error
            warn(f"left out: {error}")
            continue
        assert isinstance(network, FabricNetwork)
        count += 1
        yield inside, network
    if not count and first is not None:
        raise first


def _agreed(found: list[tuple[str, FabricNetwork]], what: str) -> FabricNetwork:
    """The first one, where all others are of the same switches, cables, hosts and lids."""
    (first, network), *rest = found
    mine = _facts(network)
    for other, again in rest:
        theirs = _facts(again)
        for key in [*mine, *theirs]:
            a, b = mine.get(key), theirs.get(key)
            if a is None or b is None:
                here, missing = (first, other) if b is None else (other, first)
                raise InputError(
                    f"{what}: {key} is in {here} and not in {missing}; are these files of one day? (Only "
                    f"ibnetdiscover lists cables that carry no packets; iblinkinfo, .lst and db_csv say which.)"
                )
            if a != b:
                raise InputError(f"{what}: {key} {a} in {first} and {b} in {other}; are these files of one day?")
    return network


def _facts(network: FabricNetwork) -> dict[str, str]:
    guid = [f"0x{x.guid:016x}" for x in network.switches]
    found = {f"switch {x}": f"has lid {s.lid}" for x, s in zip(guid, network.switches, strict=True)}
    unit = network.gbps or Fraction(1)
    ends = np.stack([network.tail, network.port, network.head, network.far_port], axis=1).tolist()
    for c, (u, p, v, q) in enumerate(ends):
        speed = "" if network.gbps is None else f" at {float(network.bandwidth[c] * unit):g} Gb/s"
        found[f"port {p} of switch {guid[u]}"] = f"leads to port {q} of switch {guid[v]}{speed}"
    for host in network.hosts:
        found[f"port {host.port} of switch {guid[host.switch]}"] = f"leads to a host with lid {host.lid}"
    return found


INFINIBAND_DIRECTORY: NetworkFormat = Format(
    "infiniband-directory",
    "a directory with the dumps of an InfiniBand fabric",
    directory=infiniband_dumps,
    read=read_directory,
    options=("bandwidth", "hosts"),
)
