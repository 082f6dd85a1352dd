"""Lists of links for ns-3: SimAI's topologies, those of ASTRA-sim's ns-3 and of HPCC.

SimAI's first line: nodes, GPUs per server, NVSwitches, other switches, links, kind of GPU; HPCC's and ASTRA-sim's:
nodes, switches, links.  Then the numbers of the switches, NVSwitches first, and a line for every link, both ways: two
nodes, rate, delay, error rate (``0 16 2880Gbps 0.000025ms 0``).

All nodes that are no switches send and receive.  Where each of them has one link, to a switch, they are terminals on
that switch, and their own links no channels (as in a fabric); elsewhere each is a node.  Bandwidth 1 is what the
slowest sends over its links to switches other than NVSwitches (without such links: 1 Gb/s).

Not used: delays, which change no load, the kind of GPU, and whatever follows the links (ns-3 does not read it; a
warning says so).  Refused, since a number would change: an error rate above 0 (no exact bandwidth states what is lost),
and two links between the same nodes (the simulators use the last alone).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.errors import InputError, warn
from ...core.network import Network
from ...machine.memory import check_memory
from ..format import Bandwidth, File, Format, NetworkFormat
from ..rated import RatedNetwork, gbps_of, in_units
from ..text_files import MEGABYTE, Line, brief, stem, unexpected, whole_number

_LIMIT = 512 * MEGABYTE
_MOST = 4_000_000
_LINK_BYTES = 600  # of a link, while the network is made
_SIMAI = r"\s*\d+ +\d+ +\d+ +\d+ +\d+ +[A-Za-z]\w*[ \t]*\r?\n"
_PLAIN = r"\s*\d+[ \t]+\d+[ \t]+\d+[ \t]*\r?\n"
_RATE_OR_DELAY = r"([\d.]+[kKMGT]?i?(bps|b/s|Bps|B/s)|\S+[ \t]+[\d.]+(s|ms|us|ns|ps))[ \t]"
_LINK = rf"[\d\s]*?(?<=\n)[ \t]*\d+[ \t]+\d+[ \t]+{_RATE_OR_DELAY}"
_BEGINS = re.compile(f"{_SIMAI}[\\d\\s]*|{_PLAIN}{_LINK}")
_DELAY = re.compile(r"[0-9]+(\.[0-9]+)?(e-?[0-9]+)?(s|ms|us|ns|ps)")


_NAMES = {  # by the number of words in the first line
    3: ("nodes", "switches", "links"),
    6: ("nodes", "GPUs per server", "NVSwitches", "switches", "links"),
}


class _Header(NamedTuple):
    nodes: int
    links: int
    nvswitches: int
    switches: int
    gpus_per_server: int | None


Links = tuple[Int64, list[Fraction]]  # the two nodes of each, shape (L, 2), and the rates


def read_ns3(file: File, bandwidth: Bandwidth = None) -> Network:
    lines = file.lines(limit=_LIMIT, wanted="a list of links")
    header = _header(lines, file.what)
    special = _switches(lines, header, file.what)
    check_memory(header.links * _LINK_BYTES + header.nodes * 200, f"{file.what} ({header.links:,} links)")
    links = _links(lines, header, file.what)
    is_switch = np.zeros(header.nodes, dtype=bool)
    is_switch[special] = True
    if is_switch.all():
        raise InputError(f"{file.what}: all {header.nodes} nodes are switches; nodes that send were expected")
    is_nvswitch = np.zeros(header.nodes, dtype=bool)
    is_nvswitch[special[: header.nvswitches]] = True
    return _network(file, header, links, is_switch, is_nvswitch, bandwidth)


def _whole(text: str, what: str) -> int:
    return whole_number(text, what, f"a whole number of at most {_MOST}", most=_MOST)


def _header(lines: Iterator[Line], what: str) -> _Header:
    first = next(lines, Line(1, "", f"{what}, line 1"))
    words, where = first.words, first.place
    names = _NAMES.get(len(words))
    if names is None:
        raise InputError(
            f"{where} has {len(words)} words; nodes, switches and links were expected, or SimAI's six: nodes, GPUs per "
            f"server, NVSwitches, switches, links, kind of GPU"
        )
    found = {name: _whole(x, f"{where}: number of {name}") for name, x in zip(names, words, strict=False)}
    each = found.get("GPUs per server")
    header = _Header(found["nodes"], found["links"], found.get("NVSwitches", 0), found["switches"], each)
    if each is not None:
        gpus = header.nodes - header.nvswitches - header.switches
        if not each or gpus % each:
            raise InputError(f"{where}: {gpus} GPUs in servers of {each}; whole servers expected")
    if header.nvswitches + header.switches > header.nodes:
        raise InputError(f"{where}: {header.nvswitches + header.switches} switches among {header.nodes} nodes")
    return header


def _switches(lines: Iterator[Line], header: _Header, what: str) -> list[int]:
    count = header.nvswitches + header.switches
    found: list[int] = []
    while len(found) < count:
        line = next(lines, None)
        if line is None:
            raise InputError(f"{what} ends after the numbers of {len(found)} switches; {count} were expected")
        found += [_node(x, header, f"{line.place}: a switch") for x in line.words]
        if len(found) > count:
            raise line.error(f"{len(found)} switches, where line 1 has {count}")
    if len(set(found)) < count:
        twice = next(x for k, x in enumerate(found) if x in found[:k])
        raise InputError(f"{what}: switch {twice} is listed twice")
    return found


def _node(text: str, header: _Header, what: str) -> int:
    node = _whole(text, what)
    if node >= header.nodes:
        raise InputError(f"{what} is {node}, and there are {header.nodes} nodes; 0 to {header.nodes - 1} were expected")
    return node


def _links(lines: Iterator[Line], header: _Header, what: str) -> Links:
    ends: list[tuple[int, int]] = []
    rates: list[Fraction] = []
    seen: dict[tuple[int, int], int] = {}
    known: dict[str, Fraction] = {}
    for line in lines:
        where, words = line.place, line.words
        if len(ends) == header.links:
            warn(f"{where} and what follows is not used: line 1 has {header.links} links, and ns-3 reads no more")
            break
        if len(words) != 5:
            raise InputError(f"{where} has {len(words)} words; two nodes, rate, delay and error rate were expected")
        u, v = (_node(x, header, f"{where}: a node") for x in words[:2])
        if u == v:
            raise InputError(f"{where}: node {u} is joined to itself")
        first = seen.setdefault((min(u, v), max(u, v)), line.number)
        if first != line.number:
            raise InputError(
                f"{where}: nodes {u} and {v} are joined in line {first} already; of such links ns-3 uses the last "
                f"alone: one with the bandwidth of both was expected"
            )
        if words[2] not in known:
            known[words[2]] = gbps_of(words[2], what=f"{where}: rate")
        if not _DELAY.fullmatch(words[3]):
            raise unexpected(f"{where}: delay", words[3], "a time such as 0.0005ms")
        _check_no_errors(words[4], where)
        ends.append((u, v))
        rates.append(known[words[2]])
    if len(ends) < header.links:
        raise InputError(f"{what}: line 1 has {header.links} links, and {len(ends)} are listed; is the file whole?")
    return np.array(ends, dtype=np.int64).reshape(-1, 2), rates


def _check_no_errors(text: str, where: str) -> None:
    try:
        lost = float(text)
    except ValueError:
        raise unexpected(f"{where}: error rate", text, "a number") from None
    if lost:
        raise InputError(
            f"{where}: error rate {brief(text)}; no exact bandwidth states what is lost, so that only 0 is read"
        )


def _network(
    file: File, header: _Header, links: Links, is_switch: Bools, is_nvswitch: Bools, bandwidth: Bandwidth
) -> Network:
    (ends_of, rates), host = links, np.flatnonzero(~is_switch)
    labels = _labels(header, is_switch, is_nvswitch)
    degree = np.bincount(ends_of.ravel(), minlength=header.nodes)
    alone = np.flatnonzero(degree == 0)
    if alone.size:
        raise InputError(f"{file.what}: node {int(alone[0])} has no link")
    outside: dict[int, Fraction] = {}
    for (u, v), rate in zip(ends_of.tolist(), rates, strict=True):
        for a, b in ((u, v), (v, u)):
            if not is_switch[a] and is_switch[b] and not is_nvswitch[b]:
                outside[a] = outside.get(a, Fraction(0)) + rate
    own = list(outside.values()) if len(outside) == len(host) else [Fraction(1)]
    hangs = bool((degree[host] == 1).all()) and len(outside) == len(host)
    kept = np.flatnonzero(~(~is_switch[ends_of]).any(axis=1)) if hangs else np.arange(len(rates))
    number = np.cumsum(is_switch) - 1 if hangs else np.arange(header.nodes)
    ends = number[ends_of[kept]]
    widths, gbps, slowest = in_units(
        bandwidth, [rates[k] for k in kept.tolist() for _ in range(2)], own, what=file.what
    )
    if hangs:
        mine = ends_of[(~is_switch[ends_of]).any(axis=1)]
        far = np.empty(header.nodes, dtype=np.int64)
        far[mine[:, 0]], far[mine[:, 1]] = mine[:, 1], mine[:, 0]
        at = number[far[host]]
    else:
        at = number[host]
    return RatedNetwork(
        name=file.stem if file.ends_with(".txt") else stem(f"{os.fspath(file.path)}.x"),  # of SimAI's, dots are part
        num_nodes=int(is_switch.sum()) if hangs else header.nodes,
        tail=ends.ravel().astype(np.int32),
        head=ends[:, ::-1].ravel().astype(np.int32),
        bandwidth=widths,
        source=at.astype(np.int32),
        sink=at.astype(np.int32),
        labels=tuple(x for x, yes in zip(labels, is_switch.tolist(), strict=True) if yes or not hangs),
        terminal_labels=tuple(labels[v] for v in host.tolist()),
        gbps=gbps,
        host_bandwidth=slowest,
        host_widths=tuple(outside[v] / gbps for v in host.tolist()) if hangs and gbps is not None else None,
    )


def _labels(header: _Header, is_switch: Bools, is_nvswitch: Bools) -> list[str]:
    """``server0.gpu3``, ``nvswitch16``, ``switch20``; ``host3`` where the file knows no servers."""
    labels, gpus = [], 0
    for v in range(header.nodes):
        if is_switch[v]:
            labels.append(f"nvswitch{v}" if is_nvswitch[v] else f"switch{v}")
        elif header.gpus_per_server is None:
            labels.append(f"host{v}")
        else:
            labels.append(f"server{gpus // header.gpus_per_server}.gpu{gpus % header.gpus_per_server}")
            gpus += 1
    return labels


NS3: NetworkFormat = Format(
    "ns3-links",
    "a list of links for ns-3 (SimAI, HPCC)",
    sniff=lambda file: _BEGINS.match(file.start) is not None,
    read=read_ns3,
    options=("bandwidth",),
)
