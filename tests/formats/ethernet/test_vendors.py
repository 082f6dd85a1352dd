"""One leaf-spine as FRR prints it, and as each vendor does (in the shape of real outputs): the same worst case."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.ethernet.fabric import EthernetNetwork
from routeproof.formats.ethernet.routes import prefix_of
from routeproof.formats.format import read_network
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.worst.scan.exact import worst_case
from vendor_dumps import (
    CABLES,
    PORTS,
    ROUTES,
    VENDORS,
    Dumps,
    address,
    datum,
    dumps_of,
    eos_route,
    eos_table,
    junos_route,
    junos_routes,
    junos_table,
    written,
)


def load(folder: Path) -> Fraction:
    network = read_network(folder)
    assert isinstance(network, EthernetNetwork)
    assert network.num_channels == 8
    return worst_case(routing_of_routes(network)).load


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.filterwarnings("ignore:.*Junos lists next hops")
@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_gives_the_worst_case_of_frr(vendor: str, tmp_path: Path) -> None:
    if vendor == "sros":  # says nothing of neighbours
        cabled(tmp_path, "sros", "sros")
    assert load(written(tmp_path, dumps_of(vendor))) == 2  # both flows of l1 on its one uplink


def cabled(folder: Path, leaf: str, spine: str) -> None:
    lines = [f"{a},{PORTS[leaf]}{p},{b},{PORTS[spine]}{q}" for (a, p), (b, q) in CABLES.items()]
    (folder / "cables.csv").write_text("\n".join(["device,port,device,port", *lines]))


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.filterwarnings("ignore:.*Junos lists next hops")
@pytest.mark.parametrize("leaf", [x for x in VENDORS if x != "frr"])
def test_leaves_of_a_vendor_below_spines_of_frr(leaf: str, tmp_path: Path) -> None:
    """Every port is named by the system that it is of; only lists of neighbours tell both names."""
    dumps = {d: VENDORS[leaf if d[0] == "l" else "frr"](d) for d in ROUTES}
    cabled(tmp_path, leaf, "frr")
    for files in dumps.values():
        for one in [x for x in files if x.startswith("lldp")]:
            del files[one]
    assert load(written(tmp_path, dumps)) == 2


def eos_with(route: dict[str, Any]) -> Dumps:
    dumps = dumps_of("eos")
    table = eos_table("l1")
    table["vrfs"]["default"]["routes"]["10.1.2.0/24"] = route
    dumps["l1"]["route.txt"] = json.dumps(table)
    return dumps


def changed(vendor: str, find: str, put: str) -> Dumps:
    """The dumps of a vendor with a text in l1's routes replaced."""
    dumps = dumps_of(vendor)
    file = next(x for x in dumps["l1"] if x.startswith("route"))
    assert find in dumps["l1"][file]
    dumps["l1"][file] = dumps["l1"][file].replace(find, put, 1)
    if vendor == "sros":
        dumps["cables"] = {
            "csv": "device,port,device,port\nl1,to-1,s1,to-1\nl1,to-2,s2,to-1\nl2,to-1,s1,to-2\nl2,to-2,s2,to-2\n"
        }
    return dumps


def junos_with(route: dict[str, Any]) -> Dumps:
    dumps = dumps_of("junos")
    dumps["l1"]["route.txt"] = junos_routes([*junos_table("l1")[:-1], route])
    return dumps


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
def test_weights_of_eos_are_shares(tmp_path: Path) -> None:
    dumps = changed(
        "eos_text", "via 10.0.11.1, Ethernet1\n",
        "via 10.0.11.1, Ethernet1, weight 3/4\n           via 10.0.12.1, Ethernet2, weight 1/4\n",
    )  # fmt: skip
    assert load(written(tmp_path, dumps)) == Fraction(3, 2)


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.parametrize(
    ("find", "put", "words"),
    [
        (" via 10.0.11.1, Ethernet1", " via 10.0.11.1, Ethernet1, weight 0/4", "10.1.2.0/24: a weight above 0 of each"),
        (" via 10.0.11.1, Ethernet1", " via 10.0.11.1, Ethernet1, weight 1/4\n via 10.0.12.1, Ethernet2", "or of none"),
        (" via 10.0.11.1, Ethernet1", " via VTEP 10.0.11.1 VNI 7", "it has the flag 'via VTEP 10.0.11.1 VNI 7'"),
        ("Gateway of last resort", "Gateway", "no line 'Gateway of last resort'"),
        (" C        10.0.11.0/31", " some words", "some words'?; a prefix of a route"),
    ],
)
def test_texts_of_eos_that_are_not_followed(find: str, put: str, words: str, tmp_path: Path) -> None:
    dumps = dumps_of("eos_text")
    text = dumps["l1"]["route.txt"]
    dumps["l1"]["route.txt"] = text.replace(find, put, 3 if find.startswith("Gateway") else 1)
    with pytest.raises(InputError, match=words):
        load(written(tmp_path, dumps))


HOP = {"interface": "Ethernet1", "nexthopAddr": "10.0.11.1"}
VXLAN = {"vtepAddr": "192.168.254.8", "nexthopAddr": "", "routerMac": "0c:d0:34:56:3c:c7", "vni": 50201}
REFUSED: dict[str, tuple[Dumps, str]] = {
    "a drop": (eos_with(eos_route("bgpAggregate", routeAction="drop")), "it is a route that drops packets"),
    "another action": (eos_with(eos_route("static", HOP, routeAction="punt")), "of the kind 'punt'"),
    "not in hardware": (eos_with(eos_route("eBGP", HOP, hardwareProgrammed=False)), "in the forwarding table"),
    "VXLAN": (eos_with(eos_route("eBGP", VXLAN)), "it puts packets into VXLAN to 192.168.254.8"),
    "a weight": (eos_with(eos_route("eBGP", HOP | {"weight": 3})), "it has the flag 'weight', which is not known"),
    "Junos: a label": (
        junos_with(junos_route("10.1.2.0/24", "LDP", {"via": datum("et-0/0/1.0"), "mpls-label": datum("Push 299792")})),
        "it puts labels on packets (Push 299792)",
    ),
    "Junos: discard": (
        junos_with(junos_route("10.1.2.0/24", "Static", **{"nh-type": datum("Discard")})),
        "it is a route that drops packets",
    ),
    "Junos: another field": (
        junos_with(junos_route("10.1.2.0/24", "BGP", {"via": datum("et-0/0/1.0"), "weight": datum("0x1")})),
        "it has the flag 'weight', which is not known",
    ),
    "NX-OS: VXLAN": (
        changed("nxos", "bgp-65001, external, tag 65002", "bgp-1, internal, tag 1 (evpn) segid: 5 encap: VXLAN"),
        "it puts packets into VXLAN",
    ),
    "NX-OS: another VRF": (changed("nxos", "10.0.11.1, [20/0]", "10.0.11.1%red, [20/0]"), "in the VRF red"),
    "NX-OS: nobody knows the next hop": (
        changed("nxos", "*via 10.0.11.1, [20", "*via 10.9.9.9, [20"),
        "its next hop 10.9.9.9 has no interface",
    ),
    "NX-OS: a line": (changed("nxos", "    *via 10.0.11.1", "    *to 10.0.11.1"), "l1.route.txt, line"),
    "NX-OS: a field": (
        changed("nxos_json", '"clientname": "bgp-65001"', '"clientname": "bgp-65001", "segmentid": "5"'),
        "it has the flag 'segmentid', which is not known",
    ),
    "SR OS: a tunnel": (
        changed("sros", "10.0.11.1       ", "10.0.11.1 (tunneled:SR-ISIS:524293)       "),
        "its next hop is a tunnel (SR-ISIS:524293)",
    ),
    "SR OS: cut off": (changed("sros", "No. of Routes: 4", "No. of Routes: 5"), "has 4 routes and says that it has 5"),
    "no list of vias": (eos_with(eos_route("eBGP", vias=1)), "l1.route.txt: 10.1.2.0/24: vias"),
}


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.filterwarnings("ignore:.*Junos lists next hops")
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_followed_is_named(what: str, tmp_path: Path) -> None:
    dumps, says = REFUSED[what]
    with pytest.raises(InputError, match=re.escape(says)) as error:
        load(written(tmp_path, dumps))
    assert "\n" not in str(error.value)


def test_junos_says_what_is_assumed_of_its_next_hops(tmp_path: Path) -> None:
    with (
        pytest.warns(RouteproofWarning, match="only under a policy with load-balance per-packet; it is taken that all"),
        pytest.warns(RouteproofWarning, match="mgmt_junos"),
    ):
        read_network(written(tmp_path, dumps_of("junos")))


@pytest.mark.filterwarnings("ignore:.*routes of other VRFs are left out")
@pytest.mark.filterwarnings("ignore:.*Junos lists next hops")
def test_members_of_a_bundle_of_junos_are_those_that_lldp_shows(tmp_path: Path) -> None:
    dumps = dumps_of("junos")
    for device in ("l1", "s1"):
        dumps[device]["route.txt"] = dumps[device]["route.txt"].replace("et-0/0/1.0", "ae1.0")
        seen = json.loads(dumps[device]["lldp.txt"])
        listed = seen["lldp-neighbors-information"][0]["lldp-neighbor-information"]
        listed[0]["lldp-local-parent-interface-name"] = datum("ae1")
        listed.append(json.loads(json.dumps(listed[0]).replace("et-0/0/1", "et-0/0/9")))
        dumps[device]["lldp.txt"] = json.dumps(seen)
    network = read_network(written(tmp_path, dumps))
    assert isinstance(network, EthernetNetwork)
    assert network.num_channels == 10
    assert worst_case(routing_of_routes(network)).load == 2  # of s1 to l2; of each member 1


def test_sros_says_how_often_a_next_hop_is_repeated(tmp_path: Path) -> None:
    cabled(tmp_path, "sros", "sros")
    dumps = dumps_of("sros")
    text = dumps["l2"]["route.txt"]
    at = text.index("10.1.1.0/24")
    dumps["l2"]["route.txt"] = text[:at] + text[at:].replace("10.1.1.0/24    ", "10.1.1.0/24 [3]", 1)
    network = read_network(written(tmp_path, dumps))
    assert isinstance(network, EthernetNetwork)
    hops = (
        network.tables[[network.label(v) for v in range(4)].index("l2")]
        .routes[prefix_of("10.1.1.0/24", what="it")]
        .hops
    )
    assert [x.weight for x in hops] == [3, 1]


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
