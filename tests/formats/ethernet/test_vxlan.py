"""Hosts behind VXLAN: their packets take the outer routes, in the forms that EOS and NX-OS print."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_ethernet_fabric import loads

from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.routing.fabrics.installed_rule import rule_of
from routeproof.routing.tables.group_table import GroupTableRouting

VTEP = {"l1": "10.0.0.1", "l2": "10.0.0.2", "l3": "10.0.0.2"}  # l2 and l3 are an MLAG pair, and share one
CABLES = ["device,port,device,port", *(f"l{k},Ethernet{s},s{s},Ethernet{k}" for k in (1, 2, 3) for s in (1, 2))]
HOSTS = [
    "name,address,device,port", "a,192.168.1.5,l1,Ethernet9",
    "b,192.168.2.5,l2,Ethernet9", "b,192.168.2.5,l3,Ethernet9",
]  # fmt: skip


def route(kind: str, *vias: dict[str, Any]) -> dict[str, Any]:
    return {
        "kernelProgrammed": True, "directlyConnected": kind == "connected", "routeAction": "forward",
        "routeLeaked": False, "hardwareProgrammed": True, "routeType": kind, "vias": list(vias),
    }  # fmt: skip


def tunnel(vtep: str) -> dict[str, Any]:
    return {"vtepAddr": vtep, "nexthopAddr": "", "routerMac": "0e:c7:31:6f:9f:f0", "vni": 15002}


def own(interface: str) -> dict[str, Any]:
    return route("connected", {"interface": interface})


def by(*ports: int) -> dict[str, Any]:
    return route("eBGP", *({"interface": f"Ethernet{x}", "nexthopAddr": ""} for x in ports))


def vrfs(device: str, inner: dict[str, Any]) -> dict[str, Any]:
    tables = {"default": outer(device), **({"red": inner} if inner else {})}
    return {"vrfs": {name: {"routingDisabled": False, "routes": x} for name, x in tables.items()}}


def outer(device: str) -> dict[str, Any]:
    if device.startswith("s"):
        return {"10.0.0.1/32": by(1), "10.0.0.2/32": by(2, 3)}
    return {f"{x}/32": own("Loopback1") if x == VTEP[device] else by(1, 2) for x in sorted(set(VTEP.values()))}


INNER: dict[str, dict[str, Any]] = {
    "l1": {"192.168.1.0/24": own("Vlan10"), "192.168.2.0/24": route("eBGP", tunnel("10.0.0.2"))},
    "l2": {"192.168.2.0/24": own("Vlan20"), "192.168.1.0/24": route("eBGP", tunnel("10.0.0.1"))},
    "l3": {"192.168.2.0/24": own("Vlan20"), "192.168.1.0/24": route("eBGP", tunnel("10.0.0.1"))},
    "s1": {},
    "s2": {},
}


def written(folder: Path, inner: dict[str, dict[str, Any]], hosts: list[str] = HOSTS) -> Path:
    for device, table in inner.items():
        (folder / f"{device}.routes.json").write_text(json.dumps(vrfs(device, table)))
    (folder / "cables.csv").write_text("\n".join(CABLES))
    (folder / "hosts.csv").write_text("\n".join(hosts))
    return folder


def routing(folder: Path, vrf: str = "red") -> GroupTableRouting:
    network = read_network(folder, vrf=vrf)
    assert isinstance(network, EthernetNetwork)
    return routing_of_routes(network)


@pytest.mark.filterwarnings("ignore:.*hosts with several ports")
def test_packets_are_routed_by_the_address_of_the_device_that_takes_them_out(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match="packets of the VRF red are carried in VXLAN, by .* the VRF default"):
        found = routing(written(tmp_path, INNER))
    found.check()
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert loads(found, "a", "b") == {
        "l1[Ethernet1] -> s1[Ethernet1]": half, "l1[Ethernet2] -> s2[Ethernet1]": half,
        **{f"s{s}[Ethernet{k}] -> l{k}[Ethernet{s}]": quarter for s in (1, 2) for k in (2, 3)},
        "l2[Ethernet9] -> b[1]": half, "l3[Ethernet9] -> b[2]": half,
    }  # fmt: skip
    back = loads(found, "b", "a")
    assert back["b.sends[2] -> l3[Ethernet9]"] == back["s1[Ethernet1] -> l1[Ethernet1]"] == half
    assert main(["convert", f"{tmp_path},vrf=red", "--routing", "ecmp", str(tmp_path / "x.iproute")]) == 2


@pytest.mark.filterwarnings("ignore:.*carried in VXLAN")
def test_the_rule_of_the_outer_routes_is_found(tmp_path: Path) -> None:
    inner = {x: dict(INNER[x]) for x in ("l1", "l2", "s1", "s2")}
    folder = written(tmp_path, inner, [*HOSTS[:3], "c,192.168.1.6,l1,Ethernet8"])
    for spine in ("s1", "s2"):
        document = vrfs(spine, {})
        document["vrfs"]["default"]["routes"]["10.0.0.2/32"] = by(2)
        (folder / f"{spine}.routes.json").write_text(json.dumps(document))
    (folder / "cables.csv").write_text("\n".join(x for x in CABLES if not x.startswith("l3")))
    assert rule_of(routing(folder)).rule is not None


@pytest.mark.parametrize(
    ("device", "prefix", "entry", "says"),
    [
        ("l1", "192.168.2.0/24", route("eBGP", tunnel("10.0.0.2"), tunnel("10.0.0.9")), "lost at l1, .*into VXLAN to"),
        ("l3", "192.168.1.0/24", route("eBGP", tunnel("10.0.0.2")), r"into VXLAN to 10.0.0.1 at l2 and 10.0.0.2 at l3"),
        ("l3", "192.168.2.0/24", None, r"b\[192.168.2.5\] twice"),
        ("l2", "192.168.1.0/24", None, "lost at l2 .*its VRF has no route there"),
        ("l3", "192.168.1.0/24", by(1), "lost at l3 .*may come there inside VXLAN and outside of it"),
        ("l3", "192.168.1.0/24", own("Vlan30"), "lost at l3 .*is connected there, and the host is elsewhere"),
    ],
)
@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_what_is_not_followed(device: str, prefix: str, entry: Any, says: str, tmp_path: Path) -> None:
    inner = {x: dict(table) for x, table in INNER.items()}
    inner[device][prefix] = entry
    if entry is None:
        del inner[device][prefix]
    with pytest.raises(InputError, match=says):
        routing(written(tmp_path, inner))


NXOS = """\
IP Route Table for VRF "default"
'*' denotes best ucast next-hop
'**' denotes best mcast next-hop
'[x/y]' denotes [preference/metric]
'%<string>' in via output denotes VRF <string>

{me}.{me}.{me}.{me}/32, ubest/mbest: 2/0, attached
    *via {me}.{me}.{me}.{me}, Lo0, [0/0], 5d16h, local
    *via {me}.{me}.{me}.{me}, Lo0, [0/0], 5d16h, direct
{it}.{it}.{it}.{it}/32, ubest/mbest: 1/0
    *via 10.1.12.{it}, [1/0], 5d16h, static
10.1.12.0/30, ubest/mbest: 1/0, attached
    *via 10.1.12.{me}, Eth1/1, [0/0], 5d16h, direct
10.1.12.{me}/32, ubest/mbest: 1/0, attached
    *via 10.1.12.{me}, Eth1/1, [0/0], 5d16h, local

IP Route Table for VRF "TENANT-777"
'*' denotes best ucast next-hop

192.168.{me}0.0/24, ubest/mbest: 1/0, attached
    *via 192.168.{me}0.254, Eth1/2, [0/0], 5d16h, direct
192.168.{me}0.254/32, ubest/mbest: 1/0, attached
    *via 192.168.{me}0.254, Eth1/2, [0/0], 5d16h, local
192.168.{it}0.0/24, ubest/mbest: 1/0
    *via {it}.{it}.{it}.{it}%default, [200/0], 1d18h, bgp-65000, internal, tag 65000 (evpn) segid: 100777 tunnelid: \
0x2020202 encap: VXLAN
"""


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_nxos(tmp_path: Path) -> None:
    for me, it in ((1, 2), (2, 1)):
        (tmp_path / f"NX-{me}.routes.txt").write_text(NXOS.format(me=me, it=it))
    (tmp_path / "cables.csv").write_text("device,port,device,port\nNX-1,Ethernet1/1,NX-2,Ethernet1/1\n")
    found = routing(tmp_path, "TENANT-777")
    assert found.network.terminal_labels == ("NX-1 192.168.10.0/24", "NX-2 192.168.20.0/24")
    assert list(loads(found, *found.network.terminal_labels)) == ["NX-1[Ethernet1/1] -> NX-2[Ethernet1/1]"]
