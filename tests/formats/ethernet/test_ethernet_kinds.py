"""One small fabric, said in every form that is read: the same loads; and what is wrong in each form, in one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from places import ETHERNET
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.formats.resolve import resolve_network
from routeproof.routing.base.routing import Routing
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.worst.scan.exact import worst_case

CABLES = ["device,port,device,port", "l1,u1,s1,d1", "l1,u2,s2,d1", "l2,u1,s1,d2", "l2,u2,s2,d2"]
HOSTS = ["name,address,device,port", "a,10.1.1.2,l1,h1", "b,10.1.1.3,l1,h2", "c,10.1.2.2,l2,h1", "d,10.1.2.3,l2,h2"]
ROUTES: dict[str, dict[str, Any]] = {
    "l1": {"10.1.1.0/24": "br", "10.1.2.0/24": [("u1", 3), ("u2", 1)]},
    "l2": {"10.1.2.0/24": "br", "10.1.1.0/24": [("u1", 1), ("u2", 1)]},
    "s1": {"10.1.1.0/24": [("d1", 1)], "10.1.2.0/24": [("d2", 1)]},
    "s2": {"10.1.1.0/24": [("d1", 1)], "10.1.2.0/24": [("d2", 1)]},
}
HEADER = """Codes: K - kernel route, C - connected, S - static, R - RIP,
       O - OSPF, I - IS-IS, B - BGP, E - EIGRP, N - NHRP,
       > - selected route, * - FIB route, q - queued, r - rejected, b - backup

"""
FAR = {tuple(x.split(",")[k : k + 2]): tuple(x.split(",")[2 - k : 4 - k]) for x in CABLES[1:] for k in (0, 2)}


def lists(folder: Path, cables: list[str] | None = None) -> Path:
    (folder / "cables.csv").write_text("\n".join(CABLES if cables is None else cables))
    (folder / "hosts.csv").write_text("\n".join(HOSTS))
    return folder


def as_text(table: dict[str, Any], pad: str = " ", via: str = "fe80::") -> str:
    lines = []
    for prefix, to in table.items():
        if isinstance(to, str):
            lines.append(f"C>*{pad}{prefix} is directly connected, {to}, 1d11h21m")
            continue
        marks = [f"B>*{pad}{prefix} [20/0]", *["  *" + " " * (len(prefix) + 8)] * (len(to) - 1)]
        lines += [
            f"{m} via {via}{k}, {x}, weight {w}, 00:01:02" for k, (m, (x, w)) in enumerate(zip(marks, to, strict=True))
        ]
    return HEADER + "\n".join(lines) + "\n"


def as_db(table: dict[str, Any], value: Callable[[Any], Any] = lambda x: x) -> dict[str, Any]:
    found = {}
    for prefix, to in table.items():
        if isinstance(to, str):
            found[f"ROUTE_TABLE:{prefix}"] = value({"nexthop": "0.0.0.0", "ifname": to, "protocol": "kernel"})
        else:
            names, weights = (",".join(str(x[k]) for x in to) for k in (0, 1))
            ips = ",".join(["fe80::1"] * len(to))
            found[f"ROUTE_TABLE:{prefix}"] = value({"nexthop": ips, "ifname": names, "weight": weights})
    return found


def as_neighbours(device: str) -> list[tuple[str, str, str]]:
    return [(port, *far) for (d, port), far in FAR.items() if d == device]  # type: ignore[misc]


def frr_text(folder: Path) -> None:
    for device, table in ROUTES.items():
        (folder / f"{device}.txt").write_text(as_text(table, pad="" if device == "s1" else " "))


def sonic(folder: Path) -> None:
    """Routes, neighbours and all in one dump; of a leaf in redis-dump's form, with a group by name."""
    (folder / "cables.csv").unlink()
    for device, table in ROUTES.items():
        dump = as_db(table)
        for port, name, far in as_neighbours(device):
            dump[f"LLDP_ENTRY_TABLE:{port}"] = {
                "lldp_rem_sys_name": name, "lldp_rem_port_id": f"alias {far}", "lldp_rem_port_desc": far,
                "lldp_rem_man_addr": "192.168.0.1", "lldp_rem_index": "1",
            }  # fmt: skip
        dump["SWITCH_TABLE:switch"] = {"ecmp_hash_seed": "0"}
        if device == "l1":
            fields = dump["ROUTE_TABLE:10.1.2.0/24"]
            dump["ROUTE_TABLE:10.1.2.0/24"] = {"nexthop_group": "g1"}
            dump["NEXTHOP_GROUP_TABLE:g1"] = fields
            dump = {k: {"expireat": 1.5, "ttl": -0.001, "type": "hash", "value": v} for k, v in dump.items()}
        (folder / f"{device}.json").write_text(json.dumps(dump))


def set_ports(folder: Path, device: str, ports: dict[str, dict[str, str]]) -> None:
    """Add PORT_TABLE to the dump of a device, in the form that it has."""
    path = folder / f"{device}.json"
    dump = json.loads(path.read_text())
    whole = "value" in next(iter(dump.values()))
    for port, fields in ports.items():
        dump[f"PORT_TABLE:{port}"] = {"type": "hash", "value": fields} if whole else fields
    path.write_text(json.dumps(dump))


def test_lldp_that_tells_of_cables_of_two_kinds(tmp_path: Path) -> None:
    """They are no bandwidths, and a line says what is taken instead."""
    frr_text(lists(tmp_path))
    (tmp_path / "cables.csv").unlink()
    for device in ROUTES:
        lines: list[str] = []
        for port, name, far in as_neighbours(device):
            kind = (
                "100GbaseLR4 - 100GBASE-R" if port == "u2" else "10GigBaseLR - R fiber" if port == "u1" else "unknown"
            )
            lines += [f"lldp.{port}.via=LLDP", f"lldp.{port}.chassis.name={name}", f"lldp.{port}.port.ifname={far}"]
            lines.append(f"lldp.{port}.port.auto-negotiation.current={kind}")
        (tmp_path / f"{device}.lldp.txt").write_text("\n".join(lines) + "\n")
    with pytest.warns(
        RouteproofWarning, match=r"as equal, and LLDP tells of 10GigBaseLR at l2 u1, 100GbaseLR4 at l2 u2"
    ):
        assert set(routing(tmp_path).network.bandwidth) == {1}


class TestPortsOfSonic:
    """PORT_TABLE: speeds of ports, and the aliases by which LLDP calls them."""

    def fabric(self, folder: Path, speed: Callable[[str, str], str]) -> Path:
        sonic(lists(folder))
        for device in ROUTES:
            ports = {port for d, port in FAR if d == device} | {"h1", "h2"}
            set_ports(folder, device, {x: {"speed": speed(device, x), "oper_status": "up"} for x in sorted(ports)})
        return folder

    def test_speeds_are_bandwidths_of_the_slowest_hosts(self, tmp_path: Path) -> None:
        self.fabric(tmp_path, lambda device, port: "25000" if port[0] == "h" else "100000" if device == "l1" else "N/A")
        for end in [x for x in FAR if x[0] != "l1" and FAR[x][0] != "l1"]:
            set_ports(tmp_path, end[0], {end[1]: {"speed": "40000"}})
        network = routing(tmp_path).network
        label = {network.channel_label(c): x for c, x in enumerate(network.bandwidth)}
        assert label["l1[u1] -> s1[d1]"] == label["s1[d1] -> l1[u1]"] == 4
        assert label["s1[d2] -> l2[u1]"] == Fraction(8, 5)
        assert network.host_widths == (1,) * network.num_terminals  # type: ignore[attr-defined]

    def test_two_speeds_of_a_cable_and_none_of_some(self, tmp_path: Path) -> None:
        self.fabric(tmp_path, lambda device, port: "100000" if device[0] == "s" else "")
        set_ports(tmp_path, "l1", {"u1": {"speed": "40000"}})
        with pytest.raises(InputError, match=r"has speed (40|100) Gb/s, and its cable (40|100) Gb/s elsewhere"):
            routing(tmp_path)
        set_ports(tmp_path, "l1", {"u1": {"speed": "fast"}})
        with pytest.raises(InputError, match=r"l1\.json.*: PORT_TABLE:u1 has speed 'fast'; Mb/s were expected"):
            routing(tmp_path)
        self.fabric(tmp_path, lambda device, port: "100000" if device == "s1" else "")
        with pytest.raises(InputError, match="no bandwidth is stated of l1 u2, as of other cables"):
            routing(tmp_path)

    def test_lldp_calls_ports_by_their_alias(self, tmp_path: Path) -> None:
        sonic(lists(tmp_path))
        for device in ROUTES:
            path = tmp_path / f"{device}.json"
            text = re.sub(
                r'"lldp_rem_port_desc": "[^"]*"', '"lldp_rem_port_desc": "to the other side"', path.read_text()
            )
            path.write_text(text)
        with pytest.raises(InputError, match="cable seen from one end only"):
            routing(tmp_path)
        for device in ROUTES:
            ports = {port for d, port in FAR if d == device}
            set_ports(tmp_path, device, {x: {"alias": f"alias {x}"} for x in ports})
        assert loads(routing(tmp_path), "a", "c") == split(Fraction(3, 4))


def sonic_text(folder: Path) -> None:
    """``show ip route`` and ``show lldp table``."""
    (folder / "cables.csv").unlink()
    frr_text(folder)
    for device in ROUTES:
        rows = [f"{port:<11}  {name:<14}  {far:<14}  {'BR':<12}  {far}" for port, name, far in as_neighbours(device)]
        rule = f"{'-' * 11}  {'-' * 14}  {'-' * 14}  {'-' * 12}  {'-' * 9}"
        text = [
            "Capability codes: (R) Router, (B) Bridge, (O) Other",
            "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr",
            rule, *rows, "-" * 50, f"Total entries displayed:  {len(rows)}", "",
        ]  # fmt: skip
        (folder / f"{device}.lldp.txt").write_text("\n".join(text))


def batfish_rows() -> list[dict[str, Any]]:
    rows = []
    for device, table in ROUTES.items():
        for prefix, to in table.items():
            hops = [(to, "connected")] if isinstance(to, str) else [(x, "bgp") for x, w in to for _ in range(w)]
            for name, protocol in dict.fromkeys(hops):
                far = FAR.get((device, name), ("", ""))
                rows.append({
                    "Node": device, "VRF": "default", "Network": prefix, "Protocol": protocol,
                    "Next_Hop": f"interface {name}" if protocol == "connected" else f"interface {name} ip fe80::1",
                    "Next_Hop_IP": "AUTO/NONE(-1l)", "Next_Hop_Interface": name, "Metric": 0, "Admin_Distance": 20,
                    "Tag": None, "far": far[0],
                })  # fmt: skip
    return rows


def batfish_csv(folder: Path) -> None:
    rows = batfish_rows()
    names = list(rows[0])
    lines = ["," + ",".join(names), *(f"{k}," + ",".join(str(x[n]) for n in names) for k, x in enumerate(rows))]
    (folder / "routes.csv").write_text("\n".join(lines))
    (folder / "cables.csv").unlink()
    edges = [f"{k},{a}[{p}],['10.0.0.0'],{b}[{q}],['10.0.0.1']" for k, ((a, p), (b, q)) in enumerate(FAR.items())]
    (folder / "edges.csv").write_text("\n".join([",Interface,IPs,Remote_Interface,Remote_IPs", *edges]))


def batfish_json(folder: Path) -> None:
    rows = batfish_rows()
    (folder / "routes.json").write_text(json.dumps({n: {str(k): x[n] for k, x in enumerate(rows)} for n in rows[0]}))
    (folder / "cables.csv").unlink()
    ends = [[{"hostname": a, "interfaceName": p} for a, p in pair] for pair in FAR.items()]
    (folder / "layer1.json").write_text(json.dumps({"edges": [{"node1": a, "node2": b} for a, b in ends]}))


def routing(folder: Path | str) -> Routing:
    network = read_network(folder) if isinstance(folder, Path) else resolve_network(folder)
    assert isinstance(network, EthernetNetwork)
    return routing_of_routes(network)


def loads(of: Routing, i: str, j: str) -> dict[str, Fraction]:
    names = of.network.terminal_labels
    assert names is not None
    row, column = int(of.row_of[names.index(i)]), int(of.column_of[names.index(j)])
    return {of.network.channel_label(c): x for c, x in of.pair_loads([row], [column]).as_dict().items()}


def split(three: Fraction) -> dict[str, Fraction]:
    return {
        "l1[u1] -> s1[d1]": three, "s1[d2] -> l2[u1]": three,
        "l1[u2] -> s2[d1]": 1 - three, "s2[d2] -> l2[u2]": 1 - three,
    }  # fmt: skip


@pytest.mark.parametrize("form", [frr_text, sonic, sonic_text, batfish_csv, batfish_json])
def test_every_form_says_the_same(form: Callable[[Path], None], tmp_path: Path) -> None:
    form(lists(tmp_path))
    part = Fraction(1, 2) if form in (batfish_csv, batfish_json) else Fraction(3, 4)  # Batfish knows no weights
    assert loads(routing(tmp_path), "a", "c") == split(part)
    assert len(loads(routing(tmp_path), "d", "b")) == 4
    report = tmp_path / "report.json"
    assert main(["worst-case", str(tmp_path), "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0


@pytest.mark.parametrize("form", ["leaf-spine-text", "leaf-spine-six"])
def test_real_text_of_frr_and_lldpd(form: str) -> None:
    found, plain = routing(ETHERNET / form), routing(ETHERNET / "leaf-spine")
    assert found.network.terminal_labels == plain.network.terminal_labels
    for i in ("h1", "h2", "h3", "h4"):
        for j in ("h1", "h2", "h3", "h4"):
            assert loads(found, i, j) == loads(plain, i, j)
    assert worst_case(found).load == Fraction(7, 6)


class TestLinesOfRoutes:
    def one(self, tmp_path: Path, line: str, device: str = "l1") -> Routing:
        frr_text(lists(tmp_path))
        text = as_text({k: v for k, v in ROUTES[device].items() if isinstance(v, str)}) + line + "\n"
        (tmp_path / f"{device}.txt").write_text(text)
        return routing(tmp_path)

    def test_recursive_next_hops_and_queued_routes(self, tmp_path: Path) -> None:
        text = (
            "B>  10.1.2.0/24 [200/0] via 10.0.0.9 (recursive), weight 1, 04w0d12h\n"
            "  *                       via 10.9.9.1, u1 onlink, weight 1, 04w0d12h\n"
            "B   10.1.2.0/25 [20/0] via 10.9.9.1, u2 inactive, weight 1, 01:58:46\n"
            "S   0.0.0.0/0 [200/0] via 10.3.146.1, inactive 1d11h20m"
        )
        assert set(loads(self.one(tmp_path, text), "a", "c")) == {"l1[u1] -> s1[d1]", "s1[d2] -> l2[u1]"}

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            (
                "B>q 10.1.2.0/24 [20/0] via 10.9.9.1, u1, weight 1, 00:00:01",
                "10.1.2.0/24 cannot be followed: it is queued",
            ),
            ("B>* 10.1.2.0/24 [20/0] unreachable (blackhole), 00:00:01", "it is a route that drops packets"),
            ("B>* 10.1.2.0/24 [20/0] via 10.9.9.1, u1 (vrf red), weight 1, 00:00:01", "in another VRF"),
            ("B>* 10.1.2.0/24 [20/0] via 10.9.9.1, u1, label 17, weight 1, 00:00:01", "puts labels on packets"),
            ("B>* 10.1.2.0/24 [20/0] via 10.9.9.1, u1, weight 0, 00:00:01", r"l1\.txt, line 6: .*weight is 0"),
            ("B>* 10.1.2.0/24 [20/0] via 10.9.9.1, u1, colour 7, 00:00:01", r"line 6: .*'colour 7' of a next hop"),
            ("B>* 10.1.2.0/24 [20/0] via 10.9.9.1, 00:00:01", "has no interface"),
            ("B>* 10.1.2.0/24 [20", "line 6: .* has no interface|is not understood"),
            ("B>* 10.1.2", r"line 6: 'B>\* 10\.1\.2' is not understood; .*is it cut off"),
            ("what is this", "line 6: 'what is this' is not understood"),
        ],
    )
    def test_what_drops_and_what_is_not_understood(self, line: str, says: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=says):
            self.one(tmp_path, line)


def test_batfish_looks_next_hops_up(tmp_path: Path) -> None:
    rows = [x for x in batfish_rows() if (x["Node"], x["Network"]) != ("l1", "10.1.2.0/24")]
    plain = {"Node": "l1", "VRF": "default", "Protocol": "ibgp", "Next_Hop_Interface": "dynamic"}
    rows += [
        {**plain, "Network": "10.1.2.0/24", "Next_Hop": "ip 10.0.0.7", "Next_Hop_IP": "10.0.0.7"},
        {**plain, "Network": "10.0.0.7/32", "Next_Hop": "interface u2 ip 10.2.2.2", "Next_Hop_Interface": "u2"},
        {**plain, "Network": "10.0.0.0/8", "Next_Hop": "discard", "Next_Hop_Interface": "null_interface"},
    ]
    (lists(tmp_path) / "routes.json").write_text(json.dumps(rows))
    assert set(loads(routing(tmp_path), "a", "c")) == {"l1[u2] -> s2[d1]", "s2[d2] -> l2[u2]"}
    rows[-2] = {**rows[-2], "Next_Hop": "ip 10.0.0.7", "Next_Hop_Interface": "dynamic"}
    (tmp_path / "routes.json").write_text(json.dumps(rows))
    with pytest.raises(InputError, match=r"cannot be followed: its next hop 10\.0\.0\.7 is looked up in a circle"):
        routing(tmp_path)


class TestPortChannels:
    """Both cables of l1 go to s1, as one port channel."""

    CABLES = ("device,port,device,port", "l1,u1,s1,d1", "l1,u2,s1,d3", "l2,u1,s1,d2", "l2,u2,s2,d2", "s2,d1,s1,d4")

    def fabric(self, folder: Path) -> Path:
        lists(folder, list(self.CABLES))
        routes = {**ROUTES, "l1": {**ROUTES["l1"], "10.1.2.0/24": [("bond0", 1)]}}
        routes["l2"] = {**ROUTES["l2"], "10.1.1.0/24": [("u1", 1)]}
        routes["s1"] = {"10.1.1.0/24": [("bond0.7", 1)], "10.1.2.0/24": [("d2", 1)]}
        routes["s2"] = {"10.1.1.0/24": [("d1", 1)], "10.1.2.0/24": [("d2", 1)]}
        for device, table in routes.items():
            (folder / f"{device}.txt").write_text(as_text(table))
        return folder

    def links(self, members: dict[str, str], vlans: dict[str, str] | None = None) -> str:
        bond = {"ifindex": 9, "ifname": "bond0", "operstate": "UP", "linkinfo": {"info_kind": "bond"}}
        each = [
            {"ifindex": k, "ifname": x, "master": "bond0", "operstate": state, "linkinfo": {"info_slave_kind": "bond"}}
            for k, (x, state) in enumerate(members.items())
        ]
        more = [
            {"ifindex": 20, "ifname": x, "link": to, "linkinfo": {"info_kind": "vlan"}}
            for x, to in (vlans or {}).items()
        ]
        return json.dumps([bond, {}, *each, *more])

    def test_members_share_equally(self, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path)
        (folder / "l1.links.json").write_text(self.links({"u1": "UP", "u2": "UP"}))
        (folder / "s1.links.json").write_text(self.links({"d1": "UP", "d3": "UP"}, {"bond0.7": "bond0"}))
        half = Fraction(1, 2)
        found = routing(folder)
        assert loads(found, "a", "c") == {"l1[u1] -> s1[d1]": half, "l1[u2] -> s1[d3]": half, "s1[d2] -> l2[u1]": 1}
        assert loads(found, "d", "b") == {"l2[u1] -> s1[d2]": 1, "s1[d1] -> l1[u1]": half, "s1[d3] -> l1[u2]": half}
        (folder / "l1.links.json").write_text(self.links({"u1": "UP", "u2": "DOWN"}))
        assert set(loads(routing(folder), "a", "c")) == {"l1[u1] -> s1[d1]", "s1[d2] -> l2[u1]"}

    def test_sonic_says_members_too(self, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path)
        for device, ports in (("l1", "u1 u2"), ("s1", "d1 d3")):
            table = {f"LAG_MEMBER_TABLE:bond0:{x}": {"status": "enabled"} for x in ports.split()}
            table["LAG_MEMBER_TABLE:bond0:q9"] = {"status": "disabled"}
            table["INTF_TABLE:bond0.7"] = {"vlan": "7"}
            (folder / f"{device}.db.json").write_text(json.dumps(table))
        assert loads(routing(folder), "a", "c")["l1[u2] -> s1[d3]"] == Fraction(1, 2)

    def test_what_is_not_known_is_said(self, tmp_path: Path) -> None:
        folder = self.fabric(tmp_path)
        (folder / "s1.links.json").write_text(self.links({"d1": "UP", "d3": "UP"}, {"bond0.7": "bond0"}))
        with pytest.raises(InputError, match=r"fe80::0 by bond0, where no cable is known .*ip -j -d link"):
            routing(folder)
        (folder / "l1.links.json").write_text(self.links({"u1": "UP", "u9": "UP"}))
        with pytest.raises(InputError, match="of whose member u9 no cable to a device is known"):
            routing(folder)
        (folder / "l1.links.json").write_text(self.links({"u1": "DOWN"}))
        with pytest.raises(InputError, match="which has no member that is up"):
            routing(folder)


def test_vlan_interfaces_are_resolved_by_their_address(tmp_path: Path) -> None:
    frr_text(lists(tmp_path))
    (tmp_path / "l1.txt").write_text(as_text({**ROUTES["l1"], "10.1.2.0/24": [("Vlan10", 1)]}, via="10.9.9."))
    with pytest.raises(InputError, match=r"10\.9\.9\.0 by Vlan10, where no cable is known"):
        routing(tmp_path)
    address = [
        {"ifindex": 3, "ifname": "Vlan10", "addr_info": [{"family": "inet", "local": "10.9.9.0", "prefixlen": 24}]}
    ]
    (tmp_path / "s2.addr.json").write_text(json.dumps(address))
    assert set(loads(routing(tmp_path), "a", "c")) == {"l1[u2] -> s2[d1]", "s2[d2] -> l2[u2]"}
    (tmp_path / "s1.db.json").write_text(json.dumps({"INTF_TABLE:Vlan10:10.9.9.0/24": {"scope": "global"}}))
    with pytest.raises(InputError, match="an address of s1, s2; of one device was expected"):
        routing(tmp_path)
    (tmp_path / "s1.db.json").unlink()
    lists(tmp_path, [*CABLES, "l1,u3,s2,d3"])
    with pytest.raises(InputError, match="an address of s2, to which 2 cables lead; one was expected"):
        routing(tmp_path)


class TestVrfs:
    def test_one_is_read_and_others_are_named(self, tmp_path: Path) -> None:
        frr_text(lists(tmp_path))
        own = "\n".join(as_text({"10.1.2.0/24": [("u2", 1)]}).splitlines()[4:])
        (tmp_path / "l1.txt").write_text(as_text(ROUTES["l1"]) + f"\nVRF red:\n{own}\n")
        with pytest.warns(RouteproofWarning, match=r"routes of other VRFs are left out: red \(vrf=red reads these\)"):
            assert loads(routing(tmp_path), "a", "c") == split(Fraction(3, 4))
        for device, table in ROUTES.items():
            (tmp_path / f"{device}.txt").write_text(HEADER + "\nVRF red:\n" + as_text(table)[len(HEADER) :])
        with pytest.raises(InputError, match="has no routes of the VRF default; there are red: vrf=red"):
            routing(tmp_path)
        assert loads(routing(f"{tmp_path},vrf=red"), "a", "c") == split(Fraction(3, 4))

    def test_of_frr_as_json_linux_and_sonic(self, tmp_path: Path) -> None:
        frr_text(lists(tmp_path))
        hop = {"fib": True, "ip": "fe80::1", "interfaceName": "u1", "active": True}
        here = {"fib": True, "directlyConnected": True, "interfaceName": "br", "active": True}
        entry = {"selected": True, "installed": True, "protocol": "bgp"}
        red = {
            "10.1.2.0/24": [{**entry, "vrfName": "red", "nexthops": [hop]}],
            "10.1.1.0/24": [{**entry, "vrfName": "red", "protocol": "connected", "nexthops": [here]}],
        }
        (tmp_path / "l1.txt").write_text(json.dumps({"default": {}, "red": red}))
        linux = [
            {"dst": "10.1.2.0/24", "dev": "br", "protocol": "kernel", "scope": "link", "table": "red"},
            {"dst": "10.1.1.0/24", "gateway": "10.9.9.9", "dev": "u1", "protocol": "bgp", "table": "red"},
            {"dst": "10.1.1.0/24", "gateway": "10.9.9.9", "dev": "u2", "protocol": "bgp"},
        ]
        (tmp_path / "l2.txt").write_text(json.dumps(linux))
        (tmp_path / "s1.txt").write_text(
            json.dumps({k.replace(":", ":red:", 1): v for k, v in as_db(ROUTES["s1"]).items()})
        )
        (tmp_path / "s2.txt").unlink()
        lists(tmp_path, [x for x in CABLES if "s2" not in x])
        with pytest.warns(RouteproofWarning, match="left out: default"):
            found = routing(f"{tmp_path},vrf=red")
        assert set(loads(found, "a", "c")) == {"l1[u1] -> s1[d1]", "s1[d2] -> l2[u1]"}
        assert set(loads(found, "c", "a")) == {"l2[u1] -> s1[d2]", "s1[d1] -> l1[u1]"}
        assert main(["worst-case", f"{tmp_path},vrf=blue"]) == 2

    def test_only_fabrics_have_vrfs(self, tmp_path: Path) -> None:
        (tmp_path / "x.graphml").write_text("<graphml/>")
        with pytest.raises(InputError, match="vrf= is for"):
            read_network(tmp_path / "x.graphml", vrf="red")


def test_ipv6_takes_the_longest_prefix_and_link_local_next_hops(tmp_path: Path) -> None:
    six = {"10.1.1.0/24": "fd00:1::/64", "10.1.2.0/24": "fd00:2::/64"}
    lists(tmp_path)
    hosts = [
        "name,address,device,port",
        "a,fd00:1::2,l1,h1",
        "b,fd00:1::3,l1,h2",
        "c,fd00:2::2,l2,h1",
        "d,fd00:2::3,l2,h2",
    ]
    (tmp_path / "hosts.csv").write_text("\n".join(hosts))
    for device, table in ROUTES.items():
        own = {six[x]: to for x, to in table.items()}
        if device == "l1":
            own |= {"fd00:2::3/128": [("u2", 1)], "fd00::/16": [("u1", 1)], "::/0": [("u1", 1)]}
        text = as_text(own)
        (tmp_path / f"{device}.txt").write_text(text + "C>* fe80::/64 is directly connected, u1, 00:00:05\n")
    found = routing(tmp_path)
    assert loads(found, "a", "c") == split(Fraction(3, 4))
    assert set(loads(found, "a", "d")) == {"l1[u2] -> s2[d1]", "s2[d2] -> l2[u2]"}
    report = tmp_path / "r.json"
    assert main(["worst-case", str(tmp_path), "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0


BAD_FILES = [
    ('{"ROUTE_TABLE:10.7.0.0/16": 7}', r"ROUTE_TABLE:10\.7\.0\.0/16 is 7"),
    ('{"ROUTE_TABLE:10.7.0.0/16": {"nexthop": "1.1.1.1,2.2.2.2", "ifname": "a"}}', "2 next hops and 1 interfaces"),
    ('{"ROUTE_TABLE:10.7.0.0/16": {"nexthop": "1.1.1.1", "ifname": "a", "weight": "x"}}', "a whole number for each"),
    ('{"ROUTE_TABLE:10.7.0.0/16": {"nexthop_group": "g"}}', "which is not in NEXTHOP_GROUP_TABLE"),
    ('{"LLDP_ENTRY_TABLE:Ethernet0": {"lldp_rem_sys_name": "x"}}', "has no lldp_rem_port_id"),
    ('{"LAG_MEMBER_TABLE:PortChannel1": {}}', "is not understood"),
    ('[{"ifindex": 1, "ifname": 7}]', "has no ifname"),
    ('[{"ifindex": 1, "ifname": "a.7", "linkinfo": {"info_kind": "vlan"}}]', "without a link"),
    ("Node,VRF,Network,Protocol,Next_Hop\nl9,default,10.0.0.0/8,bgp,tunnel 7\n", "Next_Hop is 'tunnel 7'"),
    (
        "Node,VRF,Network,Protocol,Next_Hop\nl9,default,10.0.0.0/8,bgp\n",
        "line 2 has 4 columns; 5 were expected, as in the first line",
    ),
    ("Node,VRF,Network,Protocol\nl9,default,10.0.0.0/8,bgp\n", "has no next hop"),
    ("Interface,Remote_Interface\nl1,l2[u1]\n", "an interface is 'l1'; leaf1"),
    ('{"edges": [{"node1": {"hostname": "x"}}]}', r"edges\[0\]: an interface is an object"),
    ("---------\nLLDP neighbors:\n---------\nInterface:    u1, via: LLDP, RID: 1\n  Chassis:\n", "without a name"),
    ("lldp.u1.via=LLDP\nlldp.u1.chassis.name=x\nlldp.u1.por", "line 3: 'lldp.u1.por' is not understood"),
    ("lldp.u1.via=LLDP\nlldp.u2.rid=4\n", "lldp.u2.via= was expected before"),
    ("LocalPort  RemoteDevice  RemotePortID  X\n-----  -----  -----  --\nu1     s1     d1     B\n", "is it cut off"),
]


@pytest.mark.parametrize(("text", "says"), BAD_FILES)
def test_bad_files_in_one_line(text: str, says: str, tmp_path: Path) -> None:
    frr_text(lists(tmp_path))
    (tmp_path / "l9.dump").write_text(text)
    with pytest.raises(InputError, match=says) as error:
        routing(tmp_path)
    assert "\n" not in str(error.value)
    assert "l9.dump" in str(error.value)


def test_files_that_are_too_large_are_refused_unread_and_wrong_encodings_named(tmp_path: Path) -> None:
    frr_text(lists(tmp_path))
    with open(tmp_path / "s2.txt", "a+b") as file:
        file.write(b"C>* 10.0.0.0/8 is directly connected, lo, 00:00:05\n" * 2000)
        file.truncate(10_000_000_000)
    with pytest.raises(InputError, match=r"s2\.txt is 10\.0 GB; at most"):
        read_network(tmp_path)
    frr_text(tmp_path)
    text = (tmp_path / "s2.txt").read_text()
    (tmp_path / "s2.txt").write_bytes(text.replace("weight", "w\xe4ight").encode("latin-1"))
    with pytest.raises(InputError, match=r"s2\.txt is not text in UTF-8: byte"):
        read_network(tmp_path)


def test_the_fabric_of_the_benchmarks(tmp_path: Path) -> None:
    """Three tiers: the worst channel by hand, with and without symmetry, and a report that verifies."""
    script = Path(__file__).parents[3] / "benchmarks" / "ethernet_fabric.py"
    folder = tmp_path / "clos"
    subprocess.run([sys.executable, str(script), str(folder), "4", "3", "2", "2", "5"], check=True)
    found = routing(folder)
    assert (found.network.num_nodes, found.network.num_terminals, found.network.num_channels) == (24, 60, 80)
    # All 15 hosts of a pod send to other pods over 4 channels; 5 of a leaf over 2, and 5 come to a leaf over 2.
    assert worst_case(found).load == worst_case(found, symmetry="none").load == Fraction(15, 4)
    report = tmp_path / "r.json"
    assert main(["worst-case", str(folder), "--all-channels", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0


def test_a_table_of_bgp_is_no_forwarding_table(tmp_path: Path) -> None:
    """Of its routes some are backups: split over all of them, loads would be wrong."""
    rows = [{**x, "Status": "['BACKUP']", "AS_Path": "65001"} for x in batfish_rows()]
    (lists(tmp_path) / "routes.json").write_text(json.dumps(rows))
    with pytest.raises(InputError, match=r"row 1 is of a BGP table, .*bfq\.routes\(\) was expected"):
        read_network(tmp_path)


def test_routes_of_another_kind_are_named(tmp_path: Path) -> None:
    (tmp_path / "r1.routes.json").write_text('{"instances": {"default": {"routes": {}}}}')
    ends = [{"hostname": x, "interfaceName": "e1"} for x in ("r1", "r2")]
    (tmp_path / "layer1.json").write_text(json.dumps({"edges": [{"node1": ends[0], "node2": ends[1]}]}))
    with (
        pytest.warns(RouteproofWarning, match="left out"),
        pytest.raises(InputError, match=r"has no routes \(r1\.routes\.json is of no kind that is read\): .*APPL_DB"),
    ):
        read_network(tmp_path)
