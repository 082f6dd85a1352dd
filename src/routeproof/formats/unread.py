"""Files that are known and not read: what they are, and what to give instead."""

from __future__ import annotations

import re
from typing import NamedTuple

_BATFISH = "give the devices' configurations to Batfish, whose frames of bfq.routes() and bfq.layer3Edges() are read"
_LINUX = "ip -j route was expected"

_SLURM = (
    "it has no ports, cables or routes: what ibnetdiscover prints, or a directory of dumps, was expected (of jobs: "
    "--demands within:squeue.txt; of racks and blocks: between:topology.conf)"
)


class Unread(NamedTuple):
    """``name``: what it is; ``form``: how it is recognised, anywhere in its beginning; ``instead``: what to give."""

    name: str
    form: str
    instead: str


UNREAD = (
    Unread(
        "routes of Arista EOS",
        r"^VRF: \S+\s*\n(?:.*\n){0,3}?\s*(?:Codes|Source Codes):|\bNG - Nexthop Group Static",
        "show ip route vrf all, or show ipv6 route vrf all | json, was expected",
    ),
    Unread("tables of Cisco NX-OS", r'"TABLE_vrf"|<__readonly__>', "show ip route vrf all | json was expected"),
    Unread("routes of Cisco IOS XR", r"^Codes: .*\n(?:.*\n){1,12}?.*\(!\) - FRR Backup path", _BATFISH),
    Unread(
        "routes of Cisco IOS",
        r"^Codes: L - local, C - connected|^Codes: C - connected, S - static, (?:I - IGRP|R - RIP, [MB] - )"
        r"|^IPv6 Routing Table - ",
        _BATFISH,
    ),
    Unread(
        "routes of Juniper Junos",
        r"^inet6?\.\d+: \d+ destinations|^\S+\.inet6?\.\d+: \d+ destinations|xmlns:junos=",
        "show route | display json was expected",
    ),
    Unread("routes of Nokia SR Linux", r"^IPv[46] unicast route table of network instance ", _BATFISH),
    Unread(
        "routes of Huawei VRP",
        r"^Route Flags: R - relay|^(?:Proto: Protocol\b.*|Routing Tables? ?: ?(?:Public|_public_).*)$",
        _BATFISH,
    ),
    Unread("routes of HPE or H3C Comware", r"^Destinations\s*:\s*\d+\s+Routes\s*:\s*\d+", _BATFISH),
    Unread("routes of Dell OS10", r"^Codes: C - connected\s*\n\s*S - static", _BATFISH),
    Unread("routes of Extreme EXOS", r"^\s*#?Ori\s+Destination\s+Gateway\s+Mtr\b", _BATFISH),
    Unread("routes of MikroTik RouterOS", r"^Flags: (?:X - disabled, |D - DYNAMIC; )", _BATFISH),
    Unread(
        "a configuration of Arista EOS or Cisco IOS",
        r"^(?:! device: |! Command: show running-config|!Command: show running-config|Building configuration\.\.\.)",
        _BATFISH,
    ),
    Unread("a configuration of Juniper Junos", r"^## Last commit: |^set system host-name ", _BATFISH),
    Unread(
        "a table of BGP, not of forwarding",
        r"^BGP table version is \d+|\"bgpTableVersion\"|\"tableVersion\"\s*:",
        "vtysh -c 'show ip route json' was expected",
    ),
    Unread("routes of BIRD", r"^BIRD \S+ ready\.|^Table master[46]?:", _LINUX),
    Unread("the text of netstat -r or route", r"^Kernel IP(?:v6)? routing table", _LINUX),
    Unread(
        "the text of ip route",
        r"^(?:(?:unicast|blackhole|unreachable|prohibit) )?(?:default|[0-9a-f.:]+(?:/\d+)?)(?: nhid \d+)? "
        r"(?:via \S+ dev \S+|dev \S+ (?:proto|scope) )",
        _LINUX,
    ),
    Unread("SLURM's topology.conf", r"^\s*(?:SwitchName|BlockName)\s*=", _SLURM),
    Unread("SLURM's topology.yaml", r"^- topology: ", _SLURM),
    Unread(
        "NCCL's graphs XML",
        r"<graphs version=\"\d+\">\s*<graph ",
        "it holds the rings and trees that NCCL chose in one machine, no links: take the file that NCCL writes with "
        "NCCL_TOPO_DUMP_FILE set",
    ),
)


def what_it_is(start: str) -> str:
    """What a file is that begins so, why it is not read, and what to give instead; "" for what is not known."""
    beginning = start.replace("\r\n", "\n")[:16384]
    found = next((x for x in UNREAD if re.search(x.form, beginning, re.MULTILINE)), None)
    return "" if found is None else f"{found.name}, which is not read: {found.instead}"
