"""One leaf-spine as FRR prints it, and as each vendor does (in the shape of real outputs): the same worst case."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.format import read_network
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.worst.scan.exact import worst_case

HOSTS = "name,address,device,port\n" + "".join(
    f"h{k},10.1.{1 + k // 3}.{10 + k},l{1 + k // 3},host{k}\n" for k in (1, 2, 3, 4)
)
CABLES = {("l1", 1): ("s1", 1), ("l1", 2): ("s2", 1), ("l2", 1): ("s1", 2), ("l2", 2): ("s2", 2)}
FAR = CABLES | {b: a for a, b in CABLES.items()}
ROUTES: dict[str, dict[str, Any]] = {
    "l1": {"10.1.1.0/24": "connected", "10.1.2.0/24": [1]},  # an ECMP group that lost its second uplink
    "l2": {"10.1.2.0/24": "connected", "10.1.1.0/24": [1, 2]},
    "s1": {"10.1.1.0/24": [1], "10.1.2.0/24": [2]},
    "s2": {"10.1.1.0/24": [1], "10.1.2.0/24": [2]},
}
"""By device and prefix: the numbers of the ports that packets leave by."""


def network_of(device: str, port: int) -> str:
    (leaf, up), _ = sorted([(device, port), FAR[device, port]])
    return f"10.0.{leaf[1]}{up}."


def address(device: str, port: int) -> str:
    return network_of(device, port) + ("0" if device[0] == "l" else "1")


def gateway(device: str, port: int) -> str:
    return address(*FAR[device, port])


def ports(device: str) -> list[int]:
    return sorted(port for d, port in FAR if d == device)


def frr(device: str) -> dict[str, str]:
    def entry(prefix: str, protocol: str, hops: list[dict[str, Any]]) -> list[dict[str, Any]]:
        each = [{"fib": True, "active": True, **x} for x in hops]
        return [{"prefix": prefix, "protocol": protocol, "selected": True, "installed": True, "nexthops": each}]

    table = {}
    for prefix, to in ROUTES[device].items():
        hops = [{"interfaceName": "vlan10"}] if to == "connected" else []
        hops = hops or [{"interfaceName": f"swp{p}", "ip": gateway(device, p)} for p in to]
        table[prefix] = entry(prefix, "connected" if to == "connected" else "bgp", hops)
    for p in ports(device):
        prefix = f"{network_of(device, p)}0/31"
        table[prefix] = entry(prefix, "connected", [{"interfaceName": f"swp{p}"}])
    far = {f"swp{p}": FAR[device, p] for p in ports(device)}
    seen = [{x: {"chassis": {d: {}}, "port": {"id": {"value": f"swp{q}"}}}} for x, (d, q) in far.items()]
    return {"routes.json": json.dumps(table), "lldp.json": json.dumps({"lldp": {"interface": seen}})}


def eos_route(kind: str, *vias: dict[str, Any], **more: Any) -> dict[str, Any]:
    own = {"hardwareProgrammed": True, "routeType": kind, "routeLeaked": False, "kernelProgrammed": True}
    return {**own, "routeAction": "forward", "directlyConnected": kind == "connected", "vias": list(vias), **more}


def eos_table(device: str) -> dict[str, Any]:
    routes = {
        f"{network_of(device, p)}0/31": eos_route("connected", {"interface": f"Ethernet{p}"}) for p in ports(device)
    }
    for prefix, to in ROUTES[device].items():
        vias = [{"interface": "Vlan10"}] if to == "connected" else []
        vias = vias or [{"nexthopAddr": gateway(device, p), "interface": f"Ethernet{p}"} for p in to]
        routes[prefix] = eos_route("connected" if to == "connected" else "eBGP", *vias)
    flags = {"routingDisabled": False, "allRoutesProgrammedHardware": True, "defaultRouteState": "notSet"}
    management = {"192.168.0.0/24": eos_route("connected", {"interface": "Management1"})}
    return {"vrfs": {"MGMT": {**flags, "routes": management}, "default": {**flags, "routes": routes}}}


def eos(device: str) -> dict[str, str]:
    seen = {
        f"Ethernet{p}": {
            "lldpNeighborInfo": [
                {
                    "systemName": f"{FAR[device, p][0]}.example.net",
                    "chassisId": "2c60.0cad.30de",
                    "chassisIdType": "macAddress",
                    "managementAddresses": [{"address": "192.168.0.9", "addressType": "ipv4", "oidString": ""}],
                    "neighborInterfaceInfo": {
                        "interfaceIdType": "interfaceName",
                        "interfaceId": f'"Ethernet{FAR[device, p][1]}"',
                        "interfaceDescription": "uplink",
                        "operMauType": "Unknown",
                    },
                }
            ]
        }
        for p in ports(device)
    }
    seen["Management1"] = {"lldpNeighborInfo": []}
    return {"route.txt": json.dumps(eos_table(device)), "lldp.txt": json.dumps({"lldpNeighbors": seen})}


VENDORS: dict[str, Callable[[str], dict[str, str]]] = {"frr": frr, "eos": eos}
Dumps = dict[str, dict[str, str]]


def written(folder: Path, dumps: Dumps) -> Path:
    (folder / "hosts.csv").write_text(HOSTS)
    for device, files in dumps.items():
        for name, text in files.items():
            (folder / f"{device}.{name}").write_text(text)
    return folder


def dumps_of(vendor: str) -> Dumps:
    return {device: VENDORS[vendor](device) for device in ROUTES}


def load(folder: Path) -> Fraction:
    network = read_network(folder)
    assert isinstance(network, EthernetNetwork)
    assert network.num_channels == 8
    return worst_case(routing_of_routes(network)).load


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_gives_the_worst_case_of_frr(vendor: str, tmp_path: Path) -> None:
    assert load(written(tmp_path, dumps_of(vendor))) == 2  # both flows of l1 on its one uplink


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.parametrize("leaf", [x for x in VENDORS if x != "frr"])
def test_leaves_of_a_vendor_below_spines_of_frr(leaf: str, tmp_path: Path) -> None:
    """Every port is named by the system that it is of; only lists of neighbours tell both names."""
    dumps = {d: VENDORS[leaf if d[0] == "l" else "frr"](d) for d in ROUTES}
    cables = "".join(f"{a},{name(leaf, p)},{b},swp{q}\n" for (a, p), (b, q) in CABLES.items())
    for files in dumps.values():
        del files[next(x for x in files if x.startswith("lldp"))]
    (tmp_path / "cables.csv").write_text("device,port,device,port\n" + cables)
    assert load(written(tmp_path, dumps)) == 2


def name(vendor: str, port: int) -> str:
    return {"eos": f"Ethernet{port}"}[vendor]


def eos_with(route: dict[str, Any]) -> Dumps:
    dumps = dumps_of("eos")
    table = eos_table("l1")
    table["vrfs"]["default"]["routes"]["10.1.2.0/24"] = route
    dumps["l1"]["route.txt"] = json.dumps(table)
    return dumps


HOP = {"interface": "Ethernet1", "nexthopAddr": "10.0.11.1"}
VXLAN = {"vtepAddr": "192.168.254.8", "nexthopAddr": "", "routerMac": "0c:d0:34:56:3c:c7", "vni": 50201}
REFUSED: dict[str, tuple[Dumps, str]] = {
    "a drop": (eos_with(eos_route("bgpAggregate", routeAction="drop")), "it is a route that drops packets"),
    "another action": (eos_with(eos_route("static", HOP, routeAction="punt")), "of the kind 'punt'"),
    "not in hardware": (eos_with(eos_route("eBGP", HOP, hardwareProgrammed=False)), "in the forwarding table"),
    "VXLAN": (eos_with(eos_route("eBGP", VXLAN)), "it puts packets into VXLAN to '192.168.254.8'"),
    "a weight": (eos_with(eos_route("eBGP", HOP | {"weight": 3})), "it has the flag 'weight', which is not known"),
    "no list of vias": (eos_with(eos_route("eBGP", vias=1)), "l1.route.txt: 10.1.2.0/24: vias"),
}


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_followed_is_named(what: str, tmp_path: Path) -> None:
    dumps, says = REFUSED[what]
    with pytest.raises(InputError, match=re.escape(says)) as error:
        load(written(tmp_path, dumps))
    assert "\n" not in str(error.value)


class TestArista:
    def test_another_vrf_is_asked_for(self, tmp_path: Path) -> None:
        with pytest.warns(RouteproofWarning, match=r"routes of other VRFs are left out: MGMT \(vrf=MGMT reads these\)"):
            read_network(written(tmp_path, dumps_of("eos")))

    @pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
    def test_port_channels_and_speeds_are_in_show_interfaces(self, tmp_path: Path) -> None:
        """One port channel of two cables from l1 to s1: half of the load on each."""
        dumps = dumps_of("eos")
        for device in ("l1", "s1"):
            table = json.loads(dumps[device]["route.txt"].replace("Ethernet1", "Port-Channel1"))
            dumps[device]["route.txt"] = json.dumps(table)
            seen = json.loads(dumps[device]["lldp.txt"])["lldpNeighbors"]
            text = json.dumps(seen["Ethernet1"]).replace("Ethernet1", "Ethernet9")
            seen["Ethernet9"] = json.loads(text)
            dumps[device]["lldp.txt"] = json.dumps({"lldpNeighbors": seen})
            shut = {"hardware": "ethernet", "lineProtocolStatus": "up", "bandwidth": 100 * 10**9}
            members: dict[str, Any] = {"Ethernet1": {}, "Ethernet9": {}}
            lag = {"hardware": "portChannel", "lineProtocolStatus": "up", "memberInterfaces": members, "bandwidth": 0}
            own = {"interfaceAddress": [{"primaryIp": {"address": address(device, 1), "maskLen": 31}}]}
            interfaces = {"Ethernet1": shut, "Ethernet9": shut, "Ethernet2": shut, "Port-Channel1": lag | own}
            dumps[device]["interfaces.txt"] = json.dumps({"interfaces": interfaces})
        for device in ("l2", "s2"):
            ports_of = {f"Ethernet{p}": {"hardware": "ethernet", "bandwidth": 100 * 10**9} for p in (1, 2)}
            text = json.dumps({"interfaces": ports_of | {"Loopback0": {"lineProtocolStatus": "up"}}})
            dumps[device]["interfaces.txt"] = text
        network = read_network(written(tmp_path, dumps))
        assert isinstance(network, EthernetNetwork)
        assert network.num_channels == 10
        assert set(network.bandwidth) == {100}
        assert network.gbps == 1
        assert 100 * worst_case(routing_of_routes(network)).load == 2  # of s1 to l2; of each member 1
