"""A network as a list of its cables, CSV with the first line ``device,port,device,port,bandwidth,kind``: what a fabric
is meant to be, for people and their spreadsheets, and for ``check --intent``.

``kind`` is ``cable``, between two switches and with a channel each way, or ``host``: the second device is a host, a
terminal of the first, and its cable is no channel; a bandwidth of it is not used, with a warning.  Cables have all a
bandwidth or none, which is 1.  Ports of cables are compared with a fabric's, where both are named; those of hosts are
for people.  Where a network names no ports, they are numbered from 1 on at every switch.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import count

from ...core.errors import InputError, warn
from ...core.network import Network
from ...topologies.failures import cables_of
from ...topologies.ports import ENTERS, LEAVES, ports_at
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import FilePath, brief, csv_rows, first_of, positive_number, write_text_atomic

_HEAD = ["device", "port", "device", "port", "bandwidth", "kind"]
_START = re.compile(r"(\s*#.*\n)*\s*" + r"\s*,\s*".join(_HEAD) + r"\s*$", re.I | re.M)


def read_cable_list(file: File, _bandwidth: Bandwidth = None) -> Network:
    """Devices are numbered as they come; raises InputError, with the line, for a port that is there twice, and hosts
    that are switches, too."""
    (place, head), *rows = [*csv_rows(file.text, file.what)] or [(file.what, list[str]())]
    if [x.lower() for x in head] != _HEAD:
        raise InputError(f"{place} is {brief(','.join(head))}; {','.join(_HEAD)} was expected as the first line")
    node: dict[str, int] = {}
    seen: dict[tuple[str, str], str] = {}
    ends: list[tuple[int, int]] = []
    widths: list[Fraction | int | str] = []
    ports: list[str] = []
    hosts: dict[str, int] = {}
    blank, unused = "", list[str]()
    for place, (a, p, b, q, bandwidth, kind) in rows:
        if kind not in ("cable", "host") or not (a and b) or a == b:
            raise InputError(f"{place}: two devices, and cable or host as the kind, were expected")
        for end in ((a, p), (b, q)):
            if end[1] and seen.setdefault(end, place) != place:
                raise InputError(
                    f"{place}: port {brief(end[1])} of {brief(end[0])} has a cable already, at {seen[end]}"
                )
        u = node.setdefault(a, len(node))
        if kind == "host":
            if b in hosts:
                raise InputError(
                    f"{place}: host {brief(b)} is there already; a name for each of its ports was expected"
                )
            hosts[b] = u
            if bandwidth:
                positive_number(bandwidth, what=f"{place}: bandwidth")
                unused.append(place)
            continue
        v = node.setdefault(b, len(node))
        ends += [(u, v), (v, u)]
        ports += [p, q, q, p]
        blank = blank if bandwidth else blank or place
        widths += [positive_number(bandwidth, what=f"{place}: bandwidth") if bandwidth else 1] * 2
    if both := next((x for x in hosts if x in node), None):
        raise InputError(f"{file.what}: {brief(both)} is a host and a switch; one of them was expected")
    if blank and any(x != 1 for x in widths):
        raise InputError(f"{blank}: the cable has no bandwidth, and others have; all or none were expected")
    if unused:
        warn(f"{file.what}: the bandwidths of hosts' cables are not used ({first_of(unused, 3)})")
    if not node:
        raise InputError(f"{file.what} has no cable; lines such as leaf1,1,spine1,1,1,cable were expected")
    at = list(hosts.values())
    return Network.of(
        file.stem, len(node), ends, bandwidth=widths or 1, source=at, sink=at, labels=tuple(node),
        terminal_labels=tuple(hosts),
        channel_attributes={LEAVES: ports[::2], ENTERS: ports[1::2]} if any(ports) else {},
    )  # fmt: skip


def write_cable_list(network: Network, path: FilePath) -> None:
    """Raises InputError for one-way channels, terminals that receive elsewhere, switches without cables, and names that
    are there twice."""
    _check(network)
    next_port: dict[int, count[int]] = defaultdict(lambda: count(1))
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(_HEAD)
    cables = [c for c, _ in cables_of(network)]
    named = any(any(ports_at(network, c)) for c in cables)
    for c in cables:
        u, v = int(network.tail[c]), int(network.head[c])
        ports = ports_at(network, c) if named else (next(next_port[u]), next(next_port[v]))
        write([network.label(u), ports[0], network.label(v), ports[1], network.bandwidth[c], "cable"])
    for t, u in enumerate(network.source.tolist()):
        port = network.host_ports[t] if network.host_ports is not None else "" if named else next(next_port[u])
        write([network.label(u), port, _host(network, t), "", "", "host"])
    write_text_atomic(path, text.getvalue())


def _host(network: Network, t: int) -> str:
    return f"host{t}" if network.terminal_labels is None else network.terminal_labels[t]


def _check(network: Network) -> None:
    one_way = next((x[0] for x in cables_of(network) if len(x) == 1), None)
    if one_way is not None:
        raise InputError(
            f"a list of cables has cables with a channel each way; {network.name} has {network.channel_label(one_way)} "
            f"without one back of equal bandwidth: write a network document (.json)"
        )
    if network.source.tolist() != network.sink.tolist():
        raise InputError(
            f"a list of cables has hosts at one switch each; in {network.name} some receive at another one"
        )
    names = [network.label(v) for v in range(network.num_nodes)]
    names += [_host(network, t) for t in range(network.num_terminals)]
    twice = next((x for x, k in Counter(x.strip() for x in names).items() if k > 1 or not x or x.startswith("#")), None)
    if twice is not None:
        raise InputError(f"{network.name} has no name of its own for every switch and host: {brief(twice)}")
    cabled = {*network.tail.tolist(), *network.source.tolist()}
    if len(cabled) < network.num_nodes:
        alone = next(v for v in range(network.num_nodes) if v not in cabled)
        raise InputError(f"a list of cables cannot name {network.label(alone)} of {network.name}, which has no cable")


CABLE_LIST: NetworkFormat = Format(
    "cable-list",
    "a list of cables",
    extensions=(".csv",),
    sniff=lambda file: bool(_START.match(file.start[:4096].replace("\r", ""))),
    read=read_cable_list,
    write=write_cable_list,
)
