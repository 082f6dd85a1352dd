"""A fabric from its sections: every cable listed at both ends, lids and names that are unique, rates, hosts.

Terminals are the host ports (also those of routers) in the file's order of hosts; their names are the node
descriptions.  A cable's bandwidth is its data rate, lanes times speed less the line code, over that of the slowest host
cable, so that 1 is what that host can send; ``bandwidth="gbps"`` leaves the data rates in Gb/s.

SHARP's aggregation nodes, which add up in switches and send nothing of their own, are left out unless ``hosts`` names
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from ...core.errors import InputError, warn
from ..format import Bandwidth, File
from ..host_names import HostChoice
from ..text_files import brief, first_of, positive_number
from .dumps import LAST_LID
from .fabric import CableEnd, FabricNetwork, Host, Section, Switch

AGGREGATION_NODE = re.compile(r"(?:.*\s)?Aggregation Node")
"""What a switch with SHARP calls the node that adds up in it ("Mellanox Technologies Aggregation Node")."""
_SHOWN = 6
_NO_LID = 0xFFFF  # what some firmware has before a subnet manager gives a lid


def fabric_of(file: File, sections: Iterable[Section], bandwidth: Bandwidth = None) -> FabricNetwork:
    """The fabric of the ``sections`` of a file; ``bandwidth``: None, "gbps", or one number for all channels."""
    what, nodes = file.what, {x.key: x for x in sections}
    given = isinstance(bandwidth, (int, Fraction))
    width = positive_number(bandwidth if given else 1, what=f"{what}: bandwidth")
    if isinstance(bandwidth, str) and bandwidth != "gbps":
        raise InputError(
            f"{what}: bandwidth={brief(bandwidth)}; gbps (data rates) or a number was expected for a fabric"
        )
    _check_ends(nodes, what)
    nodes = _working({key: x for key, x in nodes.items() if x.kind == "Switch" or x.ends}, what)
    switches = [x for x in nodes.values() if x.kind == "Switch"]
    if not switches:
        raise InputError(f"{what} has no switch; a fabric needs one")
    _check_lids(nodes, what)
    number = {x.key: v for v, x in enumerate(switches)}
    labels = _distinct([(x.name, x.guid) for x in switches])
    found = _hosts(nodes, number, what)
    kept = _kept(nodes, found, labels, file.choice, what)
    ends = [x for x, is_kept in zip(found, kept, strict=True) if is_kept]
    rates = {} if given else _rates(nodes, what)
    if bandwidth == "gbps" and not rates:
        raise InputError(f"{what} states no width and speed such as 4xEDR; give bandwidth=1 for all cables")
    own = [(rates[key, end.port], end.line) for key, end, _ in ends] if rates else []
    unit = _slowest_host(own, what) if own and bandwidth is None else Fraction(1)
    cables = [
        (u, port, number[end.far], end.far_port, rates[node.key, port] / unit if rates else width)
        for u, node in enumerate(switches)
        for port, end in sorted(node.ends.items())
        if end.far in number and (u, port) < (number[end.far], end.far_port)
    ]
    between = [x for x in cables if x[0] != x[2]]  # a loopback cable carries no packet between hosts
    if len(between) < len(cables):
        dropped = len(cables) - len(between)
        warn(f"{what}: {dropped} cables from a switch to itself are left out")
    tail, head = np.array([e for u, _, v, _, _ in between for e in ((u, v), (v, u))], np.int32).reshape(-1, 2).T
    hosts = tuple(host for _, _, host in ends)
    at = np.array([host.switch for host in hosts], dtype=np.int32)
    ports = np.array([p for x in between for p in ((x[1], x[3]), (x[3], x[1]))], dtype=np.int32).reshape(-1, 2)
    return FabricNetwork(
        name=file.stem,
        num_nodes=len(switches),
        tail=tail,
        head=head,
        bandwidth=tuple(x[4] for x in between for _ in range(2)),
        source=at,
        sink=at,
        labels=tuple(labels),
        terminal_labels=tuple(host.name for host in hosts),
        switches=tuple(Switch(x.guid, label, x.lid, x.ports, x.lmc) for x, label in zip(switches, labels, strict=True)),
        hosts=hosts,
        port=ports[:, 0],
        far_port=ports[:, 1],
        absent=tuple(host for (_, _, host), is_kept in zip(found, kept, strict=True) if not is_kept),
        gbps=unit if rates else None,
        host_widths=tuple(x / unit for x, _ in own) if rates else (width,) * len(ends),
    )


def _kept(
    nodes: dict[str, Section],
    found: Sequence[tuple[str, CableEnd, Host]],
    switches: Sequence[str],
    choice: HostChoice,
    what: str,
) -> list[bool]:
    """Which hosts take part: those chosen, and no aggregation nodes unless they are chosen by name."""
    described = [nodes[key].name for key, _, _ in found]
    names = [[host.name for _, _, host in found], described, [(x.split() or [x])[0] for x in described]]
    kept: list[bool] = choice.kept(names, what=what, nodes=switches).tolist()
    aggregate = [is_kept and bool(AGGREGATION_NODE.fullmatch(x)) for is_kept, x in zip(kept, described, strict=True)]
    if choice.hosts is not None or not any(aggregate):
        return kept
    first, count = found[aggregate.index(True)][2].name, sum(aggregate)
    if count == sum(kept):
        raise InputError(
            f"{what}: all hosts are SHARP aggregation nodes ({first}), which send nothing; hosts=* has them"
        )
    these = f"{count} SHARP aggregation nodes are" if count > 1 else "a SHARP aggregation node is"
    warn(f"{what}: {these} left out ({first}{' and others' if count > 1 else ''}); hosts=* takes all as hosts")
    return [is_kept and not x for is_kept, x in zip(kept, aggregate, strict=True)]


def _check_ends(nodes: dict[str, Section], what: str) -> None:
    for node in nodes.values():
        for end in node.ends.values():
            far = nodes.get(end.far)
            cable = f"{what}, line {end.line}: port {end.port} of {node.key} ({node.name!r}) leads to {end.far}"
            if far is None:
                raise InputError(f"{cable}, which has no section of its own; is the file cut off?")
            back = far.ends.get(end.far_port)
            if back is None:
                raise InputError(
                    f"{cable}[{end.far_port}], but the section of {end.far} (line {far.line}) does not list its port "
                    f"{end.far_port}: a cable seen from one end only"
                )
            if (back.far, back.far_port) != (node.key, end.port):
                raise InputError(
                    f"{cable}[{end.far_port}], which in line {back.line} leads to {back.far}[{back.far_port}] instead"
                )
            if far is node and end.far_port == end.port:
                raise InputError(f"{cable}[{end.far_port}], itself")


def _working(nodes: dict[str, Section], what: str) -> dict[str, Section]:
    """Without the cables that carry no packets, and hosts that have no other; a line names them."""
    states = {end.idle for node in nodes.values() for end in node.ends.values()}
    if states == {"Initialize"}:
        warn(f"{what}: all cables are in the state Initialize, before a subnet manager: taken as if they were active")
        return nodes
    idle: list[str] = []
    for node in nodes.values():
        for port, end in list(node.ends.items()):
            back = nodes[end.far].ends.get(end.far_port)
            state = end.idle or (back.idle if back is not None else "")
            if state:
                del node.ends[port]
                if back is not None:
                    del nodes[end.far].ends[end.far_port]
                far = f"port {end.far_port} of {nodes[end.far].name or end.far}"
                idle.append(f"port {port} of {node.name or node.key} to {far} ({state})")
    if not idle:
        return nodes
    if not any(node.ends for node in nodes.values()):
        raise InputError(
            f"{what} has no cable that carries packets, of {len(idle)}: {idle[0]}; is a subnet manager running?"
        )
    lost = [node.name or key for key, node in nodes.items() if node.kind != "Switch" and not node.ends]
    hosts = f"; hosts without another cable, which do not count: {first_of(lost, _SHOWN)}" if lost else ""
    warn(f"{what}: cables that carry no packets are left out ({len(idle)}): {first_of(idle, _SHOWN)}{hosts}")
    return {key: node for key, node in nodes.items() if node.kind == "Switch" or node.ends}


def _check_lids(nodes: dict[str, Section], what: str) -> None:
    owner: dict[int, int] = {}
    for node in nodes.values():
        ports: Iterable[Section | CableEnd] = [node] if node.kind == "Switch" else node.ends.values()
        for port in ports:
            port.lid = 0 if port.lid == _NO_LID else port.lid
            lid, lmc, place = port.lid, port.lmc, f"{what}, line {port.line}"
            if lid == 0 and port is node:
                continue  # no subnet manager has been here; only tables need lids
            if lmc > 7 or lid + (1 << lmc) - 1 > LAST_LID:
                raise InputError(f"{place}: lid {lid} with lmc {lmc}; lids 1 to {LAST_LID} were expected")
            for x in range(lid, lid + (1 << lmc)) if lid else ():
                if owner.setdefault(x, port.line) != port.line:
                    raise InputError(f"{place}: lid {x} belongs to line {owner[x]} already; lids are unique")


def _hosts(nodes: dict[str, Section], number: dict[str, int], what: str) -> list[tuple[str, CableEnd, Host]]:
    found: list[tuple[str, CableEnd]] = []
    guids: dict[int, int] = {}
    ends = ((k, end) for k, x in nodes.items() if x.kind != "Switch" for _, end in sorted(x.ends.items()))
    for key, end in ends:
        node, place = nodes[key], f"{what}, line {end.line}"
        if end.far not in number:
            raise InputError(f"{place}: {node.name!r} is cabled to another host, {end.far}; hosts at switches expected")
        if end.guid in guids:
            raise InputError(f"{place}: port GUID {end.guid:x} is that of line {guids[end.guid]}")
        guids[end.guid] = end.line
        back = nodes[end.far].ends[end.far_port]
        if back.guid not in (0, end.guid):
            raise InputError(f"{what}, line {back.line}: port GUID {back.guid:x} is {end.guid:x} in line {end.line}")
        found.append((key, end))
    if not found:
        raise InputError(f"{what} has no host; a line of a channel adapter (Ca) was expected")
    names = _distinct(
        [(nodes[k].name if len(nodes[k].ends) == 1 else f"{nodes[k].name}/P{x.port}", x.guid) for k, x in found]
    )
    return [
        (key, x, Host(name, x.guid, x.lid, x.lmc, number[x.far], x.far_port, nodes[key].guid))
        for name, (key, x) in zip(names, found, strict=True)
    ]


def _rates(nodes: dict[str, Section], what: str) -> dict[tuple[str, int], Fraction]:
    """The data rate in Gb/s at every (node, port), the lower one where two ends state two; empty where the file states
    none."""
    rates: dict[tuple[str, int], Fraction] = {}
    unstated: list[str] = []
    unlike: list[str] = []
    for node in nodes.values():
        for end in node.ends.values():
            back = nodes[end.far].ends[end.far_port]
            stated = [x.rate for x in (end, back) if x.rate is not None]
            if end.rate is not None and end.rate.gbps is None:
                raise InputError(
                    f"{what}, line {end.line}: port {end.port} of {node.key} has a cable of {end.rate.text}: "
                    f"the program that wrote this did not learn its rate, or is too old to know it; write it there, as "
                    f"in 4xEDR, or give bandwidth=1 for all cables"
                )
            known = [x.gbps for x in stated if x.gbps is not None]
            if not known:
                unstated.append(f"line {end.line}: port {end.port} of {node.key}")
                continue
            rates[node.key, end.port] = min(known)
            if len(set(known)) > 1 and end.line < back.line:
                unlike.append(f"{stated[0].text} in line {end.line} and {stated[1].text} in line {back.line}")
    if rates and unstated:
        raise InputError(
            f"{what}, {unstated[0]} has no width and speed such as 4xEDR, as other cables have; give bandwidth=1 "
            f"for all cables"
        )
    if unlike:
        warn(
            f"{what}: a cable is {unlike[0]}; the lower rate is taken"
            + (f" (and for {len(unlike) - 1} more cables)" if len(unlike) > 1 else "")
        )
    return rates


def _slowest_host(rates: Sequence[tuple[Fraction, int]], what: str) -> Fraction:
    """The rate of the slowest host cable in Gb/s, of (rate, line), with a warning where others are faster."""
    slowest, line = min(rates)
    fastest = max(rates)[0]
    if slowest < fastest:
        warn(
            f"{what}: host cables carry {float(slowest):g} (line {line}) to {float(fastest):g} Gb/s; bandwidth 1 is "
            f"the slowest, and permutations take all hosts to send at that rate (--demands hose:cables: each at its "
            f"own cable's; bandwidth=gbps: all in Gb/s)"
        )
    return slowest


def _distinct(names: list[tuple[str, int]]) -> list[str]:
    count = Counter(name for name, _ in names)
    return [name if name and count[name] == 1 else f"{name}[{guid:x}]".lstrip() for name, guid in names]
