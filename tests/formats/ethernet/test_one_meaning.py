"""One dump with one thing that is odd, said in every form that can say it: the same loads, or the same refusal."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.demands.terminal_names import QueueHosts
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.ethernet.routes import MEANINGS
from routeproof.formats.format import read_network
from routeproof.routing.fabrics.ethernet import routing_of_routes

CABLES = "device,port,device,port\nl1,u1,s1,d1\nl1,u2,s2,d1\nl2,u1,s1,d2\nl2,u2,s2,d2\n"
HOSTS = "name,address,device,port\na,10.1.1.2,l1,h1\nc,10.1.2.2,l2,h1\n"
HEADER = "Codes: K - kernel route, C - connected\n       > - selected route, * - FIB route, q - queued\n\n"


class Odd(NamedTuple):
    """``route`` and ``hop``: the odd thing, by a mark of the table, of the route of l1 to c, or of its hop by u2."""

    route: str = ""
    hop: str = ""
    table: int = 254


class Line(NamedTuple):
    prefix: str
    hops: tuple[str, ...]
    is_connected: bool
    odd: Odd


def dump(device: str, odd: Odd) -> list[Line]:
    own, far = ("1", "2") if device == "l1" else ("2", "1")
    if device[0] == "s":
        return [Line(f"10.1.{k}.0/24", (f"d{k}",), False, Odd()) for k in (1, 2)]
    mine = odd if device == "l1" else Odd()
    lines = [
        Line(f"10.1.{own}.0/24", ("br",), True, Odd()),
        Line(f"10.1.{far}.0/24", ("u1", "u2"), False, mine._replace(table=254)),
    ]
    return [*lines, Line(f"10.1.{far}.0/25", ("u2",), False, mine)] if mine.table != 254 else lines


FRR_ROUTE = {
    "queued": {"queued": True}, "rejected": {"failed": True, "installed": False}, "trapped": {"trapped": True},
    "offload failed": {"offloaded": False},
}  # fmt: skip
FRR_HOP: dict[str, dict[str, Any]] = {
    "link down": {"linkDown": True}, "another VRF": {"vrf": "red"}, "labels": {"labels": [17]}, "inactive": {},
    "SRv6": {"seg6": {"segs": "fc00::1"}}, "policy": {"srteColor": 7}, "duplicate": {"duplicate": True},
    "on link": {"onLink": True}, "has a backup": {"backupIndex": [0]}, "not in use": {"active": True},
}  # fmt: skip


def frr_json(lines: list[Line]) -> str:
    found = {}
    for prefix, hops, is_connected, odd in lines:
        each = []
        for x in hops:
            is_odd = bool(odd.hop) and x == "u2"
            to = {"directlyConnected": True} if is_connected else {"ip": "fe80::1", "weight": 1}
            hop: dict[str, Any] = {"flags": 3, "interfaceName": x, **to}
            if not is_odd or odd.hop not in ("inactive", "duplicate", "not in use"):
                hop["fib"] = True
            if not is_odd or odd.hop != "inactive":
                hop["active"] = True
            each.append({**hop, **(FRR_HOP[odd.hop] if is_odd else {})})
        if odd.route == "drops":
            each = [{"fib": True, "active": True, "unreachable": True, "blackhole": True}]
        if odd.route == "not installed":
            each = [{k: v for k, v in x.items() if k != "fib"} for x in each]
        entry = {
            "prefix": prefix, "protocol": "connected" if is_connected else "bgp", "vrfName": "default",
            "selected": True, "installed": odd.route != "not installed", "table": odd.table, "nexthops": each,
        }  # fmt: skip
        if odd.route == "backup in use":
            entry["backupNexthops"] = [{"fib": True, "active": True, "ip": "fe80::9", "interfaceName": "u2"}]
        if odd.route == "backup":
            entry["backupNexthops"] = [{"active": True, "ip": "fe80::9", "interfaceName": "u2"}]
        found[prefix] = [{**entry, **FRR_ROUTE.get(odd.route, {})}]
    return json.dumps(found, indent=1)


TEXT_MARK = {"queued": "q", "rejected": "r", "trapped": "t", "offload failed": "o", "out of sync": "d"}
TEXT_WORD = {
    "inactive": " inactive", "on link": " onlink", "link down": " linkdown", "duplicate": " (dup)",
    "another VRF": " (vrf red)", "labels": ", label 17", "SRv6": ", seg6 fc00::1", "policy": ", SR-TE color 7",
    "has a backup": ", backup 0",
}  # fmt: skip


def frr_text(lines: list[Line]) -> str:
    text, more = HEADER, ""
    for prefix, hops, is_connected, odd in lines:
        mark = TEXT_MARK.get(odd.route, " " if odd.route == "not installed" else "*")
        each = []
        for x in hops:
            is_odd = bool(odd.hop) and x == "u2"
            star = " " if is_odd and odd.hop in ("inactive", "duplicate", "not in use") else mark
            where = "is directly connected" if is_connected else "via fe80::1"
            words = TEXT_WORD.get(odd.hop, "") if is_odd else ""
            first, comma, rest = words.partition(",")
            each.append((star, f"{where}, {x}{first}{comma}{rest}, weight 1, 00:01:02"))
        if odd.route == "drops":
            each = [("*", "unreachable (blackhole), 00:01:02")]
        route = (
            f"{'C' if is_connected else 'B'}>{each[0][0]} {prefix}{'' if is_connected else ' [20/0]'} {each[0][1]}\n"
        )
        route += "".join(f"  {star}                  {hop}\n" for star, hop in each[1:])
        if odd.route in ("backup", "backup in use"):
            route += f"  b{'*' if 'use' in odd.route else ' '}                 via fe80::9, u2, weight 1\n"
        if odd.table == 254:
            text += route
        else:
            more += f"\nVRF default table {odd.table}:\n{route}"
    return text + more


LINUX_FLAG = {"trapped": "rt_trap", "offload failed": "rt_offload_failed"}
LINUX_HOP: dict[str, dict[str, Any]] = {
    "dead": {"flags": ["dead", "linkdown"]}, "link down": {"flags": ["linkdown"]}, "on link": {"flags": ["onlink"]},
    "offloaded": {"flags": ["offload"]}, "encapsulation": {"encap": "mpls"}, "unresolved": {"flags": ["unresolved"]},
}  # fmt: skip


def linux(lines: list[Line]) -> str:
    found: list[dict[str, Any]] = []
    for prefix, hops, is_connected, odd in lines:
        entry: dict[str, Any] = {"dst": prefix, "protocol": "kernel" if is_connected else "bgp", "flags": []}
        if odd.route in LINUX_FLAG:
            entry["flags"] = [LINUX_FLAG[odd.route], "rt_offload"]
        if odd.route == "drops":
            found.append({**entry, "type": "blackhole"})
            continue
        if is_connected:
            entry |= {"scope": "link", "dev": hops[0]}
        else:
            entry["nexthops"] = [
                {"via": {"family": "inet6", "host": "fe80::1"}, "dev": x, "weight": 1, "flags": [],
                 **(LINUX_HOP[odd.hop] if odd.hop and x == "u2" else {})} for x in hops
            ]  # fmt: skip
        found.append({**entry, **({} if odd.table == 254 else {"table": str(odd.table).replace("253", "default")})})
    return json.dumps(found)


def linux_by_number(lines: list[Line]) -> str:
    """``ip -N -j -d route``."""
    numbers = {"kernel": "2", "bgp": "186", "link": "253", "default": "253", "blackhole": "6"}
    each = [{"type": "1", "table": "254", "scope": "0", **x} for x in json.loads(linux(lines))]
    return json.dumps([{k: numbers.get(v, v) if isinstance(v, str) else v for k, v in x.items()} for x in each])


def sonic(lines: list[Line]) -> str:
    found: dict[str, dict[str, str]] = {}
    for prefix, hops, is_connected, odd in lines:
        ips = ",".join(["0.0.0.0" if is_connected else "fe80::1"] * len(hops))
        own = {"nexthop": ips, "ifname": ",".join(hops), "protocol": "bgp"}
        found[f"ROUTE_TABLE:{prefix}"] = {"blackhole": "true"} if odd.route == "drops" else own
        if odd.hop == "link down":
            found["PORT_TABLE:u2"] = {"oper_status": "down"}
    return json.dumps(found)


def batfish(lines: list[Line]) -> str:
    rows = []
    for prefix, hops, is_connected, odd in lines:
        for x in hops:
            to = f"interface {x}" if is_connected else f"interface {x} ip fe80::1"
            if odd.route == "drops":
                to = "discard"
            if odd.hop == "another VRF" and x == "u2":
                to = "vrf red"
            rows.append(
                {
                    "Network": prefix,
                    "VRF": "default",
                    "Protocol": "connected" if is_connected else "bgp",
                    "Next_Hop": to,
                }
            )
    return json.dumps(rows)


Form = Callable[[list[Line]], str]
ALL: tuple[Form, ...] = (frr_json, frr_text, linux, linux_by_number, sonic, batfish)
FRR, LINUX = (frr_json, frr_text), (linux, linux_by_number)
CASES: list[tuple[Odd, tuple[Form, ...], str]] = [
    (Odd(), ALL, "half"),
    (Odd(route="drops"), ALL, "it is a route that drops packets"),
    (Odd(route="queued"), FRR, "it is queued"),
    (Odd(route="rejected"), FRR, "it was rejected"),
    (Odd(route="trapped"), (*FRR, *LINUX), "it is trapped"),
    (Odd(route="offload failed"), (*FRR, *LINUX), "its offload failed"),
    (Odd(route="out of sync"), (frr_text,), "it is out of sync"),
    (Odd(route="not installed"), FRR, "none of its next hops is in the forwarding table"),
    (Odd(route="backup"), FRR, "half"),
    (Odd(route="backup in use"), FRR, "a backup is used"),
    (Odd(table=253), (*FRR, *LINUX), "half"),
    (Odd(table=100), (*FRR, *LINUX), "half"),
    (Odd(hop="link down"), (*FRR, *LINUX, sonic), "the link of u2 is down"),
    (Odd(hop="another VRF"), (*FRR, batfish), "in another VRF, in the VRF 'red'"),
    (Odd(hop="labels"), FRR, "it puts labels on packets"),
    (Odd(hop="SRv6"), FRR, "it puts packets into SRv6"),
    (Odd(hop="policy"), FRR, "it steers packets into the SR-TE policy of color"),
    (Odd(hop="encapsulation"), LINUX, "it puts packets into 'mpls'"),
    (Odd(hop="unresolved"), LINUX, "by u2 is not resolved"),
    (Odd(hop="inactive"), FRR, "one"),
    (Odd(hop="dead"), LINUX, "one"),
    (Odd(hop="duplicate"), FRR, "one"),
    (Odd(hop="not in use"), FRR, "one"),
    (Odd(hop="on link"), (*FRR, *LINUX), "half"),
    (Odd(hop="offloaded"), LINUX, "half"),
    (Odd(hop="has a backup"), FRR, "half"),
]
TOLD = {
    "inactive": r"u2 \(inactive\) at l1 for 10.1.2.0/24",
    "dead": r"u2 \(dead\) at l1 for 10.1.2.0/24",
    "253": r"other VRFs are left out: table 253",
    "100": r"other VRFs are left out: table 100",
}


def folder_of(form: Form, odd: Odd, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "cables.csv").write_text(CABLES)
    (folder / "hosts.csv").write_text(HOSTS)
    rows: list[dict[str, str]] = []
    for device in ("l1", "l2", "s1", "s2"):
        text = form(dump(device, odd))
        if form is batfish:
            rows += [{"Node": device, **x} for x in json.loads(text)]
        else:
            (folder / f"{device}.dump").write_text(text)
    if rows:
        (folder / "routes.dump").write_text(json.dumps(rows))
    return folder


def answer(folder: Path) -> tuple[str, list[str]]:
    """The answer in a word, or the refusal; and the lines that were said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            network = read_network(folder)
            assert isinstance(network, EthernetNetwork)
            routing = routing_of_routes(network)
        except InputError as error:
            return str(error).partition(": packets")[2] or str(error), [str(x.message) for x in said]
    loads = routing.pair_loads([int(routing.row_of[0])], [int(routing.column_of[1])]).as_dict()
    of = {network.channel_label(c): x for c, x in loads.items()}.get("l1[u2] -> s2[d1]", Fraction(0))
    return {Fraction(1, 2): "half", Fraction(0): "one"}[of], [str(x.message) for x in said]


@pytest.mark.parametrize(("odd", "forms", "says"), CASES)
def test_all_forms_give_one_answer_or_one_refusal(odd: Odd, forms: tuple[Form, ...], says: str, tmp_path: Path) -> None:
    found = {form.__name__: answer(folder_of(form, odd, tmp_path / form.__name__)) for form in forms}
    words = {name: x.replace(name, "FORM") for name, (x, _) in found.items()}
    assert len(set(words.values())) == 1, words
    assert all(says in x for x in words.values()), words
    told = TOLD.get(odd.hop) or TOLD.get(str(odd.table))
    for name, (_, lines) in found.items():
        assert len(lines) == (told is not None), (name, lines)
        if told is not None:
            assert re.search(told, lines[0]), lines


def test_every_mark_of_the_table_is_met() -> None:
    met = {x for odd, _, _ in CASES for x in (odd.route, odd.hop)}
    assert set(MEANINGS) - met == {
        "removed", "some packets", "kind", "unknown flag", "recursive", "tunnel", "no interface", "notified", "VXLAN",
    }  # fmt: skip


def with_l1(folder: Path, *routes: dict[str, Any]) -> Path:
    """The plain dump, in which l1 has its hosts and these routes of Linux."""
    folder_of(linux, Odd(), folder)
    own = {"dst": "10.1.1.0/24", "dev": "br", "protocol": "kernel", "scope": "link"}
    (folder / "l1.dump").write_text(json.dumps([own, *routes]))
    return folder


TO_C: dict[str, Any] = {"dst": "10.1.2.0/24", "gateway": "fe80::1", "dev": "u2", "protocol": "bgp", "flags": []}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"type": "nat"}, "a route of the kind 'nat', which is not followed"),
        ({"type": "xresolve"}, "a route of the kind 'xresolve'"),
        ({"type": "11"}, "a route of the kind '11'"),
        ({"type": "8"}, "it is a route that drops packets"),
        ({"flags": ["rt_new"]}, "it has the flag 'rt_new', which is not known"),
        ({"mark": 7}, "for packets with mark 7 alone"),
        ({"iif": "h1"}, "for packets with iif 'h1' alone"),
        ({"encap": "seg6"}, "it puts packets into 'seg6'"),
        ({"metric": 5, "type": "unreachable"}, "it is a route that drops packets"),
    ],
)
def test_what_linux_says_besides(more: dict[str, Any], says: str, tmp_path: Path) -> None:
    assert says in answer(with_l1(tmp_path, {**TO_C, **more}, {**TO_C, "dev": "u1", "metric": 900}))[0]


def test_local_routes_come_before_all_others(tmp_path: Path) -> None:
    """``ip -j route show table all``: what the table local has never leaves the device."""
    to_self = {"type": "local", "dst": "10.1.2.2", "dev": "lo", "table": "local", "protocol": "kernel"}
    found, _ = answer(with_l1(tmp_path, TO_C, to_self))
    assert "lost at l1, which delivers them at its own port lo (10.1.2.2)" in found


def test_fields_that_are_not_known_are_told(tmp_path: Path) -> None:
    found, lines = answer(with_l1(tmp_path, {**TO_C, "dev": "u1", "colour": "red"}))
    assert (found, len(lines)) == ("one", 1)
    assert "fields of routes that are not known are not used: 'colour'" in lines[0]
    for form, key in ((frr_json, '"metricClass"'), (sonic, '"metric_class"')):
        folder = folder_of(form, Odd(), tmp_path / form.__name__)
        text = (folder / "l2.dump").read_text().replace('"protocol"', f'{key}: "x", "protocol"', 1)
        (folder / "l2.dump").write_text(text)
        found, lines = answer(folder)
        assert (found, len(lines)) == ("half", 1)
        assert key.strip('"') in lines[0]
        assert "l2.dump" in lines[0]


class TestDefaultRoutes:
    """``default`` is of IPv4 or of IPv6, whatever else is in the file."""

    @pytest.mark.parametrize(
        ("routes", "version"),
        [
            ([{"gateway": "10.9.0.1", "dev": "u1"}], 4),
            ([{"gateway": "fe80::1", "dev": "u1"}], 6),
            ([{"gateway": "fe80::1", "dev": "u1", "metric": 1024, "pref": "medium"}], 6),
            ([{"via": {"family": "inet6", "host": "fe80::1"}, "dev": "u1"}], 4),
            ([{"nexthops": [{"gateway": "fe80::1", "dev": "u1"}, {"gateway": "fe80::2", "dev": "u2"}]}], 6),
            ([{"dev": "u1", "scope": "link"}], 4),
            ([{"dev": "u1", "pref": "medium", "metric": 1024}], 6),
            ([{"dev": "u1"}, {"dst": "fd00:9::/64", "dev": "u1"}], 6),
            ([{"type": "unreachable"}, {"dst": "10.9.0.0/16", "dev": "u1"}], 4),
        ],
    )
    def test_of_one_version(self, routes: list[dict[str, Any]], version: int, tmp_path: Path) -> None:
        assert self.versions(tmp_path, routes) == {version}

    def test_of_both_in_one_file(self, tmp_path: Path) -> None:
        both: list[dict[str, Any]] = [
            {"gateway": "10.9.0.1", "dev": "u1"},
            {"gateway": "fe80::1", "dev": "u1", "pref": "medium"},
            {"dst": "fd00::/64", "dev": "u2"},
            {"dst": "10.7.0.0/16", "dev": "u2"},
        ]
        assert self.versions(tmp_path, both) == {4, 6}
        with pytest.raises(InputError, match="whether it is of IPv4 or of IPv6 is not said"):
            self.versions(tmp_path, [{"dev": "u1"}, *both[2:]])
        with pytest.raises(InputError, match="whether it is of IPv4 or of IPv6 is not said"):
            self.versions(tmp_path, [{"dev": "u1"}])

    def versions(self, folder: Path, routes: list[dict[str, Any]]) -> set[int]:
        folder_of(linux, Odd(), folder)
        (folder / "l9.dump").write_text(json.dumps([{"dst": "default", **x} for x in routes]))
        network = read_network(folder)
        assert isinstance(network, EthernetNetwork)
        assert network.labels is not None
        return {x.version for x in network.tables[network.labels.index("l9")].routes if x.length == 0}


class TestPortsWithoutACable:
    """A next hop by a port of its own is never taken to be another cable, whose device has the address."""

    def fabric(self, folder: Path, interface: str) -> Path:
        folder_of(linux, Odd(), folder)
        hops = [{"gateway": "10.9.0.3", "dev": x, "weight": 1, "flags": []} for x in ("u2", interface)]
        own = {"dst": "10.1.1.0/24", "dev": "br", "protocol": "kernel", "scope": "link"}
        (folder / "l1.dump").write_text(json.dumps([own, {"dst": "10.1.2.0/24", "nexthops": hops}]))
        address = [{"ifindex": 3, "ifname": "d9", "addr_info": [{"local": "10.9.0.3"}]}]
        (folder / "s1.addr").write_text(json.dumps(address))
        (folder / "s2.addr").write_text(json.dumps([{"ifindex": 3, "ifname": "d1", "addr_info": [{"local": "::7"}]}]))
        return folder

    @pytest.mark.parametrize("interface", ["u3", "swp3", "Ethernet12", "eth3", "Eth1/3", "up1", "enp3s0", "u3.10"])
    def test_a_port(self, interface: str, tmp_path: Path) -> None:
        found, _ = answer(self.fabric(tmp_path, interface))
        assert f"by {interface}, where no cable is known (port {interface} of l1 is in no list of cables" in found

    @pytest.mark.parametrize("interface", ["Vlan10", "vlan10", "br0", "bridge.10", "irb.7", "PortChannel12", "bond0"])
    def test_an_interface_of_several(self, interface: str, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path, interface)
        text = (folder / "l1.dump").read_text().replace('"gateway": "10.9.0.3", "dev": "u2"', '"dev": "u2"')
        (folder / "l1.dump").write_text(text)
        assert answer(folder) == ("half", [])

    def test_a_cable_that_has_routes_of_its_own(self, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path, "Vlan10")
        text = (folder / "l1.dump").read_text().replace('"gateway": "10.9.0.3", "dev": "u2"', '"dev": "u1"')
        (folder / "l1.dump").write_text(text)
        assert "an address of s1, to which the one cable, at u1, has routes of its own" in answer(folder)[0]

    def test_a_subinterface_is_at_the_port_of_its_name(self, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path, "u1.10")
        text = (folder / "l1.dump").read_text().replace('"gateway": "10.9.0.3", "dev": "u2"', '"dev": "u2"')
        (folder / "l1.dump").write_text(text)
        assert answer(folder) == ("half", [])


class TestCapitals:
    def test_devices(self, tmp_path: Path) -> None:
        folder = folder_of(linux, Odd(), tmp_path)
        (folder / "L1.dump").write_text((folder / "l1.dump").read_text())
        with pytest.raises(InputError, match="L1 and l1 differ in capital letters only; are they one device or two"):
            read_network(folder)

    @pytest.mark.parametrize("line", ["x,u9,L1,u9", "S1,d7,l2,u7"])
    def test_lists_of_cables(self, line: str, tmp_path: Path) -> None:
        folder = folder_of(linux, Odd(), tmp_path)
        (folder / "cables.csv").write_text(f"{CABLES}{line}\n")
        with pytest.raises(InputError, match="differ in capital letters only"):
            read_network(folder)

    def test_hosts_are_told(self, tmp_path: Path) -> None:
        folder = folder_of(linux, Odd(), tmp_path)
        (folder / "hosts.csv").write_text(f"{HOSTS}A,10.1.1.9,l1,h9\n")
        with pytest.warns(RouteproofWarning, match="a and A differ in capital letters only, and are taken as two"):
            assert read_network(folder).num_terminals == 3

    def test_hosts_of_a_queue_are_told(self) -> None:
        ring = Network.of("pair", 2, [(0, 1), (1, 0)])
        names = replace(ring, terminal_labels=("h1 mlx5_0", "H1 mlx5_1"))
        with pytest.warns(RouteproofWarning, match="differ in capital letters only are one host: 'h1 and H1'"):
            assert list(QueueHosts(names).terminals("h1", what="it")) == [0, 1]
