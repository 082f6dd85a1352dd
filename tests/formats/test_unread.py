"""Files that are not read say what they are, and what to give instead: alone and in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.format import read_network
from routeproof.formats.resolve import resolve_network

VENDORS = {
    "Cisco IOS": "Codes: L - local, C - connected, S - static, R - RIP, M - mobile, B - BGP\n       D - EIGRP\n",
    "Huawei VRP": "Route Flags: R - relay, D - download to fib\n-----\nRouting Tables: Public\n",
    "Dell OS10": "Codes: C - connected\n       S - static\n       B - BGP, IN - internal BGP\n",
}
OTHERS = {
    "routes of Juniper Junos": (
        "leaf1.txt",
        "\ninet.0: 12 destinations, 13 routes (12 active, 0 holddown, 0 hidden)\n+ = Active Route\n",
    ),
    "routes of Arista EOS": (
        "leaf1.txt",
        "\nVRF: default\nDisplaying 2 of 4 IPv6 routing table entries\nSource Codes:\n       C - connected\n",
    ),
    "SLURM's topology.conf": ("topology.conf", "# ours\nSwitchName=s1 Nodes=n[1-4]\nSwitchName=s0 Switches=s[1-2]\n"),
    "NCCL's graphs XML": ("graph.xml", '<graphs version="1">\n  <graph id="0" pattern="4"></graph>\n</graphs>\n'),
    "the text of ip route": (
        "l1.txt",
        "default via 10.0.0.1 dev u1 proto bgp metric 20 \n10.1.0.0/24 dev br scope link\n",
    ),
    "a table of BGP": ("l1.bgp", "BGP table version is 7, local router ID is 10.0.0.1, vrf id 0\n"),
}
LINUX = '[{"dst": "10.1.1.0/24", "dev": "br", "protocol": "kernel", "scope": "link"}]'


@pytest.mark.parametrize("vendor", VENDORS)
def test_vendors_are_named_with_batfish_as_the_way(vendor: str, tmp_path: Path) -> None:
    (tmp_path / "leaf1.routes").write_text(VENDORS[vendor])
    says = r"routes of .*, which is not read: give the devices' configurations to Batfish"
    with pytest.raises(InputError, match=says) as alone:
        resolve_network(str(tmp_path / "leaf1.routes"))
    with pytest.raises(InputError, match=says) as folder:
        resolve_network(str(tmp_path))
    for error in (alone, folder):
        assert f"routes of {vendor}" in str(error.value)
        assert "\n" not in str(error.value)
    (tmp_path / "cables.csv").write_text("device,port,device,port\n")
    (tmp_path / "leaf2.routes").write_text(LINUX)
    with (
        pytest.warns(RouteproofWarning, match=says),
        pytest.warns(RouteproofWarning, match="left out"),
        pytest.warns(RouteproofWarning, match="no host is named"),
    ):
        assert read_network(tmp_path).num_nodes == 1


@pytest.mark.parametrize("kind", OTHERS)
def test_other_files_say_what_they_are(kind: str, tmp_path: Path) -> None:
    name, text = OTHERS[kind]
    (tmp_path / name).write_text(text)
    for path in (tmp_path / name, tmp_path):
        with pytest.raises(InputError, match=r"which is not read|not of forwarding|is not read") as error:
            resolve_network(str(path))
        assert kind in str(error.value)
        assert name in str(error.value)


def test_an_empty_file_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "leaf1.routes").write_text(LINUX)
    (tmp_path / "leaf2.routes").write_text(" \n")
    with (
        pytest.warns(RouteproofWarning, match=r"left out, empty \(did a command fail\?\): leaf2\.routes"),
        pytest.warns(RouteproofWarning, match="no host is named"),
    ):
        assert read_network(tmp_path).num_nodes == 1
