"""A small leaf-spine as FRR and the vendors' systems print it, in the shape of real outputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = [
    "CABLES", "PORTS", "ROUTES", "VENDORS", "Dumps", "address", "datum", "dumps_of", "eos_route", "eos_table",
    "junos_route", "junos_routes", "junos_table", "written",
]  # fmt: skip

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


EOS_TEXT = """
VRF: default
Source Codes:
       C - connected, S - static, K - kernel,
       B I - iBGP, B E - eBGP, R - RIP, I L1 - IS-IS level 1,
       CL - CBF Leaked Route

Gateway of last resort is not set

"""


def eos_text(device: str) -> dict[str, str]:
    lines = [
        f" C        {network_of(device, p)}0/31\n           directly connected, Ethernet{p}" for p in ports(device)
    ]
    for prefix, to in ROUTES[device].items():
        hops = [f"           via {gateway(device, p)}, Ethernet{p}" for p in (to if to != "connected" else [])]
        own = [f" C        {prefix} is directly connected, Vlan10"]  # as earlier systems print it
        lines += [f" B E      {prefix} [200/0]", *hops] if hops else own
    other = (
        EOS_TEXT.replace("default", "MGMT") + " C        192.168.0.0/24\n           directly connected, Management1\n"
    )
    return eos(device) | {"route.txt": EOS_TEXT + "\n".join(lines) + "\n" + other + EOS_TEXT.replace("default", "X")}


def datum(value: str) -> list[dict[str, str]]:
    return [{"data": value}]


def junos_route(prefix: str, source: str, *hops: dict[str, Any], **more: Any) -> dict[str, Any]:
    entry = {"active-tag": datum("*"), "protocol-name": datum(source), "preference": datum("170"), "nh": list(hops)}
    return {"rt-destination": datum(prefix), "rt-entry": [entry | more]}


def junos_table(device: str) -> list[dict[str, Any]]:
    routes = []
    for p in ports(device):
        own = {"selected-next-hop": [{"data": [None]}], "via": datum(f"et-0/0/{p}.0")}
        routes.append(junos_route(f"{network_of(device, p)}0/31", "Direct", own))
        local = {"nh-local-interface": datum(f"et-0/0/{p}.0")}
        routes.append(junos_route(f"{address(device, p)}/32", "Local", local, **{"nh-type": datum("Local")}))
    for prefix, to in ROUTES[device].items():
        if to == "connected":
            routes.append(junos_route(prefix, "Direct", {"via": datum("irb.10")}))
        else:
            hops = [{"to": datum(gateway(device, p)), "via": datum(f"et-0/0/{p}.0")} for p in to]
            routes.append(junos_route(prefix, "BGP", *hops))
    return routes


def junos_routes(routes: list[dict[str, Any]]) -> str:
    tables = [
        {"table-name": datum("inet.0"), "rt": routes},
        {
            "table-name": datum("mgmt_junos.inet.0"),
            "rt": [junos_route("0.0.0.0/0", "Static", {"via": datum("fxp0.0")})],
        },
        {"table-name": datum("bgp.evpn.0"), "rt": [{"rt-destination": datum("2:172.16.0.1:1::10100::2c:6b")}]},
    ]
    info = {"attributes": {"xmlns": "http://xml.juniper.net/junos/25.4R0/junos-routing"}, "route-table": tables}
    return json.dumps({"route-information": [info]}, indent=4) + "\n\n{master:0}\n"


def junos(device: str) -> dict[str, str]:
    seen = []
    for p in ports(device):
        name, port = FAR[device, p]
        fields = {
            "local-port-id": f"et-0/0/{p}", "local-parent-interface-name": "-", "remote-chassis-id": "00:1c:73:8f",
            "remote-port-id": f"et-0/0/{port}", "remote-port-description": "uplink", "remote-system-name": name,
        }  # fmt: skip
        seen.append({f"lldp-{x}": datum(y) for x, y in fields.items()})
    lldp = {"lldp-neighbors-information": [{"lldp-neighbor-information": seen}]}
    return {"route.txt": junos_routes(junos_table(device)), "lldp.txt": json.dumps(lldp)}


NXOS = """IP Route Table for VRF "default"
'*' denotes best ucast next-hop
'**' denotes best mcast next-hop
'[x/y]' denotes [preference/metric]
'%<string>' in via output denotes VRF <string>

"""


def nxos_paths(device: str) -> dict[str, list[tuple[str, str, str]]]:
    """By prefix: next hop, interface and source of every path; those of BGP have no interface."""
    found = {}
    for p in ports(device):
        own = address(device, p)
        found[f"{network_of(device, p)}0/31"] = [(own, f"Eth1/{p}", "direct")]
        found[f"{own}/32"] = [(own, f"Eth1/{p}", "local")]
    for prefix, to in ROUTES[device].items():
        own = prefix.replace("0/24", "1")
        hops = [(own, "Vlan10", "direct")] if to == "connected" else []
        found[prefix] = hops or [(gateway(device, p), "", "bgp-65001") for p in to]
    return found


def nxos_lldp(device: str) -> str:
    rows = [
        {
            "chassis_id": "5087.89a1.d8d6", "l_port_id": f"Eth1/{p}", "port_id": f"Ethernet1/{FAR[device, p][1]}",
            "port_desc": "null", "sys_name": f"{FAR[device, p][0]}.ntc.com", "mgmt_addr": "10.1.100.21",
        }
        for p in ports(device)
    ]  # fmt: skip
    return json.dumps({"TABLE_nbor_detail": {"ROW_nbor_detail": rows}})


def nxos(device: str) -> dict[str, str]:
    text = NXOS
    for prefix, paths in nxos_paths(device).items():
        text += f"{prefix}, ubest/mbest: {len(paths)}/0{'' if paths[0][2] == 'bgp-65001' else ', attached'}\n"
        for to, interface, source in paths:
            at = f", {interface}" if interface else ""
            rest = ", external, tag 65002" if not interface else ""
            text += f"    *via {to}{at}, [20/0], 01:02:39, {source}{rest}\n"
    return {"route.txt": text, "lldp.json": nxos_lldp(device)}


def nxos_json(device: str) -> dict[str, str]:
    rows = []
    for prefix, paths in nxos_paths(device).items():
        each = [
            {"ipnexthop": to, "ifname": at, "uptime": "PT17H3M49S", "pref": "20", "clientname": of, "ubest": "true"}
            for to, at, of in paths
        ]
        told = [{k: v for k, v in x.items() if v} for x in each]
        listed = {"ROW_path": told if len(told) > 1 else told[0]}
        rows.append({"ipprefix": prefix, "ucast-nhops": str(len(each)), "mcast-nhops": "0", "TABLE_path": listed})
    family = {"addrf": "ipv4", "TABLE_prefix": {"ROW_prefix": rows}}
    vrf = {"vrf-name-out": "default", "TABLE_addrf": {"ROW_addrf": family}}
    return {"route.json": json.dumps({"TABLE_vrf": {"ROW_vrf": [vrf]}}), "lldp.json": nxos_lldp(device)}


RULE = "=" * 79 + "\n"
SROS = f"""{RULE}Route Table (Router: Base)
{RULE}Dest Prefix[Flags]                            Type    Proto     Age        Pref
      Next Hop[Interface Name]                                    Metric
{"-" * 79}
"""


def sros(device: str) -> dict[str, str]:
    lines = []
    for p in ports(device):
        local = (f"{network_of(device, p)}0/31", "Local   Local", "0", f"to-{p}")
        lines.append(local)
    for prefix, to in ROUTES[device].items():
        if to == "connected":
            lines.append((prefix, "Local   Local", "0", "hosts"))
        else:
            lines += [(prefix, "Remote  BGP  ", "170", gateway(device, p)) for p in to]
    text = "".join(f"{a:<46}{b}     00h05m24s  {c}\n       {d:<61}0\n" for a, b, c, d in lines)
    return {"route.txt": f"{SROS}{text}{'-' * 79}\nNo. of Routes: {len(lines)}\nFlags: n = Number of times\n{RULE}"}


VENDORS: dict[str, Callable[[str], dict[str, str]]] = {
    "frr": frr, "eos": eos, "eos_text": eos_text, "junos": junos, "nxos": nxos, "nxos_json": nxos_json, "sros": sros,
}  # fmt: skip
PORTS = {"frr": "swp", "eos": "Ethernet", "junos": "et-0/0/", "sros": "to-"}
PORTS |= {"eos_text": "Ethernet", **dict.fromkeys(("nxos", "nxos_json"), "Ethernet1/")}
Dumps = dict[str, dict[str, str]]


def written(folder: Path, dumps: Dumps) -> Path:
    (folder / "hosts.csv").write_text(HOSTS)
    for device, files in dumps.items():
        for name, text in files.items():
            (folder / f"{device}.{name}").write_text(text)
    return folder


def dumps_of(vendor: str) -> Dumps:
    return {device: VENDORS[vendor](device) for device in ROUTES}
